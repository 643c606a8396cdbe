import HTTPTypes
import Machines

/// One connection of a client driver that carries one exchange after another, by HTTP/1.1.
///
/// Where both sides support HTTP/2, the end of the TLS handshake decides which version is spoken: until then the
/// request waits, and if it is HTTP/2, another takes the connection over.
///
/// | state | event | becomes |
/// |---|---|---|
/// | idle | exchange started | busy |
/// | busy | the server chooses HTTP/2 | taken over by ``HTTP2ClientConnection`` |
/// | busy | answer whole, connection stays | idle |
/// | busy | answer whole, connection does not stay | gone |
/// | busy | a redirect whole, or the refusal of a token | idle or gone; the exchange goes on |
/// | busy | the server ends a kept connection as the request is sent | gone; the exchange is tried again |
/// | busy | other failure, time limit | gone; the exchange fails |
/// | idle | the server ends the connection | gone |
/// | idle | bytes that no request asked for | spoilt or gone; a violation, unless they are an end in words |
/// | spoilt | more of them, or their end | gone; the same |
/// | any | ``abort()`` | gone; nothing more is heard |
final class HTTPClientConnection: ByteStreamDelegate, HTTPConnection {
    /// For how long after a request the end of its connection may have crossed it; defined here.
    private static let crossingTime = Duration.seconds(1)

    let destination: Destination
    private let owner: ClientConnections
    let capture: WireCapture?
    private var stream: (any ByteStream)?
    private var parser: HTTPResponseParser
    private var exchange: OngoingExchange?

    /// Whether the connection is up.
    private var isOpen = false

    /// What speaks on the connection instead.
    private var successor: HTTP2ClientConnection?
    private var hasServed = false
    private var isGone = false

    /// Whether the server has sent bytes that no request asked for.
    private var isSpoilt = false

    /// Those bytes, as long as they are to be judged.
    private var unasked = UnaskedBytes()

    /// Whether the last answer was a switch to another protocol.
    private var hasSwitched = false

    /// When the last exchange ended.
    private(set) var idleSince = Instant.start

    /// Creates a connection that is not connected yet.
    init(owner: ClientConnections, destination: Destination, capture: WireCapture?) {
        self.owner = owner
        self.destination = destination
        self.capture = capture
        self.parser = HTTPResponseParser(limits: owner.configuration.bounds.limits)
    }

    /// Whether nothing is under way on it.
    var isIdle: Bool { self.exchange == nil && !self.isGone }

    var hasRoom: Bool { self.isIdle && !self.isSpoilt }

    var exchanges: [OngoingExchange] { self.exchange.map { [$0] } ?? [] }

    /// Starts connecting; what is written meanwhile is sent when it is open.
    ///
    /// - Parameter hasOwnLimit: Whether the request has a time limit of its own, which then is that of the connection.
    func connect(hasOwnLimit: Bool) {
        self.stream = self.owner.connect(
            to: self.destination, timeLimit: hasOwnLimit ? .none : .standard, delegate: self)
    }

    /// Sends a request, now or as soon as it is known by which version of HTTP.
    func carry(_ exchange: OngoingExchange) {
        exchange.transport = self
        self.exchange = exchange
        var limits = self.owner.configuration.bounds.limits
        if exchange.exchange.isStreamed { limits.body = .max }
        self.parser = HTTPResponseParser(limits: limits)
        self.parser.expect(exchange.exchange.request.head.method)
        if self.isOpen || !self.destination.security.offersHTTP2 { self.transmit(exchange.exchange) }
    }

    private func transmit(_ exchange: ClientExchange) {
        var request = self.owner.dressed(exchange)
        var bytes: [UInt8] = []
        if case .relay(let proxy) = self.destination.way {
            request.head.headerFields[.proxyAuthorization] = proxy.authorization
            HTTPSerializer.write(request, isForProxy: true, into: &bytes)
        } else {
            HTTPSerializer.write(request, into: &bytes)
        }
        self.capture?.record(.sent, .request(request))
        self.capture?.sent(bytes)
        self.stream?.write(bytes)
    }

    /// Ends a connection without an exchange.
    func close() {
        self.leave()
        self.stream?.close()
    }

    /// Drops the connection; the exchange under way is forgotten.
    func abort() {
        self.leave()
        self.stream?.abort()
        self.stream = nil
    }

    private func leave() {
        self.isGone = true
        self.exchange?.abandon()
        self.exchange = nil
        self.owner.remove(self)
    }

    // MARK: ExchangeTransport

    func drop(_ exchange: OngoingExchange) {
        if self.exchange === exchange { self.abort() }
    }

    var hasBegunAnswer: Bool { self.parser.hasBegun }

    func release(_ exchange: OngoingExchange) {
        self.exchange = nil
        self.hasServed = true
        // A switch of protocols that nobody asked for leaves a connection that speaks something else.
        guard self.parser.keepsAlive, !self.hasSwitched else { return self.close() }
        self.idleSince = self.owner.scheduler.now
        if !self.isSpoilt { self.owner.becameIdle() }
    }

    // MARK: ByteStreamDelegate

    func streamOpened() {
        self.capture?.record(.received, .opened(self.destination.endpoint))
        self.isOpen = true
        if let stream = self.stream { self.owner.opened(stream) }
        guard self.destination.security.offersHTTP2, let exchange = self.exchange else { return }
        guard self.stream?.agreedProtocol == "h2", let stream = self.stream else {
            return self.transmit(exchange.exchange)
        }
        let successor = HTTP2ClientConnection(
            owner: self.owner, destination: self.destination, stream: stream, capture: self.capture)
        self.successor = successor
        self.exchange = nil
        self.isGone = true
        self.stream = nil
        self.owner.replace(self, by: successor)
        successor.carry(exchange)
    }

    func streamReceived(_ bytes: Span<UInt8>) {
        if let successor = self.successor { return successor.streamReceived(bytes) }
        guard !self.isGone else { return }
        self.capture?.received(bytes)
        guard self.exchange != nil else { return self.takeUnasked(bytes, from: 0) }
        var offset = 0
        var isDivided = self.parser.hasBegun
        do throws(HTTPSyntaxError) {
            while !self.isGone, let part = try self.parser.next(bytes, at: &offset) {
                isDivided = false
                guard case .end = part, offset < bytes.count else {
                    self.take(part)
                    continue
                }
                // What follows an answer was sent before anybody could ask for it, so nobody may ask on this connection
                // any more, not even in the moment in which the answer is handed on.
                self.isSpoilt = true
                self.take(part)
                return self.takeUnasked(bytes, from: offset)
            }
        } catch {
            self.fail(self.malformedAnswer(error.told(with: bytes, from: isDivided ? nil : offset)))
        }
    }

    func streamReachedEnd() {
        if let successor = self.successor { return successor.streamReachedEnd() }
        guard !self.isGone else { return }
        guard self.exchange != nil else {
            self.judgeUnasked(isEnd: true)
            self.close()
            return
        }
        do throws(HTTPSyntaxError) {
            if let part = try self.parser.finish() { self.take(part) }
        } catch {
            self.lost(error.message, isOrderly: true)
        }
    }

    func streamClosed(_ failure: TransportFailure?) {
        if let successor = self.successor {
            self.successor = nil
            return successor.streamClosed(failure)
        }
        self.capture?.record(.received, .closed(failure?.message))
        self.stream = nil
        guard !self.isGone else { return }
        guard self.exchange != nil else {
            self.judgeUnasked(isEnd: true)
            self.leave()
            return
        }
        if let failure, failure.code == .cannotConnect || failure.code == .tlsFailed {
            self.fail(failure)
        } else {
            self.lost(failure?.message ?? "the connection was closed", isOrderly: failure == nil)
        }
    }

    // MARK: What no request asked for

    /// Takes in bytes that no request asked for.
    private func takeUnasked(_ bytes: Span<UInt8>, from offset: Int) {
        // Whether they are still heard on a connection that does not stay is a matter of chance, and behind a switch of
        // protocols they are something else.
        guard !self.isGone else { return }
        self.isSpoilt = true
        self.unasked.append(bytes, from: offset)
        self.judgeUnasked(isEnd: false)
        // It may yet be told what they come to, among no more connections than are kept anyway.
        if !self.isGone { self.owner.becameIdle() }
    }

    /// Tells of bytes that no server may send, and ends their connection.
    ///
    /// - Parameter isEnd: Whether no more of them come.
    private func judgeUnasked(isEnd: Bool) {
        switch self.unasked.meaning {
        case .farewell: self.close()
        case .undecided where !isEnd || self.unasked.bytes.isEmpty: break
        case .undecided, .violation:
            let text = "bytes that no request asked for, behind a complete answer"
            self.capture?.record(.received, .closed("the server sent \(text)"))
            self.abort()
            let message = "\(self.destination.endpoint) sent \(text)"
            self.owner.report(.violated(ServerViolation(message: message, bytes: self.unasked.bytes)))
        }
    }

    // MARK: The answer

    private func take(_ part: HTTPResponsePart) {
        guard let exchange = self.exchange else { return }
        switch part {
        case .head(let head):
            self.hasSwitched = head.status.code == 101
            exchange.began(head)
        case .body(let bytes): exchange.received(bytes)
        case .end: exchange.ended()
        }
    }

    /// The connection ended too early.
    ///
    /// A server may end a kept connection in the very moment in which the next request is on its way; such an exchange
    /// is tried once more, if that does no harm (RFC 9112 section 9.3.1). That end is an orderly one, and it is seen
    /// about one way to the server later. Everything else, above all a connection that the server drops, is a fault
    /// that whoever made the request must hear of.
    private func lost(_ reason: String, isOrderly: Bool) {
        guard let exchange = self.exchange else { return }
        let isRecent = self.owner.scheduler.now - exchange.start <= Self.crossingTime
        if self.hasServed, isOrderly, isRecent, !self.parser.hasBegun, exchange.exchange.isIdempotent {
            self.abort()
            self.owner.sendAgain(
                exchange.exchange, to: self.destination, because: "ended the kept connection without an answer")
        } else {
            self.fail(self.incompleteAnswer(reason))
        }
    }

    private func fail(_ failure: TransportFailure) { self.exchange?.fail(failure) }
}
