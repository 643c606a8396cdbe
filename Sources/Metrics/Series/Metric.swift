/// A figure that a run measures, under one name over all its tags.
public struct Metric: Hashable, Sendable {
    /// The name, as thresholds and reports use it.
    public var name: String
    /// What is done with its values.
    public var kind: MetricKind
    /// What one of its values stands for.
    public var unit: MetricUnit
    /// How levels combine; it matters for gauges only.
    public var combination: GaugeCombination

    /// Whether it counts bytes, so that its sum is a size and not a number of things.
    public var isSize: Bool { self.kind == .counter && self.unit == .bytes }

    /// Creates a metric.
    public init(
        _ name: String, _ kind: MetricKind, unit: MetricUnit = .count, combination: GaugeCombination = .sum
    ) {
        self.name = name
        self.kind = kind
        self.unit = unit
        self.combination = combination
    }
}
