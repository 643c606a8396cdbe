import PlainWebSocket
import RunRecord
import Testing

@testable import Scenario

@Suite("What goes over the wire in the record")
struct WireRecorderTests {
    /// The frames of messages that a client is sent back, in order.
    private static func frames(_ body: String) throws -> [WireFrame] {
        let settings = ExecutionSettings(
            systems: [PlainWebSocketSystem.system], projectRoot: "/", workingDirectory: "/",
            project: ProjectConfiguration(), seed: 1, capture: .messages)
        let run = try ScriptRun(
            """
            local websocket = require "websocket"
            scenario("s", function(t)
                t:server(websocket, { echo = true })
                local client = t:actor(websocket)
                client:connect()
                client:expect "connected"
                \(body)
                client:expect "frame"
            end)
            """, settings: settings)
        try #require(run.end.outcome == .passed, "\(run.end.problems.map(\.message))")
        return run.happenings.compactMap { happening in
            if case .wire(let frame) = happening, frame.connection == "client/1", frame.direction == .received,
                frame.summary.hasPrefix("WebSocket")
            {
                frame
            } else {
                nil
            }
        }
    }

    @Test(
        "what goes over a link over TCP is called by how its messages are told apart",
        arguments: [
            ("\"lines\"", ["TCP line", "TCP line", "TCP bytes", "TCP line"]),
            ("\"bytes\"", ["TCP bytes", "TCP bytes", "TCP bytes", "TCP bytes"]),
            ("{ length = 1 }", ["TCP message", "TCP message", "TCP message", "TCP message"]),
        ])
    func links(frames: String, summaries: [String]) throws {
        let settings = ExecutionSettings(
            systems: [], projectRoot: "/", workingDirectory: "/", project: ProjectConfiguration(), seed: 1,
            capture: .messages)
        let run = try ScriptRun(
            """
            local S = system {
                name = "probe", events = { message = { text = "string" } }, frames = \(frames),
            }
            function S.commands.start(me)
                local link = me:open {}
                me:wait "open"
                link:send "one"
                wait "1ms"
                link:send_bytes "\\xFF\\n"
            end
            function S.on.text(me, text) me:emit("message", { text = text }) end
            function S.on.bytes(me, bytes) me:emit("message", { text = bytes }) end
            function S.server.text(_, client, text) client:send_bytes(text .. "\\n") end
            function S.server.bytes(_, client, bytes) client:send_bytes(bytes) end
            scenario("s", function(t)
                t:server(S)
                local client = t:actor(S)
                client:start()
                client:expect "message"
                client:expect "message"
            end)
            """, settings: settings)
        try #require(run.end.outcome == .passed, "\(run.end.problems.map(\.message))")
        let sent = run.happenings.compactMap { happening in
            if case .wire(let frame) = happening, frame.payload != nil { frame } else { nil as WireFrame? }
        }
        #expect(sent.map(\.summary) == summaries)
        #expect(sent.map(\.direction) == [.sent, .received, .sent, .received])
    }

    @Test("a text is kept up to a length, counted in bytes", arguments: ["a", "é"])
    func texts(letter: String) throws {
        let width = letter.utf8.count
        for count in [0, 1, WireRecorder.payloadLimit / width, WireRecorder.payloadLimit / width + 1] {
            let frames = try Self.frames("client:send(string.rep(\"\(letter)\", \(count)))")
            let kept = String(repeating: letter, count: min(count, WireRecorder.payloadLimit / width))
            #expect(frames.map(\.summary) == ["WebSocket text"])
            #expect(frames.map(\.payload) == [.text(kept)])
            #expect(frames.map(\.isTruncated) == [kept.utf8.count < count * width])
        }
    }

    @Test("a text that is cut ends with a whole character")
    func wholeCharacters() throws {
        let count = WireRecorder.payloadLimit / 2
        let frames = try Self.frames("client:send(\"a\" .. string.rep(\"é\", \(count)))")
        #expect(frames.map(\.payload) == [.text("a" + String(repeating: "é", count: count - 1))])
        #expect(frames.map(\.isTruncated) == [true])
    }

    @Test("bytes are kept in base64, and as text where they are one")
    func bytes() throws {
        #expect(try Self.frames("client:send_binary \"/w==\"").map(\.payload) == [.base64("/w==")])
        let frames = try Self.frames("client:send_binary \"aGk=\"")
        #expect(frames.map(\.payload) == [.text("hi")] && frames.map(\.summary) == ["WebSocket binary"])
    }
}
