import RunRecord

/// The cases of one scenario file, or of all, in the order in which they began.
struct JUnitSuite {
    /// The file, or a name for all files.
    let name: String

    /// When the first case began, in nanoseconds since the start of the run.
    let startNanoseconds: Int64

    /// Whether the name is that of a file.
    let isOfFile: Bool

    var cases: [JUnitCase] = []

    /// How robust the cases were whose rows name a mutator.
    private(set) var robustness = RobustnessTally()

    private var endedCounts = JUnitCounts()
    private var endedTimes = JUnitTimes()
    private var running: Set<Int> = []
    /// The places of cases that have ended, by the id of their scenario.
    private var ended: [String: Set<Int>] = [:]
    private var renderedBytes = 0

    init(name: String, startNanoseconds: Int64, isOfFile: Bool = true) {
        self.name = name
        self.isOfFile = isOfFile
        self.startNanoseconds = startNanoseconds
    }

    /// Adds a scenario that begins, or another attempt at one, and returns the place of its case.
    mutating func add(_ start: ScenarioStart, profile: JUnitProfile, run: RunStart?) -> Int {
        self.robustness.record(.scenarioStarted(start))
        let place: Int
        if start.attempt > 1, start.isTry || profile.attempts != .cases, let earlier = self.ended[start.id]?.max() {
            place = earlier
            self.ended[start.id]?.remove(earlier)
            self.endedCounts.remove(self.cases[place].end?.outcome)
            self.endedTimes.remove(self.cases[place].times(in: run))
            self.cases[place].begin(start, run: run)
        } else {
            place = self.cases.count
            self.cases.append(JUnitCase(start: start, profile: profile))
        }
        self.running.insert(place)
        return place
    }

    mutating func finish(place: Int, _ end: ScenarioEnd, run: RunStart?) {
        self.robustness.record(.scenarioEnded(end))
        self.cases[place].finish(end, run: run)
        self.running.remove(place)
        self.ended[self.cases[place].start.id, default: []].insert(place)
        self.endedCounts.add(end.outcome)
        self.endedTimes.add(self.cases[place].times(in: run))
        self.renderedBytes += self.cases[place].rendered.count
    }

    /// The counts as they are true for the file as it is now: a case that has not ended is an error.
    var counts: JUnitCounts {
        var counts = self.endedCounts
        for _ in self.running { counts.add(.error) }
        return counts
    }

    /// The times of all cases together, whether or not they ran side by side.
    func times(in run: RunStart?) -> JUnitTimes {
        self.running.reduce(into: self.endedTimes) { $0.add(self.cases[$1].times(in: run)) }
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
