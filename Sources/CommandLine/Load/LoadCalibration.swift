import Load
import Metrics
import NIOCore
import Transport

/// Measures what the generator can do on this machine, before a run.
enum LoadCalibration {
    /// Measures for half a second.
    ///
    /// - Returns: Nil if this machine does not let its own loopback be reached.
    static func measure() async -> Calibration? {
        let (echoLoop, loop) = (SocketLoop(), SocketLoop())
        let (echoes, users) = (echoLoop.eventLoop, loop.eventLoop)
        let holder = EchoHolder()
        let endpoint = try? await echoes.submit {
            let echo = try EchoCalibration.echo(
                network: SocketNetwork(eventLoop: echoes), scheduler: EventLoopScheduler(eventLoop: echoes))
            holder.echo = echo
            return echo.endpoint
        }.get()
        var calibration: Calibration?
        if let endpoint {
            let promise = users.makePromise(of: Calibration?.self)
            users.execute {
                EchoCalibration(
                    echo: endpoint, network: SocketNetwork(eventLoop: users),
                    scheduler: EventLoopScheduler(eventLoop: users), probe: ProcessProbe(),
                    onEnd: { promise.succeed($0) }
                ).begin()
            }
            // The promise is always kept: the calibration has time limits.
            calibration = try? await promise.futureResult.get()
            _ = try? await echoes.submit { holder.echo?.close() }.get()
        }
        await loop.shutDown()
        await echoLoop.shutDown()
        return calibration
    }
}

/// Holds the echo on its event loop.
///
/// Safe to send: the one property is only touched by blocks that run on that loop, one after the other.
private final class EchoHolder: @unchecked Sendable {
    var echo: WebSocketService?
}
