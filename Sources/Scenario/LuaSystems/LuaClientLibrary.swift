import JSON
import LuaRuntime
import Machines
import RunRecord
import Secrets
import Transport

/// What the handlers and commands of a client in Lua ask for.
enum LuaClientLibrary {
    /// All functions.
    static var functions: [HostFunction] { self.linkFunctions + self.clientFunctions }

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
                let command = Command("close", try Self.closing("link", of: call))
                call.push(try backend.done(command, "link:close"))
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

    private static var clientFunctions: [HostFunction] {
        [
            HostFunction(
                "client_emit", calledAs: "me:emit", adding: 1, parameters: ["client", "kind", "fields", "raw"]
            ) { (call) throws(HostError) in
                let (actor, backend) = try LuaSystemArgument.client(of: call)
                let event = try EmittedEvent.read(
                    call, at: 2, "me:emit", of: backend.system.declaration.name,
                    among: backend.system.declaration.events)
                backend.arrivals.broughtEvent(in: actor.execution.threads.current?.number)
                actor.observe(event)
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
                failure.sections += backend.arrivals.refused()
                throw HostError(failure).raised(in: actor.execution.threads.current)
            },
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
                call.push(try backend.done(try Self.timer("me:after", of: call), "me:after"))
                return .returns
            },
            HostFunction("client_cancel", calledAs: "me:cancel", adding: 1, parameters: ["client", "name"]) {
                (call) throws(HostError) in
                let (_, backend) = try LuaSystemArgument.client(of: call)
                call.push(try backend.done(Command("cancel", ["name": .string(try call.string(2))]), "me:cancel"))
                return .returns
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
                throw HostError(
                    actor.lacks(
                        "\(actor.name): what it sent is lost, for the connection had ended\(time ?? ""): \(try call.string(2))",
                        at: call.scriptPosition))
            },
            HostFunction("begin_command", parameters: ["actor", "name"], isVariadic: true) { (call) throws(HostError) in
                let script = try call.script()
                // Behind a dot the first argument stands where the client does, which the prelude puts before the name.
                let name = try call.string(2)
                let (actor, backend) = try LuaSystemArgument.client(of: call, asIn: "actor:\(name)")
                guard let me = backend.me else { throw HostError.usage("the client is not there any more") }
                backend.arrivals.commanded()
                try Self.begin(
                    &call, name, backend.system.command(name, in: .commands), by: actor, receiver: me, of: script)
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

    /// Returns the arguments of a command that closes a connection.
    ///
    /// - Parameter member: What the number of the connection is called.
    static func closing(_ member: String, of call: borrowing LuaCall) throws(HostError) -> JSONObject {
        var arguments: JSONObject = [member: .integer(try call.integer(2))]
        if !call.isNil(3) { arguments["code"] = try call.json(3) }
        if !call.isNil(4) { arguments["reason"] = try call.json(4) }
        return arguments
    }

    /// Returns the command that sets a timer.
    static func timer(_ name: String, of call: borrowing LuaCall) throws(HostError) -> Command {
        let timer = try call.string(2)
        guard let delay = ArgumentChecker.duration(try call.json(3)), delay >= .zero else {
            throw HostError.argument(
                "\(name) takes a name and a duration, such as \(name)(\"silence\", \"45s\")")
        }
        let seconds = Double(delay.clampedNanoseconds) / 1_000_000_000
        return Command("after", ["name": .string(timer), "delay": .double(seconds)])
    }

    private static let arrivals = ["text": "a text", "bytes": "a binary message", "timer": "the end of a timer"]

    /// Returns an argument for the record: bytes that are no text as `�xFF`, what is no JSON by its kind.
    static func shown(_ number: Int, of call: borrowing LuaCall) -> JSONValue {
        switch call.kind(number) {
        case .function, .handle, .thread: return .string(call.text(number))
        default: return (try? call.json(number, sentByPeer: true)) ?? .string(call.kind(number).rawValue)
        }
    }

    /// Takes in a call of a command that a system in Lua declares: checks and records it, and gives the function of the
    /// script what it gets.
    ///
    /// - Parameters:
    ///   - name: The command; its arguments follow it.
    ///   - receiver: The table that the function gets first.
    static func begin(
        _ call: inout LuaCall, _ name: String, _ command: LuaCommand?, by actor: Actor, receiver: LuaReference,
        firstArgument: Int = 3, of script: Script
    ) throws(HostError) {
        let execution = try script.playing(name)
        let count = max(0, call.count - firstArgument + 1)
        var values: [JSONValue] = []
        // What is passed on as it is, only a record and a transcript look at.
        if command?.parameters != nil || execution.remembersConversation {
            for index in 0..<count { values.append(Self.shown(firstArgument + index, of: call)) }
        }
        var arguments = JSONObject()
        let callName = CallName(receiver: actor.name, function: name)
        try asFault { () throws(UsageError) in
            try command?.checkCount(count, isNil: { call.isNil(firstArgument + $0) }, of: callName)
        }
        if let parameters = command?.parameters {
            arguments = try asFault { () throws(UsageError) in
                try CommandArguments.checked(values, from: firstArgument, of: call, parameters, callName)
            }
        } else {
            for (index, value) in values.enumerated() { arguments["\(index + 1)"] = value }
        }
        var sent = Command(name, arguments)
        actor.commanded(sent)
        execution.threads.current?.command = (actor.place, name, call.scriptPosition)
        execution.record(
            .commanded(actor: actor.name, name: name, arguments: arguments, line: call.scriptPosition?.line))
        let sentPlace = command?.sends.flatMap { sends in command?.parameters?.firstIndex { $0.name == sends } }
        // Bytes that are no text go out as they are, without an envelope.
        let text = sentPlace.flatMap { (try? call.string(firstArgument + $0)) == nil ? nil : command?.sends }
        let takeBack = execution.observer?.commands(
            actor, &sent, sending: text.map { SentText(argument: $0) }, at: execution.worker.poolNow)
        if let takeBack { actor.textsUnderWay.begin(takeBack) }
        call.push(LuaValue.reference(receiver))
        for index in 0..<count {
            if index == sentPlace, let text = text.flatMap({ sent.arguments[$0]?.string }) {
                call.push(text)
            } else {
                call.pushArgument(firstArgument + index)
            }
        }
    }
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
        case .later: return .null
        }
    }
}
