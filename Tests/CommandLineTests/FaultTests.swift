import CommandLine
import Foundation
import JSON
import RunRecord
import Testing

@Suite("Faults at every point")
struct FaultTests {
    private static let echo = """
        local websocket = require "websocket"
        scenario("echo", { tags = { "echo" } }, function(t)
            t:server(websocket, { echo = true })
            local client = t:actor(websocket)
            client:connect()
            client:expect "connected"
            client:send "hello"
            client:expect("frame", { text = "hello" })
        end)
        """

    private func project(_ script: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(script, to: "Scenarios/talk.lua")
        return folder
    }

    private func matrix(_ run: ToolRun) throws -> JSONValue {
        try JSONReader.read(try run.reports.data("faults.json"))
    }

    @Test("Every kind is played at every point that admits it, and the page says what became of it")
    func sweep() async throws {
        let folder = try self.project(Self.echo)
        let run = try await ToolRun(["test", "--faults", "all", "--seed", "5"], in: folder.path)
        let matrix = try self.matrix(run)
        let scenario = try #require(matrix["scenarios"]?.array?.first)
        let points = (scenario["points"]?.array ?? []).compactMap { $0["what"]?.string }
        #expect(points.dropFirst().prefix(4) == ["GET /", "answer 101", "text frame", "text frame"])
        let plays = scenario["plays"]?.array ?? []
        let faults = plays.compactMap { $0["fault"]?.string }
        #expect(faults.contains("refuse@1") && faults.contains("cut@5") && faults.contains("http_503@3"))
        #expect(!faults.contains("refuse@2") && !faults.contains("duplicate@4"))
        func outcome(_ fault: String) -> String? { plays.first { $0["fault"]?.string == fault }?["outcome"]?.string }
        #expect(outcome("one_byte@4") == "same_end")
        #expect(outcome("one_byte@5") == "same_end")
        #expect(outcome("cut@4") == "told_error")
        #expect(outcome("truncate@5") == "told_error")
        #expect(outcome("refuse@1") == "told_error")
        #expect(outcome("http_503@3") == "told_error")
        #expect(run.status == .success)
        let page = try #require(String(data: try run.reports.data("faults.html"), encoding: .utf8))
        #expect(page.contains("text frame") && page.contains("half_close"))
    }

    @Test("A client that waits in silence is a hang, whose smallest point is named and can be played again")
    func hang() async throws {
        // A frame is a frame, whether it is JSON or not.
        let folder = try self.project(
            """
            local websocket = require "websocket"
            scenario("silent", { allow = { "frame" } }, function(t)
                t:server(websocket, { echo = true })
                local client = t:actor(websocket)
                client:connect()
                client:expect "connected"
                client:send_json { type = "say" }
                client:expect("frame", { json = { type = "say" } })
            end)
            """)
        let run = try await ToolRun(
            ["test", "--faults", "malformed_json,one_byte", "--seed", "5"], in: folder.path)
        #expect(run.status == .failed)
        #expect(run.output.contains("malformed_json@5 (received: text frame): hang"))
        #expect(run.output.contains("--filter silent --seed 5 --fault malformed_json@5"))
        let replay = try await ToolRun(
            ["test", "--filter", "silent", "--seed", "5", "--fault", "malformed_json@5"], in: folder.path)
        #expect(replay.status == .failed)
        let logged = try replay.record.contains { entry in
            if case .happened(_, _, .logged(_, let text)) = entry { text.contains("malformed_json@5") } else { false }
        }
        #expect(logged)
    }

    @Test("A scenario explains what it cannot bear, and a misspelt fault is told")
    func explained() async throws {
        let body = """
            function(t)
                local http = require "http"
                t:server(http, { answers = { { json = { text = "hello" } } } })
                local visitor = t:actor(http)
                visitor:get "/"
                visitor:expect "message"
            end
            """
        let folder = try self.project(
            "scenario('reads', { faults = { malformed_json = 'the bot may send anything' } }, \(body))")
        let run = try await ToolRun(["test", "--faults", "malformed_json", "--seed", "5"], in: folder.path)
        #expect(run.status == .success)
        let play = try self.matrix(run)["scenarios"]?.array?.first?["plays"]?.array?.last
        #expect(play?["outcome"]?.string == "explained" || play?["outcome"]?.string == "told_error")
        let misspelt = try self.project("scenario('reads', { faults = { malformed_jsn = 'x' } }, \(body))")
        let refused = try await ToolRun(["test"], in: misspelt.path)
        #expect(refused.output.contains("did you mean \"malformed_json\"?"))
    }

    @Test("A scenario that does not pass without a fault is left out")
    func leftOut() async throws {
        let folder = try self.project("scenario('fails', function() expect(1, 2) end)")
        let run = try await ToolRun(["test", "--faults", "cut"], in: folder.path)
        #expect(run.status == .nothingToRun)
        #expect(try self.matrix(run)["left_out"]?.array?.count == 1)
    }

    @Test("Faults are refused in real time, against targets, and where there is no such kind")
    func refused() async throws {
        let folder = try self.project(Self.echo)
        for arguments in [
            ["--faults", "all", "--clock", "real"], ["--fault", "cut@1", "--target", "http://localhost:1"],
            ["--faults", "all", "--fault", "cut@1"], ["--faults", "snip"], ["--fault", "cut@0"],
        ] {
            #expect(try await ToolRun(["test"] + arguments, in: folder.path).status == .usage, "\(arguments)")
        }
    }

    @Test("Latency of the workload is what a load run in virtual time measures")
    func loadLatency() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            local websocket = require "websocket"
            workload {
                executor = "per_vu_iterations", users = 3, iterations = 2,
                network = { latency = "50ms" },
                thresholds = { "p50(connect) > 190ms" },
            }
            scenario("echo", function(t)
                t:server(websocket, { echo = true })
                local client = t:actor(websocket)
                client:connect()
                client:expect "connected"
                t:network { cut = true }
                client:expect "disconnected"
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        #expect(try folder.text("Reports/load.json").contains("t:network cut=true"))
        try folder.write(
            "workload { executor = 'constant_vus', users = 1, duration = '1s', network = { latncy = 1 } }\n"
                + "scenario('x', function() end)", to: "wrong.lua")
        let wrong = try await ToolRun(["load", "wrong.lua"], in: folder.path)
        #expect(wrong.error.contains("did you mean \"latency\"?"))
    }
}
