import JSON
import LuaRuntime
import Machines

/// What a file declares: scenarios, groups, hooks, fixtures, the shape of a load.
enum DeclarationLibrary {
    /// The globals that need no Lua around them.
    static var globals: [HostFunction] {
        [
            HostFunction("scenario", parameters: ["name", "options", "body"]) { (call) throws(LuaFault) in
                let script = try call.script()
                try Self.requireLoading(script, "scenario")
                guard script.declarations.wantsNext() else { return .returns }
                let name = try call.string(1)
                guard !name.isEmpty else { throw LuaFault("a scenario needs a name", kind: "usage") }
                let hasOptions = call.kind(2) != .function
                // The options, which may hold thousands of rows, were read when the scenarios were listed.
                let readsOptions = hasOptions && !script.declarations.isSelecting
                try script.declarations.declare(
                    name, line: call.position?.line ?? 0, options: readsOptions ? try call.object(2) : [:],
                    body: try call.function(hasOptions ? 3 : 2)
                ) { (options) throws(ScriptMistake) in try script.files.rows(options) }
                return .returns
            },
            HostFunction(DeclarationBlocks.question, parameters: ["scenario", "count"]) { (call) throws(LuaFault) in
                let script = try call.script()
                let count = Int(try call.integer(2))
                guard !script.isPlaying, case .reference(let function) = call.value(1),
                    function.hostName == "scenario"
                else {
                    // Whatever the script has put in its place wants to be called.
                    call.push(true)
                    return .returns
                }
                call.push(script.declarations.wantsAny(ofNext: count))
                return .returns
            },
            HostFunction("workload", parameters: ["shape"]) { (call) throws(LuaFault) in
                let script = try call.script()
                try Self.requireLoading(script, "workload")
                try script.declarations.declareWorkload(.object(try call.object(1)), line: call.position?.line ?? 0)
                return .returns
            },
            HostFunction("fixture", parameters: ["name", "options", "body"]) { (call) throws(LuaFault) in
                let script = try call.script()
                try Self.requireLoading(script, "fixture")
                let name = try call.string(1)
                guard !name.isEmpty else { throw LuaFault("a fixture needs a name", kind: "usage") }
                let hasOptions = !call.isNil(3)
                let table = hasOptions ? try call.object(2) : [:]
                let options = try asFault { () throws(ScriptMistake) in
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

    /// Those that the prelude builds on.
    static var functions: [HostFunction] {
        [
            HostFunction("group_begin", parameters: ["name"]) { (call) throws(LuaFault) in
                let script = try call.script()
                try Self.requireLoading(script, "group")
                script.declarations.beginGroup(try call.string(1))
                return .returns
            },
            HostFunction("group_end") { (call) throws(LuaFault) in
                let script = try call.script()
                script.declarations.endGroup()
                return .returns
            },
            HostFunction("hook", parameters: ["kind", "function"]) { (call) throws(LuaFault) in
                let script = try call.script()
                let name = try call.string(1)
                try Self.requireLoading(script, name)
                guard let kind = HookKind(rawValue: name), call.kind(2) == .function else {
                    throw LuaFault("\(name) takes a function", kind: "argument")
                }
                script.declarations.addHook(kind, try call.function(2), line: call.position?.line ?? 0)
                return .returns
            },
        ]
    }

    /// Checks that the file is being loaded.
    ///
    /// - Throws: A mistake if a scenario plays.
    private static func requireLoading(_ script: Script, _ name: String) throws(LuaFault) {
        guard !script.isPlaying else {
            throw LuaFault(
                "\(name) declares; call it at the top of a file or in a group, not while a scenario plays",
                kind: "usage")
        }
    }
}
