/// What became of a threshold.
public struct ThresholdOutcome: Hashable, Sendable {
    /// How it was judged.
    public enum Verdict: Hashable, Sendable {
        /// The bound held, in every window where there are several.
        case passed
        /// The bound was broken.
        case failed
        /// There was nothing to judge, and why; it is no success.
        case notEvaluated(String)
    }

    /// A stretch of time with the figure in it.
    public struct Window: Hashable, Sendable {
        /// In microseconds since the start of the run.
        public let span: Range<Int64>
        /// In the unit of the threshold's bound.
        public let value: Double
    }

    /// What was judged.
    public let threshold: Threshold
    /// How it was judged.
    public let verdict: Verdict
    /// The figure over all that counts, or of the window that is furthest from the bound; nil if there is none.
    public let value: Double?
    /// The windows that broke the bound, in order.
    public let offending: [Window]
    /// How many windows were judged; 1 for a figure over all that counts.
    public let windowCount: Int
    /// How many windows had no samples, so that nothing was judged in them.
    public let emptyWindowCount: Int
    /// The metric, for its unit.
    let metric: Metric?

    /// The outcome in one line, such as `p99(delivery) < 200ms: failed with 312ms`.
    public var line: String {
        switch self.verdict {
        case .passed:
            "\(self.threshold.text): passed" + (self.value.map { " with \(self.text(of: $0))" } ?? "")
                + (self.gap.map { ", \($0)" } ?? "")
        case .notEvaluated(let reason): "\(self.threshold.text): not evaluated, \(reason)"
        case .failed: "\(self.threshold.text): failed" + self.failure + (self.gap.map { "; \($0)" } ?? "")
        }
    }

    /// That the bound was not judged in some windows, such as `4 of 11 windows measured nothing`; nil if it was in all.
    public var gap: String? {
        guard self.emptyWindowCount > 0 else { return nil }
        let windows = NumberText.counted(self.windowCount + self.emptyWindowCount, "window")
        return "\(self.emptyWindowCount) of \(windows) measured nothing"
    }

    private var failure: String {
        guard let worst = self.value else { return "" }
        guard self.windowCount > 1 || self.threshold.window != .whole, let first = self.offending.first else {
            return " with \(self.text(of: worst))"
        }
        let others =
            self.windowCount > 1
            ? "; \(self.offending.count) of \(self.windowCount) windows, the worst with \(self.text(of: worst))" : ""
        return " from \(Self.time(first.span.lowerBound)) to \(Self.time(first.span.upperBound)) with "
            + self.text(of: first.value) + others
    }

    /// Returns a figure of the threshold with its unit.
    public func text(of value: Double) -> String {
        let threshold = self.threshold
        if threshold.isAgainstBaseline {
            return (value < 0 ? "" : "+") + NumberText.decimal(value * 100, decimals: 1) + "%"
        }
        switch threshold.function {
        case .rate where self.metric?.kind == .rate: return NumberText.decimal(value * 100, decimals: 3) + "%"
        case .rate where self.metric?.isSize == true: return NumberText.value(value, unit: .bytes) + "/s"
        case .rate: return NumberText.decimal(value, decimals: 1) + "/s"
        case .count where self.metric?.isSize == true: return NumberText.value(value, unit: .bytes)
        case .count: return NumberText.value(value, unit: .count)
        default: return NumberText.value(value, unit: self.metric?.unit ?? .count)
        }
    }

    private static func time(_ microseconds: Int64) -> String {
        NumberText.decimal(Double(microseconds) / 1_000_000, decimals: 1) + "s"
    }
}
