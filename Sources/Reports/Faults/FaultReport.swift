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
        markup.raw("<h1>Faults at every point <span class=\"badge \(self.matrix.isGood ? "passed" : "failed")\">")
        markup.text(self.matrix.isGood ? "all as it should be" : "something is wrong")
        markup.raw("</span></h1>\n")
        self.appendCounts(to: &markup)
        for (number, scenario) in self.matrix.scenarios.enumerated() {
            self.append(scenario, number: number, to: &markup)
        }
        if !self.matrix.leftOut.isEmpty {
            markup.element("h2", "Left out, because they do not pass without a fault")
            markup.raw("<ul>")
            for line in self.matrix.leftOut { markup.element("li", line) }
            markup.raw("</ul>\n")
        }
        let facts =
            "\(self.matrix.toolVersion) · \(self.matrix.scenarios.count) scenarios, \(self.matrix.playCount) plays "
            + "with a fault, seed \(self.matrix.seed)"
        return LoadPage.document(title: "Faults at every point", facts: facts, markup)
    }

    private func appendCounts(to markup: inout Markup) {
        let rows = FaultOutcome.allCases.map { outcome -> [Markup.Cell] in
            [
                Markup.Cell(outcome.title, look: Self.look(outcome)), Markup.Cell("\(self.matrix.count(outcome))"),
                Markup.Cell(Self.meaning(outcome), look: "said"),
            ]
        }
        markup.table(["Outcome", "Plays", "What it means"], rows)
    }

    private func append(_ scenario: FaultedScenario, number: Int, to markup: inout Markup) {
        let isGood = scenario.firstBad == nil
        markup.raw("<details\(isGood ? "" : " open")><summary class=\"\(isGood ? "passed" : "failed")\">")
        markup.text("\(scenario.file):\(scenario.line)  \(scenario.title)")
        markup.raw("</summary>\n")
        if let bad = scenario.firstBad {
            markup.raw("<p>The first point where something is wrong: <code>")
            markup.text(ReplayCommand.text(for: bad, of: scenario, seed: self.matrix.seed))
            markup.raw("</code></p>\n")
        }
        if scenario.points.count < scenario.pointCount {
            markup.element("p", "\(scenario.points.count) of its \(scenario.pointCount) points were played.")
        }
        self.appendMatrix(of: scenario, to: &markup)
        markup.raw("</details>\n")
    }

    /// Appends the points as rows and the kinds of faults as columns; what there is to say stands in the tips of cells.
    private func appendMatrix(of scenario: FaultedScenario, to markup: inout Markup) {
        let kinds = self.matrix.kinds.filter { kind in scenario.cells.contains { $0.kind == kind } }
        var cells: [Int: [String: FaultCell]] = [:]
        for cell in scenario.cells { cells[cell.point, default: [:]][cell.kind] = cell }
        markup.raw("<div class=\"wide-table\"><table><thead><tr><th>Point</th>")
        for kind in kinds { markup.element("th", kind) }
        markup.raw("</tr></thead><tbody>\n")
        for point in scenario.points {
            markup.raw("<tr><td class=\"left\">")
            markup.text("\(point.number) \(point.isSent ? "→" : "←") \(point.summary)")
            markup.raw("</td>")
            for kind in kinds {
                guard let cell = cells[point.number]?[kind] else {
                    markup.raw("<td></td>")
                    continue
                }
                markup.raw("<td class=\"\(Self.look(cell.outcome))\"")
                markup.attribute("title", cell.detail)
                markup.raw(">")
                markup.text(cell.outcome.title)
                markup.raw("</td>")
            }
            markup.raw("</tr>\n")
        }
        markup.raw("</tbody></table></div>\n")
    }

    /// The class that colors an outcome on the pages of load runs.
    private static func look(_ outcome: FaultOutcome) -> String {
        switch outcome {
        case .sameEnd: "passed"
        case .toldError: "left"
        case .explained: "changed"
        case .otherEnd, .sentTwice, .hang, .trap: "failed"
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

extension ReplayCommand {
    /// Returns the command that plays a scenario with one fault again.
    public static func text(for cell: FaultCell, of scenario: FaultedScenario, seed: UInt64) -> String {
        Self.text(playing: scenario.title, of: scenario.file, cell.fault, seed)
    }

    /// Returns the command that plays a scenario with a fault such as `cut@12`.
    public static func text(playing title: String, of file: String, _ fault: String, _ seed: UInt64) -> String {
        Self.text(["repartee", "test", file, "--filter", title, "--seed", "\(seed)", "--fault", fault])
    }
}
