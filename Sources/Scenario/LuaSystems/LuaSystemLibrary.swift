import JSON
import LuaRuntime
import Machines
import RunRecord

/// What declares a chat system: the functions behind `system`.
enum LuaSystemLibrary {
    /// All of them.
    static var functions: [HostFunction] { self.declarations + self.complaints }

    /// Those that take in what a script declares.
    private static var declarations: [HostFunction] {
        [
            HostFunction("declare_system", parameters: ["declaration", "base"], errorsAreFinal: true) {
                (call) throws(HostError) in
                let script = try call.script()
                guard call.kind(1) == .table else {
                    throw HostError.argument(
                        "system takes a table: system { name = \"support\", events = { … } }")
                }
                let base = LuaSystemArgument.ownSystem(2, of: call)
                guard base != nil || call.isNil(2) else { throw HostError(LuaSystemDeclaration.noBase) }
                let members = MemberTable(call: "system", declared: LuaSystemDeclaration.members, member: "member")
                guard let table = try members.given(1, of: call).object else {
                    throw call.argumentFault(1, expected: "a table of named fields")
                }
                let declaration = try asFault { () throws(UsageError) in
                    try LuaSystemDeclaration(
                        base.map { LuaSystemExtension.table(table, extending: $0.declaration.table) } ?? table,
                        reserved: script.settings.systems.keys)
                }
                let position = call.scriptPosition
                let source = script.files.source(of: declaration.name, declaredIn: position?.file)
                let isPlaying = script.execution?.threads.current != nil
                let system = LuaSystem(
                    script.engine.outline(of: declaration), extending: base, from: source,
                    isShipped: source.module == nil
                        && position?.file == ShippedSystems.fileName(of: declaration.name),
                    isDeclaredInPlay: isPlaying && source.module == nil)
                try script.declarations.declare(system, at: isPlaying ? nil : position)
                call.push(system, as: script.luaSystemType)
                call.push(LuaValue.list(declaration.parties.map { .string($0.name) }))
                call.push(declaration.json != nil)
                call.push(declaration.json?.separator)
                return .returns
            },
            HostFunction(
                "complete_system", parameters: ["system", "commands", "handlers", "server", "parties", "json"]
            ) { (call) throws(HostError) in
                let system = try LuaSystemArgument.system(of: call)
                system.parts = LuaSystem.Parts(
                    commands: call.reference(2), handlers: call.reference(3), server: call.reference(4),
                    parties: call.reference(5), messages: call.reference(6))
                return .returns
            },
            HostFunction(
                "declare_function",
                parameters: ["system", "part", "name", "body", "options", "earlier", "inherited"],
                errorsAreFinal: true
            ) { (call) throws(HostError) in
                let system = try LuaSystemArgument.system(of: call)
                let path = try call.string(2)
                guard call.kind(3) == .string else {
                    let remedy =
                        ["json", "server.json"].contains(path)
                        ? "; a kind that is a number is its text, such as [\"1\"]" : ""
                    throw HostError.argument("\(system.declaration.name).\(path) has members with names\(remedy)")
                }
                let name = try call.string(3)
                guard call.kind(4) == .function else {
                    throw HostError.argument(
                        "\(system.declaration.name).\(path).\(name) is a function, or a table with the function first: "
                            + "{ sends = \"text\", function(me, text) … end }")
                }
                if !call.isNil(7) {
                    let place = "\(system.declaration.name).\(path).\(name)"
                    throw HostError.usage(
                        "\(place) would take the place of the handler by which the system that is extended speaks; read "
                            + "that first, and call it: local \(name) = \(place)")
                }
                let options = try call.object(5)
                // What another file puts in the place of a module's own is meant so, as a server of its own for a test.
                if !call.isNil(6), let first = call.reference(6).definition,
                    first.file == call.reference(4).definition?.file
                {
                    let earlier = " (\(first))"
                    throw HostError.usage(
                        "\(system.declaration.name).\(path).\(name) is declared twice, and this one would take the place of "
                            + "the first\(earlier); let one of them do it all, or read the first one and call it")
                }
                let part = LuaSystem.Part(path)
                let names = call.reference(4).parameterNames
                try asFault { () throws(UsageError) in
                    try system.declare(name, in: part, options, taking: names)
                }
                return .returns
            },
        ]
    }

    /// Those that the prelude asks what to say of what is not there.
    private static var complaints: [HostFunction] {
        [
            HostFunction("missing", parameters: ["kind", "name"]) { (call) throws(HostError) in
                let kind = try call.string(1)
                let known = OwnSystemReference.members(of: kind)
                if kind == "answer", call.kind(2) == .string,
                    let member = OwnSystemReference.streamMembers[call.text(2)]
                {
                    throw HostError.usage(
                        "\(member) is of an answer that comes in pieces: ask for it with stream = true")
                }
                if call.kind(2) == .string, !known.contains(call.text(2)),
                    let meant = TextDistance.suggestion(for: call.text(2), among: known)
                {
                    throw HostError.usage(
                        "\(kind).\(call.text(2)) is not there; did you mean \"\(meant)\"?")
                }
                return .returns
            },
            HostFunction("no_option", parameters: ["system", "role", "name"]) { (call) throws(HostError) in
                let declaration = try LuaSystemArgument.system(of: call).declaration
                let isClient = try call.string(2) == "client"
                let declared = isClient ? declaration.options : declaration.serverOptions
                let name = call.text(3)
                // What is declared and was not given is nil.
                guard !declared.contains(where: { $0.name == name }) else { return .returns }
                throw HostError(
                    LuaSystemDeclaration.unknownOption(
                        name, of: isClient ? "me.options" : "desk.options", among: declared.map(\.name),
                        in: isClient ? "options" : "server_options"))
            },
            HostFunction("no_member", parameters: ["system", "role", "kind", "name"]) { (call) throws(HostError) in
                let declaration = try LuaSystemArgument.system(of: call).declaration
                let json = declaration.json
                let messages = try call.string(2) == "client" ? json?.fromServer : json?.fromClients
                guard call.kind(4) == .string, let slip = messages?.slip(for: call.text(4), in: try call.string(3))
                else { return .returns }
                throw HostError.usage(slip)
            },
            HostFunction("no_functions", parameters: ["system", "part", "value"], errorsAreFinal: true) {
                (call) throws(HostError) in
                let system = try LuaSystemArgument.system(of: call)
                throw HostError.argument(
                    "\(system.declaration.name).\(try call.string(2)) is a table of functions by their names, not "
                        + call.kind(3).rawValue)
            },
            HostFunction(
                "unknown_part", parameters: ["system", "part", "name", "members"], errorsAreFinal: true
            ) { (call) throws(HostError) in
                let system = try LuaSystemArgument.system(of: call)
                let name = call.text(3)
                let known = system.declaration.parties.map(\.name)
                throw HostError.usage(
                    "\(system.declaration.name) declares no party \"\(name)\""
                        + TextDistance.hint(
                            name, among: known,
                            otherwise: "name it in system { parties = { \(name) = { events = { … } } } }"))
            },
        ]
    }
}
