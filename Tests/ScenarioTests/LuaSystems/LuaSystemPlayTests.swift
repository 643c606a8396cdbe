import JSON
import RunRecord
import Testing

@testable import Scenario

@Suite("Chat systems written in Lua: how servers start, links are replaced and commands fail")
struct LuaSystemPlayTests {
    @Test("a server is started before its parties act and clients come, whether the scenario asks for it or not")
    func startedFirst() throws {
        let source = """
            local S = system { name = "probe", events = {}, parties = { peer = {} } }
            function S.commands.connect(me)
                me:open {}
                me:wait "open"
            end
            function S.server.started(desk) desk.is_ready = true end
            function S.server.connected(desk) expect(desk.is_ready, true) end
            function S.server.commands.look(desk) return desk.is_ready end
            function S.parties.peer.look(peer) return peer.desk.is_ready end
            scenario("asks", function(t)
                local server = t:server(S)
                expect(server:look(), true)
                expect(server:peer "anybody":look(), true)
            end)
            """
        #expect(try ScriptRun(source).end.problems.map(\.message) == [])
        let unasked = source.replacing("local server = t:server(S)", with: "t:actor(S):connect() do return end")
        #expect(try ScriptRun(unasked).end.problems.map(\.message) == [])
    }

    @Test(
        "a command sends the bytes that it is given, also those that are no text",
        arguments: [
            "function(me, text) me.link:send_bytes(text) end",
            "{ parameters = { \"text: string\" }, function(me, text) me.link:send_bytes(text) end }",
            "{ sends = \"text\", function(me, text) me.link:send_bytes(text) end }",
        ])
    func bytes(command: String) throws {
        let run = try ScriptRun(
            """
            local S = system { name = "probe", frames = { length = 4 }, events = { got = { text = "string" } } }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            S.commands.say = \(command)
            function S.on.bytes(me, bytes) me:emit("got", { text = hex.encode(bytes) }) end
            function S.server.bytes(_, client, bytes) client:send_bytes(bytes) end
            scenario("says", function(t)
                local client = t:actor(S)
                client:connect()
                client:say "a\\0\\255"
                client:expect("got", { text = "6100ff" })
            end)
            """)
        #expect(run.messages == [])
        let said = run.happenings.compactMap { happening -> JSONObject? in
            if case .commanded(_, "say", let arguments, _) = happening { arguments } else { nil }
        }
        #expect(said.first.flatMap { $0.first { _ in true } }?.1 == "a\0\u{FFFD}xFF")
    }

    @Test(
        "what must never happen ends the scenario at once, also where a handler in Lua observes it",
        arguments: ["t:never(\"bye\")", "client:never(\"bye\")"])
    func never(rule: String) throws {
        let run = try ScriptRun(
            """
            local S = system { name = "probe", events = { bye = {} }, noise = { "bye" } }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            function S.on.text(me) me:emit("bye", {}) end
            function S.server.timer(desk) desk.client:send "bye" end
            function S.server.connected(desk, client) desk.client = client desk:after("bye", "1s") end
            scenario("waits", function(t)
                t:server(S)
                local client = t:actor(S)
                \(rule)
                client:connect()
                wait "8s"
                log.info "went on"
            end)
            """)
        #expect(run.messages == ["client observed bye, which must never happen"])
        #expect(run.seconds < 3 && run.logs == [])
    }

    @Test(
        "what the server answers a goodbye with is judged where the client observes an error",
        arguments: [
            ("client:close(1011, \"crashed\")", "client", "closed: 1011 crashed"),
            ("client:send \"no\"", "client", "no"),
            ("client:close(1000)", nil, nil), ("client:send \"well\"", nil, nil),
        ] as [(String, String?, String?)])
    func goodbyes(answer: String, actor: String?, detail: String?) throws {
        let source = """
            local S = system { name = "probe", events = { message = { text = "string" } } }
            function S.commands.start(me) me.link = me:open {} me:wait "open" end
            function S.on.text(me, text)
                if text == "no" then me:emit("error", { code = "refused", message = text }) end
            end
            function S.on.ending(me)
                me.link:send "bye"
                wait "200ms"
            end
            function S.server.text(_, client) \(answer) end
            scenario("ends", function(t)
                t:server(S)
                t:actor(S):start()
                expect(1, 1)
            end)
            """
        let problems = try ScriptRun(source).end.problems
        #expect(
            problems.map(\.message)
                == (actor.map { ["\($0) observed an error while it said goodbye"] } ?? []))
        if let detail { #expect(problems.first?.detail.contains(detail) == true, "\(problems)") }
    }

    @Test("a client that observes without an end is an error that tells what it observed last")
    func flood() throws {
        let source = """
            local S = system { name = "probe", events = { message = { text = "string" } }, noise = { "message" } }
            function S.commands.flood(me) for _ = 1, 100001 do me:emit("message", { text = "x" }) end end
            function S.server.text() end
            scenario("floods", function(t)
                t:actor(S):flood()
                expect(1, 1)
            end)
            """
        let end = try ScriptRun(source).end
        #expect(end.outcome == .error)
        let message = try #require(end.problems.first?.message)
        #expect(message.hasPrefix("client observed more than 100000 events, the last of them message: "), "\(message)")
    }

    @Test("a server whose handler started waits or fails is there, or says so where it was asked for")
    func startedWaiting() throws {
        let source = """
            local S = system { name = "probe", events = {} }
            function S.server.started(desk)
                desk.count = 0
                while true do
                    desk:wait "next"
                    desk.count = desk.count + 1
                end
            end
            function S.server.commands.count(desk)
                desk:wake "next"
                return desk.count
            end
            scenario("counts", function(t)
                local server = t:server(S)
                server:count()
                wait "1s"
                expect(server:count(), 1)
            end)
            """
        #expect(try ScriptRun(source).end.problems.map(\.message) == [])
        let failing = source.replacing("desk.count = 0", with: "error(\"no room\", 0)")
        let problems = try ScriptRun(failing).end.problems
        #expect(problems.count == 1 && problems.first?.message.contains("no room") == true)
    }

    @Test(
        "nothing is heard of a link that is abandoned, whether it is opening, open or closing",
        arguments: [
            ("me:wait 'open'", "1000"), ("me:wait 'open' me.link:close(4001)", "4001"), ("", nil),
            ("me:wait 'open' wait '1s'", "1000"),
        ] as [(String, String?)])
    func abandoned(before: String, code: String?) throws {
        let source = """
            local S = system { name = "probe", events = { message = { text = "string" }, ended = {} } }
            local codes = {}
            function S.commands.connect(me) me.link = me:open {} end
            function S.commands.again(me)
                me.link:abandon()
                me.link = me:open {}
                me:wait "open"
            end
            function S.commands.prepare(me) \(before) end
            function S.on.open(me, link) link:send "hello" end
            function S.on.text(me, text, link)
                expect(link == me.link, true)
                me:emit("message", { text = text })
            end
            function S.on.closed(me) me:emit "ended" end
            function S.server.text(desk, client, text) client:send("number " .. client.number) end
            function S.server.closed(desk, client, closure) codes[#codes + 1] = closure.code end
            scenario("goes on", function(t)
                t:network { latency = "50ms" }
                t:server(S)
                local client = t:actor(S)
                client:connect()
                client:prepare()
                client:again()
                client:expect("message", { text = match.contains "number" })
                t:allow "message"
                client:never "ended"
                wait "5s"
                expect(tostring(codes[1]), "\(code ?? "nil")")
                expect(#codes, \(code == nil ? 0 : 1))
            end)
            """
        #expect(try ScriptRun(source).end.problems.map(\.message) == [])
    }

    @Test(
        "a failure that a handler tells cannot be caught by it, for it would be swallowed",
        arguments: [
            (#"me:fail "the server talks nonsense""#, "", ["guest: the server talks nonsense"]),
            ("", #"desk.parties.Sam:fail "the client talks nonsense""#, ["Sam: the client talks nonsense"]),
            ("", "", []),
        ])
    func failingHandlers(ofClient: String, ofServer: String, messages: [String]) throws {
        let source = """
            local S = system {
                name = "probe", client = "guest", events = { message = { text = "string" } }, parties = { peer = {} },
            }
            function S.commands.say(me, text)
                me.link = me:open {}
                me:wait "open"
                me.link:send(text)
            end
            function S.on.text(me, text)
                pcall(function() \(ofClient) end)
                me:emit("message", { text = text })
            end
            function S.server.text(desk, client, text)
                pcall(function() \(ofServer) end)
                client:send(text)
            end
            scenario("speaks", function(t)
                t:server(S):peer "Sam"
                local guest = t:actor(S)
                guest:say "hi"
                guest:expect "message"
            end)
            """
        let problems = try ScriptRun(source).end.problems
        #expect(problems.map(\.message) == messages)
        #expect(problems.allSatisfy { $0.category == .failure && $0.typeName == "gave_up" })
    }

    @Test(
        "a function of a system that would hide something is refused, and one that wraps what was there is not",
        arguments: [
            (
                "function S.on.text() end function S.on.text() end",
                "probe.on.text is declared twice, and this one would take the place of the first (a.lua:"
            ),
            ("function S.server.text() end function S.server.text() end", "probe.server.text is declared twice"),
            ("S.commands.go = { function() end } function S.commands.go() end", "probe.commands.go is declared twice"),
            ("function S.on.text() end local first = S.on.text function S.on.text() first() end", nil),
            ("function S.commands.state() end", "the system declares a property \"state\" already"),
            ("function S.server.commands.state() end", nil),
        ] as [(String, String?)])
    func hiding(declarations: String, message: String?) throws {
        let system = "local S = system { name = \"probe\", events = {}, properties = { state = \"string?\" } }"
        let mistake = try ScriptRun.mistake(in: "\(system) \(declarations) expect(1, 1)")
        #expect(message.map { mistake?.contains($0) == true } ?? (mistake == nil), "\(mistake ?? "")")
    }

    @Test(
        "a property that is read before it is there is an error, unless its declaration lets it be missing",
        arguments: [
            (
                "string",
                "the client of probe has no property \"state\" yet: me.state is nil; one that may be missing is declared "
                    + "with a question mark, such as \"string?\""
            ), ("string?", nil),
        ] as [(String, String?)])
    func missingProperty(type: String, message: String?) throws {
        let body = """
            local S = system { name = "probe", events = {}, properties = { state = "\(type)" } }
            function S.commands.go(me) me.state = "gone" end
            function S.server.text() end
            t:server(S)
            local guest = t:actor(S)
            guest:go()
            expect(guest.state, "gone")
            expect(t:actor(S).state, nil)
            """
        #expect(try ScriptRun.mistake(in: body) == message)
    }

    @Test("a dot instead of a colon is told with the command that was called")
    func dot() throws {
        let source = """
            local S = system { name = "probe", events = {} }
            S.commands.say = { sends = "text", function(me, text) end }
            function S.commands.go(me) me.emit("x") end
            function S.server.text() end
            scenario("says", function(t) t:actor(S).say "x" end)
            scenario("emits", function(t) t:actor(S):go() end)
            """
        let hint = "this needs the client it is called on: write a colon, as in "
        #expect(try ScriptRun(source).messages == [hint + "actor:say(…)"])
        #expect(try ScriptRun(source, number: 1).messages == [hint + "me:emit(…)"])
    }

    private static let refused =
        "guest observed an error that nothing expected: the login was refused; then say raised: there is no link"

    @Test(
        "an error that a command raises names what its client had observed before, where nothing expected that",
        arguments: [
            ("", Self.refused, Outcome.failed), ("guest:lose()", Self.refused, .failed),
            ("join(spawn(guest.say, guest, \"hi\"))", Self.refused, .failed),
            // So it is with what the system itself calls a trouble, behind an error.
            ("guest:be_banned()", Self.refused, .failed),
            (
                "guest:expect \"error\" guest:be_banned()",
                "guest observed banned that nothing expected: for a day; then say raised: there is no link", .failed
            ),
            ("guest:expect \"error\" guest:be_banned() guest:expect \"banned\"", "there is no link", .error),
            // What the scenario raises itself when a command has ended, by itself or with an error, is its own mistake.
            ("check()", "my own mistake", .error),
            ("pcall(guest.say, guest, \"hi\")\ncheck()", "my own mistake", .error),
            // Otherwise it stays an error: the scenario has told the client to do what it cannot do.
            ("guest:expect \"error\"", "there is no link", .error),
            (
                "guest:expect \"error\" guest:lose()",
                "there is no link; before, guest observed disconnected: 1011 full", .error
            ),
        ])
    func earlierTrouble(between: String, message: String, outcome: Outcome) throws {
        let source = """
            local S = system {
                name = "probe", client = "guest",
                events = { disconnected = { code = "integer", reason = "string" }, banned = { how_long = "string" } },
                noise = { "disconnected" }, troubles = { "banned" },
            }
            local function link(me) return me.link or error("there is no link", 0) end
            function S.commands.be_banned(me) me:emit("banned", { how_long = "for a day" }) end
            function S.commands.connect(me) me:emit("error", { code = "login", message = "the login was refused" }) end
            function S.commands.lose(me) me:emit("disconnected", { code = 1011, reason = "full" }) end
            function S.commands.say(me, text) link(me):send(text) end
            function S.server.text() end
            local function check() error("my own mistake", 0) end
            scenario("speaks", function(t)
                local guest = t:actor(S)
                guest:connect()
                \(between)
                guest:say "hi"
            end)
            """
        let end = try ScriptRun(source).end
        #expect(end.outcome == outcome)
        #expect(end.problems.first?.message == message)
        #expect(end.problems.first?.category == (outcome == .failed ? .failure : .error))
    }

    @Test(
        "the end of a connection that nothing expected is what failed, and a command behind one that was expected is wrong",
        arguments: [
            (
                "", "guest observed disconnected that nothing expected: 1011 full; then say raised: there is no link",
                Outcome.failed
            ),
            (
                "guest:expect \"disconnected\"",
                "there is no link; before, guest observed disconnected: 1011 full", .error
            ),
        ])
    func earlierEnd(between: String, message: String, outcome: Outcome) throws {
        let source = """
            local S = system {
                name = "probe", client = "guest",
                events = { disconnected = { code = "integer", reason = "string", url = "string" } },
            }
            function S.commands.lose(me)
                me:emit("disconnected", { code = 1011, reason = "full", url = "tcp://a" })
            end
            function S.commands.say(me, text) error("there is no link", 0) end
            function S.server.text() end
            scenario("speaks", function(t)
                local guest = t:actor(S)
                guest:lose()
                \(between)
                guest:say "hi"
            end)
            """
        let end = try ScriptRun(source).end
        #expect(end.outcome == outcome)
        #expect(end.problems.first?.message == message)
        #expect(end.problems.first?.category == (outcome == .failed ? .failure : .error))
    }

    /// Plays a scenario of two seconds in which a handler of a client or of a server does something that takes longer.
    private static func run(_ handlers: String) throws -> ScriptRun {
        try ScriptRun(
            """
            local S = system { name = "probe", events = { message = { text = "string" } } }
            function S.commands.connect(me)
                me.link = me:open {}
                me:wait "open"
                me.link:send "hello"
                me:after("late", 0)
            end
            function S.on.text(me, text) me:emit("message", { text = text }) end
            \(handlers)
            scenario("waits", { timeout = "1m" }, function(t)
                t:server(S)
                t:actor(S):connect()
                wait "2s"
                expect(1, 1)
            end)
            """)
    }

    @Test(
        "what a handler waits for at the end of a scenario is forgotten, also if that is time",
        arguments: [
            "function S.on.timer(me) wait \"10s\" me:fail \"late\" end function S.server.text() end",
            "function S.on.timer(me) me:wait(\"never\", \"10s\") end function S.server.text() end",
            "function S.on.timer() end function S.server.text(_, client) wait \"1h\" client:send \"late\" end",
        ])
    func forgotten(handlers: String) throws {
        let end = try Self.run(handlers).end
        #expect(end.outcome == .passed, "\(end.problems.map(\.message))")
        #expect(end.atNanoseconds < 5_000_000_000)
    }

    @Test("a function that a handler spawns is waited for, and a handler that does not end is named")
    func waited() throws {
        let spawned = "spawn(function() wait \"10s\" me:emit(\"message\", { text = \"late\" }) end)"
        let late = try Self.run("function S.on.timer(me) \(spawned) end function S.server.text() end")
        #expect(late.messages.count == 1 && late.messages[0].contains("message"), "\(late.messages)")
        let beating = try Self.run(
            "function S.on.timer() spawn(function() spawn(wait, \"1h\") end) end function S.server.text() end")
        let remedies = beating.end.problems.first?.evidence?.sections.first { $0.heading == "remedy" }?.lines ?? []
        #expect(remedies.last?.contains("me:after") == true, "\(remedies)")
        let endless = try Self.run("function S.on.timer() think \"1h\" end function S.server.text() end")
        #expect(
            endless.messages.first?.hasPrefix("1 call of a function (handler \"timer\") had not ended") == true,
            "\(endless.messages)")
    }

    @Test("why a link did not open is its message as a text, with a handler and without", arguments: [false, true])
    func refusalAsText(isHandled: Bool) throws {
        let run = try ScriptRun(
            """
            local S = system { name = "door", events = { got = { text = "string", joined = "string" } } }
            function S.commands.enter(me)
                me:open {}
                local link, why = me:wait "open"
                me:emit("got", { text = tostring(why), joined = "no: " .. why })
                return link == nil, why.status
            end
            \(isHandled ? "function S.on.failed() end" : "")
            function S.server.upgrade() return 403 end
            function S.server.text() end
            scenario("enters", function(t)
                local client = t:actor(S)
                local is_out, status = client:enter()
                expect(is_out)
                expect(status, 403)
                \(isHandled ? "" : "client:expect('error', { status = 403 })")
                local got = client:expect "got"
                expect(got.text, match.contains "answered the WebSocket handshake with 403")
                expect(got.joined, "no: " .. got.text)
            end)
            """)
        #expect(run.messages == [])
    }

    @Test("a client names the site that it talks to, as a browser does in a handshake, and a link over TCP has none")
    func origin() throws {
        let run = try ScriptRun(
            """
            local door = system { name = "door", events = {} }
            function door.commands.enter(me)
                me:open { headers = { Origin = me.origin } }
                me:wait "open"
                return me.origin
            end
            function door.server.upgrade(_, request)
                return request.headers.origin == "http://door-1.test" or 403
            end
            function door.server.text() end
            local lines = system { name = "lines", frames = "lines", events = {} }
            function lines.commands.site(me) return me.origin end
            function lines.server.text() end
            scenario("enters", function(t)
                expect(t:server(door).url, match.glob "http://door-1.test*")
                expect(t:actor(door):enter(), "http://door-1.test")
                expect(t:actor(lines):site(), nil)
            end)
            """)
        #expect(run.messages == [])
    }

    @Test(
        "the site of a target is in lower case, however its URL is written",
        arguments: [
            ("HTTPS://Chat.Example.COM:443/Path", "https://chat.example.com"),
            ("wss://Chat.example.com:8443", "https://chat.example.com:8443"),
            ("http://[2001:DB8::1]:80", "http://[2001:db8::1]"), ("tcp://Chat.example.com:70", nil),
        ] as [(String, String?)])
    func site(url: String, origin: String?) {
        #expect(LuaActorMaker.webOrigin(of: url) == origin)
    }

    @Test("the failure of a request is its message as a text")
    func failureAsText() throws {
        let run = try ScriptRun(
            """
            local fields = { text = "string", joined = "string", code = "string" }
            local S = system { name = "late", events = { got = fields } }
            function S.commands.get(me)
                local failure = me:request({ path = "/x", timeout = "1s" }).failure
                me:emit("got", { text = tostring(failure), joined = "no: " .. failure .. "!", code = failure.code })
            end
            function S.server.request() wait "5s" return 200 end
            scenario("asks", function(t)
                local client = t:actor(S)
                client:get()
                local got = client:expect "got"
                expect(got.text, match.contains "there was no answer 1s after the request")
                expect(got.joined, "no: " .. got.text .. "!")
            end)
            """)
        #expect(run.end.outcome == .passed, "\(run.end.problems.map(\.message))")
    }

    @Test("what the other side is to blame for is a failure, which a scenario may catch, and no error of the script")
    func failing() throws {
        let source = """
            local S = system { name = "probe", client = "guest", events = {}, parties = { peer = {} } }
            function S.commands.say(me) me:fail "the line is dead" end
            function S.parties.peer.say(peer) peer:fail "nobody is there" end
            function S.server.text() end
            scenario("speaks", function(t)
                local peer, guest = t:server(S):peer "Sam", t:actor(S)
                local done, message = pcall(guest.say, guest)
                expect(done, false)
                expect(tostring(message), match.contains "guest: the line is dead")
                peer:say()
            end)
            """
        let problems = try ScriptRun(source).end.problems
        #expect(problems.map(\.message) == ["Sam: nobody is there"])
        #expect(problems.first?.category == .failure && problems.first?.typeName == "gave_up")
    }

    @Test("functions by name are an option on either side, and a table of anything takes none")
    func functions() throws {
        func messages(_ kind: String, _ tools: String) throws -> [String] {
            try ScriptRun(
                """
                local S = system {
                    name = "probe", events = { ran = { result = "string" } },
                    options = { tools = "\(kind)" }, server_options = { tools = "functions?" },
                }
                function S.commands.go(me)
                    me:emit("ran", { result = me.options.tools.weather(me:request({ path = "/" }).body) })
                end
                function S.server.request(desk) return { body = desk.options.tools.city() } end
                scenario("runs", function(t)
                    t:server(S, { tools = { city = function() return "Oslo" end } })
                    local client = t:actor(S, { tools = \(tools) })
                    client:go()
                    client:expect("ran", { result = "Oslo is clear" })
                end)
                """
            ).messages
        }
        let weather = "function(city) return city .. \" is clear\" end"
        #expect(try messages("functions", "{ weather = \(weather) }") == [])
        #expect(try messages("functions", "{ weather = 7 }") == ["t:actor: tools.weather is a function, not 7"])
        #expect(
            try messages("functions", "{ \(weather) }")
                == ["t:actor: tools is a table of functions by name, not a list"])
        for kind in ["any", "table"] {
            #expect(
                try messages(kind, "{ weather = \(weather) }") == [
                    "t:actor: tools takes no function unless options declares it as \"function\", or as \"functions\" "
                        + "for a table of them by name"
                ])
        }
    }
}
