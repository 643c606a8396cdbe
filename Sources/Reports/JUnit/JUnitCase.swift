import RunRecord

/// One scenario in a JUnit file, from its start to its end, with the attempts before.
struct JUnitCase {
    private(set) var start: ScenarioStart
    private(set) var end: ScenarioEnd?

    /// What went wrong in earlier attempts, and what was said in them.
    private var attempts: [(result: JUnitResult, transcript: HeadAndTail)] = []

    /// How long the tries before took, where all together decide.
    private var earlierTimes = JUnitTimes()

    private let profile: JUnitProfile
    private var transcript: HeadAndTail
    private var attachments: [(name: String, path: String)] = []
    private var lastNanoseconds: Int64
    private var latestNanoseconds: Int64

    /// The element of a case that has ended; what is finished is rendered only once.
    private(set) var rendered: [UInt8] = []

    init(start: ScenarioStart, profile: JUnitProfile) {
        self.start = start
        self.profile = profile
        self.transcript = HeadAndTail(limits: profile.failedOutput)
        self.lastNanoseconds = start.atNanoseconds
        self.latestNanoseconds = start.atNanoseconds
    }

    mutating func add(_ runEvent: RunEvent, atNanoseconds: Int64) {
        self.latestNanoseconds = max(self.latestNanoseconds, atNanoseconds)
        if case .attached(let name, let path, _) = runEvent { self.attachments.append((name, path)) }
        let since = atNanoseconds.subtractingReportingOverflow(self.lastNanoseconds).partialValue
        guard let line = TranscriptLine.text(runEvent, sinceNanoseconds: since) else { return }
        self.transcript.append(line)
        self.lastNanoseconds = atNanoseconds
    }

    /// Begins another attempt after one that has ended.
    mutating func begin(_ start: ScenarioStart, run: RunStart?) {
        // A try that did not pass is a part of the rate, and nothing that tools should take for flaky.
        if !start.isTry, self.profile.attempts == .elements, let result = self.result(run: run, isRunOver: false) {
            self.attempts.append((result, self.transcript))
        }
        let attempts = self.attempts
        let times = start.isTry ? self.times(in: run) : JUnitTimes()
        self = JUnitCase(start: start, profile: self.profile)
        self.attempts = attempts
        self.earlierTimes = times
    }

    /// Takes note of the end and renders the case.
    mutating func finish(_ end: ScenarioEnd, run: RunStart?) {
        self.end = end
        self.latestNanoseconds = max(self.latestNanoseconds, end.atNanoseconds)
        if end.outcome == .passed { self.transcript = self.transcript.narrowed(to: self.profile.passedOutput) }
        var output: [UInt8] = []
        self.render(to: &output, run: run, isRunOver: false)
        self.rendered = output
        // The element holds it all now, and there may be many thousands of cases; only a failure may be tried again.
        if end.outcome == .passed { self.transcript = HeadAndTail(limits: self.profile.passedOutput) }
    }

    private func result(run: RunStart?, isRunOver: Bool) -> JUnitResult? {
        JUnitResult(start: self.start, end: self.end, run: run, isRunOver: isRunOver)
    }

    /// How long the scenario took or has taken so far, on the clock of the run.
    private var durationNanoseconds: Int64 {
        max(0, self.latestNanoseconds.subtractingReportingOverflow(self.start.atNanoseconds).partialValue)
    }

    /// How long it took on the wall, and in virtual time.
    ///
    /// Of a run in virtual time whose record alone is left nobody knows the time on the wall; it is zero then.
    func times(in run: RunStart?) -> JUnitTimes {
        var times = self.earlierTimes
        if run?.clock == .virtual {
            times.add(
                JUnitTimes(
                    wallNanoseconds: max(0, self.end?.wallNanoseconds ?? 0),
                    virtualNanoseconds: self.durationNanoseconds))
        } else {
            times.add(JUnitTimes(wallNanoseconds: self.durationNanoseconds))
        }
        return times
    }
}

extension JUnitCase {
    /// Appends the element of the case.
    ///
    /// - Parameter isRunOver: Whether the run has ended, so that a case that has not will never do so.
    func render(to output: inout [UInt8], run: RunStart?, isRunOver: Bool) {
        guard self.rendered.isEmpty else {
            output.append(contentsOf: self.rendered)
            return
        }
        output.append(contentsOf: "    <testcase".utf8)
        XMLText.append(attribute: "name", self.start.name, to: &output)
        XMLText.append(attribute: "classname", Self.className(file: self.start.file), to: &output)
        if self.profile.hasPositions {
            XMLText.append(attribute: "file", self.start.file, to: &output)
            XMLText.append(attribute: "line", "\(self.start.line)", to: &output)
        }
        let times = self.times(in: run)
        XMLText.append(attribute: "time", DurationText.seconds(nanoseconds: times.wallNanoseconds), to: &output)
        output.append(contentsOf: ">\n".utf8)
        if self.profile.hasCaseProperties { self.renderProperties(times, to: &output) }
        self.renderResults(self.result(run: run, isRunOver: isRunOver), to: &output)
        if self.profile.hasCaseOutput { self.renderOutput(to: &output) }
        output.append(contentsOf: "    </testcase>\n".utf8)
    }

    /// Returns the folders and the file without its extension, joined by dots, such as `Scenarios.queue.waits`.
    ///
    /// Consumers take what follows the last dot for a class and what precedes it for a package; so dots within a name
    /// become underscores. It holds no line, for consumers follow a test over time by it.
    static func className(file: String) -> String {
        var parts = file.split(separator: "/").filter { $0 != "." }
        if let last = parts.last, let dot = last.lastIndex(of: "."), dot > last.startIndex {
            parts[parts.count - 1] = last[..<dot]
        }
        return parts.map { String($0.map { $0 == "." ? "_" : $0 }) }.joined(separator: ".")
    }

    /// Whether the profile leaves out what was said because all went well.
    private var isSilent: Bool {
        self.end?.outcome == .passed && self.profile.passedOutput == .init(head: 0, tail: 0)
    }

    private func renderProperties(_ times: JUnitTimes, to output: inout [UInt8]) {
        let isEmpty = self.end?.isEmpty ?? false
        let passes = self.end?.passes
        guard
            !self.start.tags.isEmpty || !self.attachments.isEmpty || isEmpty || times.virtualNanoseconds != nil
                || passes != nil || self.start.mutator != nil
        else { return }
        output.append(contentsOf: "      <properties>\n".utf8)
        times.render(indent: "        ", to: &output)
        if !self.start.tags.isEmpty {
            JUnitProperty.render("tags", self.start.tags.joined(separator: ","), indent: "        ", to: &output)
        }
        if let mutator = self.start.mutator {
            JUnitProperty.render("mutator", mutator, indent: "        ", to: &output)
        }
        if isEmpty { JUnitProperty.render("asserted", "nothing", indent: "        ", to: &output) }
        if let passes {
            var figures = Self.figures(of: passes.rate)
            if let baseline = passes.baseline {
                figures += Self.figures(of: baseline.rate).map { ("baseline." + $0, $1) }
                figures += [
                    ("difference.low", Self.rounded(baseline.differenceLow)),
                    ("difference.high", Self.rounded(baseline.differenceHigh)),
                ]
            }
            for (name, text) in figures {
                JUnitProperty.render("passes." + name, text, indent: "        ", to: &output)
            }
            for check in passes.checks {
                for (name, text) in [("text", check.text)] + Self.figures(of: check.rate) {
                    JUnitProperty.render("check.\(check.place).\(name)", text, indent: "        ", to: &output)
                }
            }
        }
        for attachment in self.attachments {
            JUnitProperty.render("attachment", attachment.path, indent: "        ", to: &output)
        }
        output.append(contentsOf: "      </properties>\n".utf8)
    }

    private static func figures(of rate: TryRate) -> [(name: String, text: String)] {
        [
            ("tries", "\(rate.tries)"), ("passed", "\(rate.passed)"), ("rate", Self.rounded(rate.share)),
            ("low", Self.rounded(rate.low)), ("high", Self.rounded(rate.high)),
        ]
    }

    /// A rate with four digits after the point.
    static func rounded(_ rate: Double) -> String { "\((rate * 10_000).rounded() / 10_000)" }

    /// A case that failed in the end shows its first failure first; what came after it often only follows from it.
    private func renderResults(_ result: JUnitResult?, to output: inout [UInt8]) {
        guard let result else {
            for attempt in self.attempts { self.render(attempt, as: "flakyFailure", to: &output) }
            return
        }
        guard self.end != nil, let first = self.attempts.first else {
            for attempt in self.attempts { self.render(attempt, as: "rerunFailure", to: &output) }
            return self.render(result, as: result.element, to: &output)
        }
        // One schema has failures before the reruns and errors after them.
        if result.element == "failure" { self.render(first.result, as: result.element, to: &output) }
        for attempt in self.attempts.dropFirst() + [(result, self.transcript)] {
            self.render(attempt, as: "rerunFailure", to: &output)
        }
        if result.element != "failure" { self.render(first.result, as: result.element, to: &output) }
    }

    private func render(_ result: JUnitResult, as element: String, to output: inout [UInt8]) {
        output.append(contentsOf: "      <\(element)".utf8)
        XMLText.append(attribute: "message", result.message, to: &output)
        if result.element != "skipped" || self.profile.hasSkippedType {
            XMLText.append(attribute: "type", result.type, to: &output)
        }
        output.append(UInt8(ascii: ">"))
        XMLText.append(content: result.text, to: &output)
        output.append(contentsOf: "</\(element)>\n".utf8)
    }

    private func render(
        _ attempt: (result: JUnitResult, transcript: HeadAndTail), as element: String, to output: inout [UInt8]
    ) {
        output.append(contentsOf: "      <\(element)".utf8)
        XMLText.append(attribute: "message", attempt.result.message, to: &output)
        XMLText.append(attribute: "type", attempt.result.type, to: &output)
        output.append(contentsOf: ">\n        <stackTrace>".utf8)
        XMLText.append(content: attempt.result.text, to: &output)
        output.append(contentsOf: "</stackTrace>\n        <system-out>".utf8)
        XMLText.append(content: attempt.transcript.lines.joined(separator: "\n"), to: &output)
        output.append(contentsOf: "\n</system-out>\n      </\(element)>\n".utf8)
    }

    /// The attachments come first: some consumers cut long outputs, and all that read attachments read the beginning.
    private func renderOutput(to output: inout [UInt8]) {
        let lines = self.isSilent ? [] : self.transcript.lines
        guard !lines.isEmpty || !self.attachments.isEmpty else { return }
        output.append(contentsOf: "      <system-out>".utf8)
        for attachment in self.attachments {
            output.append(contentsOf: "[[ATTACHMENT|".utf8)
            XMLText.append(content: VisibleText.line(attachment.path), to: &output)
            output.append(contentsOf: "]]\n".utf8)
        }
        XMLText.append(content: lines.joined(separator: "\n"), to: &output)
        output.append(contentsOf: "\n</system-out>\n".utf8)
    }
}
