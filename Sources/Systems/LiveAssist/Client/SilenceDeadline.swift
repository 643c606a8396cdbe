import Machines

/// The pings of an open topic WebSocket, and the silence after which it counts as lost: nothing has arrived between one
/// ping and the time of the next.
struct SilenceDeadline: Sendable {
    /// The time between two pings, and how long a silence may be.
    static let interval = Duration.seconds(10)

    private var hasHeard = false

    /// The connection is open, or something has arrived.
    mutating func heard() { self.hasHeard = true }

    /// It is time for a ping.
    ///
    /// - Returns: Why the connection counts as lost; nil if it does not, and a ping is to be sent.
    mutating func pingDue() -> String? {
        guard self.hasHeard else { return "the server was silent for \(Self.interval.scriptText)" }
        self.hasHeard = false
        return nil
    }
}
