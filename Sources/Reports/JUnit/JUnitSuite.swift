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

extension JUnitSuite {
    /// Appends the element of the suite with those of its cases.
    ///
    /// - Parameters:
    ///   - id: The place of the suite in the file.
    ///   - isRunOver: Whether the run has ended, so that a case that has not will never do so.
    func render(to output: inout [UInt8], id: Int, _ options: JUnitOptions, run: RunStart?, isRunOver: Bool) {
        let profile = options.profile
        let counts = self.counts
        let times = self.times(in: run)
        output.append(contentsOf: "  <testsuite".utf8)
        XMLText.append(attribute: "name", self.name, to: &output)
        XMLText.append(attribute: "tests", "\(counts.tests)", to: &output)
        XMLText.append(attribute: "failures", "\(counts.failures)", to: &output)
        XMLText.append(attribute: "errors", "\(counts.errors)", to: &output)
        XMLText.append(attribute: "skipped", "\(counts.skipped)", to: &output)
        XMLText.append(
            attribute: "time", DurationText.seconds(nanoseconds: times.wallNanoseconds), to: &output)
        if let timestamp = self.timestamp(options, run) {
            XMLText.append(attribute: "timestamp", timestamp, to: &output)
        }
        if profile.hasSuiteFiles, self.isOfFile { XMLText.append(attribute: "file", self.name, to: &output) }
        if profile.hasAntSuites {
            XMLText.append(attribute: "hostname", options.host, to: &output)
            XMLText.append(attribute: "package", JUnitCase.className(file: self.name), to: &output)
            XMLText.append(attribute: "id", "\(id)", to: &output)
        }
        output.append(contentsOf: ">\n".utf8)
        self.renderProperties(times, options, run, to: &output)
        for testcase in self.cases { testcase.render(to: &output, run: run, isRunOver: isRunOver) }
        if profile.hasAntSuites {
            output.append(contentsOf: "    <system-out></system-out>\n    <system-err></system-err>\n".utf8)
        }
        output.append(contentsOf: "  </testsuite>\n".utf8)
    }

    /// What one needs to know to make the run again, on every suite because consumers keep suites apart.
    private func renderProperties(
        _ times: JUnitTimes, _ options: JUnitOptions, _ run: RunStart?, to output: inout [UInt8]
    ) {
        guard let run else {
            // The schema of Ant has at least one in every suite.
            guard options.profile.hasAntSuites else { return }
            output.append(contentsOf: "    <properties>\n".utf8)
            JUnitProperty.render("repartee", "unknown", to: &output)
            output.append(contentsOf: "    </properties>\n".utf8)
            return
        }
        output.append(contentsOf: "    <properties>\n".utf8)
        JUnitProperty.render("seed", "\(run.seed)", to: &output)
        JUnitProperty.render("clock", run.clock.rawValue, to: &output)
        JUnitProperty.render("target", run.target, to: &output)
        JUnitProperty.render("repartee", run.toolVersion, to: &output)
        times.render(to: &output)
        if let shard = run.shard { JUnitProperty.render("shard", "\(shard)", to: &output) }
        for rate in self.robustness.rates {
            let name = "robustness." + rate.mutator
            JUnitProperty.render(name + ".played", "\(rate.played)", to: &output)
            JUnitProperty.render(name + ".passed", "\(rate.passed)", to: &output)
            if let share = rate.rate { JUnitProperty.render(name + ".rate", JUnitCase.rounded(share), to: &output) }
        }
        output.append(contentsOf: "    </properties>\n".utf8)
    }

    /// When the suite began by the wall clock.
    ///
    /// In virtual time the clock of the run says nothing of the wall clock, so all suites have the start of the run.
    ///
    /// - Returns: Nil if nobody knows, or the start of 1970 where there must be a time.
    private func timestamp(_ options: JUnitOptions, _ run: RunStart?) -> String? {
        let offset = run?.clock == .real ? self.startNanoseconds : 0
        let start = run?.startedAt ?? options.startedAt
        let time = start.flatMap { WallTime.text($0, plusNanoseconds: offset) }
        guard let time = time ?? (options.profile.hasAntSuites ? WallTime.unknown : nil) else { return nil }
        return options.profile.hasTimeZone ? time : String(time.dropLast())
    }
}
