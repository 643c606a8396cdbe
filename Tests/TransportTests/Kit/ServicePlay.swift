import HTTPTypes
import Machines
import NIOCore
import NIOPosix
import Testing
import Transport

/// An HTTP service on a real port of the loopback, and the steps of a test with its clients.
///
/// The test's own thread becomes the event loop, and a step that does not come true within seconds fails the test.
final class ServicePlay {
    /// What the service is given for those who ask for a WebSocket.
    static let refusal = Response(text: "no WebSockets", status: .badRequest)

    let network: SocketNetwork
    let endpoint: Endpoint
    let service: HTTPService
    private let eventLoop: any EventLoop
    private let scheduler: EventLoopScheduler
    private let steps = TestSteps()

    /// What has come so far.
    private(set) var requests: [(id: ExchangeID, request: Request)] = []

    /// The requests whose clients have gone.
    private(set) var abandoned: [ExchangeID] = []

    /// Called with each request, after it was noted.
    var onRequest: (ExchangeID, Request) -> Void = { _, _ in }

    private init(
        on eventLoop: any EventLoop, _ configuration: ServerDriverConfiguration, _ sockets: SocketNetworkConfiguration
    ) throws {
        self.eventLoop = eventLoop
        self.scheduler = EventLoopScheduler(eventLoop: eventLoop)
        self.network = SocketNetwork(eventLoop: eventLoop, configuration: sockets)
        let listener = try self.network.listen(on: .loopback, identity: nil)
        self.endpoint = listener.endpoint
        self.service = HTTPService(
            label: "service", listener: listener, scheduler: self.scheduler, configuration: configuration,
            webSocketRefusal: Self.refusal)
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

    /// Connects a client that sends and reads.
    func connect(_ client: RawClient, sending bytes: [UInt8]) {
        client.connect(to: self.endpoint, on: self.network, sending: bytes)
    }

    /// Connects a client that sends and never reads.
    func connectDeafClient(sending bytes: [UInt8]) {
        ClientBootstrap(group: self.eventLoop)
            .channelOption(.autoRead, value: false)
            .channelOption(.socketOption(.so_rcvbuf), value: 4096)
            .connect(host: self.endpoint.host, port: self.endpoint.port)
            .assumeIsolated().whenSuccess { $0.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }
    }

    /// Adds a step: something is done, and then something comes true.
    func then(
        location: SourceLocation = #_sourceLocation, _ act: @escaping () -> Void,
        until isDone: @escaping () -> Bool = { true }
    ) {
        self.steps.add(location: location, act, until: isDone)
    }

    /// Plays a test.
    static func play(
        _ configuration: ServerDriverConfiguration = ServerDriverConfiguration(),
        sockets: SocketNetworkConfiguration = SocketNetworkConfiguration(),
        _ prepare: @escaping (ServicePlay) throws -> Void
    ) throws {
        try EventLoopThread.play { eventLoop, finish in
            let play = try ServicePlay(on: eventLoop, configuration, sockets)
            try prepare(play)
            play.steps.play(on: play.scheduler) {
                play.service.close()
                // The steps hold the play.
                play.steps.removeAll()
                play.onRequest = { _, _ in }
                finish()
            }
        }
    }
}
