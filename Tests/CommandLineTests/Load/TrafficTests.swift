import CommandLine
import Metrics
import Testing

@Suite("The bytes that go over the connections of a load run")
struct TrafficTests {
    private static func script(thresholds: String = "") -> String {
        """
        local websocket = require "websocket"
        workload { executor = "per_vu_iterations", users = 4, iterations = 3, max_duration = "20s",
            thresholds = { \(thresholds) } }
        scenario("a user is answered", function(t)
            local peer = t:server(websocket, { compression = false }):peer "peer"
            local user = t:actor(websocket)
            user:connect()
            user:expect "connected"
            user:send(string.rep("a", 1000))
            peer:expect "frame"
            peer:send(string.rep("b", 20000))
            user:expect "frame"
            wait "1500ms"
            user:close()
        end)
        """
    }

    /// The bytes of twelve iterations: their texts, and the heads and frames around them.
    private static let sent = 12 * 1_000..<12 * 2_000 as Range<Int64>
    private static let received = 12 * 20_000..<12 * 21_000 as Range<Int64>

    @Test("They are counted in each direction, shown and judged", arguments: ["virtual", "real"])
    func counted(clock: String) async throws {
        let thresholds = ["sum(data_sent) < 24kB", "count(data_received) > 240kB", "rate(data_received) > 1kB/s"]
        let (run, folder) = try await ToolRun.load(
            Self.script(thresholds: thresholds.map { "\"\($0)\"" }.joined(separator: ", ")),
            ["--clock", clock, "--cores", clock == "real" ? "2" : "1"])
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        for threshold in thresholds { #expect(run.output.contains("\(threshold): passed with "), "\(run.output)") }
        let line = try #require(run.output.split(separator: "\n").first { $0.hasPrefix("data  ") })
        #expect(line.contains("kB/s) sent, ") && line.hasSuffix("kB/s) received"), "\(line)")
        let result = try folder.loadResult()
        let measured = try result.totals().measurements
        #expect(Self.sent.contains(measured.histogram(of: "data_sent").sum))
        #expect(Self.received.contains(measured.histogram(of: "data_received").sum))
        // Each core counts its own.
        let parts = result.shards.values.map { $0.measurements.histogram(of: "data_received").sum }
        #expect(parts.allSatisfy { $0 >= 20_000 } && parts.reduce(0, +) == measured.histogram(of: "data_received").sum)
        // Over the iterations, not in one lump at the end.
        #expect(measured.timeline(of: "data_received").intervals.filter { $0.histogram.sum > 0 }.count >= 2)
        #expect(try folder.text("Reports/load.html").contains("<span>data received</span>"))
    }

    @Test("Those of shards are added up")
    func shards() async throws {
        let folder = try TemporaryFolder()
        for shard in 1...2 {
            let (run, _) = try await ToolRun.load(
                Self.script(), ["--clock", "virtual", "--run", "r", "--shard", "\(shard)/2"], in: folder)
            #expect(run.ended(.success), "\(run.output)\(run.error)")
        }
        let (first, second) = (
            try folder.loadResult("Reports/load-1.json"), try folder.loadResult("Reports/load-2.json")
        )
        let all = try first.merging(second).totals().measurements
        #expect(Self.sent.contains(all.histogram(of: "data_sent").sum))
        #expect(Self.received.contains(all.histogram(of: "data_received").sum))
    }

    @Test("A run without connections says nothing of them")
    func none() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            workload { executor = "per_vu_iterations", users = 1, iterations = 1 }
            scenario("waits", function(t) wait "2s" end)
            """)
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        #expect(!run.output.contains("\ndata  "))
        #expect(try !folder.text("Reports/load.html").contains("<span>data sent</span>"))
    }

    @Test("Users do not tell them apart, so a role in a threshold is refused")
    func role() async throws {
        let (run, _) = try await ToolRun.load(Self.script(thresholds: "'count(data_sent{role=agent}) < 1MB'"))
        #expect(run.status == .script, "\(run.output)\(run.error)")
        #expect(run.error.contains("samples of data_sent have no tag \"role\""), "\(run.error)")
    }
}
