import Metrics

extension LoadComparisonReport {
    /// The comparison for a terminal: both sides, what limits it, each figure with what can be said of it, and the sum.
    public var text: String {
        var lines = self.sides.map { VisibleText.line($0) }
        lines += self.notes.map { "note: \(VisibleText.line($0))" }
        let told = self.rows.filter { !$0.isOpen }
        if !told.isEmpty {
            let rows = told.map { row in
                [row.metric.name, row.figure, Self.text(row, row.before), Self.text(row, row.after), row.text]
                    + [row.tendency?.rawValue ?? (row.verdict == .changed ? "changed" : "")]
            }
            lines.append("")
            lines += TextTable([["", "", "before", "after", "change", ""]] + rows, leading: [0, 1, 4, 5]).lines
        }
        let open = self.rows.filter(\.isOpen)
        if !open.isEmpty {
            lines += ["", "too few samples to tell:"]
            var metrics: [String] = []
            for row in open where !metrics.contains(row.metric.name) { metrics.append(row.metric.name) }
            for name in metrics {
                let figures = open.filter { $0.metric.name == name }.map(\.figure)
                lines.append("  \(name): \(figures.joined(separator: ", "))")
            }
        }
        lines += ["", self.sum]
        return lines.joined(separator: "\n") + "\n"
    }

    /// What the comparison comes to in one line.
    private var sum: String {
        let changed = self.rows.filter { $0.verdict == .changed }
        let ways = [ComparisonRow.Tendency.slower, .faster].compactMap { tendency in
            let count = changed.count { $0.tendency == tendency }
            return count == 0 ? nil : "\(count) \(tendency.rawValue)"
        }
        let open = self.rows.count(where: \.isOpen)
        return
            (changed.isEmpty
            ? "no change that could not be chance"
            : "\(changed.count) of \(NumberText.counted(self.rows.count, "figure")) changed")
            + (ways.isEmpty ? "" : " (\(ways.joined(separator: ", ")))")
            + (open == 0 ? "" : "; \(open) of \(self.rows.count) \(open == 1 ? "has" : "have") too few samples to tell")
    }
}

extension ComparisonRow {
    /// Whether there is too little to say anything.
    var isOpen: Bool { if case .tooFewSamples = self.verdict { true } else { false } }
}
