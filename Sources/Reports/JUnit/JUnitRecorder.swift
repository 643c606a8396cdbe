public import RunRecord

/// Makes a JUnit file from a run record: one suite per scenario file, one case per scenario.
///
/// The file may be rendered after any entry. A scenario that has begun and not ended stands in it as an error that says
/// so, and so does the run itself, so that a run that is killed leaves a file that tells the truth. What has ended is
/// rendered once, and rendering the file again copies it.
public struct JUnitRecorder: DocumentRecorder {
    private let options: JUnitOptions
    private var run: RunStart?
    private var isRunOver = false
    private var completeness = RunCompleteness()
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
        self.completeness.record(entry)
        switch entry {
        case .runStarted(let start): self.run = start
        case .scenarioStarted(let start):
            let suite = self.suite(of: start)
            let place = self.suites[suite].add(start, profile: self.options.profile, run: self.run)
            self.running[start.index] = (suite, place)
        case .happened(let scenario, let nanoseconds, let runEvent):
            guard let (suite, place) = self.running[scenario] else { return }
            self.suites[suite].cases[place].add(runEvent, atNanoseconds: nanoseconds)
        case .scenarioEnded(let end):
            guard let (suite, place) = self.running.removeValue(forKey: end.index) else { return }
            self.suites[suite].finish(place: place, end, run: self.run)
        case .runEnded: self.isRunOver = true
        }
    }

    private mutating func suite(of start: ScenarioStart) -> Int {
        let name = self.options.profile.root == .suite ? Self.runName : start.file
        if let suite = self.suiteOfFile[name] { return suite }
        self.suiteOfFile[name] = self.suites.count
        self.suites.append(JUnitSuite(name: name, startNanoseconds: start.atNanoseconds))
        return self.suites.count - 1
    }

    /// The name of the whole run.
    private static let runName = "repartee"
}

extension JUnitRecorder {
    /// Renders the whole file as it stands after the entries so far.
    ///
    /// - Returns: UTF-8.
    public func document() -> [UInt8] {
        let suites = self.suitesWithEnd
        var output: [UInt8] = []
        output.reserveCapacity(suites.reduce(1_000) { $0 + $1.sizeHint })
        output.append(contentsOf: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
        if self.options.profile.root == .suite {
            let suite = suites.first ?? JUnitSuite(name: Self.runName, startNanoseconds: 0)
            suite.render(to: &output, id: 0, self.options, run: self.run, isRunOver: self.isRunOver)
            return output
        }
        output.append(contentsOf: "<testsuites".utf8)
        if self.options.profile.root == .totals { self.renderTotals(of: suites, to: &output) }
        output.append(contentsOf: ">\n".utf8)
        for (id, suite) in suites.enumerated() {
            suite.render(to: &output, id: id, self.options, run: self.run, isRunOver: self.isRunOver)
        }
        output.append(contentsOf: "</testsuites>\n".utf8)
        return output
    }

    /// The suites, and last an error of the run itself as long as it has not come to its end.
    private var suitesWithEnd: [JUnitSuite] {
        guard let problem = self.completeness.problem else { return self.suites }
        var profile = self.options.profile
        profile.hasPositions = false
        var suites = self.suites
        if profile.root != .suite || suites.isEmpty {
            suites.append(JUnitSuite(name: Self.runName, startNanoseconds: 0, isOfFile: false))
        }
        let last = suites.count - 1
        let start = ScenarioStart(
            index: -1, file: Self.runName, line: 1, titlePath: [RunCompleteness.caseName], seed: 0, atNanoseconds: 0)
        let place = suites[last].add(start, profile: profile, run: nil)
        let end = ScenarioEnd(
            index: -1, atNanoseconds: 0, outcome: .error,
            problems: [Problem(category: .error, kind: RunCompleteness.problemKind, message: problem)])
        suites[last].finish(place: place, end, run: nil)
        return suites
    }

    private func renderTotals(of suites: [JUnitSuite], to output: inout [UInt8]) {
        let totals = suites.reduce(into: JUnitCounts()) { $0.add($1.counts) }
        let time = suites.reduce(Int64(0)) { $0 &+ $1.times(in: self.run).wallNanoseconds }
        XMLText.append(attribute: "name", Self.runName, to: &output)
        XMLText.append(attribute: "tests", "\(totals.tests)", to: &output)
        XMLText.append(attribute: "failures", "\(totals.failures)", to: &output)
        XMLText.append(attribute: "errors", "\(totals.errors)", to: &output)
        XMLText.append(attribute: "time", DurationText.seconds(nanoseconds: time), to: &output)
    }
}
