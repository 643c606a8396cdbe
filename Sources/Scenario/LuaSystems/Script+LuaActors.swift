import JSON
import LuaRuntime
import Machines

extension Script {
    /// Returns a client of a system in Lua as scenarios see it: its commands, its properties, and what every actor has.
    func value(of actor: Actor, luaSystem: LuaSystem) -> LuaValue {
        let key = "\(luaSystem.declaration.name) client"
        return .handle(
            actor,
            self.engine.handleType(key) {
                let common = self.expectationMethods(key)
                let member = HostFunction(key, parameters: ["member"]) { (call) throws(LuaFault) in
                    let script = try call.script()
                    let name = try call.string(1)
                    guard let actor = try call.receiver(ofTypeNamed: key) as? Actor,
                        let backend = actor.backend as? LuaClientBackend
                    else { throw LuaFault("the client is not there yet", kind: "usage") }
                    let system = backend.system
                    if name == "never", let never = script.engine.never {
                        call.push(LuaValue.reference(never))
                    } else if name == "name" {
                        call.push(actor.name)
                    } else if let method = try system.method(name, in: .commands, of: script) {
                        call.push(LuaValue.reference(method))
                    } else if let value = try backend.property(name) {
                        call.push(value)
                    } else {
                        throw Self.unknownMember(
                            name, of: key,
                            among: system.commandNames(in: .commands) + system.declaration.properties.map(\.name)
                                + common.map(\.0) + ["never", "name"])
                    }
                    return .returns
                }
                return LuaHandleDeclaration(
                    name: key, methods: common, member: member, text: { ($0 as? Actor)?.name ?? key })
            })
    }

    /// Returns a simulated server of a system in Lua as scenarios see it.
    func value(of server: LuaServer) -> LuaValue {
        let key = "\(server.luaSystem.declaration.name) server"
        return .handle(
            self.handle(of: server),
            self.engine.handleType(key) {
                let member = HostFunction(key, parameters: ["member"]) { (call) throws(LuaFault) in
                    let script = try call.script()
                    let name = try call.string(1)
                    guard let handle = try call.receiver(ofTypeNamed: key) as? ServerHandle,
                        let server = handle.server as? LuaServer
                    else { throw LuaFault("the server has ended", kind: "usage") }
                    let system = server.luaSystem
                    if system.declaration.parties.contains(where: { $0.name == name }) {
                        call.push(LuaValue.function(script.engine.partyFunction(name)))
                    } else if let method = try system.method(name, in: .serverCommands, of: script) {
                        call.push(LuaValue.reference(method))
                    } else if let value = server.properties[name] {
                        call.push(value)
                    } else {
                        throw Self.unknownMember(
                            name, of: key,
                            among: system.declaration.parties.map(\.name)
                                + system.commandNames(in: .serverCommands) + server.properties.names)
                    }
                    return .returns
                }
                return LuaHandleDeclaration(name: key, methods: [], member: member, text: { _ in key })
            })
    }

    /// Returns a party of a server in Lua as scenarios see it.
    func value(of actor: Actor, party: String, of luaSystem: LuaSystem) -> LuaValue {
        let key = "\(luaSystem.declaration.name) \(party)"
        return .handle(
            actor,
            self.engine.handleType(key) {
                let common = self.expectationMethods(key)
                let member = HostFunction(key, parameters: ["member"]) { (call) throws(LuaFault) in
                    let script = try call.script()
                    let name = try call.string(1)
                    guard let actor = try call.receiver(ofTypeNamed: key) as? Actor,
                        let backend = actor.backend as? LuaPartyBackend
                    else { throw LuaFault("the party is not there yet", kind: "usage") }
                    let system = backend.luaServer.luaSystem
                    if name == "never", let never = script.engine.never {
                        call.push(LuaValue.reference(never))
                    } else if name == "name" {
                        call.push(actor.name)
                    } else if let method = try system.method(name, in: .party(party), of: script) {
                        call.push(LuaValue.reference(method))
                    } else {
                        throw Self.unknownMember(
                            name, of: key,
                            among: system.commandNames(in: .party(party)) + common.map(\.0) + ["never", "name"])
                    }
                    return .returns
                }
                return LuaHandleDeclaration(
                    name: key, methods: common, member: member, text: { ($0 as? Actor)?.name ?? key })
            })
    }

    /// Makes the fault for a member that there is not.
    private static func unknownMember(_ name: String, of key: String, among known: [String]) -> LuaFault {
        let suggestion = TextDistance.suggestion(for: name, among: known)
        return LuaFault(
            "\(key) has no \"\(name)\""
                + (suggestion.map { "; did you mean \"\($0)\"?" }
                    ?? "; it has \(known.sorted().joined(separator: ", "))"),
            kind: "usage")
    }

    /// Returns the server of a system in Lua that a scenario asks for.
    func startServer(_ system: LuaSystem, _ call: inout LuaCall) throws(LuaFault) -> HostVerdict {
        let options = try self.luaOptions(of: call, "t:server", system.declaration.serverOptions)
        let server = try self.playing("t:server").startServer(
            system, options: options, given: call.value(2), of: self)
        call.push(self.value(of: server))
        return .returns
    }

    /// Returns the client of a system in Lua that a scenario asks for.
    func makeClient(_ system: LuaSystem, _ call: inout LuaCall) throws(LuaFault) -> HostVerdict {
        let hasName = system.declaration.options.contains { $0.name == "name" }
        let parameters = system.declaration.options + (hasName ? [] : [Self.nameOption])
        let options = try self.luaOptions(of: call, "t:actor", parameters)
        let actor = try self.playing("t:actor").makeClient(system, options: options, given: call.value(2), of: self)
        call.push(self.value(of: actor, luaSystem: system))
        return .returns
    }

    private func luaOptions(
        of call: borrowing LuaCall, _ name: String, _ parameters: [ParameterDeclaration]
    ) throws(LuaFault) -> JSONObject {
        guard call.isNil(2) || call.kind(2) == .table else {
            throw LuaFault("\(name) takes its options as a table", kind: "argument")
        }
        // Functions and actors reach the system as they are; what is checked is that they are meant to be there.
        let value = try call.json(2) { (value) throws(LuaFault) in
            if case .handle = value { .object([:]) } else { PassedFunction(number: 1).json }
        }
        let table = value.object ?? [:]
        return try asFault { () throws(ScriptMistake) in try ArgumentChecker(call: name).record(table, parameters) }
    }
}

extension ScriptEngine {
    /// Returns the function that gives a party of a server in Lua: `desk:agent "Sam"`.
    func partyFunction(_ kind: String) -> HostSlot {
        if let slot = self.partyFunctions[kind] { return slot }
        let slot = self.state.register(
            HostFunction("server:\(kind)", parameters: ["server", "name"]) { (call) throws(LuaFault) in
                let script = try call.script()
                let server = try call.luaServer(1)
                let name = try call.string(2)
                let actor = try script.playing(kind).party(kind, named: name, of: server, script: script)
                call.push(script.value(of: actor, party: kind, of: server.luaSystem))
                return .returns
            })
        self.partyFunctions[kind] = slot
        return slot
    }
}
