import HTTPTypes
import JSON
import Machines

/// A WebSocket server that a script plays: it accepts every connection, and the peer says what the script says.
struct PlainWebSocketServer: ServerMachine {
    typealias Timer = NoTimer

    /// At most this many connections are open at a time; further ones get 503.
    static let connectionLimit = 10_000

    /// What scripts can read.
    static let declaredProperties = [PropertyDeclaration("connections", .integer, "How many connections are open.")]

    private let echoes: Bool

    /// Whether a client that offers compression gets it.
    private let compresses: Bool
    private let subprotocols: [String]
    private var refusal: Int?
    private var connections: [ConnectionID] = []

    /// Creates a server without connections.
    init(_ configuration: ServerConfiguration) throws(ConfigurationError) {
        self.compresses = configuration.options["compression"]?.bool ?? true
        self.echoes = configuration.options["echo"]?.bool ?? false
        self.subprotocols = configuration.options["subprotocols"]?.array?.compactMap(\.string) ?? []
        if let status = configuration.options["refuse"]?.integer {
            guard 400...599 ~= status else {
                throw ConfigurationError("refuse takes an HTTP status from 400 to 599, not \(status)")
            }
            self.refusal = Int(status)
        }
    }

    var properties: JSONObject { ["connections": .integer(Int64(self.connections.count))] }

    mutating func handle(_ input: Input, in step: inout Step) {
        switch input {
        case .requested(let exchange, _):
            step.ask(
                .respond(exchange, Response(text: "This server speaks WebSocket only.\n", status: .upgradeRequired)))
        case .upgradeRequested(let connection, let request): self.answer(connection, request, in: &step)
        case .received(let connection, let message):
            step.ask(.emit(party: PlainWebSocketSystem.party, FrameFields.event(of: message)))
            if self.echoes { step.ask(.transmit(connection, message)) }
        case .closed(let connection, let closure):
            self.connections.removeAll { $0 == connection }
            step.ask(.emit(party: PlainWebSocketSystem.party, FrameFields.event(of: closure)))
        case .linkOpened, .requestAbandoned, .timerFired, .scriptReturned: break
        }
    }

    private mutating func answer(_ connection: ConnectionID, _ request: Request, in step: inout Step) {
        let status = self.refusal ?? (self.connections.count < Self.connectionLimit ? nil : 503)
        if let status {
            step.ask(.refuse(connection, Response(text: "The server refuses.\n", status: .init(code: status))))
            return
        }
        let offered = (request.head.headerFields[.secWebSocketProtocol] ?? "").split(separator: ",")
            .map { $0.filter { $0 != " " } }
        let chosen = self.subprotocols.first(where: offered.contains)
        self.connections.append(connection)
        step.ask(.accept(connection, subprotocol: chosen, compression: self.compresses))
        let named = PathAndQuery(request.head)
        let headers = request.head.headerFields.map { ($0.name.canonicalName, JSONValue.string($0.value)) }
        var fields: JSONObject = [
            "path": .string(named.path), "query": .object(FormFields.object(named.query)),
            "headers": .object(JSONObject(headers)),
        ]
        fields["subprotocol"] = chosen.map { .string($0) }
        step.ask(.emit(party: PlainWebSocketSystem.party, ChatEvent(.connected, fields)))
    }

    static func commands(of party: String?) -> CommandSet<PeerCommand> { PeerCommand.commands }

    mutating func perform(_ command: PeerCommand, by party: String?, in step: inout Step) -> CommandOutcome {
        guard let connection = self.connections.last else {
            return .refused("\(command.method) needs a connection, but nobody is connected; expect \"connected\" first")
        }
        do throws(CommandError) {
            switch command {
            case .close(let code, let reason):
                let code = code ?? 1000
                if let obstacle = CloseCode.obstacle(to: code) { return .refused(obstacle) }
                if let obstacle = CloseReason.obstacle(to: reason ?? "") { return .refused(obstacle) }
                step.ask(.close(connection, code: UInt16(code), reason: reason ?? ""))
            case .drop:
                self.connections.removeLast()
                step.ask(.abort(connection))
            case .sendBytes(let base64):
                step.ask(.transmitBytes(connection, try Sending.bytes(base64, of: command.method)))
            case .send(let sending): step.ask(.transmit(connection, try sending.message))
            }
        } catch {
            return .refused(error.message)
        }
        return .done(.null)
    }
}
