import JSON
import LuaRuntime
import Machines
import RunRecord
import Transport

extension Script {
    /// `t:network`.
    static var networkMethod: HostFunction {
        HostFunction("t:network", parameters: ["conditions", "actor"]) { (call) throws(LuaFault) in
            let script = try call.script()
            try script.requireContext(call)
            let play = try script.playing("t:network")
            guard call.kind(1) == .table, case let table = try call.json(1),
                let members = table.object ?? (table.array?.isEmpty == true ? [:] : nil)
            else {
                throw LuaFault(
                    "t:network takes a table such as { latency = \"50ms\" }, and then the client whose network it is, "
                        + "not \(call.text(1))", kind: "argument")
            }
            let conditions = try asFault { () throws(ScriptMistake) in
                try NetworkConditions(checking: members, of: "t:network")
            }
            let actor = try Self.client(of: call, in: play)
            play.changeNetwork(to: conditions, of: actor, saying: members, line: call.scriptPosition?.line)
            return .returns
        }
    }

    private static func client(of call: borrowing LuaCall, in play: ScenarioPlay) throws(LuaFault) -> Actor? {
        guard !call.isNil(2) else { return nil }
        guard call.kind(2) == .handle, case .handle(let object, _) = call.value(2), let actor = object as? Actor else {
            throw LuaFault(
                "t:network takes a client of the scenario after the conditions, not \(call.text(2))", kind: "argument")
        }
        guard play.clientNetwork.has(actor.name) else {
            throw LuaFault(
                "\(actor.name) is a party of the server and has no network of its own; name a client, or nobody for all",
                kind: "usage")
        }
        return actor
    }
}

extension ScenarioPlay {
    /// Changes the network of one client or of all, and notes it in the record and on the axis of a load test.
    func changeNetwork(to conditions: NetworkConditions, of actor: Actor?, saying members: JSONObject, line: Int?) {
        var arguments = members
        if let actor { arguments["actor"] = .string(actor.name) }
        self.record(.commanded(actor: "t", name: "network", arguments: arguments, line: line))
        let whose = actor.map { " of \($0.name)" } ?? ""
        let text = conditions.description.isEmpty ? "healed" : conditions.description
        self.observer?.marks("t:network\(whose) \(text)", at: self.worker.now)
        self.clientNetwork.change(to: conditions, of: actor?.name, at: self.now)
    }
}

// MARK: - Injected faults

extension ScenarioPlay {
    /// How much longer expectations wait in a play with an injected fault: a client that recovers may take its time,
    /// and is to be told from one that never does.
    var recoveryTime: Duration { self.clientNetwork.injector?.fault == nil ? .zero : .seconds(120) }

    /// Notes in the record that a fault strikes.
    func struck(by fault: InjectedFault?, at point: FaultPoint) {
        guard let fault else { return }
        let text =
            "fault \(fault): \(fault.kind.summary) (\(point.isSent ? "sent" : "received"): \(point.summary))"
        self.record(.logged(level: .warning, text: text))
    }

    /// Notes in the record that a fault has struck nothing, if there is one that has not.
    func noteMissedFault() {
        guard let injector = self.clientNetwork.injector, let fault = injector.fault, injector.struckAt == nil else {
            return
        }
        self.record(
            .logged(
                level: .warning,
                text: "fault \(fault) strikes nothing: there is no such point, or it makes no sense there"))
    }
}
