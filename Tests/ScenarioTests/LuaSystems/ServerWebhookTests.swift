import RunRecord
import Testing

@testable import Scenario

@Suite("Requests that simulated servers in Lua send of their own accord")
struct ServerWebhookTests {
    /// Plays a scenario with the server of a platform, whose handlers ask that of a bot; `hooks` is the bot's server
    /// and `sam` its party.
    private static func run(
        _ platform: String, bot: String = "return { json = { text = \"re: \" .. request.json.text } }", _ body: String
    ) throws -> ScriptRun {
        try ScriptRun(
            """
            local bot = system {
                name = "bot", events = {},
                parties = { peer = { events = { asked = { text = "string", note = "string?" } } } },
            }
            function bot.server.request(desk, request)
                if desk.parties.Sam then
                    desk:emit("Sam", "asked", { text = request.json.text, note = request.headers["x-note"] })
                end
                \(bot)
            end
            local S = system { name = "platform", title = "Platform", server_options = { hook = "string?" }, events = {} }
            function S.commands.say(me, text) return me:request({ path = "/say", json = { text = text } }).body end
            \(platform)
            scenario("asks", function(t)
                local hooks = t:server(bot)
                local sam = hooks:peer "Sam"
                local place = hooks.url
                \(body)
            end)
            """)
    }

    /// A platform that hands on what it is asked.
    private static let relay = """
        function S.server.request(desk, request)
            local answer = desk:request {
                url = desk.options.hook, headers = { ["X-Note"] = "n" }, json = request.json, timeout = "5s",
            }
            if answer.ok then return answer.json.text end
            return answer.failure and answer.failure.code or "status " .. answer.status
        end
        """

    @Test("a handler asks somebody else and answers with what comes back")
    func relayed() throws {
        let run = try Self.run(
            Self.relay,
            """
            t:server(S, { hook = place .. "/in" })
            expect(t:actor(S):say "hello", "re: hello")
            sam:expect("asked", { text = "hello", note = "n" })
            """)
        #expect(run.messages == [])
    }

    @Test("a server that never asks whether an answer is ok fails a scenario without actors, too")
    func unreadWithoutActors() throws {
        let end = try ScriptRun(
            """
            local bot = system { name = "bot", events = {} }
            function bot.server.request() return 503 end
            local S = system { name = "platform", title = "Platform", events = {} }
            function S.server.request() return 204 end
            function S.server.commands.tell(desk, url) desk:request { url = url, method = "POST" } end
            scenario("asks", function(t)
                local hook = t:server(bot).url .. "/in"
                t:server(S):tell(hook)
                expect(1, 1)
            end)
            """
        ).end
        #expect(end.outcome == .failed, "\(end.problems)")
        let text = "the simulated server of Platform: POST /in answered 503, and nothing asked whether that is ok"
        #expect(end.problems.first?.message.hasPrefix(text) == true, "\(end.problems)")
    }

    @Test(
        "a server that never asks whether an answer is ok that is not fails the scenario",
        arguments: [("", true), (".body", true), (".ok", false), (".status", false)])
    func unread(look: String, isLapse: Bool) throws {
        let end = try Self.run(
            """
            function S.server.request(desk, request)
                local answer = desk:request({ url = desk.options.hook, json = request.json })\(look)
                return "done"
            end
            """, bot: "return 503",
            """
            t:server(S, { hook = place .. "/in" })
            expect(t:actor(S):say "hello", "done")
            sam:expect "asked"
            """
        ).end
        #expect(end.outcome == (isLapse ? .failed : .passed), "\(end.problems)")
        guard isLapse else { return }
        let text = "the simulated server of Platform: POST /in answered 503, and nothing asked whether that is ok"
        #expect(end.problems.map(\.message) == [text])
    }

    @Test(
        "an answer that fails, none in time and nobody there are told to the handler",
        arguments: [
            ("return 503", "place", "status 503"), ("desk:wait \"never\"", "place", "timed_out"),
            ("return 204", "\"http://nobody.test:80\"", "cannot_connect"),
        ])
    func failures(bot: String, place: String, answer: String) throws {
        let run = try Self.run(
            Self.relay, bot: bot,
            """
            t:server(S, { hook = \(place) })
            t:allow "asked"
            expect(t:actor(S):say "hello", "\(answer)")
            """)
        #expect(run.messages == [])
        #expect(run.end.atNanoseconds < 20_000_000_000)
    }

    @Test(
        "why a server's own request failed stands beside what is waited for in vain, and with what a party fails by",
        arguments: [
            "ada:say() ada:expect('message', { text = 'heard' })", "ada:say() sam:expect 'delivered'", "sam:post()",
        ])
    func told(body: String) throws {
        let run = try ScriptRun(
            """
            local S = system {
                name = "platform", title = "Platform", client = "visitor", events = { message = { text = "string" } },
                parties = { user = { events = { delivered = {} } } },
            }
            local function ask(desk) return desk:request({ url = "http://127.0.0.1:7635/hook", json = {} }).ok end
            function S.commands.say(me) me:emit("message", { text = me:request({ path = "/" }).body }) end
            function S.server.request(desk) return ask(desk) and "heard" or "lost" end
            function S.parties.user.post(user) if not ask(user.desk) then user:fail "the bot refused" end end
            scenario("asks", function(t)
                local sam, ada = t:server(S):user "Sam", t:actor(S, { name = "ada" })
                \(body)
            end)
            """)
        let lines = run.end.problems.first?.evidence?.sections.first { $0.heading == "not ok" }?.lines ?? []
        #expect(run.end.outcome == .failed && lines.count == 1, "\(run.end.problems)")
        #expect(
            lines.first?.hasSuffix(
                "the simulated server of Platform: POST /hook failed: nothing listens on 127.0.0.1:7635 in this process; "
                    + "start the server first; a real one needs --target, or --clock real") == true, "\(lines)")
    }

    @Test("the other handlers go on while one waits, and a command of the server may ask as well")
    func beside() throws {
        let run = try Self.run(
            """
            function S.server.request(desk, request)
                if request.json.text == "quick" then return "at once" end
                return desk:request({ url = desk.options.hook, json = request.json }).json.text
            end
            function S.server.commands.tell(desk, text)
                return desk:request({ url = desk.options.hook, json = { text = text } }).json.text
            end
            """, bot: "wait \"1s\" return { json = { text = \"slow\" } }",
            """
            local server = t:server(S, { hook = place })
            local one, two = t:actor(S), t:actor(S, { name = "two" })
            t:allow "asked"
            local thread = spawn(function() expect(one:say "wait", "slow") end)
            wait "100ms"
            expect(two:say "quick", "at once")
            join(thread)
            expect(server:tell "from the scenario", "slow")
            """)
        #expect(run.messages == [])
    }

    @Test("what a server sends later is worth waiting for, and nothing is once it has no timer and no request left")
    func later() throws {
        let run = try Self.run(
            """
            function S.server.started(desk) desk:after("tell", "5s") end
            function S.server.timer(desk) desk:request { url = desk.options.hook, json = { text = "late" } } end
            """,
            """
            t:server(S, { hook = place })
            sam:expect("asked", { text = "late" }, { within = "1m" })
            sam:expect("asked", nil, { within = "24h" })
            """)
        let problem = try #require(run.end.problems.first)
        #expect(problem.typeName == "hopeless", "\(problem)")
        #expect(run.end.atNanoseconds < 600_000_000_000)
    }

    @Test("an answer is read in pieces, and one that breaks off fails the scenario unless the handler takes that")
    func pieces() throws {
        func run(_ loop: String) throws -> ScriptRun {
            try Self.run(
                """
                function S.server.request(desk, request)
                    local answer, text = desk:request { url = desk.options.hook, json = request.json, stream = true }, ""
                    \(loop)
                    return text
                end
                """,
                bot: """
                    request:begin { headers = request.json.text == "all" and {} or { ["content-length"] = "100" } }
                    request:write "one, "
                    wait "1s"
                    request:write "two"
                    """,
                """
                t:server(S, { hook = place })
                t:allow "asked"
                local client = t:actor(S)
                expect(client:say "all", "one, two")
                expect(client:say "half", "one, two, connection_lost")
                """)
        }
        let all = "for piece in answer:pieces() do text = text .. piece end"
        let read = "for piece in function() return answer:read() end do text = text .. piece end"
        for loop in [all, read] {
            let message = try #require(try run(loop).messages.first)
            #expect(
                message.hasPrefix("the simulated server of Platform: the answer to POST / broke off: "), "\(message)")
            #expect(
                message.hasSuffix("; take the second value of answer:read() to go on without the rest"), "\(message)")
        }
        let taken = """
            while true do
                local piece, failure = answer:read()
                if failure then text = text .. ", " .. failure.code end
                if not piece then break end
                text = text .. piece
            end
            """
        #expect(try run(taken).messages == [])
    }

    @Test("an answer that is no JSON is told with the server that asked")
    func noJSON() throws {
        let run = try Self.run(
            Self.relay, bot: "return \"<html>\"",
            """
            t:server(S, { hook = place .. "/in" })
            t:allow "asked"
            t:actor(S):say "hello"
            """)
        #expect(
            run.messages.first
                == "the simulated server of Platform: POST /in answered 200 with what is no JSON: <html>")
    }

    @Test(
        "what cannot be asked for is told",
        arguments: [
            ("desk:request {}", "url"), ("desk:request { url = \"/x\" }", "url is the whole URL of whom to ask"),
            ("desk:request { url = \"http://evil.example/x\" }", "evil.example is neither the target's host nor this"),
            ("desk:request { url = \"tcp://127.0.0.1:1\" }", "a request needs the URL of an HTTP server"),
            ("desk:request { url = \"http://a.test\", hedaers = {} }", "did you mean \"headers\"?"),
            ("desk.request { url = \"http://a.test\" }", "write a colon"),
            ("desk:request { url = \"http://a.test\", json = 1, body = \"x\" }", "not both json and body"),
        ])
    func refused(call: String, message: String) throws {
        let run = try Self.run(
            "function S.server.started(desk) \(call) end",
            """
            t:server(S)
            wait "1s"
            """)
        #expect(run.messages.first?.contains(message) == true, "\(run.messages)")
        #expect(run.end.outcome == .error)
    }

    @Test("a wait for an answer that does not come says what the server has asked")
    func pending() throws {
        let run = try ScriptRun(
            """
            local S = system { name = "own", title = "Own", events = {}, parties = { peer = { events = { heard = {} } } } }
            function S.server.request() wait "1h" end
            function S.server.commands.tell(desk, url) desk:after(url, 0) end
            function S.server.timer(desk, url) desk:request { url = url .. "/slow" } end
            scenario("waits", function(t)
                local server = t:server(S)
                server:tell(server.url)
                server:peer("Sam"):expect("heard", nil, { within = "1s" })
            end)
            """)
        let lines = run.end.problems.first?.evidence?.sections.first { $0.heading == "pending" }?.lines ?? []
        #expect(lines.contains { $0.contains("GET") && $0.contains("/slow") }, "\(lines)")
    }

    @Test("servers that ask each other without end, and without letting time pass, end the scenario")
    func endless() throws {
        let run = try Self.run(
            """
            function S.server.started(desk) desk:after("again", 0) end
            function S.server.timer(desk)
                desk:request { url = desk.options.hook, json = { text = "x" } }
                desk:after("again", 0)
            end
            """, bot: "return 204",
            """
            t:allow "asked"
            t:server(S, { hook = place })
            wait "1s"
            """)
        let problem = try #require(run.end.problems.first)
        #expect(problem.typeName == "runaway")
        #expect(
            problem.message.hasPrefix("the simulated server of Platform and those it calls answered each other"),
            "\(problem.message)")
    }
}
