import Machines
import Testing

@testable import Metrics

@Suite("Thresholds")
struct ThresholdTests {
    private static let metrics = [
        Metric("delivery", .trend, unit: .microseconds), Metric("errors", .rate), Metric("messages", .counter),
        Metric("users", .gauge), Metric("answer_size", .trend, unit: .bytes),
    ]
    private static let phases = Phases([
        .init("ramp-up", startMicroseconds: 0), .init("steady", startMicroseconds: 20_000_000),
        .init("ramp-down", startMicroseconds: 40_000_000),
    ])

    private func threshold(_ text: String) throws -> Threshold {
        try ThresholdParser.parse(text, metrics: Self.metrics, phases: Self.phases.names)
    }

    /// A run of a minute: 10 ms for each delivery, but 500 ms in the last five seconds; errors in the 30th second.
    private func measured(slowFrom: Int = 55, scale: Int64 = 1) throws -> Measurements {
        var measured = Measurements(phases: Self.phases)
        for metric in Self.metrics { try measured.declare(metric) }
        let delivery = try measured.series(Self.metrics[0], tags: [Tag("role", "agent")])
        let errors = try measured.series(Self.metrics[1])
        let messages = try measured.series(Self.metrics[2])
        let users = try measured.series(Self.metrics[3])
        for second in 0..<60 {
            for part in 0..<10 {
                let at = Int64(second) * 1_000_000 + Int64(part) * 100_000
                measured.record(delivery, (second >= slowFrom ? 500_000 : 10_000) * scale, at: at)
                measured.record(errors, isHit: second == 30 && part < 5, at: at)
                measured.record(messages, 2, at: at)
            }
            measured.record(users, Int64(second), at: Int64(second) * 1_000_000)
        }
        return measured
    }

    private func outcome(_ text: String, isOver: Bool = true, now: Int64 = 60_000_000) throws -> ThresholdOutcome {
        try self.threshold(text).evaluate(
            LoadView(measurements: try self.measured(), nowMicroseconds: now, isOver: isOver))
    }

    @Test(
        "A counter is not 0 for a misspelt tag, nor in a phase that never began",
        arguments: [
            (
                "count(delivery{rloe=agent}) < 1", 60,
                "no sample of \"delivery\" has a tag \"rloe\"; did you mean \"role\"?"
            ),
            ("count(messages) < 1 during \"ramp-down\"", 30, "its phase never began: the run was over before"),
        ])
    func vacuous(text: String, seconds: Int64, reason: String) throws {
        #expect(try self.outcome(text, now: seconds * 1_000_000).verdict == .notEvaluated(reason))
        // Another value of a tag, or a tag of what went wrong, may not have happened.
        #expect(try self.outcome("count(delivery{role=bot}) < 1").verdict == .passed)
        #expect(try self.outcome("count(delivery{reason=timeout}) < 1").verdict == .passed)
    }

    @Test(
        "A value of a tag that is misspelt is not counted as 0, and one that may not have happened is",
        arguments: [
            ("count(orders{topic=boks}) < 100", "books"), ("count(orders{topic=boosk}) == 0", "books"),
            ("sum(orders{topic=\"Books\"}) < 1", "books"), ("rate(orders{topic=bookss}) < 1", "books"),
            ("count(orders{topic=books}) == 7", nil), ("count(orders{topic=music}) == 0", nil),
            ("count(orders{topic=boots}) == 7", nil), ("count(orders{room=room2}) == 0", nil),
            ("count(orders{role=byer}) == 0", nil), ("count(orders{topic=ab}) == 0", nil),
        ] as [(String, String?)])
    func misspeltValue(text: String, meant: String?) throws {
        var measured = Measurements()
        let orders = Metric("orders", .counter)
        for (topic, count) in [("books", 7), ("boots", 7), ("toys", 1), ("abc", 2)] as [(String, Int64)] {
            let tags = [Tag("topic", topic), Tag("room", "room1"), Tag("role", "buyer")]
            measured.record(try measured.series(orders, tags: tags), count, at: 0)
        }
        // The boots are one character away from the books, and both are there.
        let threshold = try ThresholdParser.parse(text, metrics: [orders], phases: [])
        let outcome = threshold.evaluate(LoadView(measurements: measured, nowMicroseconds: 1_000_000, isOver: true))
        if let meant {
            #expect(outcome.line.contains("; did you mean \"\(meant)\"?"), "\(outcome.line)")
            #expect(outcome.verdict != .passed && outcome.verdict != .failed)
        } else {
            #expect(outcome.verdict == .passed, "\(outcome.line)")
        }
        let early = LoadView(measurements: measured, nowMicroseconds: 1_000_000, isOver: false)
        #expect(!threshold.evaluate(early).line.contains("did you mean"))
    }

    @Test("A value that a script has counted 0 of is no slip")
    func zeroValue() throws {
        var measured = Measurements()
        let orders = Metric("orders", .counter)
        measured.record(try measured.series(orders, tags: [Tag("topic", "books")]), 7, at: 0)
        measured.record(try measured.series(orders, tags: [Tag("topic", "boots")]), 0, at: 0)
        let threshold = try ThresholdParser.parse("count(orders{topic=boots}) == 0", metrics: [orders], phases: [])
        let view = LoadView(measurements: measured, nowMicroseconds: 1_000_000, isOver: true)
        #expect(threshold.evaluate(view).verdict == .passed)
    }

    @Test(
        "Thresholds pass and fail on the figure they name",
        arguments: [
            ("p50(delivery) < 20ms", true), ("p99(delivery) < 200ms", false), ("max(delivery) <= 0.5s", true),
            ("min(delivery) >= 10ms", true), ("mean(delivery) < 51ms", true), ("mean(delivery) < 50ms", false),
            ("median(delivery) < 20ms", true), ("count(delivery) == 600", true), ("count(delivery) < 600", false),
            ("count(delivery) > 600", false), ("rate(errors) < 1%", true),
            ("rate(errors) < 0.5%", false), ("rate(errors) < 0.01", true), ("count(errors) == 5", true),
            ("rate(messages) > 19/s", true), ("rate(messages) == 20", true), ("count(messages) != 1200", false),
            ("max(users) < 60", true), ("last(users) == 59", true), ("mean(users) < 29", false),
            ("p90(delivery{role=agent}) < 20ms", true), ("p99(delivery) < 20ms during \"steady\"", true),
            ("p99(delivery) < 20ms during steady", true), ("p99(delivery) < 20ms during \"ramp-down\"", false),
            ("p99(delivery) < 200ms over last 30s", false), ("p50(delivery) < 20ms over last 5s", false),
            ("p50(delivery) < 20ms over last 12s", true), ("rate(errors) < 10% every 10s window", true),
            ("rate(errors) < 10% every 2s window", false), ("rate(errors) < 10% every 2s window during steady", false),
            ("rate(errors) == 0% every 2s window during ramp-up", true),
            ("rate(messages) >= 20/s every 7s window", true),
            ("rate(delivery) > 9/s during steady", true),
        ])
    func judged(text: String, passes: Bool) throws {
        #expect(try self.outcome(text).verdict == (passes ? .passed : .failed))
    }

    @Test("A failed window is told with its time and value")
    func offending() throws {
        let outcome = try self.outcome("rate(errors) < 10% every 2s window")
        #expect(outcome.offending == [ThresholdOutcome.Window(span: 30_000_000..<32_000_000, value: 0.25)])
        #expect(
            outcome.line
                == "rate(errors) < 10% every 2s window: failed from 30s to 32s with 25%; 1 of 30 windows, the worst with 25%"
        )
        #expect(try self.outcome("p99(delivery) < 200ms").line == "p99(delivery) < 200ms: failed with 500ms")
    }

    @Test(
        "Windows without samples are told, whether the others kept the bound or not",
        arguments: [
            ("max(delivery) < 1s every 1s window", "passed with 10ms, 4 of 11 windows measured nothing"),
            (
                "max(delivery) < 1ms every 1s window",
                "failed from 0s to 1s with 10ms; 7 of 7 windows, the worst with 10ms; "
                    + "4 of 11 windows measured nothing"
            ),
            ("max(delivery) < 1s every 5s window", "passed with 10ms"),
            // How many there are is known of windows without any, too.
            ("count(delivery) < 5 every 1s window", "passed with 1"),
        ])
    func emptyWindows(text: String, outcome: String) throws {
        var measured = Measurements()
        let delivery = try measured.series(Self.metrics[0])
        for second in [0, 1, 2, 7, 8, 9, 10] as [Int64] { measured.record(delivery, 10_000, at: second * 1_000_000) }
        // Half a second at the end is no window in which something was to come.
        let view = LoadView(measurements: measured, nowMicroseconds: 11_500_000, isOver: true)
        #expect(try self.threshold(text).evaluate(view).line == "\(text): \(outcome)")
    }

    @Test("A crash in the last seconds breaks windows although the whole run looks well")
    func lateCrash() throws {
        #expect(try self.outcome("p90(delivery) < 20ms").verdict == .passed)
        #expect(try self.outcome("p90(delivery) < 20ms every 7s window").verdict == .failed)
    }

    @Test(
        "What was never measured is neither passed nor failed",
        arguments: [
            ("p99(answer_size) < 1kB", "there are no samples"),
            ("p99(delivery{role=visitor}) < 1s", "no sample of \"delivery\" has role=\"visitor\"; there are agent"),
            ("p99(delivery) vs baseline < +5%", "no baseline was given"),
            (
                "count(lost) == 0",
                "no message was counted: texts are not followed (--no-ledger, ledger = false), or none was sent that "
                    + "another actor of the run is to get. A command of a system in Lua says sends = \"text\", a "
                    + "websocket or http actor has the option ledger; of a bot on the other side of the connection judge "
                    + "the answers, as in p95(first_response) < 2s"
            ),
            ("p99(answer_size) < 1kB every 5s window", "there is no window with samples"),
        ])
    func nothing(text: String, reason: String) throws {
        let outcome = try self.outcome(text)
        #expect(outcome.verdict == .notEvaluated(reason))
        #expect(outcome.line == "\(text): not evaluated, \(reason)")
    }

    @Test("The ledger is judged by the names of its figures")
    func ledger() throws {
        var deliveries = DeliveryAccount()
        deliveries.expected = 10
        deliveries.delivered = 8
        deliveries.lost = 2
        let view = LoadView(
            measurements: Measurements(), deliveries: deliveries, nowMicroseconds: 1, isOver: true)
        let outcome = try self.threshold("count(lost) == 0").evaluate(view)
        #expect(outcome.line == "count(lost) == 0: failed with 2")
        #expect(try self.threshold("count(duplicated) == 0").evaluate(view).verdict == .passed)
    }

    @Test("A baseline is compared by the relative change")
    func baseline() throws {
        func judged(_ text: String, scale: Int64) throws -> ThresholdOutcome {
            try self.threshold(text).evaluate(
                LoadView(
                    measurements: try self.measured(scale: scale), nowMicroseconds: 60_000_000, isOver: true,
                    baseline: try self.measured(), baselineMicroseconds: 60_000_000))
        }
        #expect(try judged("p99(delivery) vs baseline < +5%", scale: 1).verdict == .passed)
        let outcome = try judged("p99(delivery) vs baseline < +5%", scale: 2)
        #expect(outcome.line == "p99(delivery) vs baseline < +5%: failed with +100%")
        #expect(try judged("mean(delivery) vs baseline < -10% during steady", scale: 1).verdict == .failed)
    }

    @Test("A failure ends the run only when asked to and after its grace")
    func abort() throws {
        let failed = try self.outcome("max(delivery) < 1ms abort after 10s")
        #expect(Threshold.abortReason([failed], nowMicroseconds: 9_999_999) == nil)
        #expect(Threshold.abortReason([failed], nowMicroseconds: 10_000_000) == failed.line)
        #expect(Threshold.abortReason([try self.outcome("max(delivery) < 1ms")], nowMicroseconds: .max) == nil)
        #expect(Threshold.abortReason([try self.outcome("max(delivery) < 9s abort")], nowMicroseconds: .max) == nil)
    }

    @Test("A number that only grows is not judged before it is decided")
    func undecided() throws {
        let undecided = ThresholdOutcome.Verdict.notEvaluated("the run is not over")
        #expect(try self.outcome("count(messages) > 5000", isOver: false).verdict == undecided)
        #expect(try self.outcome("count(messages) == 5000", isOver: false).verdict == undecided)
        #expect(try self.outcome("count(messages) == 7", isOver: false).verdict == .failed)
        #expect(try self.outcome("count(messages) > 5", isOver: false).verdict == .passed)
        #expect(try self.outcome("count(messages) > 5000").verdict == .failed)
        #expect(
            try self.outcome("p99(delivery) < 1s over last 90s", isOver: false).verdict
                == .notEvaluated("the run is younger than the window"))
    }

    @Test(
        "What cannot be meant is refused with the place and a hint",
        arguments: [
            ("p99(delivry) < 1s", 4, "there is no metric \"delivry\"; did you mean \"delivery\"?"),
            ("p99(nonsense) < 1s", 4, "there is no metric \"nonsense\"; there are answer_size, delivered, delivery,"),
            ("p99(delivery) < 200", 16, "the bound is a time with its unit"),
            ("p99(errors) < 1", 0, "\"errors\" is a rate, which has rate and count"),
            ("p101(delivery) < 1s", 0, "a percentile is from p0 to p100"),
            ("p0x63(delivery) < 1s", 0, "there is no function \"p0x63\""),
            ("p1e1(delivery) < 1s", 0, "there is no function \"p1e1\""),
            ("medain(delivery) < 1s", 0, "there is no function \"medain\"; did you mean \"median\"?"),
            ("rate(errors) < 5", 15, "the bound is a share"),
            ("rate(errors) < 5s", 15, "the bound is a share"),
            ("p99(delivery < 1s", 13, "a closing parenthesis is expected"),
            ("p99(delivery) = 1s", 14, "a comparison is expected"),
            ("p99(delivery) < ", 16, "a number is expected"),
            ("p99(delivery) < 1s during \"stedy\"", 26, "there is no phase \"stedy\"; did you mean \"steady\"?"),
            ("p99(delivery) < 1s over 30s", 24, "over is followed by last and a time"),
            ("p99(delivery) < 1s every 10ms window", 25, "a window is at least 1s long"),
            ("p99(delivery) < 1s every 10s", 28, "every is followed by a time and window"),
            ("p99(delivery) < 1s every 10s window over last 5s", 36, "one window only"),
            ("p99(delivery) < 1s soon", 19, "after the bound may come"),
            ("p99(delivery) vs baseline < 5ms", 28, "against a baseline the bound is a change in percent"),
            ("p99(delivery) vs baseline < 5% every 5s window", 0, "a baseline is compared as a whole"),
            ("count(messages) > 100 abort", 0, "such a number is reached only as the run goes on"),
            ("count(lost) == 0 during steady", 17, "the ledger counts the whole run"),
            ("rate(lost) < 100/s", 0, "what became of texts is counted over the whole run and has no rate"),
            ("rate(delivered) > 1", 0, "what became of texts is counted over the whole run and has no rate"),
            ("count(lost) vs baseline < 5%", 6, "what became of texts is not compared with a baseline"),
            ("p99(delivery) < 1s during \"steady", 26, "the closing quotation mark is missing"),
            ("", 0, "a function is expected"),
        ])
    func refused(text: String, column: Int, message: String) {
        let errors = Threshold.parse([text], metrics: Self.metrics, phases: Self.phases.names).errors
        #expect(errors.count == 1)
        #expect(errors.first?.message.hasPrefix(message) == true, "\(errors)")
        #expect(errors.first?.column == column)
    }

    @Test("What is measured has a rate and a baseline, also under the name of a count of the ledger")
    func measuredName() {
        let texts = ["rate(sent) > 1/s", "count(sent) vs baseline < 5%"]
        let read = Threshold.parse(texts, metrics: Self.metrics + [Metric("sent", .counter)], phases: [])
        #expect(read.errors.isEmpty && read.thresholds.count == 2, "\(read.errors)")
        #expect(Threshold.parse(texts, metrics: Self.metrics, phases: []).errors.count == 2)
    }

    @Test(
        "Bytes are judged by their sum and by their speed, with units of sizes",
        arguments: [
            ("sum(data_sent) < 1MB", "passed with 600kB"), ("count(data_sent) < 500kB", "failed with 600kB"),
            ("count(data_sent) == 600000", "passed with 600kB"), ("rate(data_sent) > 9kB/s", "passed with 10kB/s"),
            ("rate(data_sent) < 9999/s", "failed with 10kB/s"), ("rate(data_sent) <= 10000", "passed with 10kB/s"),
            ("rate(data_sent) < 12kB/s every 10s window", "passed with 10kB/s"),
        ])
    func bytes(text: String, outcome: String) throws {
        let metric = Metric("data_sent", .counter, unit: .bytes)
        var measured = Measurements(phases: Self.phases)
        let id = try measured.series(metric)
        for second in 0..<60 as Range<Int64> { measured.record(id, 10_000, at: second * 1_000_000) }
        let threshold = try ThresholdParser.parse(text, metrics: [metric], phases: [])
        let view = LoadView(measurements: measured, nowMicroseconds: 60_000_000, isOver: true)
        #expect(threshold.evaluate(view).line == "\(text): \(outcome)")
    }

    @Test(
        "Bytes are not judged by what is no size",
        arguments: [
            ("rate(data_sent) < 5MB", "the bound is a size per second, such as 5MB/s"),
            ("rate(data_sent) < 5ms/s", "the bound is a size per second, such as 5MB/s"),
            ("rate(data_sent) < 5MB/m", "a speed is per second, as in 5MB/s"),
            ("count(data_sent) < 5MB/s", "the bound is a size, such as 64kB"),
            ("sum(data_sent) < 5s", "the bound is a size, such as 64kB"),
        ])
    func noBytes(text: String, message: String) {
        let metric = Metric("data_sent", .counter, unit: .bytes)
        let errors = Threshold.parse([text], metrics: [metric], phases: []).errors
        #expect(errors.first?.message.hasPrefix(message) == true, "\(errors)")
    }

    @Test("All that is wrong is told at once, and the rest is read")
    func allErrors() {
        let read = Threshold.parse(
            ["p99(delivry) < 1s", "rate(errors) < 1%", "p99(delivery)"], metrics: Self.metrics, phases: [])
        #expect(read.errors.count == 2)
        #expect(read.thresholds.map(\.metric) == ["errors"])
        #expect(read.errors[1].description.hasSuffix("\n    p99(delivery)\n                 ^"))
    }

    @Test(
        "The warm-up is left out of the whole run and its windows, and judged by its name",
        arguments: [
            ("max(delivery) < 20ms", true), ("count(messages) == 5", true), ("rate(messages) == 1", true),
            ("max(delivery) < 20ms every 1s window", true), ("max(delivery) < 20ms over last 8s", true),
            ("max(delivery) < 20ms during \"warm-up\"", false), ("count(messages) == 5 during \"warm-up\"", true),
        ])
    func warmUp(text: String, passes: Bool) throws {
        let phases = Phases([
            .init("warm-up", startMicroseconds: 0, isCounted: false), .init("run", startMicroseconds: 5_000_000),
        ])
        var measured = Measurements(phases: phases)
        let delivery = try measured.series(Self.metrics[0])
        let messages = try measured.series(Self.metrics[2])
        for second in 0..<10 as Range<Int64> {
            measured.record(delivery, second < 5 ? 500_000 : 10_000, at: second * 1_000_000)
            measured.record(messages, 1, at: second * 1_000_000)
        }
        let threshold = try ThresholdParser.parse(text, metrics: Self.metrics, phases: phases.names)
        let end = LoadView(measurements: measured, nowMicroseconds: 10_000_000, isOver: true)
        #expect(threshold.evaluate(end).verdict == (passes ? .passed : .failed))
        let whole = try ThresholdParser.parse("max(delivery) < 20ms", metrics: Self.metrics, phases: phases.names)
        let early = LoadView(measurements: measured, nowMicroseconds: 3_000_000, isOver: false)
        #expect(whole.evaluate(early).verdict == .notEvaluated("nothing counts in the warm-up"))
    }

    @Test("Random texts are refused without a trap", arguments: 0..<20 as Range<UInt64>)
    func fuzz(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let words = [
            "p99", "(", ")", "delivery", "<", "1s", "during", "\"steady\"", "over", "last", "30s", "every", "window",
            "vs",
            "baseline", "%", "+", "-", "{", "}", "=", "abort", "after", "1e999", "99999999999999999999h", "é", ",",
            "/s",
        ]
        for _ in 0..<300 {
            let count = Int.random(in: 0..<12, using: &random)
            let text = (0..<count).map { _ in words.randomElement(using: &random)! }.joined(separator: " ")
            _ = Threshold.parse(
                [text, String(decoding: random.bytes(30), as: UTF8.self)], metrics: Self.metrics, phases: [])
        }
    }
}
