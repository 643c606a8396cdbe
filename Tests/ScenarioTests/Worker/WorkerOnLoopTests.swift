import NIOCore
import NIOPosix
import Testing
import Transport

@testable import Scenario

/// What a worker does on an event loop that it shares with sockets.
@Suite("A worker on an event loop")
struct WorkerOnLoopTests {
    /// Notes how many actions had been done when the first byte came.
    private final class Listener: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        let heard: () -> Void

        init(_ heard: @escaping () -> Void) {
            self.heard = heard
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { self.heard() }
    }

    /// A worker with a thousand actions that are due at once, the first of which writes to a socket of its own loop.
    private final class Crowd {
        static let size = 1000

        private let loop: any EventLoop
        private let worker: Worker
        private let end: EventLoopPromise<Int>
        private var done = 0
        private var doneWhenHeard: Int?

        init(on loop: any EventLoop, _ end: EventLoopPromise<Int>) {
            self.loop = loop
            self.worker = Worker(loop: loop)
            self.end = end
        }

        func heard() { self.doneWhenHeard = self.doneWhenHeard ?? self.done }

        func begin(_ wire: any Channel) {
            for number in 0..<Self.size {
                _ = self.worker.schedule(after: .zero) {
                    if number == 0 { wire.writeAndFlush(ByteBuffer(string: "x"), promise: nil) }
                    // As what connects does, which asks the loop for more several times over.
                    self.ask(again: 4)
                    self.done += 1
                    if self.done == Self.size { self.end.succeed(self.doneWhenHeard ?? Self.size) }
                }
            }
        }

        private func ask(again rounds: Int) {
            guard rounds > 0 else { return }
            self.loop.assumeIsolated().execute { self.ask(again: rounds - 1) }
        }
    }

    @Test("sockets get their turn while a thousand scripts and timers are due")
    func socketsBetween() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let end = loop.makePromise(of: Int.self)
        try await loop.submit {
            let crowd = Crowd(on: loop, end)
            let bound = NIOLoopBound(crowd, eventLoop: loop)
            let server = ServerBootstrap(group: loop)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Listener { bound.value.heard() })
                    }
                }
                .bind(host: "127.0.0.1", port: 0)
            server.assumeIsolated().flatMap { server in
                ClientBootstrap(group: loop).connect(to: server.localAddress!)
            }.whenSuccess { wire in
                // Once the other side is there as well.
                loop.assumeIsolated().scheduleTask(in: .milliseconds(20)) { crowd.begin(wire) }
            }
        }.get()
        let doneWhenHeard = try await end.futureResult.get()
        #expect(doneWhenHeard <= Crowd.size / 2, "heard after \(doneWhenHeard) of \(Crowd.size)")
        try await group.shutdownGracefully()
    }
}
