import RunRecord
import Testing

@testable import Scenario

@Suite("A client in Lua that waits for what does not come")
struct ClientWaitTests {
    /// Plays a scenario with a client of this system.
    private static func problem(
        _ system: String, _ body: String = "client:connect()", declaring members: String = ""
    ) throws -> (
        problem: Problem, seconds: Double
    ) {
        let run = try ScriptRun(
            """
            local S = system { name = "probe", \(members) events = { message = { text = "string" } } }
            \(system)
            scenario("waits", function(t)
                t:server(S)
                local client = t:actor(S, { name = "ada" })
                \(body)
            end)
            """)
        return (try #require(run.end.problems.first, "it passed"), run.seconds)
    }

    private static func lines(_ heading: String, of problem: Problem) -> [String] {
        problem.evidence?.sections.first { $0.heading == heading }?.lines ?? []
    }

    private static let connects = """
        function S.commands.connect(me)
            me.link = me:open {}
            me:wait "open"
            me:emit("message", { text = "opened" })
            me:wait("hello", "5s")
        end
        function S.on.text() end
        function S.server.text() end
        """

    @Test("a wait that runs out names its command and its limit, and shows what the client observed")
    func timedOut() throws {
        let (problem, seconds) = try Self.problem(Self.connects)
        #expect(
            problem.message == "ada: connect did not come to its end: nothing woke its wait for \"hello\" within 5s")
        #expect(problem.typeName == "timeout" && problem.category == .failure && problem.limit == "me:wait")
        #expect(seconds >= 5 && seconds < 6)
        #expect(Self.lines("timeline", of: problem).first == "! #1  0s  message  text=\"opened\"")
        #expect(Self.lines("pending", of: problem).first?.hasSuffix(" is open") == true)
        #expect(Self.lines("limit", of: problem) == ["me:wait 5s"])
        #expect(problem.evidence?.actor == "ada")
    }

    @Test("the time that nobody gave is told as the default")
    func defaultLimit() throws {
        let (problem, _) = try Self.problem(Self.connects.replacing("(\"hello\", \"5s\")", with: " \"hello\""))
        #expect(Self.lines("limit", of: problem) == ["me:wait 10s (the default; me:wait(name, within) changes it)"])
    }

    @Test("once the link is gone nothing can wake it, so it fails at once and the end of the link leads")
    func deadLink() throws {
        let (problem, seconds) = try Self.problem(
            Self.connects + "\nfunction S.server.connected(_, client) wait \"1s\" client:close(1011, \"crashed\") end")
        #expect(problem.typeName == "hopeless" && seconds < 2)
        #expect(
            problem.message.hasPrefix("ada: the connection was closed: 1011 crashed, 1s after connect; "),
            "\(problem.message)")
        #expect(problem.message.hasSuffix("nothing can wake its wait for \"hello\" any more"))
        #expect(Self.lines("pending", of: problem).first?.hasPrefix("nothing: ada has no request") == true)
        #expect(Self.lines("limit", of: problem) == [])
    }

    @Test(
        "a timer, a request, another function of the scenario and another client's may still wake it",
        arguments: [
            ("me:after(\"ring\", \"2s\")", ""), ("", "spawn(function() wait \"2s\" client:ring() end)"),
            (
                "",
                "spawn(function() other:expect(\"message\", nil, { within = \"1m\" }) client:ring() end) other:late()"
            ),
        ])
    func awake(command: String, before: String) throws {
        let source = """
            local S = system { name = "probe", events = { message = { text = "string" } } }
            function S.commands.nap(me) \(command) return (me:wait("bell", "1m")) end
            function S.commands.ring(me) me:wake("bell", "rung") end
            function S.commands.late(me) me:after("speak", "2s") end
            function S.on.timer(me, name)
                if name == "ring" then me:wake("bell", "rung") else me:emit("message", { text = "a" }) end
            end
            function S.server.text() end
            scenario("sleeps", function(t)
                t:server(S)
                local client, other = t:actor(S), t:actor(S)
                \(before)
                expect(client:nap(), "rung")
            end)
            """
        let run = try ScriptRun(source)
        #expect(run.messages == [])
        #expect(run.seconds >= 2 && run.seconds < 3)
    }

    @Test("a handler that waits in vain is named as one, and takes its time, for it is under way itself")
    func handler() throws {
        let (problem, seconds) = try Self.problem(
            """
            function S.commands.connect(me) me:after("begin", 0) end
            function S.on.timer(me) me:wait("hello", "5s") end
            function S.server.text() end
            """, "client:connect() wait \"20s\"")
        #expect(
            problem.message == "ada: a handler did not come to its end: nothing woke its wait for \"hello\" within 5s")
        #expect(seconds >= 5)
    }

    @Test("of two commands under way the one that waits is named")
    func twoCommands() throws {
        let (problem, _) = try Self.problem(
            Self.connects + "\nfunction S.commands.say(me) end",
            "spawn(function() wait \"1s\" client:say() end) client:connect()")
        #expect(problem.message.hasPrefix("ada: connect did not come to its end: "))
    }

    @Test("what came while it waited is shown, and what was woken for which nobody waited")
    func arrived() throws {
        let (problem, _) = try Self.problem(
            Self.connects.replacing(
                "function S.on.text() end", with: "function S.on.text(me, text) me:wake(\"result \" .. text) end")
                    + """

                    function S.server.connected(_, client)
                        for number = 1, 7 do wait "100ms" client:send("99" .. number) end
                    end
                    """)
        #expect(
            Self.lines("arrived", of: problem).first == "… 2 more before"
                && Self.lines("arrived", of: problem).last?.hasSuffix("  text  997") == true, "\(problem.detail)")
        #expect(Self.lines("woke nobody", of: problem).last?.hasSuffix("  me:wake(\"result 997\")") == true)
        #expect(Self.lines("arrived", of: problem).count == 6 && Self.lines("woke nobody", of: problem).count == 5)
        let (silent, _) = try Self.problem(Self.connects)
        #expect(Self.lines("arrived", of: silent) == [] && Self.lines("woke nobody", of: silent) == [])
    }

    @Test("what came since the last command and brought no event is shown where an expectation waits in vain")
    func passedOver() throws {
        let system = """
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            function S.commands.say(me, text) me.link:send(text) end
            function S.on.text(me, text) if text:find "^told" then me:emit("message", { text = text }) end end
            function S.server.connected(_, client) client:send "welcome" end
            function S.server.text(_, client, text)
                for _, part in ipairs { "heard ", "told ", "noted " } do client:send(part .. text) end
            end
            """
        let (problem, _) = try Self.problem(
            system,
            "client:connect() wait '1s' client:say 'hi' client:expect 'message' client:expect('message', { text = 'x' })"
        )
        #expect(problem.message.hasPrefix("ada: no event came after message; "), "\(problem.message)")
        #expect(
            Self.lines("arrived", of: problem) == ["1s  text  heard hi", "1s  text  noted hi"], "\(problem.detail)")
        let (silent, _) = try Self.problem(
            system.replacing("client:send(part .. text)", with: ""),
            "client:connect() wait '1s' client:say 'hi' client:expect 'message'")
        #expect(silent.message.hasPrefix("ada: nothing came after say; "), "\(silent.message)")
        #expect(Self.lines("arrived", of: silent) == [], "\(silent.detail)")
    }

    @Test("an answer that came while it waited is shown with its request, and bytes with their number")
    func answersThatArrived() throws {
        let (problem, _) = try Self.problem(
            """
            function S.commands.connect(me)
                me.link = me:open {}
                me:wait "open"
                me:after("ask", 0)
                me:wait("hello", "5s")
            end
            function S.on.timer(me) me:request { path = "/login" } end
            function S.on.bytes() end
            function S.server.connected(_, client) wait "1s" client:send_bytes "\\xFF" end
            function S.server.request() return { status = 403, body = "token\\nrefused" } end
            """)
        let lines = Self.lines("arrived", of: problem)
        #expect(lines.first?.hasSuffix("  GET /login answered 403: token refused") == true, "\(problem.detail)")
        #expect(lines.last?.hasSuffix("  bytes (1 bytes)  ff") == true, "\(problem.detail)")
    }

    @Test("a misspelt name is told what was woken instead", arguments: [("opn", "open"), ("helo", "hello")])
    func misspelt(name: String, meant: String) throws {
        let (problem, _) = try Self.problem(
            """
            function S.commands.connect(me) me:open {} me:wait("\(name)", "1s") end
            function S.on.open(me) me:wake "hello" end
            function S.server.text() end
            """)
        #expect(
            problem.message.hasSuffix("nothing woke its wait for \"\(name)\" within 1s; did you mean \"\(meant)\"?"),
            "\(problem.message)")
    }

    @Test("bytes that arrived are shown as the text that they are, or else in hexadecimal digits")
    func bytesThatArrived() throws {
        let (problem, _) = try Self.problem(
            """
            function S.commands.connect(me)
                me.link = me:open {}
                me:wait("hello", "5s")
            end
            function S.on.bytes() end
            function S.server.connected(_, client)
                for _, bytes in ipairs { "plain", "\\0\\1ab", "a\\xFF", ("\\xFE"):rep(60) } do client:send_bytes(bytes) end
            end
            """)
        let shown = Self.lines("arrived", of: problem).map { line in
            line.split(separator: "  ").suffix(2).joined(separator: " ")
        }
        #expect(
            shown == [
                "bytes (5 bytes) plain", "bytes (4 bytes) 00016162", "bytes (2 bytes) 61ff",
                "bytes (60 bytes) \(String(repeating: "fe", count: 48))…",
            ], "\(problem.detail)")
    }

    @Test("a command or a handler that trips over what arrived shows it, and a scenario's own mistake does not")
    func errors() throws {
        let server = """
            function S.server.request() return { json = { token = 5 } } end
            function S.server.text(_, client) client:send "[7]" end
            """
        let (command, _) = try Self.problem(
            """
            function S.commands.connect(me)
                local answer = me:request { path = "/login", method = "POST" }
                me:request { path = "/me", headers = { authorization = answer.json.token.text } }
            end
            \(server)
            """)
        #expect(command.category == .error)
        #expect(
            Self.lines("arrived", of: command).first?.hasSuffix("ada  POST /login answered 200: {\"token\":5}") == true,
            "\(command.detail)")
        let connects = "function S.commands.connect(me) me.link = me:open {} me:wait \"open\" me.link:send \"\" end\n"
        let (handler, _) = try Self.problem(
            connects + server
                + "\nfunction S.on.text(me, text) me:emit(\"message\", { text = json.decode(text)[1] }) end",
            "client:connect() wait \"1s\"")
        #expect(
            Self.lines("arrived", of: handler).first?.hasSuffix("ada  text  [7]") == true, "\(handler.detail)")
        let (own, _) = try Self.problem(
            connects + server + "\nfunction S.on.text() end", "client:connect() wait \"1s\" client:expekt()")
        #expect(own.category == .error && Self.lines("arrived", of: own) == [])
    }

    @Test(
        "a handler that trips over what it was given shows that, though more has come since, as long as it is kept",
        arguments: [(8, 0, 3), (70, 0, 70), (3, 30_000, 3), (8, 30_000, 8)])
    func ownArrival(count: Int, padding: Int, shown: Int) throws {
        let (problem, _) = try Self.problem(
            """
            function S.commands.connect(me) me.link = me:open { frames = "lines" } me:wait "open" end
            function S.on.text(me, text)
                wait "1s"
                local nothing
                if tonumber(text) == 3 then nothing.there = 1 end
            end
            function S.server.connected(_, client)
                for number = 1, \(count) do client:send(number .. " " .. ("\\t"):rep(\(padding))) end
            end
            """, "client:connect() wait \"3s\"", declaring: "frames = \"lines\",")
        let arrived = Self.lines("arrived", of: problem)
        #expect(problem.category == .error && arrived.count == 1, "\(problem.detail)")
        #expect(arrived.first?.contains("  ada  text  \(shown) ") == true, "\(problem.detail)")
    }

    @Test(
        "an error about a value that is not there says what to do where the other side has left it out",
        arguments: [
            ("me:emit(\"message\", {})", true), ("me.nothing.there = 1", true), ("error \"no\"", false),
            ("me:emit(\"mesage\", {})", false),
        ])
    func remedy(statement: String, isShown: Bool) throws {
        let (problem, _) = try Self.problem(
            """
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            function S.on.text(me) \(statement) end
            function S.server.connected(_, client) client:send "hi" end
            """, "client:connect() wait \"1s\"")
        #expect(problem.category == .error && Self.lines("arrived", of: problem).count == 1, "\(problem.detail)")
        let remedy = Self.lines("remedy", of: problem)
        #expect(remedy.contains { $0.contains("me:receive") && $0.contains("pcall") } == isShown, "\(remedy)")
    }

    @Test("what has come of a message that is not whole is told as pending")
    func unfinished() throws {
        let (problem, _) = try Self.problem(
            """
            function S.commands.connect(me)
                me.link = me:open { frames = "lines" }
                me:wait "open"
                me:wait("hello", "5s")
            end
            function S.server.connected(_, client) client:send_bytes "half" end
            function S.on.text() end
            function S.server.text() end
            """, declaring: "frames = \"lines\",")
        let pending = Self.lines("pending", of: problem).first
        #expect(
            pending?.hasSuffix(" is open, and 4 bytes of a line that has no end have come") == true, "\(problem.detail)"
        )
    }

    @Test("a wake that came before its wait is told, for it is lost")
    func wokenBefore() throws {
        let (problem, _) = try Self.problem(
            """
            function S.commands.connect(me)
                me.link = me:open {}
                me:wait "open"
                wait "1s"
                me:wait("hello", "5s")
            end
            function S.on.text(me) me:wake "hello" end
            function S.server.connected(_, client) client:send "hello" end
            """)
        #expect(
            problem.message.hasSuffix(
                "nothing woke its wait for \"hello\" within 5s: it was woken 1s before the wait began, when nobody waited"
            ), "\(problem.message)")
    }

    @Test("what waits for the answer to a request names its method and its path")
    func requests() throws {
        for (call, purpose) in [
            ("me:request { path = \"/slow?since=4\", json = {} }", "ada waits for the answer to POST /slow (line 2)"),
            (
                "me:request({ path = \"/begun\", stream = true }):read()",
                "ada waits for the next piece of the answer to GET /begun (line 2)"
            ),
        ] {
            let run = try ScriptRun(
                """
                local S = system { name = "probe", events = {} }
                function S.commands.ask(me) \(call) end
                function S.server.request(desk, request)
                    if request.path == "/begun" then request:begin() end
                    wait "1h"
                end
                scenario("asks", { timeout = "3s" }, function(t)
                    t:server(S)
                    t:actor(S, { name = "ada" }):ask()
                end)
                """)
            let problem = try #require(run.end.problems.first)
            #expect(Self.lines("pending", of: problem).contains(purpose), "\(problem.detail)")
        }
    }

    @Test("a server that disconnects the client by a message of its own is what happened")
    func disconnected() throws {
        let source = """
            local S = system {
                name = "probe",
                events = { message = { text = "string" }, disconnected = { code = "integer", reason = "string" } },
            }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            function S.on.text(me, text)
                me.link:drop()
                me:emit("disconnected", { code = 1000, reason = text })
            end
            function S.server.connected(_, client) client:send "you are banned" end
            function S.server.text() end
            scenario("is banned", function(t)
                t:server(S)
                local client = t:actor(S)
                client:connect()
                client:expect "message"
            end)
            """
        let message = try #require(try ScriptRun(source).messages.first)
        #expect(message.hasPrefix("client: you are banned, at once after connect"), "\(message)")
        let expected = source.replacing(
            "client:expect \"message\"", with: "client:expect \"disconnected\" client:expect \"message\"")
        let later = try #require(try ScriptRun(expected).messages.first)
        #expect(later.contains("any more: you are banned, it has no request"), "\(later)")
    }

    @Test("where nothing more can come, what came instead leads, not that the last request was answered")
    func instead() throws {
        let source = """
            local S = system { name = "probe", events = { completed = {}, failed = { code = "string" } } }
            function S.commands.ask(me) me:emit("failed", { code = me:request({ path = "/" }).json.code }) end
            function S.server.request() return { json = { code = "overloaded" } } end
            scenario("asks", function(t)
                t:server(S)
                local client = t:actor(S)
                client:ask()
                client:expect "completed"
            end)
            """
        let run = try ScriptRun(source)
        #expect(
            run.messages.first
                == "client: #1 failed code=\"overloaded\" came instead after ask; it cannot observe completed any more")
        #expect(run.end.problems.first?.typeName == "hopeless")
        let taken = source.replacing(
            "client:expect \"completed\"", with: "client:expect \"failed\" client:expect \"completed\"")
        let message = try #require(try ScriptRun(taken).messages.first)
        #expect(
            message.hasPrefix("client cannot observe completed any more: the last request was answered"), "\(message)")
    }
}
