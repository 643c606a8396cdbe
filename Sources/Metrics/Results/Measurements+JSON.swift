internal import JSON

extension Measurements {
    var metricsJSON: JSONValue { .array(self.metrics.sorted { $0.name < $1.name }.map(\.json)) }

    func writeSeries(to writer: inout JSONWriter) {
        writer.appendArray(self.sortedSeries) { series, writer in
            writer.appendObject(
                [
                    "metric": .string(self.metric(of: series).name),
                    "tags": .object(JSONObject(series.tags.map { ($0.name, .string($0.value)) })),
                    "phases": .array(series.phases.map(\.json)),
                ], ["timeline": { series.timeline.write(to: &$0) }])
        }
    }

    /// How many series a file may have; the limit of a run holds for each worker, and a machine has many.
    private static let fileLimits = SeriesLimits(metrics: 10_000, series: 1_000_000)

    init(_ fields: ResultFields, phases: Phases) throws(LoadResultError) {
        self.init(phases: phases, limits: Self.fileLimits)
        var metrics: [String: Metric] = [:]
        for member in try fields.objects("metrics") {
            let metric = try Metric(member)
            metrics[metric.name] = metric
            do {
                try self.declare(metric)
            } catch {
                throw member.error("name", error.message)
            }
        }
        for member in try fields.objects("series") {
            guard let metric = metrics[try member.string("metric")] else {
                throw member.error("metric", "it is not among the metrics")
            }
            var histograms: [Histogram] = []
            for (place, value) in try member.array("phases").enumerated() {
                histograms.append(try Histogram(json: value, .threeDigits, path: "series.phases[\(place)]"))
            }
            let timeline = try Timeline(
                try member.object("timeline"), combination: metric.kind == .gauge ? metric.combination : nil)
            let tags = try member.object("tags").strings().map { Tag($0.0, $0.1) }.sorted()
            let isNew: Bool
            do {
                isNew = try self.insert(metric, tags: tags, phases: histograms, timeline: timeline)
            } catch {
                throw member.error("metric", error.message)
            }
            guard isNew else { throw member.error("phases", "one histogram for each phase is expected, once") }
        }
        if fields.has("warning") { self.warn(try fields.string("warning")) }
    }
}

extension Timeline {
    func write(to writer: inout JSONWriter) {
        writer.appendObject(
            ["interval_seconds": .integer(Int64(self.intervalSeconds))],
            [
                "intervals": { writer in
                    writer.appendArray(self.intervals) { interval, writer in
                        writer.append(
                            .array([.integer(Int64(interval.index)), .number(interval.level)] + interval.histogram.row))
                    }
                }
            ])
    }

    init(_ fields: ResultFields, combination: GaugeCombination?) throws(LoadResultError) {
        let seconds = try fields.integer("interval_seconds")
        guard seconds > 0, seconds <= 1 << Self.shiftLimit, seconds & (seconds - 1) == 0 else {
            throw fields.error("interval_seconds", "a power of two up to \(1 << Self.shiftLimit) is expected")
        }
        var intervals: [Interval] = []
        for (place, row) in try fields.array("intervals").enumerated() {
            guard let elements = row.array, elements.count == 7, let index = elements[0].integer,
                let level = elements[1].double
            else { throw fields.error("intervals[\(place)]", "seven elements are expected") }
            let histogram = try Histogram(row: elements[2...], .twoDigits, path: "timeline.intervals[\(place)]")
            intervals.append(Interval(index: Int(clamping: index), histogram: histogram, level: level))
        }
        guard
            let timeline = Timeline(
                shift: seconds.trailingZeroBitCount, intervals: intervals, combination: combination)
        else {
            throw fields.error("intervals", "at most \(Self.intervalLimit) with ascending numbers are expected")
        }
        self = timeline
    }
}

extension Metric {
    var json: JSONValue {
        [
            "name": .string(self.name), "kind": .string(self.kind.rawValue), "unit": .string(self.unit.rawValue),
            "combination": .string(self.combination.rawValue),
        ]
    }

    init(_ fields: ResultFields) throws(LoadResultError) {
        self.init(
            try fields.string("name"), try fields.word("kind", MetricKind.self),
            unit: try fields.word("unit", MetricUnit.self),
            combination: try fields.word("combination", GaugeCombination.self))
    }
}
