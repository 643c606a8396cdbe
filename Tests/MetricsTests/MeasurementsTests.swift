import Machines
import Testing

@testable import Metrics

@Suite("Measurements")
struct MeasurementsTests {
    @Test("Trends come in the order that is asked for and then by name, series below their metrics")
    func order() throws {
        var measured = Measurements()
        for (name, kind) in [("b", MetricKind.trend), ("users", .gauge), ("z", .trend), ("a", .trend)] {
            for value in ["2", "1"] { _ = try measured.series(Metric(name, kind), tags: [Tag("t", value)]) }
        }
        try measured.declare(Metric("never", .trend))
        #expect(measured.trends(leading: ["z", "users", "b", "z"]).map(\.name) == ["z", "b", "a", "never"])
        let groups = measured.seriesByMetric
        #expect(groups.map(\.metric.name) == ["a", "b", "users", "z"])
        #expect(groups.allSatisfy { $0.series.map { $0.tags.map(\.value) } == [["1"], ["2"]] })
    }

    private static let phases = Phases([
        .init("ramp-up", startMicroseconds: 0), .init("steady", startMicroseconds: 2_500_000),
    ])
    private static let delivery = Metric("delivery", .trend, unit: .microseconds)

    @Test("A value counts in its phase, in its second and in the whole")
    func places() throws {
        var measured = Measurements(phases: Self.phases)
        let id = try measured.series(Self.delivery)
        measured.record(id, 100, at: 0)
        measured.record(id, 200, at: 2_499_999)
        measured.record(id, 300, at: 2_500_000)
        measured.record(id, 400, at: 9_000_000)
        measured.record(id, 150, at: 1_000_000)
        #expect(measured.histogram(of: "delivery", phase: "ramp-up").count == 3)
        #expect(measured.histogram(of: "delivery", phase: "steady").minimum == 300)
        #expect(measured.histogram(of: "delivery").sum == 1_150)
        let timeline = measured.timeline(of: "delivery")
        #expect(timeline.intervals.map(\.index) == [0, 1, 2, 9])
        #expect(timeline.intervals.map(\.histogram.count) == [1, 1, 2, 1])
    }

    @Test("A time counts in the phase in which it began, and in the second in which it ended")
    func began() throws {
        var measured = Measurements(phases: Self.phases)
        let id = try measured.series(Self.delivery)
        // The phase of what came before is not that of what comes next, in either direction.
        measured.record(id, 100, at: 4_000_000, began: 2_499_999)
        measured.record(id, 200, at: 4_000_000, began: 2_500_000)
        measured.record(id, 300, at: 4_000_000)
        measured.record(id, 400, at: 5_000_000, began: -7)
        measured.record(id, 500, at: 2_000_000, began: 1_000_000)
        measured.record(id, 600, at: 9_000_000, began: .min)
        #expect(measured.histogram(of: "delivery", phase: "ramp-up").sum == 1_600)
        #expect(measured.histogram(of: "delivery", phase: "steady").sum == 500)
        #expect(measured.timeline(of: "delivery").intervals.map(\.index) == [2, 4, 5, 9])
        #expect(measured.timeline(of: "delivery").intervals.map(\.histogram.count) == [1, 3, 1, 1])
    }

    @Test("Parts merged in any order equal the whole, whatever their lengths", arguments: [50, 899, 900, 2_000, 7_300])
    func merging(seconds: Int) throws {
        var random = RandomSource(seed: UInt64(seconds))
        var whole = Measurements(phases: Self.phases)
        var parts = [Measurements](repeating: Measurements(phases: Self.phases), count: 3)
        for _ in 0..<3_000 {
            let part = Int.random(in: 0..<3, using: &random)
            // The first part ends early, so that its intervals are shorter than those of the others.
            let end = part == 0 ? seconds / 3 : seconds
            let at = Int64.random(in: 0..<Int64(end) * 1_000_000, using: &random)
            let value = Int64.random(in: 0..<100_000, using: &random)
            let metric = Bool.random(using: &random) ? Self.delivery : Metric("bytes", .counter, unit: .bytes)
            let tags = [Tag("role", Bool.random(using: &random) ? "agent" : "visitor")]
            whole.record(try whole.series(metric, tags: tags), value, at: at)
            parts[part].record(try parts[part].series(metric, tags: tags), value, at: at)
        }
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
            var merged = parts[order[0]]
            try merged.merge(parts[order[1]])
            try merged.merge(parts[order[2]])
            #expect(merged == whole)
        }
        var tail = parts[1]
        try tail.merge(parts[2])
        var merged = parts[0]
        try merged.merge(tail)
        #expect(merged == whole)
        #expect(whole.timeline(of: "delivery").intervals.count <= Timeline.intervalLimit)
    }

    @Test("A long run keeps no more intervals than the limit, and loses no value")
    func folding() throws {
        var measured = Measurements()
        let id = try measured.series(Self.delivery)
        for second in 0..<10_000 { measured.record(id, Int64(second), at: Int64(second) * 1_000_000) }
        let timeline = measured.timeline(of: "delivery")
        #expect(timeline.intervalSeconds == 16)
        #expect(timeline.intervals.count == 625)
        #expect(timeline.intervals.reduce(0) { $0 + $1.histogram.count } == 10_000)
    }

    @Test("Levels of gauges add up over workers and hold until they are set again")
    func gauges() throws {
        let users = Metric("users", .gauge)
        var left = Measurements()
        var right = Measurements()
        let mine = try left.series(users)
        let theirs = try right.series(users)
        left.record(mine, 10, at: 0)
        left.record(mine, 30, at: 3_000_000)
        right.record(theirs, 5, at: 1_000_000)
        try left.merge(right)
        #expect(left.timeline(of: "users").intervals.map(\.level) == [10, 15, 35])
    }

    /// Evaluates a threshold at the end of a run: it passes, or its part may be among those that are counted together.
    ///
    /// - Parameter series: As what the part may be counted; nil if it has a figure of its own.
    private static func expect(
        _ threshold: String, of measured: Measurements, passesUnlessLostIn series: String?
    ) throws {
        let view = LoadView(measurements: measured, nowMicroseconds: 1_000_000, isOver: true)
        let verdict = try ThresholdParser.parse(threshold, metrics: measured.metrics, phases: []).evaluate(view).verdict
        guard let series else {
            #expect(verdict == .passed, "\(threshold)")
            return
        }
        guard case .notEvaluated(let reason) = verdict else {
            Issue.record("\(threshold): \(verdict)")
            return
        }
        #expect(reason.contains("may be counted as \(series)"), "\(threshold): \(reason)")
    }

    @Test("Past the limit new tags are counted together, with one warning")
    func limit() throws {
        var measured = Measurements(limits: SeriesLimits(metrics: 3, series: 10))
        for room in 0..<1_000 {
            let id = try measured.series(Self.delivery, tags: [Tag("room", "\(room)")])
            measured.record(id, 1, at: 0)
        }
        #expect(measured.series.count == 11)
        #expect(measured.warning?.contains("10 series") == true)
        #expect(measured.histogram(of: "delivery", tags: [Measurements.otherTag]).count == 990)
        // What a threshold asks for may be among them.
        for (text, isJudged) in [
            ("count(delivery{room=999}) < 1", false), ("count(delivery{room=1}) < 2", false),
            ("count(delivery) > 1", true), ("count(delivery{other=true}) > 1", true),
        ] {
            try Self.expect(text, of: measured, passesUnlessLostIn: isJudged ? nil : "other=true")
        }
        #expect(measured.histogram(of: "delivery").count == 1_000)
    }

    @Test("A part that may be among those that are counted together is not judged, for it has no figure of its own")
    func lostParts() throws {
        let answers = Metric("http_answers", .counter)
        let kinds = Metric("kinds", .counter)
        var measured = Measurements()
        for tag in [Tag("status", "200"), Tag("status", "other")] {
            measured.record(try measured.series(answers, tags: [tag]), 1, at: 0)
        }
        measured.record(try measured.series(kinds, tags: [Tag("kind", "other")]), 1, at: 0)
        for (text, isJudged) in [
            ("count(http_answers{status=503}) == 0", false), ("count(http_answers{status=200}) == 1", true),
            ("count(http_answers{status=other}) == 1", true), ("count(http_answers) == 2", true),
            // The tags of scripts are told apart, whatever they are called.
            ("count(kinds{kind=rare}) == 0", true),
        ] {
            try Self.expect(text, of: measured, passesUnlessLostIn: isJudged ? nil : "status=other")
        }
    }

    @Test("A name stands for one kind of metric, and there is a bound on names")
    func names() throws {
        var measured = Measurements(limits: SeriesLimits(metrics: 2, series: 10))
        try measured.declare(Self.delivery)
        #expect(throws: MetricError.self) { try measured.declare(Metric("delivery", .counter)) }
        try measured.declare(Metric("errors", .rate))
        #expect(throws: MetricError.self) { try measured.declare(Metric("more", .rate)) }
        var other = Measurements()
        _ = try other.series(Metric("delivery", .counter))
        let before = measured
        #expect(throws: MetricError.self) { try measured.merge(other) }
        #expect(measured == before)
    }

    @Test("Tags are the same in any order")
    func tags() throws {
        var measured = Measurements()
        let first = try measured.series(Self.delivery, tags: [Tag("a", "1"), Tag("b", "2")])
        #expect(try measured.series(Self.delivery, tags: [Tag("b", "2"), Tag("a", "1")]) == first)
        #expect(try measured.series(Self.delivery, tags: [Tag("a", "1")]) != first)
    }

    @Test("Times before the start and at the end of all time do not trap")
    func times() throws {
        var measured = Measurements(phases: Self.phases)
        let id = try measured.series(Self.delivery)
        for time in [Int64.min, -1, .max, 0] { measured.record(id, 1, at: time) }
        #expect(measured.histogram(of: "delivery").count == 4)
    }
}
