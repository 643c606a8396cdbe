import HTTPTypes
import Machines
import Transport

/// A WebSocket service on a real port, and what it tells.
final class WebSocketServicePlay: ServicePlay {
    /// What the service is given for those who ask for something else.
    static let refusal = Response(text: "only WebSockets", status: .upgradeRequired)

    let service: WebSocketService

    /// Who has asked for a WebSocket so far.
    private(set) var asked: [(id: ConnectionID, request: Request)] = []

    /// What has come so far.
    private(set) var messages: [(id: ConnectionID, message: WebSocketMessage)] = []

    /// What has ended.
    private(set) var closures: [(id: ConnectionID, closure: WebSocketClosure)] = []

    /// Called with who asks, after that was noted.
    var onUpgradeRequest: (ConnectionID, Request) -> Void = { _, _ in }

    /// Called with each message, after it was noted.
    var onMessage: (ConnectionID, WebSocketMessage) -> Void = { _, _ in }

    private init(at port: Port, _ configuration: ServerDriverConfiguration) {
        self.service = WebSocketService(
            label: "service", listener: port.listener, scheduler: port.scheduler, configuration: configuration,
            requestRefusal: Self.refusal)
        super.init(port)
        self.service.onUpgradeRequest = { [unowned self] in
            self.asked.append(($0, $1))
            self.onUpgradeRequest($0, $1)
        }
        self.service.onMessage = { [unowned self] in
            self.messages.append(($0, $1))
            self.onMessage($0, $1)
        }
        self.service.onClosure = { [unowned self] in self.closures.append(($0, $1)) }
    }

    /// The codes with which WebSockets have ended.
    var codes: [UInt16] { self.closures.map(\.closure.code) }

    /// The texts that have come.
    var texts: [WebSocketMessage] { self.messages.map(\.message) }

    /// Accepts whoever asks, and sends each message back.
    func echoAll() {
        self.onUpgradeRequest = { [unowned self] id, _ in self.service.accept(id) }
        self.onMessage = { [unowned self] id, message in self.service.transmit(message, on: id) }
    }

    override func close() {
        self.service.close()
        self.onUpgradeRequest = { _, _ in }
        self.onMessage = { _, _ in }
    }

    /// Plays a test.
    static func play(
        _ configuration: ServerDriverConfiguration = ServerDriverConfiguration(),
        sockets: SocketNetworkConfiguration = SocketNetworkConfiguration(),
        _ prepare: @escaping (WebSocketServicePlay) throws -> Void
    ) throws {
        try Self.play(sockets: sockets, { WebSocketServicePlay(at: $0, configuration) }, prepare)
    }
}
