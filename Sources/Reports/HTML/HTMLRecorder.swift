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
    private var attempts: PageAttempts
    private var completeness = RunCompleteness()
    private var robustness = RobustnessTally()

    /// Creates a recorder for a run that has not begun.
    public init(options: HTMLOptions = HTMLOptions()) {
        self.attempts = PageAttempts(options)
    }

    /// Takes the next entry of the record.
    public mutating func record(_ entry: RunEntry) {
        self.completeness.record(entry)
        self.robustness.record(entry)
        self.attempts.take(entry)
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
        unfinished.attempts.appendEnd(problem)
        return unfinished.render(titled: title, unfinished: problem)
    }

    private func render(titled title: String, unfinished: String?) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(self.attempts.list.reduce(100_000) { $0 + $1.sizeHint })
        output.append(contentsOf: PageFrame.report.head(title: title).utf8)
        EmbeddedJSON.appendBlock(id: "index", to: &output) { self.renderIndex(unfinished, to: &$0) }
        output.append(contentsOf: PageFrame.report.body().utf8)
        EmbeddedJSON.appendBlock(id: "sources", to: &output) { output in
            EmbeddedJSON.append(.array(self.attempts.sources.map { $0.map { .string($0) } ?? .null }), to: &output)
        }
        for (place, attempt) in self.attempts.list.enumerated() {
            EmbeddedJSON.appendBlock(id: "a\(place)", to: &output) { attempt.renderBlock(to: &$0) }
        }
        output.append(contentsOf: PageFrame.end.utf8)
        return output
    }

    /// - Parameter unfinished: Why the run is not whole, if it is not; the last attempt says it, too.
    private func renderIndex(_ unfinished: String?, to output: inout [UInt8]) {
        output.append(contentsOf: "{\"run\":".utf8)
        EmbeddedJSON.append(self.attempts.run?.json, to: &output)
        output.append(contentsOf: ",\n\"end\":".utf8)
        EmbeddedJSON.append(self.attempts.end?.json, to: &output)
        if let elapsed = self.attempts.elapsed {
            output.append(contentsOf: ",\n\"elapsed\":\(elapsed.nanoseconds)".utf8)
        }
        if let unfinished {
            output.append(contentsOf: ",\n\"unfinished\":".utf8)
            EmbeddedJSON.append(.string(unfinished), to: &output)
        }
        output.append(contentsOf: ",\n\"started_at\":".utf8)
        EmbeddedJSON.append(self.attempts.startedAt.map { .string($0) }, to: &output)
        if !self.robustness.rates.isEmpty {
            output.append(contentsOf: ",\n\"robustness\":".utf8)
            EmbeddedJSON.append(.array(self.robustness.rates.map(\.json)), to: &output)
        }
        if let comparison = self.attempts.options.comparison {
            output.append(contentsOf: ",\n\"comparison\":".utf8)
            EmbeddedJSON.append(comparison.json, to: &output)
        }
        output.append(contentsOf: ",\n\"files\":".utf8)
        EmbeddedJSON.append(.array(self.attempts.fileNames.map { .string($0) }), to: &output)
        output.append(contentsOf: ",\n\"unlisted\":".utf8)
        EmbeddedJSON.append(self.attempts.unlisted.json, to: &output)
        output.append(contentsOf: ",\n\"attempts\":[".utf8)
        for (place, attempt) in self.attempts.list.enumerated() {
            output.append(contentsOf: (place > 0 ? ",\n" : "\n").utf8)
            attempt.renderSummary(run: self.attempts.run, to: &output)
        }
        output.append(contentsOf: "]}".utf8)
    }
}
