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
