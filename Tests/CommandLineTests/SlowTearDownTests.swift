import CommandLine
import Testing

@Suite("Conversations that take long to end, in real time")
struct SlowTearDownTests {
    /// Plays a client that connects again whenever its link has ended.
    ///
    /// - Parameter ending: What its handler `ending` does.
    private static func play(_ ending: String) async throws -> ToolRun {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            local S = system { name = "phoenix", events = { message = { text = "string" } } }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            function S.on.closed(me) if not me.leaving then me.link = me:open {} end end
            function S.on.ending(me) \(ending) end
            function S.server.text() end
            scenario("rises", function(t)
                t:server(S)
                t:actor(S):connect()
                expect(1, 1)
            end)
            """, to: "s.lua")
        return try await ToolRun(["test", "s.lua", "--clock", "real"], in: folder.path)
    }

    @Test(
        "what the tear-down waited for is told, and a client that stops in time is not waited for",
        arguments: [true, false])
    func reconnects(stops: Bool) async throws {
        let run = try await Self.play(stops ? "me.leaving = true" : "")
        #expect(run.status == .success, "\(run.output)\(run.error)")
        #expect(run.output.contains("teardown  waited 5") != stops, "\(run.output)")
    }
}
