import HTTPTypes
import JSON
import Machines
import Metrics
import NIOCore
import Transport

/// Pushes the figures of a run to a collector at an interval, and what it came to at the end.
///
/// A collector that cannot be reached is said once and tried again each time; the run goes on all the same. Values are
/// cumulative from the start of the run, so that a body that was not taken loses nothing but its moment, and nothing is
/// sent twice. Confined to the event loop of its scheduler.
final class OpenTelemetryExporter {
    /// How long a collector may take to answer. Defined here; its answer is what the end of a run waits for.
    private static let timeLimit = Duration.seconds(5)

    private let address: OTLPEndpoint
    private let headers: HTTPFields
    private let intervalMicroseconds: Int64
    private let warn: (String) -> Void
    private let client: HTTPClient
    private var lastPush: Int64?

    /// The push that has no answer yet.
    private var push: ExchangeID?
    private var hasWarned = false
    private var onAnswer: (() -> Void)?

    /// - Parameters:
    ///   - interval: How long to wait between two pushes.
    ///   - warn: Tells people the first reason why figures did not get there.
    init(
        _ address: OTLPEndpoint, headers: [HTTPField], every interval: Duration, network: any Network,
        scheduler: any Scheduler, warn: @escaping (String) -> Void
    ) {
        self.address = address
        self.intervalMicroseconds = interval.clampedNanoseconds / 1000
        self.warn = warn
        var fields: HTTPFields = [.contentType: "application/json", .userAgent: "repartee/\(Version.text)"]
        for field in headers { fields[field.name] = field.value }
        self.headers = fields
        self.client = HTTPClient(label: "collector", network: network, scheduler: scheduler)
    }

    /// Pushes if it is time to, and the last push has been answered.
    ///
    /// The first snapshot is pushed at once, so that a wrong address is noticed while somebody looks.
    func offer(_ snapshot: LoadSnapshot) {
        if let last = self.lastPush, snapshot.nowMicroseconds - last < self.intervalMicroseconds { return }
        guard self.push == nil else { return }
        self.pushNow(snapshot)
    }

    /// Pushes what the run came to.
    ///
    /// - Parameter completion: Called once, when the collector has answered or has had its time.
    func finish(_ snapshot: LoadSnapshot, completion: @escaping () -> Void) {
        self.onAnswer = completion
        self.pushNow(snapshot)
    }

    /// Drops the connection.
    func close() {
        self.client.close()
    }

    /// Sends the figures; a push that is still on its way is given up.
    private func pushNow(_ snapshot: LoadSnapshot) {
        self.lastPush = snapshot.nowMicroseconds
        if let push = self.push { self.client.cancel(push) }
        let head = HTTPRequest(
            method: .post, scheme: self.address.scheme, authority: self.address.authority, path: self.address.path,
            headerFields: self.headers)
        let request = Request(head, body: OpenTelemetryOutput(snapshot).body, timeLimit: Self.timeLimit)
        self.push = self.client.send(request) { [weak self] in self?.answered($0) }
    }

    private func answered(_ result: Result<Response, TransportFailure>) {
        self.push = nil
        if let reason = Self.refusal(result), !self.hasWarned {
            self.hasWarned = true
            self.warn("the collector at \(self.address.text) does not take the figures: \(reason); the run goes on")
        }
        self.onAnswer?()
        self.onAnswer = nil
    }

    /// Returns why the figures were not taken, or nil if they were.
    private static func refusal(_ result: Result<Response, TransportFailure>) -> String? {
        switch result {
        case .failure(let failure): return failure.message
        case .success(let response):
            guard response.head.status.kind == .successful else { return "it answers \(response.head.status.code)" }
            // A collector may take the request and refuse points of it (OTLP specification, "Partial Success").
            let partial = (try? JSONReader.read(response.body))?["partialSuccess"]
            let count = partial?["rejectedDataPoints"]
            let rejected = count?.integer ?? count?.string.flatMap { Int64($0) } ?? 0
            guard rejected != 0 else { return nil }
            return
                "it refuses \(NumberText.counted(rejected, "point")): \(partial?["errorMessage"]?.string ?? "it does not say why")"
        }
    }
}
