import Machines

/// One link over TCP or TLS of a client driver.
///
/// | state | event | becomes | the machine hears |
/// |---|---|---|---|
/// | opening | the connection is up | open | opened |
/// | opening | anything else, time limit | settled | openFailed |
/// | opening | ``close(code:reason:)`` | settled | closed with 1006 |
/// | open, closing | message | | received |
/// | open | ``startTLS(hasMore:)`` | encrypting | |
/// | encrypting | the connection is encrypted | open | |
/// | encrypting | bytes in the open, time limit | settled | closed with 1006 |
/// | open, encrypting | ``close(code:reason:)`` | closing | |
/// | open, closing | the peer ends the connection | settled | closed with 1000 |
/// | encrypting | the peer ends the connection | settled | closed with 1006 |
/// | open, closing | a message that is none, an end within one, loss | settled | closed with 1006 |
/// | closing | time limit | settled | closed with 1006 |
/// | any | ``abandon()`` | settled | |
final class LinkClientConnection: ByteStreamDelegate, ClientLink {
    private enum State {
        case opening, open, encrypting, closing, settled
    }

    let id: ConnectionID
    let title = "TCP link"
    let endpoint: Endpoint?
    let owner: ClientConnections
    private let capture: WireCapture?
    var stream: (any ByteStream)?
    private var state = State.opening
    private var codec: LinkCodec
    var timeout: ScheduledID?

    /// Creates a link that is not connected yet.
    init(owner: ClientConnections, id: ConnectionID, endpoint: Endpoint, framing: LinkFraming, capture: WireCapture?) {
        self.owner = owner
        self.id = id
        self.endpoint = endpoint
        self.capture = capture
        self.codec = LinkCodec(framing, messageLimit: owner.configuration.bounds.messageLimit)
    }

    var isOpening: Bool { self.state == .opening }
    var isSettled: Bool { self.state == .settled }
    /// Whoever goes on behind the agreement takes the link for encrypted, and what it says waits until it is.
    var unfinished: UnfinishedMessage? { self.state == .encrypting ? .encryption : self.codec.unfinished }

    /// Connects.
    func connect(_ destination: Destination, timeLimit: OpeningLimit) {
        let endpoint = destination.endpoint
        self.setTimeout(self.owner.configuration.bounds.limit(timeLimit)) { limit in
            self.fail(TransportFailure(.timedOut, "no connection with \(endpoint) within \(limit.scriptText)"))
        }
        self.stream = self.owner.connect(
            to: destination, timeLimit: timeLimit == .standard ? .standard : .none, delegate: self)
    }

    func transmit(_ message: WebSocketMessage) {
        guard self.state == .open || self.state == .encrypting else { return }
        var bytes: [UInt8] = []
        self.codec.write(message, into: &bytes)
        self.capture?.record(.sent, .linkMessage(message, self.codec.framing))
        self.capture?.sent(bytes)
        self.stream?.write(bytes)
    }

    func startTLS(hasMore: Bool) {
        guard self.state == .open, let endpoint = self.endpoint else { return }
        guard !hasMore, !self.codec.isInMessage else { return self.settleViolated(LinkCodec.injection) }
        self.state = .encrypting
        self.setTimeout(self.owner.configuration.bounds.limit(.standard)) { limit in
            self.settle(WebSocketClosure(code: 1006, reason: "the link was not encrypted within \(limit.scriptText)"))
        }
        let security = ConnectionSecurity.tls(self.owner.configuration.trust, speaking: .unnamed)
        self.stream?.startTLS(.client(security, host: endpoint.host))
    }

    /// Ends the own direction, and waits for the server to end its own.
    func close(code: UInt16?, reason: String) {
        switch self.state {
        case .settled, .closing: return
        case .opening: self.settle(WebSocketClosure(code: 1006, reason: "closed before it was open"))
        case .open, .encrypting:
            self.state = .closing
            self.stream?.finish()
            self.setTimeout(self.owner.configuration.bounds.closeTimeout) { limit in
                self.settle(
                    WebSocketClosure(code: 1006, reason: "the server did not end the link within \(limit.scriptText)"))
            }
        }
    }

    func becomeSettled() { self.state = .settled }

    // MARK: ByteStreamDelegate

    func streamOpened() {
        if self.state == .encrypting {
            self.cancelTimeout()
            self.state = .open
        }
        guard self.state == .opening, let stream = self.stream else { return }
        self.capture?.record(.received, .opened(stream.peer))
        self.owner.opened(stream)
        self.cancelTimeout()
        self.state = .open
        self.owner.deliver(.opened(self.id, subprotocol: nil))
    }

    func streamReceived(_ bytes: Span<UInt8>) {
        self.capture?.received(bytes)
        guard self.state != .encrypting else { return self.settleViolated(LinkCodec.injection) }
        var offset = 0
        while !self.isSettled, let event = self.codec.next(bytes, at: &offset) {
            switch event {
            case .message(let message):
                self.capture?.record(.received, .linkMessage(message, self.codec.framing))
                self.owner.deliver(.received(self.id, message))
                if self.state == .encrypting, offset < bytes.count { self.settleViolated(LinkCodec.injection) }
            case .violated(let text):
                self.settleViolated("sent \(text)")
            }
        }
    }

    func streamReachedEnd() { self.ended(nil) }

    func streamClosed(_ failure: TransportFailure?) {
        self.capture?.record(.received, .closed(failure?.message))
        self.stream = nil
        self.ended(failure)
    }

    // MARK: Steps

    private func ended(_ failure: TransportFailure?) {
        switch self.state {
        case .opening:
            self.fail(failure ?? TransportFailure(.connectionLost, "the server ended the connection at once"))
        case .encrypting:
            self.settle(
                WebSocketClosure(
                    code: 1006, reason: failure?.message ?? "the server ended the link before it was encrypted"))
        case .open, .closing:
            if let failure {
                self.settle(WebSocketClosure(code: 1006, reason: failure.message))
            } else if let unfinished = self.codec.unfinished {
                let what = "ended the link in the middle of a message, after \(unfinished.text)"
                // Who is asked to end it may do so at once.
                guard self.state == .open else {
                    return self.settle(WebSocketClosure(code: 1006, reason: "the server \(what)"))
                }
                self.settleViolated(what)
            } else {
                self.settle(WebSocketClosure(code: 1000, reason: ""))
            }
        case .settled: self.leave()
        }
    }
}
