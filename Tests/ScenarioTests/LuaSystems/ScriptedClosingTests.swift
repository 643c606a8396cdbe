import JSON
import Machines
import RunRecord
import Testing

@testable import Scenario

@Suite("How a system in Lua closes a connection")
struct ScriptedClosingTests {
    @Test("a code and a reason that can be sent are sent, 1000 and none unless given")
    func sendable() throws {
        let plain = try ScriptedClosing([:])
        #expect(plain.code == 1000 && plain.reason.isEmpty)
        let longest = String(repeating: "é", count: 61) + "!"
        let full = try ScriptedClosing(["code": 4999, "reason": .string(longest)])
        #expect(full.code == 4999 && full.reason == longest)
    }

    @Test(
        "what is sent behind a close is an error, at either side, and an answer to what was under way is none",
        arguments: [
            ("function S.commands.bye(me) me.link:close() me.link:send \"z\" end", true),
            ("function S.commands.bye(me) me.link:close() me.link:send_bytes \"z\" end", true),
            ("function S.commands.bye(me) me.link:abandon() me.link:send \"z\" end", false),
            (
                "function S.commands.bye(me) me.link:send \"a\" end\n"
                    + "function S.server.text(_, client) client:close() client:send_json { z = 1 } end", true
            ),
            (
                "function S.commands.bye(me) me.link:send \"a\" me.link:send \"b\" end\n"
                    + "function S.server.text(_, client, text) client:send(text) client:close() end", false
            ),
        ])
    func behind(functions: String, isMistake: Bool) throws {
        let run = try ScriptRun(
            """
            local S = system { name = "s", events = { said = { text = "string" } } }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            function S.on.text() end
            function S.on.closed() end
            \(functions.contains("server.text") ? "" : "function S.server.text() end")
            \(functions)
            scenario("sends", function(t)
                t:server(S)
                local ada = t:actor(S, { name = "ada" })
                ada:connect()
                ada:bye()
                wait(1)
                expect(true)
            end)
            """)
        let message = run.messages.first ?? ""
        #expect(message.contains("the handler has closed the connection before") == isMistake, "\(run.messages)")
        #expect((run.end.outcome == .passed) == !isMistake)
    }

    @Test(
        "what cannot be sent as it is says what would",
        arguments: [
            (
                ["code": 70000],
                "a code from 1000 to 1003, 1007 to 1014 or 3000 to 4999 (RFC 6455 section 7.4), not 70000"
            ),
            (["code": 1005], "not 1005"), (["code": 1015], "not 1015"), (["code": 2500], "not 2500"),
            (["code": -5], "not -5"), (["code": 999], "not 999"), (["code": 5000], "not 5000"),
            (["code": "away"], "not \"away\""), (["reason": 5], "close takes a reason as text, not 5"),
            (["reason": .string(String(repeating: "é", count: 62))], "at most 123 bytes"),
            (["reason": .string(String(repeating: "é", count: 62))], "this one has 124; shorten it"),
        ] as [(JSONObject, String)])
    func unsendable(arguments: JSONObject, complaint: String) {
        do throws(ConfigurationError) {
            _ = try ScriptedClosing(arguments)
            Issue.record("it can be sent")
        } catch {
            #expect(error.message.contains(complaint), "\(error.message)")
        }
    }
}
