import HTTPTypes
import JSON
import Machines
import Metrics
import NIOCore
import Transport

/// Pushes the figures of a run to a collector at an interval, and what it came to at the end.
///
/// A collector that cannot be reached is said once and tried again each time; the run does not heed it. Confined to the
/// event loop of its scheduler.
final class Collector {
    private let address: CollectorAddress
    private let intervalMicroseconds: Int64
    private let warn: (String) -> Void
    private var port: ClientPort?
    private var lastPush: Int64?
    private var isSending = false
    private var hasWarned = false
    private var onAnswer: (() -> Void)?

    /// - Parameters:
    ///   - interval: How long to wait between two pushes.
    ///   - warn: Tells people the first reason why figures did not get there.
    init(
        _ address: CollectorAddress, headers: [HTTPField], every interval: Duration, network: any Network,
        scheduler: any Scheduler, warn: @escaping (String) -> Void
    ) {
        self.address = address
        self.intervalMicroseconds = interval.clampedNanoseconds / 1000
        self.warn = warn
        self.port = ClientPort(
            machine: CollectorClient(address, headers: headers), label: "collector", network: network,
            scheduler: scheduler, random: RandomSource(seed: 0), callScript: { _, _, _ in },
            emit: { [weak self] in self?.observed($0) })
    }

    /// Pushes if it is time to, and the last push has been answered.
    ///
    /// The first snapshot is pushed at once, so that a wrong address is noticed while somebody looks.
    func offer(_ snapshot: LoadSnapshot) {
        if let last = self.lastPush, snapshot.nowMicroseconds - last < self.intervalMicroseconds { return }
        guard !self.isSending else { return }
        self.push(snapshot)
    }

    /// Pushes what the run came to.
    ///
    /// - Parameter completion: Called once, when the collector has answered or has had its time.
    func finish(_ snapshot: LoadSnapshot, completion: @escaping () -> Void) {
        self.onAnswer = completion
        self.push(snapshot)
    }

    /// Drops the connection.
    func close() {
        self.port?.close()
        self.port = nil
    }

    private func push(_ snapshot: LoadSnapshot) {
        self.lastPush = snapshot.nowMicroseconds
        self.isSending = true
        let body = String(decoding: OpenTelemetryOutput(snapshot).body, as: UTF8.self)
        _ = self.port?.perform(Command("push", ["body": .string(body)]))
    }

    private func observed(_ event: ChatEvent) {
        self.isSending = false
        if event.kind == .error, !self.hasWarned {
            self.hasWarned = true
            let reason = event.fields["message"]?.string ?? ""
            self.warn("the collector at \(self.address.text) does not take the figures: \(reason); the run goes on")
        }
        self.onAnswer?()
        self.onAnswer = nil
    }
}
