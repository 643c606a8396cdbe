import Machines
import NIOCore
import NIOPosix
import Testing

@testable import Transport

@Suite("The sockets of the process that meet", .serialized)
struct OwnSocketsTests {
    @Test("a server tells a client of its own process from one outside of it, whatever network it is on")
    func origin() throws {
        var origins: [String: Bool] = [:]
        try EventLoopThread.play { eventLoop, finish in
            let scheduler = EventLoopScheduler(eventLoop: eventLoop)
            let (network, other) = (SocketNetwork(eventLoop: eventLoop), SocketNetwork(eventLoop: eventLoop))
            let listener = try network.listen(on: .loopback, identity: nil)
            var servers: [Peer] = []
            listener.onAccept = { stream in
                let server = Peer()
                server.stream = stream
                server.onBytes = { origins[String(decoding: server.received, as: UTF8.self)] = $0.isFromOutside }
                servers.append(server)
                return server
            }
            let client = Peer()
            other.connect(client, to: listener)
            client.stream?.write(Array("inside".utf8))
            let address = try SocketAddress(ipAddress: "127.0.0.1", port: listener.endpoint.port)
            // Not by a network of this module, as a socket of another process is not.
            ClientBootstrap(group: eventLoop).connect(to: address).assumeIsolated().whenSuccess { channel in
                channel.writeAndFlush(ByteBuffer(string: "outside"), promise: nil)
            }
            func poll(_ remaining: Int) {
                guard origins.count < 2, remaining > 0 else {
                    for server in servers { server.stream?.abort() }
                    listener.close()
                    return finish()
                }
                scheduler.schedule(after: .milliseconds(1)) { poll(remaining - 1) }
            }
            poll(5000)
        }
        #expect(origins == ["inside": false, "outside": true])
    }

    @Test(
        "a connection on which nothing has come is forgotten with its end, whichever side ends it",
        arguments: [true, false])
    func unheard(isEndedByClient: Bool) throws {
        var isKnown: Bool?
        try EventLoopThread.play { eventLoop, finish in
            let scheduler = EventLoopScheduler(eventLoop: eventLoop)
            let network = SocketNetwork(eventLoop: eventLoop)
            let (client, server) = (Peer(), Peer())
            let listener = try network.listen(server)
            var port: Int?
            network.connect(client, to: listener)
            func poll(_ remaining: Int) {
                let isOver = isEndedByClient ? server.isClosed : client.isClosed
                guard !isOver, remaining > 0 else {
                    isKnown = port.map { OwnSockets.ofProcess.take(from: $0, to: listener.endpoint.port) }
                    listener.close()
                    return finish()
                }
                if port == nil, let stream = server.stream, client.heard == [.opened] {
                    port = stream.peer.port
                    if isEndedByClient { client.stream?.abort() } else { stream.abort() }
                }
                scheduler.schedule(after: .milliseconds(1)) { poll(remaining - 1) }
            }
            poll(5000)
        }
        #expect(isKnown == false)
    }

    @Test("a connection is known until it is asked for, and none to where nothing listens any more")
    func connections() {
        let sockets = OwnSockets()
        sockets.connected(from: 1, to: 80)
        #expect(!sockets.listens(at: 80) && !sockets.take(from: 1, to: 80))
        sockets.opened(at: 80)
        sockets.opened(at: 80)
        sockets.connected(from: 1, to: 80)
        sockets.connected(from: 2, to: 80)
        #expect(sockets.take(from: 1, to: 80))
        #expect(!sockets.take(from: 1, to: 80))
        sockets.closed(at: 80)
        #expect(sockets.listens(at: 80))
        sockets.closed(at: 80)
        #expect(!sockets.listens(at: 80) && !sockets.take(from: 2, to: 80))
    }
}
