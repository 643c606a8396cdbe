import RunRecord

/// What the attributes of suites count.
struct JUnitCounts: Hashable {
    var tests = 0
    var failures = 0
    var errors = 0
    var skipped = 0

    mutating func add(_ outcome: Outcome) { self.count(outcome, 1) }

    mutating func remove(_ outcome: Outcome?) {
        if let outcome { self.count(outcome, -1) }
    }

    private mutating func count(_ outcome: Outcome, _ number: Int) {
        self.tests += number
        switch outcome {
        case .passed: break
        case .failed: self.failures += number
        case .error: self.errors += number
        case .skipped, .expectedFailure: self.skipped += number
        }
    }

    mutating func add(_ other: JUnitCounts) {
        self.tests += other.tests
        self.failures += other.failures
        self.errors += other.errors
        self.skipped += other.skipped
    }
}
