public import Machines
public import NIOCore
import NIOPosix

/// Connections over TCP and TLS on one event loop.
///
/// Everything is called on that loop and calls back on it. What is written during one turn of the loop leaves as one
/// write at its end.
public final class SocketNetwork: MeteredNetwork {
    private let eventLoop: any EventLoop
    private let configuration: SocketNetworkConfiguration
    private var clientContexts: [ConnectionSecurity: TLSContext] = [:]
    private var unflushed: [SocketStreamHandler] = []
    private var inbox = ArrivedBytes<SocketStreamHandler>()
    private var isDelivering = false
    private let sources: SourceRotation
    private let names: HostNames
    private var sessions: [Int: TLSSessionCache] = [:]

    /// Runs what waits for bytes as soon as some are delivered; without one, that waits for its turn.
    public var scope: (any CallbackScope)?

    public internal(set) var traffic = Traffic()

    /// So many bytes may wait for a peer that does not read.
    var writeLimit: Int { self.configuration.writeLimit }

    /// Creates a network.
    ///
    /// - Parameters:
    ///   - eventLoop: The worker's loop; must be one of NIOPosix.
    ///   - configuration: How sockets are used.
    public init(
        eventLoop: any EventLoop, configuration: SocketNetworkConfiguration = SocketNetworkConfiguration()
    ) {
        self.eventLoop = eventLoop
        self.configuration = configuration
        self.names = HostNames(eventLoop: eventLoop, keeps: configuration.keepsAddresses)
        self.sources = SourceRotation(configuration.sourceAddresses)
    }

    /// The network as one of many users has it: connections leave from one source address, where there are any, and
    /// resume the sessions of TLS that this user was given, where sessions are resumed.
    ///
    /// - Parameters:
    ///   - user: Who; the same user may ask again, and finds its sessions.
    ///   - place: Whose turn it is among the source addresses, counted on and on.
    public func belonging(to user: Int, leavingFrom place: Int) -> any Network {
        guard !self.sources.isEmpty || self.configuration.resumesSessions else { return self }
        let source = self.sources[place]
        guard self.configuration.resumesSessions else { return UserNetwork(self, source: source, sessions: nil) }
        let sessions = self.sessions[user] ?? TLSSessionCache()
        self.sessions[user] = sessions
        return UserNetwork(self, source: source, sessions: sessions)
    }

    public func connect(
        to endpoint: Endpoint, security: ConnectionSecurity, timeLimit: OpeningLimit,
        delegate: any ByteStreamDelegate
    ) -> any ByteStream {
        self.connect(
            to: endpoint, security: security, timeLimit: timeLimit, source: self.sources.first, sessions: nil,
            delegate: delegate)
    }

    /// Starts a connection.
    ///
    /// - Parameters:
    ///   - source: Where it leaves from; nil leaves it to the system.
    ///   - sessions: Those that it may resume, which gets the one that the server gives; nil for neither.
    func connect(
        to endpoint: Endpoint, security: ConnectionSecurity, timeLimit: OpeningLimit,
        source: SocketAddress?, sessions: TLSSessionCache?, delegate: any ByteStreamDelegate
    ) -> any ByteStream {
        self.eventLoop.preconditionInEventLoop()
        let stream = SocketStreamHandler(
            peer: endpoint, network: self, sessions: sessions, carriesWireOfClient: true)
        stream.attach(delegate)
        // In the next turn, because an attempt may fail at once and the caller must not be called back within its call.
        self.eventLoop.assumeIsolated().execute { self.open(stream, security, timeLimit, source) }
        return stream
    }

    public func listen(on endpoint: Endpoint, identity: ServerIdentity?) throws(TransportFailure) -> any Listener {
        self.eventLoop.preconditionInEventLoop()
        let context = try identity.map { identity throws(TransportFailure) in try TLSContext.server(identity) }
        let socket = try ListeningSocket(endpoint)
        let listener = SocketListener(endpoint: socket.endpoint, isSecure: identity != nil)
        let bound = NIOLoopBound((self, listener, context), eventLoop: self.eventLoop)
        ServerBootstrap(group: self.eventLoop)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.recvAllocator, value: Self.receiveAllocator)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let (network, listener, context) = bound.value
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(TLSHandler(TLSEngine(context, .server)))
                    }
                    let peer = channel.remoteAddress.map(Endpoint.init) ?? .loopback
                    let stream = SocketStreamHandler(
                        peer: peer, network: network, sessions: nil, carriesWireOfClient: false)
                    stream.awaitDelegate { listener.onAccept?(stream) }
                    try channel.pipeline.syncOperations.addHandler(stream)
                }
            }
            .withBoundSocket(socket.descriptor)
            .assumeIsolated()
            .whenSuccess { channel in listener.started(channel) }
        return listener
    }

    /// Has a stream take in bytes in this turn, together with what comes for others.
    func deliverLater(_ bytes: Span<UInt8>, to stream: SocketStreamHandler) {
        if self.inbox.isEmpty { self.eventLoop.assumeIsolated().execute { self.deliverArrived() } }
        self.inbox.append(bytes, for: stream)
        if self.inbox.isFull { self.deliverArrived() }
    }

    /// Delivers what has come so far, and lets run what waited for it.
    func deliverArrived() {
        guard !self.inbox.isEmpty, !self.isDelivering else { return }
        self.isDelivering = true
        let arrived = self.inbox.take()
        self.scope?.enter()
        arrived.forEach { stream, bytes in stream.received(bytes) }
        self.isDelivering = false
        self.scope?.leave(after: arrived.count)
        self.inbox.reuse(arrived)
    }

    /// Has a stream flushed at the end of this turn.
    ///
    /// Not at once: a peer that sleeps is woken by the first of many writes, and is awake for the others.
    func flushLater(_ stream: SocketStreamHandler) {
        self.unflushed.append(stream)
        guard self.unflushed.count == 1 else { return }
        self.eventLoop.assumeIsolated().execute {
            let streams = self.unflushed
            self.unflushed.removeAll(keepingCapacity: true)
            for stream in streams { stream.flush() }
        }
    }

    private func open(
        _ stream: SocketStreamHandler, _ security: ConnectionSecurity, _ timeLimit: OpeningLimit,
        _ source: SocketAddress?
    ) {
        guard stream.isWanted else { return }
        let bootstrap: ClientBootstrap
        do throws(TransportFailure) {
            bootstrap = try self.bootstrap(for: stream, security, timeLimit, source)
        } catch {
            stream.failed(error)
            return
        }
        let connected: EventLoopFuture<any Channel>
        if let address = try? SocketAddress(ipAddress: stream.peer.host, port: stream.peer.port) {
            stream.beganConnecting()
            connected = bootstrap.connect(to: address)
        } else {
            let (found, isKnown) = self.names.addresses(of: stream.peer.host, port: stream.peer.port)
            if isKnown { stream.beganConnecting() } else { stream.beganLookingUp() }
            found.assumeIsolated().whenSuccess { _ in stream.foundAddresses() }
            connected = bootstrap.resolver(KnownAddresses(found: found)).connect(
                host: stream.peer.host, port: stream.peer.port)
        }
        connected.assumeIsolated().whenComplete { result in
            do {
                let channel = try result.get()
                stream.connected()
                if let port = channel.localAddress?.port {
                    OwnSockets.ofProcess.connected(from: port, to: stream.peer.port)
                }
                try channel.pipeline.syncOperations.addHandler(stream)
                try channel.syncOptions?.setOption(.autoRead, value: true)
            } catch {
                stream.failed(SocketFailures.failure(error, connectingTo: stream.peer))
            }
        }
    }

    /// Returns what connects a stream as it is asked for.
    ///
    /// - Throws: ``TransportFailure`` if it cannot be encrypted as it is to be.
    private func bootstrap(
        for stream: SocketStreamHandler, _ security: ConnectionSecurity, _ timeLimit: OpeningLimit,
        _ source: SocketAddress?
    ) throws(TransportFailure) -> ClientBootstrap {
        let limit: Duration
        switch timeLimit {
        case .standard: limit = self.configuration.connectTimeout
        case .after(let given): limit = given
        case .none: limit = Self.longest
        }
        var bootstrap = ClientBootstrap(group: self.eventLoop)
            .connectTimeout(.init(limit))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.recvAllocator, value: Self.receiveAllocator)
            // Reading begins when the stream's handler is in its place.
            .channelOption(.autoRead, value: false)
        if let source {
            bootstrap = bootstrap.bind(to: source)
            #if os(Linux)
                bootstrap = bootstrap.channelOption(.bindAddressNoPort, value: 1)
            #endif
        }
        guard let engine = try self.engine(of: stream, security, host: stream.peer.host) else { return bootstrap }
        stream.awaitEncryption()
        let bound = NIOLoopBound((engine, self), eventLoop: self.eventLoop)
        return bootstrap.channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                let (engine, network) = bound.value
                try channel.pipeline.syncOperations.addHandler(TLSHandler(engine, clientOf: network))
            }
        }
    }

    /// The operating system gives up long before.
    private static let longest = Duration.seconds(24 * 60 * 60)

    /// Returns what encrypts a connection; nil if it is not to be.
    ///
    /// - Parameters:
    ///   - stream: The connection.
    ///   - host: The name or address that the certificate must have.
    func engine(
        of stream: SocketStreamHandler, _ security: ConnectionSecurity, host: String
    ) throws(TransportFailure) -> TLSEngine? {
        guard let context = try self.clientContext(security) else { return nil }
        guard let sessions = stream.sessions else {
            return TLSEngine(context, .client(host: host, session: nil))
        }
        let server = TLSSessionCache.Server(security: security, host: host, peer: stream.peer)
        let engine = TLSEngine(context, .client(host: host, session: sessions[server]))
        engine.onSession = { sessions[server] = $0 }
        return engine
    }

    private func clientContext(_ security: ConnectionSecurity) throws(TransportFailure) -> TLSContext? {
        guard case .tls(let trust, let speaking) = security else { return nil }
        if let context = self.clientContexts[security] { return context }
        let context = try TLSContext.client(trust, speaking: speaking)
        self.clientContexts[security] = context
        return context
    }

    /// Begins small, because most connections are idle most of the time and each keeps its last buffer.
    private static let receiveAllocator = AdaptiveRecvByteBufferAllocator(minimum: 256, initial: 256, maximum: 65536)
}

extension Endpoint {
    fileprivate init(_ address: SocketAddress) {
        self.init(host: address.ipAddress ?? "local", port: address.port ?? 0)
    }
}
