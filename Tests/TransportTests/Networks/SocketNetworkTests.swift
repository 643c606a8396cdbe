import CTLS
import Certificates
import Machines
import NIOCore
import NIOPosix
import Testing

@testable import Transport

@Suite("The network of sockets", .serialized)
struct SocketNetworkTests {
    /// Plays on an event loop until a condition holds, for a bounded time.
    private static func play(
        _ peers: [Peer], _ prepare: @escaping (SocketNetwork) throws -> Void, until isDone: @escaping () -> Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try EventLoopThread.play { eventLoop, finish in
            let scheduler = EventLoopScheduler(eventLoop: eventLoop)
            try prepare(SocketNetwork(eventLoop: eventLoop))
            func poll(_ remaining: Int) {
                if isDone() || remaining == 0 {
                    #expect(remaining > 0, "not within seconds", sourceLocation: sourceLocation)
                    for peer in peers { peer.stream?.abort() }
                    finish()
                } else {
                    scheduler.schedule(after: .milliseconds(1)) { poll(remaining - 1) }
                }
            }
            poll(5000)
        }
    }

    @Test("A direction can end while the other goes on, and everything written arrives")
    func halfClose() throws {
        let (client, server) = (Peer(), Peer())
        let long = [UInt8](repeating: 5, count: 3_000_000)
        server.onEnd = { stream in
            stream.write(long)
            stream.finish()
        }
        client.onEnd = { $0.close() }
        try Self.play([client, server]) { network in
            network.connect(client, to: try network.listen(server))
            client.stream?.write([1])
            client.stream?.write([2])
            client.stream?.finish()
            client.stream?.write([3])
        } until: {
            client.isClosed && server.isClosed
        }
        #expect(server.received == [1, 2])
        #expect(client.received == long)
        #expect(server.failure == nil)
        #expect(client.failure == nil)
    }

    @Test(
        "The bytes of connections that were opened here are counted, each once; those of TLS as they are encrypted",
        arguments: [false, true])
    func traffic(isEncrypted: Bool) throws {
        let (client, server) = (Peer(), Peer())
        server.onEnd = { stream in
            stream.write([UInt8](repeating: 5, count: 20_000))
            stream.close()
        }
        client.onEnd = { $0.close() }
        var network: SocketNetwork?
        try Self.play([client, server]) { made in
            network = made
            let listener = try made.listen(on: .loopback, identity: isEncrypted ? Certificates.identity : nil)
            listener.onAccept = { stream in
                server.stream = stream
                return server
            }
            let policy = TrustPolicy(verification: .none)
            client.stream = made.connect(
                to: listener.endpoint, security: isEncrypted ? .tls(policy) : .plain, delegate: client)
            client.stream?.write([UInt8](repeating: 4, count: 300))
            client.stream?.finish()
        } until: {
            client.isClosed && server.isClosed
        }
        #expect(client.received.count == 20_000 && server.received.count == 300)
        let traffic = try #require(network).traffic
        guard isEncrypted else { return #expect(traffic.sent == 300 && traffic.received == 20_000) }
        // The handshake, and the frame of each record; less than if they were counted as plain bytes as well.
        #expect(400..<5_000 ~= traffic.sent, "\(traffic)")
        #expect(20_400..<30_000 ~= traffic.received, "\(traffic)")
    }

    @Test("Close sends everything first; abort is the end of the connection to the other side")
    func endings() throws {
        let (client, server) = (Peer(), Peer())
        server.onEnd = { $0.close() }
        try Self.play([client, server]) { network in
            network.connect(client, to: try network.listen(server))
            client.stream?.write([UInt8](repeating: 1, count: 1_000_000))
            client.stream?.close()
        } until: {
            client.isClosed && server.isClosed
        }
        #expect(server.received.count == 1_000_000)
        let (quitter, witness) = (Peer(), Peer())
        quitter.onOpen = { $0.abort() }
        witness.onEnd = { $0.close() }
        try Self.play([quitter, witness]) { network in
            network.connect(quitter, to: try network.listen(witness))
        } until: {
            witness.isClosed
        }
        #expect(quitter.heard == [.opened])
    }

    @Test("Who is dropped while others take in what came in the same turn hears nothing of it")
    func droppedInTurn() throws {
        let clients = [Peer(), Peer()]
        let servers = [Peer(), Peer()]
        for (client, other) in [(0, 1), (1, 0)] {
            clients[client].onBytes = { _ in clients[other].stream?.abort() }
        }
        try Self.play(clients + servers) { network in
            for (client, server) in zip(clients, servers) { network.connect(client, to: try network.listen(server)) }
            // What both get leaves in one turn, so that both have something to read in the next.
            for server in servers {
                server.onOpen = { _ in
                    guard servers.allSatisfy({ $0.heard == [.opened] }) else { return }
                    for server in servers { server.stream?.write([1]) }
                }
            }
        } until: {
            servers.contains { $0.isClosed }
        }
        #expect(clients.map(\.received).sorted { $0.count < $1.count } == [[], [1]])
    }

    @Test("A port that is taken, and an address that is not of this machine, are said to be so")
    func listening() throws {
        try EventLoopThread.play { eventLoop, finish in
            let network = SocketNetwork(eventLoop: eventLoop)
            let listener = try network.listen(on: .loopback, identity: nil)
            let taken = #expect(throws: TransportFailure.self) {
                try network.listen(on: listener.endpoint, identity: nil)
            }
            #expect(taken?.message.contains("another server of this run has the port") == true)
            #expect(taken?.message.contains("--workers 1") == true)
            let foreign = #expect(throws: TransportFailure.self) {
                try network.listen(on: Endpoint(host: "192.0.2.1", port: 0), identity: nil)
            }
            #expect(foreign?.message.contains("does not have that address") == true)
            let name = #expect(throws: TransportFailure.self) {
                try network.listen(on: Endpoint(host: "desk.test", port: 0), identity: nil)
            }
            #expect(name?.message.contains("give an address of this machine") == true)
            #expect(throws: TransportFailure.self) {
                try network.listen(
                    on: .loopback, identity: ServerIdentity(certificateChainPEM: "no", privateKeyPEM: "no"))
            }
            finish()
        }
    }

    @Test(
        "A certificate is accepted as the policy says",
        arguments: [
            (TrustPolicy(), false), (TrustPolicy(verification: .none), true),
            (TrustPolicy(authorityFiles: [Certificates.file]), true),
            (TrustPolicy(authorityFiles: ["/does/not/exist.pem"]), false),
        ])
    func trust(policy: TrustPolicy, isAccepted: Bool) throws {
        for host in ["127.0.0.1", "localhost"] {
            let (client, server) = (Peer(), Peer())
            server.onBytes = { $0.write([2]) }
            try Self.play([client, server]) { network in
                let listener = try network.listen(on: .loopback, identity: Certificates.identity)
                listener.onAccept = { stream in
                    server.stream = stream
                    return server
                }
                client.stream = network.connect(
                    to: Endpoint(host: host, port: listener.endpoint.port), security: .tls(policy), delegate: client)
                client.stream?.write([1])
            } until: {
                client.isClosed || !client.received.isEmpty
            }
            #expect(client.received == (isAccepted ? [2] : []))
            #expect(client.failure == (isAccepted ? nil : .tlsFailed))
        }
    }

    /// Gives back what comes.
    private final class Echo: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            context.writeAndFlush(data, promise: nil)
        }
    }

    @Test(
        "A server that speaks no newer TLS than 1.1 is reached only by a client that is told to speak it",
        arguments: [(TrustPolicy.Version.tls13, false), (.tls12, false), (.tls11, true), (.tls10, true)])
    func oldTLS(oldest: TrustPolicy.Version, isAccepted: Bool) throws {
        let client = Peer()
        try Self.playEcho(
            try ServerTLS.context { ServerTLS.speakAtMost(TLS1_1_VERSION, $0) }, client,
            TrustPolicy(verification: .none, oldestVersion: oldest))
        #expect(client.received == (isAccepted ? [1] : []))
        #expect(client.failure == (isAccepted ? nil : .tlsFailed))
    }

    /// Connects to an echo, sends a byte, and waits for it or for the end.
    private static func playEcho(_ context: TLSContext, _ client: Peer, _ policy: TrustPolicy) throws {
        try EventLoopThread.play { eventLoop, finish in
            let scheduler = EventLoopScheduler(eventLoop: eventLoop)
            let network = SocketNetwork(eventLoop: eventLoop)
            let security = NIOLoopBound(context, eventLoop: eventLoop)
            ServerBootstrap(group: eventLoop)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandlers(ServerTLS.handler(security.value), Echo())
                    }
                }
                .bind(host: "127.0.0.1", port: 0).assumeIsolated().whenSuccess { server in
                    client.stream = network.connect(
                        to: Endpoint(host: "127.0.0.1", port: server.localAddress?.port ?? 0),
                        security: .tls(policy), delegate: client)
                    client.stream?.write([1])
                }
            func poll(_ remaining: Int) {
                guard !client.isClosed, client.received.isEmpty, remaining > 0 else {
                    client.stream?.abort()
                    finish()
                    return
                }
                scheduler.schedule(after: .milliseconds(1)) { poll(remaining - 1) }
            }
            poll(10_000)
        }
    }

    @Test(
        "A server that asks for a certificate is reached by a client that shows one it trusts, and by no other",
        arguments: [
            (ClientIdentity(certificateFile: Certificates.file, keyFile: Certificates.keyFile), true), (nil, false),
            (ClientIdentity(certificateFile: Certificates.file, keyFile: "/does/not/exist.pem"), false),
        ] as [(ClientIdentity?, Bool)])
    func clientCertificate(identity: ClientIdentity?, isAccepted: Bool) throws {
        let client = Peer()
        let policy = TrustPolicy(verification: .none, identity: identity)
        try Self.playEcho(try ServerTLS.context(ServerTLS.askForCertificate), client, policy)
        #expect(client.received == (isAccepted ? [1] : []))
        if !isAccepted { #expect(client.failure != nil) }
    }

    @Test(
        "A user's connections resume its sessions, and nobody else's, where that is wished", arguments: [true, false])
    func resumption(isWished: Bool) throws {
        let context = try ServerTLS.context()
        try EventLoopThread.play { eventLoop, finish in
            let security = NIOLoopBound(context, eventLoop: eventLoop)
            let network = SocketNetwork(
                eventLoop: eventLoop, configuration: SocketNetworkConfiguration(resumesSessions: isWished))
            var isResumed: [Bool] = []
            func connect(_ users: ArraySlice<Int>, _ port: Int) {
                guard let user = users.first else {
                    #expect(isResumed == [false, isWished, false, isWished])
                    return finish()
                }
                let client = Peer()
                client.onBytes = { stream in
                    isResumed.append(stream.openingTimes.isResumed)
                    stream.abort()
                    eventLoop.assumeIsolated().execute { connect(users.dropFirst(), port) }
                }
                client.stream = network.belonging(to: user, leavingFrom: 0).connect(
                    to: Endpoint(host: "localhost", port: port), security: .tls(TrustPolicy(verification: .none)),
                    delegate: client)
                client.stream?.write([1])
            }
            ServerBootstrap(group: eventLoop)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandlers(ServerTLS.handler(security.value), Echo())
                    }
                }
                .bind(host: "127.0.0.1", port: 0).assumeIsolated().whenSuccess { server in
                    connect([1, 1, 2, 1], server.localAddress?.port ?? 0)
                }
        }
    }

    @Test("Encryption asked of a server without it fails as such")
    func noEncryption() throws {
        let (client, server) = (Peer(), Peer())
        server.onBytes = { $0.write(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)) }
        try Self.play([client, server]) { network in
            let listener = try network.listen(server)
            client.stream = network.connect(to: listener.endpoint, security: .tls(.system), delegate: client)
        } until: {
            client.isClosed
        }
        #expect(client.failure == .tlsFailed)
    }

    @Test("A host that does not exist cannot be connected")
    func unknownHost() throws {
        let client = Peer()
        try Self.play([client]) { network in
            client.stream = network.connect(
                to: Endpoint(host: "no-such-host.invalid", port: 80), security: .plain, delegate: client)
        } until: {
            client.isClosed
        }
        #expect(client.failure == .cannotConnect)
    }
}
