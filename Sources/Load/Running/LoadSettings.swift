public import JSON
import Machines
public import Metrics
public import Scenario

/// All that a load run needs to know besides the scenarios.
public struct LoadSettings: Sendable {
    /// Who starts when.
    public var plan: LoadPlan

    /// What scripts can require and read, and where the chat is.
    public var play: PlaySettings

    /// Whether texts carry envelopes, so that each can be accounted for.
    public var usesLedger: Bool

    /// What must hold; those that may abort are judged while the run goes.
    public var thresholds: [Threshold]

    /// The run in numbers of envelopes.
    public var run: UInt32

    /// Rows of data, one for each user and iteration, and the order in which they are dealt.
    public var rows: [JSONValue]
    public var rowOrder: DataFeeder.Order

    /// The rows that the scenarios of the file have of their own.
    public var scenarioRows: [JSONValue] = []

    /// An earlier run that thresholds compare with.
    public var baseline: LoadTotals?

    /// Creates settings.
    public init(
        plan: LoadPlan, play: PlaySettings, usesLedger: Bool, thresholds: [Threshold] = [], run: UInt32,
        rows: [JSONValue] = [], rowOrder: DataFeeder.Order = .circular, baseline: LoadTotals? = nil
    ) {
        self.plan = plan
        self.play = play
        self.usesLedger = usesLedger
        self.thresholds = thresholds
        self.run = run
        self.rows = rows
        self.rowOrder = rowOrder
        self.baseline = baseline
    }

    /// A digest of what all shards of a run must agree on: the plan, and what is in the rows of data and who gets which.
    ///
    /// Rows are read from files on each machine, and a shard with an older copy would play another run.
    public var digest: UInt64 {
        guard !self.rows.isEmpty || !self.scenarioRows.isEmpty else { return self.plan.digest }
        // FNV-1a over the text of each row; a line end keeps two rows apart.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for row in self.rows + [.string(self.rowOrder.rawValue)] + self.scenarioRows {
            for byte in JSONWriter.write(row) + [0x0A] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        return RandomSource.seed(self.plan.digest, for: String(hash, radix: 16))
    }

    /// The parts of the run over time, as figures are kept apart by them: the warm-up, the named spans, and the rest.
    public var phases: Phases {
        var list: [Phases.Phase] = []
        var end = Duration.zero
        if self.plan.shape.warmUp > .zero {
            list.append(Phases.Phase(Self.warmUpName, startMicroseconds: 0))
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

extension Duration {
    /// Whole microseconds.
    var microseconds: Int64 { self.clampedNanoseconds / 1000 }
}
