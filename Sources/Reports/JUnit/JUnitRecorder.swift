public import RunRecord

/// Makes a JUnit file from a run record: one suite per scenario file, one case per scenario.
///
/// The file may be rendered after any entry. A scenario that has begun and not ended stands in it as an error that says
/// so, so that a run that is killed leaves a file that tells the truth. What has ended is rendered once, and rendering
/// the file again copies it.
public struct JUnitRecorder {
    private let options: JUnitOptions
    private var run: RunStart?
    private var isRunOver = false
    private var nowNanoseconds: Int64 = 0
    private var suites: [JUnitSuite] = []
    private var suiteOfFile: [String: Int] = [:]
    /// The suite and the place in it of each scenario that has begun and not ended.
    private var running: [Int: (suite: Int, place: Int)] = [:]

    /// Creates a recorder for a run that has not begun.
    public init(options: JUnitOptions = JUnitOptions()) {
        self.options = options
    }

    /// Takes the next entry of the record.
    public mutating func record(_ entry: RunEntry) {
        switch entry {
        case .runStarted(let start): self.run = start
        case .scenarioStarted(let start):
            self.note(start.atNanoseconds)
            let suite = self.suite(of: start)
            let place = self.suites[suite].add(JUnitCase(start: start, profile: self.options.profile))
            self.running[start.index] = (suite, place)
        case .happened(let scenario, let nanoseconds, let happening):
            self.note(nanoseconds)
            guard let (suite, place) = self.running[scenario] else { return }
            self.suites[suite].cases[place].add(happening, atNanoseconds: nanoseconds)
        case .scenarioEnded(let end):
            self.note(end.atNanoseconds)
            guard let (suite, place) = self.running.removeValue(forKey: end.index) else { return }
            self.suites[suite].finish(place: place, end, run: self.run)
        case .runEnded(let end):
            self.note(end.durationNanoseconds)
            self.isRunOver = true
        }
    }

    private mutating func note(_ nanoseconds: Int64) {
        self.nowNanoseconds = max(self.nowNanoseconds, nanoseconds)
    }

    private mutating func suite(of start: ScenarioStart) -> Int {
        if let suite = self.suiteOfFile[start.file] { return suite }
        self.suiteOfFile[start.file] = self.suites.count
        self.suites.append(JUnitSuite(file: start.file, startNanoseconds: start.atNanoseconds))
        return self.suites.count - 1
    }
}

extension JUnitRecorder {
    /// Renders the whole file as it stands after the entries so far.
    ///
    /// - Returns: UTF-8.
    public func document() -> [UInt8] {
        let totals = self.suites.reduce(into: JUnitCounts()) { $0.add($1.counts) }
        var output: [UInt8] = []
        output.reserveCapacity(self.suites.reduce(1_000) { $0 + $1.sizeHint })
        output.append(contentsOf: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"repartee\"".utf8)
        XMLText.append(attribute: "tests", "\(totals.tests)", to: &output)
        XMLText.append(attribute: "failures", "\(totals.failures)", to: &output)
        XMLText.append(attribute: "errors", "\(totals.errors)", to: &output)
        XMLText.append(attribute: "time", DurationText.seconds(nanoseconds: self.nowNanoseconds), to: &output)
        output.append(contentsOf: ">\n".utf8)
        for suite in self.suites { self.render(suite, to: &output) }
        output.append(contentsOf: "</testsuites>\n".utf8)
        return output
    }

    private func render(_ suite: JUnitSuite, to output: inout [UInt8]) {
        let counts = suite.counts
        output.append(contentsOf: "  <testsuite".utf8)
        XMLText.append(attribute: "name", suite.file, to: &output)
        XMLText.append(attribute: "tests", "\(counts.tests)", to: &output)
        XMLText.append(attribute: "failures", "\(counts.failures)", to: &output)
        XMLText.append(attribute: "errors", "\(counts.errors)", to: &output)
        XMLText.append(attribute: "skipped", "\(counts.skipped)", to: &output)
        XMLText.append(
            attribute: "time", DurationText.seconds(nanoseconds: suite.durationNanoseconds), to: &output)
        if let timestamp = self.timestamp(of: suite) { XMLText.append(attribute: "timestamp", timestamp, to: &output) }
        XMLText.append(attribute: "file", suite.file, to: &output)
        output.append(contentsOf: ">\n".utf8)
        self.renderProperties(to: &output)
        for testcase in suite.cases { testcase.render(to: &output, run: self.run, isRunOver: self.isRunOver) }
        output.append(contentsOf: "  </testsuite>\n".utf8)
    }

    /// What one needs to know to make the run again, on every suite because consumers keep suites apart.
    private func renderProperties(to output: inout [UInt8]) {
        guard let run = self.run else { return }
        output.append(contentsOf: "    <properties>\n".utf8)
        Self.render(property: "seed", "\(run.seed)", to: &output)
        Self.render(property: "clock", run.clock.rawValue, to: &output)
        Self.render(property: "target", run.target, to: &output)
        Self.render(property: "repartee", run.toolVersion, to: &output)
        if let shard = run.shard { Self.render(property: "shard", "\(shard)", to: &output) }
        output.append(contentsOf: "    </properties>\n".utf8)
    }

    static func render(property name: String, _ value: String, indent: String = "      ", to output: inout [UInt8]) {
        output.append(contentsOf: "\(indent)<property".utf8)
        XMLText.append(attribute: "name", name, to: &output)
        XMLText.append(attribute: "value", value, to: &output)
        output.append(contentsOf: "/>\n".utf8)
    }

    /// When the suite began by the wall clock, or nil if nobody knows.
    ///
    /// In virtual time the clock of the run says nothing of the wall clock, so all suites have the start of the run.
    private func timestamp(of suite: JUnitSuite) -> String? {
        guard let start = self.run?.startedAt ?? self.options.startedAt else { return nil }
        guard self.run?.clock == .real else { return start }
        return WallTime.text(start, plusNanoseconds: suite.startNanoseconds)
    }
}
