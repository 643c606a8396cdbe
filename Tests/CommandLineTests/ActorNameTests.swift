import CommandLine
import RunRecord
import Testing

@Suite("The name of an actor")
struct ActorNameTests {
    @Test("a system that has names of its own gets it, and for the others it is the label")
    func name() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            local liveassist, livelike = require "liveassist", require "livelike"
            scenario("an agent is known by its name", function(t)
                t:server(liveassist)
                local consumer = t:actor(liveassist, { name = "Ada", correlationId = "room" })
                local sam = t:actor(liveassist, { name = "Sam", role = "agent" })
                local nameless = t:actor(liveassist, { role = "agent" })
                consumer:start_support()
                consumer:expect "connected"
                sam:join(nil, nil, consumer)
                consumer:expect("agent_joined_session", { agent = "Sam" })
                nameless:join(nil, nil, consumer)
                consumer:expect("agent_joined_session", { agent = "Agent" })
                expect({ sam.name, consumer.name }, { "Sam", "Ada" })
            end)
            scenario("a member is labelled with its name", function(t)
                local member = t:actor(livelike, { name = "Ada" })
                expect(member.name, "Ada")
                member:expect("connected", {}, { within = "1s" })
            end)
            """, to: "a.lua")
        let run = try await ToolRun(["test", "a.lua"], in: folder.path)
        #expect(try run.outcomes["an agent is known by its name"] == .passed, "\(run.output)")
        #expect(run.output.contains("Ada cannot observe connected any more"), "\(run.output)")
    }
}
