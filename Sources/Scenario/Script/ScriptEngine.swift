import JSON
import LuaRuntime
import Machines

/// One Lua state with the language of scenarios in it, which the scripts of one thread share.
///
/// Each script has globals of its own in it and finds them untouched, whatever ran before. Host functions are
/// registered once here and find the script that calls them by its environment.
final class ScriptEngine {
    /// The state.
    let state: LuaState

    /// The prelude's function behind `actor:never`.
    private(set) var never: LuaReference?

    /// The prelude's function behind `t:persona`.
    private(set) var persona: LuaReference?

    /// The functions of the prelude behind chat systems written in Lua.
    private(set) var luaSystems: LuaSystemMakers?

    /// What gives the parties of servers in Lua, by the kind of party.
    var partyFunctions: [String: HostSlot] = [:]

    /// What asks another script to run a command of a server in Lua, by table and name.
    var askingFunctions: [String: HostSlot] = [:]

    private var types: [String: LuaHandleType] = [:]

    /// What guards tables of named members, by what the tables are and their names.
    private var memberGuards: [GuardedTable: MemberGuard] = [:]

    private struct GuardedTable: Hashable {
        let owner: String
        let names: [String]
    }

    /// What actors observe, by their system and role.
    private var vocabularies: [ActorVocabulary.Key: ActorVocabulary] = [:]

    /// What scripts share that declare the same chat system.
    private var outlines: [LuaSystemDeclaration: LuaSystemOutline] = [:]

    /// So many guards and outlines are kept; the names in some come from data, of which there may be any number.
    private static let mostKept = 256

    /// After so many scenarios the state may be collected.
    private static let collectionInterval = 32

    /// How many scenarios have ended since the state was collected last.
    private var endedCount = 0

    /// What the state held when it was collected last, in bytes, and what it had asked for by then.
    private var collected = (held: 0, allocated: UInt64(0))

    /// Opens a state and puts the language into it.
    init(limits: LuaLimits = .standard) {
        let running = RunningScript()
        self.state = LuaState(
            limits: limits,
            clock: LuaClock(
                wallSeconds: { running.script?.wallSeconds ?? 0 }, monotonicSeconds: { running.script?.seconds ?? 0 }))
        running.state = self.state
        Watchdog.shared.watch(self.state.watch)
        self.state.moduleSearcher = { (name, _) throws(HostError) in
            guard let script = running.script else { throw HostError("modules are loaded by scripts", kind: "module") }
            return try script.files.module(named: name)
        }
        self.state.undefinedName = { name in
            name.message(in: running.script?.file.source ?? "").map { HostError.usage($0) }
        }
        do { try self.loadLanguage() } catch { preconditionFailure("the prelude does not load: \(error)") }
        self.state.keepHeldObjects()
    }

    /// Puts the language into the state.
    private func loadLanguage() throws(LuaError) {
        for table in HostLibraries.tables {
            try self.share(table.name, table.functions, extra: table.constants)
        }
        for function in HostLibraries.globals {
            try self.state.share(function.name, .function(self.state.register(function)))
        }
        let methods = HostFunction("set_methods", parameters: ["never", "persona"]) {
            [unowned self] (call) throws(HostError) in
            (self.never, self.persona) = (try call.function(1), try call.function(2))
            return .returns
        }
        try self.state.runPrelude(Prelude.chunk, [self.table(of: HostLibraries.prelude + [methods])])
        let makers = HostFunction("set_system_makers", isVariadic: true) {
            [unowned self] (call) throws(HostError) in
            self.luaSystems = LuaSystemMakers(
                client: try call.function(1), server: try call.function(2), command: try call.function(3),
                serverCommand: try call.function(4), partyCommand: try call.function(5),
                party: try call.function(6), member: try call.function(7), run: try call.function(8),
                begunItems: try call.function(9), submit: try call.function(10))
            return .returns
        }
        try self.state.runPrelude(LuaSystemsPrelude.chunk, [self.table(of: HostLibraries.systemsPrelude + [makers])])
    }

    /// What the engine's own Lua gets: functions by their names.
    private func table(of functions: [HostFunction]) -> LuaValue {
        .table(functions.map { ($0.name, LuaValue.function(self.state.register($0))) })
    }

    private func share(
        _ name: String, _ functions: [HostFunction], extra: [(String, LuaValue)] = []
    ) throws(LuaError) {
        let members = functions.map { function in
            let short = function.name.split(separator: ".").last.map(String.init) ?? function.name
            return (short, LuaValue.function(self.state.register(function)))
        }
        try self.state.share(name, .table(extra + members))
    }

    /// Returns a type of handles, declared when it is first asked for.
    func handleType(_ key: String, declare: () -> LuaHandleDeclaration) -> LuaHandleType {
        if let type = self.types[key] { return type }
        let type = self.state.register(declare())
        self.types[key] = type
        return type
    }

    /// Returns what guards tables of a kind with these names, made when it is first asked for.
    func memberGuard(of owner: String, names: [String], isClosed: Bool = false) -> MemberGuard {
        let key = GuardedTable(owner: owner, names: names)
        if let made = self.memberGuards[key] { return made }
        if self.memberGuards.count == Self.mostKept { self.memberGuards = [:] }
        let made = MemberGuard(of: owner, names: names, isClosed: isClosed)
        self.memberGuards[key] = made
        return made
    }

    /// Returns what actors of a role observe, worked out when it is first asked for.
    func vocabulary(_ key: ActorVocabulary.Key, make: () -> ActorVocabulary) -> ActorVocabulary {
        if let vocabulary = self.vocabularies[key] { return vocabulary }
        let vocabulary = make()
        self.vocabularies[key] = vocabulary
        return vocabulary
    }

    /// Returns what scripts share that declare this chat system, made for the first of them.
    func outline(of declaration: LuaSystemDeclaration) -> LuaSystemOutline {
        if let made = self.outlines[declaration] { return made }
        if self.outlines.count == Self.mostKept { self.outlines = [:] }
        let made = LuaSystemOutline(declaration)
        self.outlines[declaration] = made
        return made
    }

    /// Takes note that a scenario has ended: lets go of the objects that it held, and collects what else it and others
    /// before it have left if that is due.
    ///
    /// A collection looks at all that the state holds, such as the code of a file of thousands of scenarios, so it
    /// waits until as much was allocated as that. What large scenarios have left does not wait: it would count toward
    /// the memory limit of the next. Nor do the engine's objects, with whole conversations and connections behind them:
    /// the next scenario takes their memory while it is in the processor's caches.
    func collectIfDue() {
        self.state.releaseHeldObjects()
        self.endedCount += 1
        let allocated = self.state.bytesAllocated - self.collected.allocated
        let isOften = self.endedCount >= Self.collectionInterval && allocated >= self.collected.held
        guard isOften || self.leavesMuch else { return }
        self.state.collect()
        self.endedCount = 0
        self.collected = (self.state.memoryInUse, self.state.bytesAllocated)
    }

    /// Whether ended scenarios have left an eighth of what one may hold.
    private var leavesMuch: Bool {
        guard let limit = self.state.limits.memoryBytes else { return false }
        return self.state.memoryInUse - self.collected.held > limit / 8
    }

    /// Closes the state.
    func close() {
        self.never = nil
        self.persona = nil
        self.luaSystems = nil
        self.state.close()
    }
}

/// Finds the script that runs in a state.
private final class RunningScript {
    unowned var state: LuaState?

    var script: Script? { self.state?.currentEnvironment?.owner as? Script }
}

extension LuaCall {
    /// The script that made the call.
    ///
    /// - Throws: A fault if the script has ended.
    func script() throws(HostError) -> Script {
        guard let script = self.environment?.owner as? Script else {
            throw HostError.usage("\(self.name) was called by a script that has ended")
        }
        return script
    }
}
