import JSON
import LuaRuntime
import Machines
import Secrets

/// What clients and simulated servers in Lua make of what arrives, where their messages are JSON of declared kinds.
enum LuaMessageLibrary {
    /// All functions.
    static var functions: [HostFunction] { self.clientFunctions + self.serverFunctions }

    private static var clientFunctions: [HostFunction] {
        [
            HostFunction("client_reads", parameters: ["client", "text"]) { (call) throws(HostError) in
                let (actor, backend) = try LuaSystemArgument.client(of: call)
                guard let messages = backend.system.declaration.json?.fromServer else { return .returns }
                let text = try Self.text(of: call, at: 2)
                guard !text.allSatisfy(\.isJSONSpace) else { return .returns }
                try Self.handOn(&call, to: actor, backend) { vault throws(MessageFault) in
                    try messages.read(text, without: vault)
                }
                return .returns
            },
            HostFunction("client_receives", calledAs: "me:receive", adding: 1, parameters: ["client", "message"]) {
                (call) throws(HostError) in
                let (actor, backend) = try LuaSystemArgument.client(of: call)
                let declaration = backend.system.declaration
                guard let messages = declaration.json?.fromServer else {
                    throw HostError.usage(
                        "me:receive takes a message of JSON, and \(declaration.name) declares none; write system { json = "
                            + "{ from_server = { … }, from_client = {} } }, or me:emit what came")
                }
                guard call.kind(2) != .string else {
                    let text = try Self.text(of: call, at: 2)
                    try Self.handOn(&call, to: actor, backend) { vault throws(MessageFault) in
                        try messages.read(text, without: vault)
                    }
                    return .returns
                }
                switch call.kind(2) {
                // What stands in a list of the server's may be anything that JSON has.
                case .table, .null, .boolean, .integer, .number: break
                default: throw call.argumentFault(2, expected: "a text of JSON, or what it is as a table")
                }
                let value = try call.json(2, sentByPeer: true)
                try Self.handOn(&call, to: actor, backend) { vault throws(MessageFault) in
                    try messages.read(value, without: vault)
                }
                return .returns
            },
            HostFunction("client_heard_half", parameters: ["client", "text"]) { (call) throws(HostError) in
                let (actor, backend) = try LuaSystemArgument.client(of: call)
                try Self.observe(try Self.half(of: call, at: 2), of: call, at: 2, by: actor, backend)
                return .returns
            },
            HostFunction("client_heard_other", parameters: ["client", "what", "message"]) { (call) throws(HostError) in
                let (actor, backend) = try LuaSystemArgument.client(of: call)
                try Self.observe(MessageFault(try call.string(2)), of: call, at: 3, by: actor, backend)
                return .returns
            },
            HostFunction("client_was_refused", parameters: ["client", "reason"]) { (call) throws(HostError) in
                let (actor, backend) = try LuaSystemArgument.client(of: call)
                let execution = actor.execution
                let reason = try call.string(2)
                guard execution.servers.handOnRefusal(with: reason) else { return .returns }
                execution.connections.took(
                    MessageFault(reason), in: "", from: actor.name,
                    at: "the simulated server of \(backend.system.declaration.title)")
                return .returns
            },
        ]
    }

    private static var serverFunctions: [HostFunction] {
        [
            HostFunction("server_reads", parameters: ["server", "client", "text"]) { (call) throws(HostError) in
                let server = try LuaSystemArgument.server(of: call)
                let client = try call.integer(2)
                guard let messages = server.luaSystem.declaration.json?.fromClients else { return .returns }
                let vault = try call.script().settings.vault
                let text = try Self.text(of: call, at: 3)
                guard !text.allSatisfy(\.isJSONSpace) else {
                    // Nothing at all stands for a message that was refused.
                    call.push(false)
                    return .returns
                }
                do throws(MessageFault) {
                    let message = try messages.read(text, without: vault)
                    call.push(message.declaration.kind)
                    call.push(.object(message.forHandler))
                } catch {
                    server.refuse(client, because: error, sent: try Self.shown(3, of: call))
                }
                return .returns
            },
            HostFunction("server_heard_half", parameters: ["server", "client", "text"]) { (call) throws(HostError) in
                let server = try LuaSystemArgument.server(of: call)
                server.refuse(
                    try call.integer(2), because: try Self.half(of: call, at: 3), sent: try Self.shown(3, of: call))
                return .returns
            },
            HostFunction("server_heard_other", parameters: ["server", "client", "what"]) { (call) throws(HostError) in
                let server = try LuaSystemArgument.server(of: call)
                server.refuse(try call.integer(2), because: MessageFault(try call.string(3)), sent: "")
                return .returns
            },
        ]
    }

    /// Reads a message: it is the event of its name, or its kind and what a handler of it gets are returned to the
    /// engine's Lua. What is none is an event, too, for which false is returned.
    private static func handOn(
        _ call: inout LuaCall, to actor: Actor, _ backend: LuaClientBackend,
        _ read: (SecretVault) throws(MessageFault) -> ReadMessage
    ) throws(HostError) {
        let vault = try call.script().settings.vault
        do throws(MessageFault) {
            let message = try read(vault)
            let declaration = message.declaration
            guard !backend.system.has(declaration.kind, in: .messages), let event = declaration.event else {
                call.push(declaration.kind)
                call.push(.object(message.forHandler))
                return
            }
            let observed = try message.event(event, without: vault)
            backend.arrivals.broughtEvent(in: actor.execution.threads.current?.number)
            actor.observe(backend.system.completed(observed))
        } catch {
            try Self.observe(error, of: call, at: 2, by: actor, backend)
            call.push(false)
        }
    }

    /// Returns the bytes of a text, which the script has to pay for as for `json.decode`.
    private static func text(of call: borrowing LuaCall, at number: Int) throws(HostError) -> [UInt8] {
        try call.charge(call.byteCount(number))
        return try call.bytes(number)
    }

    /// What is wrong with a part of a message whose rest cannot come.
    private static func half(of call: borrowing LuaCall, at number: Int) throws(HostError) -> MessageFault {
        MessageFault(
            "a message was never whole: \(call.byteCount(number)) bytes that no separator ends", isUnfinished: true)
    }

    /// What was sent, in reports: bytes of a text that are no UTF-8 as `�xFF`, a table as JSON.
    private static func shown(_ number: Int, of call: borrowing LuaCall) throws(HostError) -> String {
        let value = try call.json(number, sentByPeer: true)
        return value.string ?? value.description
    }

    /// Tells the scenario that something has come that is no message.
    private static func observe(
        _ fault: MessageFault, of call: borrowing LuaCall, at number: Int, by actor: Actor, _ backend: LuaClientBackend
    ) throws(HostError) {
        let declaration = backend.system.declaration.events.first { $0.kind == .error }
        let text = JSONValue.string(try Self.shown(number, of: call))
        backend.arrivals.broughtEvent(in: actor.execution.threads.current?.number)
        actor.observe(ProtocolError.event(fault, of: text, as: declaration))
    }
}
