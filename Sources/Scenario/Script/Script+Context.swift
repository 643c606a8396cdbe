import JSON
import LuaRuntime
import Machines
import RunRecord

extension Script {
    /// The test context that hooks and bodies get: `t`.
    var context: LuaValue {
        let type = self.engine.handleType("t") {
            LuaHandleDeclaration(
                name: "t", methods: self.contextMethods.map { ($0.name.replacing("t:", with: ""), $0) },
                member: self.contextMember, text: { _ in "t" })
        }
        return .handle(self.contextObject, type)
    }

    private var contextMember: HostFunction {
        HostFunction("t", parameters: ["member"]) { (call) throws(LuaFault) in
            let script = try call.script()
            let play = try script.playing("t")
            let name = try call.string(1)
            switch name {
            case "name": call.push(play.definition.title)
            case "shared": call.push(JSONValue.object(play.shared.values))
            case "seed": call.push(String(play.seed))
            case "row": call.push(play.definition.row.map { LuaValue.json($0.value) } ?? .nil)
            case "target": call.push(play.destination.name)
            case "clock": call.push(play.settings.isVirtual ? "virtual" : "real")
            case "user": script.pushUser(of: play, &call)
            case "stopping": call.push(play.seat?.isStopping ?? false)
            default:
                let known = LanguageReference.testContext.map(\.name) + LanguageReference.testContextFields.map(\.name)
                let suggestion = TextDistance.suggestion(for: name, among: known)
                throw LuaFault(
                    "t has no \"\(name)\"" + (suggestion.map { "; did you mean \"\($0)\"?" } ?? ""), kind: "usage")
            }
            return .returns
        }
    }

    /// The methods of `t`.
    var contextMethods: [HostFunction] {
        Self.fixtureMethods + [
            Self.networkMethod,
            HostFunction("t:skip", parameters: ["reason"]) { (call) throws(LuaFault) in
                try call.script().requireContext(call)
                throw LuaFault(ScenarioFailure.skipped(try call.optionalString(1) ?? "skipped by the scenario"))
            },
            HostFunction("t:fail", parameters: ["message"]) { (call) throws(LuaFault) in
                try call.script().requireContext(call)
                throw LuaFault(
                    ScenarioFailure(
                        category: .failure, typeName: "fail", message: try call.string(1), position: call.scriptPosition
                    ))
            },
            HostFunction("t:attach", parameters: ["name", "bytes", "type"]) { (call) throws(LuaFault) in
                let script = try call.script()
                try script.requireContext(call)
                let play = try script.playing("t:attach")
                let (name, bytes, type) = (try call.string(1), try call.bytes(2), try call.optionalString(3))
                try asFault { () throws(ScriptMistake) in try play.attach(bytes, named: name, type: type) }
                return .returns
            },
            HostFunction("t:allow", parameters: ["what", "fields"]) { (call) throws(LuaFault) in
                let script = try call.script()
                try script.requireContext(call)
                let play = try script.playing("t:allow")
                let names = try script.wanted(1, of: call)
                let fields = try script.wanted(2, of: call)
                for name in names.array ?? [names] {
                    var reader = script.expressions
                    let matcher = try asFault { () throws(ScriptMistake) in
                        try reader.event(name.string ?? name.description, fields: fields.isNull ? nil : fields)
                    }
                    play.allow(matcher)
                }
                return .returns
            },
            HostFunction("t:server", parameters: ["system", "options"], suspends: true) {
                (call) throws(LuaFault) in
                let script = try call.script()
                try script.requireContext(call)
                if let own = call.ownSystem(1) { return try script.startServer(own, &call) }
                let system = try script.system(try call.json(1), "t:server")
                let keptBefore = script.functions.count
                let options = try script.options(
                    of: call, "t:server", ServerWish.parameters(of: system.serverOptions))
                var wish = try asFault { () throws(ScriptMistake) in
                    try ServerWish(options, own: system.serverOptions)
                }
                wish.passesFunctions = script.functions.count > keptBefore
                let play = try script.playing("t:server")
                return try script.suspend(&call, "a simulated server") { (resume) throws(LuaFault) in
                    try ServerStarter(play: play).start(system, wish) { outcome in
                        resume(outcome.map { script.value(of: $0) }.mapError { LuaFault($0) })
                    }
                    return {}
                }
            },
            HostFunction("t:actor", parameters: ["system", "options"], suspends: true) {
                (call) throws(LuaFault) in
                let script = try call.script()
                try script.requireContext(call)
                if let own = call.ownSystem(1) { return try script.makeClient(own, &call) }
                let system = try script.system(try call.json(1), "t:actor")
                var options = try script.options(
                    of: call, "t:actor", ActorPlace.parameters(of: system.clientOptions))
                let server = try script.server(in: call)
                let place = try asFault { () throws(ScriptMistake) in
                    try ActorPlace(taking: &options, own: system.clientOptions, server: server)
                }
                let play = try script.playing("t:actor")
                return try script.suspend(&call, "an actor") { [options] (resume) throws(LuaFault) in
                    try ActorMaker(play: play).startClient(system, at: place, options: options) { outcome in
                        resume(outcome.map { script.value(of: $0, system: system) }.mapError { LuaFault($0) })
                    }
                    return {}
                }
            },
        ]
    }

    /// Checks that a method was called with a colon, for `t.skip "…"` would skip without its reason.
    func requireContext(_ call: borrowing LuaCall) throws(LuaFault) {
        _ = try call.receiver(ofTypeNamed: "t")
    }

    /// Returns the server that stands as `server` in the options of a call, if there is one.
    func server(in call: borrowing LuaCall) throws(LuaFault) -> (any ScenarioServer)? {
        guard call.kind(2) == .table, let makers = self.engine.luaSystems else { return nil }
        let member = try self.callMaker(makers.member, [call.value(2), .string("server")]).first
        guard case .handle(let object, _)? = member else { return nil }
        return (object as? ServerHandle)?.server
    }

    private func system(_ value: JSONValue, _ call: String) throws(LuaFault) -> ChatSystem {
        guard let name = value[Self.systemKey]?.string ?? value.string, let system = self.settings.systems[name] else {
            throw LuaFault("\(call) takes a system first: what require \"boldchat\" returned", kind: "argument")
        }
        return system
    }

    private func options(
        of call: borrowing LuaCall, _ name: String, _ parameters: [ParameterDeclaration]
    ) throws(LuaFault) -> JSONObject {
        let value = try self.json(2, of: call)
        guard let table = value.isNull ? [:] : value.object else {
            throw LuaFault("\(name) takes its options as a table, not \(value)", kind: "argument")
        }
        return try asFault { () throws(ScriptMistake) in
            try ArgumentChecker(call: name, vault: self.settings.vault).record(table, parameters)
        }
    }
}

extension PlaySettings.Destination {
    /// The name of the target, as scripts and reports see it.
    var name: String {
        switch self {
        case .embedded: "embedded"
        case .named(let name, _): name
        }
    }
}

extension ScenarioFailure {
    /// The type of what is not a failure but the wish to skip.
    static let skipType = "skip"

    /// The wish of a scenario to be skipped.
    static func skipped(_ reason: String) -> ScenarioFailure {
        ScenarioFailure(category: .error, typeName: Self.skipType, message: reason)
    }
}
