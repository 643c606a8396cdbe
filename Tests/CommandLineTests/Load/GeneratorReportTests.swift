import CommandLine
import Metrics
import Testing

@Suite("What a load run tells about its generator")
struct GeneratorReportTests {
    private static let script = """
        workload { executor = "constant_vus", users = 5, duration = "300ms", graceful_stop = "5s" }
        scenario("computes", function(t)
            local words = {}
            for number = 1, 2000 do words[#words + 1] = "word " .. number end
            wait(0.01)
        end)
        """

    @Test("In real time it says how long scripts ran, and what a calibration found")
    func real() async throws {
        let (run, folder) = try await ToolRun.load(Self.script, ["--calibrate"])
        #expect(run.output.contains("calibrated: an echo takes "), "\(run.output)\(run.error)")
        #expect(run.output.contains("scripts     ran for "), "\(run.output)")
        let result = try folder.loadResult()
        let totals = try result.totals()
        #expect(totals.calibration?.roundTripsPerSecond != nil)
        let health = try #require(totals.health.first?.health)
        #expect(health.scriptMicroseconds > 0)
        #expect(health.collectionMicroseconds > 0)
        #expect(try folder.text("Reports/load.html").contains("Calibrated: an echo takes "))
        let again = try await ToolRun(["report", "Reports/load.json"], in: folder.path)
        #expect(again.output.contains("calibrated  an echo takes "), "\(again.output)")
    }

    @Test("In virtual time, which this machine does not hold up, there is nothing to tell")
    func virtual() async throws {
        let (run, folder) = try await ToolRun.load(Self.script, ["--clock", "virtual"])
        #expect(!run.output.contains("calibrated"))
        #expect(!run.output.contains("scripts "))
        let totals = try folder.loadResult().totals()
        #expect(totals.health.first?.health.scriptMicroseconds == 0)
        #expect(totals.calibration == nil)
        let (wrong, _) = try await ToolRun.load(Self.script, ["--clock", "virtual", "--calibrate"])
        #expect(wrong.status == .usage)
    }

    @Test("In virtual time arrivals that were kept back are told, and make no report say that the generator was unfit")
    func keptBack() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            workload {
                executor = "arrivals", at = { "0s", "1s", "2s" }, max_users = 1,
                thresholds = { "count(dropped_arrivals) == 2" },
            }
            scenario("stays", function() wait "5s" end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        #expect(run.output.contains("of 3 planned, 2 not started: max_users"), "\(run.output)")
        let file = try folder.text("Reports/load-junit.xml")
        #expect(file.contains("errors=\"0\"") && !file.contains("<error"), "\(file)")
        #expect(try !folder.text("Reports/load.html").contains("could not begin"))
        let report = try await ToolRun(["report", "Reports/load.json", "--junit", "again.xml"], in: folder.path)
        #expect(report.status == .success, "\(report.output)\(report.error)")
        #expect(try !folder.text("again.xml").contains("<error"))
    }
}
