import JSON
import LuaRuntime
import Machines
import RunRecord
import Secrets
import Transport

/// What the handlers and commands of a client in Lua ask for.
enum LuaClientLibrary {
    /// All functions.
    static var functions: [HostFunction] { self.linkFunctions + self.reportFunctions + self.clientFunctions }

    private static var linkFunctions: [HostFunction] {
        [
            HostFunction("client_open", calledAs: "me:open", adding: 1, parameters: ["client", "options"]) {
                (call) throws(HostError) in
                let (_, backend) = try LuaSystemArgument.client(of: call)
                let options = try MemberTable(call: "me:open", declared: OwnSystemReference.linkOptions).read(
                    2, of: call)
                call.push(try backend.open(options))
                return .returns
            },
            HostFunction("link_send", calledAs: "link:send", adding: 2, parameters: ["link", "number", "text"]) {
                (call) throws(HostError) in
                let (_, backend) = try LuaSystemArgument.client(of: call)
                let command = Command(
                    "send", ["link": .integer(try call.integer(2)), "text": .string(try call.string(3))])
                call.push(try backend.send(command, "link:send"))
                return .returns
            },
            HostFunction(
                "link_send_bytes", calledAs: "link:send_bytes", adding: 2, parameters: ["link", "number", "bytes"]
            ) { (call) throws(HostError) in
                let (_, backend) = try LuaSystemArgument.client(of: call)
                let bytes = Base64.encode(try call.bytes(3))
                let command = Command("send_bytes", ["link": .integer(try call.integer(2)), "base64": .string(bytes)])
                call.push(try backend.send(command, "link:send_bytes"))
                return .returns
            },
            HostFunction(
                "link_close", calledAs: "link:close", adding: 2, parameters: ["link", "number", "code", "reason"]
            ) { (call) throws(HostError) in
                let (_, backend) = try LuaSystemArgument.client(of: call)
                let command = try Command(closing: "link", by: call)
                call.push(try backend.done(command, "link:close"))
                return .returns
            },
            HostFunction(
                "link_start_tls", calledAs: "link:start_tls", adding: 3, parameters: ["link", "number", "heard"]
            ) { (call) throws(HostError) in
                let (_, backend) = try LuaSystemArgument.client(of: call)
                let arguments: JSONObject = [
                    "link": .integer(try call.integer(2)), "heard": .integer(try call.integer(3)),
                ]
                call.push(try backend.done(Command("start_tls", arguments), "link:start_tls"))
                return .returns
            },
            HostFunction("link_drop", calledAs: "link:drop", adding: 2, parameters: ["link", "number"]) {
                (call) throws(HostError) in
                let (_, backend) = try LuaSystemArgument.client(of: call)
                call.push(try backend.done(Command("drop", ["link": .integer(try call.integer(2))]), "link:drop"))
                return .returns
            },
        ]
    }

    /// Those by which a client tells the scenario of something, or fails it.
    private static var reportFunctions: [HostFunction] {
        [
            HostFunction(
                "client_emit", calledAs: "me:emit", adding: 1, parameters: ["client", "kind", "fields", "raw"]
            ) { (call) throws(HostError) in
                let (actor, backend) = try LuaSystemArgument.client(of: call)
                let event = try EmittedEvent.read(
                    call, at: 2, of: backend.system, isRecorded: actor.execution.isRecorded)
                backend.arrivals.broughtEvent(in: actor.execution.threads.current?.number)
                actor.observe(backend.system.completed(event))
                return .returns
            },
            HostFunction("client_fails", parameters: ["client", "handler", "kind", "failure"]) {
                (call) throws(HostError) in
                let (actor, backend) = try LuaSystemArgument.client(of: call)
                let declaration = backend.system.declaration
                let handler = try call.string(2)
                do {
                    actor.observe(
                        try EmittedEvent.read(call, at: 3, "error", of: declaration.name, among: declaration.events))
                } catch {
                    let failure = try call.object(4)["message"]?.string ?? "a connection failed"
                    let name = declaration.name
                    let remedy =
                        handler == "pieces"
                        ? "take the second value of answer:read()" : "write function \(name).on.\(handler)(me, …)"
                    throw HostError.usage(
                        "\(actor.name): \(failure); the event \"error\" of \(name) cannot say so, for it has other "
                            + "fields than code and message: \(remedy)")
                }
                return .returns
            },
            HostFunction("client_fails_with", calledAs: "me:fail", adding: 1, parameters: ["client", "text"]) {
                (call) throws(HostError) in
                let (actor, backend) = try LuaSystemArgument.client(of: call)
                var failure = actor.lacks("\(actor.name): \(try call.string(2))", at: call.scriptPosition)
                failure.kind = .gaveUp
                failure.sections += backend.arrivals.refused()
                throw HostError(failure).raised(in: actor.execution.threads.current)
            },
            HostFunction("unhandled", parameters: ["client", "kind"]) { (call) throws(HostError) in
                let (actor, backend) = try LuaSystemArgument.client(of: call)
                let kind = try call.string(2)
                throw HostError.usage(
                    "\(actor.name) got \(Self.arrivals[kind] ?? kind), but \(backend.system.declaration.name).on has no "
                        + "handler \"\(kind)\"; write function \(backend.system.declaration.name).on.\(kind)(me, …)")
            },
            HostFunction("client_lost", parameters: ["client", "ending"]) { (call) throws(HostError) in
                let (actor, backend) = try LuaSystemArgument.client(of: call)
                let execution = actor.execution
                let time = backend.ending.map {
                    " \((execution.now - execution.instant(of: $0.at)).roundedText) before"
                }
                let why = Self.reasonForEnd(of: actor).map { "\($0); " } ?? ""
                throw HostError(
                    actor.lacks(
                        "\(actor.name): \(why)what it sent is lost, for the connection had ended\(time ?? ""): \(try call.string(2))",
                        at: call.scriptPosition
                    ).told(as: .disconnected))
            },
        ]
    }

    /// What the server has said before a connection ended: the first error that nothing expected, unless that tells of
    /// the end alone.
    private static func reasonForEnd(of actor: Actor) -> String? {
        guard let first = actor.log.leftovers.first(where: { $0.event.kind == .error }),
            first.event.fields["code"]?.string != "closed"
        else { return nil }
        return actor.cause(from: 0, groups: actor.execution.slot != nil)?.text
    }

    /// Those that are about the client itself, and what its messages are made of.
    private static var clientFunctions: [HostFunction] {
        [
            HostFunction("client_cookies", calledAs: "me:cookies", adding: 1, parameters: ["client"]) {
                (call) throws(HostError) in
                let (_, backend) = try LuaSystemArgument.client(of: call)
                try call.script().settings.vault.add(cookies: backend.cookies)
                call.push(backend.cookies)
                return .returns
            },
            HostFunction("client_after", calledAs: "me:after", adding: 1, parameters: ["client", "name", "delay"]) {
                (call) throws(HostError) in
                let (_, backend) = try LuaSystemArgument.client(of: call)
                call.push(try backend.done(try Command(settingTimerBy: call, "me:after"), "me:after"))
                return .returns
            },
            HostFunction("client_cancel", calledAs: "me:cancel", adding: 1, parameters: ["client", "name"]) {
                (call) throws(HostError) in
                let (_, backend) = try LuaSystemArgument.client(of: call)
                call.push(try backend.done(Command("cancel", ["name": .string(try call.string(2))]), "me:cancel"))
                return .returns
            },
            HostFunction("begin_command", parameters: ["actor", "name"], isVariadic: true) { (call) throws(HostError) in
                let script = try call.script()
                // Behind a dot the first argument stands where the client does, which the prelude puts before the name.
                let name = try call.string(2)
                let (actor, backend) = try LuaSystemArgument.client(of: call, asIn: "actor:\(name)")
                guard let me = backend.me else { throw HostError.usage("the client is not there any more") }
                backend.arrivals.commanded()
                try LuaCommandCall.begin(
                    &call, name, backend.system.command(name, in: .commands), by: actor, receiver: me,
                    argumentsFrom: 3, of: script)
                return .returns
            },
            HostFunction("encode", calledAs: "send_json", parameters: ["value"]) { (call) throws(HostError) in
                call.push(try call.jsonText(1))
                return .returns
            },
            HostFunction("decode", parameters: ["base64"]) { (call) throws(HostError) in
                call.push(Base64.decode(try call.string(1)) ?? [])
                return .returns
            },
        ]
    }

    private static let arrivals = ["text": "a text", "bytes": "a binary message", "timer": "the end of a timer"]
}

extension ActorBackend {
    /// Does what a handler asks for at once.
    func done(_ command: Command, _ name: String) throws(HostError) -> JSONValue {
        try self.reply(to: command).value(of: name)
    }
}

extension CommandReply {
    /// Returns what came of something that a handler asked for.
    func value(of name: String) throws(HostError) -> JSONValue {
        switch self {
        case .now(.done(let value)): return value
        case .now(.refused(let text)): throw HostError.usage("\(name): \(text)")
        // What the other side has brought about is no mistake of the handler's.
        case .now(.notOffered(let text)): throw HostError("\(name): \(text)", kind: ProblemKind.notOffered.rawValue)
        case .now(.disconnected(let text)): throw HostError("\(name): \(text)", kind: ProblemKind.disconnected.rawValue)
        case .now(.failed(let text, let kind)): throw HostError("\(name): \(text)", kind: kind)
        case .later: return .null
        }
    }
}
