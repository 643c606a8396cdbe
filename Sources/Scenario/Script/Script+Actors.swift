import JSON
import LuaRuntime
import Machines
import RunRecord
import Secrets

extension Script {
    /// Returns a client as scripts see it.
    func value(of actor: Actor, system: ChatSystem) -> LuaValue {
        .handle(actor, self.actorType("\(system.name)", methods: system.clientMethods))
    }

    /// Returns a server as scripts see it.
    func value(of server: any ScenarioServer) -> LuaValue {
        let system = server.system
        let type = self.engine.handleType("\(system.name) server") {
            let parties = system.parties.map { party in
                (
                    party.name,
                    HostFunction("\(system.name) server:\(party.name)", parameters: ["name"]) {
                        (call) throws(LuaFault) in
                        let script = try call.script()
                        let server = try script.server(of: call, system)
                        let name = try call.string(1)
                        let actor = try script.playing(party.name).party(party, named: name, of: server)
                        call.push(
                            LuaValue.handle(
                                actor, script.actorType("\(system.name) \(party.name)", methods: party.methods)))
                        return .returns
                    }
                )
            }
            let methods = system.serverMethods.map { method in
                (
                    method.name,
                    HostFunction("server:\(method.name)", parameters: method.parameters.map(\.name), suspends: true) {
                        (call) throws(LuaFault) in
                        let script = try call.script()
                        let server = try script.server(of: call, system)
                        let name = CallName(receiver: "server", function: method.name)
                        let command = try script.command(method, name, call)
                        script.mark(method, name)
                        let position = call.scriptPosition
                        return try script.perform(
                            &call, command, by: "server", method.parameters,
                            missing: { .notOffered($0, at: position) }
                        ) { server.perform($0, by: nil) }
                    }
                )
            }
            return LuaHandleDeclaration(
                name: "\(system.name) server", methods: parties + methods,
                member: self.memberFunction(
                    "\(system.name) server",
                    known: system.serverMethods.map(\.name) + system.parties.map(\.name) + ["url"]
                ) { ($0 as? ServerHandle)?.server.properties },
                text: { _ in "\(system.name) server" })
        }
        return .handle(self.handle(of: server), type)
    }

    private func server(of call: borrowing LuaCall, _ system: ChatSystem) throws(LuaFault) -> any ScenarioServer {
        guard let handle = try call.receiver(ofTypeNamed: "\(system.name) server") as? ServerHandle else {
            throw LuaFault("\(call.name) is called on a server", kind: "argument")
        }
        return handle.server
    }

    private func actorType(_ key: String, methods: [MethodDeclaration]) -> LuaHandleType {
        self.engine.handleType(key) {
            let own = methods.map { method in
                (
                    method.name,
                    HostFunction("\(key):\(method.name)", parameters: method.parameters.map(\.name), suspends: true) {
                        (call) throws(LuaFault) in
                        let script = try call.script()
                        let actor = try script.actor(of: call, key)
                        let name = CallName(receiver: actor.name, function: method.name)
                        let command = try script.command(method, name, call)
                        script.mark(method, name)
                        return try script.perform(&call, command, by: actor, method)
                    }
                )
            }
            let common = self.expectationMethods(key)
            return LuaHandleDeclaration(
                name: key, methods: own + common,
                member: self.memberFunction(key, known: own.map(\.0) + common.map(\.0) + ["never"]) {
                    ($0 as? Actor)?.backend?.properties
                },
                text: { ($0 as? Actor)?.name ?? key })
        }
    }

    /// Returns the actor that a method was called on.
    func actor(of call: borrowing LuaCall, _ key: String) throws(LuaFault) -> Actor {
        guard let actor = try call.receiver(ofTypeNamed: key) as? Actor else {
            throw LuaFault("\(call.name) is called on an actor", kind: "argument")
        }
        return actor
    }

    /// Serves what is not a method: properties of the machine, or a hint at what was meant.
    private func memberFunction(
        _ key: String, known: [String], properties: @escaping (AnyObject) -> JSONObject?
    ) -> HostFunction {
        HostFunction(key, parameters: ["member"]) { (call) throws(LuaFault) in
            let script = try call.script()
            let name = try call.string(1)
            let object = try call.receiver(ofTypeNamed: key)
            if name == "never", object is Actor, let never = script.engine.never {
                call.push(LuaValue.reference(never))
            } else if name == "name", let actor = object as? Actor {
                call.push(actor.name)
            } else if name == "url", let server = (object as? ServerHandle)?.server,
                properties(object)?[name] == nil
            {
                call.push(server.origin)
            } else if let value = properties(object)?[name] {
                if name == "cookies", object is Actor { script.settings.vault.add(cookies: value) }
                call.push(value.isNull ? LuaValue.nil : .json(value))
            } else {
                let all = known + (properties(object)?.names ?? [])
                let suggestion = TextDistance.suggestion(for: name, among: all)
                throw LuaFault(
                    "\(key) has no \"\(name)\"" + (suggestion.map { "; did you mean \"\($0)\"?" } ?? ""), kind: "usage")
            }
            return .returns
        }
    }

    private func command(
        _ method: MethodDeclaration, _ name: CallName, _ call: borrowing LuaCall
    ) throws(LuaFault) -> Command {
        var values: [JSONValue] = []
        values.reserveCapacity(call.count)
        for index in 0..<call.count { values.append(try self.json(index + 1, of: call)) }
        let arguments = try asFault { () throws(ScriptMistake) in
            try ArgumentChecker(call: name, vault: self.settings.vault).arguments(values, method.parameters)
        }
        return Command(method.name, arguments)
    }

    /// Lets a load test know that something is made to fail.
    private func mark(_ method: MethodDeclaration, _ name: CallName) {
        guard method.isFault, let play = self.play else { return }
        play.observer?.marks(name.description, at: play.worker.now)
    }

    /// Gives a command to the machine of an actor and returns its answer to the script.
    ///
    /// - Parameter method: What is declared of it.
    func perform(
        _ call: inout LuaCall, _ command: Command, by actor: Actor, _ method: MethodDeclaration? = nil
    ) throws(LuaFault) -> HostVerdict {
        let play = try self.playing(call.name)
        play.remember(.command(command), by: actor)
        actor.commanded(command.name)
        play.hold(256 + JSONValue.object(command.arguments).weight, for: .commands)
        var command = command
        let text = actor.text(sentBy: command, method)
        play.observer?.commands(play.observed(actor), &command, sending: text, at: play.worker.now)
        let position = call.scriptPosition
        let missing = { (text: String) in actor.lacks(text, position: position) }
        return try self.perform(&call, command, by: actor.name, method?.parameters ?? [], missing: missing) { command in
            switch actor.backend?.perform(command) {
            case .later(let send)?:
                return .later { completion in
                    send { outcome in
                        actor.recordScreen()
                        completion(outcome)
                    }
                }
            case .now(let outcome)?:
                actor.recordScreen()
                return .now(outcome)
            case nil: return .now(.refused("it is not there yet"))
            }
        }
    }

    /// Gives a command to a machine and returns its answer to the script.
    ///
    /// The record has the paths of files, the machine what is in them.
    ///
    /// - Parameters:
    ///   - name: Who is named in the record.
    ///   - parameters: What the method declares.
    ///   - missing: Makes the failure of what the conversation does not offer.
    func perform(
        _ call: inout LuaCall, _ command: Command, by name: String, _ parameters: [ParameterDeclaration],
        missing: @escaping (String) -> ScenarioFailure, _ act: (Command) -> CommandReply
    ) throws(LuaFault) -> HostVerdict {
        try self.playing(call.name).record(
            .commanded(actor: name, name: command.name, arguments: command.arguments, line: self.ownLine(of: call)))
        let callName = CallName(receiver: name, function: command.name)
        let arguments = try self.withFiles(command.arguments, parameters, callName)
        switch act(Command(command.name, arguments)) {
        case .now(let outcome):
            call.push(try Self.value(outcome, of: callName, missing: missing).get())
            return .returns
        case .later(let send):
            return try self.suspend(&call, callName.description) { resume in
                send { resume(Self.value($0, of: callName, missing: missing)) }
                return {}
            }
        }
    }

    private static func value(
        _ outcome: CommandOutcome, of name: CallName, missing: (String) -> ScenarioFailure
    ) -> Result<LuaValue, LuaFault> {
        switch outcome {
        case .done(let value): .success(value.isNull ? .nil : .json(value))
        case .refused(let text): .failure(LuaFault("\(name): \(text)", kind: "usage"))
        case .notOffered(let text): .failure(LuaFault(missing("\(name): \(text)")))
        }
    }
}

extension ScenarioFailure {
    /// The failure of what the conversation does not offer.
    static func notOffered(_ text: String, at position: ScriptPosition?) -> ScenarioFailure {
        ScenarioFailure(category: .failure, typeName: Self.notOfferedType, message: text, position: position)
    }
}

/// A server as an object that scripts can hold.
final class ServerHandle {
    let server: any ScenarioServer

    init(_ server: any ScenarioServer) {
        self.server = server
    }
}
