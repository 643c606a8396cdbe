/// What the texts of scripts mention, for those who want to know before anything is played what a run may do.
///
/// Texts only tell what there may be: a name in a comment counts for nothing, and one that is put together while a
/// scenario plays cannot be known.
public struct ScriptMentions: Sendable {
    /// What is read out of the text of a script or a module.
    struct Text: Equatable, Sendable {
        /// What the text requires by its name.
        var required: Set<String> = []

        /// Whether it requires something whose name it does not spell out.
        var requiresUnknown = false

        /// How many systems it declares.
        var systems = 0

        /// Whether a plain actor may say which of its messages are texts: its option `ledger`.
        var hasLedgerOption = false

        /// Whether it names parts of scenarios by `step`.
        var hasSteps = false

        /// Whether it names a port of this machine as somebody who listens already.
        var namesAddress = false

        /// Where it lets users meet.
        var coordination = ScriptCoordination()

        /// Whether it starts threads, or has handlers that are threads, several of which may be at one barrier.
        var startsThreads = false
    }

    /// What all texts mention together.
    private var texts = Text()

    /// What was found while files were loaded.
    private var found: Set<String> = []

    /// How many systems were declared while the files were loaded.
    private var declaredSystems = 0

    /// Whether a plain actor may say which of its messages are texts: its option `ledger`.
    public var hasLedgerOption: Bool { self.texts.hasLedgerOption }

    /// Whether texts name parts of scenarios by `step`.
    public var hasSteps: Bool { self.texts.hasSteps }

    /// Where texts let users meet.
    public var coordination: ScriptCoordination { self.texts.coordination }

    /// Whether no user can be at a barrier more than once, as far as the texts tell.
    public var areUsersOneThread: Bool { self.isComplete && !self.texts.startsThreads }

    /// What texts require by its name.
    var required: Set<String> { self.texts.required }

    /// Whether texts name a port of this machine as somebody who listens already, and start no simulated server, whose
    /// port it might be: what they speak to then is real.
    var namesRealAddress: Bool { self.texts.namesAddress && !self.coordination.startsServer }

    /// Whether everything that texts require or declare is known: it came while the files were loaded, and not later,
    /// while a scenario plays.
    public var isComplete: Bool {
        !self.texts.requiresUnknown && self.texts.required.isSubset(of: self.found)
            && self.declaredSystems >= self.texts.systems
    }

    /// Takes in what one more text mentions.
    mutating func add(_ text: Text) {
        self.texts.required.formUnion(text.required)
        self.texts.requiresUnknown = self.texts.requiresUnknown || text.requiresUnknown
        self.texts.systems += text.systems
        self.texts.hasLedgerOption = self.texts.hasLedgerOption || text.hasLedgerOption
        self.texts.hasSteps = self.texts.hasSteps || text.hasSteps
        self.texts.namesAddress = self.texts.namesAddress || text.namesAddress
        self.texts.coordination.add(text.coordination)
        self.texts.startsThreads = self.texts.startsThreads || text.startsThreads
    }

    /// Notes that something that scripts require was found, and taken in if it is Lua.
    mutating func find(_ name: String) { self.found.insert(name) }

    /// Notes that a system was declared.
    mutating func declare() { self.declaredSystems += 1 }

    /// Takes in what other scripts mention.
    mutating func add(_ other: ScriptMentions) {
        self.texts.hasLedgerOption = self.hasLedgerOption || other.hasLedgerOption
        self.texts.hasSteps = self.hasSteps || other.hasSteps
        self.texts.requiresUnknown = self.texts.requiresUnknown || !other.isComplete
        self.texts.coordination.add(other.coordination)
        self.texts.startsThreads = self.texts.startsThreads || other.texts.startsThreads
    }
}
