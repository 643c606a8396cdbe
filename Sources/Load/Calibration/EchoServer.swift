internal import HTTPTypes
internal import JSON
internal import Machines

/// A server that sends each message back to where it came from.
struct EchoServer: ServerMachine {
    var properties: JSONObject { [:] }

    mutating func handle(_ input: ServerInput, in step: inout ServerStep) {
        switch input {
        case .upgradeRequested(let connection, _): step.ask(.accept(connection, subprotocol: nil))
        case .received(let connection, let message): step.ask(.transmit(connection, message))
        case .requested(let exchange, _):
            step.ask(.respond(exchange, Response(text: "An echo is reached by WebSocket.\n", status: .upgradeRequired)))
        default: break
        }
    }

    mutating func perform(
        _ command: Command, by party: String?, in step: inout ServerStep
    ) -> CommandOutcome { .done(.null) }
}
