import Metrics

/// The part of the page that says whether all is well.
extension LoadReport {
    /// Writes what the run came to in a few figures and sentences.
    func summary(to body: inout Markup) {
        body.raw("<section class=\"wide\"><h1>")
        body.text(self.totals.identity.title)
        body.raw(" <span class=\"badge \(self.health.state.rawValue)\">")
        body.text("generator \(self.health.state.rawValue)")
        body.raw("</span></h1>\n")
        body.raw("<div class=\"figures\">")
        for (name, value) in self.figures {
            body.raw("<div>")
            body.element("b", value)
            body.element("span", name)
            body.raw("</div>")
        }
        body.raw("</div>\n")
        for note in self.notes { body.element("p", look: "note", note) }
        for saying in LoadSaying.all(of: self.totals, isPlaying: self.isPlaying) { saying.render(to: &body) }
        body.raw("</section>\n")
    }

    /// What stands in large figures, by name.
    private var figures: [(String, String)] {
        let duration = Double(self.totals.durationMicroseconds) / 1_000_000
        var figures = [("duration", TimeAxis.text(duration, isLong: self.axis.seconds >= 120))]
        if let users = self.users { figures.append(("most users at once", users)) }
        figures += self.iterations
        if let traffic = self.totals.traffic {
            figures += [
                ("data sent", self.totals.trafficText(traffic.sent)),
                ("data received", self.totals.trafficText(traffic.received)),
            ]
        }
        if !self.outcomes.isEmpty || !self.errors.isEmpty {
            let failed = self.outcomes.count { $0.verdict == .failed }
            let passed = self.outcomes.count { $0.verdict == .passed }
            let open = self.outcomes.count - failed - passed + self.errors.count
            figures.append(
                ("thresholds", "\(passed) passed, \(failed) failed" + (open > 0 ? ", \(open) not evaluated" : "")))
        }
        return figures
    }

    /// How many iterations ended, how fast, how many of them failed, and how many came to nothing.
    private var iterations: [(String, String)] {
        let measured = self.totals.measurements
        let ended = measured.histogram(of: "iterations").sum
        guard ended > 0 else { return [] }
        let failures = measured.histogram(of: "failures")
        let speed = Double(ended) / self.countedSeconds
        // Of what was played: an iteration that was skipped says nothing of the other side.
        let share = NumberText.decimal((failures.mean ?? 0) * 100, decimals: 1)
        let others = [("skipped", "skipped iterations"), ("broken_off", "broken off")].compactMap { metric, name in
            let count = measured.histogram(of: metric).sum
            return count > 0 ? (name, NumberText.grouped(count)) : nil
        }
        return [
            ("iterations", NumberText.grouped(ended)),
            ("iterations per second", NumberText.decimal(speed, decimals: 1)),
            ("failed iterations", "\(NumberText.grouped(failures.sum)) (\(share)%)"),
        ] + others
    }

    /// How long the run took on its axis, without its warm-up.
    var countedSeconds: Double {
        max(self.axis.seconds - Double(self.totals.identity.phases.countedStart) / 1_000_000, 0.001)
    }

    private var users: String? {
        guard let metric = self.totals.measurements.metric(named: "users"), metric.kind == .gauge else { return nil }
        return self.totals.measurements.timeline(of: "users").intervals.map(\.level).max()
            .map { NumberText.value($0, unit: .count) }
    }

    /// Writes the thresholds with what they were judged on.
    func thresholds(to body: inout Markup) {
        guard !self.outcomes.isEmpty || !self.errors.isEmpty else { return }
        body.raw("<section class=\"sheet wide\"><h2>Thresholds</h2><div class=\"wide-table\" tabindex=\"0\">")
        var rows: [[Markup.Cell]] = self.outcomes.map { outcome in
            let word: String
            var said = ""
            switch outcome.verdict {
            case .passed: word = "passed"
            case .failed: word = "failed"
            case .notEvaluated(let reason):
                word = "not evaluated"
                said = reason
            }
            if let first = outcome.offending.first, outcome.windowCount > 1 {
                let from = self.axis.text(Double(first.span.lowerBound) / 1_000_000)
                said =
                    "\(outcome.offending.count) of \(outcome.windowCount) windows, the first at \(from) with "
                    + outcome.text(of: first.value)
            }
            if let gap = outcome.gap { said += said.isEmpty ? gap : "; \(gap)" }
            return [
                .init(outcome.threshold.text), .init(outcome.value.map(outcome.text(of:)) ?? "–"),
                .init(word, look: word.replacing(" ", with: "_")), .init(said, look: "said"),
            ]
        }
        rows += self.errors.map {
            [.init($0.text), "–", .init("not evaluated", look: "not_evaluated"), .init($0.message, look: "said")]
        }
        body.table(["threshold", "figure", "verdict", ""], rows)
        body.raw("</div></section>\n")
    }

    /// The page shows at most this many causes, the most frequent ones.
    private static let causeLimit = 20

    /// Writes why users failed, with the whole text of the first failure of each kind on demand.
    func causes(to body: inout Markup) {
        let causes = self.totals.causes
        guard !causes.isEmpty else { return }
        body.raw("<section class=\"sheet wide\"><h2>Why users failed</h2>")
        for cause in causes.prefix(Self.causeLimit) {
            Self.begin("trouble failed", cause.count, cause.message, in: &body)
            body.element(
                "p", look: "note",
                [cause.kind, cause.place ?? "", cause.when].filter { !$0.isEmpty }.joined(separator: " · "))
            body.raw("<details><summary>the first of them</summary><pre>")
            body.text(cause.detail)
            body.raw("</pre></details></div>\n")
        }
        if causes.count > Self.causeLimit {
            body.element("p", look: "note", "and \(NumberText.counted(causes.count - Self.causeLimit, "other cause"))")
        }
        body.raw("</section>\n")
    }

    /// Begins a box with how often something was so, and why.
    private static func begin(_ look: StaticString, _ count: Int64, _ reason: String, in body: inout Markup) {
        body.raw("<div class=\"\(look)\"><p><b class=\"times\">")
        body.text("\(NumberText.grouped(count))×")
        body.raw("</b>")
        body.text(reason)
        body.raw("</p>")
    }

    /// Writes why iterations were skipped.
    func skips(to body: inout Markup) {
        let skips = self.totals.skips
        guard !skips.isEmpty else { return }
        body.raw("<section class=\"sheet wide\"><h2>Why iterations were skipped</h2>")
        for skip in skips.prefix(Self.causeLimit) {
            Self.begin("trouble", skip.count, skip.reason, in: &body)
            body.raw("</div>\n")
        }
        if skips.count > Self.causeLimit {
            body.element("p", look: "note", "and \(NumberText.counted(skips.count - Self.causeLimit, "other reason"))")
        }
        body.raw("</section>\n")
    }
}
