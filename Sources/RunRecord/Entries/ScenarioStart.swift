/// A scenario that begins, and what names it in every report.
///
/// What goes wrong outside of a scenario (a script that cannot be loaded, a hook of the whole file) is recorded as a
/// scenario of its own with a title that says so, and reports need no second way to show it.
public struct ScenarioStart: Hashable, Sendable {
    /// The number of this attempt in the record; no other attempt has it.
    public var index: Int

    /// The script, relative to the root of the project, with `/` between folders.
    public var file: String

    /// The line of the call that declared the scenario, counted from one.
    public var line: Int

    /// The names of the groups around the scenario from the outermost, then its own name.
    public var titlePath: [String]

    /// The name of the row of data that the scenario plays, or nil if it has none.
    public var row: String?

    /// What the row tries the bot with, such as `typos`, or nil if it does not say; see ``RobustnessTally``.
    public var mutator: String?

    /// Which play of a scenario that is played several times, counted from one, or nil if it is played once.
    public var repetition: Int?

    /// The tags that the scenario declares, in that order.
    public var tags: [String]

    /// The seed of the scenario's own randomness.
    public var seed: UInt64

    /// Which attempt this is, counted from one.
    public var attempt: Int

    /// Whether it is a try of a scenario of which so many tries must pass, so that a later one is no retry.
    public var isTry: Bool

    /// Whether it says itself that it is tried again where it does not pass, so that its replay must say that it is
    /// not.
    public var hasOwnRetries: Bool

    /// How a run chooses it alone, if its name does not.
    public var choice: ScenarioChoice?

    /// The scenario that asked first for what is played here, if this is something that scenarios share.
    ///
    /// A fixture or a hook cannot be chosen to be played; whoever plays that scenario plays it again.
    public var askedBy: Asker?

    /// A scenario by which something shared can be played again.
    public struct Asker: Hashable, Sendable {
        /// The script, as in ``ScenarioStart/file``.
        public var file: String

        /// The name, as in ``ScenarioStart/declaredName``; empty if only the whole file can be played again.
        public var name: String

        /// How a run chooses it alone, if its name does not.
        public var choice: ScenarioChoice?

        /// Names a scenario.
        public init(file: String, name: String, choice: ScenarioChoice? = nil) {
            self.file = file
            self.name = name
            self.choice = choice
        }
    }

    /// When the scenario began, in nanoseconds on its time line; see ``RunEntry/happened(scenario:atNanoseconds:_:)``.
    public var atNanoseconds: Int64

    /// Creates the description of a scenario that begins.
    public init(
        index: Int,
        file: String,
        line: Int,
        titlePath: [String],
        row: String? = nil,
        mutator: String? = nil,
        repetition: Int? = nil,
        tags: [String] = [],
        seed: UInt64,
        attempt: Int = 1,
        isTry: Bool = false,
        hasOwnRetries: Bool = false,
        choice: ScenarioChoice? = nil,
        askedBy: Asker? = nil,
        atNanoseconds: Int64
    ) {
        self.index = index
        self.file = file
        self.line = line
        self.titlePath = titlePath
        self.row = row
        self.mutator = mutator
        self.repetition = repetition
        self.tags = tags
        self.seed = seed
        self.attempt = attempt
        self.isTry = isTry
        self.hasOwnRetries = hasOwnRetries
        self.choice = choice
        self.askedBy = askedBy
        self.atNanoseconds = atNanoseconds
    }
}

extension ScenarioStart {
    /// The name by which runs choose the scenario: groups, own name and row, such as `queue › waits [French]`.
    public var declaredName: String {
        let title = self.titlePath.joined(separator: " › ")
        return self.row.map { "\(title) [\($0)]" } ?? title
    }

    /// The whole name, with the repetition if there are several, such as `queue › waits [French] (repetition 2)`.
    public var name: String {
        self.repetition.map { "\(self.declaredName) (repetition \($0))" } ?? self.declaredName
    }

    /// Whether the scenario is played again because an attempt before did not pass; if it passes now, it is flaky.
    public var isRetry: Bool { Flakiness.isRetry(attempt: self.attempt, isTry: self.isTry) }

    /// Returns the attempt that reports tell of to explain how the scenario ended: itself, or a try that did not pass
    /// where too few of several have. What the tries have in common, a baseline of something else, no single try shows.
    public func explaining(_ end: ScenarioEnd?) -> ScenarioStart {
        guard self.isTry, let end else { return self }
        var start = self
        if end.outcome == .failed, let failed = end.passes?.lastFailed { start.attempt = failed.number }
        if end.problems.contains(where: { $0.kind == .fingerprint }) { start.isTry = false }
        return start
    }

    /// What stays the same from run to run: the file and the whole name.
    ///
    /// It holds no line, no position and no hash, so edits elsewhere in the file do not change it.
    public var id: String { "\(self.file)::\(self.name)" }
}
