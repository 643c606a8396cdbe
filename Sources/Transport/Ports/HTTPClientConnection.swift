import HTTPTypes
import Machines

/// One connection of a client port that carries one exchange after another.
///
/// | state | event | becomes |
/// |---|---|---|
/// | idle | exchange started | busy |
/// | busy | answer whole, connection stays | idle |
/// | busy | answer whole, connection does not stay | gone |
/// | busy | the server ends a kept connection as the request is sent | gone; the exchange is tried again |
/// | busy | other failure, time limit | gone; the exchange fails |
/// | idle | the server ends the connection | gone |
/// | any | ``abort()`` | gone; nothing more is heard |
final class HTTPClientConnection: ByteStreamDelegate {
    /// For how long after a request the end of its connection may have crossed it; defined here.
    private static let crossingTime = Duration.seconds(1)

    let destination: Destination
    private let port: ClientPort
    private let capture: WireCapture?
    private var stream: (any ByteStream)?
    private var parser: HTTPResponseParser
    private(set) var exchange: ClientExchange?

    /// When the exchange began.
    private(set) var exchangeStart = Instant.start
    private var head: HTTPResponse?
    private var body: [UInt8] = []
    private var timeout: ScheduledID?
    private var hasServed = false
    private var isGone = false

    /// Whether the server has sent bytes that no request asked for.
    private var isSpoilt = false

    /// When the last exchange ended.
    private(set) var idleSince = Instant.start

    /// Creates a connection that is not connected yet.
    init(port: ClientPort, destination: Destination, capture: WireCapture?) {
        self.port = port
        self.destination = destination
        self.capture = capture
        self.parser = HTTPResponseParser(limits: port.configuration.limits)
    }

    /// Whether it can take an exchange.
    var isIdle: Bool { self.exchange == nil && !self.isGone }

    /// The exchange under way.
    var exchangeID: ExchangeID? { self.exchange?.id }

    /// Starts connecting; what is written meanwhile is sent when it is open.
    func connect() {
        self.stream = self.port.network.connect(
            to: self.destination.endpoint, security: self.destination.security, delegate: self)
    }

    /// Sends a request.
    func start(_ exchange: ClientExchange) {
        self.exchangeStart = self.port.scheduler.now
        var limits = self.port.configuration.limits
        if exchange.isStreamed { limits.body = .max }
        self.exchange = exchange
        self.parser = HTTPResponseParser(limits: limits)
        self.parser.expect(exchange.request.head.method)
        if let limit = exchange.request.timeLimit ?? self.port.configuration.exchangeTimeout {
            self.timeout = self.port.scheduler.schedule(after: limit) { self.timedOut(limit) }
        }
        var bytes: [UInt8] = []
        HTTPSerializer.write(exchange.request, into: &bytes)
        self.capture?.sent(.request(exchange.request))
        self.capture?.sent(.bytes(bytes))
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
        self.exchange = nil
        self.cancelTimeout()
        self.port.remove(self)
    }

    private func cancelTimeout() {
        if let timeout = self.timeout { self.port.scheduler.cancel(timeout) }
        self.timeout = nil
    }

    private func timedOut(_ limit: Duration) {
        self.timeout = nil
        let what = self.parser.hasBegun ? "the answer was not whole" : "there was no answer"
        self.fail(
            TransportFailure(
                .timedOut, "\(what) \(limit.scriptText) after the request to \(self.destination.endpoint)"))
    }

    // MARK: ByteStreamDelegate

    func streamOpened() {
        self.capture?.received(.opened(self.destination.endpoint))
    }

    func streamReceived(_ bytes: Span<UInt8>) {
        guard !self.isGone else { return }
        self.capture?.received(bytes)
        var offset = 0
        do throws(HTTPSyntaxError) {
            while !self.isGone, let part = try self.parser.next(bytes, at: &offset) {
                // What follows an answer was sent before anybody could ask for it: no later request is to take it for
                // its own (RFC 9112 section 9.2), so nothing more is sent on this connection.
                if case .end = part, offset < bytes.count { self.isSpoilt = true }
                self.take(part)
            }
        } catch {
            self.malformed(error)
        }
    }

    func streamReachedEnd() {
        guard !self.isGone else { return }
        guard self.exchange != nil else {
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
        self.capture?.received(.closed(failure?.message))
        self.stream = nil
        guard !self.isGone else { return }
        guard self.exchange != nil else {
            self.leave()
            return
        }
        if let failure, failure.code == .cannotConnect || failure.code == .tlsFailed {
            self.fail(failure)
        } else {
            self.lost(failure?.message ?? "the connection was closed", isOrderly: failure == nil)
        }
    }

    // MARK: The answer

    private func take(_ part: HTTPResponsePart) {
        guard let exchange = self.exchange else { return }
        switch part {
        case .head(let head):
            guard exchange.isStreamed else {
                self.head = head
                return
            }
            self.cancelTimeout()
            self.capture?.received(.response(Response(head)))
            self.port.feed(.responseBegan(exchange.id, head))
        case .body(let bytes):
            guard exchange.isStreamed else {
                if self.body.isEmpty { self.body = bytes } else { self.body += bytes }
                return
            }
            self.capture?.received(.bodyPart(bytes))
            self.port.feed(.bodyReceived(exchange.id, bytes))
        case .end: self.end(exchange)
        }
    }

    private func end(_ exchange: ClientExchange) {
        let answer = self.head.map { Response($0, body: self.body) }
        // A switch of protocols that nobody asked for leaves a connection that speaks something else.
        let stays = self.parser.keepsAlive && self.head?.status.code != 101 && !self.isSpoilt
        self.head = nil
        self.body = []
        self.exchange = nil
        self.hasServed = true
        self.cancelTimeout()
        if stays {
            self.idleSince = self.port.scheduler.now
            self.port.keep(self)
        } else {
            self.close()
        }
        guard let answer else {
            self.port.feed(.responseEnded(exchange.id))
            return
        }
        self.capture?.received(.response(answer))
        self.port.feed(.responded(exchange.id, answer))
    }

    private func malformed(_ error: HTTPSyntaxError) {
        guard self.exchange != nil else {
            self.abort()
            return
        }
        self.fail(
            TransportFailure(
                .malformed, "the answer of \(self.destination.endpoint) is not acceptable HTTP: \(error.message)"))
    }

    /// The connection ended too early.
    ///
    /// A server may end a kept connection in the very moment in which the next request is on its way; such an exchange is
    /// tried once more, if that does no harm (RFC 9112 section 9.3.1). That end is an orderly one, and it is seen about
    /// one way to the server later. Everything else, above all a connection that the server drops, is a fault that
    /// whoever made the request must hear of.
    private func lost(_ reason: String, isOrderly: Bool) {
        guard var exchange = self.exchange else { return }
        let isRecent = self.port.scheduler.now - self.exchangeStart <= Self.crossingTime
        if self.hasServed, isOrderly, isRecent, !self.parser.hasBegun, exchange.isIdempotent {
            self.abort()
            exchange.needsNewConnection = true
            self.port.begin(exchange)
        } else {
            self.fail(
                TransportFailure(
                    .connectionLost, "\(self.destination.endpoint) did not answer in full: \(reason)"))
        }
    }

    private func fail(_ failure: TransportFailure) {
        guard let exchange = self.exchange else { return }
        self.abort()
        self.port.feed(.exchangeFailed(exchange.id, failure))
    }
}
