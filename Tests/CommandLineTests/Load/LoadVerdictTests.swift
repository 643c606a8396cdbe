import CommandLine
import Metrics
import Testing

@Suite("What thresholds of a load run answer for")
struct LoadVerdictTests {
    private func run(_ thresholds: String, body: String, roles: String = "") async throws -> ToolRun {
        try await Self.load(thresholds, body: body, roles: roles).run
    }

    private static func load(
        _ thresholds: String, body: String, roles: String = ""
    ) async throws -> (run: ToolRun, folder: TemporaryFolder) {
        try await ToolRun.load(
            """
            workload { executor = "shared_iterations", users = 2, iterations = 4, \(roles)
                thresholds = { \(thresholds) } }
            scenario("order", function(t) wait "100ms" \(body) end)
            """, ["--clock", "virtual", "--cores", "1"])
    }

    @Test(
        "A tag that samples of a metric never have is refused, whatever else holds",
        arguments: [
            ("count(failures{scenario=\\\"order\\\"}) == 0", "samples of failures have no tag \"scenario\""),
            ("count(iterations{rle=x}) > 0", "did you mean \"role\"?"),
            ("count(failures{role=x}) == 0", "the users of this run have no roles"),
            ("max(users{role=x}) < 9", "samples of users have no tag \"role\""),
        ])
    func unknownTag(threshold: String, message: String) async throws {
        let run = try await self.run("\"\(threshold)\"", body: "expect(1, 1)")
        #expect(run.status == .script, "\(run.output) \(run.error)")
        #expect(run.error.contains(message), "\(run.error)")
    }

    private static let roles = "roles = { buyer = 1, seller = 1 },"

    @Test("A threshold on the failures of one role does not answer for those of another")
    func otherRole() async throws {
        let body = "if t.user.role == \"seller\" then expect(1, 2) end"
        let one = try await self.run("\"count(failures{role=buyer}) == 0\"", body: body, roles: Self.roles)
        #expect(one.status == .failed, "\(one.output) \(one.error)")
        let both = try await self.run(
            "\"count(failures{role=buyer}) == 0\", \"count(failures{role=seller}) < 9\"", body: body, roles: Self.roles)
        #expect(both.status == .success, "\(both.output) \(both.error)")
        let misspelt = try await self.run("\"count(failures{role=byer}) == 0\"", body: body, roles: Self.roles)
        #expect(misspelt.error.contains("there is no role \"byer\"; did you mean \"buyer\"?"), "\(misspelt.error)")
    }

    @Test(
        "What the tool or Lua finds wrong is a mistake of the script, whatever its own words are",
        arguments: [
            ("expct(1, 1)", "usage", ToolStatus.script), ("t:wiat()", "usage", .script),
            ("random.integer(2, 1)", "argument", .script), ("string.rep(\"x\", nil)", "runtime", .script),
            ("local _, why = pcall(function() local none; none.x = 1 end) error(why, 0)", "runtime", .script),
            ("error(\"the attempt to log in failed\")", "script", .success),
            ("assert(false, \"gone\")", "assertion", .success),
        ])
    func kinds(body: String, kind: String, status: ToolStatus) async throws {
        let (run, folder) = try await Self.load("\"rate(failures) <= 100%\"", body: body)
        #expect(run.status == status, "\(run.output)")
        #expect(try folder.loadResult().totals().causes.map(\.kind) == [kind], "\(run.output)")
    }

    @Test("A run of which every iteration is a mistake of the script does not play its whole time, and says so")
    func hopeless() async throws {
        func load(_ body: String) async throws -> (ToolRun, TemporaryFolder) {
            try await ToolRun.load(
                """
                workload { executor = "constant_vus", users = 2, duration = "2m" }
                scenario("order", function(t) wait "1s" \(body) end)
                """, ["--clock", "virtual", "--cores", "1"])
        }
        let (run, folder) = try await load("expct(1, 1)")
        let totals = try folder.loadResult().totals()
        #expect(run.status == .script, "\(run.output)")
        #expect(totals.ending == .mistaken && 10_000_000..<60_000_000 ~= totals.durationMicroseconds)
        #expect(run.output.contains("ended       before its time: every iteration was a mistake of the script"))
        #expect(run.output.contains("error       ended early, for every iteration was a mistake of the script; "))
        #expect(try folder.text("Reports/load.html").contains("every iteration was a mistake of the script"))
        #expect(try folder.text("Reports/load-junit.xml").contains("every iteration was a mistake of the script"))
        // What one user plays well, or the script says of the other side, is worth the time that was asked for.
        for body in ["if t.user.number == 0 then expct(1, 1) end", "error(\"the server has gone\", 0)"] {
            let (run, folder) = try await load(body)
            let totals = try folder.loadResult().totals()
            #expect(run.status == .script, "\(run.output)")
            #expect(totals.ending == .finished && totals.durationMicroseconds >= 100_000_000, "\(run.output)")
        }
    }

    @Test("An iteration that has been played is not skipped, and no threshold excuses that", arguments: [true, false])
    func skippedLate(isHook: Bool) async throws {
        let (hook, body) =
            isHook
            ? ("after_each(function(t) t:skip \"late\" end)", "")
            : ("", "t:defer(function() t:skip \"late\" end)")
        let (run, folder) = try await ToolRun.load(
            """
            workload { executor = "per_vu_iterations", users = 2, iterations = 1, max_duration = "1m",
                thresholds = { "rate(failures) <= 100%" } }
            \(hook)
            scenario("s", function(t) \(body) expect(1, 1) end)
            """, ["--clock", "virtual", "--cores", "1"])
        #expect(run.status == .script, "\(run.output)")
        let measurements = try folder.loadResult().totals().measurements
        #expect(measurements.histogram(of: "failures").sum == 2, "\(run.output)")
    }

    @Test("No threshold excuses a mistake of the script; what it raises itself may be about the server")
    func scriptError() async throws {
        let run = try await self.run("\"rate(failures) <= 100%\"", body: "local none; none.x = 1")
        #expect(run.status == .script, "\(run.output)")
        // Nor is it the server's where it breaks the threshold.
        for threshold in ["rate(failures) < 1%", "rate(failures) < 1% abort"] {
            let broken = try await self.run("\"\(threshold)\"", body: "local none; none.x = 1")
            #expect(broken.status == .script, "\(broken.output)")
            #expect(broken.output.contains("\nerror       "), "\(broken.output)")
        }
        let failing = try await self.run("\"rate(failures) <= 100%\"", body: "error(\"the server has gone\", 0)")
        #expect(failing.status == .success, "\(failing.output)")
        #expect(failing.output.contains("replay      repartee load"), "\(failing.output)")
    }

    @Test(
        "A mistake counts also where a check did not hold before it; what comes behind a failure may be of its making",
        arguments: [
            ("check(1, 2) expct(1, 1)", ToolStatus.script, "4 × usage"),
            ("t:defer(function() expct(1, 1) end) expect(1, 2)", .success, "4 × expect,"),
            ("check(1, 2)", .success, "4 × check,"),
        ])
    func behindCheck(body: String, status: ToolStatus, cause: String) async throws {
        let run = try await self.run("\"rate(failures) <= 100%\"", body: body)
        #expect(run.status == status, "\(run.output)")
        #expect(run.output.contains("\n\(cause)"), "\(run.output)")
    }

    @Test(
        "A threshold on the failures of one phase, or of the last seconds, or on the least, excuses no others",
        arguments: [
            ("count(failures) < 1000 during \\\"up\\\"", ToolStatus.failed), ("count(failures) < 1000", .success),
            ("rate(failures) <= 100% every 1s window", .success), ("rate(failures) <= 100% over last 1s", .failed),
            ("rate(failures) <= 100% over last 1s abort", .success), ("rate(failures) > 1%", .failed),
        ])
    func otherPhase(threshold: String, status: ToolStatus) async throws {
        let (run, folder) = try await ToolRun.load(
            """
            workload { executor = "ramping_vus",
                stages = { { name = "up", duration = "1s", target = 2 }, { name = "steady", duration = "2s", target = 2 } },
                thresholds = { "\(threshold)" } }
            scenario("fails", function(t) wait "100ms" expect(1, 2) end)
            """)
        #expect(run.status == status, "\(run.output)\(run.error)")
        #expect(run.output.contains(": passed"), "\(run.output)")
        let junit = try XMLFile(try folder.data("Reports/load-junit.xml"))
        #expect(junit.all("failure").isEmpty == (status == .success))
    }

    @Test("Skipped iterations dilute neither the share of failures nor the times, and the JUnit file tells them")
    func skipped() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            workload { executor = "per_vu_iterations", users = 10, iterations = 1,
                thresholds = { "rate(failures) <= 15%", "min(iteration) > 500ms" } }
            scenario("half of them", function(t)
                if t.user.number % 2 == 0 then t:skip "later" end
                wait "1s"
                expect(t.user.number == 3, false)
            end)
            """)
        #expect(run.status == .failed, "\(run.output)\(run.error)")
        #expect(run.output.contains("rate(failures) <= 15%: failed with 20%"), "\(run.output)")
        #expect(run.output.contains("min(iteration) > 500ms: passed"), "\(run.output)")
        let measured = try folder.loadResult().totals().measurements
        #expect(["failures", "iteration"].map { measured.histogram(of: $0).count } == [5, 5])
        #expect(["iterations", "skipped"].map { measured.histogram(of: $0).sum } == [10, 5])
        let junit = try folder.text("Reports/load-junit.xml")
        #expect(junit.contains("5 of 10 iterations were skipped") && junit.contains("5 × later"), "\(junit)")
    }

    @Test("What is asked in a phase and answered after it counts in that phase, in which its user waited for it")
    func phases() async throws {
        // The second iteration begins at 1.98 s, is over at 2.5 s, and 50 ms later its user is.
        let (run, _) = try await ToolRun.load(
            """
            workload { executor = "constant_vus", users = 1, duration = "2.2s",
                phases = { { name = "steady", from = "0s", to = "2s" } },
                thresholds = { 'count(iteration) == 2 during "steady"', 'count(answer) == 2 during "steady"',
                    'count(iterations) == 1 during "steady"', 'count(delay) == 1 during "steady"' } }
            scenario("asks", function(t)
                local began = now()
                wait(t.user.iteration == 0 and "1930ms" or "520ms")
                metric.time("answer", now() - began)
                metric.value("delay", now() - began)
            end)
            """)
        #expect(run.ended(.success), "\(run.output)\(run.error)")
    }

    @Test("Thresholds are listed with marks, those that did not hold first, and one that is asked for twice once")
    func list() async throws {
        let (run, _) = try await ToolRun.load(
            """
            workload { executor = "per_vu_iterations", users = 2, iterations = 1,
                thresholds = { "min(iteration) > 500ms", "max(iteration) < 500ms" } }
            scenario("waits", function(t) wait "1s" expect(1, 1) end)
            """, ["--clock", "virtual", "--threshold", "min(iteration) > 500ms"])
        #expect(run.status == .failed, "\(run.output)\(run.error)")
        let marked = run.output.split(separator: "\n").filter { $0.hasPrefix("✓ ") || $0.hasPrefix("✗ ") }
        #expect(
            marked.map { $0.prefix { $0 != ":" } } == ["✗ max(iteration) < 500ms", "✓ min(iteration) > 500ms"],
            "\(run.output)")
    }

    @Test(
        "A figure that cannot be counted is an error of the script",
        arguments: [
            ("metric.count(\"orders\") metric.gauge(\"orders\", 7)", "\"orders\" is a counter"),
            ("metric.count(\"orders\", 1, { kind = { \"a\", \"b\" } })", "the tag kind is a text"),
        ])
    func figures(body: String, message: String) async throws {
        let run = try await self.run("\"count(iterations) > 0\"", body: body)
        #expect(run.status == .script, "\(run.output)")
        #expect(run.output.contains(message), "\(run.output)")
    }
}
