/// What became of scenarios that were played once for each fault at each point of what went over their connections.
public struct FaultMatrix: Hashable, Sendable {
    /// The version of the tool.
    public var toolVersion: String

    /// The seed of the run.
    public var seed: UInt64

    /// The kinds of faults, in the order of the rows.
    public var kinds: [String]

    /// The scenarios that pass without a fault.
    public var scenarios: [FaultedScenario]

    /// The scenarios that do not pass without one and were not played with any, and the files that cannot be loaded.
    public var leftOut: [LeftOutScenario]

    /// The faults that were not played with some system, because they cannot happen there.
    public var impossible: [ImpossibleFault] = []

    /// Why the run was broken off, and how many of its scenarios came to their end; nil if it was not.
    public var breakOff: String?

    /// Creates a matrix.
    public init(
        toolVersion: String, seed: UInt64, kinds: [String], scenarios: [FaultedScenario], leftOut: [LeftOutScenario]
    ) {
        self.toolVersion = toolVersion
        self.seed = seed
        self.kinds = kinds
        self.scenarios = scenarios
        self.leftOut = leftOut
    }

    /// How many plays came to an outcome.
    public func count(_ outcome: FaultOutcome) -> Int {
        self.scenarios.reduce(0) { $0 + $1.count(outcome) }
    }

    /// How many executions with a fault there were.
    public var playCount: Int { self.scenarios.reduce(0) { $0 + $1.cells.count } }

    /// Whether nothing went wrong that is not explained, as far as it was played, and nothing was left out that should
    /// have been.
    public var isGood: Bool {
        FaultOutcome.allCases.allSatisfy { $0.isGood || self.count($0) == 0 }
            && self.leftOut.allSatisfy(\.outcome.isGood)
    }
}
