import CommandLine
import Foundation
import Testing

@Suite("What repartee load refuses before anything is played")
struct LoadMistakeTests {
    /// Users who connect and say something, as long as the workload lets them.
    private static let script = """
        local websocket = require "websocket"
        workload { executor = "constant_vus", users = 20, duration = "10s" }
        scenario("says", function(t)
            t:server(websocket)
            local peer = t:actor(websocket)
            peer:connect()
            peer:expect "connected"
            peer:send "hi"
        end)
        """

    @Test(
        "What cannot be is said before anything is played, all at once",
        arguments: [
            (
                "workload { executor = \"constant_vus\", users = 0, duratoin = \"1m\" } scenario(\"x\", function() end)",
                ["workload.users: is 0", "did you mean \"duration\"", "workload.duration: is missing"]
            ),
            (
                "workload { executor = \"constant_vus\", users = 1, duration = \"1s\", thresholds = { \"p99(delivry) < 1s\", \"mean(connect) <\" } } scenario(\"x\", function() end)",
                ["delivery", "mean(connect) <"]
            ),
            (
                "workload { executor = \"constant_vus\", users = 1, duration = \"1s\", scenario = \"y\" } scenario(\"x\", function() end)",
                ["plays \"y\", which the file does not declare; it has \"x\""]
            ),
            (
                "workload { executor = \"constant_vus\", users = 1, duration = \"1s\" } scenario(\"x\", function() end) scenario(\"y\", function() end)",
                ["the file has 2 scenarios; say which one", "by the line: repartee load ", ".lua:1#1"]
            ),
            (
                "workload { executor = \"constant_vus\", users = 1, duration = \"1s\" } scenario(\"x\", { expected_failure = \"bug 7\" }, function() expect(1, 2) end)",
                ["the scenario \"x\" declares that it fails (bug 7)", "take expected_failure out"]
            ),
            ("workload {} workload {}", ["the file has a workload already, at line 1"]),
        ])
    func wrongShapes(source: String, messages: [String]) async throws {
        let (run, folder) = try await ToolRun.load(source)
        #expect(run.status == .script)
        for message in messages { #expect(run.error.contains(message), "\(run.error)") }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/Reports/load.json"))
    }

    @Test("A line and a workload that name two scenarios of one file are refused with both")
    func lineBesideWorkload() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            workload { executor = "constant_vus", users = 1, duration = "1s", scenario = "x" }
            scenario("x", function() expect(1, 1) end)
            scenario("y", function() expect(1, 1) end)
            """, to: "load.lua")
        let run = try await ToolRun(["load", "load.lua:3", "--clock", "virtual"], in: folder.path)
        #expect(run.status == .script)
        #expect(run.error.contains("plays \"x\", and the line behind the file names \"y\"; leave"), "\(run.error)")
    }

    @Test(
        "Options that do not go together are wrong usage",
        arguments: [
            (["--users", "5"], "--duration"),
            (["--rate", "5/s", "--users", "1", "--duration", "1s"], "leave out --users"),
            (["--start-at", "soon"], "--start-at"), (["--shard", "2/4"], "--run"),
            (["--run", "r", "--shard", "5/4"], "1/4 to 4/4"),
            (["--target", "http://127.0.0.1:9", "--clock", "virtual"], "--target needs real time"),
            // Should it not be refused, the test fails and does not wait for an hour.
            (["--start-at", "+1s", "--clock", "virtual"], "begins at once; leave out --start-at, or --clock virtual"),
            (["--source-addresses", "127.0.0.2"], "goes with --target"),
            (["--connections", "1"], "--connections goes with --plan or --target"),
            (["--plan", "--connections", "0"], "--connections 0: a number from 1 to 1000"),
            (["--rendezvous", "http://x:1"], "write tcp://HOST:PORT"),
            (["--rendezvous", "tcp://x"], "tcp://HOST:PORT"),
            (["--rendezvous-leader", "1"], "goes with --rendezvous"),
            (
                [
                    "--rendezvous", "tcp://0123456789abcdef@x:1", "--rendezvous-leader", "3", "--shard", "1/2", "--run",
                    "r",
                ], "is none of the shards; name one from 1 to 2"
            ),
            (["--rendezvous", "meeting"], "--rendezvous goes with --shard"),
            (["--rate", "0/s", "--duration", "1s"], "error: --rate: never start a user"),
            (["--rate", "5/d", "--duration", "1s"], "error: --rate: \"5/d\" is not a rate"),
            (["--rate", "inf/s", "--duration", "1s"], "error: --rate: \"inf/s\" is not a rate"),
            (["--users", "0", "--duration", "1s"], "Error: --users: is 0"),
            (["--iterations", "0"], "Error: --iterations: is 0"),
            (["--users", "10"], "such as --duration 30s, or --iterations 10 for so many in all"),
            (["--users", "10", "--iterations", "1"], "9 of 10 users would never play; give at least --iterations 10"),
            (["--threshold", " "], "a function is expected, as in p99(delivery)"),
            (["--threshold", "p99(iteration)<1"], "the bound is a time with its unit"),
            (["--threshold", "p99(tls_handshake) < 1s"], "would never have samples"),
            (["--rendezvous", "tcp://x:1"], "as in TOKEN@x:1"),
            (["--target", "http://127.0.0.1:9", "--source-addresses", "127.0.0.0/x"], "no block of IPv4 addresses"),
            (["--target", "http://127.0.0.1:9", "--source-addresses", "203.0.113.1"], "203.0.113.1 cannot be bound"),
        ])
    func wrongUsage(arguments: [String], message: String) async throws {
        let (run, _) = try await ToolRun.load(Self.script, arguments)
        #expect(run.status == .usage)
        #expect(run.error.contains(message), "\(run.error)")
    }

    @Test(
        "A value that is none is refused with what to write, and options of other tools with what does the same",
        arguments: [
            (["--users", "-5", "--duration", "1s"], "--users: is -5; write a whole number from 1"),
            (["--users", "0"], "--users: is 0; write a whole number from 1"),
            (["--iterations", "-1"], "--iterations: is -1; write a whole number from 1"),
            (["--rate", "-5/s", "--duration", "1s"], "--rate: "), (["--seed", "-1"], "write a whole number from 0 to"),
            (["--users", "5", "--duration", "-5s"], "more than 0 with units of ms, s, m and h, such as 500ms"),
            (["--users", "5", "--duration", "30s1m"], "more than 0 with units of ms, s, m and h, such as 500ms"),
            (["--users", "5", "--duration", "0"], "more than 0 with units of ms, s, m and h, such as 500ms"),
            (["--vus", "5"], "there is no option --vus; --users 10 is how many users play"),
            (["--stages", "1s:10"], "there is no option --stages; stages stand in the file"),
        ])
    func badValue(arguments: [String], message: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.script, to: "load.lua")
        let run = try await ToolRun(["load", "load.lua"] + arguments, in: folder.path)
        #expect(run.status == .usage && run.output.isEmpty, "\(run.output)\(run.error)")
        #expect(run.error.contains(message) && !run.error.contains("Missing value"), "\(run.error)")
    }

    @Test("A folder that cannot be written to is said, and is no success")
    func fullDisk() async throws {
        let (run, _) = try await ToolRun.load(Self.script, ["--clock", "virtual", "--reports", "/proc/none"])
        #expect(run.status == .harness)
        #expect(run.error.contains("no report can be written to /proc/none, so nothing is played: "), "\(run.error)")
        #expect(run.output.isEmpty)
    }

    @Test("Without a workload and without options there is advice")
    func noWorkload() async throws {
        let (run, _) = try await ToolRun.load("scenario(\"x\", function() end)", [])
        #expect(run.status == .usage)
        #expect(run.error.contains("give --users 10 --duration 1m"))
    }
}
