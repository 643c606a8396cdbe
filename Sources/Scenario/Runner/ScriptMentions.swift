/// What the texts of scripts mention, for those who want to know before anything is played what a run may do.
///
/// Texts only tell what there may be: a name in a comment counts for nothing, and one that is put together while a
/// scenario plays cannot be known.
public struct ScriptMentions: Sendable {
    /// Whether a plain actor may say which of its messages are texts: its option `ledger`.
    public private(set) var hasLedgerOption = false

    /// Whether texts name a port of this machine as somebody who listens already, and start no simulated server, whose
    /// port it might be: what they speak to then is real.
    var namesRealAddress: Bool { self.namesAddress && !self.startsServer }

    private var (namesAddress, startsServer) = (false, false)

    /// What texts require by its name.
    private(set) var required: Set<String> = []

    /// What was found while files were loaded.
    private var found: Set<String> = []

    /// Whether a text requires something whose name it does not spell out.
    private var requiresUnknown = false

    /// How many systems texts declare, and how many were declared while the files were loaded.
    private var (writtenSystems, declaredSystems) = (0, 0)

    /// Whether everything that texts require or declare is known: it came while the files were loaded, and not later,
    /// while a scenario plays.
    public var isComplete: Bool {
        !self.requiresUnknown && self.required.isSubset(of: self.found) && self.declaredSystems >= self.writtenSystems
    }

    /// Takes in the text of a script or a module.
    mutating func read(_ text: String) {
        let code = text.replacing(/--[^\n]*/, with: "")
        // No `\b`: looking for the ends of words takes longer the longer the text is.
        for match in code.matches(of: /(?:^|[^\w.:])require(?!\w)\s*\(?\s*(?:"([^"]*)"|'([^']*)')?/) {
            if let name = match.1 ?? match.2 { self.required.insert(String(name)) } else { self.requiresUnknown = true }
        }
        self.writtenSystems += code.matches(of: /(?:^|[^\w.:])system\s*[({]/).count
        let options = code.matches(of: /(?:^|[^\w.:])ledger(?!\w)\s*=\s*([\w{]+)/)
        if options.contains(where: { !["true", "false"].contains($0.1) }) { self.hasLedgerOption = true }
        if code.contains(/["'](?:https?|wss?|tcp|tls):\/\/(?:127\.\d+\.\d+\.\d+|localhost|\[::1\]):\d/) {
            self.namesAddress = true
        }
        if code.contains(/:server(?!\w)/) { self.startsServer = true }
    }

    /// Notes that something that scripts require was found, and taken in if it is Lua.
    mutating func find(_ name: String) { self.found.insert(name) }

    /// Notes that a system was declared.
    mutating func declare() { self.declaredSystems += 1 }

    /// Takes in what other scripts mention.
    mutating func add(_ other: ScriptMentions) {
        self.hasLedgerOption = self.hasLedgerOption || other.hasLedgerOption
        self.requiresUnknown = self.requiresUnknown || !other.isComplete
    }
}
