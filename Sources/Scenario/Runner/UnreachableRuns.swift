/// Scenarios that could not reach the target, as far as they stand side by side in the suite.
///
/// Where several play at the same time, those that end one after the other need not be neighbors: between them may be
/// one that still plays and reaches it. Skipped ones part nobody, for they have neither reached it nor failed to.
struct UnreachableRuns {
    /// Neighbors in the suite that have ended.
    private struct Run {
        var first: Int
        var last: Int
        /// How many of them could not reach the target; the others were skipped.
        var count: Int
    }

    /// The runs by their first and their last place.
    private var runs: [Int: Run] = [:]

    /// Takes in a scenario that has ended without having reached the target.
    ///
    /// - Parameters:
    ///   - place: Where it stands in the suite.
    ///   - isSkipped: Whether it was skipped.
    /// - Returns: How many there are by now in succession, with it.
    mutating func add(_ place: Int, isSkipped: Bool) -> Int {
        var run = Run(first: place, last: place, count: isSkipped ? 0 : 1)
        if let before = self.runs.removeValue(forKey: place - 1) {
            run.first = before.first
            run.count += before.count
        }
        if let after = self.runs.removeValue(forKey: place + 1) {
            run.last = after.last
            run.count += after.count
        }
        self.runs[run.first] = run
        self.runs[run.last] = run
        return run.count
    }
}
