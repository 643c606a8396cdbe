import Machines

/// A short code and who has used it: good for one consumer and one agent, within the time that it lives.
struct ShortCode: Sendable {
    /// How long a code lives (vendor's guide).
    static let life = Duration.seconds(300)

    let cid: String
    let consumerToken: String
    let agentToken: String
    let created: Instant
    var isUsedByConsumer = false
    var isUsedByAgent = false

    /// Makes the code no longer good.
    mutating func expire() {
        self.isUsedByConsumer = true
        self.isUsedByAgent = true
    }

    /// Returns whether the code is no longer good.
    func isOver(at now: Instant) -> Bool {
        now - self.created >= Self.life || (self.isUsedByConsumer && self.isUsedByAgent)
    }
}
