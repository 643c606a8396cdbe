import NIOCore
import NIOTLS

/// Encrypts a channel: carries a ``TLSEngine`` over it.
///
/// | state       | what happens         | next state | beside it                                       |
/// |-------------|----------------------|------------|-------------------------------------------------|
/// | idle        | channel active       | handshake  | the client begins                               |
/// | handshake   | the last of it came  | open       | says so; what was written meanwhile goes out    |
/// | open        | closed on this side  | closing    | tells the peer, which may take seconds to answer |
/// | closing     | the peer's end       | closed     | closes the channel                              |
/// | any         | error, end, closed   | closed     |                                                 |
///
/// A peer's end of TLS is passed on as `ChannelEvent.inputClosed`; this side may go on writing.
final class TLSHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        case idle
        case handshake
        case open
        case closing
        case closed
    }

    /// How long a peer may take to agree on the end.
    private static let closingTime = TimeAmount.seconds(5)

    /// Whether the handshake resumed a session.
    var isResumed: Bool { self.engine.isResumed }

    private let engine: TLSEngine
    /// Whose client the connection is, which counts its bytes; nil at a server.
    private let network: SocketNetwork?
    private var state = State.idle
    private var hasPeerEnded = false
    /// What was written before the handshake was over.
    private var waiting: [(ByteBuffer, EventLoopPromise<Void>?)] = []
    private var closing: EventLoopPromise<Void>?

    /// Creates a handler that begins when its channel is active.
    ///
    /// - Parameter network: Where the connection was opened; nil for one that was accepted.
    init(_ engine: TLSEngine, clientOf network: SocketNetwork? = nil) {
        self.engine = engine
        self.network = network
    }

    // MARK: The way in

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { self.begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        self.begin(context)
        context.fireChannelActive()
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard self.state == .idle else { return }
        self.state = .handshake
        self.advance(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard self.state != .closed else { return }
        let bytes = Self.unwrapInboundIn(data)
        self.network?.traffic.received += Int64(bytes.readableBytes)
        bytes.withUnsafeReadableBytes { self.engine.receive($0) }
        self.advance(context)
    }

    /// Does what can be done with what came over the wire.
    private func advance(_ context: ChannelHandlerContext) {
        do throws(TLSError) {
            if self.state == .handshake {
                let isOver = try self.engine.shakeHands()
                self.send(context)
                guard isOver else { return }
                self.state = .open
                context.fireUserInboundEventTriggered(
                    TLSUserEvent.handshakeCompleted(negotiatedProtocol: self.engine.agreedProtocol))
                try self.writeWaiting(context)
            }
            guard self.state == .open || self.state == .closing else { return }
            var buffer = context.channel.allocator.buffer(capacity: 0)
            let reading = try self.engine.read(into: &buffer)
            // Keys may have to be renewed.
            self.send(context)
            if buffer.readableBytes > 0 { context.fireChannelRead(Self.wrapInboundOut(buffer)) }
            if case .end = reading { self.peerEnded(context) }
        } catch {
            // The peer is told what it did wrong.
            self.send(context)
            self.fail(context, error)
        }
    }

    private func peerEnded(_ context: ChannelHandlerContext) {
        guard !self.hasPeerEnded else { return }
        self.hasPeerEnded = true
        if self.state == .closing {
            self.closeChannel(context)
        } else {
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event else { return context.fireUserInboundEventTriggered(event) }
        switch self.state {
        case .idle, .handshake: self.fail(context, .handshakeBrokenOff)
        case .open: if !self.hasPeerEnded { self.fail(context, .truncated) }
        case .closing: self.closeChannel(context)
        case .closed: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        switch self.state {
        case .idle, .handshake: self.fail(context, .handshakeBrokenOff)
        case .open: if !self.hasPeerEnded { self.fail(context, .truncated) }
        case .closing, .closed: break
        }
        self.state = .closed
        self.closing?.succeed()
        self.closing = nil
        context.fireChannelInactive()
    }

    private func fail(_ context: ChannelHandlerContext, _ error: TLSError) {
        guard self.state != .closed else { return }
        self.state = .closed
        let waiting = self.waiting
        self.waiting = []
        for (_, promise) in waiting { promise?.fail(error) }
        context.fireErrorCaught(error)
    }

    // MARK: The way out

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let bytes = Self.unwrapOutboundIn(data)
        switch self.state {
        case .idle, .handshake: self.waiting.append((bytes, promise))
        case .open:
            do throws(TLSError) { try self.write(context, bytes, promise) } catch {
                promise?.fail(error)
                self.fail(context, error)
            }
        case .closing, .closed: promise?.fail(ChannelError.ioOnClosedChannel)
        }
    }

    private func write(
        _ context: ChannelHandlerContext, _ bytes: ByteBuffer, _ promise: EventLoopPromise<Void>?
    ) throws(TLSError) {
        var result: Result<Void, TLSError> = .success(())
        bytes.withUnsafeReadableBytes { bytes in
            result = Result { () throws(TLSError) in try self.engine.write(bytes) }
        }
        try result.get()
        let encrypted = self.takeOutgoing(context) ?? ByteBuffer()
        context.write(Self.wrapOutboundOut(encrypted), promise: promise)
    }

    private func writeWaiting(_ context: ChannelHandlerContext) throws(TLSError) {
        guard !self.waiting.isEmpty, self.state == .open else { return }
        let waiting = self.waiting
        self.waiting = []
        for (bytes, promise) in waiting { try self.write(context, bytes, promise) }
        context.flush()
    }

    /// Sends what the engine itself has to say.
    private func send(_ context: ChannelHandlerContext) {
        guard let bytes = self.takeOutgoing(context) else { return }
        context.writeAndFlush(Self.wrapOutboundOut(bytes), promise: nil)
    }

    /// Takes what is to go over the wire; nil if there is nothing.
    private func takeOutgoing(_ context: ChannelHandlerContext) -> ByteBuffer? {
        guard let bytes = self.engine.takeOutgoing(context.channel.allocator) else { return nil }
        self.network?.traffic.sent += Int64(bytes.readableBytes)
        return bytes
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        switch (mode, self.state) {
        case (.output, .open):
            self.engine.end()
            self.send(context)
            promise?.succeed()
        case (.all, .open):
            self.state = .closing
            self.closing = promise
            self.engine.end()
            self.send(context)
            guard !self.hasPeerEnded else { return self.closeChannel(context) }
            context.eventLoop.assumeIsolated().scheduleTask(in: Self.closingTime) {
                if self.state == .closing { self.closeChannel(context) }
            }
        default:
            if mode == .all { self.state = .closed }
            context.close(mode: mode, promise: promise)
        }
    }

    /// Closes once all is sent.
    private func closeChannel(_ context: ChannelHandlerContext) {
        guard self.state == .closing else { return }
        self.state = .closed
        let promise = self.closing
        self.closing = nil
        context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer())).assumeIsolated().whenComplete { _ in
            context.close(promise: promise)
        }
    }
}
