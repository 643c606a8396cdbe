import RunRecord
import Testing

@testable import Scenario

@Suite("What a party of a server waits for, in the failure of the wait")
struct AwaitedArrivalTests {
    /// Plays a scenario whose server has a party `peer`, and returns its failure.
    private static func problem(_ body: String) throws -> Problem {
        let source = """
            local S = system { name = "probe", events = { told = {} }, parties = { peer = { events = { heard = {} } } } }
            function S.commands.connect(me) me:open {} me:wait "open" end
            function S.commands.ask(me) me:request { path = "/" } end
            function S.on.text() end
            function S.server.text() end
            function S.server.timer() end
            function S.server.request(desk) desk:after("tick", "1h") return 204 end
            scenario("waits", function(t)
                \(body)
            end)
            """
        return try #require(try ScriptRun(source).end.problems.first)
    }

    /// What the failure of such a scenario says under a heading.
    private static func failure(
        _ body: String, under heading: String
    ) throws -> (type: String, lines: [String]) {
        let problem = try Self.problem(body)
        let lines = problem.evidence?.sections.first { $0.heading == heading }?.lines ?? []
        return (problem.typeName, lines)
    }

    /// What makes a party and then a client of its server.
    private static let both = "local peer, client = t:server(S):peer \"Sam\", t:actor(S)\n"

    private static func pending(_ body: String) throws -> (type: String, lines: [String]) {
        try Self.failure(Self.both + body, under: "pending")
    }

    @Test("a server to which nobody has turned says so, and is given up at once")
    func nobody() throws {
        let (type, lines) = try Self.pending("peer:expect(\"heard\", nil, { within = \"1h\" })")
        #expect(type == "hopeless")
        #expect(lines == ["what comes to http://probe-1.test:80: no connection so far"])
    }

    @Test("of several parties that wait in vain the first by its name is given up, in each run")
    func several() throws {
        let source = """
            local S = system { name = "probe", events = {}, parties = { peer = { events = { heard = {} } } } }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            function S.commands.leave(me) me.link:close() end
            function S.on.closed() end
            function S.server.text() end
            scenario("waits", function(t)
                local server, client, threads = t:server(S), t:actor(S), {}
                client:connect()
                for _, name in ipairs { "Sam", "Kim", "Ada", "Bob", "Eve", "Joe", "Lee", "Max" } do
                    local peer = server:peer(name)
                    threads[#threads + 1] = spawn(function() peer:expect("heard", nil, { within = "1h" }) end)
                end
                wait "1s"
                client:leave()
                for _, thread in ipairs(threads) do thread:join() end
            end)
            """
        // More than once: an order by chance may be the right one.
        for _ in 0..<8 {
            let problem = try #require(try ScriptRun(source).end.problems.first)
            #expect(problem.message.hasPrefix("Ada cannot observe heard any more"), "\(problem.message)")
        }
    }

    @Test("of a server at a port of its own it is said that nobody from outside comes to it in virtual time")
    func placed() throws {
        let body =
            "t:server(S, { callback = true, port = 7634 }):peer(\"Sam\"):expect(\"heard\", nil, { within = \"1h\" })"
        #expect(
            try Self.failure(body, under: "pending").lines == [
                "what comes to http://127.0.0.1:7634: no connection so far; in virtual time nobody outside of this process "
                    + "can connect: --clock real"
            ])
    }

    @Test("a client that was thrown out is told of where a party waits for what it says")
    func thrownOut() throws {
        let run = try ScriptRun(
            """
            local S = system { name = "probe", noise = { "disconnected" },
                events = { disconnected = { code = "integer" } },
                parties = { peer = { events = { heard = {} } } } }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            function S.commands.say(me) me.link:send "hello" end
            function S.on.closed(me, closure) me:emit("disconnected", { code = closure.code }) end
            function S.server.text(desk, client) client:close(1008, "what is that?") end
            scenario("waits", function(t)
                local peer, client = t:server(S):peer "Sam", t:actor(S)
                client:connect() client:say()
                peer:expect "heard"
            end)
            """)
        let problem = try #require(run.end.problems.first)
        #expect(problem.typeName == "hopeless", "\(problem.message)")
        let section = try #require(problem.evidence?.sections.first { $0.heading == "elsewhere" })
        #expect(section.lines == ["client  disconnected code=1008  at 0s"])
    }

    @Test(
        "the last request of a client that failed is told of where a party waits for what it says",
        arguments: [
            ("client:say()", ["/say", "503", "busy"]), ("client:connect()", ["403 Forbidden", "not here"]),
            ("client:connect() client:say()", ["/say", "503", "busy"]),
            ("client:say() client:connect()", ["403 Forbidden"]),
            ("client:say() client:greet()", ["/say", "503"]), ("client:greet()", []),
        ])
    func failedRequest(commands: String, parts: [String]) throws {
        let run = try ScriptRun(
            """
            local S = system { name = "probe", events = {}, parties = { peer = { events = { heard = {} } } } }
            function S.commands.say(me) me:request { path = "/say" } end
            function S.commands.greet(me) me:request { path = "/greet" } end
            function S.commands.connect(me) me:open {} end
            function S.on.failed() end
            function S.server.upgrade() return { status = 403, body = "not here" } end
            function S.server.request(desk, request)
                return request.path == "/greet" and 204 or { status = 503, body = "busy" }
            end
            scenario("waits", function(t)
                local peer, client = t:server(S):peer "Sam", t:actor(S)
                \(commands)
                peer:expect "heard"
            end)
            """)
        let problem = try #require(run.end.problems.first)
        let section = problem.evidence?.sections.first { $0.heading == "elsewhere" }
        #expect((section == nil) == parts.isEmpty, "\(problem)")
        let line = section?.lines.first ?? ""
        #expect(section == nil || line.hasPrefix("client  "), "\(line)")
        #expect(parts.allSatisfy { line.contains($0) }, "\(line)")
    }

    @Test("what is given up says who is idle: the client that waits itself, or all clients where a party waits")
    func idle() throws {
        #expect(
            try Self.problem(Self.both + "peer:expect(\"heard\", nil, { within = \"1h\" })").message
                == "Sam cannot observe heard any more: no client has anything under way, and no other thread can act")
        #expect(
            try Self.problem(Self.both + "client:expect(\"told\", nil, { within = \"1h\" })").message
                == "client cannot observe told any more: it has no request, connection or timer, and no other thread "
                + "can act")
    }

    @Test(
        "a server that was started after the client is told to be no client's, unless another one talks to it",
        arguments: [
            ("local client, peer = t:actor(S), t:server(S):peer \"Sam\" client:connect()", true),
            ("local client, peer = t:actor(S), t:server(S):peer \"Sam\" t:actor(S)", false),
            ("local peer, client = t:server(S):peer \"Sam\", t:actor(S)", false),
        ])
    func deserted(_ beginning: String, isTold: Bool) throws {
        let (_, lines) = try Self.failure(
            "\(beginning)\npeer:expect(\"heard\", nil, { within = \"1s\" })", under: "remedy")
        #expect(
            lines
                == (isTold
                    ? [
                        "client was made before t:server and talks to a server of its own, and no client was made for "
                            + "http://probe-2.test:80: make the server first"
                    ] : []))
    }

    @Test("connections, requests and timers of the server are told")
    func arrivals() throws {
        let (type, lines) = try Self.pending("client:connect() peer:expect(\"heard\", nil, { within = \"1s\" })")
        #expect(type == "timeout")
        #expect(lines == ["what comes to http://probe-1.test:80: 1 connection so far, 1 open"])
        let (_, more) = try Self.pending(
            "client:connect() client:ask() peer:expect(\"heard\", nil, { within = \"1s\" })")
        #expect(
            more.first
                == "what comes to http://probe-1.test:80: 2 connections so far, 2 open; 1 request, 0 without an answer")
        #expect(more.count == 2 && more.last?.hasPrefix("timer tick fires in ") == true, "\(more)")
    }
}
