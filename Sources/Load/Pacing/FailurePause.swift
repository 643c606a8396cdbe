import Machines

/// How long a user of a closed executor waits before it plays again after an iteration that came to nothing at once, or
/// that broke.
///
/// A server that refuses everybody would otherwise be asked again as fast as the generator can. Where none can be
/// reached, or the script is wrong, that holds however long the iteration took: all users break at the same moment
/// then, so that the last of them is long in coming to its end for no other reason than that the generator has to deal
/// with the others. All numbers are defined here and depend on nothing but the user's own iterations, so a run in
/// virtual time comes out the same again.
struct FailurePause: Hashable, Sendable {
    /// An iteration whose script ends sooner than this ends at once. What follows it, in which events still count and
    /// conversations end, takes as long whatever came of the script, and in a project with `limits.settle` far longer.
    static let atOnce = Duration.milliseconds(100)

    /// The pause after the first such iteration; each further one in a row doubles it.
    static let first = Duration.milliseconds(100)

    /// The longest pause.
    static let longest = Duration.seconds(5)

    /// The pause after an iteration that took no time at all, whatever became of it: in virtual time the next one would
    /// begin at the same instant, and so would all others, for ever.
    static let least = Duration.milliseconds(1)

    /// How many iterations in a row came to nothing at once, or broke.
    private var count = 0

    /// Takes note of an iteration.
    ///
    /// - Parameters:
    ///   - length: How long it took.
    ///   - script: How long its script took, without what follows.
    ///   - yield: What it came to.
    /// - Returns: How long the user waits before its next one.
    mutating func ended(after length: Duration, script: Duration, yield: IterationYield) -> Duration {
        guard yield == .broken || yield == .nothing && script < Self.atOnce else {
            self.count = 0
            return length > .zero ? .zero : Self.least
        }
        self.count = min(self.count + 1, 10)
        return min(Self.first * (1 << (self.count - 1)), Self.longest)
    }
}
