import Metrics
public import RunRecord

/// The matrix scenario × point × fault as a page: one HTML file that needs nothing else.
public struct FaultReport {
    private let matrix: FaultMatrix

    /// Creates a report.
    public init(_ matrix: FaultMatrix) {
        self.matrix = matrix
    }

    /// The file.
    public func document() -> [UInt8] {
        var markup = Markup()
        markup.raw("<section class=\"wide\"><h1>Faults at every point ")
        let (look, verdict) =
            !self.matrix.isGood
            ? ("failed", "something is wrong")
            : self.matrix.breakOff == nil ? ("passed", "all as it should be") : ("unfinished", "broken off")
        markup.raw("<span class=\"badge \(look)\">")
        markup.text(verdict)
        markup.raw("</span></h1>\n")
        if let breakOff = self.matrix.breakOff { markup.element("p", breakOff) }
        self.appendCounts(to: &markup)
        markup.raw("</section>\n")
        let bad = self.matrix.scenarios.filter { $0.firstBad != nil }
        self.append("Scenarios in which something is wrong", bad, to: &markup)
        self.append(
            bad.isEmpty ? "Scenarios" : "The other scenarios", self.matrix.scenarios.filter { $0.firstBad == nil },
            to: &markup)
        self.append("Not played, because it cannot happen", lines: self.matrix.impossible.map(\.text), to: &markup)
        self.append(
            "Left out, because they do not pass without a fault", lines: self.matrix.leftOut.map(\.text), to: &markup)
        let facts =
            "\(self.matrix.toolVersion) · \(NumberText.counted(self.matrix.scenarios.count, "scenario")), "
            + "\(NumberText.counted(self.matrix.playCount, "execution")) with a fault, seed \(self.matrix.seed)"
        return LoadPage.document(title: "Faults at every point", facts: facts, markup)
    }

    /// Appends how often each outcome came, with the mark that it has in the tables.
    private func appendCounts(to markup: inout Markup) {
        markup.raw("<div class=\"sheet outcomes\">")
        for outcome in FaultOutcome.allCases {
            let count = self.matrix.count(outcome)
            // What did not come is no alarm.
            let look = count == 0 && !outcome.isGood ? "none" : Self.look(outcome)
            markup.element("b", look: look, "\(Self.mark(outcome)) \(outcome.title)")
            markup.element("span", look: "count", "\(count)")
            markup.element("span", Self.meaning(outcome))
        }
        markup.raw("</div>")
    }

    private func append(_ title: String, lines: [String], to markup: inout Markup) {
        guard !lines.isEmpty else { return }
        markup.raw("<section class=\"wide\">")
        markup.element("h2", title)
        markup.raw("<ul class=\"reasons\">")
        for line in lines { markup.element("li", line) }
        markup.raw("</ul></section>\n")
    }

    private func append(_ title: String, _ scenarios: [FaultedScenario], to markup: inout Markup) {
        guard !scenarios.isEmpty else { return }
        markup.raw("<section class=\"wide\">")
        markup.element("h2", title)
        for scenario in scenarios { self.append(scenario, to: &markup) }
        markup.raw("</section>\n")
    }

    private func append(_ scenario: FaultedScenario, to markup: inout Markup) {
        let isGood = scenario.firstBad == nil
        markup.raw("<details class=\"sheet matrix\"\(isGood ? "" : " open")>")
        let (look, mark) =
            !isGood ? ("failed", "✗") : scenario.isWhole ? ("passed", "✓") : ("unfinished", "…")
        markup.raw("<summary class=\"\(look)\"><b>\(mark)</b> ")
        markup.text(scenario.title)
        markup.element("span", "\(scenario.file):\(scenario.line)")
        let counts = FaultOutcome.allCases.filter { scenario.count($0) > 0 }
        markup.element("span", counts.map { "\(scenario.count($0)) \($0.title)" }.joined(separator: ", "))
        markup.raw("</summary>\n")
        if let bad = scenario.firstBad {
            markup.raw("<p>The first point where something is wrong: <code>")
            markup.text(ReplayCommand.text(for: bad, of: scenario, seed: self.matrix.seed))
            markup.raw("</code></p>\n")
        }
        if scenario.points.count < scenario.pointCount {
            markup.element("p", "\(scenario.points.count) of its \(scenario.pointCount) points were played.")
        }
        if !scenario.isWhole {
            markup.element(
                "p",
                "\(scenario.cells.count) of its \(scenario.playCount) executions came to their end before the run did.")
        }
        self.appendMatrix(of: scenario, to: &markup)
        self.appendReasons(of: scenario, to: &markup)
        markup.raw("</details>\n")
    }

    /// Appends the points as rows and the kinds of faults as columns; what clients told stands in the tips of cells.
    private func appendMatrix(of scenario: FaultedScenario, to markup: inout Markup) {
        let kinds = self.matrix.kinds.filter { kind in scenario.cells.contains { $0.fault.kind == kind } }
        var cells: [Int: [String: FaultCell]] = [:]
        for cell in scenario.cells { cells[cell.fault.point, default: [:]][cell.fault.kind] = cell }
        markup.raw("<div class=\"wide-table\" tabindex=\"0\"><table><thead><tr><th>Point</th>")
        for kind in kinds {
            markup.raw("<th>")
            markup.element("span", kind)
            markup.raw("</th>")
        }
        markup.raw("</tr></thead><tbody>\n")
        for point in scenario.points {
            let text = "\(point.number) \(point.isSent ? "→" : "←") \(point.summary)"
            markup.raw("<tr><td")
            markup.attribute("title", text)
            markup.raw(">")
            markup.text(text)
            markup.raw("</td>")
            for kind in kinds {
                guard let cell = cells[point.number]?[kind] else {
                    markup.raw("<td></td>")
                    continue
                }
                markup.raw("<td class=\"\(Self.look(cell.outcome))\"")
                markup.attribute(
                    "title",
                    ["\(cell.fault)", cell.outcome.title, cell.detail].filter { !$0.isEmpty }
                        .joined(separator: ": "))
                markup.raw(">\(Self.mark(cell.outcome))</td>")
            }
            markup.raw("</tr>\n")
        }
        markup.raw("</tbody></table></div>\n")
    }

    /// Appends what there is to say about bad and explained plays, once for all of which it is the same.
    private func appendReasons(of scenario: FaultedScenario, to markup: inout Markup) {
        var places: [String: Int] = [:]
        var reasons: [(cell: FaultCell, faults: [String])] = []
        for cell in scenario.cells where !cell.outcome.isGood || cell.outcome == .explained {
            let key = "\(cell.outcome.rawValue) \(cell.detail)"
            if let place = places[key] {
                reasons[place].faults.append("\(cell.fault)")
            } else {
                places[key] = reasons.count
                reasons.append((cell, ["\(cell.fault)"]))
            }
        }
        guard !reasons.isEmpty else { return }
        markup.raw("<ul>")
        for (cell, faults) in reasons {
            markup.raw("<li class=\"\(Self.look(cell.outcome))\"><b>")
            markup.text("\(Self.mark(cell.outcome)) \(cell.outcome.title)")
            markup.raw("</b> ")
            let more = faults.count - Self.mostFaults
            let shown = faults.prefix(Self.mostFaults).joined(separator: ", ")
            markup.element("code", shown + (more > 0 ? " and \(more) more" : ""))
            markup.text(" " + cell.detail)
            markup.raw("</li>\n")
        }
        markup.raw("</ul>\n")
    }

    /// So many faults are named beside what they have in common.
    private static let mostFaults = 12

    /// The class that colors an outcome.
    private static func look(_ outcome: FaultOutcome) -> String {
        switch outcome {
        case .sameEnd: "passed"
        case .toldError: "told"
        case .explained: "explained"
        case .otherEnd, .sentTwice, .hang, .trap: "failed"
        }
    }

    /// An outcome in the narrow columns of a table.
    private static func mark(_ outcome: FaultOutcome) -> String {
        switch outcome {
        case .sameEnd: "✓"
        case .toldError: "!"
        case .explained: "~"
        case .otherEnd: "✗"
        case .sentTwice: "2"
        case .hang: "∞"
        case .trap: "†"
        }
    }

    private static func meaning(_ outcome: FaultOutcome) -> String {
        switch outcome {
        case .sameEnd: "The scenario ended as it does without the fault."
        case .toldError: "It ended otherwise, and a client had told that something was wrong."
        case .explained: "It ended otherwise, for a reason that the system or the scenario declares."
        case .otherEnd: "It ended otherwise, and no client had told that anything was wrong."
        case .sentTwice: "A text that was sent once arrived twice."
        case .hang: "It waited until a time limit, and no client had told that anything was wrong."
        case .trap: "The process ended."
        }
    }
}
