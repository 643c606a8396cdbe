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

    /// Whether another attempt follows, so that this one does not decide.
    public var isRetried: Bool

    /// Whether it passed without having asserted anything, so that it says nothing about the system.
    public var isEmpty: Bool

    /// How many tries have passed so far, if the rate of those that do decides; see ``ScenarioStart/isTry``.
    public var passes: PassRate?

    /// How long it took in wall-clock time, in nanoseconds, if whoever played it has looked.
    ///
    /// No line of a record holds it: in virtual time a record is the same for the same seed.
    public var wallNanoseconds: Int64?

    /// How long its conversations took to end, and what for, if that was long and real time passed meanwhile: `waited
    /// 5s for visitor: WebSocket to chat.example:443 is open`. No line of a record holds it.
    public var slowTearDown: String?

    /// Creates the end of a scenario.
    public init(
        index: Int, atNanoseconds: Int64, outcome: Outcome, problems: [Problem] = [], isRetried: Bool = false,
        isEmpty: Bool = false, passes: PassRate? = nil
    ) {
        self.index = index
        self.atNanoseconds = atNanoseconds
        self.outcome = outcome
        self.problems = problems
        self.isRetried = isRetried
        self.isEmpty = isEmpty
        self.passes = passes
    }
}
