import RunRecord
import Testing

@testable import Scenario

@Suite("Messages of JSON that come in another way than as a text of a link")
struct ReceivedMessageTests {
    /// Plays a client that polls once, gets a greeting and a message, and then does something.
    private static func poll(
        _ body: String,
        json: String = "{ from_server = { message = {}, hello = { session = 'string' } }, from_client = {} }"
    ) throws -> ScriptRun {
        try ScriptRun(
            """
            local S = system {
                name = "poll", json = \(json),
                events = { message = { text = "string" }, greeted = { session = "string", link = "any?" } },
            }
            function S.json.hello(me, hello, link) me:emit("greeted", { session = hello.session, link = link }) end
            function S.commands.connect(me)
                for _, message in ipairs(me:request({ path = "/events" }).json) do me:receive(message) end
                \(body)
            end
            function S.server.request()
                return { json = { { type = "hello", session = "s1" }, { type = "message", text = "hi", id = 7 } } }
            end
            scenario("polls", function(t)
                local client = t:actor(S)
                client:connect()
                client:expect("greeted", { session = "s1", link = match.absent })
                client:expect("message", { text = "hi", raw = { id = 7 } })
            end)
            """)
    }

    @Test("each goes to its handler or is the event of its name, as a table and as a text", arguments: ["", " \\n"])
    func received(space: String) throws {
        #expect(try Self.poll("").messages == [])
        let again = "me:receive '{\"type\":\"message\",\"text\":\"more\"}\(space)'"
        let run = try Self.poll(again)
        #expect(run.end.outcome == .failed)
        #expect(run.messages.first?.contains("first #3 message") == true, "\(run.messages)")
    }

    @Test(
        "what is none of them is an event error that tells what came, and no mistake of the script",
        arguments: [
            ("{ type = 'message', text = 42 }", "message \"message\": text is 42, not a string"),
            ("{ type = 'message', txet = 'hi' }", "message \"message\" needs the member text"),
            ("{ type = 'mesage' }", "there is no message \"mesage\" from the server; did you mean \"message\"?"),
            ("{ text = 'hi' }", "the message has no member \"type\", which names its kind"),
            ("json.array { 1 }", "the message is no object of JSON but [1]"), ("'<html>'", "the text is no JSON: "),
            ("5", "the message is no object of JSON but 5"), ("true", "the message is no object of JSON but true"),
            ("json.null", "the message is no object of JSON but null"),
            ("'{\"type\":\"message\",\"text\":\"a\",\"text\":\"b\"}'", "two members \"text\""),
        ])
    func faults(message: String, problem: String) throws {
        let run = try Self.poll("me:receive(\(message))")
        #expect(run.end.outcome == .failed)
        #expect(run.messages.first?.contains("first #3 error: ") == true, "\(run.messages)")
        #expect(run.messages.first?.contains(problem) == true, "\(run.messages)")
        let lines = run.end.problems.first?.evidence?.sections.first { $0.heading == "unexpected" }?.lines
        #expect(lines?.first?.contains("body=") == true, "\(lines ?? [])")
    }

    @Test("whoever hands on what came is told whether it is a message, with a handler, without one and as a text")
    func taken() throws {
        let hello = "{ type = 'hello', session = 's2' }"
        let run = try Self.poll(
            """
            local took = {}
            for _, message in ipairs { \(hello), { type = 'message', text = 'a' }, '{"type":"message","text":"b"}' } do
                table.insert(took, tostring(me:receive(message)))
            end
            for _, message in ipairs { { type = 'mesage' }, {}, 5, '<html>', '' } do
                table.insert(took, tostring(me:receive(message)))
            end
            log.info(table.concat(took, " "))
            """)
        #expect(run.logs == ["true true true false false false false false"], "\(run.logs) \(run.messages)")
    }

    @Test("a loop of polls that ends by an answer that is none fails at once by what the answer lacks")
    func polls() throws {
        let run = try ScriptRun(
            """
            local S = system {
                name = "poll", events = { message = { text = "string" } },
                json = { from_server = { news = { events = "list", cursor = "string" }, message = {} }, from_client = {} },
            }
            function S.commands.connect(me) me:after("poll", 0) end
            function S.on.timer(me)
                while true do
                    local answer = me:request { path = "/events", query = { after = me.cursor } }
                    local news = { type = "news", events = answer.json.events, cursor = answer.json.cursor }
                    if not me:receive(news) then return end
                end
            end
            function S.json.news(me, news)
                for _, message in ipairs(news.events) do me:receive(message) end
                me.cursor = news.cursor
            end
            function S.server.request(_, request)
                if request.query.after then return { json = { events = json.array {} } } end
                return { json = { events = { { type = "message", text = "hi" } }, cursor = "1" } }
            end
            scenario("polls", function(t)
                local client = t:actor(S, { name = "ada" })
                client:connect()
                client:expect("message", { text = "hi" })
                client:expect "message"
            end)
            """)
        #expect(run.end.outcome == .failed && run.seconds < 1)
        #expect(
            run.messages.first?.hasPrefix("ada: message \"news\" needs the member cursor, ") == true, "\(run.messages)")
    }

    @Test(
        "what can be no message is a mistake of the script",
        arguments: [
            (
                "print",
                "me:receive: argument 1 (message) must be a text of JSON, or what it is as a table, not a function"
            ),
            ("nil", "me:receive: argument 1 (message) must be a text of JSON, or what it is as a table, not nil"),
            ("{}, 3", "me:receive takes no more than message"),
            ("{ text = print }", "me:receive: argument 1 (message) is not JSON: a function cannot stand in JSON"),
        ])
    func mistakes(arguments: String, message: String) throws {
        let run = try Self.poll("me:receive(\(arguments))")
        #expect(run.end.outcome == .error)
        #expect(run.messages.first?.hasPrefix(message) == true, "\(run.messages)")
    }

    @Test("a system that declares no messages is told so")
    func undeclared() throws {
        let run = try ScriptRun(
            body: """
                local S = system { name = "bare", events = {} }
                function S.commands.go(me) me:receive {} end
                function S.server.text() end
                t:actor(S):go()
                """)
        #expect(run.end.outcome == .error)
        #expect(
            run.messages.first?.hasPrefix("me:receive takes a message of JSON, and bare declares none; write system ")
                == true, "\(run.messages)")
    }
}
