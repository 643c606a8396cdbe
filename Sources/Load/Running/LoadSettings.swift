public import JSON
import Machines
public import Metrics
import RunRecord
public import Scenario

/// All that a load run needs to know besides the scenarios.
public struct LoadSettings: Sendable {
    /// Who starts when.
    public var plan: LoadPlan

    /// What scripts can require and read, and where the chat is.
    public var execution: ExecutionSettings

    /// Whether texts carry envelopes, so that each can be accounted for.
    public var usesLedger: Bool

    /// What must hold; those that may abort are judged while the run goes.
    public var thresholds: [Threshold]

    /// The run in numbers of envelopes.
    public var run: UInt32

    /// Rows of data, one for each user and iteration.
    public var rows: [JSONValue]

    /// The order in which rows are dealt.
    public var rowOrder: DataFeeder.Order

    /// What strikes many users at once.
    public var storms: [Storm] = []

    /// The rows that the scenarios of the file have of their own.
    public var scenarioRows: [JSONValue] = []

    /// A digest of the scripts that users play; nil where nobody has read any.
    public var scripts: UInt64?

    /// An earlier run that thresholds compare with.
    public var baseline: LoadTotals?

    /// On how many cores this process plays the plan.
    public var cores = 1

    /// The users whose texts are timed on their way to those of this process: nil for all, and those of this process
    /// where its time line is not that of other shards.
    public var timedPart: LoadPlan?

    /// Creates settings.
    public init(
        plan: LoadPlan, execution: ExecutionSettings, usesLedger: Bool, thresholds: [Threshold] = [], run: UInt32,
        rows: [JSONValue] = [], rowOrder: DataFeeder.Order = .circular, baseline: LoadTotals? = nil
    ) {
        self.plan = plan
        self.execution = execution
        self.usesLedger = usesLedger
        self.thresholds = thresholds
        self.run = run
        self.rows = rows
        self.rowOrder = rowOrder
        self.baseline = baseline
    }

    /// A digest of what all shards of a run must agree on: the plan, the scripts, and what is in the rows of data and
    /// who gets which.
    ///
    /// Scripts and rows are read from files on each machine, and a shard with an older copy would play another run.
    public var digest: UInt64 {
        // How many parts a shard is played in decides which part of the run each result is.
        var digest =
            self.cores > 1 ? RandomSource.seed(self.plan.digest, for: "cores \(self.cores)") : self.plan.digest
        if let scripts = self.scripts { digest = RandomSource.seed(digest, for: "scripts \(scripts)") }
        guard !self.rows.isEmpty || !self.scenarioRows.isEmpty || !self.storms.isEmpty else { return digest }
        var hash = FNV1a.hash64([])
        for row in self.rows + [.string(self.rowOrder.rawValue)] + self.scenarioRows
            + self.storms.map({ .string($0.fingerprint) })
        {
            // A line end keeps two rows apart.
            hash = FNV1a.hash64(JSONWriter.write(row) + [0x0A], from: hash)
        }
        return RandomSource.seed(digest, for: String(hash, radix: 16))
    }

    /// How many users a run can have whose texts are accounted for: their numbers stand in envelopes.
    public static let mostAccountedUsers = 1 << (32 - Int(Ledger.actorBits))

    /// Whether a threshold may end the run before its time.
    public var mayAbort: Bool { self.thresholds.contains(where: \.canAbort) }

    /// Judges the thresholds that may end the run before its time.
    ///
    /// - Parameters:
    ///   - measurements: What has been measured so far.
    ///   - deliveries: What became of the messages so far.
    ///   - now: The time since the start of the run, in microseconds.
    /// - Returns: Why the run is to end, or nil.
    public func abortReason(
        _ measurements: Measurements, _ deliveries: DeliveryAccount, atMicroseconds now: Int64
    ) -> String? {
        let view = LoadView(
            measurements: measurements, deliveries: deliveries, nowMicroseconds: now, isOver: false,
            baseline: self.baseline?.measurements, baselineMicroseconds: self.baseline?.durationMicroseconds ?? 0,
            isVirtual: self.execution.isVirtual)
        let outcomes = self.thresholds.filter(\.canAbort).map { $0.evaluate(view) }
        return Threshold.abortReason(outcomes, nowMicroseconds: view.nowMicroseconds)
    }

    /// Whether other processes play parts of the run; the cores of this one are no parts in this sense.
    var isPartOfRun: Bool { self.plan.shard.count > self.cores }

    /// Returns the settings of one core's part of the run.
    ///
    /// - Throws: ``ShapeError`` if the shape cannot be dealt to as many cores.
    public func part(ofCore core: Int) throws(ShapeError) -> LoadSettings {
        guard self.cores > 1 else { return self }
        var part = self
        part.plan = try self.plan.part(ofCore: core, of: self.cores)
        return part
    }

    /// The parts of the run over time, as figures are kept apart by them: the warm-up, the named spans, and the rest.
    public var phases: Phases {
        var list: [Phases.Phase] = []
        var end = Duration.zero
        if self.plan.shape.warmUp > .zero {
            list.append(Phases.Phase(Self.warmUpName, startMicroseconds: 0, isCounted: false))
            end = self.plan.shape.warmUp
        }
        for phase in self.plan.shape.phases where phase.start >= end {
            if phase.start > end || list.isEmpty, phase.start > .zero {
                list.append(Phases.Phase(Self.restName, startMicroseconds: end.microseconds))
            }
            list.append(Phases.Phase(phase.name, startMicroseconds: phase.start.microseconds))
            end = phase.end
        }
        let isOver = !list.isEmpty && end >= self.plan.shape.length
        list.append(
            Phases.Phase(isOver ? Self.finishName : Self.restName, startMicroseconds: end.microseconds))
        return Phases(list)
    }

    /// The part of the run before anything counts.
    public static let warmUpName = "warm-up"

    /// What belongs to no named part.
    public static let restName = "run"

    /// What comes when no more users begin, after the last named part: those who play come to their end.
    public static let finishName = "finish"
}
