import HTTPTypes
import Machines

/// One connection of a client driver over which any number of exchanges go at once, by HTTP/2.
///
/// | state | event | becomes |
/// |---|---|---|
/// | open | exchange started | open |
/// | open | the server takes no more (GOAWAY), or the numbers are used up | draining |
/// | open | closed by this side | gone |
/// | draining | the last exchange ends | gone |
/// | open, draining | what is no HTTP/2, or the end of the connection | gone; all exchanges fail |
final class HTTP2ClientConnection: HTTPConnection {
    /// The most exchanges under way at once, whatever the server offers; defined here.
    private static let mostExchanges = 100

    let destination: Destination
    private let owner: ClientConnections
    let capture: WireCapture?
    private var stream: (any ByteStream)?
    private let session: HTTP2Session
    private var running: [Int: OngoingExchange] = [:]
    /// How many bytes of the bodies of their answers have come.
    private var bodyCounts: [Int: Int] = [:]
    private var capacity = HTTP2ClientConnection.mostExchanges
    private var isDraining = false
    private var isGone = false

    /// When the last exchange ended.
    private(set) var idleSince = Instant.start

    /// Takes over a connection on which nothing has been said yet.
    init(
        owner: ClientConnections, destination: Destination, stream: any ByteStream, capture: WireCapture?
    ) {
        self.owner = owner
        self.destination = destination
        self.stream = stream
        self.capture = capture
        self.session = HTTP2Session(limits: owner.configuration.bounds.limits)
    }

    /// Whether nothing is under way.
    var isIdle: Bool { self.running.isEmpty }

    /// Whether it can take one more exchange.
    var hasRoom: Bool {
        !self.isGone && !self.isDraining && self.session.takesRequests && self.running.count < self.capacity
    }

    /// What is under way, in the order in which it began.
    var exchanges: [OngoingExchange] { self.running.sorted { $0.key < $1.key }.map(\.value) }

    /// Sends a request.
    func carry(_ exchange: OngoingExchange) {
        exchange.transport = self
        let request = self.owner.dressed(exchange.exchange)
        let number = self.session.send(request)
        self.running[number] = exchange
        self.capture?.record(.sent, .request(request))
        self.transmit()
        for event in self.session.takeEvents() {
            guard !self.isGone else { return }
            // What HTTP/2 cannot say is refused before it is sent.
            guard case .reset(let refused, let reason, _) = event, refused == number else {
                self.take(event)
                continue
            }
            self.forget(number)
            exchange.fail(
                TransportFailure(
                    .malformed, "the request cannot be sent to \(self.destination.endpoint) by HTTP/2: \(reason)"))
            self.restIfIdle()
        }
    }

    private func transmit() {
        let bytes = self.session.takeOutput()
        guard !bytes.isEmpty else { return }
        self.capture?.sent(bytes)
        self.stream?.write(bytes)
    }

    // MARK: ExchangeTransport

    // Heads come whole.
    var hasBegunAnswer: Bool { false }

    func drop(_ exchange: OngoingExchange) {
        guard let number = self.running.first(where: { $0.value === exchange })?.key else { return }
        self.forget(number)
        self.session.cancel(number)
        self.transmit()
        self.restIfIdle()
    }

    func release(_ exchange: OngoingExchange) {
        guard let number = self.running.first(where: { $0.value === exchange })?.key else { return }
        self.forget(number)
        self.restIfIdle()
    }

    private func forget(_ number: Int) {
        self.running[number] = nil
        self.bodyCounts[number] = nil
    }

    private func restIfIdle() {
        guard self.running.isEmpty, !self.isGone else { return }
        self.idleSince = self.owner.scheduler.now
        if self.isDraining { self.close() } else { self.owner.becameIdle() }
    }

    /// Ends a connection without exchanges.
    func close() {
        guard !self.isGone else { return }
        self.session.finish()
        self.transmit()
        self.leave()
        self.stream?.close()
    }

    /// Drops the connection; the exchanges under way are forgotten.
    func abort() {
        self.leave()
        self.stream?.abort()
        self.stream = nil
    }

    private func leave() {
        self.isGone = true
        for exchange in self.running.values { exchange.abandon() }
        self.running = [:]
        self.bodyCounts = [:]
        self.owner.remove(self)
    }

    // MARK: What the stream's delegate passes on

    func streamReceived(_ bytes: Span<UInt8>) {
        guard !self.isGone else { return }
        self.capture?.received(bytes)
        self.session.receive(bytes)
        self.take(self.session.takeEvents())
        if !self.isGone { self.transmit() }
    }

    func streamReachedEnd() { self.fail("the server ended the connection") }

    func streamClosed(_ failure: TransportFailure?) {
        self.capture?.record(.received, .closed(failure?.message))
        self.stream = nil
        self.fail(failure?.message ?? "the connection was closed")
    }

    // MARK: Answers

    private func take(_ events: [HTTP2Session.Event]) {
        for event in events {
            guard !self.isGone else { return }
            self.take(event)
        }
    }

    private func take(_ event: HTTP2Session.Event) {
        switch event {
        case .head(let number, let head): self.running[number]?.began(head)
        case .body(let number, let bytes): self.take(bytes, number)
        case .end(let number): self.running[number]?.ended()
        case .reset(let number, let reason, let isUnprocessed):
            self.reset(number, because: reason, isUnprocessed: isUnprocessed)
        case .capacity(let count): self.capacity = min(count, Self.mostExchanges)
        case .draining:
            self.isDraining = true
            self.restIfIdle()
        case .failed(let reason):
            // The library has written why.
            self.transmit()
            self.fail(reason, .malformed)
        }
    }

    private func take(_ bytes: [UInt8], _ number: Int) {
        guard let exchange = self.running[number] else { return }
        let count = (self.bodyCounts[number] ?? 0) + bytes.count
        self.bodyCounts[number] = count
        let limit = self.owner.configuration.bounds.limits.body
        guard exchange.exchange.isStreamed || count <= limit else {
            return exchange.fail(self.malformedAnswer("the body is longer than \(limit) bytes"))
        }
        exchange.received(bytes)
    }

    private func reset(_ number: Int, because reason: String, isUnprocessed: Bool) {
        guard let exchange = self.running[number] else { return }
        self.forget(number)
        guard isUnprocessed, !exchange.exchange.needsNewConnection else {
            exchange.fail(self.incompleteAnswer(reason))
            return self.restIfIdle()
        }
        // Nothing has been done about it yet, so it may be asked for once more (RFC 9113 section 8.7).
        exchange.abandon()
        self.isDraining = true
        self.restIfIdle()
        self.owner.sendAgain(exchange.exchange, to: self.destination, because: "has not processed it: \(reason)")
    }

    private func fail(_ reason: String, _ code: TransportFailure.Code = .connectionLost) {
        guard !self.isGone else { return }
        let exchanges = self.exchanges
        // Nothing is sent for exchanges of a connection that is over.
        self.running = [:]
        self.abort()
        if exchanges.isEmpty, code == .malformed {
            let message =
                "\(self.destination.endpoint) sent what is not acceptable HTTP while no request was under way: "
                + reason
            self.owner.report(.violated(ServerViolation(message: message)))
        }
        let failure = code == .malformed ? self.malformedAnswer(reason) : self.incompleteAnswer(reason)
        for exchange in exchanges { exchange.fail(failure) }
    }
}
