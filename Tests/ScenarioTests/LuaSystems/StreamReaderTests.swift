import Testing

@testable import Scenario

@Suite("Bodies that systems in Lua read by lines and by events")
struct StreamReaderTests {
    /// Plays a client that asks for a stream, reads it and says what it found by `me:emit("found", { text = … })`.
    ///
    /// - Parameters:
    ///   - pieces: What the server writes, as texts of Lua.
    ///   - read: What the client does with `answer`.
    ///   - body: What the scenario expects.
    ///   - head: The head of the answer, as a table of Lua.
    ///   - after: What the server does after its pieces.
    private static func run(
        _ pieces: String, _ read: String, _ body: String, head: String = "{}", after: String = ""
    ) throws -> ScriptRun {
        try ScriptRun(
            """
            local S = system { name = "probe", events = { found = { text = "string" } } }
            function S.commands.listen(me) me:after("listen", 0) end
            function S.on.timer(me)
                local answer = me:request { path = "/events", stream = true }
                \(read)
            end
            function S.server.request(_, request)
                request:begin(\(head))
                for _, piece in ipairs { \(pieces) } do
                    request:write(piece)
                    wait "1ms"
                end
                \(after)
            end
            scenario("reads", function(t)
                t:server(S)
                local client = t:actor(S)
                client:listen()
                \(body)
            end)
            """)
    }

    private static let events = """
        for event in answer:events() do
            local parts = { event.event, event.id or "-", event.retry and tostring(event.retry) or "-", event.data }
            me:emit("found", { text = table.concat(parts, "|") })
        end
        """

    private static let lines = "for line in answer:lines() do me:emit(\"found\", { text = line }) end"

    private static func found(_ texts: String...) -> String {
        texts.map { "client:expect(\"found\", { text = \"\($0)\" })" }.joined(separator: "\n")
            + "\nwait \"1s\""
    }

    @Test(
        "events are read with any line ends and in any division",
        arguments: ["\\n", "\\r\\n", "\\r"], [1, 2, 3, 7, 1000])
    func division(end: String, most: Int) throws {
        let stream = [
            "\u{FEFF}: a comment", "", "id: 7", "event: join", "data:  one", "data:two", "data", "", "retry: 2500", "",
            ":", "",
            "data: größer 😀", "unknown: field", "id", "", "id: 8", "event: nothing", "", "data: {\\\"a\\\": 1}",
            "retry: soon",
            "",
        ].map { "\"\($0)\(end)\"" }.joined(separator: ", ")
        let expected = Self.found("join|7|-| one\\ntwo\\n", "message||2.5|größer 😀", "message|8|-|{\\\"a\\\": 1}")
        let run = try Self.run(stream, Self.events, "t:network { pieces = \(most) }\n" + expected)
        #expect(run.messages == [])
    }

    private static let reconnection = """
        me:emit("found", { text = tostring(answer.last_event_id) .. " " .. tostring(answer.retry) })
        """

    @Test(
        "what a reconnection goes by needs no event: an identifier counts once its block ends, a waiting time at once",
        arguments: [
            ("'id: 1\\nretry: 250\\ndata: a\\n\\n'", "1 0.25"), ("'data: a\\n\\n'", "nil nil"),
            ("'data: a\\n\\n', 'id: 2\\n\\n'", "2 nil"), ("'data: a\\n\\nid: 2\\nretry: 500\\n\\n'", "2 0.5"),
            ("'data: a\\n\\n', 'retry: 500\\n'", "nil 0.5"), ("'id: 1\\ndata: a\\n\\n', 'id: 2\\n'", "1 nil"),
            ("'id: 1\\ndata: a\\n\\n', 'id: 2\\nretry: 1500\\ndata: b\\n'", "1 1.5"),
            ("'id: 1\\ndata: a\\n\\n', 'id\\n\\n'", "nil nil"),
        ], [1, 1000])
    func reconnects(stream: (String, String), most: Int) throws {
        let read = "while answer:read \"event\" do end\n" + Self.reconnection
        let body = "t:network { pieces = \(most) }\n" + Self.found(stream.1)
        #expect(try Self.run(stream.0, read, body).messages == [])
    }

    @Test("a reconnection does not go by events that came and were not read, nor does one behind a closed answer")
    func readAhead() throws {
        let read = """
            answer:read "event"
            \(Self.reconnection)
            answer:close()
            answer:read "event"
            \(Self.reconnection)
            """
        let pieces = "'id: 1\\ndata: a\\n\\nid: 2\\ndata: b\\n\\nid: 3\\n\\n'"
        #expect(try Self.run(pieces, read, Self.found("1 nil", "1 nil")).messages == [])
    }

    @Test("what a reconnection goes by is there while a handler waits for the next event")
    func readMeanwhile() throws {
        let run = try ScriptRun(
            """
            local S = system { name = "probe", events = { found = { text = "string" } } }
            function S.commands.listen(me)
                me:after("listen", 0)
                me:after("look", "500ms")
            end
            function S.on.timer(me, name)
                if name == "look" then
                    local answer = me.answer
                    return me:emit("found", { text = answer.last_event_id .. " " .. answer.retry })
                end
                me.answer = me:request { path = "/events", stream = true }
                expect(me.answer.ok)
                for event in me.answer:events() do me:emit("found", { text = event.data }) end
            end
            function S.server.request(_, request)
                request:begin {}
                request:write "id: 1\\ndata: a\\n\\n"
                wait "100ms"
                request:write "id: 2\\nretry: 250\\n\\n"
                wait "10s"
            end
            scenario("reads", function(t)
                t:server(S)
                local client = t:actor(S)
                client:listen()
                client:expect("found", { text = "a" })
                client:expect("found", { text = "2 0.25" })
            end)
            """)
        #expect(run.messages == [])
    }

    @Test("to read what a reconnection goes by is not to ask whether the answer is ok")
    func reconnectionOfRefusal() throws {
        let read = "while answer:read \"event\" do end\n" + Self.reconnection
        let run = try Self.run("'id: 1\\n\\n'", read, Self.found("1 nil"), head: "{ status = 503 }")
        let message = try #require(run.messages.first)
        #expect(message.contains("and nothing asked whether that is ok"), "\(message)")
        let looks = "local _ = answer.ok\n" + read
        #expect(try Self.run("'id: 1\\n\\n'", looks, Self.found("1 nil"), head: "{ status = 503 }").messages == [])
    }

    @Test("the data of an event is read as JSON where that is asked for, and what is none is told")
    func json() throws {
        let read = "for event in answer:events() do me:emit(\"found\", { text = event.json.text }) end"
        #expect(try Self.run("'data: {\"text\":\"hi\"}\\n\\n'", read, Self.found("hi")).messages == [])
        let message = try #require(try Self.run("'data: hi\\n\\n'", read, Self.found("hi")).messages.first)
        #expect(message == "client: GET /events brought an event with what is no JSON: hi", "\(message)")
        let data = #"{"text":"hi","text":"hi"}"#
        let twice = try Self.run("'data: \(data)\\n\\n'", read, Self.found("hi")).messages
        let told =
            #"client: GET /events brought an event with JSON in which an object has two members "text", and readers "#
            + "differ in which counts: \(data)"
        #expect(twice.first == told, "\(twice)")
    }

    @Test("an answer in which an object has two members of one name is no JSON to read from, and says so")
    func repeatedMember() throws {
        let run = try ScriptRun(
            """
            local S = system { name = "probe", events = {} }
            function S.commands.ask(me) return me:request({ path = "/" }).json.id end
            function S.server.request() return { body = '{"id":1,"id":2}' } end
            scenario("reads", function(t)
                t:server(S)
                t:actor(S):ask()
            end)
            """)
        let told =
            #"client: GET / answered 200 with JSON in which an object has two members "id", and readers differ in "#
            + #"which counts: {"id":1,"id":2}"#
        #expect(run.messages == [told])
    }

    @Test("an event with bytes that are no text says so, for as a text it may look like JSON")
    func noText() throws {
        let run = try ScriptRun(
            """
            local S = system { name = "probe", events = { found = { text = "string" } } }
            function S.commands.listen(me)
                local answer = me:request { path = "/events", stream = true }
                for event in answer:events() do me:emit("found", { text = event.json.text }) end
            end
            function S.server.request()
                return { base64 = base64.encode 'data: {"text":"H\\xff"}\\n\\n' }
            end
            scenario("reads", function(t)
                t:server(S)
                local client = t:actor(S)
                client:listen()
            end)
            """)
        let told =
            "client: GET /events brought an event with what is no JSON: "
            + "bytes that are no UTF-8: {\"text\":\"H\u{FFFD}\"}"
        #expect(run.messages == [told])
    }

    @Test("a return ends an event at once, and a line feed that comes later is of that return")
    func lateLineFeed() throws {
        let body = "client:expect(\"found\", { text = \"message|-|-|one\" }, { within = \"500ms\" })\n"
        let run = try ScriptRun(
            """
            local S = system { name = "probe", events = { found = { text = "string" } } }
            function S.commands.listen(me) me:after("listen", 0) end
            function S.on.timer(me)
                local answer = me:request { path = "/events", stream = true }
                \(Self.events)
            end
            function S.server.request(_, request)
                request:begin()
                request:write "data: one\\r\\n\\r"
                wait "1s"
                request:write "\\ndata: two\\r\\r"
                wait "1s"
            end
            scenario("reads", function(t)
                t:server(S)
                local client = t:actor(S)
                client:listen()
                \(body)
                client:expect("found", { text = "message|-|-|two" }, { within = "1100ms" })
            end)
            """)
        #expect(run.messages == [])
    }

    @Test(
        "a stream of text, or of a type that is not told, is read as events",
        arguments: ["{}", "{ headers = { [\"content-type\"] = \"text/plain\" } }"])
    func believedType(head: String) throws {
        let run = try Self.run("'data: one\\n\\n'", Self.events, Self.found("message|-|-|one"), head: head)
        #expect(run.messages == [])
    }

    @Test(
        "what is no event stream is no empty one",
        arguments: [
            ("{ headers = { [\"content-type\"] = \"text/html; charset=utf-8\" } }", "answered 200 text/html"),
            (
                "{ status = 401, headers = { [\"content-type\"] = \"application/json\" } }",
                "answered 401 application/json"
            ),
        ])
    func otherType(head: String, told: String) throws {
        let run = try Self.run("'<html>\\n\\n<p>\\n'", Self.events, "wait \"1s\"", head: head)
        let message = try #require(run.messages.first)
        #expect(message == "client: GET /events \(told), which is no event stream: <html> <p>", "\(message)")
    }

    @Test(
        "who goes through the body of a refusal has not asked whether it is one",
        arguments: ["events", "lines", "pieces"])
    func refusal(unit: String) throws {
        let read = "for item in answer:\(unit)() do end"
        let message = try #require(
            try Self.run("'data: no\\n\\n'", read, "wait \"1s\"", head: "{ status = 503 }").messages.first)
        #expect(message.contains("and nothing asked whether that is ok"), "\(message)")
        let looks = "if not answer.ok then me:emit(\"found\", { text = tostring(answer.status) }) end\n" + read
        let run = try Self.run("'data: no\\n\\n'", looks, Self.found("503"), head: "{ status = 503 }")
        #expect(run.messages == [])
    }

    @Test("the body of an answer in pieces is not there as a whole", arguments: ["body", "json", "bytes"])
    func noBody(name: String) throws {
        let read = "me:emit(\"found\", { text = tostring(answer.\(name)) })"
        let message = try #require(try Self.run("'one'", read, Self.found("one")).messages.first)
        #expect(message.contains("answer.\(name): the answer comes in pieces"), "\(message)")
    }

    @Test("a body is gone through once, and with a colon")
    func onceAndColon() throws {
        let again = try #require(
            try Self.run("'one\\n'", Self.lines + "\n" + Self.lines, Self.found("one")).messages.first)
        #expect(again.contains("answer:lines finds nothing: the body has been read to its end"), "\(again)")
        let dot = "for line in answer.lines() do me:emit(\"found\", { text = line }) end"
        let message = try #require(try Self.run("'one\\n'", dot, Self.found("one")).messages.first)
        #expect(message.contains("answer:lines is called with a colon"), "\(message)")
    }

    @Test("who closes an answer is given no more of it, and the server hears of that")
    func closes() throws {
        let run = try ScriptRun(
            """
            local S = system {
                name = "probe", events = { found = { text = "string" } },
                parties = { agent = { events = { gone = {} } } },
            }
            function S.commands.listen(me) me:after("listen", 0) end
            function S.on.timer(me)
                local answer = me:request { path = "/events", stream = true }
                for line in answer:lines() do
                    me:emit("found", { text = line })
                    answer:close()
                end
                expect(answer:read "line", nil)
                me:emit("found", { text = "closed" })
            end
            function S.server.request(desk, request)
                request:begin()
                while request:write "one\\ntwo\\n" do wait "100ms" end
                for _, agent in pairs(desk.parties) do agent:emit("gone", {}) end
            end
            scenario("reads", function(t)
                local agent = t:server(S):agent "Sam"
                local client = t:actor(S)
                client:listen()
                client:expect("found", { text = "one" })
                client:expect("found", { text = "closed" })
                agent:expect("gone", nil, { within = "1s" })
            end)
            """)
        #expect(run.messages == [])
    }

    @Test("a misspelt member of an event is told")
    func misspelt() throws {
        let read = "for event in answer:events() do me:emit(\"found\", { text = event.dat }) end"
        let message = try #require(try Self.run("'data: hi\\n\\n'", read, Self.found("hi")).messages.first)
        #expect(message.contains("event.dat is not there; did you mean \"data\"?"), "\(message)")
    }

    @Test("lines end in a line feed, with or without a return, and the last one need not end")
    func lines() throws {
        let run = try Self.run(
            "'one\\r', '\\ntw', 'o\\n\\nth\\rree\\n', 'four'", Self.lines,
            Self.found("one", "two", "", "th\\rree", "four"))
        #expect(run.messages == [])
    }

    @Test(
        "an event that the end of the body cuts off has broken off",
        arguments: [
            "'data: on'", "'data: one\\n'", "'da'", "'event: say\\n'", "'id: 2\\n'", "'event: say\\nid: 2\\n'",
            "'id: 2\\n: alive\\n'", "'id: 2\\n: al'",
        ])
    func cutOff(rest: String) throws {
        let run = try Self.run("'data: whole\\n\\n', \(rest)", Self.events, Self.found("message|-|-|whole"))
        let message = try #require(run.messages.first)
        #expect(
            message.contains("the answer to GET /events broke off: the body ended in the middle of an event"),
            "\(message)")
    }

    @Test(
        "what the end of the body leaves of no event is no event that was cut off",
        arguments: ["'id: 2\\n\\n'", "'event: say\\n\\n'", "'retry: 50\\n'", "': alive\\n'", "': al'"])
    func endedBetween(rest: String) throws {
        let run = try Self.run("'data: whole\\n\\n', \(rest)", Self.events, Self.found("message|-|-|whole"))
        #expect(run.messages == [])
    }

    @Test("a server drops a request before its answer and in the middle of it", arguments: [false, true])
    func drops(hasBegun: Bool) throws {
        let run = try ScriptRun(
            """
            local S = system { name = "probe", events = { found = { text = "string" } } }
            function S.commands.ask(me)
                local answer = me:request { path = "/", stream = true }
                local failure = answer.failure
                if not failure then
                    expect(answer:read(), "one")
                    failure = select(2, answer:read())
                end
                me:emit("found", { text = failure.code })
            end
            function S.server.request(_, request)
                if \(hasBegun) then
                    request:begin()
                    request:write "one"
                    wait "1ms"
                end
                expect(request:drop())
                expect(request:drop(), false)
            end
            scenario("reads", function(t)
                t:server(S)
                local client = t:actor(S)
                client:ask()
                client:expect "found"
            end)
            """)
        #expect(run.messages == [])
    }

    @Test("a body may be silent for no longer than is said, and be read further")
    func silence() throws {
        let read = """
            for event in answer:events "2s" do me:emit("found", { text = event.data }) end
            local event = answer:read("event", "2s")
            me:emit("found", { text = event.data })
            local _, failure = answer:read("event", "500ms")
            me:emit("found", { text = tostring(failure) })
            """
        let expected = """
            client:expect("found", { text = "one" })
            client:expect("error", { code = "timeout", message = match.contains "nothing came within 2s" })
            client:expect("found", { text = "two" })
            client:expect("found", { text = "nothing came within 500ms" })
            """
        let run = try Self.run(
            "'data: one\\n\\n'", read, expected, after: "wait \"3s\" request:write 'data: two\\n\\n' wait \"3s\"")
        #expect(run.messages == [])
        let mistake = try #require(
            try Self.run("'one'", "answer:read(\"event\", \"soon\")", Self.found("one")).messages.first)
        #expect(mistake.contains("how long an answer may be silent is a duration"), "\(mistake)")
    }

    @Test("a comment at the end of the body is no event")
    func comment() throws {
        let run = try Self.run("'data: whole\\n\\n', ': bye'", Self.events, Self.found("message|-|-|whole"))
        #expect(run.messages == [])
    }

    @Test("a line and an event have bounds, and what came before them is read", arguments: ["line", "event"])
    func bounds(unit: String) throws {
        let (great, count) = unit == "line" ? ("('x'):rep(65536)", 65) : ("('data: x\\n'):rep(65536)", 4)
        let pieces = "'data: whole\\n\\n', " + Array(repeating: great, count: count).joined(separator: ", ")
        let run = try Self.run(pieces, Self.events, Self.found("message|-|-|whole"))
        let message = try #require(run.messages.first)
        #expect(message.contains("broke off: a"), "\(message)")
        #expect(message.contains("\(unit) of more than 4194304 bytes"), "\(message)")
    }

    @Test("who recovers is given the failure beside nil, once and again")
    func recovers() throws {
        let read = """
            while true do
                local event, failure = answer:read "event"
                if not event then
                    local _, again = answer:read "event"
                    me:emit("found", { text = failure.code .. " " .. tostring(failure == again) })
                    return
                end
                me:emit("found", { text = event.data })
            end
            """
        let run = try Self.run("'data: one\\n\\n', 'data: tw'", read, Self.found("one", "protocol true"))
        #expect(run.messages == [])
    }

    @Test("one body is read in one way")
    func mixed() throws {
        let read = "answer:read \"line\"\n" + Self.events
        let message = try #require(try Self.run("'one\\n'", read, Self.found("one")).messages.first)
        #expect(message.contains("the body is read by answer:lines() already"), "\(message)")
    }

    @Test(
        "a whole answer says how to ask for one that comes in pieces",
        arguments: [
            ("for event in answer:events() do print(event) end", "answer:events"),
            ("return answer.retry", "answer.retry"),
            ("return answer.last_event_id", "answer.last_event_id"),
        ])
    func whole(read: String, member: String) throws {
        let mistake = try ScriptRun.mistake(
            in: """
                local S = system { name = "probe", events = {} }
                function S.commands.ask(me)
                    local answer = me:request { path = "/" }
                    \(read)
                end
                function S.server.request() return "data: one\\n\\n" end
                t:server(S)
                t:actor(S):ask()
                """)
        #expect(
            mistake?.hasSuffix("\(member) is of an answer that comes in pieces: ask for it with stream = true") == true,
            "\(mistake ?? "none")")
    }
}
