import Certificates
import JSON
import LiveAssist
import Machines
import NIOCore
import NIOPosix
import Transport

/// A simulated Live Assist server that shows a certificate of its own, on an event loop of its own.
final class SecureServer {
    let origin: String
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let end: EventLoopPromise<Void>

    init() throws {
        let eventLoop = self.group.next()
        let end = eventLoop.makePromise(of: Void.self)
        self.end = end
        self.origin = try eventLoop.submit { try Self.serve(on: eventLoop, until: end.futureResult) }.wait()
    }

    /// Serves on the loop; returns where.
    private static func serve(on eventLoop: any EventLoop, until end: EventLoopFuture<Void>) throws -> String {
        guard let makeServer = LiveAssistSystem.system.server.make else { return "" }
        let listener = try SocketNetwork(eventLoop: eventLoop).listen(
            on: .loopback, identity: Certificates.identity)
        let driver = ServerDriver(
            machine: try makeServer(
                ServerConfiguration(origin: listener.origin, options: [:], epochMilliseconds: 0)),
            label: "server", listener: listener, scheduler: EventLoopScheduler(eventLoop: eventLoop),
            random: RandomSource(seed: 1), callScript: { _, _, _ in }, emit: { _, _ in })
        end.assumeIsolated().whenComplete { _ in driver.close() }
        return listener.origin
    }

    deinit {
        self.end.succeed()
        self.group.shutdownGracefully { _ in }
    }
}
