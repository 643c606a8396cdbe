internal import Machines

extension Threshold {
    /// Judges the threshold on a moment of a run or on all of it.
    ///
    /// Figures over the whole run or a phase are told apart by three digits, those of windows by two. Windows consist
    /// of whole intervals of the ``Timeline``; in a run so long that these are longer than the window, it is one.
    public func evaluate(_ view: LoadView) -> ThresholdOutcome {
        if let figure = DeliveryAccount.figures.first(where: { $0.name == self.metric }) {
            guard view.measurements.metric(named: self.metric) == nil else { return self.evaluateMeasured(view) }
            let metric = Metric(self.metric, .counter)
            if view.deliveries.expected == 0, view.deliveries.isClean {
                return self.outcome(.notEvaluated(Self.nothingCounted), metric: metric)
            }
            return self.judge(Double(figure.value(view.deliveries)), in: 0..<view.nowMicroseconds, metric, view: view)
        }
        return self.evaluateMeasured(view)
    }

    /// Why nothing is known of texts, and what to do.
    private static let nothingCounted =
        "no message was counted: texts are not followed (--no-ledger, ledger = false), or none was sent that another "
        + "actor of the run is to get. A command of a system in Lua says sends = \"text\", a websocket or http actor has "
        + "the option ledger; of a bot on the other side of the connection judge the answers, as in "
        + "p95(first_response) < 2s"

    private func evaluateMeasured(_ view: LoadView) -> ThresholdOutcome {
        guard let metric = view.measurements.metric(named: self.metric) else {
            return self.outcome(.notEvaluated("nothing was measured as \"\(self.metric)\""), metric: nil)
        }
        if let reason = self.folding(view, metric) ?? self.lostPart(view, metric) ?? self.vacuity(view, metric)
            ?? self.unknownTag(view, metric)
        {
            return self.outcome(.notEvaluated(reason), metric: metric)
        }
        switch self.window {
        case .whole: return self.evaluateWhole(view, metric)
        case .last(let length): return self.evaluateLast(length, view, metric)
        case .every(let length): return self.evaluateEvery(length, view, metric)
        }
    }

    /// Why nobody knows the figure of tags: past the limit of series, samples lost theirs.
    private func folding(_ view: LoadView, _ metric: Metric) -> String? {
        guard !self.tags.isEmpty, self.tags != [Measurements.otherTag],
            !view.measurements.series(of: metric.name, tags: [Measurements.otherTag]).isEmpty
        else { return nil }
        return
            "there were too many series, so that samples of \"\(metric.name)\" with these tags may be counted as other=true; "
            + "use fewer values for tags"
    }

    /// Why nobody knows the figure of a part that only a run finds: beyond so many, they are counted together.
    private func lostPart(_ view: LoadView, _ metric: Metric) -> String? {
        guard let name = FoundParts.tagName(of: metric.name), let part = self.tags.first(where: { $0.name == name }),
            view.measurements.series(of: metric.name, tags: [part]).isEmpty
        else { return nil }
        let others = Tag(name, FoundParts.others)
        guard !view.measurements.series(of: metric.name, tags: [others]).isEmpty else { return nil }
        return
            "there were too many values of \"\(name)\", so that samples of \"\(metric.name)\" with "
            + "\(name)=\"\(part.value)\" may be counted as \(name)=\(others.value); make them fewer, or judge all together"
    }

    /// Why a bound on times would hold whatever the server does: in virtual time an answer takes no time unless the
    /// server or the network is told to take some.
    private func vacuity(_ view: LoadView, _ metric: Metric) -> String? {
        guard view.isVirtual, metric.kind == .trend, metric.unit == .microseconds,
            ![.count, .rate].contains(self.function)
        else { return nil }
        let samples = view.measurements.histogram(of: metric.name, tags: self.tags, phase: self.phase)
        guard !samples.isEmpty, samples.maximum == 0 else { return nil }
        return
            (samples.count == 1 ? "the only sample is" : "all \(NumberText.counted(samples.count, "sample")) are")
            + " 0, for nothing makes them take any of the virtual time; "
            + "use the real clock, or give the simulated server a latency"
    }

    /// Why a bound on a counter would hold whatever is counted, and one on times has no samples: a tag is misspelt.
    ///
    /// A tag of another name or value is nothing wrong with what is counted, which may not have happened there.
    private func unknownTag(_ view: LoadView, _ metric: Metric) -> String? {
        guard view.isOver else { return nil }
        let known = Set(view.measurements.series(of: metric.name).flatMap(\.tags).map(\.name))
        if let unknown = self.tags.first(where: { !known.contains($0.name) }),
            let meant = TextDistance.suggestion(for: unknown.name, among: known)
        {
            return "no sample of \"\(metric.name)\" has a tag \"\(unknown.name)\"; did you mean \"\(meant)\"?"
        }
        guard metric.kind == .trend, ![.count, .sum, .rate].contains(self.function) else {
            return self.misspeltValue(view, metric)
        }
        return self.unknownValue(view, metric)
    }

    /// Why a bound on how often something was there would hold: it is written as by a slip of a finger.
    private func misspeltValue(_ view: LoadView, _ metric: Metric) -> String? {
        let tags = Set(view.measurements.series(of: metric.name).flatMap(\.tags))
        for unknown in self.tags where !tags.contains(unknown) {
            let values = tags.filter { $0.name == unknown.name }.map(\.value).sorted()
            // Roles are known before the run, and one of them may have no samples.
            guard unknown.name != "role", let meant = values.first(where: { TextDistance.isSlip(unknown.value, $0) })
            else { continue }
            return
                "no sample of \"\(metric.name)\" has \(unknown.name)=\"\(unknown.value)\"; did you mean \"\(meant)\"? "
                + "A script that counts 0 of what may never be there makes it known"
        }
        return nil
    }

    /// Why there are no samples with a tag: it has other values.
    private func unknownValue(_ view: LoadView, _ metric: Metric) -> String? {
        let tags = Set(view.measurements.series(of: metric.name).flatMap(\.tags))
        guard let unknown = self.tags.first(where: { !tags.contains($0) }) else { return nil }
        let values = tags.filter { $0.name == unknown.name }.map(\.value).sorted()
        guard !values.isEmpty else { return nil }
        let few = values.prefix(10).joined(separator: ", ") + (values.count > 10 ? ", …" : "")
        return "no sample of \"\(metric.name)\" has \(unknown.name)=\"\(unknown.value)\""
            + TextDistance.hint(unknown.value, among: values, otherwise: "there are \(few)")
    }

    private func outcome(_ verdict: ThresholdOutcome.Verdict, metric: Metric?) -> ThresholdOutcome {
        ThresholdOutcome(
            threshold: self, verdict: verdict, value: nil, offending: [], windowCount: 0, emptyWindowCount: 0,
            metric: metric)
    }

    /// Why a figure says nothing: its parts are numbers, and what is made of them is none.
    private static let boundless = "its figure is too large for a number; measure in a larger unit"

    /// Judges one figure.
    private func judge(_ value: Double, in span: Range<Int64>, _ metric: Metric, view: LoadView) -> ThresholdOutcome {
        guard value.isFinite else { return self.outcome(.notEvaluated(Self.boundless), metric: metric) }
        let holds = self.comparator.holds(value, self.bound)
        if !view.isOver, self.isUndecided(value) {
            return self.outcome(.notEvaluated("the run is not over"), metric: metric)
        }
        return ThresholdOutcome(
            threshold: self, verdict: holds ? .passed : .failed, value: value,
            offending: holds ? [] : [ThresholdOutcome.Window(span: span, value: value)], windowCount: 1,
            emptyWindowCount: 0, metric: metric)
    }

    /// Whether a number that only grows may still come to keep the bound, or to break it.
    private func isUndecided(_ value: Double) -> Bool {
        guard self.window == .whole, !self.isAgainstBaseline, [.count, .sum].contains(self.function) else {
            return false
        }
        switch self.comparator {
        case .above: return value <= self.bound
        case .atLeast: return value < self.bound
        case .equal: return value < self.bound
        case .different: return value <= self.bound
        case .below, .atMost: return false
        }
    }

    private func evaluateWhole(_ view: LoadView, _ metric: Metric) -> ThresholdOutcome {
        let phases = view.measurements.phases
        let figure = view.measurements.figure(
            of: metric, tags: self.tags, phase: self.phase, upTo: view.nowMicroseconds)
        guard figure.microseconds > 0 || view.isOver && self.phase == nil else {
            let reason =
                self.phase == nil && phases.countedStart > 0
                ? "nothing counts in the warm-up"
                : view.isOver ? "its phase never began: the run was over before" : "its phase has not begun"
            return self.outcome(.notEvaluated(reason), metric: metric)
        }
        guard let value = figure.value(self.function, kind: metric.kind) else {
            return self.outcome(.notEvaluated("there are no samples"), metric: metric)
        }
        let spans = self.phase.map { phases.spans(named: $0) } ?? []
        let start = min(spans.first?.lowerBound ?? phases.countedStart, view.nowMicroseconds)
        let span = start..<max(start, min(spans.last?.upperBound ?? .max, view.nowMicroseconds))
        guard self.isAgainstBaseline else { return self.judge(value, in: span, metric, view: view) }
        guard let baseline = view.baseline else {
            return self.outcome(.notEvaluated("no baseline was given"), metric: metric)
        }
        guard baseline.metric(named: metric.name) == metric,
            let earlier = baseline.figure(
                of: metric, tags: self.tags, phase: self.phase, upTo: view.baselineMicroseconds
            ).value(self.function, kind: metric.kind), earlier != 0
        else { return self.outcome(.notEvaluated("the baseline has no such figure"), metric: metric) }
        // A figure of a script may be below zero, where what grows comes nearer to it.
        return self.judge((value - earlier) / abs(earlier), in: span, metric, view: view)
    }

    private func evaluateLast(_ length: Int64, _ view: LoadView, _ metric: Metric) -> ThresholdOutcome {
        guard view.isOver || view.nowMicroseconds >= length else {
            return self.outcome(.notEvaluated("the run is younger than the window"), metric: metric)
        }
        let timeline = view.measurements.timeline(of: metric.name, tags: self.tags)
        let interval = timeline.intervalMicroseconds
        // The begin is moved to that of an interval; nothing older than was asked for counts.
        let oldest = max(0, view.nowMicroseconds - length)
        let latest = max(0, view.nowMicroseconds - 1) / interval * interval
        let start = min((oldest + interval - 1) / interval * interval, latest)
        var figures: [(Range<Int64>, Figure)] = []
        for span in self.parts(of: start..<view.nowMicroseconds, view) {
            figures.append((span, timeline.figure(in: span)))
        }
        guard var whole = figures.first?.1 else {
            return self.outcome(
                .notEvaluated("\(self.phase == nil ? "what counts" : "its phase") is not within the window"),
                metric: metric)
        }
        for (_, figure) in figures.dropFirst() {
            whole.histogram.merge(figure.histogram)
            whole.levels += figure.levels
            whole.microseconds += figure.microseconds
        }
        guard let value = whole.value(self.function, kind: metric.kind) else {
            return self.outcome(.notEvaluated("there are no samples in the window"), metric: metric)
        }
        return self.judge(value, in: start..<view.nowMicroseconds, metric, view: view)
    }

    /// Returns what of a span counts: all but the warm-up, or what lies in the phase.
    private func parts(of span: Range<Int64>, _ view: LoadView) -> [Range<Int64>] {
        guard let phase = self.phase else {
            let start = view.measurements.phases.countedStart
            return start < span.upperBound || start == 0 ? [max(start, span.lowerBound)..<span.upperBound] : []
        }
        return view.measurements.phases.spans(named: phase).map { $0.clamped(to: span) }.filter { !$0.isEmpty }
    }

    private func evaluateEvery(_ length: Int64, _ view: LoadView, _ metric: Metric) -> ThresholdOutcome {
        let timeline = view.measurements.timeline(of: metric.name, tags: self.tags)
        let interval = timeline.intervalMicroseconds
        let step = (length + interval - 1) / interval * interval
        var windows: [ThresholdOutcome.Window] = []
        var emptyCount = 0
        for part in self.parts(of: 0..<view.nowMicroseconds, view) {
            var start = (part.lowerBound + interval - 1) / interval * interval
            while start < part.upperBound, windows.count + emptyCount < Self.windowLimit {
                let end = min(start.saturatingAdd(step), part.upperBound)
                defer { start = start.saturatingAdd(step) }
                // A window that is cut short counts only when no more can come, and not for what must add up in it.
                let isWhole = end - start == step
                guard isWhole || (view.isOver && !self.mustAddUp) else { continue }
                let figure = timeline.figure(in: start..<end)
                guard let value = figure.value(self.function, kind: metric.kind) else {
                    // The rest of the run after its last whole window is seldom one in which something was to come.
                    if isWhole { emptyCount += 1 }
                    continue
                }
                windows.append(ThresholdOutcome.Window(span: start..<end, value: value))
            }
        }
        guard !windows.isEmpty else {
            return self.outcome(.notEvaluated("there is no window with samples"), metric: metric)
        }
        guard windows.allSatisfy(\.value.isFinite) else {
            return self.outcome(.notEvaluated(Self.boundless), metric: metric)
        }
        let offending = windows.filter { !self.comparator.holds($0.value, self.bound) }
        let isLowBad = [.above, .atLeast].contains(self.comparator)
        let judged = offending.isEmpty ? windows : offending
        let worst = isLowBad ? judged.map(\.value).min() : judged.map(\.value).max()
        return ThresholdOutcome(
            threshold: self, verdict: offending.isEmpty ? .passed : .failed, value: worst, offending: offending,
            windowCount: windows.count, emptyWindowCount: emptyCount, metric: metric)
    }

    /// How many windows are judged; a file may claim any length of run, and an honest one has no more.
    private static let windowLimit = 20_000

    private var mustAddUp: Bool {
        [.count, .sum].contains(self.function) && ![.below, .atMost].contains(self.comparator)
    }

    /// Returns why a run must end now, if it must.
    ///
    /// - Parameters:
    ///   - outcomes: The thresholds as they stand.
    ///   - nowMicroseconds: The moment, in microseconds since the start of the run.
    public static func abortReason(_ outcomes: [ThresholdOutcome], nowMicroseconds: Int64) -> String? {
        outcomes.first { outcome in
            guard let grace = outcome.threshold.abortAfter else { return false }
            return outcome.verdict == .failed && nowMicroseconds >= grace
        }?.line
    }
}
