import JSON
import Machines
import Testing
import Transport

@testable import Scenario

@Suite("Several kinds of parties of a system in Lua")
struct PartyKindTests {
    /// Agents and supervisors observe an event of one name with other fields, and each kind one of its own.
    private static func messages(_ body: String) throws -> [String] {
        try ScriptRun(
            """
            local S = system { name = "probe", events = {}, parties = {
                agent = { events = { message = { text = "string" }, waiting = {} } },
                supervisor = { events = { message = { text = "string", from = "string" }, alarm = {} } },
            } }
            function S.server.started() end
            for _, party in ipairs { S.parties.agent, S.parties.supervisor } do
                function party.observe(party, kind, fields) party:emit(kind, fields) end
            end
            scenario("observes", function(t)
                local desk = t:server(S)
                local sam, sue = desk:agent "Sam", desk:supervisor "Sue"
                \(body)
            end)
            """
        ).messages
    }

    @Test("an event has the fields that the kind of party declares which observes it")
    func fields() throws {
        let both = """
            sam:observe("message", { text = "x" })
            sam:expect("message", { text = "x" })
            sue:observe("message", { text = "x", from = "Ada" })
            sue:expect("message", { from = "Ada" })
            """
        #expect(try Self.messages(both) == [])
        #expect(
            try Self.messages("sue:observe(\"message\", { text = \"x\" })")
                == ["event \"message\" needs the field from"])
        #expect(
            try Self.messages("sam:observe(\"message\", { text = \"x\", from = \"Ada\" })")
                == ["event \"message\" has no field \"from\"; it has text"])
    }

    @Test("an event of another kind of party is none that it could expect")
    func events() throws {
        #expect(
            try Self.messages("sam:observe \"alarm\"")
                == ["emit: probe.parties.agent declares no event \"alarm\"; it has message, waiting"])
    }

    @Test("a name is that of one party, of one kind")
    func names() throws {
        #expect(try Self.messages("expect(desk:agent \"Sam\".name, sam.name)") == [])
        #expect(
            try Self.messages("desk:supervisor \"Sam\"")
                == ["server:supervisor: \"Sam\" is there already, by server:agent; choose another name"])
    }

    @Test("who has joined a server as one kind does not join it as another one")
    func joined() throws {
        let source = """
            local S = system { name = "probe", events = {}, parties = {
                agent = { events = {} }, supervisor = { events = {} },
            } }
            function S.server.started() end
            """
        let worker = Worker()
        let engine = ScriptEngine()
        defer { engine.close() }
        let host = try LuaServerHost(
            LuaSystemSource("probe", requiredAs: nil, by: ScriptFile(name: "a.lua", source: source)), options: [:],
            settings: ScriptRun.settings(), worker: worker, network: MemoryNetwork(scheduler: worker), engine: engine)
        defer { host.close() }
        try host.come("Sam", as: "agent")
        try host.come("Sam", as: "agent")
        do throws(UsageError) {
            try host.come("Sam", as: "supervisor")
            Issue.record("he came as a supervisor")
        } catch {
            #expect(error.message == "\"Sam\" is there already, as agent; choose another name")
        }
    }
}
