import JSON
import LuaRuntime
import Machines

/// What a file declares: scenarios, groups, hooks, fixtures, the shape of a load.
enum DeclarationLibrary {
    /// The globals that need no Lua around them.
    static var globals: [HostFunction] { self.declarations + self.questions }

    /// Those that scripts call.
    private static var declarations: [HostFunction] {
        [
            HostFunction("scenario", parameters: ["name", "options", "body"], errorsAreFinal: true) {
                (call) throws(HostError) in
                let script = try call.script()
                try Self.requireLoading(script, "scenario")
                guard script.declarations.wantsNext() else { return .returns }
                let name = try call.string(1)
                try NameSpellings.require(name, in: "a scenario")
                let hasOptions = call.kind(2) != .function
                guard hasOptions || call.isNil(3) else {
                    throw HostError.argument(
                        "scenario takes its options before the body: scenario(name, { … }, function(t) … end)")
                }
                // The options, which may hold thousands of rows, were read when the scenarios were listed.
                let readsOptions = hasOptions && !script.declarations.isSelecting
                try script.declarations.declare(
                    name, line: call.position?.line ?? 0,
                    options: readsOptions ? try Self.options(of: call, "scenario", ScenarioOptions.parameters) : [:],
                    body: try call.function(hasOptions ? 3 : 2)
                ) { (options) throws(UsageError) in try script.files.rows(options) }
                return .returns
            },
            HostFunction("workload", parameters: ["shape"], errorsAreFinal: true) { (call) throws(HostError) in
                let script = try call.script()
                try Self.requireLoading(script, "workload")
                let members = MemberTable(call: "workload", declared: WorkloadReference.members, member: "member")
                guard let shape = call.isNil(1) ? [:] : try members.given(1, of: call).object else {
                    throw call.argumentFault(1, expected: "a table of named fields")
                }
                try script.declarations.declareWorkload(.object(shape), line: call.position?.line ?? 0)
                return .returns
            },
            HostFunction("fixture", parameters: ["name", "options", "body"], errorsAreFinal: true) {
                (call) throws(HostError) in
                let script = try call.script()
                try Self.requireLoading(script, "fixture")
                let name = try call.string(1)
                try NameSpellings.require(name, in: "a fixture")
                let hasOptions = !call.isNil(3)
                let table = hasOptions ? try Self.options(of: call, "fixture", FixtureDeclaration.parameters) : [:]
                let options = try asFault { () throws(UsageError) in
                    try ArgumentChecker(call: "fixture", vault: script.settings.vault).record(
                        table, FixtureDeclaration.parameters)
                }
                let fixture = FixtureDeclaration(
                    name: name, scope: options["scope"]?.string.flatMap(FixtureScope.init(rawValue:)) ?? .scenario,
                    limit: options["timeout"]?.double.flatMap { Duration(scriptSeconds: $0) },
                    body: try call.function(hasOptions ? 3 : 2),
                    position: call.scriptPosition ?? ScriptPosition(file: script.file.name, line: 0))
                try script.declarations.add(fixture)
                return .returns
            },
        ]
    }

    /// Returns the options that stand before the body.
    private static func options(
        of call: borrowing LuaCall, _ name: String, _ declared: [ParameterDeclaration]
    ) throws(HostError) -> JSONObject {
        let options = try MemberTable(call: name, declared: declared).given(2, of: call)
        guard options != .null else { return [:] }
        guard let members = options.object else {
            throw call.argumentFault(2, expected: "a table of named fields")
        }
        return members
    }

    /// Those that ``DeclarationBlocks`` puts into scripts.
    private static var questions: [HostFunction] {
        [
            HostFunction(DeclarationBlocks.question, parameters: ["scenario", "count"]) { (call) throws(HostError) in
                let count = Int(try call.integer(2, in: Self.counts))
                let wanted = try Self.declarations(of: call)?.wanted(of: count) ?? 0..<count
                call.push(Int64(wanted.lowerBound + 1))
                call.push(Int64(wanted.upperBound))
                return .returns
            },
            HostFunction(
                DeclarationBlocks.loopQuestion, parameters: ["scenario", "count", "first", "last", "step"]
            ) { (call) throws(HostError) in
                let scenarios = Int(try call.integer(2, in: Self.counts))
                let hasStep = call.kind(5) != .absent
                guard call.kind(3) == .integer, call.kind(4) == .integer, !hasStep || call.kind(5) == .integer,
                    let declarations = try Self.declarations(of: call)
                else {
                    call.pushArgument(3)
                    call.pushArgument(4)
                    if hasStep { call.pushArgument(5) } else { call.push(Int64(1)) }
                    return .returns
                }
                let (first, last) = (try call.integer(3), try call.integer(4))
                let step = hasStep ? try call.integer(5) : 1
                guard let count = Self.passes(from: first, to: last, step), count > 0 else {
                    call.push(first)
                    call.push(last)
                    call.push(step)
                    return .returns
                }
                let wanted = declarations.wanted(of: count, each: scenarios)
                if wanted.isEmpty {
                    call.push(Int64(1))
                    call.push(Int64(0))
                    call.push(Int64(1))
                } else {
                    call.push(first + Int64(wanted.lowerBound) * step)
                    call.push(first + Int64(wanted.upperBound - 1) * step)
                    call.push(step)
                }
                return .returns
            },
        ]
    }

    /// Those that the prelude builds on.
    static var functions: [HostFunction] {
        [
            HostFunction(
                "group_begin", calledAs: "group", parameters: ["name", "body"], isVariadic: true, errorsAreFinal: true
            ) { (call) throws(HostError) in
                let script = try call.script()
                guard call.kind(2) == .function, Self.hasOnly(2, call) else {
                    throw HostError.argument(
                        "group takes a name and a function, and nothing else; options belong to each scenario")
                }
                try Self.requireLoading(script, "group")
                let name = try call.string(1)
                try NameSpellings.require(name, in: "a group")
                script.declarations.beginGroup(name)
                return .returns
            },
            HostFunction("group_end") { (call) throws(HostError) in
                let script = try call.script()
                script.declarations.endGroup()
                return .returns
            },
            HostFunction(
                "hook", parameters: ["kind", "function"], isVariadic: true, errorsAreFinal: true
            ) { (call) throws(HostError) in
                let script = try call.script()
                let name = try call.string(1)
                try Self.requireLoading(script, name)
                guard let kind = HookKind(rawValue: name), call.kind(2) == .function, Self.hasOnly(2, call) else {
                    throw HostError.argument("\(name) takes one function")
                }
                script.declarations.addHook(kind, try call.function(2), line: call.position?.line ?? 0)
                return .returns
            },
        ]
    }

    /// Whether nothing is given behind so many arguments; nil is nothing.
    private static func hasOnly(_ count: Int, _ call: borrowing LuaCall) -> Bool {
        !stride(from: count + 1, through: call.count, by: 1).contains { !call.isNil($0) }
    }

    /// How many scenarios a block may have.
    private static let counts: ClosedRange<Int64> = 1...Int64(Int32.max)

    /// Returns what may pass over scenarios for a block, whose first argument is what the script calls `scenario`.
    ///
    /// - Returns: Nil if all have to be declared: whatever the script has put in the place of `scenario` wants to be
    ///   called.
    private static func declarations(of call: borrowing LuaCall) throws(HostError) -> DeclarationCollector? {
        let script = try call.script()
        guard !script.isPlaying, case .reference(let function) = call.value(1), function.hostName == "scenario" else {
            return nil
        }
        return script.declarations
    }

    /// Returns how many passes a loop over numbers makes, nil if they cannot be counted.
    private static func passes(from first: Int64, to last: Int64, _ step: Int64) -> Int? {
        guard step != 0 else { return nil }
        let (distance, isTooFar) = last.subtractingReportingOverflow(first)
        guard !isTooFar, distance != .min else { return nil }
        guard distance == 0 || (distance < 0) == (step < 0) else { return 0 }
        let count = distance / step
        return count < Int64(Int32.max) ? Int(count) + 1 : nil
    }

    /// Checks that the file is being loaded.
    ///
    /// - Throws: A mistake if a scenario plays.
    private static func requireLoading(_ script: Script, _ name: String) throws(HostError) {
        guard !script.isPlaying else {
            throw HostError.usage(
                "\(name) declares; call it at the top of a file or in a group, not while a scenario plays")
        }
    }
}
