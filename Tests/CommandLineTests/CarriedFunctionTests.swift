import CommandLine
import Foundation
import Testing

@Suite("Functions of a script at a server in another process", .waitsForProcesses)
struct CarriedFunctionTests {
    private final class Service {
        let url: String
        private let process: ToolProcess

        init(in folder: TemporaryFolder) throws {
            self.process = try ToolProcess(["serve", "--port", "0"], in: folder.path)
            self.url = try self.process.controlURL()
        }

        deinit { self.process.send(SIGKILL) }
    }

    private static func play(_ script: String) async throws -> ToolRun {
        let folder = try TemporaryFolder()
        try folder.write(script, to: "Scenarios/skill.lua")
        let service = try Service(in: folder)
        return try await ToolRun(["test", "--target", service.url, "--seed", "1"], in: folder.path)
    }

    @Test("a skill that is a function answers over the control connection, and keeps what the script knows")
    func answers() async throws {
        let run = try await Self.play(
            """
            local oracle = require "oracle"
            scenario("counts", function(t)
                local count = 0
                t:server(oracle, {
                    skill = function(message, session)
                        count = count + 1
                        return message.text .. " " .. count .. " of turn " .. session.turn
                    end,
                })
                local user = t:actor(oracle)
                user:connect()
                user:expect "connected"
                user:say "one"
                user:expect("message", { text = "one 1 of turn 1" })
                user:say "two"
                user:expect("message", { text = "two 2 of turn 2" })
                expect(count, 2)
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        #expect(run.output.contains("1 passed"), "\(run.output)")
    }

    @Test("an error in such a function is an error of the scenario, at its line")
    func fails() async throws {
        let run = try await Self.play(
            """
            local oracle = require "oracle"
            scenario("breaks", function(t)
                t:server(oracle, { skill = function() error("the skill is broken") end })
                local user = t:actor(oracle)
                user:connect()
                user:expect "connected"
                user:say "one"
                user:expect "message"
            end)
            """)
        #expect(run.status == .script, "\(run.output)\(run.error)")
        #expect(run.output.contains("the skill is broken"), "\(run.output)")
        #expect(run.output.contains("skill.lua:3"), "\(run.output)")
    }
}
