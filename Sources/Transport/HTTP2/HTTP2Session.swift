import HTTPTypes
import Machines
import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP2

/// The client's side of an HTTP/2 connection (RFC 9113): requests in, bytes out; bytes in, pieces of answers out.
///
/// Frames, the compression of headers, windows, and what a connection must not do are the library's. It wants a
/// channel, and gets one that leads nowhere: bytes travel by the streams of this module, as those of every other
/// protocol do, so that proxies, faults and captures are the same for all.
final class HTTP2Session {
    /// What the server's frames say.
    enum Event: Equatable {
        /// The head of an answer; informational ones are left out.
        case head(Int, HTTPResponse)
        case body(Int, [UInt8])
        /// The answer is whole.
        case end(Int)
        /// The server, or what it sent, broke off one exchange.
        ///
        /// - Parameter isUnprocessed: Whether the server says that it has not even begun with it.
        case reset(Int, String, isUnprocessed: Bool)
        /// How many exchanges may be under way at once from now on.
        case capacity(Int)
        /// The server takes no more exchanges; those under way go on.
        case draining
        /// The connection is over, because of what the server sent.
        case failed(String)
    }

    /// How many bytes of an answer may be under way to here; defined here.
    static let window = 1 << 20

    private let channel: EmbeddedChannel
    private let sink = FrameSink()
    private var nextStream = 1

    /// Creates a session; its first bytes are there to be sent.
    init(limits: HTTPLimits) {
        let settings: HTTP2Settings = [
            HTTP2Setting(parameter: .enablePush, value: 0),
            HTTP2Setting(parameter: .initialWindowSize, value: Self.window),
            HTTP2Setting(parameter: .maxHeaderListSize, value: limits.head),
        ]
        self.sink.limits = limits
        self.channel = EmbeddedChannel(
            handlers: [NIOHTTP2Handler(mode: .client, initialSettings: settings), self.sink])
        self.channel.pipeline.fireChannelActive()
        self.channel.embeddedEventLoop.run()
    }

    deinit {
        // What is left in it was never going anywhere.
        _ = try? self.channel.finish(acceptAlreadyClosed: true)
    }

    /// Sends a request.
    ///
    /// - Returns: The number of its exchange.
    func send(_ request: Request) -> Int {
        let number = self.nextStream
        self.nextStream += 2
        let stream = HTTP2StreamID(number)
        self.write(
            .headers(.init(headers: HTTP2Fields.headers(of: request), endStream: request.body.isEmpty)), on: stream)
        if !request.body.isEmpty {
            self.write(.data(.init(data: .byteBuffer(ByteBuffer(bytes: request.body)), endStream: true)), on: stream)
        }
        self.channel.flush()
        return number
    }

    /// Whether a further request can be sent: there are numbers left, and the server has said nothing against it.
    ///
    /// The events may tell of that only later: an answer that leads elsewhere can come in one read with the GOAWAY
    /// behind it, and is handed on first.
    var takesRequests: Bool { self.nextStream < Int(Int32.max) && !self.sink.isEnding }

    /// Lets the server know that nobody waits for an answer any more.
    func cancel(_ number: Int) {
        self.sink.forget(number)
        self.sink.isCanceling = true
        self.write(.rstStream(.cancel), on: HTTP2StreamID(number))
        self.channel.flush()
        self.sink.isCanceling = false
    }

    /// Lets the server know that the connection ends.
    func finish() {
        self.write(.goAway(lastStreamID: .rootStream, errorCode: .noError, opaqueData: nil), on: .rootStream)
        self.channel.flush()
    }

    /// Takes in bytes of the server.
    func receive(_ bytes: Span<UInt8>) {
        var buffer = ByteBuffer()
        bytes.withUnsafeBytes { _ = buffer.writeBytes($0) }
        // What goes wrong is told by the sink.
        _ = try? self.channel.writeInbound(buffer)
        for number in self.sink.takeOversized() { self.cancel(number) }
        self.grantWindows()
    }

    /// Returns what has happened since the last call, in order: what the server said, and what could not be sent.
    func takeEvents() -> [Event] { self.sink.takeEvents() }

    /// Returns what is to be sent, which is to be asked for after each call.
    func takeOutput() -> [UInt8] {
        var output: [UInt8] = []
        while let data = try? self.channel.readOutbound(as: IOData.self) {
            if case .byteBuffer(let buffer) = data { output += buffer.readableBytesView }
        }
        return output
    }

    /// Lets the server send as much again as has been taken in.
    private func grantWindows() {
        for (stream, size) in self.sink.takeWindows() where size < Self.window / 2 {
            self.write(.windowUpdate(windowSizeIncrement: Self.window - size), on: HTTP2StreamID(stream))
        }
        self.channel.flush()
    }

    private func write(_ payload: HTTP2Frame.FramePayload, on stream: HTTP2StreamID) {
        // A frame for what has just ended is refused by the library, and that is all there is to it.
        self.channel.write(HTTP2Frame(streamID: stream, payload: payload), promise: nil)
    }
}

/// The end of the channel: makes events of what the library hands on.
private final class FrameSink: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    var limits = HTTPLimits()
    private var events: [HTTP2Session.Event] = []

    /// Whether the server takes no more exchanges, or the connection is over.
    private(set) var isEnding = false

    /// The streams whose heads have come, and that have not ended.
    private var answered: Set<Int> = []

    /// The streams whose heads are longer than is taken in, which the library has let through.
    private var oversized: [Int] = []

    /// Whether an exchange is being taken back, of which nothing more is to be heard.
    var isCanceling = false

    /// Whether the last frame was one by which the server ends exchanges.
    private var hasServerReset = false

    /// The place of the last event if it says that the library has ended an exchange; the library says why next.
    private var refusal: Int?

    /// What is left of windows that have changed, by stream.
    private var windows: [Int: Int] = [:]

    func takeEvents() -> [HTTP2Session.Event] {
        self.refusal = nil
        defer { self.events = [] }
        return self.events
    }

    func takeWindows() -> [Int: Int] {
        defer { self.windows = [:] }
        return self.windows
    }

    func takeOversized() -> [Int] {
        defer { self.oversized = [] }
        return self.oversized
    }

    func forget(_ stream: Int) {
        self.answered.remove(stream)
        self.windows[stream] = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = Self.unwrapInboundIn(data)
        let stream = Int(frame.streamID)
        self.hasServerReset = false
        self.refusal = nil
        switch frame.payload {
        case .headers(let payload): self.read(payload, stream)
        case .data(let payload):
            if case .byteBuffer(let buffer) = payload.data, buffer.readableBytes > 0 {
                self.events.append(.body(stream, Array(buffer.readableBytesView)))
            }
            if payload.endStream { self.end(stream) }
        case .settings(.settings(let settings)):
            if let setting = settings.last(where: { $0.parameter == .maxConcurrentStreams }) {
                self.events.append(.capacity(setting.value))
            }
        case .goAway:
            self.hasServerReset = true
            self.isEnding = true
            self.events.append(.draining)
        case .rstStream: self.hasServerReset = true
        default: break
        }
    }

    private func read(_ payload: HTTP2Frame.FramePayload.Headers, _ stream: Int) {
        if !self.answered.contains(stream) {
            guard let head = HTTP2Fields.response(payload.headers, limits: self.limits) else {
                if !payload.endStream { self.oversized.append(stream) }
                self.events.append(
                    .reset(stream, "the head of the answer is longer than is taken in", isUnprocessed: false))
                return
            }
            guard head.status.kind != .informational else { return }
            self.answered.insert(stream)
            self.events.append(.head(stream, head))
        }
        // Other headers are trailers, in which nobody is interested.
        if payload.endStream { self.end(stream) }
    }

    private func end(_ stream: Int) {
        self.forget(stream)
        self.events.append(.end(stream))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let event as StreamClosedEvent:
            let stream = Int(event.streamID)
            self.forget(stream)
            guard let reason = event.reason, !self.isCanceling else { return }
            guard self.hasServerReset else {
                self.refusal = self.events.count
                return self.events.append(.reset(stream, "\(reason)", isUnprocessed: false))
            }
            self.events.append(
                .reset(stream, "the server broke it off: \(reason)", isUnprocessed: reason == .refusedStream))
        case let event as NIOHTTP2WindowUpdatedEvent:
            self.windows[Int(event.streamID)] = event.inboundWindowSize
        default: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !self.isCanceling else { return }
        if let error = error as? NIOHTTP2Errors.StreamError {
            self.forget(Int(error.streamID))
            self.events.append(.reset(Int(error.streamID), "\(error.baseError)", isUnprocessed: false))
        } else if let refusal, refusal == self.events.count - 1,
            case .reset(let stream, _, _) = self.events[refusal]
        {
            // It is that exchange which breaks the rules, not the connection.
            self.refusal = nil
            self.events[refusal] = .reset(stream, "\(error)", isUnprocessed: false)
        } else {
            self.isEnding = true
            self.events.append(.failed("\(error)"))
        }
    }
}
