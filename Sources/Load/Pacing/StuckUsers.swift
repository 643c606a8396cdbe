import Machines

/// Which of the users who are broken off, and have played to the end before, are taken for stuck: those who play for so
/// long that they would not have ended either if they had begun a little earlier, as the users of a server do that died
/// on the way.
struct StuckUsers: Sendable {
    /// How many times as long as the longest iteration that ended one lasts that is taken for stuck; defined here.
    private static let factor = 2

    /// How long users have to finish.
    private let gracefulStop: Duration

    /// How long the longest iteration took that has ended.
    private var longest = Duration.zero

    /// Creates the rule of a workload in which no iteration has ended.
    init(gracefulStop: Duration) { self.gracefulStop = gracefulStop }

    /// Takes note of an iteration that ended, and of how long it took.
    mutating func ended(after length: Duration) { self.longest = max(self.longest, length) }

    /// Returns whether a user is stuck whose iteration has lasted so long.
    func contains(playingFor length: Duration) -> Bool {
        length > self.longest * Self.factor && length > self.gracefulStop
    }
}
