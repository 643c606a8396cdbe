import Machines
import Metrics
import RunRecord
import Scenario
import Secrets
import Transport

/// Takes down what the users of one pool do and observe.
final class LoadRecorder {
    private(set) var measurements: Measurements
    private(set) var ledger: Ledger
    var health = GeneratorHealth()
    var remarks: TextRemarks

    /// When the run began on the pool's time line; set before anybody plays.
    var origin = PoolInstant.start

    /// Whether texts carry envelopes, so that each can be accounted for.
    let usesLedger: Bool

    /// The part of the run whose texts are timed on their way; nil if all are.
    private let timedPart: LoadPlan?

    /// Whether a text came of a user whose time line is not known here, so that nobody can tell how long it took.
    private var isTimeUnknown = false

    /// How many texts were sent and received since they were asked for last.
    private var messages: Int64 = 0

    private var untagged: [BuiltInMetric: SeriesID] = [:]
    private var byRole: [RoleMetric: SeriesID] = [:]
    private var byName: [NamedMetric: SeriesID] = [:]
    private var names: [BuiltInMetric: Set<String>] = [:]
    private var custom: [CustomMetric: SeriesID] = [:]

    /// The names by which thresholds judge a part of a metric.
    ///
    /// They are told apart however many others there are: their figures are put together with those of other cores and
    /// shards, which may have met other names first.
    private let judgedNames: [BuiltInMetric: Set<String>]

    /// What happened to the load or the servers, to be shown on the axis of time.
    private(set) var marks: [ShardResult.Annotation] = []

    /// More marks than this would hide the chart; those that come later are left out.
    static let markLimit = 200

    /// Marks of one label that follow each other within this time are one.
    static let markGap: Int64 = 1_000_000

    private struct RoleMetric: Hashable {
        let metric: BuiltInMetric
        let role: String
    }

    private struct NamedMetric: Hashable {
        let metric: BuiltInMetric
        let name: String
        let role: String?
    }

    /// Requests, steps and answers of so many names or statuses are told apart; those of further ones are counted
    /// together.
    static let nameLimit = 100

    private struct CustomMetric: Hashable {
        let name: String
        let kind: ScriptSample.Kind
        let tags: [Tag]
    }

    /// What must not be seen in names, tags and marks.
    private let vault: SecretVault

    init(
        phases: Phases, run: UInt32, usesLedger: Bool, vault: SecretVault, timedPart: LoadPlan? = nil,
        userCount: Int = 1, thresholds: [Threshold] = []
    ) {
        self.judgedNames = Self.judgedNames(thresholds)
        self.remarks = TextRemarks(userCount: userCount)
        self.vault = vault
        self.timedPart = timedPart
        self.measurements = Measurements(phases: phases)
        self.ledger = Ledger(run: run)
        self.usesLedger = usesLedger
    }

    private static func judgedNames(_ thresholds: [Threshold]) -> [BuiltInMetric: Set<String>] {
        var names: [BuiltInMetric: Set<String>] = [:]
        for threshold in thresholds {
            guard let metric = BuiltInMetric(rawValue: threshold.metric),
                let tagName = FoundParts.tagName(of: threshold.metric)
            else { continue }
            for tag in threshold.tags where tag.name == tagName { names[metric, default: []].insert(tag.value) }
        }
        return names
    }

    /// Records a sample of a metric that every run has.
    func record(_ metric: BuiltInMetric, _ value: Int64, role: String?, at now: Instant) {
        let microseconds = now.microseconds
        if metric == .sent || metric == .received { self.messages += value }
        guard let id = self.series(metric, role: role) else { return }
        self.measurements.record(id, value, at: microseconds)
    }

    /// Returns how many texts were sent and received since the last time.
    func takeMessages() -> Int64 {
        defer { self.messages = 0 }
        return self.messages
    }

    /// Records a time of a metric that every run has.
    ///
    /// - Parameters:
    ///   - now: When it counts as over.
    ///   - began: When it began, which decides the phase; the duration before `now` if nil.
    func record(
        _ metric: BuiltInMetric, _ duration: Duration, role: String?, at now: Instant, began: Instant? = nil
    ) {
        guard let id = self.series(metric, role: role) else { return }
        self.record(id, duration, at: now, began: began)
    }

    private func record(_ id: SeriesID, _ duration: Duration, at now: Instant, began: Instant? = nil) {
        let (microseconds, end) = (duration.microseconds, now.microseconds)
        let start = began?.microseconds ?? end - microseconds
        self.measurements.record(id, microseconds, at: end, began: start)
    }

    /// Records what an answer of a language model took.
    func record(_ usage: AnswerUsage, role: String?, at now: Instant) {
        if let tokens = usage.inputTokens { self.record(.modelInputTokens, tokens, role: role, at: now) }
        if let tokens = usage.outputTokens { self.record(.modelOutputTokens, tokens, role: role, at: now) }
        if let time = usage.firstTokenNanoseconds {
            self.record(.timeToFirstToken, .nanoseconds(time), role: role, at: now)
        }
        guard let cost = usage.costNanos, let id = self.series(.modelCost, role: role) else { return }
        self.measurements.record(id, number: Double(cost) / 1e9, at: now.microseconds)
    }

    /// Records that a connection was opened, and how long each of the steps took that there were.
    func record(_ times: OpeningTimes, role: String?, at now: Instant) {
        self.record(.connections, 1, role: role, at: now)
        let steps: [(BuiltInMetric, Duration?)] = [
            (.lookup, times.lookup), (.tcpConnect, times.connect), (.tlsHandshake, times.encryption),
        ]
        if times.isResumed { self.record(.resumed, 1, role: role, at: now) }
        for case (let metric, let duration?) in steps { self.record(metric, duration, role: role, at: now) }
    }

    private func series(_ metric: BuiltInMetric, role: String?) -> SeriesID? {
        if let role {
            let key = RoleMetric(metric: metric, role: role)
            if let id = self.byRole[key] { return id }
            let id = try? self.measurements.series(metric.metric, tags: [Tag("role", role)])
            self.byRole[key] = id
            return id
        }
        if let id = self.untagged[metric] { return id }
        let id = try? self.measurements.series(metric.metric)
        self.untagged[metric] = id
        return id
    }

    /// Records a time of a metric whose samples have names: how long a request or a step took.
    func record(
        _ metric: BuiltInMetric, named name: String, _ duration: Duration, role: String?, at now: Instant
    ) {
        guard let id = self.series(NamedMetric(metric: metric, name: name, role: role)) else { return }
        self.record(id, duration, at: now)
    }

    /// Records the status of an answer of HTTP, and whether it is that of a failure.
    func answered(_ status: Int, role: String?, at now: Instant) {
        self.record(.httpFailed, status >= Self.leastFailedStatus ? 1 : 0, role: role, at: now)
        guard let id = self.series(NamedMetric(metric: .httpAnswers, name: String(status), role: role)) else { return }
        self.measurements.record(id, 1, at: now.microseconds)
    }

    /// From here on a status says that a request failed, by the client's or the server's fault (RFC 9110 section 15).
    private static let leastFailedStatus = 400

    private func series(_ named: NamedMetric) -> SeriesID? {
        if let id = self.byName[named] { return id }
        if self.judgedNames[named.metric]?.contains(named.name) == true { return self.newSeries(named) }
        let known = self.names[named.metric] ?? []
        guard known.contains(named.name) || known.count < Self.nameLimit else {
            let others = NamedMetric(metric: named.metric, name: FoundParts.others, role: named.role)
            if let id = self.byName[others] { return id }
            return self.newSeries(others)
        }
        self.names[named.metric, default: []].insert(named.name)
        return self.newSeries(named)
    }

    private func newSeries(_ named: NamedMetric) -> SeriesID? {
        let name = self.vault.current.withoutValues(named.name)
        let part = FoundParts.tagName(of: named.metric.rawValue).map { [Tag($0, name)] } ?? []
        let role = named.role.map { [Tag("role", $0)] } ?? []
        let id = try? self.measurements.series(named.metric.metric, tags: part + role)
        self.byName[named] = id
        return id
    }

    /// Records a figure that a script measured itself.
    ///
    /// - Returns: Why it cannot be counted, for the script; nil if it was.
    func record(_ sample: ScriptSample, at now: Instant) -> String? {
        let key = CustomMetric(
            name: sample.name, kind: sample.kind, tags: sample.tags.map { Tag($0.name, $0.value) })
        let id: SeriesID
        if let known = self.custom[key] {
            id = known
        } else {
            do throws(MetricError) {
                let secrets = self.vault.current
                let tags = key.tags.map { Tag(secrets.withoutValues($0.name), secrets.withoutValues($0.value)) }
                var metric = Self.metric(sample)
                metric.name = secrets.withoutValues(metric.name)
                id = try self.measurements.series(metric, tags: tags)
            } catch {
                return error.message
            }
            self.custom[key] = id
        }
        let microseconds = now.microseconds
        switch sample.kind {
        case .count, .gauge, .value: self.measurements.record(id, number: sample.value, at: microseconds)
        case .rate: self.measurements.record(id, isHit: sample.value != 0, at: microseconds)
        case .duration: self.record(id, Duration(scriptSeconds: sample.value) ?? .zero, at: now)
        }
        return nil
    }

    private static func metric(_ sample: ScriptSample) -> Metric {
        switch sample.kind {
        case .count: Metric(sample.name, .counter, unit: .number)
        case .gauge: Metric(sample.name, .gauge, unit: .number, combination: .latest)
        case .rate: Metric(sample.name, .rate)
        case .value: Metric(sample.name, .trend, unit: .number)
        case .duration: Metric(sample.name, .trend, unit: .microseconds)
        }
    }

    /// Marks a moment; where many users do the same, it is one mark that lasts.
    func mark(_ label: String, at now: Instant) {
        let microseconds = now.microseconds
        let label = String(self.vault.current.withoutValues(label).prefix(100))
        let isNear: (ShardResult.Annotation) -> Bool = {
            $0.label == label && microseconds - ($0.endMicroseconds ?? $0.startMicroseconds) <= Self.markGap
        }
        if let place = self.marks.lastIndex(where: isNear) {
            if microseconds > self.marks[place].startMicroseconds { self.marks[place].endMicroseconds = microseconds }
        } else if self.marks.count < Self.markLimit {
            self.marks.append(.init(startMicroseconds: microseconds, label: label))
        }
    }

    /// Returns the envelope for a text that is sent.
    func send(from sender: UInt32, in channel: UInt32, receivers: Int, at now: Instant) -> LedgerEnvelope {
        self.ledger.send(
            from: sender, in: channel, receivers: receivers, intendedMicroseconds: now.microseconds)
    }

    /// Takes down that a text has arrived.
    ///
    /// - Parameter begin: When the receiver began to play, in microseconds; what is older comes as history, which takes
    ///   no time to be delivered.
    /// - Returns: Whether it is new to the receiver.
    func receive(
        _ envelope: LedgerEnvelope, by receiver: UInt32, in channel: UInt32, since begin: Int64, role: String?,
        at now: Instant
    ) -> Bool {
        let receipt = self.ledger.receive(
            envelope, by: receiver, isAddressee: envelope.channel == channel, since: begin)
        guard receipt == .delivered || receipt == .reordered else { return false }
        if envelope.intendedMicroseconds >= begin {
            guard self.timedPart?.owns(user: Int(envelope.sender >> Ledger.actorBits)) != false else {
                self.isTimeUnknown = true
                return true
            }
            let microseconds = max(0, now.microseconds) - max(0, envelope.intendedMicroseconds)
            self.record(.delivery, .microseconds(max(0, microseconds)), role: role, at: now)
        }
        return true
    }

    /// What is to be said of texts whose time on their way is not known; nil if there were none.
    var warning: String? {
        guard self.isTimeUnknown else { return nil }
        return
            "texts from other shards came, and delivery does not have them: the shards have not agreed on when the run "
            + "begins; give all of them --rendezvous PLACE, or the same time by --start-at"
    }

    /// Takes down that the server has shown a text to its sender once more.
    func repeated(from sender: UInt32, in channel: UInt32) {
        self.ledger.repeated(from: sender, in: channel)
    }

    /// Takes down that texts of a user were not acknowledged although that is declared; in a warm-up none count.
    func unacknowledged(_ count: Int, ofUser number: Int, role: String?, at now: Instant) {
        guard count > 0 else { return }
        self.record(.unacknowledged, Int64(count), role: role, at: now)
        guard now.microseconds >= self.measurements.phases.countedStart, let user = UInt32(exactly: number) else {
            return
        }
        self.ledger.lacksAcknowledgement(count, ofUser: user)
    }

    /// Takes down that deliveries need not come; fewer than zero, that as many excused ones have come.
    func excuse(_ count: Int, from sender: UInt32, in channel: UInt32) {
        self.ledger.excuse(count, from: sender, in: channel)
    }
}
