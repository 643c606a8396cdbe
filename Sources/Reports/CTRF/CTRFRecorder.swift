import FoundationEssentials
import JSON
public import RunRecord

/// Makes a file in the Common Test Report Format (CTRF, ctrf.io) from a run record.
///
/// The attempts at a scenario are one test: the last one decides, the earlier ones stand in it. A scenario that has not
/// ended is a test with the status `other`, and a run that has not is a test that failed.
public struct CTRFRecorder: DocumentRecorder {
    /// The version of the format.
    private static let specificationVersion = "0.0.0"

    private let options: CTRFOptions
    private var run: RunStart?
    private var end: RunEnd?
    private var completeness = RunCompleteness()
    private var robustness = RobustnessTally()
    private var tests: [[CTRFAttempt]] = []
    private var placeOfID: [String: Int] = [:]
    private var running: [Int: (test: Int, attempt: Int)] = [:]
    private var latestNanoseconds: Int64 = 0

    /// Creates a recorder for a run that has not begun.
    public init(options: CTRFOptions = CTRFOptions()) {
        self.options = options
    }

    /// Takes the next entry of the record.
    public mutating func record(_ entry: RunEntry) {
        self.completeness.record(entry)
        self.robustness.record(entry)
        switch entry {
        case .runStarted(let start): self.run = start
        case .scenarioStarted(let start):
            let test = self.test(of: start)
            self.running[start.index] = (test, self.tests[test].count)
            self.tests[test].append(CTRFAttempt(start))
        case .happened(let scenario, let nanoseconds, let runEvent):
            guard let place = self.running[scenario] else { return }
            self.tests[place.test][place.attempt].add(runEvent, atNanoseconds: nanoseconds)
        case .scenarioEnded(let end):
            guard let place = self.running.removeValue(forKey: end.index) else { return }
            self.latestNanoseconds = max(self.latestNanoseconds, end.atNanoseconds)
            self.tests[place.test][place.attempt].finish(end)
        case .runEnded(let end): self.end = end
        }
    }

    /// The test that an attempt belongs to: that of the attempts before, or a new one.
    private mutating func test(of start: ScenarioStart) -> Int {
        if start.attempt > 1, let test = self.placeOfID[start.id] { return test }
        self.placeOfID[start.id] = self.tests.count
        self.tests.append([])
        return self.tests.count - 1
    }
}

extension CTRFRecorder {
    /// Renders the whole file as it stands after the entries so far.
    ///
    /// - Returns: UTF-8.
    public func document() -> [UInt8] {
        let startOfTime = self.startOfTime
        var tool: JSONObject = ["name": "repartee"]
        tool["version"] = self.run.map { .string($0.toolVersion) }
        var extra: JSONObject = [:]
        if let run = self.run {
            extra = [
                "seed": .string("\(run.seed)"), "clock": .string(run.clock.rawValue), "target": .string(run.target),
            ]
            if run.clock == .virtual {
                let nanoseconds = self.end?.durationNanoseconds ?? self.latestNanoseconds
                extra["virtual_time"] = .string(DurationText.seconds(nanoseconds: nanoseconds))
            }
            extra["shard"] = run.shard.map { .string("\($0)") }
        }
        let rates = self.robustness.rates
        if !rates.isEmpty { extra["robustness"] = .array(rates.map(\.json)) }
        var tests = self.tests.compactMap { attempts in
            attempts.last?.test(after: attempts.dropLast(), run: self.run, startOfTime: startOfTime)
        }
        if let problem = self.completeness.problem { tests.append(Self.test(of: problem, startOfTime: startOfTime)) }
        let report: JSONValue = [
            "reportFormat": "CTRF", "specVersion": .string(Self.specificationVersion), "generatedBy": "repartee",
            "results": [
                "tool": .object(tool), "summary": self.summary(startOfTime: startOfTime), "tests": .array(tests),
                "extra": .object(extra),
            ],
        ]
        return JSONWriter.write(report) + [0x0A]
    }

    /// The run itself as a test that failed, as long as it has not come to its end.
    private static func test(of problem: String, startOfTime: Int64) -> JSONValue {
        [
            "testId": .string("repartee::\(RunCompleteness.caseName)"), "name": .string(RunCompleteness.caseName),
            "status": "failed", "duration": 0, "start": .integer(startOfTime), "stop": .integer(startOfTime),
            "message": .string(problem), "rawStatus": "error", "suite": ["repartee"], "retries": 0,
        ]
    }

    private func summary(startOfTime: Int64) -> JSONValue {
        var counts: [String: Int] = [:]
        var flaky = 0
        for attempts in self.tests {
            guard let last = attempts.last else { continue }
            counts[last.status, default: 0] += 1
            if last.isFlaky { flaky += 1 }
        }
        let isUnfinished = self.completeness.problem != nil
        if isUnfinished { counts["failed", default: 0] += 1 }
        func count(_ status: String) -> JSONValue { .integer(counts[status] ?? 0) }
        let milliseconds =
            self.run?.clock == .virtual
            ? self.tests.joined().reduce(0) { $0 &+ $1.milliseconds(in: self.run) }
            : (self.end?.durationNanoseconds ?? self.latestNanoseconds) / 1_000_000
        return [
            "tests": .integer(self.tests.count + (isUnfinished ? 1 : 0)), "passed": count("passed"),
            "failed": count("failed"),
            "skipped": count("skipped"), "pending": 0, "other": count("other"), "flaky": .integer(flaky),
            "suites": .integer(Set(self.tests.compactMap(\.last?.start.file)).count), "start": .integer(startOfTime),
            "stop": .integer(startOfTime &+ milliseconds), "duration": .integer(milliseconds),
        ]
    }

    /// The start of the time line in milliseconds since 1970; zero if nobody knows it, for the format demands one.
    private var startOfTime: Int64 {
        guard let date = (self.run?.startedAt ?? self.options.startedAt).flatMap(WallTime.date) else { return 0 }
        return Int64(exactly: date.timeIntervalSince1970.rounded(.towardZero) * 1_000) ?? 0
    }
}
