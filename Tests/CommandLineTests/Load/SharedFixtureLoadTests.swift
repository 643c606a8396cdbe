import CommandLine
import Metrics
import Testing

@Suite("Fixtures that the users of a load run share")
struct SharedFixtureLoadTests {
    private static func script(_ body: String, deferred: String = "") -> String {
        """
        workload { executor = "per_vu_iterations", users = 5, iterations = 3, max_duration = "1m" }
        fixture("tenant", { scope = "run" }, function(t) return { name = random.uuid() } end)
        fixture("account", { scope = "file" }, function(t)
            t:defer(function() wait(0.2) \(deferred) end)
            \(body)
            return { id = random.uuid(), uses = 0 }
        end)
        scenario("uses", function(t)
            local account = t:use "account"
            -- Each use is a copy: what others did to theirs is not seen.
            expect(account.uses, 0)
            account.uses = account.uses + 1
            metric.count("account", 1, { id = account.id, tenant = t:use("tenant").name })
            wait(0.05)
        end)
        """
    }

    private func run(
        _ source: String, _ clock: String
    ) async throws -> (run: ToolRun, measurements: Measurements) {
        let (run, folder) = try await ToolRun.load(source, ["--clock", clock])
        return (run, try folder.loadResult().totals().measurements)
    }

    @Test("are made once, and each use is a copy", arguments: ["virtual", "real"])
    func once(clock: String) async throws {
        let (run, measurements) = try await self.run(Self.script(""), clock)
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        #expect(measurements.series(of: "account").count == 1)
        #expect(measurements.histogram(of: "account").count == 15)
        #expect(!run.output.contains("warning"), "\(run.output)")
    }

    @Test(
        "are torn down when the last user has gone; what goes wrong there fails the run, whatever users may",
        arguments: ["virtual", "real"], ["", "rate(failures) < 50%"])
    func tornDown(clock: String, threshold: String) async throws {
        let (run, folder) = try await ToolRun.load(
            Self.script("", deferred: "expect(1, 2)"),
            ["--clock", clock] + (threshold.isEmpty ? [] : ["--threshold", threshold]))
        let totals = try folder.loadResult().totals()
        #expect(totals.measurements.histogram(of: "account").count == 15)
        #expect(totals.measurements.histogram(of: "failures").sum == 0)
        #expect(run.ended(.failed), "\(run.output)\(run.error)")
        #expect(run.output.contains("account: "), "\(run.output)")
        #expect(totals.causes.map(\.user) == [nil])
        #expect(try folder.text("Reports/load-junit.xml").contains("<failure message=\"1 × "))
    }

    @Test("that cannot be made let each user fail with their reason, and are tried again by the next")
    func failing() async throws {
        let (run, measurements) = try await self.run(Self.script("expect(1, 2)"), "virtual")
        #expect(run.status == .script, "\(run.output)")
        #expect(measurements.histogram(of: "failures").sum == 15)
        #expect(run.output.contains("account"), "\(run.output)")
    }

    @Test("that skip their users fail the run by what goes wrong at their end", arguments: ["virtual", "real"])
    func skipping(clock: String) async throws {
        let (run, folder) = try await ToolRun.load(
            Self.script("t:skip \"not here\"", deferred: "expect(1, 2)"), ["--clock", clock])
        #expect(run.ended(.failed), "\(run.output)\(run.error)")
        let totals = try folder.loadResult().totals()
        #expect(totals.causes.map(\.user) == [nil], "\(totals.causes)")
        #expect(totals.measurements.histogram(of: "skipped").sum == 15)
    }
}
