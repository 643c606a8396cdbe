import Machines

/// The wait for the conversations of an execution to end, once its clients have been told to end them.
struct TearDownWait {
    /// How long conversations may take to end.
    static let limit = Duration.seconds(5)

    /// How often it is looked whether they have.
    static let interval = Duration.milliseconds(5)

    /// From this time on people are told what they took it for.
    private static let slow = Duration.seconds(1)

    private let begin: Instant

    /// Whether people wait, too: nobody does in virtual time, nor for one user of a load test.
    private let isNoticed: Bool

    /// How long the conversations took to end and what for, if that was long.
    private(set) var slowness: String?

    init(since begin: Instant, isNoticed: Bool) {
        self.begin = begin
        self.isNoticed = isNoticed
    }

    /// Takes in who has not come to rest yet.
    ///
    /// - Parameters:
    ///   - busy: The name of the first of them; nil if there are none.
    ///   - work: What it still does, asked for only to be told.
    /// - Returns: Whether it is to be looked again after an ``interval``.
    mutating func goesOn(at now: Instant, for busy: String?, work: () -> String?) -> Bool {
        guard let busy else { return false }
        let waited = now - self.begin
        if waited >= Self.slow, self.isNoticed {
            self.slowness = "waited \(waited.roundedText) for \(busy)" + (work().map { ": \($0)" } ?? "")
        }
        return waited < Self.limit
    }
}
