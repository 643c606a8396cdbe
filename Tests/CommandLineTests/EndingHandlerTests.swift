import RunRecord
import Testing

@Suite("What handlers of a system do while a conversation ends")
struct EndingHandlerTests {
    @Test(
        "A function that a handler spawns runs to its end, and what goes wrong in it fails the scenario",
        arguments: ["closed", "ending"])
    func spawned(handler: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            local S = system { name = "leaver", events = { message = { text = "string" } } }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            function S.on.\(handler)(me) spawn(function() wait "100ms" error "no way out" end) end
            function S.server.text() end
            scenario("leaves", function(t)
                t:server(S)
                t:actor(S):connect()
                expect(1, 1)
            end)
            """, to: "s.lua")
        let run = try await ToolRun(["test", "s.lua"], in: folder.path)
        #expect(try run.outcomes["leaves"] == .error, "\(run.output)")
        #expect(run.output.contains("no way out"), "\(run.output)")
    }
}
