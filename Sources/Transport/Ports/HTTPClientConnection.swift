import HTTPTypes
import Machines

/// One connection of a client port that carries one exchange after another.
///
/// | state | event | becomes |
/// |---|---|---|
/// | idle | exchange started | busy |
/// | busy | answer whole, connection stays | idle |
/// | busy | answer whole, connection does not stay | gone |
/// | busy | a redirect whole, or the refusal of a token | idle or gone; the exchange goes on |
/// | busy | the server ends a kept connection as the request is sent | gone; the exchange is tried again |
/// | busy | other failure, time limit | gone; the exchange fails |
/// | idle | the server ends the connection | gone |
/// | any | ``abort()`` | gone; nothing more is heard |
final class HTTPClientConnection: ByteStreamDelegate {
    /// How an exchange goes on after an answer.
    private enum Sequel {
        /// Where a redirect leads.
        case follow(Request)
        /// With another token.
        case renewToken
    }

    /// For how long after a request the end of its connection may have crossed it; defined here.
    private static let crossingTime = Duration.seconds(1)

    let destination: Destination
    private let owner: ClientConnections
    private let capture: WireCapture?
    private var stream: (any ByteStream)?
    private var parser: HTTPResponseParser
    private(set) var exchange: ClientExchange?

    /// When the exchange began.
    private(set) var exchangeStart = Instant.start
    private var head: HTTPResponse?
    private var body: [UInt8] = []

    /// Expands the body, if it is compressed.
    private var decoder: ContentDecoder?

    /// What follows the answer under way, which nobody is told of.
    private var sequel: Sequel?
    private var timeout: ScheduledID?
    private var hasServed = false
    private var isGone = false

    /// Whether the server has sent bytes that no request asked for.
    private var isSpoilt = false

    /// When the last exchange ended.
    private(set) var idleSince = Instant.start

    /// Creates a connection that is not connected yet.
    init(owner: ClientConnections, destination: Destination, capture: WireCapture?) {
        self.owner = owner
        self.destination = destination
        self.capture = capture
        self.parser = HTTPResponseParser(limits: owner.configuration.limits)
    }

    /// Whether it can take an exchange.
    var isIdle: Bool { self.exchange == nil && !self.isGone }

    /// The exchange under way.
    var exchangeID: ExchangeID? { self.exchange?.id }

    /// Starts connecting; what is written meanwhile is sent when it is open.
    ///
    /// - Parameter hasOwnLimit: Whether the request has a time limit of its own, which then is that of the connection.
    func connect(hasOwnLimit: Bool) {
        self.stream = self.owner.connect(
            to: self.destination, timeLimit: hasOwnLimit ? .none : .standard, delegate: self)
    }

    /// Sends a request.
    func start(_ exchange: ClientExchange) {
        self.exchangeStart = self.owner.scheduler.now
        var limits = self.owner.configuration.limits
        if exchange.isStreamed { limits.body = .max }
        self.exchange = exchange
        self.parser = HTTPResponseParser(limits: limits)
        self.parser.expect(exchange.request.head.method)
        if let limit = exchange.request.timeLimit ?? self.owner.configuration.exchangeTimeout {
            // The time of redirects and of asking for tokens counts, too.
            let left = max(.zero, limit - (self.exchangeStart - exchange.begin))
            self.timeout = self.owner.scheduler.schedule(after: left) { self.timedOut(limit) }
        }
        var request = self.owner.dressed(exchange)
        var bytes: [UInt8] = []
        if case .relay(let proxy) = self.destination.way {
            request.head.headerFields[.proxyAuthorization] = proxy.authorization
            HTTPSerializer.write(request, isForProxy: true, into: &bytes)
        } else {
            HTTPSerializer.write(request, into: &bytes)
        }
        self.capture?.sent(.request(request))
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
        self.decoder = nil
        self.cancelTimeout()
        self.owner.remove(self)
    }

    private func cancelTimeout() {
        if let timeout = self.timeout { self.owner.scheduler.cancel(timeout) }
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
        case .head(let head): self.began(head, exchange)
        case .body(let bytes): self.received(bytes, exchange)
        case .end: self.end(exchange)
        }
    }

    private func began(_ head: HTTPResponse, _ exchange: ClientExchange) {
        let request = exchange.request
        if request.handling.usesCookies { self.owner.keepCookies(of: head, to: request.head) }
        switch Redirect.after(head, to: request, visited: exchange.visited, hosts: self.owner.configuration.hosts) {
        case .none: break
        case .refused(let failure):
            self.capture?.received(.response(Response(head)))
            return self.fail(failure)
        case .follow(let next):
            self.capture?.received(.response(Response(head)))
            self.sequel = .follow(next)
            return
        }
        if head.status.code == 401, exchange.token != nil, !exchange.hasNewToken {
            self.capture?.received(.response(Response(head)))
            self.owner.rejected(exchange)
            self.sequel = .renewToken
            return
        }
        let limit = exchange.isStreamed ? Int.max : self.owner.configuration.limits.body
        self.decoder = request.handling.takesCompressed ? ContentDecoder(head, limit: limit) : nil
        guard exchange.isStreamed else {
            self.head = head
            return
        }
        self.cancelTimeout()
        self.capture?.received(.response(Response(head)))
        self.owner.feed(.responseBegan(exchange.id, head))
    }

    private func received(_ bytes: [UInt8], _ exchange: ClientExchange) {
        // Nobody wants the body of an answer that is not the last.
        guard self.sequel == nil else { return }
        guard let decoder = self.decoder else { return self.deliver(bytes, exchange) }
        do throws(ContentDecoder.Failure) {
            try decoder.decode(bytes) { piece in
                self.deliver(piece, exchange)
                return self.exchange?.id == exchange.id
            }
        } catch {
            self.unreadable(error.message)
        }
    }

    private func deliver(_ bytes: [UInt8], _ exchange: ClientExchange) {
        guard exchange.isStreamed else {
            if self.body.isEmpty { self.body = bytes } else { self.body += bytes }
            return
        }
        self.capture?.received(.bodyPart(bytes))
        self.owner.feed(.bodyReceived(exchange.id, bytes))
    }

    private func end(_ exchange: ClientExchange) {
        do throws(ContentDecoder.Failure) { try self.decoder?.finish() } catch {
            return self.unreadable(error.message)
        }
        let answer = self.head.map { Response($0, body: self.body) }
        let sequel = self.sequel
        self.head = nil
        self.body = []
        self.decoder = nil
        self.sequel = nil
        self.exchange = nil
        self.hasServed = true
        self.cancelTimeout()
        self.rest(after: answer)
        if let sequel {
            var exchange = exchange
            switch sequel {
            case .follow(let request): exchange.follow(request)
            case .renewToken: exchange.renewToken()
            }
            self.owner.begin(exchange)
        } else if let answer {
            self.capture?.received(.response(answer))
            self.owner.finished(exchange, .success(answer))
        } else {
            self.owner.ended(exchange)
        }
    }

    /// Waits for the next exchange, or ends the connection.
    private func rest(after answer: Response?) {
        // A switch of protocols that nobody asked for leaves a connection that speaks something else.
        guard self.parser.keepsAlive, answer?.head.status.code != 101, !self.isSpoilt else { return self.close() }
        self.idleSince = self.owner.scheduler.now
        self.owner.keep(self)
    }

    private func unreadable(_ message: String) {
        self.fail(
            TransportFailure(
                .malformed, "the answer of \(self.destination.endpoint) cannot be read: \(message)"))
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
        let isRecent = self.owner.scheduler.now - self.exchangeStart <= Self.crossingTime
        if self.hasServed, isOrderly, isRecent, !self.parser.hasBegun, exchange.isIdempotent {
            self.abort()
            exchange.needsNewConnection = true
            self.owner.begin(exchange)
        } else {
            self.fail(
                TransportFailure(
                    .connectionLost, "\(self.destination.endpoint) did not answer in full: \(reason)"))
        }
    }

    private func fail(_ failure: TransportFailure) {
        guard let exchange = self.exchange else { return }
        self.abort()
        self.owner.finished(exchange, .failure(failure))
    }
}
