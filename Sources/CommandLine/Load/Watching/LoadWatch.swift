import HTTPTypes
import JSON
import Load
import Machines
import Metrics
import NIOCore
import Synchronization
import Transport

/// Shows a run while it goes: on the terminal, to those who scrape it, and to a collector.
///
/// It has a thread of its own. The users' thread hands over a snapshot once a second and goes on; a watch that is not
/// done with the last one, because a terminal or a network is slow, does not get the next.
final class LoadWatch: Sendable {
    /// What others see of the run beside the terminal.
    struct Exports: Sendable {
        var pages: [Endpoint] = []
        var collectors: [OTLPEndpoint] = []
        var headers: [HTTPField] = []
        var interval = Duration.seconds(10)
    }

    /// The pages and collectors, which live on the loop.
    private struct Open {
        var pages: [MetricsPage] = []
        var collectors: [OpenTelemetryExporter] = []

        func close() {
            for page in self.pages { page.close() }
            for collector in self.collectors { collector.close() }
        }
    }

    private let loop = SocketLoop()
    private let open: NIOLoopBoundBox<Open>
    private let console: ProgressConsole
    private let runID: String
    private let isBusy = Atomic(false)
    /// When the first user began, in microseconds since 1970.
    private let startMicroseconds = Atomic(WallClock.epochMilliseconds * 1000)

    init(_ console: ProgressConsole, runID: String) {
        self.console = console
        self.runID = runID
        self.open = .makeBoxSendingValue(Open(), eventLoop: self.loop.eventLoop)
    }

    /// Opens the ports and prepares the pushes.
    ///
    /// - Returns: The URLs of the pages.
    /// - Throws: ``TransportFailure`` if a port cannot be had.
    func begin(_ exports: Exports) async throws(TransportFailure) -> [String] {
        let loop = self.loop.eventLoop
        let outcome = try? await loop.submit { [self] () -> Result<[String], TransportFailure> in
            do throws(TransportFailure) {
                let network = SocketNetwork(eventLoop: loop)
                let scheduler = EventLoopScheduler(eventLoop: loop)
                for endpoint in exports.pages {
                    self.open.value.pages.append(
                        try MetricsPage(on: endpoint, network: network, scheduler: scheduler))
                }
                for address in exports.collectors {
                    self.open.value.collectors.append(
                        OpenTelemetryExporter(
                            address, headers: exports.headers, every: exports.interval, network: network,
                            scheduler: scheduler, warn: { [console] in console.warn($0) }))
                }
                let empty = Measurements()
                self.show(
                    self.snapshot(0, empty, DeliveryAccount(), GeneratorHealth().verdict()))
                return .success(self.open.value.pages.map(\.url))
            } catch {
                return .failure(error)
            }
        }.get()
        switch outcome {
        case .success(let urls)?: return urls
        case .failure(let failure)?: throw failure
        case nil: throw TransportFailure(.cannotConnect, "the event loop has ended")
        }
    }

    /// Notes that users begin now.
    func started() {
        self.startMicroseconds.store(WallClock.epochMilliseconds * 1000, ordering: .relaxed)
    }

    /// Takes a snapshot over; called on the users' thread.
    func progress(_ progress: LoadProgress) {
        guard !self.isBusy.exchange(true, ordering: .relaxed) else { return }
        self.loop.eventLoop.execute { [self] in
            self.console.progress(progress)
            let snapshot = self.snapshot(
                progress.atMicroseconds, progress.measurements, progress.deliveries, progress.health)
            self.show(snapshot)
            for collector in self.open.value.collectors { collector.offer(snapshot) }
            self.isBusy.store(false, ordering: .relaxed)
        }
    }

    private func snapshot(
        _ now: Int64, _ measurements: Measurements, _ deliveries: DeliveryAccount, _ health: HealthVerdict
    ) -> LoadSnapshot {
        LoadSnapshot(
            runID: self.runID, startMicroseconds: self.startMicroseconds.load(ordering: .relaxed),
            nowMicroseconds: now, measurements: measurements, deliveries: deliveries, health: health)
    }

    private func show(_ snapshot: LoadSnapshot) {
        let pages = self.open.value.pages
        guard !pages.isEmpty else { return }
        let figures = Array(PrometheusOutput(snapshot).text.utf8)
        for page in pages { page.show(figures) }
    }

    /// Pushes what the run came to and closes everything.
    ///
    /// - Parameter snapshot: What the run came to; nil if it never began.
    func end(_ snapshot: LoadSnapshot?) async {
        let loop = self.loop.eventLoop
        if let snapshot {
            let pushed = loop.flatSubmit { [self] in
                let promises = self.open.value.collectors.map { collector in
                    let promise = loop.makePromise(of: Void.self)
                    collector.finish(snapshot) { promise.succeed() }
                    return promise.futureResult
                }
                return EventLoopFuture.andAllSucceed(promises, on: loop)
            }
            // Each push has a time limit, so all are answered.
            _ = try? await pushed.get()
        }
        _ = try? await loop.submit { [self] in self.open.value.close() }.get()
        await self.loop.shutDown()
    }
}
