import RunRecord

/// The cases of one scenario file in the order in which they began.
struct JUnitSuite {
    let file: String

    /// When the first case began, in nanoseconds since the start of the run.
    let startNanoseconds: Int64

    var cases: [JUnitCase] = []

    private var endedCounts = JUnitCounts()
    private var endedNanoseconds: Int64 = 0
    private var running: Set<Int> = []
    private var renderedBytes = 0

    init(file: String, startNanoseconds: Int64) {
        self.file = file
        self.startNanoseconds = startNanoseconds
    }

    /// Adds a case that begins and returns its place.
    mutating func add(_ testcase: JUnitCase) -> Int {
        self.cases.append(testcase)
        self.running.insert(self.cases.count - 1)
        return self.cases.count - 1
    }

    mutating func finish(place: Int, _ end: ScenarioEnd, run: RunStart?) {
        self.cases[place].finish(end, run: run)
        self.running.remove(place)
        self.endedCounts.add(end.outcome)
        self.endedNanoseconds &+= self.cases[place].durationNanoseconds
        self.renderedBytes += self.cases[place].rendered.count
    }

    /// The counts as they are true for the file as it is now: a case that has not ended is an error.
    var counts: JUnitCounts {
        var counts = self.endedCounts
        for _ in self.running { counts.add(.error) }
        return counts
    }

    /// The time of all cases together, whether or not they ran side by side.
    var durationNanoseconds: Int64 {
        self.running.reduce(self.endedNanoseconds) { $0 &+ self.cases[$1].durationNanoseconds }
    }

    /// About how many bytes the suite takes in the file.
    var sizeHint: Int { self.renderedBytes + self.running.count * 2_000 + 1_000 }
}

/// What the attributes of suites count.
struct JUnitCounts: Hashable {
    var tests = 0
    var failures = 0
    var errors = 0
    var skipped = 0

    mutating func add(_ outcome: Outcome) {
        self.tests += 1
        switch outcome {
        case .passed: break
        case .failed: self.failures += 1
        case .error: self.errors += 1
        case .skipped: self.skipped += 1
        }
    }

    mutating func add(_ other: JUnitCounts) {
        self.tests += other.tests
        self.failures += other.failures
        self.errors += other.errors
        self.skipped += other.skipped
    }
}
