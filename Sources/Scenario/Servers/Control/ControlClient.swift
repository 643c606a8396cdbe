import HTTPTypes
import JSON
import Machines

/// The end of a control connection in the process that plays scenarios.
///
/// It emits a `connected` or `error` event for the connection itself, a `response` event for each answer, and a `frame`
/// event for each event of a party; ``RemoteServer`` sorts them.
struct ControlClient: ClientMachine {
    private static let connection = ConnectionID(1)

    private let authority: String
    private let scheme: String
    private var isOpen = false
    private var waiting: [String] = []

    /// Creates a client that is not connected.
    ///
    /// - Parameter url: The URL that `repartee serve` prints: scheme `http`, host and port.
    /// - Returns: Nil if the URL has another form.
    init?(url: String) {
        let parts = url.split(separator: "://", maxSplits: 1)
        guard parts.count == 2, ["http", "https"].contains(String(parts[0])) else { return nil }
        self.scheme = parts[0] == "https" ? "wss" : "ws"
        self.authority = String(parts[1].prefix { $0 != "/" })
    }

    var identity: JSONObject { [:] }
    var properties: JSONObject { [:] }

    mutating func handle(_ input: ClientInput, in step: inout ClientStep) {
        switch input {
        case .opened:
            self.isOpen = true
            for text in self.waiting { step.ask(.transmit(Self.connection, .text(text))) }
            self.waiting = []
        case .openFailed(_, let failure): step.ask(.emit(ChatEvent(.error, ["message": .string(failure.message)])))
        case .closed: step.ask(.emit(ChatEvent(.error, ["message": "the control connection ended"])))
        case .received(_, let message):
            guard let value = try? JSONReader.read(message.bytes), let members = value.object else { return }
            step.ask(.emit(ChatEvent(members["event"] == nil ? .response : .frame, members)))
        default: break
        }
    }

    /// Sends the arguments of any command as a message; the first one opens the connection.
    mutating func perform(_ command: Command, in step: inout ClientStep) -> CommandOutcome {
        let text = JSONValue.object(command.arguments).description
        if self.isOpen {
            step.ask(.transmit(Self.connection, .text(text)))
            return .done(.null)
        }
        if self.waiting.isEmpty {
            let head = HTTPRequest(
                method: .get, scheme: self.scheme, authority: self.authority, path: ControlMessage.path)
            step.ask(.open(Self.connection, head, subprotocols: [ControlMessage.subprotocol]))
        }
        self.waiting.append(text)
        return .done(.null)
    }

    mutating func tearDown(in step: inout ClientStep) {
        step.ask(.close(Self.connection, code: 1000, reason: ""))
    }
}
