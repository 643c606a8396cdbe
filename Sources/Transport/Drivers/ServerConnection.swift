import HTTPTypes
import Machines

/// One connection of a server: requests one after another, or a WebSocket.
///
/// | state | event | becomes | the machine hears |
/// |---|---|---|---|
/// | receiving | whole request | answering | requested |
/// | receiving | whole handshake | upgrading | upgradeRequested |
/// | receiving | malformed request, time limit | leaving, with 4xx | |
/// | answering | ``respond(_:)`` | receiving, or leaving | |
/// | answering | ``begin(_:)`` | streaming | |
/// | streaming | ``end()`` | receiving, or leaving | |
/// | answering, streaming | the client ends the connection | gone | requestAbandoned |
/// | upgrading | ``accept(subprotocol:compression:)`` | open | |
/// | upgrading | ``refuse(_:)`` | receiving, or leaving | |
/// | upgrading, open | the client ends the connection | gone | closed with 1006 |
/// | open | message | open | received |
/// | open | close frame | leaving | closed |
/// | open | violation | leaving | closed with 1006 |
/// | leaving | the client ends the connection, time limit | gone | |
/// | any | ``abort()`` | gone | |
final class ServerConnection: ByteStreamDelegate, ServerPeer, TimeLimited {
    private enum State {
        case receiving
        case answering(ExchangeID)
        /// With the bytes that a body of known length still lacks.
        case streaming(ExchangeID, HTTPBodyFraming)
        /// With the header of extensions that the client offers.
        case upgrading(ConnectionID, key: String, extensions: String?)
        case open(ConnectionID)
        case leaving
        case gone
    }

    /// So many characters of a path are told.
    private static let shownPath = 200

    let number: UInt64
    private let owner: ServerConnections
    private var capture: WireCapture?
    private var stream: (any ByteStream)?
    private var state = State.receiving
    private var parser: HTTPRequestParser
    /// Beside the state, not in it, so that its buffers are changed in place.
    private var codec = WebSocketCodec(role: .server)
    private var request: HTTPRequest?
    private var body: [UInt8] = []
    private var method = HTTPRequest.Method.get
    /// What the client sent ahead of an answer.
    private var held: [UInt8] = []
    private var isConsuming = false
    /// How many whole requests and messages have come, from zero again after the most that it holds.
    private var messageCount: UInt32 = 0
    /// Whether anything has come.
    private var hasHeard = false
    /// Who is at the other end, if that is known to be somebody outside of this process.
    @Boxed private var outsider: Outsider?
    private var deadline = Instant.start
    private var isWatched = false
    var timeout: ScheduledID?

    /// Creates a connection that has just been accepted.
    init(owner: ServerConnections, number: UInt64, stream: any ByteStream, capture: WireCapture?) {
        self.owner = owner
        self.number = number
        self.stream = stream
        self.capture = capture
        self.parser = HTTPRequestParser(limits: owner.configuration.limits)
    }

    var scheduler: any Scheduler { self.owner.scheduler }

    /// Waits for the first request.
    func admit() { self.awaitRequest() }

    /// Sends the client away, for there are connections enough.
    func turnAway() {
        self.refuseRequest(.serviceUnavailable, "This server has reached its limit of connections. Try again later.")
    }

    // MARK: Effects

    /// Answers the request.
    func respond(_ response: Response) {
        guard case .answering = self.state else { return }
        self.answer(response)
    }

    /// Begins a streamed answer.
    func begin(_ head: HTTPResponse) {
        guard case .answering(let id) = self.state else { return }
        let framing = HTTPBodyFraming(for: head, isVersion11: self.parser.isVersion11)
        self.state = .streaming(id, framing)
        var bytes: [UInt8] = []
        HTTPSerializer.begin(head, framing: framing, keepsAlive: self.parser.keepsAlive, into: &bytes)
        self.capture?.record(.sent, .response(Response(head)))
        self.send(bytes)
    }

    /// Sends a piece of a streamed answer; what is more than the length that was said is left out.
    func write(_ bytes: [UInt8]) {
        guard case .streaming(let id, let framing) = self.state, self.method != .head else { return }
        var bytes = bytes
        if case .length(let remaining) = framing {
            bytes.removeLast(max(0, bytes.count - remaining))
            self.state = .streaming(id, .length(remaining - bytes.count))
        }
        guard !bytes.isEmpty else { return }
        self.capture?.record(.sent, .bodyPart(bytes))
        guard framing == .chunked else {
            self.send(bytes)
            return
        }
        var chunk: [UInt8] = []
        HTTPSerializer.chunk(bytes, into: &chunk)
        self.send(chunk)
    }

    /// Ends a streamed answer, or an answer that was never begun with an empty one.
    func end() {
        if case .answering = self.state {
            self.answer(Response(HTTPResponse(status: .ok)))
            return
        }
        guard case .streaming(_, let framing) = self.state else { return }
        if framing == .chunked, self.method != .head { self.send(HTTPSerializer.lastChunk) }
        let isWhole = framing == .chunked || framing == .length(0) || self.method == .head
        self.answered(stays: isWhole && framing != .untilClose && self.parser.keepsAlive)
    }

    /// Accepts a WebSocket.
    func accept(subprotocol: String?, compression: Bool) {
        guard case .upgrading(let id, let key, let extensions) = self.state else { return }
        let agreement = compression ? extensions.flatMap { CompressionAgreement(offered: $0) } : nil
        let head = WebSocketHandshake.response(key: key, subprotocol: subprotocol, extensions: agreement?.answer)
        self.state = .open(id)
        self.codec = WebSocketCodec(
            role: .server, messageLimit: self.owner.configuration.messageLimit, compression: agreement)
        var bytes: [UInt8] = []
        HTTPSerializer.upgrade(head, into: &bytes)
        self.capture?.record(.sent, .response(Response(head)))
        self.send(bytes)
        self.resume()
    }

    /// Refuses a WebSocket.
    func refuse(_ response: Response) {
        guard case .upgrading = self.state else { return }
        self.answer(response)
    }

    /// Sends a message; ignored unless the WebSocket is open.
    func transmit(_ message: WebSocketMessage) {
        guard case .open = self.state, self.codec.isOpen else { return }
        var bytes: [UInt8] = []
        var random = Self.noRandom
        self.codec.write(message, into: &bytes, random: &random)
        self.capture?.record(.sent, .message(message))
        self.send(bytes)
    }

    /// Sends bytes past the codec.
    func transmit(bytes: [UInt8]) {
        guard case .open = self.state else { return }
        self.send(bytes)
    }

    /// Starts the closing handshake.
    func close(code: UInt16?, reason: String) {
        guard case .open(let id) = self.state, self.codec.isOpen else { return }
        var bytes: [UInt8] = []
        var random = Self.noRandom
        self.codec.close(code: code, reason: reason, into: &bytes, random: &random)
        self.sendControl(bytes)
        self.setTimeout(self.owner.configuration.closeTimeout) { limit in
            self.abort()
            self.owner.closed(
                id, WebSocketClosure(code: 1006, reason: "the close frame was not answered within \(limit.scriptText)"))
        }
    }

    /// Drops the connection; nothing more is heard of it.
    func abort() {
        self.stream?.abort()
        self.forget()
    }

    /// Ends the connection because its owner ends; an answer that was given is still sent.
    func endWithOwner() {
        switch self.state {
        case .receiving, .leaving: self.stream?.close()
        case .answering, .streaming, .upgrading, .open, .gone: self.stream?.abort()
        }
        self.forget()
    }

    /// Ends a wait for a request that has lasted too long.
    func checkDeadline(_ now: Instant) {
        self.isWatched = false
        guard case .receiving = self.state else { return }
        if self.deadline > now {
            self.watch()
        } else if self.parser.isIdle {
            self.leave()
        } else {
            let limit = self.owner.configuration.requestTimeout.scriptText
            self.violated("has sent no whole request within \(limit): \(self.begun ?? "")")
            self.refuseRequest(
                .requestTimeout,
                "The request was not complete after \(limit).")
        }
    }

    // MARK: ByteStreamDelegate

    func streamOpened() {
        guard let stream = self.stream else { return }
        self.capture?.record(.received, .opened(stream.peer))
    }

    func streamReceived(_ bytes: Span<UInt8>) {
        if !self.hasHeard, let stream = self.stream {
            self.hasHeard = true
            self.outsider = Outsider(stream)
            self.capture = self.capture ?? self.owner.capture(of: stream, number: self.number)
        }
        self.capture?.received(bytes)
        self.consume(bytes)
    }

    func streamReachedEnd() {
        self.ended("the client ended the connection without a close frame")
        self.stream?.close()
    }

    func streamClosed(_ failure: TransportFailure?) {
        self.capture?.record(.received, .closed(failure?.message))
        self.stream = nil
        self.ended(failure?.message ?? "the connection was closed without a close frame")
    }

    // MARK: Receiving

    private func consume(_ bytes: Span<UInt8>) {
        self.isConsuming = true
        defer { self.isConsuming = false }
        var offset = 0
        while true {
            switch self.state {
            case .receiving:
                do throws(HTTPSyntaxError) {
                    guard let part = try self.parser.next(bytes, at: &offset) else { return }
                    self.take(part)
                } catch {
                    let place = self.begunRequest.map { ", in the body of \($0)" } ?? ""
                    self.violated("sent what is no request of HTTP\(place): \(error.message)", bytes)
                    self.refuseRequest(error.status, "\(error.message).")
                    return
                }
            case .open(let id):
                guard self.takeEvent(bytes, &offset, of: id) else { return }
            case .answering, .streaming, .upgrading:
                guard self.held.count + bytes.count - offset <= self.owner.configuration.aheadLimit else {
                    self.stream?.abort()
                    self.violated("sent more than \(self.owner.configuration.aheadLimit) bytes ahead of an answer")
                    self.ended("the client sent too much ahead of the answer")
                    return
                }
                self.held.append(bytes, offset..<bytes.count)
                return
            case .leaving, .gone: return
            }
        }
    }

    /// Goes on with what was sent ahead.
    private func resume() {
        guard !self.isConsuming, !self.held.isEmpty else { return }
        let bytes = self.held
        self.held = []
        self.consume(bytes.span)
    }

    private func take(_ part: HTTPRequestPart) {
        switch part {
        case .head(let head):
            self.request = head
            if head.headerFields[.expect]?.lowercased() == "100-continue" { self.send(HTTPSerializer.goOn) }
        case .body(let bytes):
            if self.body.isEmpty { self.body = bytes } else { self.body += bytes }
        case .end:
            guard let head = self.request else { return }
            let request = Request(head, body: self.body)
            self.request = nil
            self.body = []
            self.method = head.method
            self.capture?.record(.received, .request(request))
            self.take(request)
        }
    }

    private func take(_ request: Request) {
        self.messageCount &+= 1
        switch WebSocketHandshake.examine(request.head) {
        case .ordinary:
            let id = self.owner.nextExchange(on: self)
            self.state = .answering(id)
            self.owner.deliver(.requested(id, request))
        case .upgrade(let key):
            let id = self.owner.nextLink(on: self)
            self.state = .upgrading(
                id, key: key, extensions: request.head.headerFields[.secWebSocketExtensions])
            self.owner.deliver(.upgradeRequested(id, request))
        case .malformed(let response):
            self.violated(
                "sent a handshake of WebSocket that is none: " + String(decoding: response.body, as: UTF8.self))
            self.answer(response)
        }
    }

    /// Takes the next event of the WebSocket.
    ///
    /// - Returns: False if more bytes are needed.
    private func takeEvent(_ bytes: Span<UInt8>, _ offset: inout Int, of id: ConnectionID) -> Bool {
        var output: [UInt8] = []
        var random = Self.noRandom
        let isAsked = !self.codec.isOpen
        guard let event = self.codec.next(bytes, at: &offset, output: &output, random: &random) else {
            return false
        }
        if !output.isEmpty { self.sendControl(output) }
        switch event {
        case .message(let message):
            self.messageCount &+= 1
            self.capture?.record(.received, .message(message))
            self.owner.deliver(.received(id, message))
        case .ping(let payload): self.capture?.record(.received, .control(.ping, payload))
        case .pong(let payload): self.capture?.record(.received, .control(.pong, payload))
        case .closed(let frame):
            self.capture?.record(.received, .control(.close, frame.payload))
            self.leave()
            let closure = WebSocketClosure(code: frame.code, reason: frame.reason)
            if self.codec.isBrokenOff {
                self.violated("sent a close frame within a message that it had not sent whole")
            } else if !isAsked, closure.isTrouble {
                let reason = closure.reason.isEmpty ? "" : ": \(closure.reason)"
                self.violated("closed the WebSocket with the code \(closure.code)\(reason)", closure: closure)
            }
            self.owner.closed(id, closure)
        case .violated(let error):
            self.leave()
            let closure = WebSocketClosure(code: 1006, reason: "the client broke the protocol: \(error.message)")
            self.violated("broke the protocol of WebSocket: \(error.message)", closure: closure)
            self.owner.closed(id, closure)
        }
        return true
    }

    // MARK: Answering

    private func answer(_ response: Response) {
        let stays = self.parser.keepsAlive
        var bytes: [UInt8] = []
        HTTPSerializer.write(response, to: self.method, keepsAlive: stays, into: &bytes)
        self.capture?.record(.sent, .response(response))
        self.send(bytes)
        self.answered(stays: stays)
    }

    private func answered(stays: Bool) {
        guard stays else {
            self.leave()
            return
        }
        self.awaitRequest()
        self.resume()
    }

    private func awaitRequest() {
        self.state = .receiving
        self.deadline = self.owner.scheduler.now + self.owner.configuration.requestTimeout
        self.watch()
    }

    private func watch() {
        guard !self.isWatched else { return }
        self.isWatched = true
        self.owner.watch(self, until: self.deadline)
    }

    private func refuseRequest(_ status: HTTPResponse.Status, _ text: String) {
        let response = Response(text: text + "\n", status: status)
        var bytes: [UInt8] = []
        HTTPSerializer.write(response, to: .get, keepsAlive: false, into: &bytes)
        self.capture?.record(.sent, .response(response))
        self.send(bytes)
        self.leave()
    }

    // MARK: Leaving

    /// Ends the own direction and waits for the client to go.
    ///
    /// Closing both directions at once would destroy the last answer if the client is still sending.
    private func leave() {
        self.state = .leaving
        self.held = []
        self.stream?.finish()
        self.setTimeout(self.owner.configuration.closeTimeout) { _ in self.abort() }
    }

    private func ended(_ reason: String) {
        let state = self.state
        let unfinished = self.unfinished
        self.forget()
        switch state {
        case .receiving:
            if let unfinished { self.violated("ended the connection within a request: \(unfinished.text)") }
        case .leaving, .gone: break
        case .answering(let id), .streaming(let id, _): self.owner.abandoned(id)
        case .upgrading(let id, _, _), .open(let id):
            let closure = WebSocketClosure(code: 1006, reason: reason)
            if let unfinished {
                self.violated("ended the connection within a message: \(unfinished.text)", closure: closure)
            }
            self.owner.closed(id, closure)
        }
    }

    // MARK: Clients from outside

    /// What has come of a request or a message that is not whole; nil if nothing has.
    private var begun: String? {
        switch self.state {
        case .receiving where !self.parser.isIdle:
            self.begunRequest.map { "\(self.body.count) bytes of the body of \($0)" } ?? "a part of its head"
        case .open where self.codec.isOpen: self.codec.unfinished
        case .receiving, .answering, .streaming, .upgrading, .open, .leaving, .gone: nil
        }
    }

    var unfinished: UnfinishedMessage? {
        guard let outsider = self.outsider, let text = self.begun else { return nil }
        return UnfinishedMessage(
            text: "\(text), from \(outsider.endpoint)", isLine: false, predecessors: Int(self.messageCount))
    }

    /// The method and the path of the request whose body is being read; nil if there is none.
    private var begunRequest: String? {
        self.request.map { "\($0.method.rawValue) \(($0.path ?? "/").prefix { $0 != "?" }.prefix(Self.shownPath))" }
    }

    private func violated(_ what: String, _ bytes: Span<UInt8> = Span(), closure: WebSocketClosure? = nil) {
        guard let outsider = self.outsider else { return }
        self.owner.violated(outsider.violation(what, bytes, closure: closure))
    }

    private func forget() {
        self.state = .gone
        self.held = []
        self.body = []
        self.cancelTimeout()
        self.owner.remove(number: self.number)
    }

    private func send(_ bytes: [UInt8]) {
        self.capture?.sent(bytes)
        self.stream?.write(bytes)
    }

    /// Sends a control frame that the codec made; a capture shows what the codec says that it is.
    private func sendControl(_ bytes: [UInt8]) {
        let control = self.codec.takeWrittenControl()
        if let control { self.capture?.record(.sent, .control(control.opcode, control.payload)) }
        self.send(bytes)
    }

    /// A server's frames have no mask, so nothing is ever drawn from this.
    private static let noRandom = RandomSource(seed: 0)
}
