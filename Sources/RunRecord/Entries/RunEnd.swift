/// A run that is over.
public struct RunEnd: Hashable, Sendable {
    /// How the scenarios ended.
    public var counts: OutcomeCounts

    /// How long the run took on its own clock, in nanoseconds; in virtual time the sum over the scenarios.
    public var durationNanoseconds: Int64

    /// Whether the run was broken off before all scenarios had been played.
    public var isInterrupted: Bool

    /// Creates the end of a run.
    public init(counts: OutcomeCounts, durationNanoseconds: Int64, isInterrupted: Bool = false) {
        self.counts = counts
        self.durationNanoseconds = durationNanoseconds
        self.isInterrupted = isInterrupted
    }
}

/// How many scenarios ended in which way.
public struct OutcomeCounts: Hashable, Sendable {
    /// Scenarios that passed.
    public var passed: Int

    /// Scenarios in which an expectation was not met.
    public var failed: Int

    /// Scenarios that broke.
    public var errors: Int

    /// Scenarios that were not played.
    public var skipped: Int

    /// Creates counts, all zero unless given.
    public init(passed: Int = 0, failed: Int = 0, errors: Int = 0, skipped: Int = 0) {
        self.passed = passed
        self.failed = failed
        self.errors = errors
        self.skipped = skipped
    }

    /// All scenarios that ended.
    public var total: Int { self.passed + self.failed + self.errors + self.skipped }

    /// Counts one more scenario.
    public mutating func add(_ outcome: Outcome) {
        switch outcome {
        case .passed: self.passed += 1
        case .failed: self.failed += 1
        case .error: self.errors += 1
        case .skipped: self.skipped += 1
        }
    }
}
