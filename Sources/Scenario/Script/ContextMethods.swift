import JSON
import LuaRuntime
import Machines
import RunRecord

/// The test context that hooks and bodies get: `t`.
enum ContextMethods {
    /// Returns it as a script sees it.
    static func value(of script: Script) -> LuaValue {
        let type = script.engine.handleType("t") {
            LuaHandleDeclaration(
                name: "t", methods: self.all.map { ($0.name.replacing("t:", with: ""), $0) },
                member: self.member, text: { _ in "t" })
        }
        return .handle(script.contextObject, type)
    }

    private static var member: HostFunction {
        HostFunction("t", parameters: ["member"]) { (call) throws(HostError) in
            let script = try call.script()
            let execution = try script.playing("t")
            let name = try call.string(1)
            switch name {
            case "name": call.push(execution.definition.title)
            case "shared": call.push(SharedMembers(execution.shared.values).value(in: script))
            case "seed": call.push(String(execution.seed))
            case "row": call.push(execution.definition.row.map { script.value(of: $0) } ?? .nil)
            case "target": call.push(execution.destination.name)
            case "target_url": call.push(execution.destination.url.map { .string($0) } ?? LuaValue.nil)
            case "clock": call.push(execution.settings.isVirtual ? "virtual" : "real")
            case "user":
                script.pushUser(of: execution, &call)
                call.keepMember()
            case "stopping": call.push(execution.slot?.isStopping ?? false)
            case "persona": call.push(script.engine.persona.map(LuaValue.reference) ?? .nil)
            default:
                let known = LanguageReference.testContext.map(\.name) + LanguageReference.testContextFields.map(\.name)
                throw HostError.usage(
                    UnknownMember.text(
                        name, of: "t", among: known, isListed: false, instead: ContextHint.instead(of: name, in: script)
                    ))
            }
            return .returns
        }
    }

    /// The methods of `t`.
    static var all: [HostFunction] {
        FixtureMethods.all + RuleMethods.all + self.startingMethods + [
            NetworkMethod.function,
            HostFunction("t:skip", parameters: ["reason"]) { (call) throws(HostError) in
                try call.requireContext()
                let reason = try SaidText.ifGiven(1, in: call)
                if let reason { try asFault { () throws(UsageError) in try GivenReason.require(reason, "t:skip") } }
                throw HostError(ScenarioFailure.skipped(reason ?? "skipped by the scenario"))
            },
            HostFunction("t:fail", parameters: ["message"]) { (call) throws(HostError) in
                try call.requireContext()
                throw HostError(
                    ScenarioFailure(
                        category: .failure, kind: .fail, message: try SaidText.of(1, in: call),
                        position: call.scriptPosition
                    ))
            },
            HostFunction("t:attach", parameters: ["name", "bytes", "type"]) { (call) throws(HostError) in
                let script = try call.script()
                try call.requireContext()
                let execution = try script.playing("t:attach")
                let (name, bytes, type) = (try call.string(1), try call.bytes(2), try call.optionalString(3))
                try asFault { () throws(UsageError) in try execution.attach(bytes, named: name, type: type) }
                return .returns
            },
            HostFunction("t:allow", parameters: ["what", "fields"]) { (call) throws(HostError) in
                let script = try call.script()
                try call.requireContext()
                let execution = try script.playing("t:allow")
                let names = try call.wanted(1, of: script)
                let fields = try call.wanted(2, of: script)
                for name in names.array ?? [names] {
                    var reader = script.expressions
                    let matcher = try asFault { () throws(UsageError) in
                        try reader.event(name.string ?? name.description, fields: fields.isNull ? nil : fields)
                    }
                    execution.allow(matcher, at: call.scriptPosition)
                }
                return .returns
            },
        ]
    }

    /// Those that bring servers and actors into the scenario.
    private static var startingMethods: [HostFunction] {
        [
            HostFunction("t:server", parameters: ["system", "options"], suspends: true) {
                (call) throws(HostError) in
                let script = try call.script()
                try call.requireContext()
                if let own = LuaSystemArgument.ownSystem(1, of: call) {
                    return try LuaActorMethods.startServer(own, &call, of: script)
                }
                let system = try Self.system(of: call, script)
                let keptBefore = script.functions.total
                let options = try Self.options(
                    of: call, script, ServerSpecification.parameters(of: system.server.options))
                var wish = try asFault { () throws(UsageError) in
                    try ServerSpecification(options, own: system.server.options)
                }
                wish.passesFunctions = script.functions.total > keptBefore
                let execution = try script.playing("t:server")
                return try script.suspend(&call, "a simulated server") { (resume) throws(HostError) in
                    try ServerStarter(execution: execution).start(system, wish) { outcome in
                        resume(outcome.map { ServerMethods.value(of: $0, in: script) })
                    }
                    return {}
                }
            },
            HostFunction("t:actor", parameters: ["system", "options"], suspends: true) {
                (call) throws(HostError) in
                let script = try call.script()
                try call.requireContext()
                if let own = LuaSystemArgument.ownSystem(1, of: call) {
                    return try LuaActorMethods.makeClient(own, &call, of: script)
                }
                let system = try Self.system(of: call, script)
                var options = try Self.options(
                    of: call, script, ActorTarget.parameters(of: system.client.options))
                let server = try Self.server(in: call, of: script)
                let place = try asFault { () throws(UsageError) in
                    try ActorTarget(taking: &options, own: system.client.options, server: server)
                }
                let execution = try script.playing("t:actor")
                return try script.suspend(&call, "an actor") { [options] (resume) throws(HostError) in
                    try ActorMaker(execution: execution).startClient(system, at: place, options: options) { outcome in
                        resume(outcome.map { ActorMethods.value(of: $0, system, in: script) })
                    }
                    return {}
                }
            },
        ]
    }

    /// Returns the server that stands as `server` in the options of a call, if there is one.
    static func server(in call: borrowing LuaCall, of script: Script) throws(HostError) -> (any ScenarioServer)? {
        guard call.kind(2) == .table, let makers = script.engine.luaSystems else { return nil }
        let member = try script.callMaker(makers.member, [call.value(2), .string("server")]).first
        guard case .handle(let object, _)? = member else { return nil }
        return (object as? ServerHandle)?.server
    }

    /// The first argument, which is a system that is built in.
    private static func system(of call: borrowing LuaCall, _ script: Script) throws(HostError) -> ChatSystem {
        switch call.value(1) {
        case .boolean(true):
            throw HostError.argument(
                "\(call.name) takes a system first, not true, which require gives for a module that returns nothing: "
                    + "end the module with return, as in return S")
        case .handle(let object, _):
            guard let server = (object as? ServerHandle)?.server else {
                throw HostError.argument(
                    "\(call.name) takes a system first, and this is \(object is Actor ? "an actor" : "none")")
            }
            throw HostError.argument(
                "\(call.name) takes a system first, and this is a server; t:actor(\(server.system.name), { server = … }) "
                    + "connects to one")
        default: break
        }
        // A table of functions, such as a module that forgets what system made, is no JSON.
        let isTable = call.kind(1) == .table
        let value = isTable ? (try? call.json(1)) ?? .null : try call.json(1)
        guard let name = value[ScriptFiles.systemKey]?.string ?? value.string,
            let system = script.settings.systems[name]
        else {
            throw HostError.argument(
                "\(call.name) takes a system first: what require \"boldchat\" returned"
                    + (isTable ? "; this is a table, and a chat of one's own is what system { … } returned" : ""))
        }
        return system
    }

    private static func options(
        of call: borrowing LuaCall, _ script: Script, _ parameters: [ParameterDeclaration]
    ) throws(HostError) -> JSONObject {
        let (name, value) = (call.name, try call.json(2, keeping: script))
        guard let table = value.isNull ? [:] : value.object else {
            throw HostError.argument("\(name) takes its options as a table, not \(value)")
        }
        let options = try asFault { () throws(UsageError) in
            try ArgumentChecker(call: name, vault: script.settings.vault).record(table, parameters)
        }
        script.functions.noteResults(in: options, parameters)
        return options
    }
}

extension LuaCall {
    /// Checks that a method of `t` was called with a colon, for `t.skip "…"` would skip without its reason.
    func requireContext() throws(HostError) {
        _ = try self.receiver(ofTypeNamed: "t")
    }
}
