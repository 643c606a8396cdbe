/// A scenario that ended, and how.
public struct ScenarioEnd: Hashable, Sendable {
    /// The ``ScenarioStart/index`` of the scenario.
    public var index: Int

    /// When it ended, in nanoseconds on its time line; see ``RunEntry/happened(scenario:atNanoseconds:_:)``.
    public var atNanoseconds: Int64

    /// How it ended.
    public var outcome: Outcome

    /// What went wrong, in the order in which it happened.
    public var problems: [Problem]

    /// Creates the end of a scenario.
    public init(index: Int, atNanoseconds: Int64, outcome: Outcome, problems: [Problem] = []) {
        self.index = index
        self.atNanoseconds = atNanoseconds
        self.outcome = outcome
        self.problems = problems
    }
}

/// How a scenario ended.
public enum Outcome: Hashable, Sendable {
    /// Everything that was expected happened.
    case passed
    /// An expectation was not met.
    case failed
    /// The script, the connection or the harness broke, so that nothing can be said about what was tested.
    case error
    /// It was not played.
    case skipped(reason: String)
}
