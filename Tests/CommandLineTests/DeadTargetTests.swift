import CommandLine
import Foundation
import RunRecord
import Testing

@Suite("Runs against a target at which nobody answers")
struct DeadTargetTests {
    private static let scenarios = """
        local websocket = require "websocket"
        for number = 1, 300 do
            scenario("connects " .. number, function(t)
                local client = t:actor(websocket)
                client:connect()
                client:expect "connected"
            end)
        end
        """

    private func play(_ options: [String]) async throws -> ToolRun {
        let server = try RawServer(.hangsUp)
        server.close()
        let folder = try TemporaryFolder()
        try folder.write(Self.scenarios, to: "s.lua")
        try folder.write(
            "return { targets = { desk = { url = \"ws://127.0.0.1:\(server.port)/\" } } }", to: "repartee.lua")
        return try await ToolRun(["test", "s.lua", "--target", "desk"] + options, in: folder.path)
    }

    @Test("none of hundreds of scenarios is begun, and the reports have the cause and the rest as skipped")
    func preflight() async throws {
        let run = try await self.play([])
        #expect(run.status == .harness, "\(run.output)")
        #expect(run.output.contains("cannot reach the target desk: nothing listens on 127.0.0.1"), "\(run.output)")
        #expect(run.output.contains("301 scenarios: 1 error, 300 skipped"), "\(run.output)")
        let report = try XMLFile(try run.reports.data("junit.xml"))
        #expect(report.all("error").map { $0.attributes["type"] } == ["connection"])
        #expect(report.all("skipped").count == 300)
    }

    @Test("without that the run ends when some in succession could not reach it")
    func succession() async throws {
        let run = try await self.play(["--no-preflight", "--workers", "1"])
        #expect(run.status == .harness, "\(run.output)")
        #expect(run.output.contains("300 scenarios: 5 errors, 295 skipped"), "\(run.output)")
        let reasons = Set(
            try XMLFile(try run.reports.data("junit.xml")).all("skipped").map { $0.attributes["message"] })
        #expect(reasons == ["not begun: 5 scenarios in succession could not reach the target"])
    }

    @Test("no user of a load test begins")
    func load() async throws {
        let server = try RawServer(.hangsUp)
        server.close()
        let source = """
            workload { executor = "constant_vus", users = 5, duration = "1h" }
            scenario("x", function() wait "1s" end)
            """
        let (run, _) = try await ToolRun.load(source, ["--target", "ws://127.0.0.1:\(server.port)/"])
        #expect(run.status == .harness)
        #expect(run.error.contains("nobody answers at the target: nothing listens on"), "\(run.error)")
    }

    @Test(
        "a load test that begins all the same and reaches nobody ends as one that could not connect, whatever is judged",
        arguments: ["", "\"rate(failures) < 1%\"", "\"rate(failures) < 1% abort\""])
    func loadWithoutLook(threshold: String) async throws {
        let server = try RawServer(.hangsUp)
        server.close()
        let source = """
            workload { executor = "per_vu_iterations", users = 2, iterations = 2, thresholds = { \(threshold) } }
            scenario("x", function(t)
                local client = t:actor(require "websocket")
                client:connect()
                client:expect "connected"
            end)
            """
        let (run, _) = try await ToolRun.load(
            source, ["--target", "ws://127.0.0.1:\(server.port)/", "--no-preflight", "--no-calibrate"])
        #expect(run.status == .harness, "\(run.output)\(run.error)")
        let reason = threshold.isEmpty ? "× connection" : "no user could reach a server; rate(failures) < 1%"
        #expect(run.output.contains(reason), "\(run.output)")
    }

    @Test(
        "a client in Lua that cannot go on without an answer has reached nobody, however it reads what did not come",
        arguments: ["local _ = answer.json", "answer.body:match 'x'", "return answer.status + 1"])
    func clientInLua(line: String) async throws {
        let server = try RawServer(.hangsUp)
        server.close()
        let source = """
            local S = system { name = "probe", client = "visitor", events = {} }
            function S.commands.login(me)
                local answer = me:request { path = "/login", form = { user = "ada" } }
                \(line)
            end
            workload { executor = "per_vu_iterations", users = 2, iterations = 2 }
            scenario("logs in", function(t) t:actor(S):login() end)
            """
        let (run, _) = try await ToolRun.load(
            source, ["--target", "http://127.0.0.1:\(server.port)", "--no-preflight", "--no-calibrate"])
        #expect(run.status == .harness, "\(run.output)\(run.error)")
        #expect(run.output.contains("visitor cannot reach its server: nothing listens on"), "\(run.output)")
        // There is nothing to mend in the script.
        #expect(!run.output.contains("without a look at ok or status"), "\(run.output)")
    }
}
