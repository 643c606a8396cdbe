internal import JSON

/// The figures of a run as the body of an OTLP/HTTP request in JSON (`ExportMetricsServiceRequest`), for `/v1/metrics`.
///
/// Trends become exponential histograms, counters and rates monotonic sums, gauges gauges; all cumulative from the
/// start of the run. Values stay in the recorded unit, which each metric names; numbers of scripts are doubles.
public struct OpenTelemetryOutput: Sendable {
    private let snapshot: LoadSnapshot

    /// Creates an output of a run as it stands.
    public init(_ snapshot: LoadSnapshot) {
        self.snapshot = snapshot
    }

    /// The body, to be sent as `application/json`.
    public var body: [UInt8] { JSONWriter.write(self.json) }

    private var json: JSONValue {
        var metrics: [JSONValue] = []
        var taken: Set = [Self.deliveries]
        for (metric, series) in self.snapshot.measurements.seriesByMetric {
            metrics += self.metrics(metric, series, named: Self.free(metric, &taken))
        }
        let points = DeliveryAccount.figures.map { figure in
            self.point(
                [Tag("outcome", figure.name)], ["asInt": Self.text(figure.value(self.snapshot.deliveries))])
        }
        metrics.append(Self.sum(Self.deliveries, unit: "{delivery}", points))
        return [
            "resourceMetrics": [
                [
                    "resource": [
                        "attributes": Self.attributes([
                            Tag("service.name", "repartee"), Tag("repartee.run.id", self.snapshot.runID),
                        ])
                    ],
                    "scopeMetrics": [["scope": ["name": "repartee"], "metrics": .array(metrics)]],
                ]
            ]
        ]
    }

    private static let cumulative: JSONValue = 2

    /// The name of what every run has beside its metrics.
    private static let deliveries = "repartee.deliveries"

    /// Returns the name of a metric such that nothing it makes has a name that is taken.
    private static func free(_ metric: Metric, _ taken: inout Set<String>) -> String {
        var name = "repartee.\(metric.name)"
        while !taken.isDisjoint(with: [name, name + ".cases"]) { name += ".other" }
        taken.insert(name)
        if metric.kind == .rate { taken.insert(name + ".cases") }
        return name
    }

    private func metrics(_ metric: Metric, _ series: [Series], named name: String) -> [JSONValue] {
        let unit = Self.unit(metric.unit)
        switch metric.kind {
        case .trend:
            return [
                [
                    "name": .string(name), "unit": .string(unit),
                    "exponentialHistogram": [
                        "aggregationTemporality": Self.cumulative,
                        "dataPoints": .array(series.map { self.point($0.tags, Self.histogram($0.total)) }),
                    ],
                ]
            ]
        case .counter:
            return [
                Self.sum(name, unit: unit, series.map { self.point($0.tags, Self.value($0.total.total, metric)) })
            ]
        case .rate:
            return [
                Self.sum(name, unit: unit, series.map { self.point($0.tags, ["asInt": Self.text($0.total.sum)]) }),
                Self.sum(
                    name + ".cases", unit: unit,
                    series.map { self.point($0.tags, ["asInt": Self.text($0.total.count)]) }),
            ]
        case .gauge:
            let points = series.map { series in
                self.point(series.tags, Self.value(series.timeline.intervals.last?.level ?? 0, metric))
            }
            return [["name": .string(name), "unit": .string(unit), "gauge": ["dataPoints": .array(points)]]]
        }
    }

    private static func sum(_ name: String, unit: String, _ points: [JSONValue]) -> JSONValue {
        [
            "name": .string(name), "unit": .string(unit),
            "sum": ["aggregationTemporality": Self.cumulative, "isMonotonic": true, "dataPoints": .array(points)],
        ]
    }

    /// A data point: attributes, times, and what kind of value it has.
    private func point(_ tags: [Tag], _ value: JSONObject) -> JSONValue {
        let start = self.snapshot.startMicroseconds
        let now = start.saturatingAdd(self.snapshot.nowMicroseconds)
        return .object(
            ([
                "attributes": Self.attributes(tags), "startTimeUnixNano": Self.text(start.saturatingMultiply(1_000)),
                "timeUnixNano": Self.text(now.saturatingMultiply(1_000)),
            ] as JSONObject).merging(value))
    }

    private static func histogram(_ histogram: Histogram) -> JSONObject {
        let buckets = ExponentialHistogram(histogram)
        var members: JSONObject = [
            "count": Self.text(histogram.count), "sum": .double(histogram.total),
            "scale": .integer(Int64(buckets.scale)), "zeroCount": Self.text(buckets.zeroCount),
            "positive": [
                "offset": .integer(Int64(buckets.offset)), "bucketCounts": .array(buckets.counts.map(Self.text)),
            ],
        ]
        if !buckets.negativeCounts.isEmpty {
            members["negative"] = [
                "offset": .integer(Int64(buckets.negativeOffset)),
                "bucketCounts": .array(buckets.negativeCounts.map(Self.text)),
            ]
        }
        members["min"] = histogram.leastFigure.map { .double($0) }
        members["max"] = histogram.greatestFigure.map { .double($0) }
        return members
    }

    /// The value of a point: what scripts measure has decimals, all else is whole.
    private static func value(_ value: Double, _ metric: Metric) -> JSONObject {
        metric.unit == .number ? ["asDouble": .double(value)] : ["asInt": Self.text(Int64(saturating: value))]
    }

    /// Integers of 64 bits are texts in the JSON form of protocol buffers.
    private static func text(_ value: Int64) -> JSONValue { .string(String(value)) }

    private static func attributes(_ tags: [Tag]) -> JSONValue {
        .array(tags.map { ["key": .string($0.name), "value": ["stringValue": .string($0.value)]] })
    }

    /// The unit as UCUM writes it.
    private static func unit(_ unit: MetricUnit) -> String {
        switch unit {
        case .microseconds: "us"
        case .bytes: "By"
        case .count, .number: "1"
        }
    }
}
