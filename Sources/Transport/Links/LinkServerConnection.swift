import Machines

/// One link over TCP or TLS of a server.
///
/// | state | event | becomes | the machine hears |
/// |---|---|---|---|
/// | open, leaving | message | | received |
/// | open | ``startTLS(hasMore:)`` | encrypting | |
/// | encrypting | the connection is encrypted | open | |
/// | encrypting | bytes in the open, time limit | gone | closed with 1006 |
/// | open, encrypting | ``close(code:reason:)`` | leaving | |
/// | open, leaving | the client ends the connection | gone | closed with 1000 |
/// | open, leaving | a message that is none, an end within one, loss | gone | closed with 1006 |
/// | leaving | time limit | gone | closed with 1006 |
/// | any | ``abort()`` | gone | |
final class LinkServerConnection: ByteStreamDelegate, ServerPeer, TimeLimited {
    private enum State {
        case open, encrypting, leaving, gone
    }

    private let number: UInt64
    private let id: ConnectionID
    private let owner: ServerConnections
    private var capture: WireCapture?
    private var stream: (any ByteStream)?
    private var state = State.open
    private var codec: LinkCodec
    /// Whether the machine has heard of it.
    private var hasBegun = false
    /// Whether anything has come.
    private var hasHeard = false
    /// Who is at the other end, if that is known to be somebody outside of this process.
    @Boxed private var outsider: Outsider?
    var timeout: ScheduledID?

    /// Creates a link that has just been accepted.
    init(
        owner: ServerConnections, number: UInt64, id: ConnectionID, stream: any ByteStream, framing: LinkFraming,
        capture: WireCapture?
    ) {
        self.owner = owner
        self.number = number
        self.id = id
        self.stream = stream
        self.capture = capture
        self.codec = LinkCodec(framing, messageLimit: owner.configuration.messageLimit)
    }

    var scheduler: any Scheduler { self.owner.scheduler }

    /// Whether neither side has begun to end it.
    private var isOpen: Bool { self.state == .open || self.state == .encrypting }

    // MARK: Effects

    func transmit(_ message: WebSocketMessage) {
        guard self.isOpen else { return }
        var bytes: [UInt8] = []
        self.codec.write(message, into: &bytes)
        self.capture?.record(.sent, .linkMessage(message, self.codec.framing))
        self.send(bytes)
    }

    func transmit(bytes: [UInt8]) {
        guard self.isOpen else { return }
        self.send(bytes)
    }

    func startTLS(hasMore: Bool) {
        guard self.state == .open else { return }
        guard !hasMore, !self.codec.isInMessage else { return self.settleInjection() }
        self.state = .encrypting
        self.setTimeout(self.owner.configuration.requestTimeout) { limit in
            self.settle(
                WebSocketClosure(
                    code: 1006, reason: "the client did not begin the encryption within \(limit.scriptText)"))
        }
        self.stream?.startTLS(.server)
    }

    private func settleInjection() {
        let closure = WebSocketClosure(code: 1006, reason: "the client \(LinkCodec.injection)")
        self.violated(LinkCodec.injection, closure: closure)
        self.settle(closure)
    }

    func close(code: UInt16?, reason: String) {
        guard self.isOpen else { return }
        self.state = .leaving
        self.stream?.finish()
        self.setTimeout(self.owner.configuration.closeTimeout) { limit in
            self.settle(
                WebSocketClosure(code: 1006, reason: "the client did not end the link within \(limit.scriptText)"))
        }
    }

    func abort() {
        self.stream?.abort()
        self.forget()
    }

    func endWithOwner() { self.abort() }

    // MARK: ByteStreamDelegate

    func streamOpened() {
        if self.hasBegun {
            guard self.state == .encrypting else { return }
            self.state = .open
            self.cancelTimeout()
            return
        }
        guard let stream = self.stream else { return }
        self.hasBegun = true
        self.capture?.record(.received, .opened(stream.peer))
        self.owner.deliver(.linkOpened(self.id))
    }

    func streamReceived(_ bytes: Span<UInt8>) {
        if !self.hasHeard, let stream = self.stream {
            self.hasHeard = true
            self.outsider = Outsider(stream)
            self.capture = self.capture ?? self.owner.capture(of: stream, number: self.number)
        }
        self.capture?.received(bytes)
        guard self.state != .encrypting else { return self.settleInjection() }
        var offset = 0
        while self.state != .gone, let event = self.codec.next(bytes, at: &offset) {
            switch event {
            case .message(let message):
                self.capture?.record(.received, .linkMessage(message, self.codec.framing))
                self.owner.deliver(.received(self.id, message))
                if self.state == .encrypting, offset < bytes.count { self.settleInjection() }
            case .violated(let text):
                let closure = WebSocketClosure(code: 1006, reason: "the client sent \(text)")
                self.violated("sent \(text)", bytes, closure: closure)
                self.settle(closure)
            }
        }
    }

    func streamReachedEnd() { self.ended(nil) }

    func streamClosed(_ failure: TransportFailure?) {
        self.capture?.record(.received, .closed(failure?.message))
        self.stream = nil
        self.ended(failure)
    }

    // MARK: The end

    private func ended(_ failure: TransportFailure?) {
        if let failure {
            self.settle(WebSocketClosure(code: 1006, reason: failure.message))
        } else if self.codec.isInMessage {
            let closure = WebSocketClosure(code: 1006, reason: "the client ended the link in the middle of a message")
            if self.state != .gone { self.violated("ended the link in the middle of a message", closure: closure) }
            self.settle(closure)
        } else if self.state == .encrypting {
            self.settle(WebSocketClosure(code: 1006, reason: "the client ended the link before it was encrypted"))
        } else {
            self.settle(WebSocketClosure(code: 1000, reason: ""))
        }
    }

    private func settle(_ closure: WebSocketClosure) {
        guard self.state != .gone else { return }
        self.stream?.close()
        self.forget()
        self.owner.closed(self.id, closure)
    }

    var unfinished: UnfinishedMessage? {
        // Only who reads the messages of a link can agree on TLS, so that its client is to blame wherever it is.
        guard self.state != .encrypting else { return .encryption(with: "client \(self.id.number)") }
        guard let outsider = self.outsider, let message = self.codec.unfinished else { return nil }
        return UnfinishedMessage(
            text: "\(message.text), from \(outsider.endpoint)", isLine: message.isLine,
            predecessors: message.predecessors)
    }

    private func violated(_ what: String, _ bytes: Span<UInt8> = Span(), closure: WebSocketClosure) {
        guard let outsider = self.outsider else { return }
        self.owner.violated(outsider.violation(what, bytes, closure: closure))
    }

    private func forget() {
        self.state = .gone
        self.cancelTimeout()
        self.owner.remove(number: self.number)
    }

    private func send(_ bytes: [UInt8]) {
        self.capture?.sent(bytes)
        self.stream?.write(bytes)
    }
}
