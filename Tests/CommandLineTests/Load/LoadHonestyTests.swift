import CommandLine
import Foundation
import JSON
import Metrics
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite("A load run is green only if it has shown something", .waitsForProcesses)
struct LoadHonestyTests {
    private static let once = """
        workload { executor = "per_vu_iterations", users = 2, iterations = 1, max_duration = "1m" }

        """

    @Test(
        "A run in which no iteration came to its end has tested nothing",
        arguments: [
            // Users who are broken off, and users who wait for a letter that nobody sends.
            "workload { executor = \"constant_vus\", users = 4, duration = \"2s\", graceful_stop = \"1s\" }\n"
                + "scenario(\"s\", { timeout = \"1h\" }, function() wait(600) end)",
            "workload { executor = \"constant_vus\", users = 4, duration = \"2s\", graceful_stop = \"1s\" }\n"
                + "scenario(\"s\", { timeout = \"1h\" }, function() mailbox.receive(\"all\") end)",
        ])
    func noIteration(source: String) async throws {
        let (run, folder) = try await ToolRun.load(source)
        #expect(run.ended(.failed), "\(run.output)")
        #expect(run.output.contains("no iteration came to its end, so nothing was tested"))
        let junit = try XMLFile(try folder.data("Reports/load-junit.xml"))
        #expect(junit.all("failure").first?.attributes["message"]?.contains("no iteration") == true)
        #expect(try folder.text("Reports/load.html").contains("no iteration came to its end"))
        let report = try await ToolRun(["report", "Reports/load.json"], in: folder.path)
        #expect(report.ended(.failed))
        #expect(report.output.contains("no iteration came to its end"))
        let part = try await ToolRun.load(
            source, ["--clock", "virtual", "--run", "r", "--shard", "1/2"], in: folder)
        // Who waits for users of other shards is refused before anything is played.
        #expect(part.run.ended(source.contains("mailbox") ? .script : .failed), "\(part.run.output)")
    }

    @Test(
        "A run in which nobody began has tested nothing",
        arguments: [
            "executor = \"ramping_vus\", stages = { { duration = \"1s\", target = 1 } }",
            "executor = \"constant_arrival_rate\", rate = \"1/m\", duration = \"1s\", distribution = \"poisson\"",
        ])
    func nobodyBegan(shape: String) async throws {
        let source = "workload { \(shape) }\nscenario(\"s\", function() wait \"1s\" end)"
        let message = "nobody began, so nothing was tested"
        let (run, folder) = try await ToolRun.load(source)
        #expect(run.ended(.failed), "\(run.output)\(run.error)")
        #expect(run.output.contains(message), "\(run.output)")
        let junit = try XMLFile(try folder.data("Reports/load-junit.xml"))
        #expect(junit.all("failure").first?.attributes["message"]?.contains(message) == true)
        #expect(try folder.text("Reports/load.html").contains(message))
        // A part of a run may have no users, and the whole of it may not.
        for shard in 1...2 {
            let part = try await ToolRun.load(
                source, ["--clock", "virtual", "--run", "r", "--shard", "\(shard)/2"], in: folder)
            #expect(part.run.ended(.success), "\(part.run.output)\(part.run.error)")
        }
        let report = try await ToolRun(["report", "Reports/load-1.json", "Reports/load-2.json"], in: folder.path)
        #expect(report.ended(.failed) && report.output.contains(message), "\(report.output)\(report.error)")
    }

    @Test("A run of which every iteration was skipped has tested nothing")
    func skipped() async throws {
        let (run, folder) = try await ToolRun.load(Self.once + "scenario(\"s\", function(t) t:skip \"later\" end)")
        #expect(run.status == .nothingToRun, "\(run.output)")
        #expect(run.output.contains("all 2 iterations were skipped, so nothing was tested"))
        let junit = try XMLFile(try folder.data("Reports/load-junit.xml"))
        #expect(junit.all("skipped").contains { $0.text.contains("2 × later") })
        #expect(try await ToolRun(["report", "Reports/load.json"], in: folder.path).status == .nothingToRun)
        let (some, _) = try await ToolRun.load(
            Self.once + "scenario(\"s\", function(t) if t.user.number == 0 then t:skip \"later\" end end)")
        #expect(some.ended(.success), "\(some.output)")
    }

    @Test("A run with a target to which nobody opened a connection has tested nothing of it")
    func untouched() async throws {
        let server = try RawServer(.acceptsWebSocket([]))
        defer { server.close() }
        func source(_ body: String) -> String {
            Self.once + "local websocket = require \"websocket\"\n"
                + "scenario(\"s\", function(t) local user = t:actor(websocket) \(body) wait \"50ms\" end)"
        }
        let target = ["--target", "ws://127.0.0.1:\(server.port)/", "--no-preflight", "--no-calibrate"]
        let message = "no user opened a connection, so nothing of the target was tested"
        let (run, folder) = try await ToolRun.load(source(""), target)
        #expect(run.ended(.failed), "\(run.output)\(run.error)")
        #expect(run.output.contains(message), "\(run.output)")
        let junit = try XMLFile(try folder.data("Reports/load-junit.xml"))
        #expect(junit.all("failure").first?.attributes["message"]?.contains(message) == true)
        #expect(try folder.text("Reports/load.html").contains(message))
        #expect(try await ToolRun(["report", "Reports/load.json"], in: folder.path).ended(.failed))
        let (spoken, _) = try await ToolRun.load(source("user:connect() user:expect \"connected\""), target)
        #expect(!spoken.output.contains(message), "\(spoken.output)")
        #expect(spoken.ended(.success), "\(spoken.output)\(spoken.error)")
    }

    @Test("A user whose iterations are skipped at once waits ever longer, as one who fails does")
    func skipPauses() async throws {
        let (_, folder) = try await ToolRun.load(
            "workload { executor = \"constant_vus\", users = 1, duration = \"15s\" }\n"
                + "scenario(\"s\", function(t) t:skip \"later\" end)")
        let skipped = try folder.loadResult().totals().measurements.histogram(of: "skipped").sum
        #expect(2...8 ~= skipped, "\(skipped)")
    }

    @Test("Why iterations were skipped is told, by the run and by its reports")
    func skipReasons() async throws {
        let (run, folder) = try await ToolRun.load(
            Self.once.replacing("users = 2", with: "users = 9")
                + "scenario(\"s\", function(t) if t.user.number > 2 then t:skip(t.user.number == 3 and \"no stock\" "
                + "or \"no account\") end end)")
        #expect(run.ended(.success), "\(run.output)")
        let lines = "\nskipped     5 × no account\nskipped     1 × no stock\n"
        #expect(run.output.contains(lines), "\(run.output)")
        #expect(try folder.loadResult().totals().skips.map(\.reason) == ["no account", "no stock"])
        let json = try JSONReader.read(try folder.data("Reports/load.json"))
        let first: JSONValue = ["reason": "no account", "count": 5]
        #expect(json["shards"]?.array?.first?["skips"]?.array?.first == first)
        #expect(try folder.text("Reports/load.html").contains("Why iterations were skipped"))
        let report = try await ToolRun(["report", "Reports/load.json"], in: folder.path)
        #expect(report.output.contains(lines), "\(report.output)")
        let (many, _) = try await ToolRun.load(
            Self.once.replacing("users = 2", with: "users = 120")
                + "scenario(\"s\", function(t) t:skip(\"reason \" .. t.user.number) end)")
        #expect(many.output.contains("skipped     20 × further reasons, for 100 are told apart"), "\(many.output)")
        #expect(many.output.contains("skipped     96 × 96 other reasons"), "\(many.output)")
    }

    @Test("A rule that counts turns is declared before a user's first one, for users keep none")
    func lateTurns() async throws {
        let source = """
            local websocket = require "websocket"
            workload { executor = "per_vu_iterations", users = 1, iterations = 1 }
            scenario("echo", function(t)
                t:server(websocket, { echo = true })
                local client = t:actor(websocket)
                t:network { cut = true }
                client:connect()
                client:expect "connected"
                RULE
            end)
            """
        let rule = "t:within_turns(2, \"frame\", { text = \"hi\" })"
        let (late, _) = try await ToolRun.load(source.replacing("RULE", with: rule))
        #expect(late.output.contains("declare it before client does anything"), "\(late.output)")
        let early = source.replacing("RULE", with: "client:send \"hi\"")
            .replacing("client:connect()", with: rule + " client:connect()")
        let (run, _) = try await ToolRun.load(early)
        #expect(run.ended(.success), "\(run.output)")
    }

    @Test("A threshold without a sample and one on times that take no virtual time are broken, each for its reason")
    func vacuous() async throws {
        let source = """
            local websocket = require "websocket"
            workload { executor = "per_vu_iterations", users = 3, iterations = 2, max_duration = "1m",
                thresholds = { "p99(connect) < 250ms", "p99(delivery) < 1s" } }
            scenario("connects", function(t)
                local user = t:actor(websocket, { ledger = { sent = "$" } })   -- could send texts, and sends none
                user:connect()
                user:expect "connected"
                wait(1)
            end)
            """
        let (run, folder) = try await ToolRun.load(source)
        #expect(run.ended(.failed))
        #expect(
            run.output.contains("p99(connect) < 250ms: not evaluated, all 6 samples are 0, for nothing makes them"),
            "\(run.output)")
        #expect(run.output.contains("p99(delivery) < 1s: not evaluated, nothing was measured as \"delivery\""))
        #expect(!run.output.contains("timer_lateness"))
        #expect(try folder.loadResult().totals().measurements.metric(named: "timer_lateness") == nil)
        // What a script waits for takes virtual time, and is judged.
        let (waiting, _) = try await ToolRun.load(
            source.replacing("\"p99(connect) < 250ms\", \"p99(delivery) < 1s\"", with: "\"p99(iteration) < 2s\""))
        #expect(waiting.ended(.success), "\(waiting.output)")
    }

    @Test("A threshold about a metric of the script that nothing recorded is broken, in the run and in its report")
    func neverRecorded() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            workload { executor = "per_vu_iterations", users = 1, iterations = 1, thresholds = { "p95(orders) < 1s" } }
            scenario("orders", function() if now() > 1 then metric.time("orders", 1) end expect(1, 1) end)
            """)
        #expect(run.status == .failed, "\(run.output)")
        #expect(run.output.contains("p95(orders) < 1s: not evaluated, there is no metric \"orders\""), "\(run.output)")
        #expect(try XMLFile(try folder.data("Reports/load-junit.xml")).all("error").count == 1)
        let report = try await ToolRun(["report", "Reports/load.json"], in: folder.path)
        #expect(report.status == .failed, "\(report.output)")
    }

    @Test("An event that nothing expected fails a user as it fails a test, however many others came after it")
    func leftovers() async throws {
        let source =
            Self.once + """
                local websocket = require "websocket"
                scenario("talks", function(t)
                    local peer = t:server(websocket):peer "peer"
                    local user = t:actor(websocket)
                    user:connect()
                    peer:expect "connected"
                    peer:send "stray"
                    for number = 1, 60 do
                        peer:send("text " .. number)
                        user:expect("frame", { text = "text " .. number })
                    end
                end)
                """
        let message = "observed an event that nothing expected, first #2 frame"
        let folder = try TemporaryFolder()
        try folder.write(source, to: "load.lua")
        let test = try await ToolRun(["test", "load.lua"], in: folder.path)
        #expect(test.ended(.failed))
        #expect(test.output.contains(message), "\(test.output)")
        let (load, _) = try await ToolRun.load(source, in: folder)
        #expect(load.ended(.failed), "\(load.output)")
        #expect(load.output.contains("2 × leftover"))
        #expect(load.output.contains(message), "\(load.output)")
        let (allowed, _) = try await ToolRun.load(
            source.replacing("\"talks\",", with: "\"talks\", { allow = { \"frame\" } },"), in: folder)
        #expect(allowed.ended(.success), "\(allowed.output)")
    }

    @Test("What scripts count and measure is told as it was, in every output")
    func figures() async throws {
        let source = """
            workload { executor = "per_vu_iterations", users = 2, iterations = 5, max_duration = "1m",
                thresholds = { "count(orders) == 10", "sum(price) == -4.5", "min(score) == -5", "max(score) == -5",
                    "last(level) == -0.5", "rate(hits) == 100%", "p50(score) == -5" } }
            scenario("counts", function(t)
                metric.count "orders"
                metric.value("score", -5)
                metric.value("price", -0.45)
                metric.gauge("level", -0.5)
                metric.rate("hits", true)
                wait(1)
            end)
            """
        let (run, folder) = try await ToolRun.load(
            source,
            [
                "--clock", "virtual", "--csv", "l.csv", "--jsonl", "l.jsonl", "--prometheus", "l.prom", "--otlp",
                "l.json",
            ])
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        for text in ["count(orders) == 10: passed", "min(score) == -5: passed", "sum(price) == -4.5: passed"] {
            #expect(run.output.contains(text), "\(run.output)")
        }
        #expect(run.output.contains("score"))
        #expect(run.output.contains("\ncounted     hits 100% of 10, orders 10 (2/s)\n"), "\(run.output)")
        #expect(try folder.text("l.prom").contains("\nrepartee_orders_total 10\n"))
        #expect(try folder.text("l.prom").contains("\nrepartee_score_sum -50\n"))
        #expect(try folder.text("l.csv").contains(",orders,,counter,number,"))
        #expect(try folder.text("l.jsonl").contains("\"min\":-5"))
        #expect(try !folder.text("l.json").contains("3000"))
        let (wrong, _) = try await ToolRun.load(Self.once + "scenario(\"s\", function() metric.count(\"x\", -1) end)")
        #expect(wrong.output.contains("metric.count only counts up; use metric.gauge"), "\(wrong.output)")
    }

    @Test("JUnit and JSON say what was run, and the command that runs it again is one that works")
    func identity() async throws {
        let source = Self.once + "scenario(\"s\", function() expect(1, 2) end)"
        let (run, folder) = try await ToolRun.load(
            source, ["--clock", "virtual", "--threshold", "rate(failures) < 1%"])
        #expect(run.ended(.failed))
        let junit = try folder.text("Reports/load-junit.xml")
        #expect(junit.contains("<property name=\"clock\" value=\"virtual\"/>"))
        #expect(junit.contains("<property name=\"target\" value=\"embedded\"/>"))
        let replay = try #require(
            junit.split(separator: "\n").first { $0.contains("replay") }.map(String.init))
        #expect(
            replay.contains(
                "repartee load load.lua --threshold 'rate(failures) &lt; 1%' --seed 7 --clock virtual"), "\(replay)")
        let again = try await ToolRun(
            ["load", "load.lua", "--threshold", "rate(failures) < 1%", "--seed", "7", "--clock", "virtual"],
            in: folder.path)
        #expect(again.ended(.failed))
        #expect(try folder.text("Reports/load.json").contains("\"clock\":\"virtual\""))
        // Only the run itself takes the time of the run.
        let times = try XMLFile(Data(junit.utf8)).all("testcase").compactMap { $0.attributes["time"] }
        #expect(times.dropFirst().allSatisfy { $0 == "0.000" })
    }

    @Test(
        "Users who fail without a threshold on failures fail the run, its JUnit file, and every report of its result",
        arguments: [
            ("expect(1, 2)", ToolStatus.failed, "<failure"), ("error 'oh'", .script, "<error"),
        ])
    func failingUsers(statement: String, status: ToolStatus, element: String) async throws {
        let (run, folder) = try await ToolRun.load(
            Self.once + "scenario(\"s\", function(t) wait(t.user.number) \(statement) end)")
        #expect(run.status == status, "\(run.output)\(run.error)")
        let junit = try folder.text("Reports/load-junit.xml")
        #expect(junit.contains(element) && junit.contains("every user passes"), "\(junit)")
        let again = try await ToolRun(["report", "Reports/load.json"], in: folder.path)
        #expect(again.status == status, "\(again.output)\(again.error)")
        #expect(again.output.contains("first user 0 at "), "\(again.output)")
        let quiet = try await ToolRun(["report", "Reports/load.json", "--junit", "again.xml"], in: folder.path)
        #expect(quiet.status == status)
        #expect(try folder.text("again.xml").contains(element))
        #expect(try folder.text("Reports/load.html").contains("first user 0 at "))
    }

    @Test("Every cause has the conversation of the first who had it, also one that no expectation tells")
    func conversations() async throws {
        let (run, folder) = try await ToolRun.load(
            Self.once + """
                local websocket = require "websocket"
                scenario("s", function(t)
                    local peer = t:server(websocket):peer "peer"
                    local user = t:actor(websocket)
                    user:connect()
                    user:expect "connected"
                    error "oh"
                end)
                """)
        #expect(run.status == .script)
        let causes = try folder.loadResult().totals().causes
        #expect(causes.count == 1)
        let detail = try #require(causes.first?.detail)
        #expect(detail.contains("timeline") && detail.contains("of peer") && detail.contains("#1"), "\(detail)")
    }

    @Test("Saved results give every report that is asked for, and what they cannot give is refused")
    func reports() async throws {
        let (_, folder) = try await ToolRun.load(Self.once + "scenario(\"s\", function() expect(1, 1) end)")
        let result = "Reports/load.json"
        let all = try await ToolRun(
            [
                "report", result, "--junit", "a.xml", "--junit", "b.xml,profile=ant", "--ctrf", "c.json", "--tap",
                "t.tap",
                "--github", "--html", "h.html",
            ], in: folder.path)
        #expect(all.ended(.success), "\(all.error)")
        #expect(try XMLFile(try folder.data("b.xml")).all("testcase").count > 0)
        #expect(try folder.text("t.tap").contains("ok 1 - load.lua: the run ends"))
        #expect(try folder.text("c.json").contains("\"the run ends\""))
        for option in [["--record", "r.jsonl"], ["--unfinished"], ["--junit", "x.xml,profile=none"]] {
            let run = try await ToolRun(["report", result] + option, in: folder.path)
            #expect(run.status == .usage, "\(option)")
        }
        #expect(!folder.has("r.jsonl"))
    }

    @Test("GitHub is told what a load run came to, with its times, by the run itself and by the report of its result")
    func github() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.once + "scenario(\"s\", function() wait \"100ms\" expect(1, 1) end)", to: "load.lua")
        let bound = "p50(iteration) < 1ms"
        for (number, arguments) in [
            ["load", "load.lua", "--seed", "7", "--clock", "virtual", "--threshold", bound, "--github"],
            ["report", "Reports/load.json", "--github"],
        ].enumerated() {
            let summary = "summary-\(number).md"
            let run = try await ToolRun(
                arguments, in: folder.path, variables: ["GITHUB_STEP_SUMMARY": folder.path + "/" + summary])
            #expect(run.status == .failed, "\(run.output)\(run.error)")
            let annotation = "::error file=load.lua,line=1,title=\(bound)::\(bound): failed with 100ms%0A"
            #expect(run.output.contains(annotation), "\(run.output)")
            if number == 0 { #expect(run.output.hasSuffix("failed      \(bound)\n"), "\(run.output)") }
            let text = try folder.text(summary)
            #expect(text.contains("\n| | count | p50 | p95 | p99 |\n"), "\(text)")
            #expect(text.contains("\n| iteration | 2 | 100ms | 100ms | 100ms |\n"), "\(text)")
        }
        let part = try await ToolRun(
            ["load", "load.lua", "--github", "--run", "r", "--shard", "1/2"], in: folder.path)
        #expect(part.status == .usage && part.error.contains("--github shows the whole of one run; leave out --shard"))
    }

    @Test(
        "A folder keeps the reports of a test and of a load run beside each other, and the last run may be the baseline"
    )
    func folder() async throws {
        let source = Self.once + "scenario(\"s\", function() wait(1) end)"
        let folder = try TemporaryFolder()
        try folder.write(source, to: "load.lua")
        _ = try await ToolRun(["test", "load.lua", "--reports", "Reports"], in: folder.path)
        let junit = try folder.data("Reports/junit.xml")
        let arguments = ["--clock", "virtual", "--threshold", "p50(iteration) vs baseline < 5%"]
        _ = try await ToolRun.load(source, in: folder)
        #expect(try folder.data("Reports/junit.xml") == junit)
        let (second, _) = try await ToolRun.load(source, arguments + ["--baseline", "Reports/load.json"], in: folder)
        #expect(second.ended(.success), "\(second.output)\(second.error)")
        #expect(!second.output.contains("the baseline"), "\(second.output)")
    }

    @Test("A baseline that is missing, in vain or of the other clock is refused; one of another file is told")
    func baselines() async throws {
        let source = Self.once + "scenario(\"s\", function() wait \"100ms\" end)"
        let folder = try TemporaryFolder()
        _ = try await ToolRun.load(source, ["--clock", "virtual", "--reports", "before"], in: folder)
        let baseline = ["--baseline", "before/load.json"]
        let threshold = ["--threshold", "p50(iteration) vs baseline < +500%"]
        let (vain, _) = try await ToolRun.load(source, ["--clock", "virtual"] + baseline, in: folder)
        #expect(vain.status == .usage && vain.output.isEmpty, "\(vain.output)\(vain.error)")
        #expect(vain.error.contains("no threshold of the run compares with it; let one do so"), "\(vain.error)")
        let (without, _) = try await ToolRun.load(source, ["--clock", "virtual"] + threshold, in: folder)
        #expect(without.status == .usage && without.output.isEmpty, "\(without.output)\(without.error)")
        #expect(without.error.contains("p50(iteration) vs baseline < +500%: there is no run"), "\(without.error)")
        let (real, _) = try await ToolRun.load(source, ["--clock", "real"] + baseline + threshold, in: folder)
        #expect(real.status == .usage && real.output.isEmpty, "\(real.output)\(real.error)")
        #expect(
            real.error.contains("that run was in virtual time, and this one is in real time"), "\(real.error)")
        try folder.write(source, to: "other.lua")
        let other = try await ToolRun(
            ["load", "other.lua", "--clock", "virtual"] + baseline + threshold, in: folder.path)
        #expect(other.ended(.success), "\(other.output)\(other.error)")
        let note = "the baseline before/load.json is of load.lua, and this run plays other.lua"
        #expect(other.output.contains(note), "\(other.output)")
        #expect(try folder.text("Reports/load.html").contains("<p class=\"note\">\(note)"))
    }

    @Test("The baseline of a result is named once more where reports are made of it, and judges it as it did")
    func reportedBaseline() async throws {
        func source(_ wait: String) -> String { Self.once + "scenario(\"s\", function() wait \"\(wait)\" end)" }
        let folder = try TemporaryFolder()
        let clock = ["--clock", "virtual"]
        let (_, _) = try await ToolRun.load(source("100ms"), clock + ["--reports", "before"], in: folder)
        let threshold = ["--threshold", "p50(iteration) vs baseline < +50%"]
        let baseline = ["--baseline", "before/load.json"]
        let (slow, _) = try await ToolRun.load(
            source("200ms"), clock + threshold + baseline + ["--reports", "slow"], in: folder)
        #expect(slow.status == .failed, "\(slow.output)\(slow.error)")
        let (same, _) = try await ToolRun.load(
            source("100ms"), clock + threshold + baseline + ["--reports", "same"], in: folder)
        #expect(same.ended(.success), "\(same.output)\(same.error)")

        func report(_ arguments: [String]) async throws -> ToolRun {
            try await ToolRun(["report"] + arguments, in: folder.path)
        }
        let again = try await report(["slow/load.json", "--junit", "slow.xml"] + baseline)
        #expect(again.status == .failed, "\(again.output)\(again.error)")
        #expect(try folder.text("slow.xml").contains("failures=\"1\""))
        let good = try await report(["same/load.json", "--junit", "same.xml", "--html", "same.html"] + baseline)
        #expect(good.ended(.success), "\(good.output)\(good.error)")
        #expect(try folder.text("same.xml").contains("failures=\"0\""))
        #expect(try await report(["same/load.json"] + baseline).ended(.success))
        // Without it nothing can be said, which is no success.
        #expect(try await report(["same/load.json"]).status != .success)

        for (arguments, reason) in [
            (["before/load.json"] + baseline, "no threshold of the run compares with it"),
            (["same/load.json", "--baseline", "none.json"], "none.json cannot be read"),
            (["--compare", "before/load.json", "same/load.json"] + baseline, "without --compare"),
        ] {
            let refused = try await report(arguments)
            #expect(refused.status == .usage && refused.error.contains(reason), "\(refused.output)\(refused.error)")
        }
        _ = try await ToolRun(["test", "load.lua", "--reports", "Tested"], in: folder.path)
        let test = try await report(["Tested/run.jsonl"] + baseline)
        #expect(test.status == .usage && test.error.contains("--baseline is of load tests"), "\(test.error)")
    }
}

@Suite(
    "A load run that is killed", .waitsForProcesses,
    .enabled(if: Product.program != nil, "needs the program that the build makes"))
struct LoadKillTests {
    private static let source = """
        workload { executor = "constant_vus", users = 5, duration = "700h" }
        scenario("waits", function() wait "100ms" end)
        """

    @Test("leaves a result that says so, and no report of it is green", arguments: [["--clock", "virtual"], []])
    func killed(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.source, to: "load.lua")
        try folder.write("<testsuites/>", to: "Reports/load-junit.xml")
        let tool = try ToolProcess(["load", "load.lua", "--seed", "1"] + arguments, in: folder.path)
        #expect(tool.line(containing: "load.lua: 5 users") != nil)
        try Moment.iterations.wait(for: tool, in: folder)
        let second = try ToolProcess(["load", "load.lua", "--clock", "virtual"], in: folder.path).end()
        #expect(second.code == 2)
        #expect(second.output.contains("another run (process "), "\(second.output)")
        tool.send(SIGKILL)
        #expect(tool.end().code == -SIGKILL)
        #expect(try LoadRunResult(folder).ending == .unfinished)
        let junit = try XMLFile(try folder.data("Reports/load-junit.xml"))
        #expect(junit.all("error").first?.attributes["message"]?.hasPrefix("the run did not end: ") == true)
        #expect(try folder.text("Reports/load.html").contains("<title>the run did not end: "))
        let report = try await ToolRun(
            ["report", "Reports/load.json", "--junit", "j.xml", "--html", "h.html"], in: folder.path)
        #expect(report.status == .harness)
        let printed = try await ToolRun(["report", "Reports/load.json"], in: folder.path)
        #expect(printed.status == .harness)
        #expect(printed.output.contains("the run did not end: "))
        #expect(try XMLFile(try folder.data("j.xml")).all("error").count == 1)
        let baseline = try await ToolRun(
            ["load", "load.lua", "--clock", "virtual", "--baseline", "Reports/load.json"], in: folder.path)
        #expect(baseline.status == .usage)
        #expect(baseline.error.contains("compare with a run that ended"))
        let compared = try await ToolRun(
            ["report", "--compare", "Reports/load.json", "Reports/load.json"], in: folder.path)
        #expect(compared.status == .usage)
    }

    /// How far a run has come: each is a sign that can be waited for.
    enum Moment: CaseIterable {
        case started, told, report, result, iterations

        func wait(for tool: ToolProcess, in folder: TemporaryFolder) throws {
            switch self {
            case .started: break
            case .told: #expect(tool.line(containing: "load.lua: 5 users") != nil)
            case .report: try folder.wait(for: "Reports/load-junit.xml") { !$0.isEmpty }
            case .result: try folder.wait(for: "Reports/load.json") { !$0.isEmpty }
            case .iterations:
                try folder.wait(for: "Reports/load.json") { _ in
                    ((try? LoadRunResult(folder).count("iterations")) ?? 0) > 0
                }
            }
        }
    }

    @Test("leaves a whole result wherever it is killed, or none", arguments: Moment.allCases)
    func anyMoment(moment: Moment) throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.source, to: "load.lua")
        let tool = try ToolProcess(["load", "load.lua", "--clock", "virtual"], in: folder.path)
        try moment.wait(for: tool, in: folder)
        tool.send(SIGKILL)
        #expect(tool.end().code == -SIGKILL)
        if folder.has("Reports/load.json") {
            #expect(try LoadRunResult(folder).ending == .unfinished)
        } else {
            #expect(![.result, .iterations].contains(moment))
        }
        if folder.has("Reports/load-junit.xml") {
            #expect(try XMLFile(try folder.data("Reports/load-junit.xml")).all("error").count == 1)
        } else {
            #expect(![.report, .iterations].contains(moment))
        }
    }
}
