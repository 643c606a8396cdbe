import HTTPTypes
import JSON
import Machines
import Transport

/// The end of control connections in the process that serves; ``ControlHost`` does what the messages ask.
///
/// Each connection is a party named by its number: what it sends is emitted, what it gets comes as the command `send`.
/// A request over HTTP is a party for as long as it waits for its answer.
struct ControlServer: ServerMachine {
    /// The name by which others reach the port, beside addresses and `localhost`.
    private let host: String
    private var connections: Set<UInt64> = []
    private var exchanges: Set<UInt64> = []

    /// Tells the parties that are requests from those that are connections.
    private static let exchangePrefix = "request."

    /// Whether a party is a request over HTTP, and not a connection.
    static func isRequest(_ party: String) -> Bool { party.hasPrefix(Self.exchangePrefix) }

    /// Creates a server.
    ///
    /// - Parameter host: The host that it listens on.
    init(host: String) {
        self.host = host
    }

    var properties: JSONObject { [:] }

    mutating func handle(_ input: ServerInput, in step: inout ServerStep) {
        switch input {
        case .requested(let exchange, let request): self.requested(exchange, request, in: &step)
        case .upgradeRequested(let connection, let request):
            guard self.isMeant(request) else {
                step.ask(.refuse(connection, Response(text: Self.misdirection + "\n", status: .misdirectedRequest)))
                return
            }
            guard request.head.headerFields[.origin] == nil else {
                let text = "Web pages may not use the control port.\n"
                step.ask(.refuse(connection, Response(text: text, status: .forbidden)))
                return
            }
            guard request.head.path == ControlMessage.path else {
                let text = "There is nothing here; the control connection is at \(ControlMessage.path).\n"
                step.ask(.refuse(connection, Response(text: text, status: .notFound)))
                return
            }
            self.connections.insert(connection.number)
            step.ask(.accept(connection, subprotocol: ControlMessage.subprotocol))
        case .received(let connection, let message):
            guard let value = try? message.json(), let members = value.object else {
                step.ask(.close(connection, code: 1003, reason: "a message is a JSON object"))
                return
            }
            step.ask(.emit(party: "\(connection.number)", ChatEvent(.command, members)))
        case .closed(let connection, _):
            self.connections.remove(connection.number)
            step.ask(.emit(party: "\(connection.number)", ChatEvent(.disconnected)))
        case .requestAbandoned(let exchange): self.exchanges.remove(exchange.number)
        case .linkOpened, .timerFired, .scriptReturned: break
        }
    }

    private static let misdirection =
        "the control port is asked by an address, localhost or the name of --host, and by no other name"

    /// Whether a request names this port as those do who know it.
    ///
    /// A web page whose name was made to lead to this machine (DNS rebinding) is of the same origin as the port in the
    /// eyes of its browser, and is told by that name alone.
    private func isMeant(_ request: Request) -> Bool {
        guard let authority = request.head.authority else { return true }
        guard let host = Endpoint(authority: authority, defaultPort: 80)?.host else { return false }
        let isAddress = host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
        return isAddress || host == "localhost" || host == self.host
    }

    private mutating func requested(_ exchange: ExchangeID, _ request: Request, in step: inout ServerStep) {
        guard self.isMeant(request) else {
            let answer = Response(json: ["error": .string(Self.misdirection)], status: .misdirectedRequest)
            step.ask(.respond(exchange, answer))
            return
        }
        do throws(ControlRoute.Refusal) {
            guard let message = try ControlRoute.message(request) else {
                return step.ask(.respond(exchange, Response(text: ControlRoute.help, status: .ok)))
            }
            self.exchanges.insert(exchange.number)
            let party = Self.exchangePrefix + String(exchange.number)
            step.ask(.emit(party: party, ChatEvent(.command, message)))
        } catch {
            step.ask(.respond(exchange, Response(json: ["error": .string(error.text)], status: error.status)))
        }
    }

    mutating func perform(_ command: Command, by party: String?, in step: inout ServerStep) -> CommandOutcome {
        if let party, Self.isRequest(party) {
            let exchange = UInt64(party.dropFirst(Self.exchangePrefix.count))
            if let exchange, self.exchanges.remove(exchange) != nil {
                step.ask(.respond(ExchangeID(exchange), ControlRoute.response(command.arguments)))
            }
            return .done(.null)
        }
        guard let number = party.flatMap({ UInt64($0) }), self.connections.contains(number) else { return .done(.null) }
        step.ask(.transmit(ConnectionID(number), .text(JSONValue.object(command.arguments).description)))
        return .done(.null)
    }
}
