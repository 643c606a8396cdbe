import JSON
import LuaRuntime
import Machines
import RunRecord

/// What the handlers and commands of a simulated server in Lua ask for.
enum LuaServerLibrary {
    /// All functions.
    static var functions: [HostFunction] {
        self.peerFunctions + self.requestFunctions + self.deskFunctions + self.commandFunctions
    }

    /// Those by which handlers answer on WebSockets and links.
    private static var peerFunctions: [HostFunction] {
        [
            HostFunction("peer_send", calledAs: "client:send", adding: 2, parameters: ["server", "client", "text"]) {
                (call) throws(HostError) in
                let server = try LuaSystemArgument.server(of: call)
                let arguments: JSONObject = [
                    "client": .integer(try call.integer(2)), "text": .string(try call.string(3)),
                ]
                call.push(try server.done(Command("send", arguments), "client:send"))
                return .returns
            },
            HostFunction(
                "peer_send_bytes", calledAs: "client:send_bytes", adding: 2, parameters: ["server", "client", "bytes"]
            ) { (call) throws(HostError) in
                let server = try LuaSystemArgument.server(of: call)
                let arguments: JSONObject = [
                    "client": .integer(try call.integer(2)), "base64": .string(Base64.encode(try call.bytes(3))),
                ]
                call.push(try server.done(Command("send_bytes", arguments), "client:send_bytes"))
                return .returns
            },
            HostFunction(
                "peer_close", calledAs: "client:close", adding: 2, parameters: ["server", "client", "code", "reason"]
            ) { (call) throws(HostError) in
                let server = try LuaSystemArgument.server(of: call)
                let command = try Command(closing: "client", by: call)
                call.push(try server.done(command, "client:close"))
                return .returns
            },
            HostFunction(
                "peer_start_tls", calledAs: "client:start_tls", adding: 3, parameters: ["server", "client", "heard"]
            ) { (call) throws(HostError) in
                let server = try LuaSystemArgument.server(of: call)
                guard server.isInMemory else {
                    throw HostError.usage(
                        "client:start_tls: a simulated server has no certificate to show, so that it can begin TLS in "
                            + "virtual time alone, where none is needed; over sockets let a real server do it")
                }
                let arguments: JSONObject = [
                    "client": .integer(try call.integer(2)), "heard": .integer(try call.integer(3)),
                ]
                call.push(try server.done(Command("start_tls", arguments), "client:start_tls"))
                return .returns
            },
            HostFunction("peer_drop", calledAs: "client:drop", adding: 2, parameters: ["server", "client"]) {
                (call) throws(HostError) in
                let server = try LuaSystemArgument.server(of: call)
                call.push(try server.done(Command("drop", ["client": .integer(try call.integer(2))]), "client:drop"))
                return .returns
            },
        ]
    }

    /// Those by which they answer requests.
    private static var requestFunctions: [HostFunction] {
        [
            HostFunction("not_begun", calledAs: "request:write") { (call) throws(HostError) in
                throw HostError.usage("request:write goes on with an answer; request:begin begins it")
            },
            HostFunction("check_answer", parameters: ["server", "handler", "answer", "more", "begun", "body"]) {
                (call) throws(HostError) in
                let server = try LuaSystemArgument.server(of: call)
                let handler = try call.string(2)
                let name = "\(server.luaSystem.declaration.name).server.\(handler)"
                do throws(HostError) { try Self.checkAnswer(of: name, isOfUpgrade: handler == "upgrade", call) } catch {
                    let told = error.told(
                        of: "\(name): what it returns", insteadOf: "check_answer: argument 3 (answer)")
                    throw told.placed(at: call.reference(6), called: name)
                }
                return .returns
            },
            HostFunction(
                "request_begin", calledAs: "request:begin", adding: 2, parameters: ["server", "number", "head"]
            ) { (call) throws(HostError) in
                let server = try LuaSystemArgument.server(of: call)
                let name = "request:begin"
                let members = MemberTable(call: name, declared: OwnSystemReference.headMembers, member: "member")
                var head = try members.read(3, of: call)
                try ScriptedReply.check(head, as: .head, name)
                head["request"] = .integer(try call.integer(2))
                call.push(try server.done(Command("begin", head), name))
                return .returns
            },
            HostFunction(
                "request_write", calledAs: "request:write", adding: 2, parameters: ["server", "number", "text"]
            ) { (call) throws(HostError) in
                let server = try LuaSystemArgument.server(of: call)
                let members: JSONObject = [
                    "request": .integer(try call.integer(2)), "text": .string(try call.string(3)),
                ]
                call.push(try server.done(Command("write", members), "request:write"))
                return .returns
            },
            HostFunction("request_drop", calledAs: "request:drop", adding: 2, parameters: ["server", "number"]) {
                (call) throws(HostError) in
                let server = try LuaSystemArgument.server(of: call)
                let members: JSONObject = ["request": .integer(try call.integer(2))]
                call.push(try server.done(Command("drop_request", members), "request:drop"))
                return .returns
            },
        ]
    }

    /// Those that set timers, and tell parties and the scenario of something.
    private static var deskFunctions: [HostFunction] {
        [
            HostFunction("server_cancel", calledAs: "desk:cancel", adding: 1, parameters: ["server", "name"]) {
                (call) throws(HostError) in
                let server = try LuaSystemArgument.server(of: call)
                call.push(try server.done(Command("cancel", ["name": .string(try call.string(2))]), "desk:cancel"))
                return .returns
            },
            HostFunction("server_after", calledAs: "desk:after", adding: 1, parameters: ["server", "name", "delay"]) {
                (call) throws(HostError) in
                let server = try LuaSystemArgument.server(of: call)
                call.push(try server.done(try Command(settingTimerBy: call, "desk:after"), "desk:after"))
                return .returns
            },
            HostFunction(
                "server_emit", calledAs: "emit", adding: 2, parameters: ["server", "party", "kind", "fields", "raw"]
            ) {
                (call) throws(HostError) in
                let server = try LuaSystemArgument.server(of: call)
                let party = try call.string(2)
                guard let kind = server.kind(of: party) else {
                    throw HostError.usage(
                        "emit: nobody is \"\(party)\""
                            + TextDistance.hint(
                                party, among: server.partyNames,
                                otherwise: "a party comes by what the scenario calls it: desk:agent \"Sam\""))
                }
                let declaration = server.luaSystem.declaration
                let event = try EmittedEvent.read(
                    call, at: 3, "emit", of: "\(declaration.name).parties.\(kind)",
                    among: declaration.parties.first { $0.name == kind }?.events ?? [])
                var arguments: JSONObject = [
                    "party": .string(party), "kind": .string(event.kind.rawValue), "fields": .object(event.fields),
                ]
                arguments["raw"] = event.raw
                call.push(try server.done(Command("emit", arguments), "emit"))
                return .returns
            },
            HostFunction(
                "party_fails_with", calledAs: "party:fail", adding: 2, parameters: ["server", "party", "text"]
            ) { (call) throws(HostError) in
                let server = try LuaSystemArgument.server(of: call)
                var failure = server.lacks(try call.string(3), by: try call.string(2), at: call.scriptPosition)
                failure.kind = .gaveUp
                failure.sections += server.refusals
                throw HostError(failure).raised(in: try call.script().execution?.threads.current)
            },
            HostFunction("unhandled_by_server", parameters: ["server", "kind"]) { (call) throws(HostError) in
                let server = try LuaSystemArgument.server(of: call)
                let kind = try call.string(2)
                throw HostError.usage(
                    "\(server.title) got something for its handler "
                        + "\"\(kind)\", but there is none; write function \(server.luaSystem.declaration.name).server.\(kind)"
                )
            },
        ]
    }

    /// Those that take in calls of commands.
    private static var commandFunctions: [HostFunction] {
        [
            HostFunction("begin_party", parameters: ["actor", "kind", "name"], isVariadic: true) {
                (call) throws(HostError) in
                let script = try call.script()
                guard case .handle(let object, _) = call.value(1), let actor = object as? Actor,
                    let backend = actor.backend as? LuaPartyBackend
                else { throw HostError.argument("this needs the party it is called on: write a colon") }
                let name = try call.string(3)
                let command = backend.luaSystem.command(name, in: .party(try call.string(2)))
                guard let party = backend.party else { throw HostError.usage("the party is not there") }
                (backend.server as? LuaServer)?.beginsCommand()
                try LuaCommandCall.begin(
                    &call, name, command, by: actor, receiver: party, argumentsFrom: 4, of: script)
                return .returns
            },
            HostFunction("begin_server_command", parameters: ["server", "name"], isVariadic: true) {
                (call) throws(HostError) in
                let script = try call.script()
                let server = try LuaSystemArgument.server(of: call)
                let name = try call.string(2)
                try LuaCommandCall.begin(&call, name, of: server, in: script)
                return .returns
            },
        ]
    }

    /// Makes sure that what a handler has returned is an answer: argument 3, and 4 what came beside it.
    private static func checkAnswer(
        of name: String, isOfUpgrade: Bool, _ call: borrowing LuaCall
    ) throws(HostError) {
        guard call.isNil(5) || call.isNil(3) else {
            throw HostError.usage(
                "\(name) has begun the answer with request:begin, so what it returns beside would be lost")
        }
        guard call.isNil(4) else {
            throw HostError.usage(
                "\(name) returns one value, such as { status = 404, body = \"…\" }, not several")
        }
        guard call.kind(3) == .table else {
            return try ScriptedReply.check(try call.json(3), ofUpgrade: isOfUpgrade, name)
        }
        let members = MemberTable(call: name, declared: OwnSystemReference.answerMembers, member: "member")
        try ScriptedReply.check(try members.read(3, of: call), as: .whole, name)
    }
}

extension LuaServer {
    /// Does what a handler asks for at once.
    func done(_ command: Command, _ name: String) throws(HostError) -> JSONValue {
        try self.perform(command, by: nil).value(of: name)
    }
}
