import HTTPTypes
import Machines
import Transport

/// An HTTP service on a real port, and what it tells.
final class HTTPServicePlay: ServicePlay {
    /// What the service is given for those who ask for a WebSocket.
    static let refusal = Response(text: "no WebSockets", status: .badRequest)

    let service: HTTPService

    /// What has come so far.
    private(set) var requests: [(id: ExchangeID, request: Request)] = []

    /// The requests whose clients have gone.
    private(set) var abandoned: [ExchangeID] = []

    /// Called with each request, after it was noted.
    var onRequest: (ExchangeID, Request) -> Void = { _, _ in }

    private init(at port: Port, _ configuration: ServerDriverConfiguration) {
        self.service = HTTPService(
            label: "service", listener: port.listener, scheduler: port.scheduler, configuration: configuration,
            webSocketRefusal: Self.refusal)
        super.init(port)
        self.service.onRequest = { [unowned self] in
            self.requests.append(($0, $1))
            self.onRequest($0, $1)
        }
        self.service.onAbandonment = { [unowned self] in self.abandoned.append($0) }
    }

    /// The paths that were asked for.
    var paths: [String?] { self.requests.map(\.request.head.path) }

    /// Answers each request with its path.
    func answerAll() {
        self.onRequest = { [unowned self] in
            self.service.respond(to: $0, with: Response(text: "at \($1.head.path ?? "")", status: .ok))
        }
    }

    override func close() {
        self.service.close()
        self.onRequest = { _, _ in }
    }

    /// Plays a test.
    static func play(
        _ configuration: ServerDriverConfiguration = ServerDriverConfiguration(),
        sockets: SocketNetworkConfiguration = SocketNetworkConfiguration(),
        _ prepare: @escaping (HTTPServicePlay) throws -> Void
    ) throws {
        try Self.play(sockets: sockets, { HTTPServicePlay(at: $0, configuration) }, prepare)
    }
}
