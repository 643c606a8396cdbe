import RunRecord
import Testing

@testable import Scenario

@Suite("What a chat system in Lua must not do unnoticed")
struct LuaSystemLapseTests {
    @Test(
        "what is passed to a client, a link or a connection beside its parameters, and answered beside an answer, is refused",
        arguments: [
            ("me:wait('ready', '1s', 'twice')", "", "me:wait takes no more than name, within"),
            ("me.link:close(1000, 'bye', true)", "", "link:close takes no more than code, reason"),
            ("me.link:drop('now')", "", "link:drop takes no arguments"),
            ("me:cookies('all')", "", "me:cookies takes no arguments"),
            ("me.link:send 'x'", "client:close(1000, 'bye', true)", "client:close takes no more than code, reason"),
            ("me.link:send 'x'", "client:drop(1006)", "client:drop takes no arguments"),
            (
                "me:request { path = '/' }", "",
                "probe.server.request returns one value, such as { status = 404, body = \"…\" }, not several"
            ),
        ] as [(String, String, String)])
    func excess(call: String, reaction: String, message: String) throws {
        let source = """
            local S = system { name = "probe", events = { message = { text = "string" } } }
            function S.commands.start(me) me.link = me:open {} me:wait "open" \(call) end
            function S.on.text() end
            function S.on.closed() end
            function S.server.text(desk, client) \(reaction) end
            function S.server.request() return 404, "no such page" end
            scenario("refused", function(t)
                t:server(S)
                t:actor(S):start()
                wait "1s"
                expect(1, 1)
            end)
            """
        let end = try ScriptRun(source).end
        #expect(end.outcome == .error, "\(end.problems)")
        #expect(end.problems.first?.detail.contains(message) == true, "\(end.problems)")
    }

    @Test(
        "what the functions of a system pass by, misspell or return for nothing is an error",
        arguments: [
            (
                "function S.server.request() return false end", "request",
                "returns a status, a text or a table, not false"
            ),
            ("function S.server.request() return 1.5 end", "request", "returns a status, a text or a table, not 1.5"),
            ("function S.server.upgrade() end", "open", "returns true or a sub-protocol to accept, and false"),
            (
                "function S.server.request(_, request) request:write 'a' return 200 end", "request",
                "request:write goes on with an answer; request:begin begins it"
            ),
            (
                "function S.server.request(_, request) request:begin() request:write 'a' return 500 end", "request",
                "has begun the answer with request:begin, so what it returns beside would be lost"
            ),
            (
                "function S.server.request(_, request) return request.pth and 200 or 404 end", "request",
                "request.pth is not there; did you mean \"path\"?"
            ),
            (
                "function S.server.request(desk) return desk.options.strct and 200 or 404 end", "request",
                "desk.options has no \"strct\"; did you mean \"strict\"?"
            ),
            (
                "function S.server.request(desk) return desk.options.bugs and 200 or 404 end", "request",
                "desk.options has no \"bugs\"; it has strict; system { server_options = { bugs = \"any?\" } } declares it"
            ),
            (
                "function S.server.request() return { status = 204, body = 'done' } end", "request",
                "an answer with the status 204 has no body (RFC 9110 section 6.4.1), so that body would be lost"
            ),
            (
                "function S.server.request() return { status = 304, json = {} } end", "request",
                "an answer with the status 304 has no body (RFC 9110 section 6.4.1), so that json would be lost"
            ),
            (
                "function S.commands.ask(me) return me:request({ timeout = 0 }).ok end", "ask",
                "me:request: timeout takes a duration above zero"
            ),
            (
                "function S.commands.ask(me) return me.options.usr end", "ask",
                "me.options has no \"usr\"; did you mean \"user\"?"
            ),
            (
                "function S.commands.ask(me) me.options.user = \"ada\" me.options.usr = \"eva\" end", "ask",
                "me.options has no \"usr\"; did you mean \"user\"?"
            ),
            (
                "function S.commands.ask(me) return me:request({ path = '/' }).stauts end", "ask",
                "answer.stauts is not there; did you mean \"status\"?"
            ),
            ("function S.commands.ask() end", "ask('now')", "client:ask takes no arguments"),
            ("function S.commands.ask(me, text) end", "ask('now', nil, 5)", "client:ask takes no more than text"),
            (
                "S.parties.agent = 5", "open",
                "probe.parties.agent is a table of functions by their names, not an integer"
            ),
            (
                "S.parties.agent = { say = 5 }", "open",
                "probe.parties.agent.say is a function, or a table with the function first"
            ),
        ] as [(String, String, String)])
    func lapses(declaration: String, command: String, message: String) throws {
        let call = command.contains("(") ? command : command + "()"
        let source = """
            local S = system {
                name = "probe", events = { message = { text = "string" } }, options = { user = "string?" },
                server_options = { strict = "boolean?" }, parties = { agent = { events = {} } },
            }
            function S.commands.open(me) me:open {} me:wait "open" end
            function S.commands.request(me) me:request { path = "/" } end
            function S.on.closed() end
            function S.on.failed() end
            function S.server.text() end
            scenario("lapses", function(t)
                \(declaration)
                t:server(S)
                local client = t:actor(S)
                client:\(call)
                wait "1s"
                expect(1, 1)
            end)
            """
        let end = try ScriptRun(source).end
        #expect(end.outcome == .error, "\(end.problems)")
        #expect(end.problems.first?.detail.contains(message) == true, "\(end.problems)")
    }

    @Test("tables of functions can be put into a party and the commands of a server as a whole")
    func tablesOfFunctions() throws {
        let source = """
            local S = system {
                name = "probe", events = { message = { text = "string" } }, parties = { agent = { events = {} } },
            }
            S.parties.agent = { greet = function(agent) return "I am " .. agent.name end }
            S.server.commands = { count = function(desk) return #desk.clients end }
            function S.server.text() end
            scenario("calls", function(t)
                local desk = t:server(S)
                expect(desk:agent("Sam"):greet(), "I am Sam")
                expect(desk:count(), 0)
            end)
            """
        #expect(try ScriptRun(source).end.problems.map(\.message) == [])
    }

    /// The problems of a client that says a second text after the server has closed its link upon the first.
    ///
    /// - Parameter client: Its command `say`, and what else it has.
    private static func problemsOfLateText(_ client: String) throws -> [Problem] {
        let source = """
            local S = system { name = "probe", events = { message = { text = "string" } } }
            local function open(me) me.link = me:open {} me:wait "open" end
            function S.commands.open(me) open(me) end
            function S.on.text() end
            function S.server.text(_, client) client:close(1000) end
            \(client)
            scenario("says more", function(t)
                t:server(S)
                local client = t:actor(S)
                client:open()
                client:say "one"
                wait "1s"
                client:say "two"
                expect(1, 1)
            end)
            """
        return try ScriptRun(source).end.problems
    }

    @Test(
        "what is sent on a link that has ended is an error, unless the system hears of ends itself",
        arguments: [true, false])
    func lostTexts(hearsOfEnds: Bool) throws {
        let problems = try Self.problemsOfLateText(
            """
            function S.commands.say(me, text) me.link:send(text) end
            \(hearsOfEnds ? "function S.on.closed() end" : "")
            """)
        #expect(problems.isEmpty == hearsOfEnds, "\(problems)")
        guard !hearsOfEnds else { return }
        #expect(problems.first?.message.contains("what was sent is lost, for the connection had ended: 1000") == true)
    }

    @Test(
        "a command whose text is lost fails, whatever the system does about ends, unless it sends it again",
        arguments: [
            ("me.link:send(text)", false), ("me.link:send_json { text = text }", false),
            ("if not me.link:send(text) then open(me) me.link:send(text) end", true),
        ])
    func lostText(body: String, isSaid: Bool) throws {
        let problems = try Self.problemsOfLateText(
            """
            S.commands.say = { sends = "text", function(me, text) \(body) end }
            function S.on.closed() end
            """)
        #expect(problems.isEmpty == isSaid, "\(problems)")
        guard !isSaid else { return }
        #expect(problems.first?.category == .failure)
        #expect(
            problems.first?.message.contains("what it sent is lost, for the connection had ended 1s before: 1000")
                == true, "\(problems)")
    }

    @Test("mistakes name the actor that was called, and members that scripts have")
    func names() throws {
        func message(_ call: String) throws -> String? {
            try ScriptRun.mistake(
                in: """
                    local S = system { name = "probe", events = { message = { text = "string" } } }
                    function S.server.text() end
                    t:server(S)
                    t:actor(S, { name = "Ada" })\(call)
                    """)
        }
        #expect(
            try message(":expect(\"message\", { text = print })")?.hasPrefix("Ada:expect compares values") == true)
        #expect(
            try message(":expect(\"message\", {}, { wihtin = \"1s\" })")?.hasPrefix("Ada:expect has no option") == true)
        let member = try #require(try message(".link:send \"x\""))
        #expect(member.contains("it has check, events, expect,") && !member.contains("@"), "\(member)")
    }

    @Test("an answer that is no JSON is told with who asked")
    func noJSON() throws {
        let run = try ScriptRun(
            body: """
                local S = system { name = "probe", events = {} }
                function S.commands.ask(me) return me:request({ path = "/sync" }).json end
                function S.server.request() return { body = "<html>" } end
                t:server(S)
                t:actor(S, { name = "Ada" }):ask()
                """)
        #expect(run.messages == ["Ada: GET /sync answered 200 with what is no JSON: <html>"])
        #expect(run.end.problems.first?.evidence?.actor == "Ada")
    }

    @Test("what a client in Lua says begins its turns, and a failure names the command that came before")
    func turns() throws {
        let source = """
            local S = system { name = "probe", events = { message = { text = "string" }, answer = { text = "string" } } }
            function S.commands.open(me) me.link = me:open {} me:wait "open" end
            function S.commands.say(me, text) me.link:send(text) end
            function S.on.text(me, text) me:emit("message", { text = text }) end
            function S.server.text(_, client, text) client:send(text) end
            scenario("is slow", function(t)
                t:server(S)
                local client = t:actor(S)
                \("t:within_turns(2, client, \"message\", { text = \"c\" })")
                client:open()
                for _, text in ipairs { "a", "b", "c" } do
                    client:say(text)
                    client:expect("message", { text = text })
                end
            end)
            """
        #expect(try ScriptRun(source).end.problems.first?.message.contains("began turn") == true)
        let silent = source.replacing("t:within_turns(2, client, \"message\", { text = \"c\" })", with: "")
            .replacing("client:expect(\"message\", { text = text })", with: "client:expect(\"answer\")")
        let message = try ScriptRun(silent).end.problems.first?.message
        #expect(message?.contains("came instead after say") == true, "\(message ?? "")")
    }

    @Test(
        "a property that is of another kind than its declaration says is an error where a scenario reads it",
        arguments: [
            ("5", "the client of probe: state is a string, not 5"), ("{ 'open' }", "state is a string, not [\"open\"]"),
            ("'open'", nil), ("nil", nil),
        ] as [(String, String?)])
    func properties(value: String, message: String?) throws {
        let source = """
            local S = system {
                name = "probe", events = { message = { text = "string" } }, properties = { state = "string?" },
            }
            function S.commands.start(me) me.state = \(value) end
            function S.server.text() end
            scenario("reads", function(t)
                t:server(S)
                local client = t:actor(S)
                client:start()
                expect(client.state == nil or client.state ~= "")
            end)
            """
        let problems = try ScriptRun(source).end.problems
        #expect(problems.isEmpty == (message == nil), "\(problems)")
        if let message { #expect(problems.first?.detail.contains(message) == true, "\(problems)") }
    }

    @Test("one mistake in a handler that runs again and again at the end is told once, with a count")
    func repeatedMistake() throws {
        let source = """
            local S = system { name = "probe", events = {} }
            function S.on.ending(me)
                for _ = 1, 5 do pcall(me.request, me, { path = "/" }) end
            end
            function S.server.request() error "no such desk" end
            scenario("ends", function(t)
                t:server(S)
                t:actor(S)
                expect(1, 1)
            end)
            """
        let problems = try ScriptRun(source).end.problems.filter { $0.message.contains("no such desk") }
        #expect(problems.count == 1)
        let repeated = problems.first?.evidence?.sections.first { $0.heading == "repeated" }
        #expect(repeated?.lines == ["4 times more while the conversation was torn down"])
    }
}
