import BoldChat
import MachineKit
import PlainWebSocket
import RunRecord
import Testing

@testable import Scenario

@Suite("What servers do against the protocol")
struct ServerViolationTests {
    /// Plays a client whose server sends this behind its answer.
    private static func run(surplus: String, _ body: String = "", before: String = "") throws -> ScriptRun {
        try ScriptRun(
            """
            \(HandmadeServer.system(.adds(surplus)))
            \(HandmadeServer.scenario(asking: 1, before: before, after: body))
            """)
    }

    private static let second = "HTTP/1.1 200 OK\\r\\nContent-Length: 1\\r\\n\\r\\nb"

    @Test("a second answer fails a scenario that goes well otherwise, with what was sent")
    func second() throws {
        #expect(try Self.run(surplus: "").messages == [])
        let run = try Self.run(surplus: Self.second)
        let problem = try #require(run.end.problems.first)
        #expect(run.end.outcome == .failed && run.end.problems.count == 1)
        #expect(problem.category == .failure && problem.typeName == "protocol")
        #expect(
            problem.message.hasPrefix("client: ")
                && problem.message.hasSuffix(" sent bytes that no request asked for, behind a complete answer"))
        #expect(problem.detail.contains("HTTP/1.1 200 OK"), "\(problem.detail)")
        #expect(run.logs == [problem.message])
    }

    /// Plays a client whose server ends the kept connection instead of answering the second request on it.
    private static func runOnEnded(_ body: String) throws -> ScriptRun {
        try ScriptRun(
            """
            \(HandmadeServer.system(.endsKeptConnection))
            \(HandmadeServer.scenario(asking: 2, after: body))
            """)
    }

    @Test("a request that is sent again since its connection ended fails nothing, and is told of")
    func repetition() throws {
        let run = try Self.runOnEnded("")
        #expect(run.messages == [])
        #expect(run.logs.count == 1)
        let log = try #require(run.logs.first)
        #expect(log.hasPrefix("client: GET / is sent again on another connection, for "), "\(log)")
        #expect(log.hasSuffix(" ended the kept connection without an answer"), "\(log)")
        let problem = try #require(try Self.runOnEnded("expect(1, 2)").end.problems.first)
        #expect(problem.detail.contains("sent again") && problem.detail.contains(log), "\(problem.detail)")
        let left = try #require(try Self.runOnEnded("client:ask()").end.problems.first)
        #expect(left.typeName == "leftover" && left.message.hasPrefix("client observed an event that nothing expected"))
        #expect(left.detail.contains("sent again") && left.detail.contains(log), "\(left.detail)")
    }

    /// Plays a client that connects again whenever its connection is lost, and whose server sends a frame that is none.
    private static func run(reconnecting body: String) throws -> ScriptRun {
        try ScriptRun(
            body: """
                local S = system {
                    name = "probe", options = { url = "string" },
                    events = { message = { text = "string" }, away = { reason = "string" } }, noise = { "away" },
                }
                local function open(me) me.link = me:open { url = me.options.url } end
                function S.commands.connect(me) open(me) me:wait "open" end
                function S.on.text(me, text) me:emit("message", { text = text }) end
                function S.on.timer(me) open(me) end
                function S.on.closed(me, closure)
                    me:emit("away", { reason = closure.reason })
                    if closure.code == 1006 then me:after("again", "1s") end
                end
                function S.server.text() end
                t:server(S)
                local server = t:server(require "websocket")
                local peer = server:peer "peer"
                local client = t:actor(S, { url = server.url })
                client:connect()
                peer:send "hello"
                client:expect("message", { text = "hello" })
                peer:send_bytes "oQA="
                \(body)
                """, settings: ScriptRun.settings(systems: [PlainWebSocketSystem.system]))
    }

    @Test("a frame that is none fails a scenario whose client takes it for a lost connection")
    func brokenFrame() throws {
        let run = try Self.run(reconnecting: "wait '3s'")
        let problem = try #require(run.end.problems.first)
        #expect(run.end.outcome == .failed && run.end.problems.count == 1, "\(run.end.problems)")
        #expect(problem.category == .failure && problem.typeName == "protocol")
        #expect(problem.message.hasSuffix(" broke the protocol: a reserved bit is set"), "\(problem.message)")
        let remedy = problem.evidence?.sections.first { $0.heading == "remedy" }?.lines ?? []
        #expect(remedy.contains { $0.contains("closure.reason of on.closed") }, "\(remedy)")
    }

    @Test("who expects an event with the reason of the end has said that the server is to do that")
    func expectedBreak() throws {
        let away = #"client:expect("away", { reason = match.contains "reserved bit" }) wait "3s""#
        #expect(try Self.run(reconnecting: away).messages == [])
    }

    /// Plays a client that comes with the program and whose server sends a frame that is none.
    private static func run(plain body: String) throws -> ScriptRun {
        try ScriptRun(
            body: """
                local websocket = require "websocket"
                local peer = t:server(websocket):peer "peer"
                local client = t:actor(websocket)
                client:connect()
                client:expect "connected"
                peer:send_bytes "oQA="
                \(body)
                """, settings: ScriptRun.settings(systems: [PlainWebSocketSystem.system]))
    }

    @Test("who expects or allows the end of a client that comes with the program has said so, too")
    func plainClients() throws {
        for body in ["client:expect 'disconnected'", "t:allow 'disconnected' wait '1s'"] {
            #expect(try Self.run(plain: body).messages.filter { $0.contains("broke the protocol") } == [], "\(body)")
        }
        let run = try Self.run(plain: "wait '1s'")
        let problem = try #require(run.end.problems.first { $0.typeName == "protocol" })
        let remedy = problem.evidence?.sections.first { $0.heading == "remedy" }?.lines ?? []
        #expect(
            remedy == ["where the server is to do that, expect the event of the connection's end, or allow it"])
    }

    @Test("who allows or expects errors has not said that a server may break the protocol")
    func errors() throws {
        let another = "wait '1s' t:network { refuse = true } client:connect() wait '1s'"
        for body in [
            "t:allow 'error' \(another)", "t:allow('error', { code = 'cannot_connect' }) \(another)",
            "\(another) local refusal = client:expect 'error' log.info(refusal.code)",
        ] {
            let run = try Self.run(plain: body)
            let problem = try #require(run.end.problems.first { $0.typeName == "protocol" }, "\(body)")
            let remedy = problem.evidence?.sections.first { $0.heading == "remedy" }?.lines ?? []
            #expect(remedy.count == 2 && remedy.last?.hasPrefix("an error may have any cause") == true, "\(body)")
            #expect(run.logs.contains("cannot_connect") == body.hasSuffix("log.info(refusal.code)"), "\(run.logs)")
        }
    }

    /// Plays a visitor of BoldChat whose server sends this, and then a frame that is none.
    private static func run(visitor profile: String, greeting: String = "", _ body: String) throws -> ScriptRun {
        try ScriptRun(
            body: """
                local boldchat = require "boldchat"
                local socket = t:server(require "websocket")
                local peer = socket:peer "peer"
                local S = system { name = "account", events = { message = { text = "string" } } }
                function S.server.request()
                    return {
                        json = {
                            Status = "success", ChatKey = "k", VisitorID = "v", ChatID = "1", ClientID = "1",
                            WebSocketURL = socket.url .. "/", LongPollURL = socket.url .. "/?id=", ClientTimeout = 300,
                        },
                    }
                end
                local ada = t:actor(boldchat, { name = "ada", server = t:server(S), profile = "\(profile)" })
                t:allow "frame"
                ada:create_chat { skip_pre_chat = true }
                wait "1s"
                \(greeting)
                wait "1s"
                peer:send_bytes "oQA="
                \(body)
                """, settings: ScriptRun.settings(systems: [PlainWebSocketSystem.system, BoldChatSystem.system]))
    }

    private static let connect = #"peer:send '{ "method": "connect", "params": [{}], "id": 1 }'"#

    @Test("who allows ends of connections has said so of a client that keeps them to itself")
    func silentEnds() throws {
        let silent = try Self.run(visitor: "ios", greeting: Self.connect, "wait '3s'")
        let problem = try #require(silent.end.problems.first)
        #expect(silent.end.problems.count == 1 && problem.typeName == "protocol", "\(silent.messages)")
        let remedy = problem.evidence?.sections.first { $0.heading == "remedy" }?.lines ?? []
        #expect(
            remedy == [
                "where the server is to do that, say t:allow \"disconnected\": ada observes no event when its "
                    + "connection ends"
            ])
        let allowed = "t:allow 'disconnected' wait '3s'"
        for profile in ["ios", "html"] {
            // Before the first event of the stream the browser window says nothing, either.
            for greeting in [Self.connect, ""] {
                let run = try Self.run(visitor: profile, greeting: greeting, allowed)
                #expect(run.messages == [], "\(profile), \(greeting)")
            }
        }
        let told = try Self.run(visitor: "html", greeting: Self.connect, "ada:expect 'disconnected'")
        #expect(told.messages == [])
        let untold = try Self.run(visitor: "html", "wait '3s'")
        #expect(untold.end.problems.map(\.typeName) == ["protocol"], "\(untold.messages)")
    }

    @Test("a network that damages what passes may be to blame")
    func damage() throws {
        let run = try Self.run(surplus: Self.second, before: "t:network { corrupt = 0.000001 }")
        #expect(run.messages == [] && run.logs.count == 1)
    }

    @Test("a failure of the scenario itself says so beside")
    func beside() throws {
        let run = try Self.run(surplus: Self.second, "expect(1, 2)")
        #expect(run.end.problems.count == 1)
        let problem = try #require(run.end.problems.first)
        #expect(problem.typeName != "protocol")
        #expect(problem.detail.contains("sent bytes that no request asked for"), "\(problem.detail)")
    }
}
