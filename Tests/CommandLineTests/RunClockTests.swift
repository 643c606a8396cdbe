import CommandLine
import Foundation
import RunRecord
import Testing

@Suite("The time of a test run, and how long it may be")
struct RunClockTests {
    @Test("In real time a run is said to take as long as it takes, and not as its scenarios one after the other")
    func realDuration() async throws {
        let folder = try TemporaryFolder()
        let all = (0..<30).map { "scenario(\"s\($0)\", function() wait \"1s\" expect(1, 1) end)\n" }
        try folder.write(all.joined(), to: "s.lua")
        let run = try await ToolRun(["test", "s.lua", "--clock", "real", "--workers", "30"], in: folder.path)
        #expect(run.status == .success, "\(run.output)")
        guard case .runEnded(let end)? = try run.record.last else {
            Issue.record("the run has no end")
            return
        }
        // Each of them waits for a second; what the machine lacks may add to it.
        #expect(1_000_000_000..<20_000_000_000 ~= end.durationNanoseconds)
    }

    @Test("A file that names a port of this machine and starts no server is played in real time, against that port")
    func realAddress() async throws {
        let server = try RawServer(.answers(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8)))
        defer { server.close() }
        let folder = try TemporaryFolder()
        let real = """
            scenario("real", function(t)
                local ada = t:actor(require "http", { url = "http://127.0.0.1:\(server.port)/x" })
                ada:get()
                ada:expect("response", { status = 204 })
                expect(t.clock, "real")
            end)

            """
        try folder.write(real, to: "real.lua")
        let run = try await ToolRun(["test", "real.lua"], in: folder.path)
        #expect(run.status == .success, "\(run.output)")
        #expect(run.output.contains("real time"))
        // In a comment it is no name, and a simulated server may be what listens there.
        let simulated = """
            -- url = "http://127.0.0.1:8080/x"
            scenario("simulated", function(t) expect(t.clock, "virtual") end)
            """
        try folder.write(simulated, to: "simulated.lua")
        #expect(try await ToolRun(["test", "simulated.lua"], in: folder.path).status == .success)
        let listening = real.replacing("local ada", with: "t:server(require \"websocket\")\n    local ada")
        try folder.write(listening, to: "listening.lua")
        let refused = try await ToolRun(["test", "listening.lua"], in: folder.path)
        #expect(refused.output.contains("a real one needs --target, or --clock real"), "\(refused.output)")
        // Who asks for virtual time gets it, and is told what that means.
        let virtual = try await ToolRun(["test", "real.lua", "--clock", "virtual"], in: folder.path)
        #expect(virtual.output.contains("a real one needs --target, or --clock real"), "\(virtual.output)")
    }

    @Test("A run ends at its time limit: what plays is torn down and told what it waited for, the rest never began")
    func runLimit() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            after_each(function() log.info "torn down" end)
            scenario("endless", { timeout = "100000h" }, function()
                while true do wait "1s" end
            end)
            scenario("never begins", function() end)
            """, to: "s.lua")
        try folder.write("return { limits = { run = \"500ms\" } }", to: "repartee.lua")
        // Long enough that the first scenario has begun when it passes.
        for options in [[], ["--run-timeout", "400ms"]] {
            let limit = options.last ?? "500ms"
            let run = try await ToolRun(["test", "s.lua", "--tap", "t.tap", "--github"] + options, in: folder.path)
            #expect(run.status == .failed)
            #expect(run.output.contains("the time limit of the run, \(limit), passed while this scenario was playing"))
            #expect(run.output.contains(/pending   (wait 1s \(line 3\)|nothing; the script was busy)/))
            #expect(run.output.contains("limit     run \(limit); --run-timeout or limits.run in repartee.lua"))
            #expect(run.output.contains("the time limit of the run, \(limit), passed; 1 scenario never began"))
            #expect(run.output.contains("1 of 2 scenarios never began: the run passed its time limit, \(limit)"))
            #expect(try folder.text("t.tap").hasSuffix("Bail out! The run passed its time limit, \(limit).\n"))
            let logged = try run.record.contains {
                if case .happened(_, _, .logged(_, "torn down")) = $0 { true } else { false }
            }
            #expect(logged)
            guard case .runEnded(let end) = try run.record.last else { throw CocoaError(.fileReadCorruptFile) }
            #expect(end.timeLimit == limit)
        }
        let enough = try await ToolRun(
            ["test", "s.lua", "--filter", "never", "--run-timeout", "10m"], in: folder.path)
        #expect(enough.status == .success)
    }
}
