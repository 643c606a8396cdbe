import JSON
import Machines

/// What scripts ask of the server: calls, access and faults.
extension AssistServer {
    mutating func perform(_ command: Command, by party: String?, in step: inout Step) -> CommandOutcome {
        let arguments = command.arguments
        switch command.name {
        case "set_access":
            guard let access = Access(rawValue: arguments["mode"]?.string ?? "") else {
                return .refused("set_access takes disabled, enabled or trusted")
            }
            self.access = access
        case "set_call_status":
            guard let status = CallStatus(rawValue: arguments["status"]?.string ?? "") else {
                let words = CallStatus.allCases.map(\.rawValue).joined(separator: ", ")
                return .refused("set_call_status takes one of \(words)")
            }
            guard let call = self.calls.last else {
                return .refused("there is no call; start support with a destination")
            }
            self.set(status, call.number, in: &step)
        case "swallow_pongs": self.swallowsPongs = arguments["on"]?.bool ?? true
        case "refuse_handshakes":
            let status = arguments["status"]?.integer ?? 503
            guard status == 0 || 400...599 ~= status else {
                return .refused("refuse_handshakes takes a status from 400 to 599, or 0 for no answer, not \(status)")
            }
            self.refusals = (max(0, arguments["count"]?.integer ?? 1), Int(status))
        case "set_latency": self.latency = Duration(scriptSeconds: arguments["latency"]?.double ?? 0) ?? .zero
        case "drop": return self.drop(arguments, in: &step)
        case "send_frame": return self.sendFrame(arguments, in: &step)
        case "expire_codes": for code in self.codes.keys { self.codes[code] = self.codes[code].map(Self.expired) }
        default: return .refused("\(command.name) is not a method of an assist server")
        }
        return .done(.null)
    }

    private static func expired(_ code: ShortCode) -> ShortCode {
        var code = code
        code.isUsedByConsumer = true
        code.isUsedByAgent = true
        return code
    }

    private func members(_ role: String?) -> [AssistSession.Member] {
        self.sessions.values.sorted { $0.cid < $1.cid }.flatMap(\.members).filter { role == nil || $0.role == role }
    }

    private mutating func drop(_ arguments: JSONObject, in step: inout Step) -> CommandOutcome {
        let chosen = self.members(arguments["role"]?.string)
        for member in chosen {
            step.ask(.abort(member.connection))
            self.lost(member.connection, in: &step)
        }
        return .done(.integer(Int64(chosen.count)))
    }

    private mutating func sendFrame(_ arguments: JSONObject, in step: inout Step) -> CommandOutcome {
        guard let bytes = Base64.decode(arguments["base64"]?.string ?? "") else {
            return .refused("send_frame takes base64 text with padding")
        }
        for member in self.members(arguments["role"]?.string) { step.ask(.transmit(member.connection, .binary(bytes))) }
        return .done(.null)
    }
}
