import CommandLine
import Foundation
import Metrics
import Testing

/// The server is a process of its own, and holds each text for 100 ms before it passes it on.
@Suite(
    "How long texts between the parts of a run took", .waitsForProcesses, .serialized,
    .enabled(if: Product.program != nil, "the program is not built beside the tests; swift build makes it"))
struct DeliveryTimeTests {
    private static let system = """
        local S = system {
            name = "own", events = { connected = {}, message = { text = "string" } }, noise = { "connected" },
        }
        function S.commands.connect(me) me.link = me:open {} me:wait "open" end
        S.commands.say = { sends = "text", function(me, text) me.link:send(text) end }
        function S.on.open(me) me:emit "connected" end
        function S.on.text(me, text) me:emit("message", { text = text }) end
        function S.server.text(desk, from, text)
            wait "100ms"
            for _, client in ipairs(desk.clients) do if client ~= from then client:send(text) end end
        end
        return S
        """

    /// What users of one room say who play in different parts.
    ///
    /// - Parameter talk: What each does once it is connected.
    private static func script(_ talk: String) -> String {
        """
        local S = require "Scenarios.own"
        workload { executor = "per_vu_iterations", users = 2, iterations = 1, max_duration = "60s",
            rooms = { size = 2, placement = "spread" } }
        scenario("meet", { allow = { "message" }, timeout = "60s" }, function(t)
            local ada = t:actor(S)
            ada:connect()
            \(talk)
        end)
        """
    }

    private static func serve(in folder: TemporaryFolder) throws -> (process: ToolProcess, url: String) {
        try folder.write(Self.system, to: "Scenarios/own.lua")
        let process = try ToolProcess(["serve", "--port", "0", "--system", "Scenarios/own.lua"], in: folder.path)
        _ = try process.controlURL()
        let line = try #require(process.line(containing: "own http://"))
        return (process, String(line.split(separator: " ").last ?? ""))
    }

    /// Those on the cores of one process meet, say five texts each, and stay until both have heard them.
    private static let meeting = """
        local name = "meet " .. t.user.room.size
        barrier(name, 2)
        for _ = 1, 5 do ada:say "hello" wait "20ms" end
        for _ = 1, 5 do ada:expect("message", nil, { within = "30s" }) end
        barrier(name, 2)
        """

    /// Those of two processes talk until they have heard the other one, which then has time to hear them.
    private static let calling = """
        repeat ada:say "hello" wait "50ms" until #ada:events("message") > 0
        for _ = 1, 3 do ada:say "hello" wait "50ms" end
        """

    /// No text is faster than the server. How much faster one seemed is by how much the parts differ, which is less
    /// than half of what it takes unless they count from instants of their own.
    private static func isHonest(_ measurements: Measurements) -> Bool {
        let times = measurements.histogram(of: "delivery")
        return times.count > 0 && times.leastFigure ?? 0 >= 50_000
    }

    @Test("Cores count time from one instant")
    func cores() async throws {
        let folder = try TemporaryFolder()
        let server = try Self.serve(in: folder)
        defer { server.process.send(SIGKILL) }
        for _ in 1...3 {
            let (run, _) = try await ToolRun.load(
                Self.script(Self.meeting),
                ["--cores", "2", "--target", server.url, "--no-calibrate"], in: folder)
            let totals = try folder.loadResult().totals()
            #expect(Self.isHonest(totals.measurements), "\(run.output)\(run.error)")
            #expect(totals.measurements.histogram(of: "delivery").count == 10, "\(run.output)")
        }
    }

    /// Plays both shards of a run at once.
    private static func shards(
        _ options: [String], at url: String, in folder: TemporaryFolder
    ) throws -> [(output: String, measurements: Measurements)] {
        try folder.write(Self.script(Self.calling), to: "load.lua")
        let processes = try (1...2).map { shard in
            try ToolProcess(
                ["load", "load.lua", "--shard", "\(shard)/2", "--run", "r", "--seed", "7", "--target", url]
                    + ["--no-calibrate", "--reports", "shard-\(shard)"] + options, in: folder.path)
        }
        let ends = processes.map { $0.end() }
        return try ends.enumerated().map { place, end in
            let result = try folder.loadResult("shard-\(place + 1)/load-\(place + 1).json")
            return (end.output, try #require(result.shards.values.first).measurements)
        }
    }

    @Test("Shards that have agreed on their start count time from it, and say that their clocks are compared")
    func agreed() throws {
        let folder = try TemporaryFolder()
        let server = try Self.serve(in: folder)
        defer { server.process.send(SIGKILL) }
        for part in try Self.shards(["--rendezvous", "meeting"], at: server.url, in: folder) {
            #expect(Self.isHonest(part.measurements), "\(part.output)")
            #expect(part.output.contains("compares the clocks of the shards' machines"), "\(part.output)")
            #expect(!part.output.contains("delivery does not have them"), "\(part.output)")
        }
    }

    @Test("Shards that have not agreed on their start do not time the texts of each other, and say so")
    func unagreed() throws {
        let folder = try TemporaryFolder()
        let server = try Self.serve(in: folder)
        defer { server.process.send(SIGKILL) }
        for part in try Self.shards([], at: server.url, in: folder) {
            #expect(part.measurements.histogram(of: "received").sum > 0, "\(part.output)")
            #expect(part.measurements.histogram(of: "delivery").isEmpty, "\(part.output)")
            #expect(part.output.contains("delivery does not have them"), "\(part.output)")
        }
    }
}
