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

    @Test(
        "what can be no message is a mistake of the script",
        arguments: [
            ("5", "me:receive: argument 1 (message) must be a text of JSON, or what it is as a table, not an integer"),
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
