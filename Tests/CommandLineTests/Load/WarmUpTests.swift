import Metrics
import Testing

@testable import CommandLine

@Suite("The warm-up of a load run")
struct WarmUpTests {
    /// Iterations of nearly a second, of which the first two fail.
    private static func script(_ warmUp: String) -> String {
        """
        workload { executor = "constant_vus", users = 1, duration = "20s", \(warmUp)
            thresholds = { "rate(failures) == 0" } }
        scenario("cold at first", function(t)
            wait "950ms"
            expect(1, 1)
            if t.user.iteration < 2 then t:fail "cold" end
        end)
        """
    }

    @Test("What fails in it fails nothing, and is kept apart")
    func failures() async throws {
        let (run, folder) = try await ToolRun.load(Self.script("warm_up = \"10s\","))
        #expect(run.status == .success, "\(run.output) \(run.error)")
        #expect(run.output.contains("in the warm-up, which does not count"), "\(run.output)")
        let totals = try folder.loadResult().totals()
        #expect(totals.causes.isEmpty)
        #expect(totals.measurements.histogram(of: "failures").sum == 0)
        #expect(totals.measurements.histogram(of: "failures", phase: "warm-up").sum == 2)
        #expect(totals.measurements.histogram(of: "iteration").count > 0)
    }

    @Test("A mistake of the script counts in it, too, for no server is to blame for that")
    func mistakes() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            workload { executor = "constant_vus", users = 1, duration = "20s", warm_up = "10s" }
            scenario("wrong at first", function(t)
                local nothing
                wait "950ms"
                expect(1, 1)
                if t.user.iteration < 2 then nothing.x = 1 end
            end)
            """)
        #expect(run.status == .script, "\(run.output) \(run.error)")
        #expect(try folder.loadResult().totals().causes.map(\.count) == [2])
    }

    @Test("Without one they count")
    func none() async throws {
        let (run, folder) = try await ToolRun.load(Self.script(""))
        #expect(run.status == .failed, "\(run.output) \(run.error)")
        #expect(try folder.loadResult().totals().causes.map(\.count) == [2])
        #expect(!run.output.contains("warm-up"))
    }
}
