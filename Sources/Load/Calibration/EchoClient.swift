internal import HTTPTypes
internal import JSON
internal import Machines

/// A client that sends a message as soon as the last one has come back; each return is a `frame` event, and the first
/// message leaves after a `connected` event.
struct EchoClient: ClientMachine {
    private static let connection = ConnectionID(1)

    /// As long as a text of a chat, defined here.
    private static let message = WebSocketMessage.text(String(repeating: "How can I help you? ", count: 5))

    private let authority: String

    /// Creates a client that is not connected.
    ///
    /// - Parameter authority: Host and port of the echo.
    init(authority: String) {
        self.authority = authority
    }

    var identity: JSONObject { [:] }
    var properties: JSONObject { [:] }

    mutating func handle(_ input: ClientInput, in step: inout ClientStep) {
        switch input {
        case .opened:
            step.ask(.emit(ChatEvent(.connected)))
            step.ask(.transmit(Self.connection, Self.message))
        case .received:
            step.ask(.emit(ChatEvent(.frame)))
            step.ask(.transmit(Self.connection, Self.message))
        case .openFailed, .closed: step.ask(.emit(ChatEvent(.disconnected)))
        default: break
        }
    }

    /// Connects; the command's name does not matter.
    mutating func perform(_ command: Command, in step: inout ClientStep) -> CommandOutcome {
        let head = HTTPRequest(method: .get, scheme: "ws", authority: self.authority, path: "/echo")
        step.ask(.open(Self.connection, head, subprotocols: []))
        return .done(.null)
    }

    mutating func tearDown(in step: inout ClientStep) {
        step.ask(.abort(Self.connection))
    }
}
