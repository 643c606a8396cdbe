import JSON
import LuaRuntime
import Machines

/// Takes in what a file declares: scenarios, groups and hooks.
final class DeclarationCollector {
    /// Thrown out of a file once the selected scenario and all its hooks have been declared.
    struct LoadedEnough: Error {
        /// One for all, for Lua keeps the error until it next collects garbage.
        static let error: any Error = LoadedEnough()
    }

    /// A group, or the file itself.
    private final class Scope {
        let name: String?
        let parent: Scope?
        /// Counts the groups of a file in the order in which they are declared; 0 is the file itself.
        let number: Int
        var before: [LuaReference] = []
        var after: [LuaReference] = []
        var beforeAll: [LuaReference] = []
        var afterAll: [LuaReference] = []

        /// The line of the first `before_all` or `after_all`.
        var sharedLine: Int?

        init(name: String?, parent: Scope?, number: Int) {
            self.name = name
            self.parent = parent
            self.number = number
        }

        /// From the file inwards.
        var chain: [Scope] { (self.parent?.chain ?? []) + [self] }
    }

    /// A scenario with its hooks, ready to play.
    struct Selected {
        /// Outermost first.
        let before: [LuaReference]
        let body: LuaReference
        /// Innermost first.
        let after: [LuaReference]
        /// The groups with hooks that run once, from the file inwards.
        let shared: [SharedHooks]
    }

    /// A group, or the file, with `before_all` or `after_all` hooks.
    struct SharedHooks {
        let number: Int
        let titlePath: [String]
        let line: Int
    }

    /// The names of a group and what it declares of hooks that run once.
    private static func titlePath(ofHooksIn scope: Scope) -> [String] {
        let hooks = [("before_all", scope.beforeAll), ("after_all", scope.afterAll)].filter { !$0.1.isEmpty }
        return scope.chain.compactMap(\.name) + [hooks.map(\.0).joined(separator: " and ")]
    }

    /// What one file declares under a name of its own.
    private enum Declared: Hashable {
        /// A scenario, by the bytes of its names: other bytes are another name, also where they show the same.
        case scenario([[UInt8]])
        case system(String, file: String)
    }

    private let file: String
    /// The names of events that the script may use.
    private(set) var eventNames: EventNames
    /// Which call of `scenario` declares the selected scenario, the hash of its names, and whether nothing below it
    /// matters.
    private let selection: (index: Int, names: Int, isBelowAllHooks: Bool)?
    /// The group that is open; nil once nothing more is declared.
    private var scope: Scope?
    private var scopes: [Scope] = []

    /// The fixtures of the file and its modules, by name.
    private(set) var fixtures: [String: FixtureDeclaration] = [:]
    private var selectedScope: Scope?
    private var selectedBody: LuaReference?
    private var declared: [ScenarioDefinition] = []
    /// On which lines scenarios and systems were declared; while one scenario is selected nobody asks.
    private var lines: [Declared: Int] = [:]

    /// The shape of the load that the file is meant for, if it says one.
    @Boxed private(set) var workload: WorkloadDeclaration?

    /// The chat systems that the file and its modules declare.
    private(set) var luaSystems: [LuaSystem] = []

    /// How many calls of `scenario` there were, looked at or not; one with rows declares several scenarios.
    private var seenCount = 0

    /// How many of them stood above the last hook.
    private var hookedCount = 0

    init(file: String, selecting selected: ScenarioDefinition?, eventNames: EventNames) {
        self.file = file
        self.eventNames = eventNames
        self.selection = selected.map { ($0.index, $0.declaredNames, $0.isBelowAllHooks) }
        let scope = Scope(name: nil, parent: nil, number: 0)
        self.scope = scope
        self.scopes = [scope]
    }

    /// The scenarios of the file, in order.
    var definitions: [ScenarioDefinition] {
        self.declared.map { definition in
            var definition = definition
            definition.isBelowAllHooks = definition.index >= self.hookedCount
            return definition
        }
    }

    /// Returns the selected scenario, if the file declared it, and lets go of the groups: nothing more is declared.
    func takeSelected() -> Selected? {
        defer { self.leaveScopes() }
        guard let body = self.selectedBody, let chain = self.selectedScope?.chain else { return nil }
        return Selected(
            before: chain.flatMap(\.before), body: body, after: chain.reversed().flatMap { $0.after.reversed() },
            shared: chain.compactMap { scope in
                scope.sharedLine.map {
                    SharedHooks(number: scope.number, titlePath: Self.titlePath(ofHooksIn: scope), line: $0)
                }
            })
    }

    /// Lets go of what nobody asks for once a scenario is selected, which each user of a load test would keep.
    private func leaveScopes() {
        self.workload = nil
        self.selectedBody = nil
        self.selectedScope = nil
        self.scope = nil
        self.scopes = []
    }

    /// Lets go of all functions of the script.
    func forget() {
        self.leaveScopes()
        self.fixtures = [:]
        for system in self.luaSystems { system.forget() }
        self.luaSystems = []
    }

    /// Returns what a shared part runs, or nil if the file does not declare it.
    func functions(of kind: SharedPart.Kind) -> FixtureFunctions? {
        switch kind {
        case .fixture(let name):
            return self.fixtures[name].map {
                FixtureFunctions(before: [$0.body], after: [], limit: $0.limit, areHooks: false)
            }
        case .hooks(let number, let titlePath):
            // Where declarations depend on what changes, the group of that number is another one.
            guard self.scopes.indices.contains(number) else { return nil }
            let scope = self.scopes[number]
            guard Self.titlePath(ofHooksIn: scope) == titlePath else { return nil }
            return FixtureFunctions(
                before: scope.beforeAll, after: scope.afterAll.reversed(), limit: nil, areHooks: true)
        }
    }

    /// Takes in a fixture.
    ///
    /// - Throws: A mistake of the script if there is one of that name already.
    func add(_ fixture: FixtureDeclaration) throws(HostError) {
        self.hookedCount = self.seenCount
        if let earlier = self.fixtures.updateValue(fixture, forKey: fixture.name) {
            throw HostError.usage(
                "there is a fixture \"\(fixture.name)\" already, at \(earlier.position)")
        }
    }

    /// Whether the file is loaded to play one of its scenarios, and not to list them.
    var isSelecting: Bool { self.selection != nil }

    /// Counts a scenario that is about to be declared.
    ///
    /// - Returns: Whether it has to be taken in: those before the selected one need not be looked at.
    func wantsNext() -> Bool {
        self.seenCount += 1
        return self.seenCount > self.selection?.index ?? 0
    }

    /// Passes over scenarios that are declared one after the other, or in the passes of a loop, up to the selected one.
    ///
    /// - Parameters:
    ///   - count: How many scenarios, or passes, there are.
    ///   - scenarios: How many each pass declares.
    /// - Returns: Which of them have to be looked at, counted from zero.
    func wanted(of count: Int, each scenarios: Int = 1) -> Range<Int> {
        guard let selection = self.selection else { return 0..<count }
        guard self.selectedBody == nil else { return 0..<0 }
        guard selection.index >= self.seenCount else { return 0..<count }
        let place = min((selection.index - self.seenCount) / scenarios, count)
        self.seenCount += place * scenarios
        return place..<min(place + 1, count)
    }

    /// Takes in a scenario, while one is selected only that one.
    ///
    /// - Parameter rows: Reads the rows that the options ask for.
    /// - Throws: A mistake of the script, or ``LoadedEnough``.
    func declare(
        _ name: String, line: Int, options: JSONObject, body: LuaReference,
        rows: (ScenarioOptions) throws(UsageError) -> [DataRow]?
    ) throws(HostError) {
        let titlePath = (self.scope?.chain ?? []).compactMap(\.name) + [name]
        if let selection = self.selection {
            // Where declarations depend on what changes, the call of that number declares another scenario, whose body
            // would be played under the name of the selected one.
            guard self.selectedBody == nil, titlePath.hashValue == selection.names else { return }
            self.selectedScope = self.scope
            self.selectedBody = body
            guard selection.isBelowAllHooks else { return }
            throw HostError("loaded enough", kind: "control", cause: LoadedEnough.error, keepsCalls: false)
        }
        let key = Declared.scenario(titlePath.map { Array($0.utf8) })
        if let earlier = self.lines[key] {
            throw HostError.usage(
                "there is a scenario \"\(titlePath.joined(separator: " › "))\" already, at line \(earlier); "
                    + "give each its own name, so that reports can tell them apart")
        }
        self.lines[key] = line
        let (checked, found) = try asFault { () throws(UsageError) in
            let options = try ScenarioOptions(options, eventNames: self.eventNames)
            return (options, try rows(options))
        }
        var definition = ScenarioDefinition(
            file: self.file, line: line, titlePath: titlePath, options: checked, index: self.seenCount - 1)
        definition.options.rows = nil
        guard let found else { return self.declared.append(definition) }
        for row in found {
            definition.row = row
            self.declared.append(definition)
        }
    }

    /// Takes in a chat system that the script declares.
    ///
    /// - Parameter position: Where, if a file declares it while it is loaded; nil while a scenario plays, which may
    ///   declare one as often as it likes.
    /// - Throws: A mistake if the file declares one of that name already: whoever asks for it by its name, such as
    ///   another process that plays its server, would get the last one.
    func declare(_ system: LuaSystem, at position: ScriptPosition?) throws(HostError) {
        if let position, !self.isSelecting {
            let name = system.declaration.name
            if let earlier = self.lines.updateValue(position.line, forKey: .system(name, file: position.file)) {
                throw HostError.usage(
                    "there is a chat system \"\(name)\" already, at line \(earlier); give each its own name, so that "
                        + "reports and other files can tell them apart")
            }
        }
        self.eventNames.add(system.system)
        self.luaSystems.append(system)
    }

    /// Returns a chat system that the script has declared so far; the last one unless one is named.
    func luaSystem(named name: String?) -> LuaSystem? {
        self.luaSystems.last { name == nil || $0.declaration.name == name }
    }

    /// Takes in the shape of the load that the file is meant for.
    ///
    /// - Throws: A mistake if there is one already.
    func declareWorkload(_ shape: JSONValue, line: Int) throws(HostError) {
        if let earlier = self.workload {
            throw HostError.usage(
                "the file has a workload already, at line \(earlier.line); give one workload a list of `workloads` instead"
            )
        }
        self.workload = WorkloadDeclaration(shape: shape, line: line)
    }

    /// Opens a group.
    func beginGroup(_ name: String) {
        let scope = Scope(name: name, parent: self.scope, number: self.scopes.count)
        self.scope = scope
        self.scopes.append(scope)
    }

    /// Closes the group that was opened last.
    func endGroup() {
        self.scope = self.scope?.parent ?? self.scope
    }

    /// Takes in a hook of the current group.
    func addHook(_ kind: HookKind, _ function: LuaReference, line: Int) {
        self.hookedCount = self.seenCount
        guard let scope = self.scope else { return }
        switch kind {
        case .beforeEach: scope.before.append(function)
        case .afterEach: scope.after.append(function)
        case .beforeAll:
            scope.beforeAll.append(function)
            scope.sharedLine = scope.sharedLine ?? line
        case .afterAll:
            scope.afterAll.append(function)
            scope.sharedLine = scope.sharedLine ?? line
        }
    }
}

/// When a hook runs.
enum HookKind: String {
    case beforeEach = "before_each"
    case afterEach = "after_each"
    case beforeAll = "before_all"
    case afterAll = "after_all"
}
