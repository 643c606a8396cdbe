import JSON
import Testing

@testable import Metrics

@Suite("Figures that scripts measure")
struct NumberFigureTests {
    /// Known data of each kind, and what each function makes of them.
    private static let orders = [3.0, 1, 0.5, 2.25, 3.25]
    private static let scores = [-5.0, -0.25, 0, 2, 2, 7.5, 1_200]

    private func measured() throws -> Measurements {
        var measured = Measurements()
        let orders = try measured.series(Metric("orders", .counter, unit: .number))
        let depth = try measured.series(Metric("depth", .gauge, unit: .number))
        let score = try measured.series(Metric("score", .trend, unit: .number))
        let hits = try measured.series(Metric("hits", .rate))
        let time = try measured.series(Metric("time", .trend, unit: .microseconds))
        for (second, value) in Self.orders.enumerated() {
            measured.record(orders, number: value, at: Int64(second) * 1_000_000)
        }
        for (second, value) in [4, -2.5, 1.5].enumerated() {
            measured.record(depth, number: value, at: Int64(second) * 1_000_000)
        }
        for (second, value) in Self.scores.enumerated() {
            measured.record(score, number: value, at: Int64(second) * 1_000_000)
        }
        for hit in [true, false, false, true, true] { measured.record(hits, isHit: hit, at: 0) }
        for milliseconds in [10, 20, 30, 40] as [Int64] { measured.record(time, milliseconds * 1_000, at: 0) }
        return measured
    }

    private func snapshot(_ measured: Measurements) -> LoadSnapshot {
        LoadSnapshot(
            runID: "r", startMicroseconds: 0, nowMicroseconds: 10_000_000, measurements: measured,
            deliveries: DeliveryAccount(), health: HealthVerdict([]))
    }

    @Test("What is counted stands in the singular where there is one, and thousands are told apart")
    func counted() {
        #expect(NumberText.counted(1, "user") == "1 user")
        #expect(NumberText.counted(0, "user") == "0 users")
        #expect(NumberText.counted(Int64(1_204), "delivery", "deliveries") == "1,204 deliveries")
        #expect(NumberText.counted(UInt64.max, "text") == "9,223,372,036,854,775,807 texts")
    }

    @Test(
        "Every function of a threshold gives what was recorded",
        arguments: [
            ("count(orders)", "10"), ("sum(orders)", "10"), ("rate(orders)", "1"),
            ("min(depth)", "-2.5"), ("max(depth)", "4"), ("mean(depth)", "1"), ("last(depth)", "1.5"),
            ("min(score)", "-5"), ("max(score)", "1200"), ("mean(score)", "172.321428571428"), ("count(score)", "7"),
            ("sum(score)", "1206.25"), ("rate(score)", "0.7"), ("p0(score)", "-5"), ("p15(score)", "-0.25"),
            ("p40(score)", "0"), ("median(score)", "2"), ("p80(score)", "7.5"), ("p99(score)", "1200"),
            ("rate(hits)", "0.6"), ("count(hits)", "3"),
            ("min(time)", "10ms"), ("max(time)", "40ms"), ("mean(time)", "25ms"), ("count(time)", "4"),
            ("sum(time)", "100ms"), ("rate(time)", "0.4"),
        ])
    func thresholds(figure: String, value: String) throws {
        let measured = try self.measured()
        for file in [measured, try self.read(measured)] {
            let view = LoadView(measurements: file, nowMicroseconds: 10_000_000, isOver: true)
            func verdict(_ text: String) throws -> ThresholdOutcome {
                let (thresholds, errors) = Threshold.parse([text], metrics: file.metrics, phases: file.phases.names)
                #expect(errors.isEmpty, "\(errors)")
                return try #require(thresholds.first).evaluate(view)
            }
            if figure == "mean(score)" {
                #expect(try verdict("\(figure) > 172.3214").verdict == .passed)
                #expect(try verdict("\(figure) < 172.3215").verdict == .passed)
            } else {
                let outcome = try verdict("\(figure) == \(value)")
                #expect(outcome.verdict == .passed, "\(outcome.line)")
                #expect(try verdict("\(figure) != \(value)").verdict == .failed)
            }
        }
    }

    private func read(_ measured: Measurements) throws -> Measurements {
        let result = try LoadResult(
            identity: RunIdentity(runID: "r", seed: 1, planHash: "p", title: "t"), index: 1,
            ShardResult(
                durationMicroseconds: 10_000_000, measurements: measured, ledger: Ledger(run: 1),
                health: GeneratorHealth()))
        let read = try LoadResult(result.text)
        #expect(read == result)
        return try read.totals().measurements
    }

    @Test("Every output has what was recorded")
    func outputs() throws {
        for measured in [try self.measured(), try self.read(try self.measured())] {
            let snapshot = self.snapshot(measured)
            let prometheus = PrometheusOutput(snapshot).text
            for line in [
                "repartee_orders_total 10\n", "repartee_depth 1.5\n", "repartee_score_sum 1206.25\n",
                "repartee_score_count 7\n", "repartee_score{quantile=\"0.5\"} 2\n",
                "repartee_score{quantile=\"0.99\"} 1200\n", "repartee_hits_total 3\n", "repartee_hits_cases_total 5\n",
                "repartee_time_seconds_sum 0.1\n",
            ] {
                #expect(prometheus.contains("\n" + line), "\(line)")
            }
            let totals = CSVOutput(snapshot).totals
            for row in [
                "depth,,gauge,number,3,3,-2.5,1,", "orders,,counter,number,10,10,,,",
                "score,,trend,number,7,1206.25,-5,", "time,,trend,microseconds,4,100000,10000,25000,",
            ] {
                #expect(totals.contains("\r\n" + row), "\(row)\n\(totals)")
            }
            let intervals = CSVOutput(snapshot).intervals
            #expect(
                intervals.contains("\r\n1,1,depth,,gauge,number,1,-2.5,-2.5,-2.5,-2.5,-2.5,-2.5\r\n"), "\(intervals)")
            #expect(intervals.contains("\r\n0,1,score,,trend,number,1,-5,-5,-5,-5,-5,\r\n"))
            let lines = try String(decoding: JSONLinesOutput(snapshot).text, as: UTF8.self).split(separator: "\n")
                .map { try JSONReader.read(String($0)) }
            let score = try #require(lines.first { $0["metric"] == "score" && $0["type"] == "total" })
            #expect(score["unit"] == "number")
            #expect(score["sum"]?.double == 1_206.25)
            #expect(score["min"] == -5)
            #expect(score["p50"] == 2)
            #expect(score["max"] == 1_200)
            let otlp = String(decoding: OpenTelemetryOutput(snapshot).body, as: UTF8.self)
            let compact = otlp.replacing(" ", with: "")
            #expect(compact.contains("\"asDouble\":10"), "\(compact)")
            #expect(compact.contains("\"asDouble\":1.5"))
            #expect(compact.contains("\"sum\":1206.25"))
            #expect(compact.contains("\"min\":-5"))
            #expect(compact.contains("\"negative\":{"))
            #expect(!compact.contains("10*-3"))
        }
    }

    @Test("Sums are exact, and numbers of few digits come out as they went in, whatever their size")
    func exact() {
        for value in [0.1, 3, 0.004, 12.5, 99, 640, 1e6, 250_000, 7e8] {
            var histogram = Histogram()
            for _ in 0..<10 { histogram.record(number: value) }
            histogram.record(number: -value)
            histogram.record(number: value * 2)
            #expect(histogram.figure(atPercentile: 50) == value)
            #expect(histogram.leastFigure == -value)
            #expect(histogram.greatestFigure == value * 2)
            #expect(abs(histogram.total - value * 11) <= value * 11e-16)
        }
        var tenths = Histogram()
        for _ in 0..<10 { tenths.record(number: 0.1) }
        #expect(tenths.total == 1)
        var large = Histogram()
        for value in [1e12, 4e15, -3e14] { large.record(number: value) }
        #expect(large.total == 4e15 + 1e12 - 3e14)
        #expect(large.greatestFigure == 4e15)
        #expect(large.leastFigure == -3e14)
    }

    @Test("What shards measured adds up to what one run would have")
    func merging() throws {
        var whole = Histogram()
        var parts = [Histogram(), Histogram()]
        for (place, value) in (Self.scores + Self.orders).enumerated() {
            whole.record(number: value)
            parts[place % 2].record(number: value)
        }
        parts[0].merge(parts[1])
        #expect(parts[0] == whole)
    }

    @Test(
        "A figure that is no number breaks no bound and keeps none",
        arguments: ["mean(depth) < 1", "sum(score) > 1", "sum(score) > 1 every 1s window"])
    func boundless(text: String) throws {
        var measured = Measurements()
        let depth = try measured.series(Metric("depth", .gauge, unit: .number))
        let score = try measured.series(Metric("score", .trend, unit: .number))
        for second in 0..<3 {
            measured.record(depth, number: -1e308, at: Int64(second) * 1_000_000)
            for _ in 0..<2 { measured.record(score, number: 1e308, at: Int64(second) * 1_000_000) }
        }
        let threshold = try ThresholdParser.parse(text, metrics: measured.metrics, phases: [])
        let outcome = threshold.evaluate(LoadView(measurements: measured, nowMicroseconds: 3_000_000, isOver: true))
        #expect(
            outcome.verdict
                == .notEvaluated("its figure is too large for a number; measure in a larger unit"))
    }

    @Test("A damaged file is refused")
    func damaged() throws {
        let text = String(
            decoding: try LoadResult(
                identity: RunIdentity(runID: "r", seed: 1, planHash: "p", title: "t"), index: 1,
                ShardResult(
                    durationMicroseconds: 1, measurements: try self.measured(), ledger: Ledger(run: 1),
                    health: GeneratorHealth())
            ).text, as: UTF8.self)
        for (good, bad) in [
            ("\"min\":-5,", "\"min\":5,"), ("\"min\":-5,", "\"min\":\"x\","), ("\"max\":1200,", "\"max\":-9,"),
        ] {
            #expect(text.contains(good), "\(good)")
            #expect(throws: LoadResultError.self) { try LoadResult(Array(text.replacing(good, with: bad).utf8)) }
        }
    }

    @Test(
        "Against a baseline below zero what has grown is above it",
        arguments: [
            ("mean(score) vs baseline < +10%", false), ("mean(score) vs baseline > +50%", true),
            ("max(depth) vs baseline <= 0%", false), ("min(depth) vs baseline > -10%", true),
        ])
    func negativeBaseline(text: String, holds: Bool) throws {
        func measured(_ value: Double) throws -> Measurements {
            var measured = Measurements()
            let score = try measured.series(Metric("score", .trend, unit: .number))
            let depth = try measured.series(Metric("depth", .gauge, unit: .number, combination: .latest))
            measured.record(score, number: value, at: 0)
            measured.record(depth, number: value, at: 0)
            return measured
        }
        let now = try measured(5)
        let threshold = try ThresholdParser.parse(text, metrics: now.metrics, phases: [])
        let outcome = threshold.evaluate(
            LoadView(
                measurements: now, nowMicroseconds: 1_000_000, isOver: true, baseline: try measured(-5),
                baselineMicroseconds: 1_000_000))
        #expect(outcome.verdict == (holds ? .passed : .failed), "\(outcome.line)")
    }

    @Test(
        "The greatest and the least level of a gauge are those that it had, also where they passed within a second",
        arguments: [
            ("max(depth) < 50", false), ("max(depth) == 100", true), ("min(depth) > -1", false),
            ("max(depth) < 50 every 1s window", false), ("min(depth) == -3 over last 1s", true),
            ("last(depth) == 5", true), ("mean(depth) == 5", true),
        ])
    func passingLevels(text: String, holds: Bool) throws {
        var measured = Measurements()
        let depth = try measured.series(Metric("depth", .gauge, unit: .number, combination: .latest))
        for (place, level) in [5.0, 100, -3, 5].enumerated() {
            measured.record(depth, number: level, at: Int64(place) * 100_000)
        }
        for file in [measured, try self.read(measured)] {
            let threshold = try ThresholdParser.parse(text, metrics: file.metrics, phases: [])
            let outcome = threshold.evaluate(LoadView(measurements: file, nowMicroseconds: 1_000_000, isOver: true))
            #expect(outcome.verdict == (holds ? .passed : .failed), "\(outcome.line)")
        }
    }
}
