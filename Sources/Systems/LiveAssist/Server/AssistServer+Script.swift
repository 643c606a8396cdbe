import JSON
import Machines

/// What scripts ask of the server: calls, access and faults.
extension AssistServer {
    static func commands(of party: String?) -> CommandSet<AssistServerCommand> { AssistServerVocabulary.commands }

    mutating func perform(
        _ command: AssistServerCommand, by party: String?, in step: inout Step
    ) -> CommandOutcome {
        switch command {
        case .setAccess(let access): self.access = access
        case .setCallStatus(let status):
            guard let call = self.calls.last else {
                return .refused("there is no call; start support with a destination")
            }
            self.set(status, call.number, in: &step)
        case .swallowPongs(let isOn): self.swallowsPongs = isOn
        case .refuseHandshakes(let count, let status):
            guard status == 0 || 400...599 ~= status else {
                return .refused("refuse_handshakes takes a status from 400 to 599, or 0 for no answer, not \(status)")
            }
            self.refusals = (max(0, count), Int(status))
        case .setLatency(let latency): self.latency = latency
        case .drop(let role):
            let chosen = self.members(role)
            for member in chosen {
                step.ask(.abort(member.connection))
                self.lost(member.connection, in: &step)
            }
            return .done(.integer(Int64(chosen.count)))
        case .sendFrame(let text, let role):
            guard let bytes = Base64.decode(text) else { return .refused("send_frame takes base64 text with padding") }
            for member in self.members(role) { step.ask(.transmit(member.connection, .binary(bytes))) }
        case .expireCodes: for code in self.codes.keys { self.codes[code] = self.codes[code].map(Self.expired) }
        }
        return .done(.null)
    }

    private static func expired(_ code: ShortCode) -> ShortCode {
        var code = code
        code.isUsedByConsumer = true
        code.isUsedByAgent = true
        return code
    }

    private func members(_ role: AssistRole?) -> [AssistSession.Member] {
        self.sessions.values.sorted { $0.cid < $1.cid }.flatMap(\.members)
            .filter { role == nil || $0.role == role?.rawValue }
    }
}
