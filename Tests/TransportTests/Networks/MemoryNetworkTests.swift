import Machines
import Testing

@testable import Transport

@Suite("The network in memory")
struct MemoryNetworkTests {
    private let scheduler = VirtualScheduler()
    private let client = Peer()
    private let server = Peer()

    private func network(latency: Duration = .zero) -> MemoryNetwork {
        MemoryNetwork(scheduler: self.scheduler, latency: latency)
    }

    @Test("Bytes arrive in order, in one piece per instant, after the latency, and never within the call")
    func order() throws {
        let network = self.network(latency: .milliseconds(10))
        network.connect(self.client, to: try network.listen(self.server))
        self.client.stream?.write([1])
        self.client.stream?.write([2])
        #expect(self.client.heard.isEmpty)
        self.scheduler.run { self.server.received.count == 2 }
        #expect(self.scheduler.now == Instant.start + .milliseconds(30))
        #expect(self.server.heard == [.opened, .bytes([1, 2])])
        self.scheduler.schedule(after: .milliseconds(1)) { self.client.stream?.write([3]) }
        self.scheduler.schedule(after: .milliseconds(2)) { self.client.stream?.write([4]) }
        self.scheduler.run()
        #expect(self.server.heard == [.opened, .bytes([1, 2]), .bytes([3]), .bytes([4])])
        #expect(self.scheduler.now == Instant.start + .milliseconds(42))
    }

    @Test("A direction can end while the other goes on")
    func halfClose() throws {
        let network = self.network()
        self.server.onEnd = { stream in
            stream.write([9])
            stream.finish()
        }
        network.connect(self.client, to: try network.listen(self.server))
        self.client.stream?.write([1])
        self.client.stream?.finish()
        self.client.stream?.write([2])
        self.scheduler.run()
        #expect(self.server.heard == [.opened, .bytes([1]), .end, .closed(nil)])
        #expect(self.client.heard == [.opened, .bytes([9]), .end, .closed(nil)])
    }

    @Test("After close the other side hears the end, and a reset if it goes on sending")
    func close() throws {
        let network = self.network()
        self.server.onEnd = { $0.write([1]) }
        network.connect(self.client, to: try network.listen(self.server))
        self.scheduler.run()
        self.client.stream?.close()
        self.scheduler.run()
        #expect(self.client.heard == [.opened, .closed(nil)])
        #expect(self.server.heard == [.opened, .end, .closed(.connectionLost)])
    }

    @Test("The bytes of connections that were opened here are counted when they arrive, each once")
    func traffic() throws {
        let network = self.network(latency: .milliseconds(10))
        self.server.onBytes = { $0.write([UInt8](repeating: 1, count: 50)) }
        let listener = try network.listen(self.server)
        network.connect(self.client, to: listener)
        self.client.stream?.write([1, 2, 3])
        #expect(network.traffic == Traffic())
        self.scheduler.run { self.server.received.count == 3 }
        #expect(network.traffic.sent == 3 && network.traffic.received == 0)
        self.scheduler.run()
        #expect(network.traffic.sent == 3 && network.traffic.received == 50)
        // What is written to nobody goes nowhere.
        listener.close()
        let other = Peer()
        network.connect(other, to: listener)
        other.stream?.write([4, 5])
        self.scheduler.run()
        #expect(other.isClosed && network.traffic.sent == 3)
    }

    @Test("An abort is a lost connection to the other side and silence to the own one")
    func abort() throws {
        let network = self.network()
        network.connect(self.client, to: try network.listen(self.server))
        self.scheduler.run()
        self.client.stream?.abort()
        self.scheduler.run()
        #expect(self.client.heard == [.opened])
        #expect(self.server.heard == [.opened, .closed(.connectionLost)])
    }

    @Test("A connection that is ended before it opens never reaches the listener", arguments: [true, false])
    func earlyEnd(isAbort: Bool) throws {
        let network = self.network()
        network.connect(self.client, to: try network.listen(self.server))
        if isAbort { self.client.stream?.abort() } else { self.client.stream?.close() }
        self.scheduler.run()
        #expect(self.server.heard.isEmpty)
        #expect(self.client.heard == (isAbort ? [] : [.closed(nil)]))
    }

    @Test("Where nobody listens any more, connections are refused; ports are not given twice")
    func listeners() throws {
        let network = self.network()
        let listener = try network.listen(self.server)
        #expect(throws: TransportFailure.self) { try network.listen(on: listener.endpoint, identity: nil) }
        #expect(throws: TransportFailure.self) {
            try network.listen(on: Endpoint(host: "a", port: 70000), identity: nil)
        }
        let other = try network.listen(on: .loopback, identity: nil)
        #expect(other.endpoint != listener.endpoint)
        listener.close()
        network.connect(self.client, to: listener)
        self.scheduler.run()
        #expect(self.client.heard == [.closed(.cannotConnect)])
        #expect(try network.listen(on: listener.endpoint, identity: nil).endpoint == listener.endpoint)
    }

    @Test("The names of this machine are one host")
    func localhost() throws {
        let network = self.network()
        let listener = try network.listen(self.server)
        _ = network.connect(
            to: Endpoint(host: "LOCALHOST", port: listener.endpoint.port), security: .plain, delegate: self.client)
        self.scheduler.run()
        #expect(self.client.heard == [.opened])
    }
}
