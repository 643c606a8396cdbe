/// One figure of two sets of runs, and whether it differs.
public struct ComparisonRow: Hashable, Sendable {
    /// What can honestly be said about the difference.
    public enum Verdict: Hashable, Sendable {
        /// No difference that could not be chance.
        case noChange
        /// The figure is different.
        case changed
        /// There is too little to tell, and of what.
        case tooFewSamples(String)
    }

    /// Which way a time went.
    public enum Tendency: String, Hashable, Sendable {
        /// It became longer.
        case slower
        /// It became shorter.
        case faster
    }

    /// The metric.
    public let metric: Metric
    /// Which figure of it, such as `p99`, `mean`, `per second` or `share`.
    public let figure: String
    /// In the unit of the metric, per second or as a share; nil if there is none.
    public let before: Double?
    /// The same of the later runs.
    public let after: Double?
    /// By how much it changed: relative to before, or for shares the difference.
    public let change: Double?
    /// Between which changes the true one lies, with the confidence of the comparison.
    public let interval: ClosedRange<Double>?
    /// How sure the interval is, such as 0.99.
    public let confidence: Double
    /// What can honestly be said about the difference.
    public let verdict: Verdict

    /// Whether a time became longer or shorter, if it changed; of other figures nobody but their reader knows what is
    /// good.
    public var tendency: Tendency? {
        guard self.verdict == .changed, self.metric.kind == .trend, self.metric.unit == .microseconds else {
            return nil
        }
        return (self.change ?? 0) > 0 ? .slower : .faster
    }

    /// The verdict as text, such as `no change` or `+12% (99% CI +8% to +16%)`.
    public var text: String {
        switch self.verdict {
        case .noChange:
            "no change"
                + (self.interval.map { " (\(self.percent($0.lowerBound)) to \(self.percent($0.upperBound)))" } ?? "")
        case .tooFewSamples(let what): "too few samples: \(what)"
        case .changed:
            self.percent(self.change ?? 0)
                + (self.interval.map {
                    " (\(NumberText.decimal(self.confidence * 100, decimals: 1))% CI \(self.percent($0.lowerBound)) to "
                        + "\(self.percent($0.upperBound)))"
                } ?? "")
        }
    }

    private func percent(_ change: Double) -> String {
        let magnitude = abs(change) * 100
        let text = NumberText.decimal(magnitude, decimals: magnitude < 10 ? 1 : 0)
        let unit = self.metric.kind == .rate ? " points" : "%"
        return (text == "0" ? "" : change < 0 ? "-" : "+") + text + unit
    }
}
