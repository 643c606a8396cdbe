/// The trends of a run as a log of HdrHistogram: each interval, told apart by two digits, and the whole run by three.
///
/// The tag of an interval is the metric with its tags, such as `delivery;role=agent`; that of the whole has
/// `;total` after it. Numbers that scripts measure are left out: they may be below zero, for which such logs have no
/// room.
public struct HistogramLogOutput: Sendable {
    private let snapshot: LoadSnapshot

    /// Creates an output of a run as it stands.
    public init(_ snapshot: LoadSnapshot) {
        self.snapshot = snapshot
    }

    /// The log.
    public var log: HistogramLog {
        var intervals: [HistogramLog.Interval] = []
        for series in self.snapshot.measurements.sortedSeries {
            let metric = self.snapshot.measurements.metric(of: series)
            guard metric.kind == .trend, metric.unit != .number else { continue }
            let tag = ([metric.name] + (series.tags.isEmpty ? [] : [series.tagText])).joined(separator: ";")
            let length = series.timeline.intervalMicroseconds
            for interval in series.timeline.intervals {
                intervals.append(
                    HistogramLog.Interval(
                        tag: tag, startMicroseconds: Int64(interval.index).saturatingMultiply(length),
                        lengthMicroseconds: length, histogram: interval.histogram))
            }
            intervals.append(
                HistogramLog.Interval(
                    tag: tag + ";total", startMicroseconds: 0, lengthMicroseconds: self.snapshot.nowMicroseconds,
                    histogram: series.total))
        }
        return HistogramLog(startMicroseconds: self.snapshot.startMicroseconds, intervals: intervals)
    }
}
