import JSON
public import RunRecord

/// Makes a report for people from a run record: one HTML file that needs nothing else.
///
/// The file may be rendered after any entry and is whole each time. Everything that scripts and servers said stands in
/// it as JSON in elements that no browser runs or shows; the page's own script makes text of it, never markup, links or
/// images. A content security policy allows that script and the page's own style by their digests, and nothing else.
///
/// The index of all scenarios comes first and their conversations last, so that a browser shows the list while it still
/// reads the rest.
public struct HTMLRecorder: DocumentRecorder {
    private let options: HTMLOptions
    private var run: RunStart?
    private var end: RunEnd?
    private var elapsed: Duration?
    private var completeness = RunCompleteness()
    private var robustness = RobustnessTally()
    /// In the order in which they began.
    private var attempts: [HTMLAttempt] = []
    private var begun = 0
    private var unlisted = UnlistedRepetitions()
    /// The numbers of the attempts that have not ended, by the scenarios' indices.
    private var running: [Int: Int] = [:]
    private var files: [(name: String, source: String?)] = []
    private var placeOfFile: [String: Int] = [:]

    /// A script longer than this many bytes is not shown.
    private static let sourceLimit = 1 << 20

    /// Creates a recorder for a run that has not begun.
    public init(options: HTMLOptions = HTMLOptions()) {
        self.options = options
    }

    /// Takes the next entry of the record.
    public mutating func record(_ entry: RunEntry) {
        self.completeness.record(entry)
        self.robustness.record(entry)
        switch entry {
        case .runStarted(let start): self.run = start
        case .scenarioStarted(let start):
            self.running[start.index] = self.begun
            self.attempts.append(HTMLAttempt(start, number: self.begun, file: self.place(ofFile: start.file)))
            self.begun += 1
        case .happened(let scenario, let nanoseconds, let runEvent):
            guard let place = self.place(ofScenario: scenario) else { return }
            self.attempts[place].add(runEvent, atNanoseconds: nanoseconds)
        case .scenarioEnded(let end):
            guard let place = self.place(ofScenario: end.index) else { return }
            self.running[end.index] = nil
            let attempt = self.attempts[place]
            if self.unlisted.take(attempt.start, end, file: attempt.file) {
                self.attempts.remove(at: place)
            } else {
                self.attempts[place].finish(end, run: self.run)
            }
        case .runEnded(let end):
            self.end = end
            self.elapsed = self.options.elapsed?()
        }
    }

    /// Where an attempt stands that has not ended; those that are not listed leave no gaps.
    private func place(ofScenario index: Int) -> Int? {
        guard let number = self.running[index] else { return nil }
        return self.attempts.indices.place(ofNumber: number) { self.attempts[$0].number }
    }

    /// Returns the text of a script if it is to be had and not too long.
    static func source(of name: String, _ options: HTMLOptions) -> String? {
        options.source(name).flatMap { $0.utf8.count <= Self.sourceLimit ? $0 : nil }
    }

    private mutating func place(ofFile name: String) -> Int {
        if let place = self.placeOfFile[name] { return place }
        let source = Self.source(of: name, self.options)
        self.placeOfFile[name] = self.files.count
        self.files.append((name, source))
        return self.files.count - 1
    }
}

extension HTMLRecorder {
    /// Renders the whole file as it stands after the entries so far.
    ///
    /// - Returns: UTF-8.
    public func document() -> [UInt8] {
        guard let problem = self.completeness.problem else {
            return self.render(titled: PageFrame.title, unfinished: nil)
        }
        // The page's script names the window by its headline; programs and mails that run no script read this one.
        let title = VisibleText.html("\(problem.prefix(1).uppercased())\(problem.dropFirst()) – repartee")
        var unfinished = self
        unfinished.appendEnd(problem)
        return unfinished.render(titled: title, unfinished: problem)
    }

    /// Adds the run itself as a scenario that broke, for it has not come to its end.
    private mutating func appendEnd(_ problem: String) {
        self.files.append(("repartee", nil))
        var attempt = HTMLAttempt(
            ScenarioStart(
                index: -1, file: "repartee", line: 1, titlePath: [RunCompleteness.caseName], seed: 0, atNanoseconds: 0),
            number: self.begun, file: self.files.count - 1)
        attempt.finish(
            ScenarioEnd(
                index: -1, atNanoseconds: 0, outcome: .error,
                problems: [Problem(category: .error, typeName: RunCompleteness.problemType, message: problem)]),
            run: nil)
        self.attempts.append(attempt)
    }

    private func render(titled title: String, unfinished: String?) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(self.attempts.reduce(100_000) { $0 + $1.sizeHint })
        output.append(contentsOf: PageFrame.report.head(title: title).utf8)
        EmbeddedJSON.appendBlock(id: "index", to: &output) { self.renderIndex(unfinished, to: &$0) }
        output.append(contentsOf: PageFrame.report.body().utf8)
        EmbeddedJSON.appendBlock(id: "sources", to: &output) { output in
            EmbeddedJSON.append(
                .array(self.files.map { file in file.source.map { .string(self.options.masked($0)) } ?? .null }),
                to: &output)
        }
        for (place, attempt) in self.attempts.enumerated() {
            EmbeddedJSON.appendBlock(id: "a\(place)", to: &output) { attempt.renderBlock(to: &$0) }
        }
        output.append(contentsOf: PageFrame.end.utf8)
        return output
    }

    /// - Parameter unfinished: Why the run is not whole, if it is not; the last attempt says it, too.
    private func renderIndex(_ unfinished: String?, to output: inout [UInt8]) {
        output.append(contentsOf: "{\"run\":".utf8)
        EmbeddedJSON.append(self.run?.json, to: &output)
        output.append(contentsOf: ",\n\"end\":".utf8)
        EmbeddedJSON.append(self.end?.json, to: &output)
        if let elapsed = self.elapsed {
            output.append(contentsOf: ",\n\"elapsed\":\(elapsed.nanoseconds)".utf8)
        }
        if let unfinished {
            output.append(contentsOf: ",\n\"unfinished\":".utf8)
            EmbeddedJSON.append(.string(unfinished), to: &output)
        }
        output.append(contentsOf: ",\n\"started_at\":".utf8)
        EmbeddedJSON.append((self.run?.startedAt ?? self.options.startedAt).map { .string($0) }, to: &output)
        if !self.robustness.rates.isEmpty {
            output.append(contentsOf: ",\n\"robustness\":".utf8)
            EmbeddedJSON.append(.array(self.robustness.rates.map(\.json)), to: &output)
        }
        if let comparison = self.options.comparison {
            output.append(contentsOf: ",\n\"comparison\":".utf8)
            EmbeddedJSON.append(comparison.json, to: &output)
        }
        output.append(contentsOf: ",\n\"files\":".utf8)
        EmbeddedJSON.append(.array(self.files.map { .string($0.name) }), to: &output)
        output.append(contentsOf: ",\n\"unlisted\":".utf8)
        EmbeddedJSON.append(self.unlisted.json, to: &output)
        output.append(contentsOf: ",\n\"attempts\":[".utf8)
        for (place, attempt) in self.attempts.enumerated() {
            output.append(contentsOf: (place > 0 ? ",\n" : "\n").utf8)
            attempt.renderSummary(run: self.run, to: &output)
        }
        output.append(contentsOf: "]}".utf8)
    }
}
