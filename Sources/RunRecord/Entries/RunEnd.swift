/// A run that is over.
public struct RunEnd: Hashable, Sendable {
    /// How the scenarios ended.
    public var counts: OutcomeCounts

    /// How long the run took on its own clock, in nanoseconds; in virtual time the sum over the scenarios.
    public var durationNanoseconds: Int64

    /// Whether the run was broken off before all scenarios had been played.
    public var isInterrupted: Bool

    /// The time limit of the run that broke it off, as scripts write durations (`10m`), or nil if none did.
    public var timeLimit: String?

    /// How robust the scenarios were whose rows name a mutator, in the order of the names.
    public var robustness: [MutatorRate]

    /// What the answers of language models took, if any told it.
    public var usage: ModelUsage?

    /// Of a shard, digests of the files that its scenarios have read while they were played, as those of
    /// ``ShardPlan/files``, which are not among them.
    public var files: [String: String]

    /// Creates the end of a run.
    public init(
        counts: OutcomeCounts, durationNanoseconds: Int64, isInterrupted: Bool = false, timeLimit: String? = nil,
        robustness: [MutatorRate] = [], usage: ModelUsage? = nil, files: [String: String] = [:]
    ) {
        self.counts = counts
        self.durationNanoseconds = durationNanoseconds
        self.isInterrupted = isInterrupted
        self.timeLimit = timeLimit
        self.robustness = robustness
        self.usage = usage
        self.files = files
    }
}

/// How many scenarios ended in which way; of several attempts the last one counts.
public struct OutcomeCounts: Hashable, Sendable {
    /// Scenarios that passed at the first attempt.
    public var passed: Int

    /// Scenarios that passed after an attempt that did not.
    public var flaky: Int

    /// Scenarios in which an expectation was not met.
    public var failed: Int

    /// Scenarios that broke.
    public var errors: Int

    /// Scenarios that failed as they declare.
    public var expectedFailures: Int

    /// Scenarios that were not played.
    public var skipped: Int

    /// Creates counts, all zero unless given.
    public init(
        passed: Int = 0, failed: Int = 0, errors: Int = 0, skipped: Int = 0, flaky: Int = 0, expectedFailures: Int = 0
    ) {
        self.passed = passed
        self.failed = failed
        self.errors = errors
        self.skipped = skipped
        self.flaky = flaky
        self.expectedFailures = expectedFailures
    }

    /// All scenarios that ended.
    public var total: Int {
        self.passed + self.failed + self.errors + self.skipped + self.flaky + self.expectedFailures
    }

    /// Counts one more scenario.
    ///
    /// - Parameters:
    ///   - outcome: That of the last attempt.
    ///   - isRetry: Whether it was a retry; the attempts before did not pass.
    public mutating func add(_ outcome: Outcome, isRetry: Bool = false) {
        if Flakiness.holds(for: outcome, isRetry: isRetry) {
            self.flaky += 1
            return
        }
        switch outcome {
        case .passed: self.passed += 1
        case .failed: self.failed += 1
        case .error: self.errors += 1
        case .expectedFailure: self.expectedFailures += 1
        case .skipped: self.skipped += 1
        }
    }

    /// Counts what another part of the run has counted.
    public mutating func add(_ other: OutcomeCounts) {
        self.passed &+= other.passed
        self.failed &+= other.failed
        self.errors &+= other.errors
        self.skipped &+= other.skipped
        self.flaky &+= other.flaky
        self.expectedFailures &+= other.expectedFailures
    }
}
