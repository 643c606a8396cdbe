/// One thing that happened in a run, in the order in which it happened.
///
/// Reports are computed from these entries alone, while the run goes on or later from a saved record. Scenarios that
/// run side by side interleave; ``ScenarioStart/index`` tells them apart.
///
/// Nearly all entries tell what happened. What the others hold is large and stands apart from them, for an entry is
/// copied by each report, and each copy would have room for the largest.
public enum RunEntry: Hashable, Sendable {
    /// The run begins; the first entry of every record.
    indirect case runStarted(RunStart)

    /// A scenario begins; each attempt at a scenario begins anew.
    indirect case scenarioStarted(ScenarioStart)

    /// Something happened within a scenario that has started and not ended.
    ///
    /// The scenario is given by its ``ScenarioStart/index``, the time in nanoseconds on its time line. In real time all
    /// scenarios share one that starts with the run; in virtual time each has its own.
    case happened(scenario: Int, atNanoseconds: Int64, RunEvent)

    /// A scenario ended.
    indirect case scenarioEnded(ScenarioEnd)

    /// The run is over; missing from the record of a run that was killed.
    indirect case runEnded(RunEnd)
}

extension RunEntry {
    /// The ``ScenarioStart/index`` of the scenario that the entry belongs to, or nil if it belongs to the whole run.
    public var scenario: Int? {
        switch self {
        case .runStarted, .runEnded: nil
        case .scenarioStarted(let start): start.index
        case .happened(let scenario, _, _): scenario
        case .scenarioEnded(let end): end.index
        }
    }
}
