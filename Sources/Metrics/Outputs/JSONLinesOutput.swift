internal import JSON

/// The figures of a run as lines of JSON: one for each series and interval, one for each total, one for the ledger.
///
/// Each line has a `type`: `interval`, `total`, `deliveries` or `generator`. Times ending in `_s` are seconds since the
/// start of the run; values are in the unit that the line names. `count` is how many values there are, of a counter how
/// much it grew; a counter has no percentiles.
public struct JSONLinesOutput: Sendable {
    private let snapshot: LoadSnapshot

    /// Creates an output of a run as it stands.
    public init(_ snapshot: LoadSnapshot) {
        self.snapshot = snapshot
    }

    /// The file.
    public var text: [UInt8] {
        var bytes: [UInt8] = []
        func append(_ value: JSONObject) {
            bytes += JSONWriter.write(.object(value)) + [0x0A]
        }
        for series in self.snapshot.measurements.sortedSeries {
            let metric = self.snapshot.measurements.metric(of: series)
            let names: JSONObject = [
                "metric": .string(metric.name), "kind": .string(metric.kind.rawValue),
                "unit": .string(metric.unit.rawValue),
                "tags": .object(JSONObject(series.tags.map { ($0.name, .string($0.value)) })),
            ]
            for interval in series.timeline.intervals {
                var line: JSONObject = [
                    "type": "interval", "start_s": .integer(Int64(interval.index * series.timeline.intervalSeconds)),
                    "length_s": .integer(Int64(series.timeline.intervalSeconds)),
                ]
                if metric.kind == .gauge { line["level"] = .number(interval.level) }
                append(line.merging(names).merging(Self.figures(interval.histogram, of: metric.kind)))
            }
            append(
                (["type": "total"] as JSONObject).merging(names).merging(Self.figures(series.total, of: metric.kind)))
        }
        append(
            (["type": "deliveries"] as JSONObject).merging(
                JSONObject(
                    DeliveryAccount.figures.map { ($0.name, .integer($0.value(self.snapshot.deliveries))) })))
        append([
            "type": "generator", "verdict": .string(self.snapshot.health.state.rawValue),
            "reasons": .array(self.snapshot.health.reasons.map { .string($0) }),
        ])
        return bytes
    }

    private static func figures(_ histogram: Histogram, of kind: MetricKind) -> JSONObject {
        var members: JSONObject = ["count": .number(histogram.count(of: kind)), "sum": .number(histogram.total)]
        let distribution = histogram.values(of: kind)
        members["min"] = distribution.leastFigure.map { .number($0) }
        let values = distribution.figures(atPercentiles: LoadSnapshot.percentiles.map(\.percentile))
        for ((name, _), value) in zip(LoadSnapshot.percentiles, values) {
            members[name] = value.map { .number($0) }
        }
        members["max"] = distribution.greatestFigure.map { .number($0) }
        return members
    }
}
