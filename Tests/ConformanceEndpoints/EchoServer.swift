import HTTPTypes
import JSON
import Machines

/// Accepts every WebSocket and sends every message back.
struct EchoServer: ServerMachine {
    func handle(_ input: ServerInput, in step: inout ServerStep) {
        switch input {
        case .upgradeRequested(let id, _): step.ask(.accept(id, subprotocol: nil))
        case .received(let id, let message): step.ask(.transmit(id, message))
        case .requested(let id, _): step.ask(.respond(id, Response(text: "A WebSocket echo.\n", status: .ok)))
        default: break
        }
    }

    func perform(_ command: Command, by party: String?, in step: inout ServerStep) -> CommandOutcome {
        .refused("The echo takes no commands.")
    }

    var properties: JSONObject { [:] }
}
