import RunRecord
import Testing

@testable import Scenario

@Suite("Messages of JSON behind their lengths")
struct FramedMessageTests {
    /// Plays a chat whose messages are JSON behind their lengths; the server answers what it is told.
    private static func play(_ body: String, functions: String = "") throws -> ScriptRun {
        try ScriptRun(
            body: """
                local S = system {
                    name = "packets", frames = { length = 4 }, events = { message = { text = "string" } },
                    json = { from_server = { message = {} }, from_client = { say = { text = "string" } } },
                }
                function S.commands.connect(me) me.link = me:open { frames = { length = 4 } } me:wait "open" end
                function S.commands.say(me, text) me.link:send_json { type = "say", text = text } end
                function S.commands.send(me, text) me.link:send(text) end
                function S.server.json.say(_, client, said)
                    client:send(said.text == "wrong" and '{"type":"message"}' or json.encode {
                        type = "message", text = said.text,
                    })
                end
                \(functions)
                local client = t:actor(S)
                client:connect()
                \(body)
                """)
    }

    @Test("a message behind its length is one, at either side")
    func lengths() throws {
        #expect(try Self.play("client:say 'Grüße' client:expect('message', { text = 'Grüße' })").messages == [])
        let wrong = try Self.play("client:say 'wrong' client:expect 'message'")
        #expect(wrong.end.outcome == .failed)
        #expect(wrong.messages.first?.contains("needs the member text") == true, "\(wrong.messages)")
        let unknown = try Self.play("client:send '{\"type\":\"sya\"}' wait '1s'")
        #expect(unknown.end.outcome == .failed)
        #expect(unknown.messages.contains { $0.contains("did you mean \"say\"?") }, "\(unknown.messages)")
    }

    @Test("who has a handler of bytes reads them there")
    func bytes() throws {
        let run = try Self.play(
            "client:say 'hi' client:expect('message', { text = 'bytes' })",
            functions: "function S.on.bytes(me, bytes) me:emit('message', { text = 'bytes' }) end")
        #expect(run.messages == [])
    }
}
