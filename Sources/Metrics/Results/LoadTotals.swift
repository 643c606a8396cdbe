/// The figures of a whole load run, added up from its shards.
public struct LoadTotals: Sendable {
    /// What was played.
    public let identity: RunIdentity
    public private(set) var measurements: Measurements
    public private(set) var ledger: Ledger
    /// How each generator ran, by shard.
    public let health: [(shard: Int, health: GeneratorHealth)]
    /// The floor of all generators together, if any was measured.
    public private(set) var calibration: Calibration?
    private let calibrations: [Int: Calibration]
    /// When the first shard began, as RFC 3339 text.
    public private(set) var startedAt: String?
    /// How long the longest shard took, in microseconds.
    public private(set) var durationMicroseconds: Int64 = 0
    /// The least regular of the endings.
    public private(set) var ending = ShardResult.Ending.finished
    /// What happened, in order of time, each once.
    public private(set) var annotations: [ShardResult.Annotation] = []
    /// Why users failed, the most frequent first.
    public private(set) var causes: [FailureCause] = []
    /// Why iterations were skipped and how many, the most frequent reason first.
    public private(set) var skips: [(reason: String, count: Int64)] = []

    init(_ result: LoadResult) throws(LoadResultError) {
        let shards = result.shards.sorted { $0.key < $1.key }
        self.identity = result.identity
        self.measurements = Measurements(phases: result.identity.phases)
        self.ledger = Ledger(run: shards.first?.value.ledger.run ?? LedgerEnvelope.runNumber(of: result.identity.runID))
        self.health = shards.map { (shard: $0.key, health: $0.value.health) }
        self.calibrations = result.shards.compactMapValues(\.calibration)
        for (index, shard) in shards {
            do {
                try self.measurements.merge(shard.measurements)
            } catch {
                throw LoadResultError("shard \(index): \(error.message)")
            }
            self.ledger.merge(shard.ledger)
            if let calibration = shard.calibration {
                var sum = self.calibration ?? Calibration()
                sum.merge(calibration)
                self.calibration = sum
            }
            self.startedAt = [self.startedAt, shard.startedAt].compactMap(\.self).min()
            self.durationMicroseconds = max(self.durationMicroseconds, shard.durationMicroseconds)
            if Self.rank(shard.ending) > Self.rank(self.ending) { self.ending = shard.ending }
            self.annotations += shard.annotations
        }
        self.annotations = ShardResult.Annotation.merged(self.annotations)
        self.causes = FailureCause.merged(shards.flatMap(\.value.causes))
        self.skips = shards.reduce(into: [:]) { $0.merge($1.value.skips, uniquingKeysWith: { $0.saturatingAdd($1) }) }
            .map { (reason: $0.key, count: $0.value) }.sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
    }

    private static func rank(_ ending: ShardResult.Ending) -> Int {
        switch ending {
        case .finished: 0
        case .interrupted: 1
        case .aborted: 2
        case .mistaken: 3
        case .unfinished: 4
        }
    }

    /// How long the run took without its warm-up, in seconds.
    public var countedSeconds: Double {
        Double(max(0, self.durationMicroseconds - self.identity.phases.countedStart)) / 1_000_000
    }

    /// The verdict on the generator of one shard; in virtual time, which waits for it, none is unfit.
    public func verdict(ofShard shard: Int) -> HealthVerdict? {
        guard !self.identity.isVirtual else { return HealthVerdict([]) }
        return self.health.first { $0.shard == shard }?.health.verdict(
            calibration: self.calibrations[shard], excusesArrivals: self.excusesArrivals)
    }

    /// The verdict on the generators: the worst of all shards that there are, each reason with its shard.
    public var healthVerdict: HealthVerdict {
        guard !self.identity.isVirtual else { return HealthVerdict([]) }
        let excusesArrivals = self.excusesArrivals
        var findings: [(state: HealthVerdict.State, reason: String)] = []
        for (shard, health) in self.health {
            let verdict = health.verdict(
                calibration: self.calibrations[shard], excusesArrivals: excusesArrivals)
            let prefix = self.identity.name(ofShard: shard).map { $0 + ": " } ?? ""
            for reason in verdict.reasons { findings.append((verdict.state, prefix + reason)) }
        }
        return HealthVerdict(findings)
    }

    /// Why users failed, as far as no threshold answers for it: a threshold says how much of what it is about may go
    /// wrong; of anything else nothing may, and a mistake of the script is no failure of the server.
    public var unjudgedCauses: [FailureCause] {
        let judged = Set(Self.judges.map(\.name).filter(self.isJudged(on:)))
        return self.causes.filter { cause in Self.judge(of: cause).map { !judged.contains($0) } ?? true }
    }

    /// The metric by which thresholds say how often a cause may be; nil for what none of them answers for.
    private static func judge(of cause: FailureCause) -> String? {
        if cause.isMistake { return nil }
        if cause.user != nil { return Self.failures.name }
        return cause.isBrokenOff ? Self.brokenOff.name : nil
    }

    /// Whether thresholds of the run say how much of something may be, whatever its tags; unless they do, nothing may.
    private func isJudged(on metric: String) -> Bool {
        let thresholds = self.thresholds(about: [metric])
        // Where nothing is counted there is nothing to excuse.
        let series = self.measurements.series(of: metric).filter { $0.total.total != 0 }
        return !thresholds.isEmpty
            && series.allSatisfy { one in thresholds.contains { $0.tags.allSatisfy(one.tags.contains) } }
    }

    /// The thresholds that answer for the causes that there are, as they were asked for.
    public var failureThresholds: [String] {
        self.thresholds(about: Set(self.causes.compactMap(Self.judge(of:)))).map(\.text)
    }

    /// The thresholds that say how much of some metrics may be in the whole run; one about a phase, or about the last
    /// seconds, says nothing of the rest, and one that asks for more says nothing of how much is too much.
    private func thresholds(about metrics: Set<String>) -> [Threshold] {
        // What a script measures itself does not matter here, so what cannot be read is left out.
        let own = Set(Self.judges.map(\.name))
        let known = self.measurements.metrics.filter { !own.contains($0.name) } + Self.judges
        let (thresholds, _) = Threshold.parse(
            self.identity.thresholds, metrics: known, phases: self.identity.phases.names)
        return thresholds.filter {
            metrics.contains($0.metric) && $0.phase == nil && !$0.isAboutEnd && $0.boundsFromAbove
        }
    }

    /// What became of the messages. Of a run that ended before its time some are still under way, for nobody waited for
    /// them: only those that 64 later ones overtook are lost.
    public var deliveries: DeliveryAccount { self.ledger.account(isOver: self.ending == .finished) }

    /// Whose texts did not go the way they should, those of the worst first.
    ///
    /// - Parameter limit: How many to return.
    public func worstStreams(limit: Int) -> [(sender: UInt32, channel: UInt32, account: DeliveryAccount)] {
        self.ledger.worstStreams(limit: limit, isOver: self.ending == .finished)
    }

    /// The same as lines for people; see ``Ledger/defectLines(limit:isOver:)``.
    public func defectLines(limit: Int) -> [String] {
        self.ledger.defectLines(limit: limit, isOver: self.ending == .finished)
    }

    /// The thresholds that say how many texts may go wrong as they did, if there is one for each way in which they did;
    /// unless there is, none may.
    public var deliveryThresholds: [String] {
        let defects = Set(self.deliveries.defects)
        let judges = self.thresholds(about: defects)
        return defects.isSubset(of: judges.map(\.metric)) ? judges.map(\.text) : []
    }

    /// How many texts were never acknowledged although that is declared.
    public var unacknowledged: Int64 { self.measurements.histogram(of: Self.unacknowledgedName).sum }

    /// How many texts were never acknowledged, and whose they were as far as a sample of users tells, such as
    /// `9 × a text whose acknowledgement never came (user 4: 6, user 7: 2, others: 1)`; nil if all were.
    public var unacknowledgedLine: String? {
        let count = self.unacknowledged
        guard count > 0 else { return nil }
        let users = self.ledger.unacknowledged.worst.prefix(Self.namedUserLimit)
        var parts = users.map { "user \($0.user): \(NumberText.grouped($0.count))" }
        let others = count - min(count, users.map(\.count).saturatingSum)
        if others > 0, !parts.isEmpty { parts.append("others: \(NumberText.grouped(others))") }
        let names = parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
        return "\(NumberText.grouped(count)) × a text whose acknowledgement never came\(names)"
    }

    /// So many users are named in a line.
    private static let namedUserLimit = 5

    /// Whether texts were sent whose acknowledgement is declared.
    public var hasAcknowledgements: Bool { self.measurements.metric(named: Self.unacknowledgedName) != nil }

    /// The thresholds that say how many of those texts there may be, whoever has sent them; unless there is one, there
    /// may be none.
    public var acknowledgementThresholds: [String] {
        guard self.isJudged(on: Self.unacknowledgedName) else { return [] }
        return self.thresholds(about: [Self.unacknowledgedName]).map(\.text)
    }

    private static let unacknowledgedName = "unacknowledged"

    /// The arrivals that were kept back, which every run with arrivals counts.
    static let keptBackName = "dropped_arrivals"

    /// Whether a threshold says how many arrivals may be kept back.
    var isJudgedOnArrivals: Bool { !self.thresholds(about: [Self.keptBackName]).isEmpty }

    /// The rate of users who fail, which every run measures.
    private static let failures = Metric("failures", .rate)

    /// The iterations that are broken off, which every run counts.
    private static let brokenOff = Metric(FailureCause.brokenOffKind, .counter)

    /// The metrics by which thresholds say what users may come to.
    private static let judges = [Self.failures, Self.brokenOff]

    /// The run as thresholds see it.
    ///
    /// - Parameter baseline: An earlier run to compare with.
    public func view(baseline: LoadTotals? = nil) -> LoadView {
        LoadView(
            measurements: self.measurements, deliveries: self.deliveries,
            nowMicroseconds: self.durationMicroseconds, isOver: true, baseline: baseline?.measurements,
            baselineMicroseconds: baseline?.durationMicroseconds ?? 0, isVirtual: self.identity.isVirtual)
    }

    /// Judges the thresholds of the run, as a whole.
    ///
    /// A metric that a threshold names and nobody measured has no samples; that is an outcome of its own.
    ///
    /// - Parameters:
    ///   - baseline: An earlier run to compare with.
    ///   - metrics: What the run could have measured beside what it did.
    /// - Returns: The outcomes, and what is wrong with thresholds that cannot be read.
    public func thresholds(
        baseline: LoadTotals? = nil, metrics: [Metric] = []
    ) -> (outcomes: [ThresholdOutcome], errors: [ThresholdError]) {
        let known = self.measurements.metrics
        let others = metrics.filter { metric in !known.contains { $0.name == metric.name } }
        let (thresholds, errors) = Threshold.parse(
            self.identity.thresholds, metrics: known + others, phases: self.identity.phases.names)
        let view = self.view(baseline: baseline)
        return (thresholds.map { $0.evaluate(view) }, errors)
    }
}
