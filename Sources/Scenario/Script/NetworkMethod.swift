import JSON
import LuaRuntime
import Machines
import RunRecord
import Transport

/// `t:network`.
enum NetworkMethod {
    /// The method.
    static var function: HostFunction {
        HostFunction("t:network", parameters: ["conditions", "actor"]) { (call) throws(HostError) in
            let script = try call.script()
            try call.requireContext()
            let execution = try script.playing("t:network")
            guard call.kind(1) == .table,
                case let table = try MemberTable(call: "t:network", declared: NetworkConditions.parameters).given(
                    1, of: call),
                let members = table.object ?? (table.array?.isEmpty == true ? [:] : nil)
            else {
                throw HostError.argument(
                    "t:network takes a table such as { latency = \"50ms\" }, and then the client whose network it is, "
                        + "not \(call.text(1))")
            }
            let conditions = try asFault { () throws(UsageError) in
                try NetworkConditions(checking: members, of: "t:network")
            }
            let actor = try Self.client(of: call, in: execution)
            let position = call.scriptPosition
            let line = script.ownLine(of: call, at: position)
            try asFault { () throws(UsageError) in
                try execution.connections.change(to: conditions, of: actor, saying: members, at: position, line: line)
            }
            return .returns
        }
    }

    private static func client(of call: borrowing LuaCall, in execution: ScenarioExecution) throws(HostError) -> Actor?
    {
        guard !call.isNil(2) else { return nil }
        guard call.kind(2) == .handle, case .handle(let object, _) = call.value(2), let actor = object as? Actor else {
            throw HostError.argument(
                "t:network takes a client of the scenario after the conditions, not \(call.text(2))")
        }
        guard execution.connections.network.has(actor.name) else {
            throw HostError.usage(
                "\(actor.name) is a party of the server and has no network of its own; name a client, or nobody for all"
            )
        }
        return actor
    }
}
