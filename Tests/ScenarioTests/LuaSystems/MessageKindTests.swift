import RunRecord
import Testing

@testable import Scenario

@Suite("Messages of texts and of bytes that a client in Lua does not take")
struct MessageKindTests {
    /// Plays a client with one handler whose server says something.
    private static func hear(_ sent: String, handler: String, then body: String) throws -> ScriptRun {
        try ScriptRun(
            """
            local S = system { name = "probe", events = { message = { text = "string" } } }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            function S.on.\(handler)(me, message) me:emit("message", { text = message }) end
            function S.server.connected(_, client) \(sent) end
            scenario("hears", function(t)
                t:server(S)
                local client = t:actor(S, { name = "ada" })
                client:connect()
                \(body)
            end)
            """)
    }

    @Test(
        "one of the other kind is an event error with what came, and no mistake of the script",
        arguments: [
            ("client:send 'hi'", "bytes", "a text message, and the system has a handler for bytes only", "hi"),
            (
                "client:send_bytes 'a\\255'", "text", "a binary message, and the system has handlers for texts only",
                "a�xFF"
            ),
        ])
    func others(sent: String, handler: String, message: String, body: String) throws {
        let expected = try Self.hear(
            sent, handler: handler,
            then: "client:expect('error', { code = 'protocol', message = '\(message)', body = '\(body)' })")
        #expect(expected.messages == [])
        let left = try Self.hear(sent, handler: handler, then: "wait '1s'")
        #expect(left.end.outcome == .failed, "\(left.messages)")
        #expect(
            left.messages.first?.hasPrefix("ada observed an event that nothing expected, first #1 error: \(message)")
                == true, "\(left.messages)")
    }

    @Test("bytes to a client that has no handler for messages at all are a mistake of the script")
    func unhandled() throws {
        let run = try Self.hear("client:send_bytes 'hi'", handler: "timer", then: "wait '1s'")
        #expect(run.end.outcome == .error, "\(run.messages)")
        let message = "ada got a binary message, but probe.on has no handler \"bytes\""
        #expect(run.messages.first?.hasPrefix(message) == true, "\(run.messages)")
    }
}
