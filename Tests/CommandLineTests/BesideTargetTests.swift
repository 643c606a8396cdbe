import CommandLine
import Foundation
import Metrics
import RunRecord
import Testing

@Suite("Servers beside a target, and several targets in a run")
struct BesideTargetTests {
    private static let answer = Array("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)

    /// Plays a script whose `main` and `other` targets are two servers that accept whatever they are sent.
    private static func play(
        _ script: String, _ arguments: [String] = ["--target", "main"]
    ) async throws -> (run: ToolRun, main: [String], other: [String]) {
        let (main, other) = (try RawServer(.collects(Self.answer)), try RawServer(.collects(Self.answer)))
        defer {
            main.close()
            other.close()
        }
        let folder = try TemporaryFolder()
        try folder.write(
            """
            return {
                targets = {
                    main = {
                        url = "http://127.0.0.1:\(main.port)", endpoints = { back = "http://127.0.0.1:\(other.port)/back" },
                    },
                    other = { url = "http://127.0.0.1:\(other.port)" },
                },
                limits = { expectation = "20s" },
            }
            """, to: "repartee.lua")
        try folder.write("local http, websocket = require \"http\", require \"websocket\"\n" + script, to: "a.lua")
        let run = try await ToolRun(["test", "a.lua", "--seed", "1"] + arguments, in: folder.path)
        return (run, main.requests, other.requests)
    }

    @Test(
        "A target says how many scenarios play with it at once, unless the command line does",
        arguments: [("", [String](), true), (", workers = 1", [], false), ("", ["--workers", "1"], false)])
    func workers(member: String, arguments: [String], isTold: Bool) async throws {
        let server = try RawServer(.collects(Self.answer))
        defer { server.close() }
        let folder = try TemporaryFolder()
        try folder.write(
            "return { targets = { desk = { url = \"http://127.0.0.1:\(server.port)\"\(member) } } }", to: "repartee.lua"
        )
        try folder.write(
            """
            for number = 1, 3 do
                scenario("plays " .. number, function(t)
                    local visitor = t:actor(require "http")
                    visitor:post("/begin" .. number)
                    visitor:expect("response", { status = 202 })
                    wait "200ms"
                    visitor:post("/end" .. number)
                    visitor:expect("response", { status = 202 })
                end)
            end
            """, to: "a.lua")
        let run = try await ToolRun(
            ["test", "a.lua", "--seed", "1", "--target", "desk"] + arguments, in: folder.path)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        #expect(run.output.contains("3 scenarios play at once; ") == isTold, "\(run.output)")
        guard !isTold else { return }
        let steps = server.requests.compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) }
        #expect(steps == (1...3).flatMap { ["/begin\($0)", "/end\($0)"] })
    }

    @Test("a bot answers by calling a URL of the scenario, while clients talk to the target")
    func callback() async throws {
        let (run, main, _) = try await Self.play(
            """
            scenario("is called back", function(t)
                local hooks = t:server(http, { callback = true })
                local bot = hooks:peer "bot"
                local visitor = t:actor(http)
                visitor:post("/messages", { text = "hi", callback = hooks.url .. "/hook" })
                visitor:expect("response", { status = 202 })
                -- The bot's part, as the bot's process would play it.
                local caller = t:actor(http, { name = "caller", server = hooks })
                caller:post("/hook", { text = "Hello!" })
                bot:expect("request", { path = "/hook", json = { text = "Hello!" } })
                bot:respond { json = { ok = true } }
                caller:expect("response", { status = 200, json = { ok = true } })
            end)
            """)
        #expect(run.status == .success, "\(run.output)")
        #expect(main.count == 1)
        #expect(main.first?.hasPrefix("POST /messages ") == true)
    }

    @Test("a wait for a callback that does not come says where it is waited for and what has come there")
    func noCallback() async throws {
        let (run, _, _) = try await Self.play(
            """
            scenario("is not called back", function(t)
                local hooks = t:server(http, { callback = true })
                local bot = hooks:peer "bot"
                local caller = t:actor(http, { name = "caller", server = hooks })
                bot:maybe("request", nil, { within = "1ms" })
                caller:post("/hook", { text = "Hello!" })
                bot:expect("request", { path = "/hook" })
                bot:respond { status = 204 }
                caller:expect "response"
                bot:expect("request", nil, { within = "100ms" })
            end)
            """)
        #expect(run.status == .failed, "\(run.output)")
        #expect(
            run.output.contains(
                /pending +what comes to http:\/\/127\.0\.0\.1:[0-9]+: 1 connection so far, 1 open; 1 request, 0 without/
            ),
            "\(run.output)")
        #expect(!run.output.contains("pending   nothing"))
    }

    @Test("a port that the bot knows already is the one that is listened on, and one that is taken is told")
    func port() async throws {
        let taken = try RawServer(.isSilent)
        defer { taken.close() }
        let (run, _, _) = try await Self.play(
            """
            scenario("free", function(t)
                local hooks = t:server(websocket, { callback = true })
                expect(hooks.url, match.regex "http://127\\\\.0\\\\.0\\\\.1:[0-9]+")
                local bot = hooks:peer "anybody"
                local client = t:actor(websocket, { server = hooks })
                client:connect()
                client:expect "connected"
                bot:expect "connected"
                client:send "hello"
                bot:expect("frame", { text = "hello" })
                bot:send "back"
                client:expect("frame", { text = "back" })
            end)
            scenario("taken", function(t) t:server(http, { callback = true, port = \(taken.port) }) end)
            scenario("no port", function(t) t:server(http, { callback = true, port = 70000 }) end)
            """)
        #expect(run.output.contains("1 passed"), "\(run.output)")
        #expect(run.output.contains("cannot listen"), "\(run.output)")
        #expect(run.output.contains("port is a number from 1 to 65535, not 70000"), "\(run.output)")
    }

    @Test("without a target the same scenario is played in virtual time")
    func rehearsed() async throws {
        let (run, _, _) = try await Self.play(
            """
            scenario("is called back", function(t)
                local hooks = t:server(http, { callback = true, port = 8080 })
                expect(hooks.url, "http://127.0.0.1:8080")
                local bot = hooks:peer "bot"
                local desk = t:server(http, { answers = { { status = 202 } } })
                local visitor = t:actor(http)
                visitor:post("/messages", { callback = hooks.url })
                visitor:expect("response", { status = 202 })
                local caller = t:actor(http, { name = "caller", server = hooks })
                caller:get "/hook"
                bot:expect "request"
                bot:respond { status = 204 }
                caller:expect("response", { status = 204 })
            end)
            """, [])
        #expect(run.status == .success, "\(run.output)")
    }

    @Test("a server that the scenario plays beside a real one is still skipped, with what to do")
    func skipped() async throws {
        let (run, _, _) = try await Self.play("scenario(\"plays a desk\", function(t) t:server(http) end)")
        #expect(run.status == .nothingToRun, "\(run.output)")
        #expect(run.output.contains("callback = true"), "\(run.output)")
    }

    @Test("a script reads where the target is, to call it by a webhook")
    func targetURL() async throws {
        let (run, main, _) = try await Self.play(
            """
            local S = system {
                name = "platform", events = {},
                parties = { user = { events = { delivered = { status = "integer" } } } },
            }
            function S.server.request() return 200 end
            function S.parties.user.say(user, url)
                local answer = user.desk:request { url = url, path = "/hook", json = { text = "Hello" } }
                user:emit("delivered", { status = answer.status })
            end
            scenario("calls the bot", function(t)
                local ada = t:server(S, { callback = true }):user "ada"
                ada:say(t.target_url)
                ada:expect("delivered", { status = 202 })
            end)
            """)
        #expect(run.status == .success, "\(run.output)")
        #expect(main.count == 1 && main.first?.hasPrefix("POST /hook ") == true, "\(main)")
        let (embedded, _, _) = try await Self.play(
            "scenario(\"has no target\", function(t) expect(t.target_url == nil, true) end)", [])
        #expect(embedded.status == .success, "\(embedded.output)")
    }

    @Test("clients talk to other targets and endpoints in the same run")
    func targets() async throws {
        let (run, main, other) = try await Self.play(
            """
            scenario("three servers", { allow = { "response" } }, function(t)
                t:actor(http):get("/a")
                t:actor(http, { target = "other" }):get("/b")
                t:actor(http, { endpoint = "back" }):get("")
                wait "500ms"
            end)
            """)
        #expect(run.status == .success, "\(run.output)")
        #expect(main.map { $0.prefix(6) } == ["GET /a"])
        #expect(Set(other.map { $0.prefix { !$0.isNewline } }) == ["GET /b HTTP/1.1", "GET /back HTTP/1.1"])
    }

    @Test("what is misspelt or cannot be is told with what was meant")
    func mistakes() async throws {
        let (run, _, _) = try await Self.play(
            """
            scenario("target", function(t) t:actor(http, { target = "mian" }) end)
            scenario("endpoint", function(t) t:actor(http, { endpoint = "bakc" }) end)
            scenario("none", function(t) t:actor(http, { target = "other", endpoint = "back" }) end)
            scenario("both", function(t)
                t:actor(http, { target = "other", server = t:server(http, { callback = true }) })
            end)
            scenario("no server", function(t) t:actor(http, { server = "desk" }) end)
            scenario("path", function(t) t:actor(websocket, { path = "ws://127.0.0.1:1/chat" }):connect() end)
            """)
        #expect(run.status == .script)
        for text in [
            "no target \"mian\" in repartee.lua; did you mean \"main\"?",
            "no endpoint \"bakc\"; did you mean \"back\"?",
            "no endpoint \"back\"; there are none", "leave out one of them", "server takes what t:server returned",
            "is a whole URL",
        ] { #expect(run.output.contains(text), "\(text)\n\(run.output)") }
    }

    @Test("a real server is not waited for by virtual time, and that is said")
    func virtualTime() async throws {
        let (run, _, _) = try await Self.play(
            "scenario(\"x\", function(t) t:actor(http, { target = \"main\" }) end)", [])
        #expect(run.status == .script)
        #expect(run.output.contains("add --clock real, or --target main"), "\(run.output)")
        let (real, main, _) = try await Self.play(
            """
            scenario("x", function(t)
                local visitor = t:actor(http, { target = "main" })
                visitor:get "/x"
                visitor:expect("response", { status = 202 })
            end)
            """, ["--clock", "real"])
        #expect(real.status == .success, "\(real.output)")
        #expect(main.count == 1)
    }

    @Test("a URL of the command line is asked what answers there: a chat server, or a control port")
    func probed() async throws {
        let server = try RawServer(.collects(Self.answer))
        defer { server.close() }
        let folder = try TemporaryFolder()
        try folder.write(
            """
            scenario("a", function(t)
                local client = t:actor(require "http")
                client:get "/hello"
                client:expect("response", { status = 202 })
            end)
            """, to: "a.lua")
        let run = try await ToolRun(["test", "a.lua", "--target", "http://127.0.0.1:\(server.port)"], in: folder.path)
        #expect(run.status == .success, "\(run.output)")
        #expect(server.requests.contains { $0.hasPrefix("GET /hello ") })
    }

    @Test("users of a load test share a callback server, on the port that the bot knows")
    func load() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            local websocket = require "websocket"
            workload { executor = "per_vu_iterations", users = 5, iterations = 2, max_duration = "1m",
                thresholds = { "rate(failures) == 0" } }
            scenario("calls", function(t)
                local hooks = t:server(websocket, { callback = true, shared = true, port = 8080 })
                expect(hooks.url, "http://127.0.0.1:8080")
                local bot = hooks:peer "bot"
                local client = t:actor(websocket, { server = hooks })
                client:connect()
                client:expect "connected"
                client:send("from " .. t.user.number .. "/" .. t.user.iteration)
                bot:expect("frame", { text = "from " .. t.user.number .. "/" .. t.user.iteration })
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        #expect(try folder.loadResult().totals().measurements.histogram(of: "iterations").count == 10)
        let (each, _) = try await ToolRun.load(
            """
            workload { executor = "per_vu_iterations", users = 2, iterations = 1, max_duration = "1m" }
            scenario("calls", function(t) t:server(require "websocket", { callback = true, port = 8080 }) end)
            """)
        #expect(each.output.contains("add shared = true"), "\(each.output)")
    }
}

@Suite("What a script requires")
struct RequiredModuleTests {
    @Test("a module of the same name as the script is the one at the project's root, not the script")
    func sameName() async throws {
        let folder = try TemporaryFolder()
        try folder.write("return {}", to: "repartee.lua")
        try folder.write("return { answer = 42 }", to: "bot.lua")
        try folder.write(
            "local bot = require \"bot\"\nscenario(\"x\", function() expect(bot.answer, 42) end)",
            to: "Scenarios/bot.lua")
        let run = try await ToolRun(["test", "Scenarios"], in: folder.path)
        #expect(run.status == .success, "\(run.output)\(run.error)")
    }
}

@Suite("Scenarios that name a real target")
struct RealTargetTests {
    private static let script = """
        scenario("talks to it", { target = "shop" }, function(t)
            expect(t.clock, "real")
            expect(t.target, "shop")
            local client = t:actor(require "http")
            client:get "/hello"
            client:expect("response", { status = 204 })
        end)
        """

    private static func play(_ script: String, _ arguments: [String] = []) async throws -> ToolRun {
        let server = try RawServer(.collects(Array("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n".utf8)))
        defer { server.close() }
        let folder = try TemporaryFolder()
        try folder.write(
            "return { targets = { shop = { url = \"http://127.0.0.1:\(server.port)\" } } }", to: "repartee.lua")
        try folder.write(script, to: "a.lua")
        return try await ToolRun(["test", "a.lua", "--seed", "1"] + arguments, in: folder.path)
    }

    @Test("are played in real time without being told to, and the reports say so")
    func byItself() async throws {
        let run = try await Self.play(Self.script)
        #expect(run.status == .success, "\(run.output)")
        guard case .runStarted(let start)? = try run.record.first else {
            Issue.record("the record does not begin")
            return
        }
        #expect(start.clock == .real)
    }

    @Test("are skipped among those in virtual time, with what to do, and played with --clock real")
    func mixed() async throws {
        let script = Self.script + "\nscenario(\"simulated\", function() expect(1, 1) end)"
        let run = try await Self.play(script)
        #expect(run.status == .success, "\(run.output)")
        #expect(run.output.contains("plays against the target shop, in real time only; add --clock real"))
        let misspelt = try await Self.play(script.replacing("target = \"shop\"", with: "target = \"shpo\""))
        #expect(misspelt.status == .script, "\(misspelt.output)")
        #expect(misspelt.output.contains("there is no target \"shpo\" in repartee.lua; did you mean \"shop\"?"))
        let real = try await Self.play(script, ["--clock", "real"])
        #expect(real.output.contains("2 passed"), "\(real.output)")
    }

    @Test("say what was meant if it is misspelt, and cannot be told to play in virtual time")
    func mistakes() async throws {
        let run = try await Self.play(
            Self.script.replacingOccurrences(of: "target = \"shop\"", with: "target = \"shpo\""))
        #expect(run.status == .script)
        #expect(run.output.contains("no target \"shpo\" in repartee.lua; did you mean \"shop\"?"), "\(run.output)")
        let virtual = try await Self.play("scenario(\"x\", { target = \"shop\", clock = \"virtual\" }, function() end)")
        #expect(virtual.status == .script)
        #expect(virtual.output.contains("does not wait for virtual time"), "\(virtual.output)\(virtual.error)")
    }
}
