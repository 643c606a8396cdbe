import Digests
import FoundationEssentials
import Metrics
import RunRecord
import Testing

@testable import Reports

@Suite("Reports of load runs")
struct LoadReportTests {
    private static let thresholds = [
        "p90(delivery) < 100ms", "p99(delivery) < 50ms every 10s window", "count(lost) == 0", "max(nothing) < 1s",
        "p99(connect) vs baseline < +5%",
    ]

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("The page holds the verdicts, the figures and a drawing of each kind")
    func page() throws {
        let page = self.text(LoadReport(try LoadSample(thresholds: Self.thresholds).totals()).document())
        for part in [
            "Chat desk under load", "generator degraded", "lost", "3 of 5,000 arrivals could not begin",
            "p99(delivery) &lt; 50ms every 10s window", "there is no metric \"nothing\"", "no baseline was given",
            "steady", "the server restarts", "class=\"heat\"", "by percentile", "worst senders", "Floor by echo",
            "↳ role=agent", "class=\"line c0\"", "Why users failed", "1,200×", "the desk is &lt;closed&gt;",
            "hopeless · desk.lua:7 · first user 17",
        ] {
            #expect(page.contains(part), "\(part)")
        }
        #expect(!page.contains("NaN"))
        // A share cannot be above 100 %, whatever round number comes next.
        #expect(!page.contains(">150%<") && !page.contains(">120%<"))
        #expect(page.contains(">the server restarts</text>"))
        #expect(!page.contains("style=\""))
    }

    @Test("What people should know of the run stands with its figures, as text, while the run goes and after it")
    func notes() throws {
        let totals = try LoadSample(seconds: 1).totals()
        let report = LoadReport(totals, notes: ["the baseline <b> is of another file"])
        let note = "<p class=\"note\">the baseline &lt;b&gt; is of another file</p>"
        #expect(self.text(report.document()).contains(note))
        #expect(report.content(isPlaying: true).markup.contains(note))
        #expect(!self.text(LoadReport(totals).document()).contains("of another file"))
    }

    @Test("A generator that claims more round trips a second than can be counted has a page all the same")
    func hostileCalibration() throws {
        var calibration = Calibration(processorMicroseconds: 1, busyRoundTrips: 1 << 53, busyMicroseconds: 1)
        calibration.roundTrips.record(55)
        let result = try LoadResult(
            identity: RunIdentity(runID: "r", seed: 1, planHash: "h", title: "t"), index: 1,
            ShardResult(
                durationMicroseconds: 1 << 53, measurements: Measurements(), ledger: Ledger(run: 1),
                health: GeneratorHealth(), calibration: calibration))
        let page = self.text(LoadReport(try result.totals()).document())
        #expect(page.contains("one second of processor time makes 9,223,372,036,854,775,807 round trips"))
    }

    @Test("Trends come in the order that is given, the others after them")
    func order() throws {
        let totals = try LoadSample(seconds: 2).totals()
        for names in [["connect", "delivery"], ["delivery", "connect"], ["delivery"]] {
            let page = self.text(
                LoadReport(totals, metrics: names.map { Metric($0, .trend, unit: .microseconds) }).document())
            let places = ["connect", "delivery"].map { page.firstRange(of: "<h2>\($0)</h2>")?.lowerBound }
            #expect((try #require(places[0]) < places[1]!) == (names[0] == "connect"))
        }
    }

    @Test("A share that was never above zero has no chart, because it would be a line on the axis")
    func zeroShares() throws {
        var sample = LoadSample(seconds: 20)
        #expect(self.text(LoadReport(try sample.totals()).document()).contains("<h2>Rates</h2>"))
        sample.isFaulty = false
        #expect(!self.text(LoadReport(try sample.totals()).document()).contains("<h2>Rates</h2>"))
    }

    @Test("Bytes have a chart of their own, and their sums and speeds stand at the top; without any there is neither")
    func bytes() throws {
        let plain = try LoadSample(seconds: 20).result()
        #expect(!self.text(LoadReport(try plain.totals()).document()).contains("<h2>Bytes per second</h2>"))
        var shard = try #require(plain.shards[1])
        let sent = try shard.measurements.series(Metric("data_sent", .counter, unit: .bytes))
        let received = try shard.measurements.series(Metric("data_received", .counter, unit: .bytes))
        for second in 0..<20 as Range<Int64> {
            shard.measurements.record(sent, 1_000, at: second * 1_000_000)
            shard.measurements.record(received, 250_000, at: second * 1_000_000)
        }
        let page = self.text(LoadReport(try LoadResult(identity: plain.identity, index: 1, shard).totals()).document())
        let chart = try #require(page.firstRange(of: "<h2>Bytes per second</h2>")).upperBound
        let next = try #require(page[chart...].firstRange(of: "<h2>")).lowerBound
        #expect(page[chart..<next].contains("data_sent") && page[chart..<next].contains("data_received"))
        #expect(page.contains("<b>20kB (1kB/s)</b><span>data sent</span>"))
        #expect(page.contains("<b>5MB (250kB/s)</b><span>data received</span>"))
        let things = try #require(page.firstRange(of: "<h2>Per second</h2>")).upperBound
        #expect(!page[things..<chart].contains("data_sent"))
    }

    @Test("Every element of the page is closed, whatever it shows", arguments: [0, 1, 2, 119, 3_000])
    func wellFormed(seconds: Int) throws {
        let page = self.text(LoadReport(try LoadSample(seconds: seconds).totals()).document())
        var open: [Substring] = []
        var rest = page[page.firstRange(of: "<main>")!.upperBound...]
        rest = rest[..<rest.firstRange(of: "</main>")!.lowerBound]
        while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
            let tag = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            if tag.hasSuffix("/") { continue }
            if tag.hasPrefix("/") {
                #expect(open.popLast() == tag.dropFirst())
            } else {
                open.append(tag.prefix { $0 != " " })
            }
        }
        #expect(open.isEmpty)
    }

    @Test("A run of one second has its curves too")
    func short() throws {
        let page = self.text(LoadReport(try LoadSample(seconds: 1).totals()).document())
        #expect(page.contains("class=\"dot"))
        #expect(page.contains("class=\"heat\""))
    }

    @Test("What scripts and servers named stands in the page as text")
    func hostile() throws {
        let evil = "</title><script>alert(1)</script><img src=x onerror=alert(2)>\"'&\u{202E}\0"
        var sample = LoadSample(title: evil, seconds: 3, thresholds: [evil, "max(\(evil)) < 1s"])
        sample.isFaulty = false
        var measured = Measurements(phases: try sample.result().identity.phases)
        let id = try measured.series(Metric(evil, .trend), tags: [Tag(evil, evil)])
        let other = try measured.series(Metric(evil, .trend), tags: [Tag("a", evil)])
        measured.record(id, 5, at: 0)
        measured.record(other, 5, at: 0)
        var shard = try #require(try sample.result().shards[1])
        shard.measurements = measured
        shard.annotations = [.init(startMicroseconds: 1, label: evil)]
        shard.ending = .aborted(evil)
        let totals = try LoadResult(identity: try sample.result().identity, index: 1, shard).totals()
        for page in [
            LoadReport(totals).document(), LoadComparisonReport(before: [totals], after: [totals]).document(),
        ] {
            let text = self.text(page)
            #expect(text.components(separatedBy: "<script>").count == 2)
            #expect(!text.contains("<img"))
            #expect(!text.contains("alert(1)</script>"))
            #expect(!text.utf8.contains(0))
        }
    }

    @Test("The page allows its own script and style and nothing else")
    func policy() throws {
        let page = self.text(LoadReport(try LoadSample(seconds: 2).totals()).document())
        func digest(_ open: String, _ close: String) throws -> String {
            let start = try #require(page.firstRange(of: open)).upperBound
            let end = try #require(page[start...].firstRange(of: close)).lowerBound
            return "sha256-" + Data(Digest.sha256(Array(page[start..<end].utf8))).base64EncodedString()
        }
        #expect(page.contains("default-src 'none'"))
        #expect(page.contains("script-src '\(try digest("<script>", "</script>"))'"))
        #expect(page.contains("style-src '\(try digest("<style>", "</style>"))'"))
    }

    @Test("Two sets of runs lie over each other with what changed")
    func comparison() throws {
        let before = try (1...3).map { try LoadSample(seed: $0, isFaulty: false).totals() }
        let after = try (4...6).map { try LoadSample(slowness: 1.5, seed: $0, isFaulty: false).totals() }
        let report = LoadComparisonReport(before: before, after: after)
        let row = try #require(report.rows.first { $0.metric.name == "delivery" && $0.figure == "p90" })
        #expect(row.verdict == .changed)
        #expect(row.interval?.contains(0.5) == true)
        let page = self.text(report.document())
        #expect(page.contains("figures changed"))
        #expect(page.contains("class=\"line c1\""))
    }

    @Test("What is worse the more there is of it has the color of failures, and no other curve has")
    func troubleColor() {
        let chart = LineChart(
            label: "per second",
            curves: [
                .init(name: "errors", values: [1, 2], isTrouble: true), .init(name: "iterations", values: [3, 4]),
                .init(name: "sent", values: [5, 6]),
            ], intervalSeconds: 1, text: { "\($0)" })
        let page = self.text(chart.draw(TimeAxis(seconds: 2)).bytes)
        let looks = page.matches(of: /<span class="(\w+)"><i><\/i> (\w+)/).map { "\($0.2) \($0.1)" }
        #expect(looks == ["errors bad", "iterations c0", "sent c1"])
    }

    @Test("Users who failed fail a case with the causes, unless a threshold judges them")
    func failedUsers() throws {
        func document(_ thresholds: [String]) throws -> String {
            let totals = try LoadSample(thresholds: thresholds, isFaulty: true).totals()
            var recorder = JUnitRecorder()
            let record = LoadRecord(totals, file: "load/desk.lua", toolVersion: "1.0")
            for entry in record.entries { recorder.record(entry) }
            return self.text(recorder.document())
        }
        let said =
            "1,200 × visitor: the server answered 503: the desk is &lt;closed&gt; (first user 17 at 3s, last at 9s)"
        let failed = try document(["count(lost) >= 0"])
        #expect(failed.contains("<failure message=\"\(said)\" type=\"hopeless\">"), "\(failed)")
        #expect(failed.contains("at desk.lua:7"))
        let judged = try document(["rate(failures) < 100%"])
        #expect(judged.contains("judged by rate(failures) &lt; 100%") && judged.contains(said), "\(judged)")
        #expect(!judged.contains("<failure message=\"\(said)"))
    }

    @Test("A bound that windows kept is told with how many of them measured nothing, and a run with what was skipped")
    func gaps() throws {
        let sample = LoadSample(seconds: 10, thresholds: ["max(wait) < 1s every 1s window"], isFaulty: false)
        var shard = try #require(try sample.result().shards[1])
        var measured = Measurements(phases: try sample.result().identity.phases)
        let wait = try measured.series(Metric("wait", .trend, unit: .microseconds))
        for second in [0, 9] as [Int64] { measured.record(wait, 5, at: second * 1_000_000) }
        measured.record(try measured.series(Metric("iterations", .counter)), 9, at: 0)
        measured.record(try measured.series(Metric("skipped", .counter)), 4, at: 0)
        shard.measurements = measured
        shard.skips = ["no account": 4]
        let totals = try LoadResult(identity: try sample.result().identity, index: 1, shard).totals()
        var recorder = JUnitRecorder()
        for entry in LoadRecord(totals, file: "load/desk.lua", toolVersion: "1.0").entries { recorder.record(entry) }
        let junit = self.text(recorder.document())
        let page = self.text(LoadReport(totals).document())
        for text in [junit, page] { #expect(text.contains("8 of 10 windows measured nothing"), "\(text)") }
        #expect(junit.contains("4 of 9 iterations were skipped") && junit.contains("4 × no account"), "\(junit)")
        #expect(page.contains("<b>9</b><span>iterations</span>") && page.contains("<b>4</b><span>skipped iterations"))
    }

    @Test("The run, its users, each threshold, the generator and the ledger are cases of the JUnit file")
    func junit() throws {
        let totals = try LoadSample(thresholds: Self.thresholds).totals()
        var recorder = JUnitRecorder()
        for entry in LoadRecord(totals, file: "load/desk.lua", toolVersion: "1.0").entries { recorder.record(entry) }
        let text = self.text(recorder.document())
        #expect(text.contains("tests=\"9\" failures=\"3\" errors=\"2\" skipped=\"2\""), "\(text)")
        #expect(text.contains("why users failed:\n  1,200 × visitor: the server answered 503"))
        #expect(text.contains("name=\"the run ends\""))
        #expect(text.contains("name=\"count(lost) == 0\""))
        #expect(text.contains("name=\"the load generator keeps up\""))
        #expect(text.contains("count(lost) == 0: failed with"))
        #expect(text.contains("60s to 70s: "))
        #expect(
            text.contains("there is no metric \"nothing\"") || text.contains("there is no metric &quot;nothing&quot;"))
    }
}
