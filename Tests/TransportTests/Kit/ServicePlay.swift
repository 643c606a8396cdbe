import Machines
import NIOCore
import NIOPosix
import Testing
import Transport

/// A service on a real port of the loopback, and the steps of a test with its clients.
///
/// The test's own thread becomes the event loop, and a step that does not come true within seconds fails the test.
class ServicePlay {
    /// Where a service comes to be.
    struct Port {
        let eventLoop: any EventLoop
        let scheduler: EventLoopScheduler
        let network: SocketNetwork
        let listener: any Listener

        init(on eventLoop: any EventLoop, _ sockets: SocketNetworkConfiguration) throws {
            self.eventLoop = eventLoop
            self.scheduler = EventLoopScheduler(eventLoop: eventLoop)
            self.network = SocketNetwork(eventLoop: eventLoop, configuration: sockets)
            self.listener = try self.network.listen(on: .loopback, identity: nil)
        }
    }

    private let port: Port
    private let steps = TestSteps()

    init(_ port: Port) { self.port = port }

    /// Connects a client that sends and reads.
    func connect(_ client: RawClient, sending bytes: [UInt8]) {
        client.connect(to: self.port.listener.endpoint, on: self.port.network, sending: bytes)
    }

    /// Connects a client that sends and never reads.
    func connectDeafClient(sending bytes: [UInt8]) {
        let endpoint = self.port.listener.endpoint
        ClientBootstrap(group: self.port.eventLoop)
            .channelOption(.autoRead, value: false)
            .channelOption(.socketOption(.so_rcvbuf), value: 4096)
            .connect(host: endpoint.host, port: endpoint.port)
            .assumeIsolated().whenSuccess { $0.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }
    }

    /// Adds a step: something is done, and then something comes true.
    func then(
        location: SourceLocation = #_sourceLocation, _ act: @escaping () -> Void,
        until isDone: @escaping () -> Bool = { true }
    ) {
        self.steps.add(location: location, act, until: isDone)
    }

    /// Closes the service, and lets go of what holds the play.
    func close() {}

    /// Makes a play on a loop of its own, prepares its steps and plays them.
    static func play<Play: ServicePlay>(
        sockets: SocketNetworkConfiguration, _ make: @escaping (Port) -> Play,
        _ prepare: @escaping (Play) throws -> Void
    ) throws {
        try EventLoopThread.play { eventLoop, finish in
            let play = make(try Port(on: eventLoop, sockets))
            try prepare(play)
            play.steps.play(on: play.port.scheduler) {
                play.steps.removeAll()
                play.close()
                finish()
            }
        }
    }
}
