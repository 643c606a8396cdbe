import JSON
import RunRecord

/// One attempt at a scenario as CTRF tells it.
struct CTRFAttempt {
    let start: ScenarioStart
    private(set) var end: ScenarioEnd?
    private var attachments: [JSONValue] = []
    private var steps: [(name: String, isOpen: Bool)] = []
    private var transcript = HeadAndTail(limits: .failed)
    private var lastNanoseconds: Int64

    init(_ start: ScenarioStart) {
        self.start = start
        self.lastNanoseconds = start.atNanoseconds
    }

    /// Adds what happened next.
    mutating func add(_ runEvent: RunEvent, atNanoseconds: Int64) {
        let since = atNanoseconds.subtractingReportingOverflow(self.lastNanoseconds).partialValue
        if let line = TranscriptLine.text(runEvent, sinceNanoseconds: since) {
            self.transcript.append(line)
            self.lastNanoseconds = atNanoseconds
        }
        switch runEvent {
        case .attached(let name, let path, let mediaType):
            self.attachments.append([
                "name": .string(name), "contentType": .string(mediaType), "path": .string(path),
            ])
        case .stepBegan(let name, _): self.steps.append((name, true))
        case .stepEnded:
            if let open = self.steps.lastIndex(where: \.isOpen) { self.steps[open].isOpen = false }
        default: break
        }
    }

    /// Takes note of the end.
    mutating func finish(_ end: ScenarioEnd) {
        self.end = end
        if end.outcome == .passed { self.transcript = self.transcript.narrowed(to: .passed) }
    }

    /// How long the attempt took on its own time line, in nanoseconds.
    private var durationNanoseconds: Int64 {
        guard let end = self.end else { return 0 }
        return max(0, end.atNanoseconds &- self.start.atNanoseconds)
    }

    /// How long the attempt took on the wall, in milliseconds.
    ///
    /// Of a run in virtual time whose record alone is left nobody knows that; it is zero then.
    func milliseconds(in run: RunStart?) -> Int64 {
        guard run?.clock == .virtual else { return self.durationNanoseconds / 1_000_000 }
        return max(0, self.end?.wallNanoseconds ?? 0) / 1_000_000
    }

    /// The outcome in the format's words, which have none for what broke or failed as expected.
    var status: String {
        switch self.end?.outcome {
        case .passed: "passed"
        case .failed, .error: "failed"
        case .skipped, .expectedFailure: "skipped"
        case nil: "other"
        }
    }

    /// The outcome in our words.
    private var rawStatus: String { self.end?.outcome.name ?? "unfinished" }

    /// When the attempt began, in milliseconds since 1970.
    ///
    /// In virtual time the clock of the run says nothing of the wall clock, so all tests have the start of the run.
    private func start(in run: RunStart?, startOfTime: Int64) -> Int64 {
        startOfTime &+ (run?.clock == .virtual ? 0 : self.start.atNanoseconds / 1_000_000)
    }

    /// What tests and attempts have in common.
    ///
    /// - Parameter startOfTime: The start of the run in milliseconds since 1970.
    func members(in run: RunStart?, startOfTime: Int64) -> JSONObject {
        let duration = self.milliseconds(in: run)
        var members: JSONObject = ["status": .string(self.status), "duration": .integer(duration)]
        let start = self.start(in: run, startOfTime: startOfTime)
        members["start"] = .integer(start)
        members["stop"] = .integer(start &+ duration)
        if case .skipped(let reason) = self.end?.outcome { members["message"] = .string(reason) }
        if case .expectedFailure(let reason) = self.end?.outcome {
            members["message"] = .string("failed as expected: \(reason)")
        }
        if let end = self.end, let problem = end.problemsByWeight.first {
            if members["message"] == nil { members["message"] = .string(problem.message) }
            members["trace"] = .string(end.problemsByWeight.map(ProblemText.text).joined(separator: "\n\n"))
        }
        if !self.attachments.isEmpty { members["attachments"] = .array(self.attachments) }
        let lines = self.transcript.lines
        if !lines.isEmpty { members["stdout"] = .array(lines.map { .string($0) }) }
        return members
    }

    /// The test of which this is the last attempt.
    ///
    /// - Parameters:
    ///   - earlier: The attempts before, in order.
    ///   - startOfTime: See ``members(in:startOfTime:)``.
    func test(after earlier: [CTRFAttempt], run: RunStart?, startOfTime: Int64) -> JSONValue {
        // A name must not be empty; scripts may give an empty one.
        let name = self.start.name.isEmpty ? self.start.id : self.start.name
        var members: JSONObject = ["testId": .string(self.start.id), "name": .string(name)]
        members = members.merging(self.members(in: run, startOfTime: startOfTime))
        members["rawStatus"] = .string(self.rawStatus)
        members["suite"] = .array(
            ([self.start.file] + self.start.titlePath.dropLast()).map { .string($0) })
        members["filePath"] = .string(self.start.file)
        members["line"] = .integer(self.start.line)
        if !self.start.tags.isEmpty { members["tags"] = .array(self.start.tags.map { .string($0) }) }
        // Tries are no retries: none of them was made because another failed.
        members["retries"] = .integer(self.start.isTry ? 0 : earlier.count)
        if self.start.isTry, !earlier.isEmpty {
            let milliseconds = (earlier + [self]).reduce(0) { $0 &+ $1.milliseconds(in: run) }
            members["duration"] = .integer(milliseconds)
            let start = earlier[0].start(in: run, startOfTime: startOfTime)
            members["start"] = .integer(start)
            members["stop"] = .integer(start &+ milliseconds)
        } else if !earlier.isEmpty {
            members["retryAttempts"] = .array(earlier.map { $0.retry(run: run, startOfTime: startOfTime) })
            members["flaky"] = .bool(self.isFlaky)
        }
        if !self.steps.isEmpty {
            members["steps"] = .array(
                self.steps.map { ["name": .string($0.name), "status": .string(self.status(of: $0))] })
        }
        members["extra"] = .object(self.extra(in: run))
        return .object(members)
    }

    /// What the format has no place for.
    private func extra(in run: RunStart?) -> JSONObject {
        var extra: JSONObject = ["seed": .string("\(self.start.replaySeed(in: run))")]
        if run?.clock == .virtual {
            extra["virtual_time"] = .string(DurationText.seconds(nanoseconds: self.durationNanoseconds))
        }
        extra["replay"] = run.map { .string(ReplayCommand.text(for: self.start.explaining(self.end), in: $0)) }
        if let passes = self.end?.passes {
            var figures = Self.members(of: passes.rate)
            if !passes.checks.isEmpty { figures["checks"] = .array(passes.checks.map(Self.json)) }
            if let baseline = passes.baseline {
                figures["baseline"] = .object(
                    Self.members(of: baseline.rate).merging([
                        "difference_low": .double(baseline.differenceLow),
                        "difference_high": .double(baseline.differenceHigh),
                    ]))
            }
            extra["passes"] = .object(figures)
        }
        return extra
    }

    private static func json(_ check: CheckRate) -> JSONValue {
        let place: JSONObject = ["place": .string(check.place), "text": .string(check.text)]
        return .object(place.merging(Self.members(of: check.rate)))
    }

    private static func members(of rate: TryRate) -> JSONObject {
        [
            "tries": .integer(rate.tries), "passed": .integer(rate.passed), "rate": .double(rate.share),
            "low": .double(rate.low), "high": .double(rate.high),
        ]
    }

    /// Whether the scenario passed after it had not.
    var isFlaky: Bool {
        guard let end = self.end else { return false }
        return Flakiness.holds(for: end.outcome, isRetry: self.start.isRetry)
    }

    /// A step that was not left is where the scenario ended.
    private func status(of step: (name: String, isOpen: Bool)) -> String { step.isOpen ? self.status : "passed" }

    private func retry(run: RunStart?, startOfTime: Int64) -> JSONValue {
        var members: JSONObject = ["attempt": .integer(max(1, self.start.attempt))]
        members = members.merging(self.members(in: run, startOfTime: startOfTime))
        members["line"] = self.end?.problemsByWeight.first?.line.map { .integer($0) }
        members["extra"] = ["seed": .string("\(self.start.replaySeed(in: run))"), "rawStatus": .string(self.rawStatus)]
        return .object(members)
    }
}
