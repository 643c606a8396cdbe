import ChatCore
import HTTPTypes
import JSON

/// The end of control connections in the process that serves; ``ControlHost`` does what the messages ask.
///
/// Each connection is a party named by its number: what it sends is emitted, what it gets comes as the command `send`.
struct ControlServer: ServerMachine {
    private var connections: Set<UInt64> = []

    var properties: JSONObject { [:] }

    mutating func handle(_ input: ServerInput, in step: inout ServerStep) {
        switch input {
        case .requested(let exchange, _):
            step.ask(
                .respond(
                    exchange,
                    Response(
                        text: "This is the control port of repartee serve. Run scenarios against it: "
                            + "repartee test --target URL, or connect a WebSocket to \(ControlMessage.path).\n",
                        status: .ok)))
        case .upgradeRequested(let connection, let request):
            guard request.head.path == ControlMessage.path else {
                let text = "There is nothing here; the control connection is at \(ControlMessage.path).\n"
                step.ask(.refuse(connection, Response(text: text, status: .notFound)))
                return
            }
            self.connections.insert(connection.number)
            step.ask(.accept(connection, subprotocol: ControlMessage.subprotocol))
        case .received(let connection, let message):
            guard let value = try? JSONReader.read(message.bytes), let members = value.object else {
                step.ask(.close(connection, code: 1003, reason: "a message is a JSON object"))
                return
            }
            step.ask(.emit(party: "\(connection.number)", ChatEvent(.command, members)))
        case .closed(let connection, _):
            self.connections.remove(connection.number)
            step.ask(.emit(party: "\(connection.number)", ChatEvent(.disconnected)))
        case .requestAbandoned, .timerFired, .scriptReturned: break
        }
    }

    mutating func perform(_ command: Command, by party: String?, in step: inout ServerStep) -> CommandOutcome {
        guard let number = party.flatMap({ UInt64($0) }), self.connections.contains(number) else { return .done(.null) }
        step.ask(.transmit(ConnectionID(number), .text(JSONValue.object(command.arguments).description)))
        return .done(.null)
    }
}
