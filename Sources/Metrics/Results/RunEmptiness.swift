/// Why a run that may have kept all its thresholds has shown nothing.
public enum RunEmptiness: Hashable, Sendable {
    /// Users began, and none came to an end.
    case noIteration
    /// Nobody began, as where arrivals are drawn by chance and none was due.
    case nobodyBegan
    /// All that came to an end was skipped.
    case allSkipped(Int64)
    /// Everybody passed and nobody spoke to the target.
    case targetUntouched

    /// What is wrong and what to do.
    public var message: String {
        switch self {
        case .noIteration:
            "no iteration came to its end, so nothing was tested; look at what users wait for, such as a barrier that too "
                + "few reach, or give them more time (duration, graceful_stop)"
        case .nobodyBegan:
            "nobody began, so nothing was tested: no user was due while the run lasted; give it more time (duration), or "
                + "more users or a higher rate"
        case .allSkipped(let count):
            (count == 1 ? "the only iteration was" : "all \(NumberText.counted(count, "iteration")) were")
                + " skipped, so nothing was tested"
        case .targetUntouched:
            "no user opened a connection, so nothing of the target was tested; look at whether the scenario has its "
                + "clients connect"
        }
    }
}
