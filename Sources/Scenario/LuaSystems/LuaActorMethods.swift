import JSON
import LuaRuntime
import Machines
import Secrets

/// The actors and servers of systems in Lua, as objects of scripts.
enum LuaActorMethods {
    /// What every actor has beside its methods.
    private static let sharedMembers = ["never", "name"]

    /// Gives the script one of the members that every actor has.
    ///
    /// - Returns: Whether it is one.
    private static func push(
        shared name: String, of actor: Actor, _ call: inout LuaCall, in script: Script
    ) -> Bool {
        switch name {
        case "never":
            guard let never = script.engine.never else { return false }
            call.push(LuaValue.reference(never))
        case "name": call.push(actor.name)
        default: return false
        }
        return true
    }

    /// Returns a client of a system in Lua as scenarios see it: its commands, its properties, and what every actor has.
    static func value(of actor: Actor, _ luaSystem: LuaSystem, in script: Script) -> LuaValue {
        let key = "\(luaSystem.declaration.name) client"
        return .handle(
            actor,
            script.engine.handleType(key) {
                let common = ExpectationMethods.all(of: key)
                let member = HostFunction(key, parameters: ["member"]) { (call) throws(HostError) in
                    let script = try call.script()
                    let name = try call.string(1)
                    guard let actor = try call.receiver(ofTypeNamed: key) as? Actor,
                        let backend = actor.backend as? LuaClientBackend
                    else { throw HostError.usage("the client is not there yet") }
                    let system = backend.system
                    if Self.push(shared: name, of: actor, &call, in: script) { return .returns }
                    if let method = try system.method(name, in: .commands, of: script) {
                        call.push(LuaValue.reference(method))
                        call.keepMember()
                    } else if let value = try backend.property(name) {
                        call.push(value)
                    } else {
                        throw HostError(
                            unknownMember: name, of: key, in: script,
                            among: system.commandNames(in: .commands) + system.declaration.properties.map(\.name)
                                + common.map(\.0) + Self.sharedMembers)
                    }
                    return .returns
                }
                return LuaHandleDeclaration(
                    name: key, methods: common, member: member, text: { ($0 as? Actor)?.name ?? key })
            })
    }

    /// Returns a simulated server of a system in Lua as scenarios see it.
    static func value(of server: any LuaSystemServer, in script: Script) -> LuaValue {
        let key = "\(server.luaSystem.declaration.name) server"
        return .handle(
            script.handle(of: server),
            script.engine.handleType(key) {
                let member = HostFunction(key, parameters: ["member"]) { (call) throws(HostError) in
                    let script = try call.script()
                    let name = try call.string(1)
                    guard let handle = try call.receiver(ofTypeNamed: key) as? ServerHandle,
                        let server = handle.server as? any LuaSystemServer
                    else { throw HostError.usage("the server has ended") }
                    let system = server.luaSystem
                    if system.declaration.parties.contains(where: { $0.name == name }) {
                        call.push(LuaValue.function(script.engine.partyFunction(name)))
                    } else if server is DistantLuaServer, system.command(name, in: .serverCommands) != nil {
                        call.push(LuaValue.function(script.engine.askingFunction(name, in: .serverCommands)))
                    } else if let method = try system.method(name, in: .serverCommands, of: script) {
                        call.push(LuaValue.reference(method))
                        call.keepMember()
                    } else if let value = server.properties[name] {
                        call.push(value)
                    } else {
                        throw HostError(
                            unknownMember: name, of: key, in: script,
                            among: system.declaration.parties.map(\.name)
                                + system.commandNames(in: .serverCommands) + server.properties.names)
                    }
                    return .returns
                }
                return LuaHandleDeclaration(name: key, methods: [], member: member, text: { _ in key })
            })
    }

    /// Returns a party of a server in Lua as scenarios see it.
    static func value(of actor: Actor, party: String, of luaSystem: LuaSystem, in script: Script) -> LuaValue {
        let key = "\(luaSystem.declaration.name) \(party)"
        return .handle(
            actor,
            script.engine.handleType(key) {
                let common = ExpectationMethods.all(of: key)
                let member = HostFunction(key, parameters: ["member"]) { (call) throws(HostError) in
                    let script = try call.script()
                    let name = try call.string(1)
                    guard let actor = try call.receiver(ofTypeNamed: key) as? Actor,
                        let backend = actor.backend as? LuaPartyBackend
                    else { throw HostError.usage("the party is not there yet") }
                    let system = backend.luaSystem
                    if Self.push(shared: name, of: actor, &call, in: script) { return .returns }
                    if backend.party == nil, system.command(name, in: .party(party)) != nil {
                        call.push(LuaValue.function(script.engine.askingFunction(name, in: .party(party))))
                    } else if let method = try system.method(name, in: .party(party), of: script) {
                        call.push(LuaValue.reference(method))
                        call.keepMember()
                    } else {
                        throw HostError(
                            unknownMember: name, of: key, in: script,
                            among: system.commandNames(in: .party(party)) + common.map(\.0) + Self.sharedMembers)
                    }
                    return .returns
                }
                return LuaHandleDeclaration(
                    name: key, methods: common, member: member, text: { ($0 as? Actor)?.name ?? key })
            })
    }

    /// Returns the server of a system in Lua that a scenario asks for.
    static func startServer(
        _ system: LuaSystem, _ call: inout LuaCall, of script: Script
    ) throws(HostError) -> HostVerdict {
        let own = system.declaration.serverOptions
        let (options, passesFunctions) = try self.options(
            of: call, "t:server", ServerSpecification.parameters(of: own), declaredBy: "server_options")
        var wish = try asFault { () throws(UsageError) in try ServerSpecification(options, own: own) }
        wish.passesFunctions = passesFunctions
        wish.given = call.value(2)
        let execution = try script.playing("t:server")
        return try script.suspend(&call, "a simulated server") { (resume) throws(HostError) in
            try LuaServerStarter(execution: execution).start(system, wish, of: script) { outcome in
                resume(outcome.map { self.value(of: $0, in: script) })
            }
            return {}
        }
    }

    /// Returns the client of a system in Lua that a scenario asks for.
    static func makeClient(
        _ system: LuaSystem, _ call: inout LuaCall, of script: Script
    ) throws(HostError) -> HostVerdict {
        let own = system.declaration.options
        var (options, _) = try self.options(
            of: call, "t:actor", ActorTarget.parameters(of: own), declaredBy: "options")
        let server = try ContextMethods.server(in: call, of: script)
        let place = try asFault { () throws(UsageError) in
            try ActorTarget(taking: &options, own: own, server: server)
        }
        let given = call.value(2)
        let execution = try script.playing("t:actor")
        return try script.suspend(&call, "an actor") { (resume) throws(HostError) in
            try LuaActorMaker(execution: execution).makeClient(
                system, at: place, options: options, given: given, of: script
            ) { outcome in
                resume(outcome.map { self.value(of: $0, system, in: script) })
            }
            return {}
        }
    }

    /// Returns the options of a call, checked, and whether there are functions or actors among them.
    ///
    /// - Parameter member: The member of `system { … }` that declares those of the system.
    private static func options(
        of call: borrowing LuaCall, _ name: String, _ parameters: [ParameterDeclaration], declaredBy member: String
    ) throws(HostError) -> (options: JSONObject, passesFunctions: Bool) {
        guard call.isNil(2) || call.kind(2) == .table else {
            throw HostError.argument("\(name) takes its options as a table")
        }
        // Functions and actors reach the system as they are; what is checked is that they are meant to be there.
        var passesFunctions = false
        let value = try call.json(2) { (value) throws(HostError) in
            passesFunctions = true
            return if case .handle = value { .object([:]) } else { PassedFunction(number: 1).json }
        }
        let table = value.object ?? [:]
        let vault = try call.script().settings.vault
        let options = try asFault { () throws(UsageError) in
            let known = parameters.map(\.name)
            for (option, _) in table where !known.contains(option) {
                throw LuaSystemDeclaration.unknownOption(option, of: name, as: "option", among: known, in: member)
            }
            for parameter in parameters {
                try self.checkFunctions(in: table[parameter.name], of: parameter, name, declaredBy: member)
            }
            return try ArgumentChecker(call: name, vault: vault).record(table, parameters)
        }
        for parameter in parameters where parameter.type == .actor {
            guard let value = options[parameter.name], try !self.isActor(parameter.name, in: call) else { continue }
            throw HostError.usage(
                "\(name): \(parameter.name) is an actor, not \(vault.masked(value).description.shortened(to: 60))")
        }
        return (options, passesFunctions)
    }

    /// Whether what the options of a call have under a name is an actor, which is told by no JSON.
    private static func isActor(_ name: String, in call: borrowing LuaCall) throws(HostError) -> Bool {
        let script = try call.script()
        guard let makers = script.engine.luaSystems,
            case .handle(let object, _)? = try script.callMaker(makers.member, [call.value(2), .string(name)]).first
        else { return false }
        return object is Actor
    }

    /// Says how an option is declared that takes functions, where one got some that takes only values.
    private static func checkFunctions(
        in value: JSONValue?, of parameter: ParameterDeclaration, _ name: String, declaredBy member: String
    ) throws(UsageError) {
        guard let value, PassedFunction.stands(in: value) else { return }
        switch parameter.type {
        case .json, .map(.json), .list(.json):
            throw UsageError(
                "\(name): \(parameter.name) takes no function unless \(member) declares it as \"function\", or as "
                    + "\"functions\" for a table of them by name")
        case .map(.function) where value.array != nil:
            throw UsageError("\(name): \(parameter.name) is a table of functions by name, not a list")
        default: return
        }
    }
}

extension ScriptEngine {
    /// Returns the function that gives a party of a server in Lua: `desk:agent "Sam"`.
    func partyFunction(_ kind: String) -> HostSlot {
        if let slot = self.partyFunctions[kind] { return slot }
        let slot = self.state.register(
            HostFunction("server:\(kind)", adding: 1, parameters: ["server", "name"]) { (call) throws(HostError) in
                let script = try call.script()
                let server = try LuaSystemArgument.anyServer(of: call)
                let name = try call.string(2)
                let maker = LuaActorMaker(execution: try script.playing(kind))
                let actor = try maker.party(kind, named: name, of: server, script: script)
                call.push(LuaActorMethods.value(of: actor, party: kind, of: server.luaSystem, in: script))
                return .returns
            })
        self.partyFunctions[kind] = slot
        return slot
    }

    /// Returns the function that asks the script of a server in Lua to run a command of it or of a party.
    func askingFunction(_ name: String, in part: LuaSystem.Part) -> HostSlot {
        let key = "\(part.text):\(name)"
        if let slot = self.askingFunctions[key] { return slot }
        let slot = self.state.register(
            HostFunction(name, parameters: ["receiver"], suspends: true, isVariadic: true) { (call) throws(HostError) in
                let script = try call.script()
                if case .party = part {
                    guard case .handle(let object, _) = call.value(1), let actor = object as? Actor,
                        let backend = actor.backend as? LuaPartyBackend,
                        let method = backend.luaSystem.declaration(of: name, in: part)
                    else { throw HostError.argument("this needs the party it is called on: write a colon") }
                    let command = try Command(method, of: actor.name, from: call)
                    return try CommandCall.perform(&call, command, by: actor, CommandMethod(method), of: script)
                }
                let server = try LuaSystemArgument.anyServer(of: call)
                guard let method = server.luaSystem.declaration(of: name, in: part) else {
                    throw HostError.usage("the server has no \(name)")
                }
                let command = try Command(method, of: "server", from: call)
                let begun = try CommandCall.begin(
                    command, CommandMethod(method), call, of: script, in: try script.playing(call.name))
                return try begun.finish(&call, with: server.perform(begun.command, by: nil), of: script)
            })
        self.askingFunctions[key] = slot
        return slot
    }
}

extension Command {
    /// Creates the command that a call of a method is, whose arguments stand after the receiver; where none are
    /// declared they are numbered.
    fileprivate init(
        _ method: MethodDeclaration, of receiver: String, from call: borrowing LuaCall
    ) throws(HostError) {
        var values: [JSONValue] = []
        for place in 2..<max(2, call.count + 1) { values.append(try call.json(place)) }
        guard !method.parameters.isEmpty else {
            let numbered = values.enumerated().map { ("\($0.offset + 1)", $0.element) }
            self.init(method.name, JSONObject(numbered))
            return
        }
        self.init(
            method.name,
            try asFault { () throws(UsageError) in
                try ArgumentChecker(call: CallName(receiver: receiver, function: method.name))
                    .named(values, method.parameters)
            })
    }
}
