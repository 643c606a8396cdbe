/// How many metrics and series a run may have, so that tags with ever new values cannot fill the memory.
public struct SeriesLimits: Hashable, Sendable {
    /// How many metrics there may be.
    public var metrics: Int
    /// How many series all metrics may have together; past it, new tags of a metric are counted in one series.
    public var series: Int

    /// The bounds may be changed for tests; the run's own are those.
    public init(metrics: Int = 500, series: Int = 2_000) {
        self.metrics = metrics
        self.series = series
    }
}
