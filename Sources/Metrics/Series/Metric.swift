/// What kind of figure a metric is.
public enum MetricKind: String, Hashable, Sendable, CaseIterable {
    /// Values whose distribution matters, such as a latency.
    case trend
    /// A number of things that only grows.
    case counter
    /// A level at a time, such as connected users.
    case gauge
    /// How many of all cases are of a kind, such as errors among attempts.
    case rate
}

/// What one unit of a recorded value stands for.
public enum MetricUnit: String, Hashable, Sendable, CaseIterable {
    /// Times, which reports show in whatever unit reads best.
    case microseconds
    /// Sizes; a kilobyte has 1000.
    case bytes
    /// Whole things.
    case count
    /// What a script counts or measures, as it gave it: it may have decimals and be below zero.
    case number
}

/// How the levels of a gauge in several workers or shards become one.
public enum GaugeCombination: String, Hashable, Sendable, CaseIterable {
    /// Each has a share of the whole, such as its own connected users.
    case sum
    /// Each saw the same thing, such as the length of the server's queue: what was set last counts, and of what was set
    /// within one interval the greatest.
    case latest
}

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

/// A name and a value that set the samples of one metric apart, such as `role` and `agent`.
public struct Tag: Hashable, Comparable, Sendable {
    /// In what the samples differ.
    public var name: String
    /// What it is for these samples.
    public var value: String

    /// Creates a tag.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Whether it is the name of what was measured, which reports show in a row of its own.
    public var isName: Bool { self.name == "name" }

    public static func < (left: Tag, right: Tag) -> Bool {
        (left.name, left.value) < (right.name, right.value)
    }
}

/// Where the samples of one metric with one set of tags are recorded; valid for the ``Measurements`` that gave it.
public struct SeriesID: Hashable, Sendable {
    let place: Int
}
