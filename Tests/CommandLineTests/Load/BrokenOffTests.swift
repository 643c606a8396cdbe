import CommandLine
import JSON
import Metrics
import Testing

@Suite("Users of a load run who are broken off")
struct BrokenOffTests {
    /// Four users, of whom the first plays again and again; the others never end what `body` lets them begin.
    private static func script(_ extra: String = "", body: String = "wait(600)") -> String {
        """
        workload { executor = "constant_vus", users = 4, duration = "2s", graceful_stop = "1s", \(extra) }
        scenario("waits", { timeout = "1h" }, function(t)
            if t.user.number == 0 then wait "1s" else \(body) end
        end)
        """
    }

    private static let message = "users were broken off before they had ended an iteration"

    @Test("fail the run if they never ended an iteration, in all reports")
    func neverEnded() async throws {
        let (run, folder) = try await ToolRun.load(Self.script())
        #expect(run.ended(.failed), "\(run.output)\(run.error)")
        #expect(run.output.contains("2 iterations of 5 planned, 3 broken off\n"), "\(run.output)")
        #expect(run.output.contains("\n3 × broken_off, at 3"), "\(run.output)")
        #expect(run.output.contains("\n\(Self.message); look at what they wait for"), "\(run.output)")
        #expect(run.output.hasSuffix("\nfailed      3 × broken_off\n"), "\(run.output)")
        let totals = try folder.loadResult().totals()
        #expect(totals.measurements.histogram(of: "broken_off").sum == 3)
        let cause = try #require(totals.causes.first)
        #expect(totals.causes.count == 1 && cause.kind == "broken_off" && cause.count == 3)
        #expect(cause.user == nil && !cause.isError)
        let failure = try #require(try XMLFile(try folder.data("Reports/load-junit.xml")).all("failure").first)
        #expect(failure.attributes["type"] == "broken_off")
        #expect(failure.attributes["message"]?.hasPrefix("3 × \(Self.message) (at 3") == true)
        #expect(try folder.text("Reports/load.html").contains(Self.message))
        let report = try await ToolRun(["report", "Reports/load.json"], in: folder.path)
        #expect(report.ended(.failed) && report.output.contains("3 × broken_off"), "\(report.output)")
    }

    @Test("are told of by the first of them: what it waited for, and what it had observed")
    func example() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            local websocket = require "websocket"
            workload { executor = "constant_vus", users = 2, duration = "1s", graceful_stop = "1s" }
            scenario("waits for an answer", function(t)
                local peer = t:server(websocket):peer "peer"
                local client = t:actor(websocket)
                client:connect()
                client:expect "connected"
                peer:expect "connected"
                peer:send "Nobody is here."
                spawn(function() wait "1h" end)
                client:expect("frame", { text = "Good morning" }, { within = "1h" })
            end)
            """)
        #expect(run.ended(.failed), "\(run.output)\(run.error)")
        for text in [
            "\n2 × broken_off, at 2s\n", ". User 0 was one of them:\n", "client:expect(\"frame\"", "(line 11)",
            "text=\"Nobody is here.\"",
        ] { #expect(run.output.contains(text), "\(text) in \(run.output)") }
        #expect(try folder.text("Reports/load-junit.xml").contains("Nobody is here."))
    }

    @Test("are no failure if they have ended one before, and are counted from 0")
    func later() async throws {
        let (run, folder) = try await ToolRun.load(
            Self.script(
                "thresholds = { \"count(broken_off) == 3\" }",
                body: "if t.user.iteration > 0 then wait(600) else wait \"1500ms\" end"))
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        #expect(try folder.loadResult().totals().causes.isEmpty)
        let (none, _) = try await ToolRun.load(
            Self.script("thresholds = { \"count(broken_off) == 0\" }", body: "wait \"1s\""))
        #expect(none.ended(.success), "\(none.output)\(none.error)")
    }

    @Test(
        "fail the run if the iteration had lasted more than twice as long as any that had ended, as with a dead server")
    func stuck() async throws {
        let body = "if t.user.iteration > 0 then wait(600) end"
        let (run, folder) = try await ToolRun.load(
            Self.script("thresholds = { \"rate(failures) == 0\" }", body: body))
        #expect(run.ended(.failed), "\(run.output)\(run.error)")
        #expect(
            run.output.contains(
                "\nusers were broken off in an iteration that had lasted more than twice as long as any that had "
                    + "ended; look at what they wait for"), "\(run.output)")
        #expect(run.output.contains(". User 1 was one of them:\n"), "\(run.output)")
        let causes = try folder.loadResult().totals().causes
        #expect(causes.map(\.kind) == ["broken_off"] && causes.first?.count == 3, "\(causes)")
        let (judged, _) = try await ToolRun.load(
            Self.script("thresholds = { \"count(broken_off) < 4\" }", body: body))
        #expect(judged.ended(.success), "\(judged.output)\(judged.error)")
    }

    @Test("say so of both who never ended an iteration and who were stuck in a later one")
    func both() async throws {
        let (run, _) = try await ToolRun.load(
            Self.script(body: "if t.user.number == 1 or t.user.iteration > 0 then wait(600) end"))
        #expect(run.ended(.failed), "\(run.output)\(run.error)")
        #expect(
            run.output.contains(
                "\nusers were broken off before they had ended an iteration, or in one that had lasted more than"),
            "\(run.output)")
        #expect(run.output.hasSuffix("\nfailed      3 × broken_off\n"), "\(run.output)")
    }

    @Test(
        "have failed where something had gone wrong before, and are not among those then",
        arguments: [
            "check(1, 2) wait \"1500ms\"", "spawn(function() check(1, 2) end) wait \"1500ms\"",
            "t:defer(function() wait \"1500ms\" end) expect(1, 2)",
        ])
    func failedBefore(body: String) async throws {
        func load(_ threshold: String) async throws -> (run: ToolRun, folder: TemporaryFolder) {
            try await ToolRun.load(
                """
                workload { executor = "constant_vus", users = 2, duration = "2s", graceful_stop = "0s",
                    thresholds = { "\(threshold)" } }
                scenario("fails", function(t) if t.user.iteration == 0 then wait "1s" else \(body) end end)
                """)
        }
        let (run, folder) = try await load("count(broken_off) == 0")
        #expect(run.ended(.failed), "\(run.output)\(run.error)")
        #expect(run.output.contains("4 iterations of 4 planned\n"), "\(run.output)")
        #expect(run.output.contains("\nexpected 2, got 1\n"), "\(run.output)")
        let totals = try folder.loadResult().totals()
        #expect(totals.causes.count == 1 && totals.causes.first?.count == 2, "\(totals.causes)")
        #expect(totals.measurements.histogram(of: "failures").sum == 2)
        // The threshold on failures answers for them.
        let (judged, _) = try await load("rate(failures) <= 50%")
        #expect(judged.ended(.success), "\(judged.output)\(judged.error)")
    }

    @Test("fail nothing where a ramp leaves them while others play on")
    func rampedDown() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            workload { executor = "ramping_vus", start_users = 4, graceful_ramp_down = "100ms", stages = {
                { duration = "3s", target = 4 }, { duration = "1s", target = 1 }, { duration = "3s", target = 1 } } }
            scenario("waits", function() wait "1050ms" end)
            """)
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        let totals = try folder.loadResult().totals()
        #expect(totals.causes.isEmpty, "\(totals.causes)")
        #expect(totals.measurements.histogram(of: "broken_off").sum == 3)
        #expect(totals.measurements.histogram(of: "failures").sum == 0)
    }

    @Test(
        "may be as many as a threshold on the whole run says",
        arguments: [
            ("count(broken_off) < 4", true, ToolStatus.success), ("count(broken_off) < 3", true, .failed),
            ("rate(failures) == 0", false, .failed), ("count(broken_off) < 4 during \\\"run\\\"", false, .failed),
        ])
    func judged(threshold: String, isJudge: Bool, status: ToolStatus) async throws {
        let (run, folder) = try await ToolRun.load(Self.script("thresholds = { \"\(threshold)\" }"))
        #expect(run.status == status, "\(run.output)\(run.error)")
        let junit = try folder.text("Reports/load-junit.xml")
        #expect(junit.contains("<failure") == (status == .failed), "\(junit)")
        #expect(junit.contains("judged by count(broken_off) &lt; ") == isJudge, "\(junit)")
    }

    @Test("are judged role by role, as failures are")
    func roles() async throws {
        func run(_ body: String) async throws -> ToolRun {
            let (run, _) = try await ToolRun.load(
                Self.script(
                    "roles = { buyer = 1, seller = 1 }, thresholds = { \"count(broken_off{role=seller}) < 4\" }",
                    body: body))
            return run
        }
        let sellers = try await run("if t.user.role == \"seller\" then wait(600) else wait \"1s\" end")
        #expect(sellers.ended(.success) && sellers.output.contains("broken off"), "\(sellers.output)\(sellers.error)")
        let all = try await run("wait(600)")
        #expect(all.ended(.failed), "\(all.output)\(all.error)")
    }

    @Test("are no cause of their own where a threshold ended the run")
    func aborted() async throws {
        let (run, folder) = try await ToolRun.load(
            Self.script(
                "thresholds = { \"rate(failures) < 10% abort\" }",
                body: "if t.user.number == 1 then expect(1, 2) end wait(600)"))
        #expect(run.ended(.failed), "\(run.output)\(run.error)")
        let totals = try folder.loadResult().totals()
        #expect(totals.measurements.histogram(of: "broken_off").sum > 0)
        #expect(totals.causes.map(\.kind) == ["expect"], "\(run.output)")
    }

    @Test("break the load of a trial of --find")
    func trial() async throws {
        let (run, _) = try await ToolRun.load(
            """
            workload { graceful_stop = "1s", think_time = "1s" }
            scenario("s", { timeout = "1h" }, function(t) if t.user.number < 3 then wait(1) else wait(600) end end)
            """,
            ["--clock", "virtual", "--find", "rate(failures) == 0", "--find-from", "2", "--find-to", "8"])
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        #expect(run.output.contains("capacity    3 users; at 4 users it broke: 1 × broken_off: "), "\(run.output)")
    }
}
