import RunRecord
import Testing

@testable import Scenario

@Suite("Silences and bans about a system in Lua")
struct LuaSilenceTests {
    /// A system whose server greets whoever comes, and whose agent can greet itself.
    private static func source(_ body: String, started: String = "desk.waiting = {}") -> String {
        """
        local S = system {
            name = "desk", events = { message = { text = "string" } },
            parties = { agent = { events = { message = { text = "string" } }, noise = { "message" } } },
        }
        function S.commands.connect(me) me.link = me:open {} me:wait "open" end
        function S.on.text(me, text) me:emit("message", { text = text }) end
        function S.server.started(desk) \(started) end
        function S.server.connected(desk, client)
            client:send "hello"
            for _, agent in pairs(desk.parties) do agent:emit("message", { text = "a guest" }) end
        end
        function S.server.text() end
        function S.server.timer(desk)
            local sam = desk.parties.Sam
            if sam then sam:emit("message", { text = "a reminder" }) end
        end
        function S.server.commands.remind(desk) desk:after("remind", "500ms") end
        function S.parties.agent.login(agent) if agent.desk.is_open then agent:emit("message", { text = "come" }) end end
        scenario("s", function(t)
        \(body)
        end)
        """
    }

    @Test(
        "a client that was told nothing hears nothing, whatever its handlers would do",
        arguments: [
            ("u:expect_silence(\"1s\", \"message\")", "client:expect_silence cannot fail: client has done nothing yet"),
            ("u:expect_silence \"1s\"", "client:expect_silence cannot fail: client has done nothing yet"),
            ("u:never \"message\"", "client:never has watched nothing: client has done nothing"),
            (
                "u:never(\"message\", {}, function() wait \"1s\" end)",
                "client:never has watched nothing: client has done"
            ),
            ("t:never(\"message\", { text = \"x\" })", "t:never has watched nobody: client has done nothing"),
            (
                "local v = t:actor(S)\nv:connect()\nv:expect \"message\"\nt:never(u, \"message\", { text = \"x\" })",
                "t:never has watched nobody: client has done nothing"
            ),
            (
                "local v = t:actor(S)\nv:connect()\nv:expect \"message\"\nu:expect_silence(\"1s\", \"message\")",
                "client:expect_silence cannot fail: client has done nothing yet"
            ),
        ])
    func idleClient(body: String, message: String) throws {
        let mistake = try ScriptRun(Self.source("t:server(S)\nlocal u = t:actor(S)\n" + body)).end
        #expect(mistake.outcome == .error, "\(mistake.problems)")
        #expect(mistake.problems.first?.message.contains(message) == true, "\(mistake.problems)")
    }

    @Test(
        "a party to whose server nobody has turned observes nothing, where its functions did nothing of themselves",
        arguments: [
            (
                "", "sam:expect_silence(\"1s\", \"message\")",
                "Sam:expect_silence could not fail: no client has turned to its"
            ),
            (
                "t:actor(S)", "sam:expect_silence(\"1s\", \"message\")",
                "Sam:expect_silence could not fail: no client has"
            ),
            ("", "sam:never \"message\"", "Sam:never has watched nothing: no client has turned to its server"),
            ("", "t:never(sam, \"message\")", "t:never has watched nobody: no client has turned to its server"),
        ])
    func idleParty(before: String, body: String, message: String) throws {
        let mistake = try ScriptRun(Self.source("local sam = t:server(S):agent \"Sam\"\n\(before)\n\(body)")).end
        #expect(mistake.outcome == .error, "\(mistake.problems)")
        #expect(mistake.problems.first?.message.contains(message) == true, "\(mistake.problems)")
    }

    @Test(
        "what could have come and did not is silence",
        arguments: [
            "u:connect()\nu:expect \"message\"\nu:expect_silence(\"1s\", \"message\")",
            "u:never(\"message\", { text = \"x\" })\nu:connect()\nu:expect \"message\"",
            "sam:login()\nsam:expect_silence(\"1s\", \"message\")",
            "sam:login()\nsam:never \"message\"",
            "desk:remind()\nsam:expect_silence(\"400ms\", \"message\")\nsam:expect \"message\"",
            "spawn(function() wait \"1s\" desk:remind() end)\n"
                + "sam:expect_silence(\"400ms\", \"message\")\nsam:expect \"message\"",
            "sam:never(\"message\", { text = \"x\" })\nu:connect()\nsam:expect \"message\"\nu:expect \"message\"",
        ])
    func breakable(body: String) throws {
        let source = Self.source("local desk = t:server(S)\nlocal sam, u = desk:agent \"Sam\", t:actor(S)\n" + body)
        #expect(try ScriptRun(source).messages == [])
    }

    @Test("a server that lets its parties observe something by itself can break their silence, and need not")
    func actsByItself() throws {
        let waits = "desk:after(\"remind\", \"500ms\")"
        let body =
            "local sam = t:server(S):agent \"Sam\"\nsam:expect_silence(\"400ms\", \"message\")\nsam:expect \"message\""
        #expect(try ScriptRun(Self.source(body, started: waits)).messages == [])
        let broken = "t:server(S):agent(\"Sam\"):expect_silence(\"1s\", \"message\")"
        let messages = try ScriptRun(Self.source(broken, started: waits)).messages
        #expect(
            messages.first?.hasPrefix("Sam observed message where silence of message for 1s") == true, "\(messages)")
        let later = #"spawn(function() wait "500ms" desk.parties.Sam:emit("message", { text = "late" }) end)"#
        #expect(try ScriptRun(Self.source(body, started: later)).messages == [])
        // What a timer did for somebody else it might have done for him.
        let other = "t:server(S):agent(\"Bo\"):expect_silence(\"1s\", \"message\")"
        #expect(try ScriptRun(Self.source(other, started: waits)).messages == [])
    }
}
