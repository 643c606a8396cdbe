import HTTPTypes
import Machines

/// One WebSocket of a client driver.
///
/// | state | event | becomes | the machine hears |
/// |---|---|---|---|
/// | opening | handshake accepted | open | opened |
/// | opening | another answer | refused | |
/// | opening | anything else, time limit | settled | openFailed |
/// | refused | enough of the body, its end, time limit | settled | openFailed, with what the body says |
/// | opening, refused | ``close(code:reason:)`` | settled | closed with 1006 |
/// | open | message | open | received |
/// | open | ``close(code:reason:)`` | open, waiting for the peer's close frame | |
/// | open | close frame | settled, waiting for the server to end the connection | closed |
/// | open | violation, end of the connection, time limit | settled | closed with 1006 |
/// | any | ``abandon()`` | settled | |
final class WebSocketClientConnection: ByteStreamDelegate, ClientLink {
    /// Indirect, because what is needed while it opens is large, and most are open nearly all the time.
    private indirect enum State {
        case opening(Handshake, HTTPResponseParser)
        case refused(TransportFailure, HTTPResponseParser, body: [UInt8])
        case open
        case settled
    }

    /// What was asked for.
    private struct Handshake {
        let head: HTTPRequest
        let key: String
        let subprotocols: [String]
        let offersCompression: Bool
    }

    /// For how long the body of a refusal is waited for; defined here.
    private static let refusalTime = Duration.seconds(1)

    /// Of data behind a close frame so much is shown.
    private static let shownBytes = 200

    let id: ConnectionID
    let title = "WebSocket"
    private(set) var endpoint: Endpoint?
    let owner: ClientConnections
    private let capture: WireCapture?
    var stream: (any ByteStream)?
    private var state = State.settled
    private var random: RandomSource
    /// Beside the state, not in it, so that its buffers are changed in place.
    private var codec: WebSocketCodec
    var timeout: ScheduledID?
    private var hasToldVolume = false

    /// Whether the server has closed and nothing has come behind its close frame.
    private var isClosedByServer = false

    /// How many whole messages have come, from zero again after the most that it holds: it tells one half message from
    /// another. It fills the gap behind the small ones, for each user of a load test has a connection.
    private var messageCount: UInt32 = 0

    /// When its connection was open.
    private var connectedAt = Instant.start

    /// Creates a WebSocket that is not connected yet.
    init(owner: ClientConnections, id: ConnectionID, capture: WireCapture?, random: RandomSource) {
        self.owner = owner
        self.id = id
        self.capture = capture
        self.random = random
        self.codec = WebSocketCodec(role: .client, messageLimit: owner.configuration.bounds.messageLimit)
    }

    /// Whether the machine hears nothing more of it.
    var isSettled: Bool {
        if case .settled = self.state { true } else { false }
    }

    var unfinished: UnfinishedMessage? {
        self.codec.unfinished.map { UnfinishedMessage(text: $0, isLine: false, predecessors: Int(self.messageCount)) }
    }

    /// Whether the handshake is still to be answered.
    var isOpening: Bool {
        switch self.state {
        case .opening, .refused: true
        case .open, .settled: false
        }
    }

    /// Connects and sends the handshake.
    func connect(
        _ destination: Destination, head: HTTPRequest, subprotocols: [String], _ options: WebSocketOptions
    ) {
        self.endpoint = destination.endpoint
        let key = WebSocketHandshake.newKey(&self.random)
        var limits = self.owner.configuration.bounds.limits
        // The body of a refusal may be of any length; only its beginning is looked at.
        limits.body = .max
        var parser = HTTPResponseParser(limits: limits)
        parser.expect(.get)
        let handshake = Handshake(
            head: head, key: key, subprotocols: subprotocols, offersCompression: options.offersCompression)
        self.state = .opening(handshake, parser)
        let limit = self.owner.configuration.bounds.limit(options.timeLimit)
        self.setTimeout(limit) { limit in
            self.fail(
                TransportFailure(
                    .timedOut, "no WebSocket with \(destination.endpoint) \(limit.scriptText) after asking"))
        }
        let stream = self.owner.connect(
            to: destination, timeLimit: options.timeLimit == .standard ? .standard : .none, delegate: self)
        self.stream = stream
        let request = WebSocketHandshake.request(
            head, subprotocols: subprotocols, key: key, offersCompression: options.offersCompression)
        var bytes: [UInt8] = []
        HTTPSerializer.write(request, into: &bytes)
        self.capture?.record(.sent, .request(request))
        self.send(bytes)
    }

    /// Sends a message; ignored unless the WebSocket is open.
    func transmit(_ message: WebSocketMessage) {
        guard case .open = self.state, self.codec.isOpen else { return }
        var bytes: [UInt8] = []
        let mask = self.codec.write(message, into: &bytes, random: &self.random)
        self.capture?.record(.sent, .message(message))
        self.send(bytes, mask: mask)
    }

    /// Starts the closing handshake.
    func close(code: UInt16?, reason: String) {
        switch self.state {
        case .settled: return
        case .opening, .refused:
            self.settle(WebSocketClosure(code: 1006, reason: "closed before it was open"))
        case .open:
            guard self.codec.isOpen else { return }
            var bytes: [UInt8] = []
            self.codec.close(code: code, reason: reason, into: &bytes, random: &self.random)
            self.sendControl(bytes)
            self.setTimeout(self.owner.configuration.bounds.closeTimeout) { limit in
                self.settle(
                    WebSocketClosure(code: 1006, reason: "the close frame was not answered within \(limit.scriptText)"))
            }
        }
    }

    func becomeSettled() { self.state = .settled }

    // MARK: ByteStreamDelegate

    func streamOpened() {
        guard let stream = self.stream else { return }
        self.capture?.record(.received, .opened(stream.peer))
        self.connectedAt = self.owner.scheduler.now
        self.owner.opened(stream)
    }

    func streamReceived(_ bytes: Span<UInt8>) {
        self.capture?.received(bytes)
        var offset = 0
        if case .opening(let handshake, var parser) = self.state {
            let isDivided = parser.hasBegun
            do throws(HTTPSyntaxError) {
                guard case .head(let head) = try self.next(of: &parser, for: handshake, bytes, &offset) else { return }
                self.owner.keepCookies(of: head, to: handshake.head)
                self.answered(head, handshake, parser)
            } catch {
                let reason = error.told(with: bytes, from: isDivided ? nil : 0)
                self.fail(
                    TransportFailure(
                        .malformed, "the answer to the WebSocket handshake is no acceptable HTTP: \(reason)"))
            }
        }
        self.readRefusal(bytes, &offset)
        while self.takeEvent(bytes, &offset) {}
        self.judgeRest(bytes, from: offset)
    }

    func streamReachedEnd() {
        self.ended("the server ended the connection", isWhole: true)
    }

    func streamClosed(_ failure: TransportFailure?) {
        self.capture?.record(.received, .closed(failure?.message))
        self.stream = nil
        if case .opening = self.state, let failure {
            self.fail(failure)
        } else {
            self.ended(failure?.message ?? "the connection was closed", isWhole: failure == nil)
        }
    }

    // MARK: Steps

    /// Takes the next part of the answer to the handshake.
    private func next(
        of parser: inout HTTPResponseParser, for handshake: Handshake, _ bytes: Span<UInt8>, _ offset: inout Int
    ) throws(HTTPSyntaxError) -> HTTPResponsePart? {
        // The state lets go of the parser, so that what has come of a head grows in place.
        self.state = .settled
        defer { self.state = .opening(handshake, parser) }
        return try parser.next(bytes, at: &offset)
    }

    private func answered(_ head: HTTPResponse, _ handshake: Handshake, _ parser: HTTPResponseParser) {
        self.capture?.record(.received, .response(Response(head)))
        do throws(TransportFailure) {
            let chosen = try WebSocketHandshake.check(
                head, key: handshake.key, subprotocols: handshake.subprotocols,
                offersCompression: handshake.offersCompression)
            self.cancelTimeout()
            if handshake.offersCompression, let compression = try WebSocketHandshake.compression(in: head) {
                self.codec = WebSocketCodec(
                    role: .client, messageLimit: self.owner.configuration.bounds.messageLimit, compression: compression)
            }
            self.state = .open
            self.owner.report(.measured(.upgraded(self.owner.scheduler.now - self.connectedAt)))
            self.owner.deliver(.opened(self.id, subprotocol: chosen))
        } catch {
            guard error.code == .upgradeRefused else { return self.fail(error) }
            self.state = .refused(error, parser, body: [])
            self.setTimeout(Self.refusalTime) { _ in self.refused() }
        }
    }

    /// Reads the body of a refusal, which often says why; the beginning of it is enough.
    private func readRefusal(_ bytes: Span<UInt8>, _ offset: inout Int) {
        while case .refused(let failure, var parser, var body) = self.state {
            // Here, too, the state lets go of what grows.
            self.state = .settled
            let part: HTTPResponsePart?
            do throws(HTTPSyntaxError) { part = try parser.next(bytes, at: &offset) } catch { part = .end([:]) }
            if case .body(let more) = part { body += more.prefix(Ending.bodyLimit - body.count) }
            self.state = .refused(failure, parser, body: body)
            guard let part else { return }
            guard case .body = part, body.count < Ending.bodyLimit else { return self.refused() }
        }
    }

    private func refused() {
        guard case .refused(let failure, _, let body) = self.state else { return }
        self.fail(TransportFailure(failure.code, failure.message, status: failure.status, body: body))
    }

    /// Takes the next event, if the WebSocket is open.
    ///
    /// - Returns: False if more bytes are needed, or nothing more is heard.
    private func takeEvent(_ bytes: Span<UInt8>, _ offset: inout Int) -> Bool {
        guard case .open = self.state else { return false }
        var output: [UInt8] = []
        guard let event = self.codec.next(bytes, at: &offset, output: &output, random: &self.random) else {
            return false
        }
        if !output.isEmpty { self.sendControl(output) }
        switch event {
        case .message(let message):
            self.messageCount &+= 1
            self.capture?.record(.received, .message(message))
            self.owner.deliver(.received(self.id, message))
        case .ping(let payload): self.capture?.record(.received, .control(.ping, payload))
        case .pong(let payload): self.capture?.record(.received, .control(.pong, payload))
        case .closed(let frame):
            self.capture?.record(.received, .control(.close, frame.payload))
            self.tellVolume()
            self.state = .settled
            self.isClosedByServer = true
            if self.codec.isBrokenOff {
                self.violated("sent a close frame within a message that it had not sent whole")
            }
            // RFC 6455 section 7.1.1: the server ends the connection first.
            self.setTimeout(self.owner.configuration.bounds.closeTimeout) { _ in self.drop() }
            self.owner.deliver(.closed(self.id, WebSocketClosure(code: frame.code, reason: frame.reason)))
        case .violated(let error):
            self.settleViolated("broke the protocol: \(error.message)")
        }
        return true
    }

    /// Tells of data that begins behind the server's close frame: there may be none (RFC 6455 section 5.5.1).
    private func judgeRest(_ bytes: Span<UInt8>, from offset: Int) {
        guard self.isClosedByServer, offset < bytes.count else { return }
        self.isClosedByServer = false
        // The opcodes of control frames have this bit.
        guard bytes[offset] & 0x08 == 0 else { return }
        var rest: [UInt8] = []
        rest.append(bytes, offset..<min(bytes.count, offset + Self.shownBytes))
        self.violated("sent data behind its close frame", rest)
    }

    /// Takes in that nothing more comes.
    ///
    /// - Parameter isWhole: Whether the stream itself ended in order, so that an open WebSocket lacks only its own end.
    private func ended(_ reason: String, isWhole: Bool) {
        switch self.state {
        case .refused: self.refused()
        case .opening:
            self.fail(TransportFailure(.connectionLost, "no answer to the WebSocket handshake: \(reason)"))
        case .open:
            self.settle(WebSocketClosure(code: 1006, reason: reason + (isWhole ? " without a close frame" : "")))
        case .settled: self.leave()
        }
    }

    /// Tells once what its compressed messages came to, if there was any.
    func tellVolume() {
        guard !self.hasToldVolume, let volume = self.codec.compressionVolume, volume.wire > 0 else { return }
        self.hasToldVolume = true
        self.owner.report(.measured(.compressed(volume)))
    }

    private func send(_ bytes: [UInt8], mask: WrittenMask? = nil) {
        self.capture?.sent(bytes, mask: mask)
        self.stream?.write(bytes)
    }

    /// Sends a control frame that the codec made; a capture shows what the codec says that it is.
    private func sendControl(_ bytes: [UInt8]) {
        let control = self.codec.takeWrittenControl()
        if let control { self.capture?.record(.sent, .control(control.opcode, control.payload)) }
        self.send(bytes, mask: control?.mask)
    }
}
