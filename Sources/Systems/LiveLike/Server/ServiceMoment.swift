import Machines

/// What the parts of the service must know of the moment at which something happens.
struct ServiceMoment: Sendable {
    let now: Instant
    /// The message carrier's token of that moment.
    let token: TimeToken
    /// The URL below which the REST interface stands.
    let base: String

    /// The moment as a time stamp of the service.
    var timestamp: String { ServiceTime.text(ticks: self.token.ticks) }
}
