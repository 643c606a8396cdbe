import JSON
import Testing

@testable import Metrics

@Suite("Outputs for other programs")
struct OutputTests {
    private func snapshot() throws -> LoadSnapshot {
        var measured = Measurements()
        let delivery = try measured.series(
            Metric("delivery.time", .trend, unit: .microseconds), tags: [Tag("ro\"om", "a,\"b\"\n\\")])
        let errors = try measured.series(Metric("errors", .rate))
        let messages = try measured.series(Metric("messages", .counter))
        let users = try measured.series(Metric("users", .gauge))
        for value in 1...4 as ClosedRange<Int64> { measured.record(delivery, value * 1_000, at: value * 500_000) }
        measured.record(errors, isHit: true, at: 0)
        measured.record(errors, isHit: false, at: 0)
        measured.record(messages, 7, at: 0)
        measured.record(users, 30, at: 1_000_000)
        var deliveries = DeliveryAccount()
        deliveries.sent = 3
        deliveries.expected = 3
        deliveries.delivered = 2
        deliveries.lost = 1
        return LoadSnapshot(
            runID: "r1", startMicroseconds: 1_700_000_000_000_000, nowMicroseconds: 3_000_000, measurements: measured,
            deliveries: deliveries, health: HealthVerdict([(.degraded, "late")]))
    }

    @Test("Prometheus gets metrics in base units, with names and labels that it can read")
    func prometheus() throws {
        let expected = """
            # HELP repartee_delivery_time_seconds The metric delivery.time, over the whole run.
            # TYPE repartee_delivery_time_seconds summary
            repartee_delivery_time_seconds{ro_om="a,\\"b\\"\\n\\\\",quantile="0.5"} 0.002
            repartee_delivery_time_seconds{ro_om="a,\\"b\\"\\n\\\\",quantile="0.9"} 0.004
            repartee_delivery_time_seconds{ro_om="a,\\"b\\"\\n\\\\",quantile="0.95"} 0.004
            repartee_delivery_time_seconds{ro_om="a,\\"b\\"\\n\\\\",quantile="0.99"} 0.004
            repartee_delivery_time_seconds{ro_om="a,\\"b\\"\\n\\\\",quantile="0.999"} 0.004
            repartee_delivery_time_seconds_sum{ro_om="a,\\"b\\"\\n\\\\"} 0.01
            repartee_delivery_time_seconds_count{ro_om="a,\\"b\\"\\n\\\\"} 4
            # HELP repartee_errors_total Cases in which errors was true.
            # TYPE repartee_errors_total counter
            repartee_errors_total 1
            # HELP repartee_errors_cases_total All cases in which errors was looked at.
            # TYPE repartee_errors_cases_total counter
            repartee_errors_cases_total 2
            # HELP repartee_messages_total The metric messages, since the start of the run.
            # TYPE repartee_messages_total counter
            repartee_messages_total 7
            # HELP repartee_users The metric users as it was last.
            # TYPE repartee_users gauge
            repartee_users 30
            # HELP repartee_deliveries_total Deliveries of messages by what became of them.
            # TYPE repartee_deliveries_total counter
            repartee_deliveries_total{outcome="delivered"} 2
            repartee_deliveries_total{outcome="lost"} 1
            repartee_deliveries_total{outcome="duplicated"} 0
            repartee_deliveries_total{outcome="reordered"} 0
            repartee_deliveries_total{outcome="misdelivered"} 0
            repartee_deliveries_total{outcome="unexpected"} 0
            repartee_deliveries_total{outcome="foreign"} 0
            # HELP repartee_deliveries_expected_total Deliveries that the messages sent so far were to become.
            # TYPE repartee_deliveries_expected_total counter
            repartee_deliveries_expected_total 3
            # HELP repartee_generator_state 1 for how far figures can be trusted as to the load generator.
            # TYPE repartee_generator_state gauge
            repartee_generator_state{state="valid"} 0
            repartee_generator_state{state="degraded"} 1
            repartee_generator_state{state="invalid"} 0

            """
        #expect(PrometheusOutput(try self.snapshot()).text == expected)
    }

    @Test("No name comes twice in a text for Prometheus, whatever scripts call their metrics and tags")
    func uniqueNames() throws {
        var measured = Measurements()
        let metrics = [
            Metric("deliveries", .counter), Metric("deliveries_expected", .counter), Metric("generator_state", .gauge),
            Metric("x", .rate), Metric("x_cases", .counter), Metric("x.cases", .counter), Metric("y", .trend),
            Metric("y_sum", .gauge), Metric("a\r\nb", .gauge), Metric("", .gauge), Metric("_", .gauge),
        ]
        let tags = [Tag("a b", "1"), Tag("a_b", "2"), Tag("quantile", "3"), Tag("__name__", "4"), Tag("é", "5")]
        for metric in metrics { measured.record(try measured.series(metric, tags: tags), 1, at: 0) }
        let snapshot = LoadSnapshot(
            runID: "r", startMicroseconds: 0, nowMicroseconds: 1, measurements: measured,
            deliveries: DeliveryAccount(), health: HealthVerdict([]))
        let lines = PrometheusOutput(snapshot).text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        var families: Set<Substring> = []
        var samples: Set<Substring> = []
        for line in lines {
            if line.hasPrefix("# TYPE ") {
                #expect(families.insert(line.split(separator: " ")[2]).inserted, "\(line)")
            } else if !line.hasPrefix("# HELP ") {
                #expect(line.contains(#/^[a-zA-Z_][a-zA-Z0-9_]*(\{.*\})? [0-9.NaN]+$/#), "\(line)")
                #expect(samples.insert(line.split(separator: " ")[0]).inserted, "\(line)")
                let labels = line.matches(of: #/([a-zA-Z_][a-zA-Z0-9_]*)="/#).map(\.output.1)
                #expect(Set(labels).count == labels.count, "\(line)")
                #expect(!labels.contains { $0.hasPrefix("__") })
            }
        }
        #expect(families.count == 15)
        let body = try JSONReader.read(OpenTelemetryOutput(snapshot).body)
        let scope = body["resourceMetrics"]?.array?.first?["scopeMetrics"]?.array?.first
        let names = try #require(scope?["metrics"]?.array).compactMap { $0["name"]?.string }
        #expect(Set(names).count == names.count)
    }

    @Test("Figures that no number of 64 bits holds, which results of others may have, are the nearest that one does")
    func hugeFigures() throws {
        var measured = Measurements()
        let gauge = Metric("g", .gauge, unit: .bytes)
        measured.record(try measured.series(gauge), number: 1e300, at: 0)
        let snapshot = LoadSnapshot(
            runID: "r", startMicroseconds: 0, nowMicroseconds: 1, measurements: measured,
            deliveries: DeliveryAccount(), health: HealthVerdict([]))
        let text = String(decoding: OpenTelemetryOutput(snapshot).body, as: UTF8.self)
        #expect(text.contains("\"asInt\":\"9223372036854775807\""), "\(text)")
    }

    @Test("Tags that Prometheus would take for the same ones stay apart, and lose nothing")
    func alikeTags() throws {
        var measured = Measurements()
        let tags = [
            [Tag("a-b", "x")], [Tag("a_b", "x")], [Tag("a.b", "x")], [Tag("a-b", "x"), Tag("a_b", "x")],
            [Tag("a_b", "")], [], [Tag("quantile", "x")], [Tag("tag_quantile", "x")], [Tag("__b", "x")],
            [Tag("tag__b", "x")],
        ]
        for metric in [Metric("c", .counter), Metric("g", .gauge), Metric("r", .rate), Metric("t", .trend)] {
            for (place, tags) in tags.enumerated() {
                measured.record(try measured.series(metric, tags: tags), Int64(place) + 1, at: 0)
            }
        }
        let snapshot = LoadSnapshot(
            runID: "r", startMicroseconds: 0, nowMicroseconds: 1, measurements: measured,
            deliveries: DeliveryAccount(), health: HealthVerdict([]))
        let lines = PrometheusOutput(snapshot).text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let samples = lines.map { $0[..<($0.lastIndex(of: " ") ?? $0.endIndex)] }
        #expect(Set(samples).count == samples.count)
        // A label without a value is none.
        #expect(!lines.contains { $0.contains("=\"\"") })
        let counters = lines.filter { $0.hasPrefix("repartee_c_total") }
        #expect(
            counters.compactMap { $0.split(separator: " ").last }.compactMap { Int($0) }.sorted() == Array(1...10))
        #expect(counters.contains("repartee_c_total{a_b=\"x\"} 2"))
        #expect(counters.contains("repartee_c_total{tag_a_b=\"x\"} 1"))
        #expect(counters.contains("repartee_c_total{tag_quantile=\"x\"} 8"))
    }

    @Test("Tables quote what would break them")
    func csv() throws {
        let output = CSVOutput(try self.snapshot())
        let totals = output.totals.split(separator: "\r\n" as Character)
        #expect(totals[0] == "metric,tags,kind,unit,count,sum,min,mean,p50,p90,p95,p99,p99.9,max")
        #expect(
            totals[1] == "delivery.time,\"ro\"\"om=a,\"\"b\"\"\n\\\",trend,microseconds,4,10000,1000,2500,2000,4000,"
                + "4000,4000,4000,4000")
        let intervals = output.intervals.split(separator: "\r\n" as Character)
        #expect(intervals[1].hasPrefix("0,1,delivery.time,"))
        #expect(intervals.map(String.init).contains("1,1,users,,gauge,count,1,30,30,30,30,30,30"))
    }

    @Test("A quotation mark ends no value of a tag, whatever mark combines with it")
    func combinedQuote() throws {
        var measured = Measurements()
        measured.record(
            try measured.series(Metric("c", .counter), tags: [Tag("t", "a\"\u{301}\\\u{301}\r\n")]), 1, at: 0)
        let snapshot = LoadSnapshot(
            runID: "r", startMicroseconds: 0, nowMicroseconds: 1, measurements: measured,
            deliveries: DeliveryAccount(), health: HealthVerdict([]))
        let samples = Array("repartee_c_total{t=\"a\\\"\u{301}\\\\\u{301}\\n\"} 1\n".utf8)
        #expect(Array(PrometheusOutput(snapshot).text.utf8).contains(samples))
        let row = Array("\r\nc,\"t=a\"\"\u{301}\\\u{301}\r\n\",counter,".utf8)
        #expect(Array(CSVOutput(snapshot).totals.utf8).contains(row))
    }

    @Test("The count of a counter is how much it grew, and none where it did not")
    func counters() throws {
        var measured = Measurements()
        let errors = try measured.series(Metric("errors", .counter))
        let cost = try measured.series(Metric("cost", .counter, unit: .number))
        let never = try measured.series(Metric("never", .counter))
        for series in [errors, never] { measured.record(series, 0, at: 0) }
        measured.record(errors, 40, at: 0)
        measured.record(errors, 2, at: 1_000_000)
        measured.record(cost, number: 0.25, at: 0)
        measured.record(cost, number: 0.5, at: 0)
        let snapshot = LoadSnapshot(
            runID: "r", startMicroseconds: 0, nowMicroseconds: 2_000_000, measurements: measured,
            deliveries: DeliveryAccount(), health: HealthVerdict([]))
        let rows = CSVOutput(snapshot).intervals.split(separator: "\r\n" as Character).map(String.init)
        for row in [
            "0,1,errors,,counter,count,40,40,,,,,", "1,1,errors,,counter,count,2,2,,,,,",
            "0,1,never,,counter,count,0,0,,,,,", "0,1,cost,,counter,number,0.75,0.75,,,,,",
        ] { #expect(rows.contains(row), "\(rows)") }
        #expect(CSVOutput(snapshot).totals.contains("errors,,counter,count,42,42,,,,,,,,\r\n"))
        let lines = try JSONLinesOutput(snapshot).text.split(separator: 0x0A).map { try JSONReader.read($0) }
        let totals = lines.filter { $0["type"] == "total" }
        #expect(totals.map { $0["count"] } == totals.map { $0["sum"] } && totals.count == 3)
        #expect(totals.first { $0["metric"] == "errors" }?["count"] == 42)
        #expect(totals.allSatisfy { $0["min"] == nil && $0["p50"] == nil && $0["max"] == nil })
        #expect(String(decoding: JSONLinesOutput(snapshot).text, as: UTF8.self).contains("\"count\":42,"))
    }

    @Test("Each line of JSON stands by itself")
    func lines() throws {
        let text = JSONLinesOutput(try self.snapshot()).text
        let lines = try text.split(separator: 0x0A).map { try JSONReader.read($0) }
        #expect(lines.count == 12)
        #expect(lines[0]["type"] == "interval")
        #expect(lines[0]["tags"] == ["ro\"om": "a,\"b\"\n\\"])
        #expect(lines[3]["type"] == "total")
        #expect(lines[3]["p50"] == 2_000)
        #expect(lines[10]["lost"] == 1)
        #expect(lines[11] == ["type": "generator", "verdict": "degraded", "reasons": ["late"]])
    }

    @Test("OpenTelemetry gets all metrics, integers of 64 bits as texts")
    func openTelemetry() throws {
        let body = try JSONReader.read(OpenTelemetryOutput(try self.snapshot()).body)
        let metrics = try #require(body["resourceMetrics"]?[0]?["scopeMetrics"]?[0]?["metrics"]?.array)
        #expect(
            metrics.compactMap { $0["name"]?.string } == [
                "repartee.delivery.time", "repartee.errors", "repartee.errors.cases", "repartee.messages",
                "repartee.users", "repartee.deliveries",
            ])
        let point = try #require(metrics[0]["exponentialHistogram"]?["dataPoints"]?[0])
        #expect(point["count"] == "4")
        #expect(point["startTimeUnixNano"] == "1700000000000000000")
        #expect(point["timeUnixNano"] == "1700000003000000000")
        let counts = try #require(point["positive"]?["bucketCounts"]?.array)
        #expect(counts.count <= 160)
        #expect(counts.filter { $0 != "0" }.count == 4)
    }

    @Test("Exponential buckets hold what lies above their lower bound", arguments: [-3, -1, 0, 1, 4, 9])
    func buckets(scale: Int) {
        for value in [1, 2, 3, 4, 5, 7, 8, 9, 1_000, 1_024, 1_025, 123_456_789, 0.5, 0.3, 1e-6] as [Double] {
            let bucket = ExponentialHistogram.bucket(value, scale)
            func bound(_ bucket: Int) -> Double {
                var bound = 1.0
                var factor = 2.0
                for _ in 0..<max(0, scale) { factor = factor.squareRoot() }
                for _ in 0..<max(0, -scale) { factor *= factor }
                for _ in 0..<abs(bucket) { bound *= factor }
                return bucket < 0 ? 1 / bound : bound
            }
            #expect(bound(bucket) < value * (1 + 1e-9))
            #expect(bound(bucket + 1) >= value * (1 - 1e-9))
        }
    }

    @Test("No value is lost in exponential buckets, and none are made of an empty histogram")
    func exponential() {
        var histogram = Histogram()
        for value in spreadValues(5_000, seed: 3) { histogram.record(value) }
        let buckets = ExponentialHistogram(histogram)
        #expect(buckets.counts.reduce(0, +) + buckets.zeroCount == 5_000)
        #expect(buckets.counts.count <= 160)
        #expect(buckets.counts.count > 80)
        #expect(ExponentialHistogram(Histogram()).counts.isEmpty)
        var zeros = Histogram()
        zeros.record(0, count: 3)
        #expect(ExponentialHistogram(zeros).zeroCount == 3)
    }

    @Test("The log holds each interval and the whole run")
    func log() throws {
        let log = HistogramLogOutput(try self.snapshot()).log
        #expect(log.intervals.count == 4)
        #expect(log.intervals.last?.tag?.hasSuffix(";total") == true)
        #expect(log.intervals.last?.histogram.count == 4)
        #expect(try HistogramLog(log.text).intervals.count == 4)
    }
}
