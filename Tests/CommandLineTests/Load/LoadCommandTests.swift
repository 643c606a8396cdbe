import CommandLine
import Foundation
import Metrics
import Testing

@Suite("repartee load")
struct LoadCommandTests {
    /// A visitor who says three things; `extra` stands in the workload.
    private static func script(_ extra: String = "", body: String = "") -> String {
        """
        local boldchat = require "boldchat"
        workload { executor = "constant_vus", users = 20, duration = "10s",
            think_time = { distribution = "uniform", min = "100ms", max = "2s" }, \(extra) }
        scenario("a visitor is helped", function(t)
            local desk = t:server(boldchat)
            local sam = desk:agent "Sam"
            local visitor = t:actor(boldchat)
            visitor:create_chat { skip_pre_chat = true }
            sam:expect "chat_waiting"
            sam:accept(visitor)
            visitor:expect "accepted"
            for number = 1, 3 do
                think()
                visitor:say("question " .. number)
                sam:expect("message", { text = "question " .. number })
            end
            \(body)
            visitor:end_session()
        end)
        """
    }

    /// Users of a WebSocket server who connect, once each.
    private static func connecting(users: Int) -> String {
        """
        local websocket = require "websocket"
        workload { executor = "per_vu_iterations", users = \(users), iterations = 1, max_duration = "10s" }
        scenario("connects", function(t)
            local peer = t:actor(websocket)
            peer:connect()
            peer:expect("connected", {}, { within = "5s" })
        end)
        """
    }

    @Test("In virtual time a run accounts for every text, and the same seed gives the same result, byte for byte")
    func virtual() async throws {
        let (first, folder) = try await ToolRun.load(Self.script("thresholds = { \"count(lost) == 0\" }"))
        #expect(first.ended(.success), "\(first.output)\(first.error)")
        #expect(first.output.contains("count(lost) == 0: passed"))
        let bytes = try folder.data("Reports/load.json")
        let totals = try folder.loadResult().totals()
        let deliveries = totals.ledger.account(isOver: true)
        #expect(deliveries.isClean)
        #expect(deliveries.sent > 60)
        #expect(deliveries.delivered == deliveries.sent)
        #expect(totals.measurements.histogram(of: "connect").count > 20)
        // The last text of a conversation may be acknowledged when nobody looks any more.
        #expect(2 * deliveries.sent / 3...deliveries.sent ~= totals.measurements.histogram(of: "acknowledgement").count)
        _ = try await ToolRun.load(Self.script("thresholds = { \"count(lost) == 0\" }"), in: folder)
        #expect(try folder.data("Reports/load.json") == bytes)
    }

    @Test("What scripts make fail or mark stands on the axis of time, once for all who do it together")
    func marks() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            local websocket = require "websocket"
            workload { executor = "per_vu_iterations", users = 5, iterations = 2, max_duration = "1m" }
            scenario("loses its connection", function(t)
                local server = t:server(websocket)
                local peer = server:peer "peer"
                local user = t:actor(websocket)
                user:connect()
                user:expect "connected"
                peer:expect "connected"
                wait(1)
                peer:drop()
                user:expect("disconnected", { code = 1006 })
                if t.user.number == 0 then metric.mark("iteration " .. t.user.iteration) end
                wait(4)
            end)
            """)
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        let marks = try folder.loadResult().totals().annotations
        #expect(marks.map(\.label) == ["iteration 0", "peer:drop", "iteration 1", "peer:drop"])
        #expect(
            zip(marks, [1, 1, 6, 6]).allSatisfy { abs($0.startMicroseconds - $1 * 1_000_000) < 500_000 }, "\(marks)")
    }

    @Test("What a system in Lua says makes something fail is marked as a fault of a built-in one is, and nothing else")
    func marksOfOwnSystems() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            local S = system { name = "shop", events = {}, parties = { agent = { events = { left = {} } } } }
            function S.server.text() end
            S.server.commands.go_deaf = { fault = true, function() end }
            function S.server.commands.listen() end
            S.parties.agent.drop = { fault = true, function(agent) agent:emit("left", {}) end }
            workload { executor = "per_vu_iterations", users = 1, iterations = 1, max_duration = "1m" }
            scenario("fails", function(t)
                local server = t:server(S)
                local sam = server:agent "Sam"
                server:listen()
                server:go_deaf()
                sam:drop()
                sam:expect "left"
            end)
            """)
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        #expect(try folder.loadResult().totals().annotations.map(\.label) == ["Sam:drop", "server:go_deaf"])
    }

    @Test("What comes after the last stage is the finish, and what no stage names is the rest of the run")
    func phases() async throws {
        func phases(_ stages: String) async throws -> [String] {
            let (run, folder) = try await ToolRun.load(
                "workload { executor = \"ramping_vus\", stages = { \(stages) } } scenario(\"x\", function() wait(1) end)"
            )
            #expect(run.ended(.success), "\(run.error)")
            return try LoadRunResult(folder).phases
        }
        let up = "{ name = \"up\", duration = \"5s\", target = 2 }"
        let rest = "{ duration = \"5s\", target = 2 }"
        #expect(try await phases(up) == ["up", "finish"])
        #expect(try await phases("\(up), \(rest)") == ["up", "run"])
        #expect(try await phases(rest) == ["run"])
    }

    @Test("Another seed gives other think times")
    func otherSeed() async throws {
        let (_, first) = try await ToolRun.load(Self.script())
        let (_, second) = try await ToolRun.load(Self.script(), ["--clock", "virtual", "--seed", "8"])
        #expect(try first.data("Reports/load.json") != second.data("Reports/load.json"))
    }

    @Test("Four shards of a run make the same starts as the whole run")
    func shards() async throws {
        let (_, whole) = try await ToolRun.load(Self.script(), ["--clock", "virtual", "--run", "r"])
        let folder = try TemporaryFolder()
        var merged: LoadResult?
        for shard in 1...4 {
            let (run, _) = try await ToolRun.load(
                Self.script(), ["--clock", "virtual", "--run", "r", "--shard", "\(shard)/4"], in: folder)
            #expect(run.ended(.success), "\(run.output)\(run.error)")
            let result = try folder.loadResult("Reports/load-\(shard).json")
            merged = try merged?.merging(result) ?? result
        }
        let shards = try #require(merged).totals()
        let one = try whole.loadResult().totals()
        // What each generator notes of itself comes once a process, and a sample of its bytes once a second.
        let own = ["timer_lateness", "users"]
        #expect(one.measurements.histogram(of: "iteration").count > 0)
        for name in one.measurements.metrics.map(\.name) where !own.contains(name) {
            let (parts, all) = (shards.measurements.histogram(of: name), one.measurements.histogram(of: name))
            #expect(name.hasPrefix("data_") ? parts.sum == all.sum && all.sum > 0 : parts == all, "\(name)")
        }
        #expect(shards.ledger.account(isOver: true) == one.ledger.account(isOver: true))
    }

    @Test("The results of all shards are merged by report; a missing or a double shard is refused")
    func merging() async throws {
        let folder = try TemporaryFolder()
        for shard in 1...2 {
            _ = try await ToolRun.load(
                Self.script("thresholds = { \"count(lost) == 0\" }"),
                ["--clock", "virtual", "--run", "r", "--shard", "\(shard)/2"], in: folder)
        }
        let shards = ["Reports/load-1.json", "Reports/load-2.json"]
        let merged = try await ToolRun(
            ["report"] + shards + ["--html", "all.html", "--junit", "all.xml", "--csv", "all.csv"], in: folder.path)
        #expect(merged.ended(.success), "\(merged.error)")
        #expect(try folder.text("all.html").hasSuffix("</html>\n"))
        _ = try XMLFile(try folder.data("all.xml"))
        #expect(try folder.text("all.xml").contains("count(lost) == 0"))
        #expect(try folder.text("all.csv").hasPrefix("second,"))
        let printed = try await ToolRun(["report"] + shards, in: folder.path)
        #expect(printed.output.contains("count(lost) == 0: passed"))
        let missing = try await ToolRun(["report", shards[0]], in: folder.path)
        #expect(missing.status == .usage)
        #expect(missing.error.contains("of 2 shards 1 is missing (2)"))
        try folder.write(try folder.text(shards[0]), to: "copy.json")
        let again = try await ToolRun(["report", shards[0], "copy.json"], in: folder.path)
        #expect(again.status == .usage)
        #expect(again.error.contains("; copy.json is shard 1 again, as Reports/load-1.json is"), "\(again.error)")
        try folder.write(
            try folder.text(shards[0]).replacing("\"duration_us\":", with: "\"duration_us\": 1"), to: "x.json")
        let double = try await ToolRun(["report", shards[0], "x.json", shards[1]], in: folder.path)
        #expect(double.status == .usage)
        #expect(double.error.contains("twice with different results"))
    }

    @Test("Thresholds of a run in shards are judged on the whole, and decide the exit code there")
    func mergedThresholds() async throws {
        let folder = try TemporaryFolder()
        for shard in 1...2 {
            let (run, _) = try await ToolRun.load(
                Self.script("thresholds = { \"p50(iteration) < 1ms\" }"),
                ["--clock", "virtual", "--run", "r", "--shard", "\(shard)/2"], in: folder)
            #expect(run.ended(.success))
        }
        let shards = ["Reports/load-1.json", "Reports/load-2.json"]
        let merged = try await ToolRun(["report"] + shards + ["--html", "all.html"], in: folder.path)
        #expect(merged.ended(.failed))
        #expect(merged.error.contains("p50(iteration) < 1ms"), "it says why: \(merged.error)")
    }

    @Test("A run leaves a page, a JUnit file of thresholds, and what other programs ask for")
    func outputs() async throws {
        let (run, folder) = try await ToolRun.load(
            Self.script("thresholds = { \"p50(iteration) < 1ms\" }"),
            [
                "--clock", "virtual", "--csv", "o/l.csv", "--jsonl", "o/l.jsonl", "--histogram-log", "o/l.hlog",
                "--prometheus", "o/l.prom", "--otlp", "o/l.json",
            ])
        #expect(run.ended(.failed))
        #expect(try folder.text("Reports/load.html").contains("p50(iteration)"))
        let junit = try folder.text("Reports/load-junit.xml")
        _ = try XMLFile(Data(junit.utf8))
        #expect(junit.contains("failures=\"1\""))
        for name in ["l.csv", "l.jsonl", "l.hlog", "l.prom", "l.json"] {
            #expect(try !folder.data("o/" + name).isEmpty, "\(name)")
        }
    }

    @Test("A target that nobody answers at is no success, whatever the thresholds are about")
    func unreachable() async throws {
        let source = """
            local websocket = require "websocket"
            workload { executor = "shared_iterations", users = 1, iterations = 2, thresholds = { "p99(iteration) < 1h" } }
            scenario("connects", function(t)
                local peer = t:actor(websocket)
                peer:connect()
                peer:expect("connected", {}, { within = "1s" })
            end)
            """
        let folder = try TemporaryFolder()
        try folder.write("return { targets = { nobody = { url = \"http://127.0.0.1:9\" } } }", to: "repartee.lua")
        let (run, _) = try await ToolRun.load(source, ["--target", "nobody", "--no-preflight"], in: folder)
        #expect(run.status == .harness, "\(run.output)\(run.error)")
        #expect(run.output.contains("p99(iteration) < 1h: passed"))
    }

    @Test("A run that this machine cannot make is refused before the first connection, with what would do")
    func preflight() async throws {
        let (run, _) = try await ToolRun.load(
            Self.script(), ["--target", "http://127.0.0.1:9", "--users", "5000000", "--duration", "1s"])
        #expect(run.status == .harness)
        #expect(run.error.contains("or share the run out to"), "\(run.error)")
    }

    @Test("A plan tells what a run of a million users needs and how to share it out, and plays and writes nothing")
    func plan() async throws {
        let (run, folder) = try await ToolRun.load(
            Self.script(),
            ["--plan", "--target", "http://10.1.2.3:9", "--users", "1000000", "--duration", "1h", "--seed", "7"])
        #expect(run.ended(.success), "\(run.error)")
        #expect(run.output.contains("with 3 texts"), "\(run.output)")
        #expect(run.output.contains("1,000,000 users at once, 2,000,000 connections"), "\(run.output)")
        let machines = try #require(run.output.firstMatch(of: #/machines +([0-9,]+) like this one/#)).output.1
        let count = machines.filter { $0 != "," }
        #expect((Int(count) ?? 0) > 10, "\(run.output)")
        #expect(run.output.contains("each plays its SHARD, from 1 to \(count):"), "\(run.output)")
        // A shard takes one core unless told, and the machines were reckoned with all of theirs.
        let processors = ProcessInfo.processInfo.activeProcessorCount
        let cores = processors > 1 ? " --cores \(processors)" : ""
        #expect(
            run.output.contains(
                "--users 1000000 --duration 1h --seed 7 --target http://10.1.2.3:9\(cores) --shard SHARD/\(count)"),
            "\(run.output)")
        let (shared, _) = try await ToolRun.load(
            Self.script() + "\nlocal options = { shared = true }",
            ["--plan", "--target", "http://10.1.2.3:9", "--users", "1000000", "--duration", "1h", "--seed", "7"])
        #expect(shared.output.contains("--target http://10.1.2.3:9 --shard SHARD/"), "\(shared.output)")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/Reports"))
    }

    @Test("A plan of what cannot be tried says so, and reckons the rest")
    func planWithoutTrial() async throws {
        let (run, _) = try await ToolRun.load(
            Self.connecting(users: 4) + "\nbefore_each(function(t) t:fail 'no such account' end)",
            ["--plan", "--target", "ws://10.1.2.3:9"])
        #expect(run.ended(.success), "\(run.error)")
        #expect(run.output.contains("was not tried: no such account"), "\(run.output)")
        #expect(run.output.contains("4 users at once, 4 connections"), "\(run.output)")
        #expect(run.output.contains("machines    1 like this one at least"), "\(run.output)")
        #expect(run.output.contains("how many the cores need is not known"), "\(run.output)")
        let (refused, _) = try await ToolRun.load(
            Self.script(), ["--plan", "--shard", "1/2", "--run", "x", "--seed", "1"])
        #expect(refused.status == .usage && refused.error.contains("leave out --shard"), "\(refused.error)")
        for options in [["--csv", "a.csv"], ["--baseline", "a.json"]] {
            let (run, _) = try await ToolRun.load(Self.script(), ["--plan"] + options)
            #expect(run.status == .usage && run.error.contains("--plan plays nothing"), "\(options) \(run.error)")
        }
    }

    @Test("Source addresses make room for more connections, and users connect from them in turn")
    func sourceAddresses() async throws {
        let many = ["--target", "http://127.0.0.1:9", "--users", "8000", "--duration", "1s"]
        let (refused, _) = try await ToolRun.load(Self.script(), many)
        #expect(refused.error.contains("with --source-addresses 127.0.0.2-127.0.0.3"), "\(refused.error)")
        #expect(refused.error.contains("error: 2 connections a user are assumed"), "\(refused.error)")
        let server = try RawServer(.acceptsWebSocket([]))
        defer { server.close() }
        let source = Self.connecting(users: 4)
        let folder = try TemporaryFolder()
        try folder.write(
            "return { targets = { raw = { url = \"ws://127.0.0.1:\(server.port)/\" } } }", to: "repartee.lua")
        let (run, _) = try await ToolRun.load(
            source, ["--target", "raw", "--no-preflight", "--source-addresses", "127.0.0.2-127.0.0.3"], in: folder)
        #expect(run.output.contains("4 iterations of 4 planned"), "\(run.output)\(run.error)")
        #expect(server.peers.sorted() == ["127.0.0.2", "127.0.0.2", "127.0.0.3", "127.0.0.3"])
    }

    @Test("A threshold that is broken is exit code 1 and says by how much")
    func brokenThreshold() async throws {
        let (run, _) = try await ToolRun.load(Self.script("thresholds = { \"p50(iteration) < 1ms\" }"))
        #expect(run.ended(.failed))
        #expect(run.output.contains("p50(iteration) < 1ms: failed with"))
    }

    @Test("With another shape thresholds about phases of the file's own are left out, and said; others stay")
    func leftOutThresholds() async throws {
        let source = """
            workload { executor = "ramping_vus",
                stages = { { name = "up", duration = "1s", target = 2 }, { name = "steady", duration = "2s", target = 2 } },
                thresholds = { "count(failures) < 5 during \\"steady\\"", "rate(failures) == 0" } }
            scenario("waits", function(t) wait "100ms" end)
            """
        let (own, _) = try await ToolRun.load(source)
        #expect(own.output.contains("count(failures) < 5 during \"steady\": passed"), "\(own.output)\(own.error)")
        let (other, folder) = try await ToolRun.load(
            source, ["--clock", "virtual", "--users", "2", "--duration", "1s"])
        #expect(other.ended(.success), "\(other.output)\(other.error)")
        #expect(other.output.contains("left out: count(failures) < 5 during \"steady\", for the shape"))
        #expect(other.output.contains("rate(failures) == 0: passed"))
        #expect(try folder.loadResult().identity.thresholds == ["rate(failures) == 0"])
        let (asked, _) = try await ToolRun.load(
            source,
            ["--clock", "virtual", "--users", "2", "--duration", "1s"]
                + ["--threshold", "count(failures) < 5 during \"steady\""])
        #expect(asked.status == .usage)
        #expect(asked.error.contains("there is no phase \"steady\""))
        let (misspelt, _) = try await ToolRun.load(
            source.replacing("during \\\"steady", with: "during \\\"steddy"),
            ["--clock", "virtual", "--users", "2", "--duration", "1s"])
        #expect(misspelt.error.contains("there is no phase \"steddy\""), "\(misspelt.output)")
    }

    @Test("A threshold that may abort ends the run")
    func abort() async throws {
        let (run, folder) = try await ToolRun.load(
            Self.script("thresholds = { \"rate(failures) < 10% abort\" }", body: "expect(1, 2)"),
            ["--clock", "virtual", "--users", "5", "--duration", "1h"])
        #expect(run.ended(.failed))
        #expect(run.output.contains("ended       before its time by a threshold: "))
        let duration = try folder.loadResult().totals().durationMicroseconds
        #expect(duration < 60_000_000)
    }

    @Test("Users that fail are counted by what they failed at, with one of them as an example")
    func failures() async throws {
        let (run, _) = try await ToolRun.load(Self.script(body: "if t.user.number % 2 == 0 then expect(1, 2) end"))
        #expect(run.ended(.failed))
        #expect(run.output.contains("× expect, first user "))
        #expect(run.output.contains("expected 2"))
    }

    @Test("Scripts measure what they want, and thresholds know it")
    func custom() async throws {
        let (run, folder) = try await ToolRun.load(
            Self.script(
                "thresholds = { \"count(helped) > 20\", \"max(patience) < 3s\" }",
                body:
                    "metric.count \"helped\" metric.time(\"patience\", \"2s\") metric.rate(\"happy\", true, { role = \"v\" })"
            ))
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        let measurements = try folder.loadResult().totals().measurements
        #expect(measurements.histogram(of: "patience").maximum.map { abs($0 - 2_000_000) < 2000 } == true)
        #expect(measurements.metric(named: "happy")?.kind == .rate)
    }

    @Test("An iteration lasts as long as its script; the next one begins when what was under way has come")
    func iterationTime() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            local websocket = require "websocket"
            workload { executor = "per_vu_iterations", users = 1, iterations = 3, max_duration = "1m",
                thresholds = { "min(iteration) == 300ms", "max(iteration) == 300ms" } }
            after_each(function(t) wait "100ms" end)
            scenario("connects", function(t)
                t:server(websocket)
                local user = t:actor(websocket)
                user:connect()
                user:expect "connected"
                wait "200ms"
            end)
            """)
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        let totals = try folder.loadResult().totals()
        #expect(totals.measurements.histogram(of: "iteration").count == 3)
        // Three times 300 ms of the script and the 50 ms in which events still count.
        #expect(totals.durationMicroseconds >= 1_050_000, "\(totals.durationMicroseconds)")
    }

    @Test(
        "A barrier for more users than there ever are is refused to the first who comes to it",
        arguments: [
            ("executor = 'per_vu_iterations', users = 2, iterations = 1", 3, "the run has 2 users at once at most"),
            ("executor = 'per_vu_iterations', users = 1, iterations = 1", 2, "the run has 1 user at once at most"),
            (
                "executor = 'constant_arrival_rate', rate = '4/s', duration = '1s', max_users = 3", 4,
                "the run has 3 users at once at most"
            ),
        ])
    func tooLargeBarrier(workload: String, count: Int, message: String) async throws {
        let (run, folder) = try await ToolRun.load(
            """
            workload { \(workload) }
            scenario("meets", function(t) barrier("all", \(count)) end)
            """)
        #expect(run.status == .script, "\(run.status) \(run.output)\(run.error)")
        #expect(run.output.contains("barrier \"all\" is for \(count), and \(message)"), "\(run.output)")
        let longest = try #require(try folder.loadResult().totals().measurements.histogram(of: "iteration").maximum)
        #expect(longest < 1_000_000)
    }

    @Test("Threads of one user may meet at a barrier, too")
    func threadsAtBarrier() async throws {
        let (run, _) = try await ToolRun.load(
            """
            workload { executor = "per_vu_iterations", users = 1, iterations = 1 }
            scenario("meets", function(t)
                local other = spawn(function() barrier("both", 2) end)
                barrier("both", 2)
                other:join()
            end)
            """)
        #expect(run.ended(.success), "\(run.output)\(run.error)")
    }

    @Test("Users meet at barriers and leave letters for each other")
    func coordination() async throws {
        let source = """
            workload { executor = "per_vu_iterations", users = 10, iterations = 1, max_duration = "1m" }
            scenario("meets", function(t)
                wait(t.user.number)
                barrier("all here", 10)
                expect(now() >= 9 - t.user.number)
                if t.user.number == 0 then
                    for _ = 1, 9 do metric.value("letter", mailbox.receive("to zero").from) end
                else
                    mailbox.send("to zero", { from = t.user.number })
                end
            end)
            """
        let (run, folder) = try await ToolRun.load(source)
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        #expect(try folder.loadResult().totals().measurements.histogram(of: "letter").count == 9)
    }

    @Test("Users can share one server, and each talks to its own agent there")
    func sharedServer() async throws {
        let source = Self.script().replacing("t:server(boldchat)", with: "t:server(boldchat, { shared = true })")
        let (run, folder) = try await ToolRun.load(source)
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        #expect(try folder.loadResult().totals().ledger.account(isOver: true).isClean)
    }

    @Test("Iterations have the time that --duration gives them")
    func boundedIterations() async throws {
        let script = "scenario(\"waits\", function(t) wait \"1s\" expect(1, 1) end)"
        let (run, _) = try await ToolRun.load(script, ["--iterations", "1000", "--duration", "5s"])
        #expect(run.ended(.failed), "\(run.output)\(run.error)")
        #expect(run.output.contains("5 iterations of 1,000 planned"), "\(run.output)")
        let (unbounded, _) = try await ToolRun.load(script, ["--iterations", "10"])
        #expect(unbounded.ended(.success), "\(unbounded.output)\(unbounded.error)")
    }

    @Test("In real time users talk, too, and the generator is judged")
    func real() async throws {
        let (run, folder) = try await ToolRun.load(
            Self.script(), ["--clock", "real", "--users", "3", "--iterations", "3", "--quiet"])
        #expect(run.output.contains("generator"))
        #expect(try folder.loadResult().totals().ledger.account(isOver: true).isClean)
    }

    @Test("Users whose server is dead try again, but not as fast as they can, and each try is counted")
    func deadServer() async throws {
        let source = """
            workload { executor = "constant_vus", users = 10, duration = "10s", graceful_stop = "0s" }
            scenario("fails", function(t) expect(1, 2) end)
            """
        let (run, folder) = try await ToolRun.load(source)
        #expect(run.ended(.failed))
        let measurements = try folder.loadResult().totals().measurements
        // At 0, 0.1, 0.3, 0.7, 1.5, 3.1 and 6.3 seconds, and after that every 5 seconds.
        #expect(measurements.histogram(of: "iterations").count == 70)
        #expect(run.output.contains("70 iterations of 70 planned"), "\(run.output)")
        let bytes = try folder.data("Reports/load.json")
        _ = try await ToolRun.load(source, in: folder)
        #expect(try folder.data("Reports/load.json") == bytes)
    }

    @Test("Users who have nothing to do do not keep virtual time from going on")
    func emptyScenario() async throws {
        let (run, folder) = try await ToolRun.load(
            "workload { executor = \"constant_vus\", users = 2, duration = \"100ms\" } scenario(\"x\", function() end)")
        #expect(run.ended(.success), "\(run.error)")
        #expect(try folder.loadResult().totals().measurements.histogram(of: "iterations").count == 200)
    }

    @Test("A target that is a WebSocket's URL is the server itself")
    func webSocketTarget() async throws {
        let server = try RawServer(.acceptsWebSocket([]))
        defer { server.close() }
        let source = Self.connecting(users: 2)
        let (run, _) = try await ToolRun.load(source, ["--target", "ws://127.0.0.1:\(server.port)/", "--no-preflight"])
        #expect(run.output.contains("2 iterations of 2 planned"), "\(run.output)\(run.error)")
        #expect(server.peers.count == 2)
        let (other, _) = try await ToolRun.load(Self.script(), ["--target", "http://127.0.0.1:9", "--iterations", "1"])
        #expect(other.error.contains("nobody answers at the target"), "\(other.output)\(other.error)")
    }
}
