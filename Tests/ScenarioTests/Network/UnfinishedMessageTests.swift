import PlainWebSocket
import RunRecord
import Testing

@testable import Scenario

@Suite("Messages that a server begins and never ends")
struct UnfinishedMessageTests {
    /// Plays a client of a chat by lines whose server does this once it has said something whole.
    private static func run(
        _ server: String, _ body: String = "", before: String = "", frames: String = "\"lines\""
    ) throws -> ScriptRun {
        try ScriptRun(
            """
            local S = system { name = "probe", events = { message = { text = "string" } }, frames = \(frames) }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            function S.on.text(me, text) me:emit("message", { text = text }) end
            function S.on.closed() end
            function S.server.text() end
            function S.server.timer(desk, name)
                desk.client:send_bytes(name)
                if name == "." then desk:after(name, "20ms") end
                if name == "tick" then desk:after("tock\\n", "30ms") end
                if name == "tock\\n" then desk:after("tick", "20ms") end
            end
            function S.server.connected(desk, client) client:send "whole" \(server) end
            scenario("listens", function(t)
                \(before)
                t:server(S)
                local client = t:actor(S)
                client:connect()
                client:expect("message", { text = "whole" })
                \(body)
            end)
            """)
    }

    private static let half = "client:send_bytes \"half\""

    @Test("half a line that stands still is left over, though no event tells of it")
    func line() throws {
        let run = try Self.run(Self.half)
        let problem = try #require(run.end.problems.first)
        #expect(run.end.outcome == .failed && run.end.problems.count == 1 && problem.typeName == "leftover")
        #expect(
            problem.message.hasPrefix(
                "client got a message that never became whole: 4 bytes of a line that has no end, on the TCP link to "),
            "\(problem.message)")
        let remedy = problem.evidence?.sections.first { $0.heading == "remedy" }?.lines ?? []
        #expect(remedy.contains { $0.contains("me:open { frames = \"bytes\" }") }, "\(remedy)")
    }

    @Test("half a record that stands still as well, whatever records end in")
    func record() throws {
        let records = #"{ lines = "\x1e" }"#
        #expect(try Self.run("client:send_bytes \"\\x1e\"", "client:expect 'message'", frames: records).messages == [])
        let message = try #require(try Self.run(Self.half, frames: records).messages.first)
        #expect(message.contains("never became whole: 4 bytes of a line that has no end"), "\(message)")
    }

    @Test("half a line that begins after the script has ended, too, and one that goes on growing does not")
    func late() throws {
        let begin =
            "client got a message that never became whole: 4 bytes of a line that has no end, on the TCP link to "
        let late = try Self.run("desk.client = client desk:after(\"half\", \"20ms\")")
        #expect(late.messages.count == 1 && late.messages[0].hasPrefix(begin), "\(late.messages)")
        #expect(try Self.run("desk.client = client desk:after(\".\", \"20ms\")").messages == [])
    }

    @Test(
        "TLS that a server agrees on and does not go on with is left over, though the client goes on",
        arguments: [("", true), ("client:start_tls()", false)])
    func encryption(server: String, isLeftOver: Bool) throws {
        let run = try ScriptRun(
            """
            local S = system { name = "probe", events = { secured = {} }, frames = "lines" }
            function S.commands.connect(me) me.link = me:open {} me:wait "secured" end
            function S.commands.log_in(me) me.link:send "sesame" end
            function S.on.text(me, _, link) link:start_tls() me:emit("secured", {}) me:wake "secured" end
            function S.on.closed() end
            function S.server.connected(_, client) client:send "GO" \(server) end
            function S.server.text() end
            scenario("logs in", function(t)
                t:server(S)
                local client = t:actor(S)
                client:connect()
                client:expect "secured"
                client:log_in()
            end)
            """)
        #expect(run.messages.count == (isLeftOver ? 1 : 0), "\(run.messages)")
        let begin = "client got no answer to the TLS that it has begun, on the TCP link to "
        #expect(run.messages.allSatisfy { $0.hasPrefix(begin) }, "\(run.messages)")
    }

    @Test(
        "TLS that a client never begins, though its server has agreed on it, is left over as long as the link is open",
        arguments: [
            ("", "", true), ("link:start_tls()", "", false), ("link:close()", "", false), ("", "wait '2m'", false),
        ])
    func encryptionOfClient(client: String, body: String, isLeftOver: Bool) throws {
        let run = try ScriptRun(
            """
            local S = system { name = "probe", events = { message = { text = "string" } }, frames = "lines" }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            function S.on.text(me, text, link) \(client) me:emit("message", { text = text }) end
            function S.on.closed() end
            function S.server.connected(_, client) client:send "GO" client:start_tls() end
            function S.server.text() end
            function S.server.closed() end
            scenario("logs in", function(t)
                t:server(S)
                local client = t:actor(S)
                client:connect()
                client:expect "message"
                \(body)
            end)
            """)
        let message = "the simulated server of probe has agreed on TLS, and client 1 never began it"
        #expect(run.messages == (isLeftOver ? [message] : []), "\(run.messages)")
    }

    @Test(
        "a link that is opening at the end, and that its server does not answer, is left over unless errors may come",
        arguments: [
            ("desk:wait('never', '1h')", "", true), ("wait '100ms' return true", "", false), ("return true", "", false),
            ("desk:wait('never', '1h')", "t:allow 'error'", false),
            ("desk:wait('never', '1h')", "t:network { latency = '1ms' }", false),
        ])
    func opening(server: String, body: String, isLeftOver: Bool) throws {
        let run = try ScriptRun(
            """
            local S = system { name = "probe", events = {} }
            function S.commands.connect(me) me.link = me:open {} end
            function S.on.closed() end
            function S.server.upgrade(desk) \(server) end
            scenario("does not wait", function(t)
                \(body)
                t:server(S)
                t:actor(S):connect()
            end)
            """)
        #expect(run.messages.count == (isLeftOver ? 1 : 0), "\(run.messages)")
        let begin = "client got no answer to what opens the WebSocket to "
        #expect(run.messages.allSatisfy { $0.hasPrefix(begin) }, "\(run.messages)")
    }

    /// The beginning of a script whose client reads a streamed answer by units; the rest of the server's handler
    /// follows.
    private static func reader(of unit: String) -> String {
        """
        local S = system { name = "probe", events = { message = { text = "string" } } }
        function S.commands.connect(me) me:after("listen", 0) end
        function S.on.timer(me)
            local answer = me:request { path = "/events", stream = true }
            if answer.ok then for _ in answer:\(unit)() do me:emit("message", { text = "one" }) end end
        end
        function S.server.request(desk, request)
            request:begin { headers = { ["content-type"] = "text/event-stream" } }
        """
    }

    @Test(
        "half an event or a line of a streamed answer that is waited for as well",
        arguments: [
            ("events", "data: {\"te", "10 bytes of an event that has no end"),
            ("events", "data: whole\n", "5 bytes of an event that has no end"),
            ("events", "id: 5\nev", "2 bytes of an event that has no end"),
            ("events", "event: say\n", "3 bytes of an event that has no end"),
            ("events", "event: say\n\n", nil),
            ("events", "id: 5\n: alive", nil),
            ("lines", "data: {\"te", "10 bytes of a line that has no end"),
            ("lines", "whole\n", nil),
            ("pieces", "half", nil),
        ] as [(String, String, String?)])
    func streamed(unit: String, rest: String, problem: String?) throws {
        let run = try ScriptRun(
            body: """
                \(Self.reader(of: unit))
                    request:write "data: hello\\n\\n"
                    request:write [==[\(rest)]==]
                    desk:wait("never", "1h")
                end
                t:allow "message"
                t:server(S)
                local client = t:actor(S)
                client:connect()
                client:expect "message"
                wait "1s"
                """)
        let whole = problem.map { "client got a message that never became whole: \($0), in the answer to GET /events" }
        #expect(run.messages == [whole].compactMap { $0 })
        let remedy = run.end.problems.first?.evidence?.sections.first { $0.heading == "remedy" }?.lines ?? []
        let isLine = problem != nil && unit == "lines"
        #expect(remedy.contains("what has no line end is read by answer:pieces()") == isLine, "\(remedy)")
    }

    @Test(
        "of a streamed answer that goes on, as much has come of another event each time",
        arguments: ["events", "lines"])
    func ticks(unit: String) throws {
        let run = try ScriptRun(
            body: """
                \(Self.reader(of: unit))
                    while true do
                        request:write "data: tick"
                        desk:wait("never", "30ms")
                        request:write "\\n\\n"
                        desk:wait("never", "20ms")
                    end
                end
                t:allow "message"
                t:server(S)
                local client = t:actor(S)
                client:connect()
                client:expect "message"
                wait "30ms"
                """)
        #expect(run.messages == [])
    }

    @Test("what nobody reads any more need not become whole")
    func canceled() throws {
        let run = try ScriptRun(
            body: """
                local S = system { name = "probe", events = { message = { text = "string" } } }
                function S.commands.listen(me)
                    local answer = me:request { path = "/events", stream = true }
                    me.thread = spawn(function()
                        for item in answer:events() do me:emit("message", { text = item.data }) end
                    end)
                end
                function S.commands.stop(me) me.thread:cancel() end
                function S.server.request(desk, request)
                    request:begin { headers = { ["content-type"] = "text/event-stream" } }
                    request:write "data: hello\\n\\ndata: hal"
                    desk:wait("never", "1h")
                end
                t:server(S)
                local client = t:actor(S)
                client:listen()
                client:expect "message"
                wait "100ms"
                client:stop()
                wait "1s"
                """)
        #expect(run.messages == [])
    }

    @Test("a prompt without a line end is read as it comes where the client opens its link for bytes")
    func prompt() throws {
        let run = try ScriptRun(
            body: """
                local S = system { name = "probe", events = { message = { text = "string" } }, frames = "lines" }
                function S.commands.connect(me) me.link = me:open { frames = "bytes" } me:wait "open" end
                function S.on.bytes(me, bytes) me:emit("message", { text = bytes }) end
                function S.on.closed() end
                function S.server.text() end
                function S.server.connected(desk, client) client:send_bytes "> " end
                t:server(S)
                local client = t:actor(S)
                client:connect()
                client:expect("message", { text = "> " })
                """)
        #expect(run.messages == [])
    }

    @Test("half a message of a WebSocket as well")
    func webSocket() throws {
        let run = try ScriptRun(
            body: """
                local websocket = require "websocket"
                local server = t:server(websocket)
                local client = t:actor(websocket)
                client:connect()
                client:expect "connected"
                server:peer "peer":send_bytes "gQVo"
                wait "1s"
                """, settings: ScriptRun.settings(systems: [PlainWebSocketSystem.system]))
        let begin =
            "client got a message that never became whole: 1 bytes of a message that has 5, on the WebSocket to "
        #expect(run.messages.count == 1 && run.messages[0].hasPrefix(begin), "\(run.messages)")
        let remedy = run.end.problems.first?.evidence?.sections.first { $0.heading == "remedy" }
        #expect(remedy?.lines.count == 1)
    }

    @Test("half a line before the end of the link fails, whatever the handler of the end does")
    func brokenOff() throws {
        let run = try Self.run("\(Self.half) client:close()")
        let problem = try #require(run.end.problems.first)
        #expect(run.end.outcome == .failed && run.end.problems.count == 1 && problem.typeName == "protocol")
        let what = " ended the link in the middle of a message, after 4 bytes of a line that has no end"
        #expect(problem.message.hasSuffix(what), "\(problem.message)")
    }

    @Test(
        "what becomes whole, still grows, or a bad network holds back, is none",
        arguments: [
            (
                "\(half) wait \"1s\" client:send_bytes \" done\\n\"",
                "client:expect(\"message\", { text = \"half done\" })", ""
            ),
            ("desk.client = client desk:after(\".\", \"20ms\")", "wait(1)", ""),
            (half, "", "t:network { latency = \"10ms\" }"),
            // Each time that it is looked at, as much has come: of another message.
            ("desk.client = client desk:after(\"tick\", \"100ms\")", "wait \"110ms\"", "t:allow \"message\""),
        ])
    func others(server: String, body: String, before: String) throws {
        #expect(try Self.run(server, body, before: before).messages == [])
    }
}
