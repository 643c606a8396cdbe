import Machines
import RunRecord

/// How long a user of a closed executor waits before it plays again after an iteration that came to nothing at once.
///
/// A server that refuses everybody would otherwise be asked again as fast as the generator can. All numbers are defined
/// here and depend on nothing but the user's own iterations, so a run in virtual time comes out the same again.
struct FailurePause: Hashable, Sendable {
    /// An iteration that ends sooner than this ends at once.
    static let atOnce = Duration.milliseconds(100)

    /// The pause after the first such iteration; each further one in a row doubles it.
    static let first = Duration.milliseconds(100)

    /// The longest pause.
    static let longest = Duration.seconds(5)

    /// The pause after an iteration that took no time at all, whatever became of it: in virtual time the next one would
    /// begin at the same instant, and so would all others, for ever.
    static let least = Duration.milliseconds(1)

    /// How many iterations in a row came to nothing at once.
    private var count = 0

    /// Takes note of an iteration.
    ///
    /// - Parameters:
    ///   - length: How long it took.
    ///   - cameToNothing: Whether it did not pass, or was skipped.
    /// - Returns: How long the user waits before its next one.
    mutating func ended(after length: Duration, cameToNothing: Bool) -> Duration {
        guard cameToNothing, length < Self.atOnce else {
            self.count = 0
            return length > .zero ? .zero : Self.least
        }
        self.count = min(self.count + 1, 10)
        return min(Self.first * (1 << (self.count - 1)), Self.longest)
    }
}

extension Outcome {
    /// Whether an iteration with this outcome came to nothing: it did not pass, or was not played.
    var cameToNothing: Bool {
        switch self {
        case .passed, .expectedFailure: false
        case .failed, .error, .skipped: true
        }
    }
}
