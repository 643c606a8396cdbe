import Machines
import NIOCore
import NIOTLS

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// One connection over a socket: the last handler of its channel, and the stream that the rest of the module sees.
final class SocketStreamHandler: ChannelInboundHandler, ByteStream {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What shall happen once everything written is sent.
    private enum Ending {
        case none
        case finish
        case close
    }

    /// How long a connection that nobody needs any more may wait for the peer's part of a handshake.
    private static let handshakeTime = TimeAmount.seconds(5)

    let peer: Endpoint
    /// The sessions of TLS that the connection may resume; nil if it resumes none.
    let sessions: TLSSessionCache?
    private let network: SocketNetwork
    private var delegate: (any ByteStreamDelegate)?
    private var findDelegate: (() -> (any ByteStreamDelegate)?)?
    private var context: ChannelHandlerContext?
    private var channel: (any Channel)?
    private var outgoing: [UInt8] = []
    private var isFlushScheduled = false
    private var ending = Ending.none
    @Boxed private var failure: TransportFailure?

    /// Whether the connection is not up before it is encrypted.
    private var awaitsEncryption = false

    /// Whether what passes here are bytes on the wire of a connection that was opened from this side, so that they
    /// count; those of an encrypted one are counted where they are encrypted.
    private var carriesWireOfClient: Bool

    /// Whether the other end has opened the connection.
    private var isAccepted = false

    /// Whether the delegate knows that the connection is up, as it is now.
    private var isOpen = false

    /// Whether somebody still waits for the connection; false once it was aborted or is over.
    private(set) var isWanted = true

    /// Looked up when it is first asked for: of a connection that has just been accepted the other end may not know yet
    /// that it is open. Of one that was dropped before it was accepted nobody knows where it came from.
    private(set) lazy var isFromOutside: Bool = {
        guard self.isAccepted, let port = self.channel?.localAddress?.port, self.peer.port > 0 else { return false }
        return !OwnSockets.ofProcess.take(from: self.peer.port, to: port)
    }()

    @Boxed private(set) var agreedProtocol: String?
    private(set) var openingTimes = OpeningTimes()

    /// When the step began that is under way while the connection is opened.
    private var stepBegin = NIODeadline.now()

    /// Creates a stream without a channel.
    ///
    /// - Parameter carriesWireOfClient: Whether the connection is opened from this side.
    init(
        peer: Endpoint, network: SocketNetwork, sessions: TLSSessionCache?, carriesWireOfClient: Bool
    ) {
        self.peer = peer
        self.sessions = sessions
        self.network = network
        self.carriesWireOfClient = carriesWireOfClient
    }

    /// Sets who hears what happens.
    func attach(_ delegate: any ByteStreamDelegate) {
        self.delegate = delegate
    }

    /// Sets how a delegate is found when the connection, which is accepted, is up.
    func awaitDelegate(_ find: @escaping () -> (any ByteStreamDelegate)?) {
        self.isAccepted = true
        self.findDelegate = find
    }

    /// Takes in that the connection begins with a handshake of TLS.
    func awaitEncryption() {
        self.awaitsEncryption = true
        self.carriesWireOfClient = false
        self.isOpen = false
    }

    /// Takes in that the addresses of the host's name are being looked up.
    func beganLookingUp() {
        self.openingTimes.lookup = .zero
        self.stepBegin = .now()
    }

    /// Takes in that the addresses of the host's name are known.
    func foundAddresses() {
        if self.openingTimes.lookup != nil { self.openingTimes.lookup = self.takeStep() }
    }

    /// Takes in that an address is being connected to.
    func beganConnecting() { self.stepBegin = .now() }

    /// Takes in that TCP is connected.
    func connected() { self.openingTimes.connect = self.takeStep() }

    /// Ends a step of opening, and begins the next.
    private func takeStep() -> Duration {
        let now = NIODeadline.now()
        defer { self.stepBegin = now }
        return Duration(now - self.stepBegin)
    }

    /// Takes in that the connection could not be opened.
    func failed(_ failure: TransportFailure) {
        self.over(failure)
    }

    // MARK: ByteStream

    func write(_ bytes: [UInt8]) {
        guard self.isWanted, self.ending == .none, !bytes.isEmpty else { return }
        if self.outgoing.isEmpty { self.outgoing = bytes } else { self.outgoing += bytes }
        self.flushLater()
    }

    func finish() {
        guard self.isWanted, self.ending == .none else { return }
        self.ending = .finish
        self.flushLater()
    }

    func close() {
        guard self.isWanted, self.ending != .close else { return }
        self.ending = .close
        self.flushLater()
        self.limitHandshake()
    }

    /// Ends a handshake of TLS that keeps what was written from being sent, and with it the end of the connection.
    private func limitHandshake() {
        guard self.awaitsEncryption, let context = self.context else { return }
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.handshakeTime) {
            if self.awaitsEncryption { self.abort() }
        }
    }

    func abort() {
        guard self.isWanted else { return }
        self.isWanted = false
        self.delegate = nil
        self.findDelegate = nil
        self.outgoing = []
        self.resetOnClose()
        self.closeAtOnce()
    }

    func encrypt(_ security: ConnectionSecurity, host: String) {
        guard self.isWanted, let context = self.context else { return }
        // What was written in the open goes out in the open.
        self.flush()
        do {
            guard let engine = try self.network.engine(of: self, security, host: host) else { return }
            self.awaitEncryption()
            self.stepBegin = .now()
            try context.pipeline.syncOperations.addHandler(
                TLSHandler(engine, clientOf: self.network), position: .before(self))
        } catch {
            self.errorCaught(context: context, error: error)
        }
    }

    /// Makes the end of the socket a reset, so that the peer can tell a dropped connection from one that was closed.
    private func resetOnClose() {
        guard let options = self.context?.channel as? any SocketOptionProvider else { return }
        // A socket that is gone already cannot be set and need not be.
        _ = options.setSoLinger(linger(l_onoff: 1, l_linger: 0))
    }

    // MARK: Sending

    private func flushLater() {
        guard self.context != nil, !self.awaitsEncryption || self.ending != .none, !self.isFlushScheduled else {
            return
        }
        self.isFlushScheduled = true
        self.network.flushLater(self)
    }

    /// Sends what was written, and ends the connection if that is wished.
    func flush() {
        self.isFlushScheduled = false
        guard self.isWanted, let context = self.context else { return }
        if !self.outgoing.isEmpty {
            if self.carriesWireOfClient { self.network.traffic.sent += Int64(self.outgoing.count) }
            let buffer = ByteBuffer(bytes: self.outgoing)
            self.outgoing = []
            // Not by `wrapOutboundOut`, which would find out each time what kind of value it is.
            context.writeAndFlush(NIOAny(buffer), promise: nil)
            self.checkBacklog()
        }
        guard self.ending != .none else { return }
        // Channels drop what is unsent when they are closed; an empty write is done when all before it is sent.
        let ending = self.ending
        context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer())).assumeIsolated().whenComplete { _ in
            guard self.isWanted, let context = self.context else { return }
            context.close(mode: ending == .finish ? .output : .all, promise: nil)
        }
    }

    private func checkBacklog() {
        guard let channel = self.channel, !channel.isWritable,
            let waiting = try? channel.syncOptions?.getOption(.bufferedWritableBytes),
            waiting > self.network.writeLimit
        else { return }
        self.failure = TransportFailure(
            .connectionLost, "\(self.peer) does not read; more than \(self.network.writeLimit) bytes wait for it")
        self.closeAtOnce()
    }

    /// Closes the socket without waiting for the peer to agree on the end of TLS.
    private func closeAtOnce() {
        guard let context = self.context else { return }
        let operations = context.pipeline.syncOperations
        let encryption = try? operations.context(handlerType: TLSHandler.self)
        (encryption ?? context).close(promise: nil)
    }

    // MARK: ChannelInboundHandler

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        self.channel = context.channel
        guard self.isWanted else {
            self.closeAtOnce()
            return
        }
        if context.channel.isActive, !self.awaitsEncryption { self.opened() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        self.channel = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        if !self.awaitsEncryption { self.opened() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard self.delegate != nil else { return }
        let bytes = Self.unwrapInboundIn(data)
        if self.carriesWireOfClient { self.network.traffic.received += Int64(bytes.readableBytes) }
        self.network.deliverLater(bytes.readableBytesUInt8Span, to: self)
    }

    /// Takes in bytes that have come; called by the network.
    func received(_ bytes: Span<UInt8>) {
        self.delegate?.streamReceived(bytes)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // What came before comes first, here and below.
        self.network.deliverArrived()
        switch event {
        case ChannelEvent.inputClosed:
            self.delegate?.streamReachedEnd()
        case TLSUserEvent.handshakeCompleted(let negotiated):
            guard self.awaitsEncryption else { return }
            self.awaitsEncryption = false
            self.agreedProtocol = negotiated
            self.openingTimes.encryption = self.takeStep()
            let encryption = try? context.pipeline.syncOperations.handler(type: TLSHandler.self)
            self.openingTimes.isResumed = encryption?.isResumed ?? false
            self.opened()
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.network.deliverArrived()
        if self.failure == nil { self.failure = SocketFailures.failure(error, connectedTo: self.peer) }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.network.deliverArrived()
        // Of one on which nothing has come nobody has asked, and its ports may soon be those of somebody else.
        _ = self.isFromOutside
        self.over(self.failure)
    }

    /// Tells the delegate that the connection is open: once, and once more when it is encrypted later.
    ///
    /// A channel that is active as the handler joins it says so itself soon after.
    private func opened() {
        guard !self.isOpen else { return }
        self.isOpen = true
        if let find = self.findDelegate {
            self.findDelegate = nil
            guard let delegate = find() else {
                self.abort()
                return
            }
            self.delegate = delegate
        }
        self.delegate?.streamOpened()
        if !self.outgoing.isEmpty || self.ending != .none { self.flushLater() }
    }

    private func over(_ failure: TransportFailure?) {
        let delegate = self.delegate
        self.isWanted = false
        self.delegate = nil
        self.findDelegate = nil
        self.outgoing = []
        delegate?.streamClosed(failure)
    }
}
