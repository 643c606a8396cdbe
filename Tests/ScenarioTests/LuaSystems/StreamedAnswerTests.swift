import Testing

@testable import Scenario

@Suite("Answers that clients in Lua read piece by piece")
struct StreamedAnswerTests {
    /// Plays a client that goes through the pieces of an answer whose server says this.
    private static func run(
        events: String = "", over iterator: String = "answer:pieces()", _ server: String, _ body: String
    ) throws -> ScriptRun {
        try ScriptRun(
            """
            local S = system { name = "probe", events = { message = { text = "string" }\(events) } }
            function S.commands.listen(me) me:after("listen", 0) end
            function S.on.timer(me)
                local answer = me:request { path = "/events", stream = true }
                for piece in \(iterator) do me:emit("message", { text = piece }) end
            end
            function S.server.request(_, request) \(server) end
            scenario("reads", function(t)
                t:server(S)
                local client = t:actor(S)
                client:listen()
                client:expect("message", { text = "one" })
                \(body)
            end)
            """)
    }

    private static let whole = "request:begin() request:write \"one\""
    private static let slow = whole + " wait \"1s\" request:write \"two\" wait \"1s\""
    private static let cuts = "wait \"500ms\" t:network { cut = true } wait \"100ms\""

    @Test("a body that is no text is a string of Lua at both ends, and its bytes can be expected")
    func bytes() throws {
        let source = """
            local S = system { name = "probe", events = { message = { text = "string" } } }
            function S.commands.echo(me, bytes)
                local answer = me:request { path = "/", body = "text" }
                expect({ answer.bytes, answer.body }, { "text", "text" })
                answer = me:request { path = "/download" }
                expect(answer.body == nil and answer.bytes == "a\\xFF\\0b")
                me:emit("message", { text = answer.bytes })
                expect(me:request({ path = "/none" }).bytes, "")
            end
            function S.server.request(desk, request)
                if request.path == "/download" then return { base64 = base64.encode "a\\xFF\\0b" } end
                return { body = request.bytes }
            end
            scenario("downloads", function(t)
                t:server(S)
                local client = t:actor(S)
                client:echo()
                client:expect("message", { text = "a\\xFF\\0b" })
            end)
            """
        #expect(try ScriptRun(source).messages == [])
    }

    @Test("the loop ends with the answer")
    func whole() throws {
        #expect(try Self.run(Self.whole, "wait \"1s\"").messages == [])
    }

    @Test("an answer that breaks off is an error that somebody has to expect")
    func broken() throws {
        let message = try #require(try Self.run(Self.slow, Self.cuts).messages.first)
        #expect(message.contains("the answer to GET /events broke off: "), "\(message)")
        let expected = Self.cuts + " client:expect(\"error\", { message = match.contains \"broke off\" })"
        #expect(try Self.run(Self.slow, expected).messages == [])
    }

    @Test("a loop whose function returns what answer:read returns is told of that as well, and the rest is its own")
    func iterator() throws {
        let read = "function() return answer:read() end"
        let message = try #require(try Self.run(over: read, Self.slow, Self.cuts).messages.first)
        #expect(message.contains("the answer to GET /events broke off: "), "\(message)")
        let expected = Self.cuts + " client:expect(\"error\", { message = match.contains \"broke off\" })"
        #expect(try Self.run(over: read, Self.slow, expected).messages == [])
        #expect(try Self.run(over: read, Self.whole, "wait \"1s\"").messages == [])
        // Who takes one value by parentheses, or looks at both, wants it so.
        let first = "function() return (answer:read()) end"
        #expect(try Self.run(over: first, Self.slow, Self.cuts).messages == [])
        let both = "function() local piece, failure = answer:read() return piece end"
        #expect(try Self.run(over: both, Self.slow, Self.cuts).messages == [])
    }

    @Test("a loop over answer:read itself is refused, for it could not say that the answer broke off")
    func loopOverRead() throws {
        let mistake = try ScriptRun.mistake(
            in: """
                local S = system { name = "probe", events = {} }
                function S.commands.ask(me)
                    local answer = me:request { path = "/", stream = true }
                    for piece in answer.read, answer do log.info(piece) end
                end
                function S.server.request(_, request) request:begin() request:write "one" end
                t:server(S)
                t:actor(S):ask()
                """)
        #expect(
            mistake?.contains("a loop goes through the pieces with for piece in answer:pieces() do") == true,
            "\(mistake ?? "none")")
    }

    @Test("a stream that is still open at the end of the scenario has not broken off")
    func open() throws {
        #expect(try Self.run(Self.slow, "client:expect(\"message\", { text = \"two\" })").messages == [])
    }

    @Test("a system whose own event error cannot say so is told what to do")
    func ownError() throws {
        let run = try Self.run(events: ", error = { number = \"integer\" }", Self.slow, Self.cuts)
        let message = try #require(run.messages.first)
        #expect(message.hasSuffix("take the second value of answer:read()"), "\(message)")
    }
}
