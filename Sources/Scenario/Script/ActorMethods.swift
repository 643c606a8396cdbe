import JSON
import LuaRuntime
import Machines
import RunRecord
import Secrets

/// The actors of a scenario, as objects of scripts.
enum ActorMethods {
    /// Returns a client as scripts see it.
    static func value(of actor: Actor, _ system: ChatSystem, in script: Script) -> LuaValue {
        .handle(
            actor,
            self.type(
                "\(system.name)", methods: system.client.methods, properties: system.client.properties, in: script))
    }

    /// Returns the type of actors with these methods and properties.
    static func type(
        _ key: String, methods: [MethodDeclaration], properties: [PropertyDeclaration] = [], in script: Script
    ) -> LuaHandleType {
        script.engine.handleType(key) {
            let own = methods.map { method in (method.name, self.command(CommandMethod(method), of: key)) }
            let common = ExpectationMethods.all(of: key)
            return LuaHandleDeclaration(
                name: key, methods: own + common,
                member: self.member(
                    key, methods: own.map(\.0) + common.map(\.0) + ["never"], properties: properties.map(\.name)
                ) { object, name in .now(.done((object as? Actor)?.backend?.properties[name] ?? .null)) },
                text: { ($0 as? Actor)?.name ?? key },
                members: { self.members(of: $0, among: properties.map(\.name)) })
        }
    }

    /// The method by which scripts give actors of a type a command.
    private static func command(_ method: CommandMethod, of key: String) -> HostFunction {
        HostFunction(
            "\(key):\(method.declaration.name)", parameters: method.declaration.parameters.map(\.name), suspends: true,
            isVariadic: true
        ) { (call) throws(HostError) in
            let script = try call.script()
            let actor = try call.actor(key)
            let command = try CommandCall.command(method, call, by: actor, of: script)
            return try CommandCall.perform(&call, command, by: actor, method, of: script)
        }
    }

    /// What `pairs` goes through: the name of an actor, and the properties that it has at the moment.
    private static func members(of object: AnyObject, among properties: [String]) -> JSONObject {
        guard let actor = object as? Actor else { return [:] }
        let values = actor.backend?.properties ?? [:]
        var members: JSONObject = [:]
        for name in properties {
            if let value = values[name], !value.isNull { members[name] = value }
        }
        members["name"] = .string(actor.name)
        return members
    }

    /// Serves what is not a method: the properties that are declared, and a hint at what was meant for all else.
    static func member(
        _ key: String, methods: [String], properties declared: [String],
        value: @escaping (AnyObject, String) -> CommandReply?
    ) -> HostFunction {
        let names = Set(declared)
        return HostFunction(key, parameters: ["member"]) { (call) throws(HostError) in
            let script = try call.script()
            let name = try call.string(1)
            let object = try call.receiver(ofTypeNamed: key)
            if name == "never", object is Actor, let never = script.engine.never {
                call.push(LuaValue.reference(never))
            } else if name == "name", let actor = object as? Actor {
                call.push(actor.name)
            } else if names.contains(name) {
                return try Self.read(name, of: key, &call, in: script, from: value(object, name))
            } else if name == "url", let server = (object as? ServerHandle)?.server {
                call.push(server.origin)
            } else {
                throw HostError(unknownMember: name, of: key, in: script, among: methods + declared)
            }
            return .returns
        }
    }

    /// Gives a script the value of a property, for which it may have to wait.
    private static func read(
        _ name: String, of key: String, _ call: inout LuaCall, in script: Script, from reply: CommandReply?
    ) throws(HostError) -> HostVerdict {
        let text = CallName(receiver: key, function: name)
        let value = { CommandCall.value($0, of: text, missing: { .notOffered($0, at: nil) }) }
        switch reply {
        case .now(let outcome)?:
            if name == "cookies", case .done(let cookies) = outcome { script.settings.vault.add(cookies: cookies) }
            call.push(try value(outcome).get())
            return .returns
        case .later(let send)?:
            try call.requireSuspendable()
            return try script.suspend(&call, text.description) { resume in
                send { resume(value($0)) }
                return {}
            }
        case nil:
            call.push(LuaValue.nil)
            return .returns
        }
    }
}

extension LuaCall {
    /// Returns the actor that a method was called on.
    func actor(_ key: String) throws(HostError) -> Actor {
        guard let actor = try self.receiver(ofTypeNamed: key) as? Actor else {
            throw HostError.argument("\(self.name) is called on an actor")
        }
        return actor
    }
}

extension HostError {
    /// Makes the fault for a member that an object does not have.
    ///
    /// - Parameters:
    ///   - key: What the object is called.
    ///   - known: The members that it has; those that begin with @ belong to the engine and are told to nobody.
    init(unknownMember name: String, of key: String, in script: Script, among known: [String]) {
        self = .usage(
            UnknownMember.text(
                name, of: key, among: known.filter { !$0.hasPrefix("@") }.sorted(),
                instead: MemberOwners(in: script).instead(of: name, isContext: false)))
    }
}
