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
