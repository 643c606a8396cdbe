import Machines
import Metrics
import NIOCore
import NIOPosix
import Testing
import Transport

@testable import Load

@Suite("The calibration of a generator")
struct EchoCalibrationTests {
    /// Calibrates on one event loop.
    private func calibrate(isThere: Bool) throws -> Calibration? {
        var found: Calibration?
        var failure: TransportFailure?
        MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { eventLoop in
            let scheduler = EventLoopScheduler(eventLoop: eventLoop)
            let network = SocketNetwork(eventLoop: eventLoop)
            do throws(TransportFailure) {
                let echo = try EchoCalibration.echo(network: network, scheduler: scheduler)
                if !isThere { echo.close() }
                EchoCalibration(
                    echo: echo.endpoint, network: network, scheduler: scheduler, probe: NoProbe(),
                    onEnd: { calibration in
                        found = calibration
                        echo.close()
                        eventLoop.shutdownGracefully { _ in }
                    }
                ).begin()
            } catch {
                failure = error
                eventLoop.shutdownGracefully { _ in }
            }
        }
        if let failure { throw failure }
        return found
    }

    @Test("finds the floor, the lateness of timers and what can be done at most")
    func finds() throws {
        let calibration = try #require(try self.calibrate(isThere: true))
        #expect(calibration.roundTrips.count > 1)
        #expect(calibration.floor != nil)
        #expect(!calibration.lateness.isEmpty)
        #expect(calibration.busyRoundTrips > Int64(EchoCalibration.clients))
        #expect(calibration.busyMicroseconds >= 300_000)
        #expect(calibration.line?.contains("round trips/s") == true)
    }

    @Test("finds nothing where there is no echo")
    func nobody() throws {
        #expect(try self.calibrate(isThere: false) == nil)
    }
}
