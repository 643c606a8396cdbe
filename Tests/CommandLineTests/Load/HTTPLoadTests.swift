import CommandLine
import Foundation
import MachineKit
import Metrics
import Testing

@Suite("repartee load with plain HTTP")
struct HTTPLoadTests {
    /// Users who ask a bot that streams its answers; every third request is limited.
    private static func script(_ thresholds: String) -> String {
        """
        local http = require "http"
        local function delta(text) return { choices = { { delta = { content = text } } } } end
        workload { executor = "per_vu_iterations", users = 10, iterations = 3, thresholds = { \(thresholds) } }
        scenario("a visitor asks", function(t)
            t:server(http, { answers = {
                { to = "/chat", after = "300ms", gap = "50ms", events = { delta "It", delta " left", delta ".", "[DONE]" } },
                { to = "/whole", after = "120ms", json = { text = "Yes." } },
                { to = "/limited", status = 429 },
            } })
            local visitor = t:actor(http, { url = "/chat" })
            visitor:send { message = "Where is it?" }
            visitor:expect("message", { text = "It left." })
            visitor:get "/whole"
            visitor:expect("message", { text = "Yes." })
            visitor:get "/limited"
            visitor:expect "rate_limited"
        end)
        """
    }

    private func run(_ thresholds: String) async throws -> (run: ToolRun, folder: TemporaryFolder) {
        try await ToolRun.load(Self.script(thresholds))
    }

    @Test("Time to first token, gaps, time to last token, answers and limits are measured, and thresholds judge them")
    func measured() async throws {
        let (run, folder) = try await self.run(
            """
            "p95(first_token) < 800ms", "max(token_gap) < 51ms", "p99(last_token) < 1s", "min(response) > 119ms",
            "count(rate_limited) == 30", "rate(rate_limited) < 0.34", "count(received) == 60"
            """)
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        let measurements = try folder.loadResult().totals().measurements
        for (name, count, low, high) in [
            ("first_token", 30, 300_000, 301_000), ("token_gap", 60, 50_000, 50_100),
            ("last_token", 30, 400_000, 401_000), ("response", 30, 120_000, 121_000),
        ] as [(String, Int64, Int64, Int64)] {
            let histogram = measurements.histogram(of: name)
            #expect(histogram.count == count, "\(name)")
            #expect(histogram.minimum.map { low...high ~= $0 } == true, "\(name) \(histogram.minimum ?? -1)")
        }
        for name in ["first_token", "token_gap", "last_token", "response"] { #expect(run.output.contains(name)) }
    }

    @Test("Requests are told apart by their names, or else by method and path, within bounds")
    func names() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            local http = require "http"
            workload { executor = "per_vu_iterations", users = 2, iterations = 1,
                thresholds = { 'max(request{name="login"}) < 1s', 'count(request{name="GET /rooms/{id}"}) == 4' } }
            scenario("asks", function(t)
                local answers = { { to = "/chat", after = "300ms", json = { text = "Yes." } } }
                for number = 1, 120 do answers[#answers + 1] = { to = "/rooms/" .. number, status = 404 } end
                t:server(http, { answers = answers })
                local visitor = t:actor(http, { url = "/chat" })
                visitor:post("/chat", nil, { name = "login" })
                visitor:expect "message"
                for number = 1, 120 do
                    visitor:get("/rooms/" .. number, { name = number > 2 and "room " .. number or nil })
                    visitor:expect("response", { status = 404 })
                end
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        let measurements = try folder.loadResult().totals().measurements
        let names = measurements.series(of: "request").compactMap { $0.tags.first?.value }
        #expect(names.contains("login") && names.contains("GET /rooms/{id}") && names.contains("other"))
        // Those that thresholds ask for, a hundred more, and all others as one.
        #expect(names.count == 103)
        let login = measurements.histogram(of: "request", tags: [Tag("name", "login")])
        #expect(login.count == 2)
        #expect(login.minimum.map { 300_000...301_000 ~= $0 } == true)
        #expect(run.output.contains("↳ login"), "\(run.output)")
    }

    @Test("The requests of simulated servers are measured as those of clients, also where users share one")
    func serverRequests() async throws {
        let thresholds = [
            #"count(request{name="hook"}) == 4"#, #"min(request{name="hook"}) > 99ms"#,
            "count(http_answers{status=202}) == 4",
        ]
        for isShared in [false, true] {
            let (run, folder) = try await ToolRun.load(
                """
                local S = system {
                    name = "platform", client = "nobody", events = { nothing = {} },
                    parties = { user = { events = { delivered = { status = "integer" } } } },
                }
                function S.server.request() wait "100ms" return 202 end
                function S.parties.user.say(user, to)
                    local answer = user.desk:request { url = to, path = "/hook", name = "hook", json = { text = "Hi" } }
                    user:emit("delivered", { status = answer.ok and answer.status or 0 })
                end
                workload { executor = "per_vu_iterations", users = 4, iterations = 1,
                    thresholds = { \(thresholds.map { "'\($0)'" }.joined(separator: ", ")) } }
                scenario("posts", function(t)
                    local desk = t:server(S, { shared = \(isShared) })
                    local ada = desk:user("ada" .. t.user.number)
                    ada:say(desk.url)
                    ada:expect("delivered", { status = 202 })
                end)
                """)
            #expect(run.ended(.success), "\(run.output)\(run.error)")
            let hooks = try folder.loadResult().totals().measurements.histogram(
                of: "request", tags: [Tag("name", "hook")])
            #expect(hooks.count == 4)
        }
    }

    /// Users whose requests come to answers of three statuses, and one to none.
    private static func mixed(_ threshold: String) -> String {
        """
        local http = require "http"
        workload { executor = "per_vu_iterations", users = 4, iterations = 1, thresholds = { \(threshold) } }
        scenario("asks", function(t)
            t:server(http, { answers = {
                { to = "/a", json = { ok = true } }, { to = "/gone", status = 404 }, { to = "/busy", status = 503 },
                { to = "/slow", after = "9s", json = { ok = true } },
            } })
            local visitor = t:actor(http, { url = "/a" })
            for _, path in ipairs { "/a", "/a", "/gone", "/busy" } do
                visitor:get(path)
                visitor:expect "response"
            end
            visitor:get("/slow", { timeout = "1s" })
            visitor:expect "error"
        end)
        """
    }

    @Test("Answers are counted by their status, and requests that failed have a share, which thresholds judge")
    func statuses() async throws {
        let thresholds = [
            "count(http_answers{status=200}) == 8", "count(http_answers{status=\"503\"}) < 5",
            "count(http_answers{status=504}) == 0", "rate(http_failed) < 61%", "count(http_failed) == 12",
            "count(http_repeated) == 0",
        ]
        let (run, folder) = try await ToolRun.load(Self.mixed(thresholds.map { "'\($0)'" }.joined(separator: ", ")))
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        for threshold in thresholds { #expect(run.output.contains("\(threshold): passed with "), "\(run.output)") }
        #expect(
            run.output.contains(
                "\nhttp        20 requests, 12 failed (60%): 8 × 200, 4 × 404, 4 × 503, 4 × no whole answer\n"),
            "\(run.output)")
        let answers = try #require(try folder.loadResult().totals().httpAnswers)
        #expect(answers.statuses.map(\.name) == ["200", "404", "503"] && answers.statuses.map(\.count) == [8, 4, 4])
        #expect(answers.requests == 20 && answers.failed == 12 && answers.unanswered == 4)
        let page = try folder.text("Reports/load.html")
        #expect(page.contains("<h2>Answers of HTTP</h2>") && page.contains("no whole answer"))
    }

    @Test(
        "A threshold on statuses that does not hold fails the run",
        arguments: ["count(http_answers{status=503}) == 0", "rate(http_failed) < 50%"])
    func failedStatuses(threshold: String) async throws {
        let (run, _) = try await ToolRun.load(Self.mixed("'\(threshold)'"))
        #expect(run.ended(.failed), "\(run.output)\(run.error)")
        #expect(run.output.contains("\(threshold): failed with "), "\(run.output)")
    }

    @Test("Requests whose limits a client keeps itself have failed, and a stream is answered by the piece that ends it")
    func givenUp() async throws {
        let thresholds = [
            "count(http_failed) == 6", "count(http_answers{status=200}) == 4",
            // The last piece comes after 300 ms; that the body then never ends is no time of the answer.
            "count(request{name=open}) == 4", "max(request{name=open}) < 400ms",
        ]
        let (run, folder) = try await ToolRun.load(
            """
            local http = require "http"
            local function delta(text) return { choices = { { delta = { content = text } } } } end
            workload { executor = "per_vu_iterations", users = 2, iterations = 1,
                thresholds = { \(thresholds.map { "'\($0)'" }.joined(separator: ", ")) } }
            scenario("asks", function(t)
                t:server(http, { answers = {
                    { to = "/stuck", gap = "9s", pieces = { "a", "b" } },
                    { to = "/long", text = ("x"):rep(2000) },
                    { to = "/silent", gap = "9s", events = { delta "a", delta "b" } },
                    { to = "/open", after = "300ms", gap = "9s", headers = { ["Content-Type"] = "text/event-stream" },
                        pieces = {
                            'data: {"choices":[{"delta":{"content":"Yes."}}]}\\n\\ndata: [DONE]\\n\\n', ": more\\n\\n",
                        } },
                } })
                local visitor = t:actor(http, { url = "/", body_limit = 1000, timeout = "1s", silence = "1s" })
                for _, path in ipairs { "/stuck", "/long", "/silent" } do
                    visitor:get(path)
                    visitor:expect("error", { code = path == "/long" and "too_large" or "timed_out" })
                end
                visitor:get("/open", { name = "open" })
                visitor:expect("message", { text = "Yes." })
                wait "3s"
                -- The scenario ends while the end of this body is waited for.
                visitor:get("/open", { name = "open" })
                visitor:expect("message", { text = "Yes." })
            end)
            """)
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        let answers = try #require(try folder.loadResult().totals().httpAnswers)
        #expect(answers.requests == 10 && answers.failed == 6 && answers.unanswered == 6)
    }

    @Test("Requests that are sent twice, since the server ended their connection without an answer, are counted")
    func repetitions() async throws {
        let (run, _) = try await ToolRun.load(
            """
            \(HandmadeServer.system(.endsKeptConnection))
            workload { executor = "per_vu_iterations", users = 2, iterations = 1,
                thresholds = { "count(http_repeated) < 2", "count(http_repeated) == 2" } }
            \(HandmadeServer.scenario(asking: 2))
            """)
        #expect(run.output.contains("\nhttp        4 requests, none failed, 2 sent twice: 4 × 200\n"), "\(run.output)")
        #expect(run.output.contains("count(http_repeated) == 2: passed with 2"), "\(run.output)")
        #expect(run.ended(.failed), "\(run.output)\(run.error)")
    }

    @Test("What is no status, and no tag of answers, is refused in a threshold before the run")
    func noStatus() async throws {
        for (tag, message) in [
            ("status=\"5xx\"", "\"5xx\" is no status; it has three digits, as in http_answers{status=503}"),
            ("status=0503", "\"0503\" is no status; it has three digits, as in http_answers{status=503}"),
            ("status=\"+503\"", "\"+503\" is no status; it has three digits, as in http_answers{status=503}"),
            ("stats=503", "samples of http_answers have no tag \"stats\"; did you mean \"status\"?"),
        ] {
            let (run, _) = try await ToolRun.load(Self.mixed("'count(http_answers{\(tag)}) == 0'"))
            #expect(run.status == .script && run.error.contains(message), "\(run.output)\(run.error)")
        }
    }

    @Test("Statuses are told apart up to a bound, whatever a server makes up")
    func manyStatuses() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            local http = require "http"
            workload { executor = "per_vu_iterations", users = 1, iterations = 1,
                thresholds = { 'count(http_answers{status=other}) == 20' } }
            scenario("asks", function(t)
                local answers = {}
                for number = 1, 120 do answers[number] = { to = "/" .. number, status = 399 + number } end
                t:server(http, { answers = answers })
                local visitor = t:actor(http, { url = "/" })
                for number = 1, 120 do
                    visitor:get("/" .. number, { name = "each" })
                    visitor:expect(number == 30 and "rate_limited" or "response")
                end
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        let answers = try #require(try folder.loadResult().totals().httpAnswers)
        #expect(answers.statuses.count == 101 && answers.requests == 120 && answers.unanswered == 0)
        #expect(run.output.contains(", 89 other statuses\n"), "\(run.output)")
    }

    @Test("Steps of scenarios are timed by their names, which thresholds can name")
    func steps() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            workload { executor = "per_vu_iterations", users = 2, iterations = 1,
                thresholds = { 'max(step{name="log in"}) < 301ms', 'count(step{name="log in"}) == 2' } }
            scenario("asks", function(t)
                step("log in", function() wait "300ms" end)
                step("look around", function() wait "1s" end)
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        let measurements = try folder.loadResult().totals().measurements
        let histogram = measurements.histogram(of: "step", tags: [Tag("name", "log in")])
        #expect(histogram.count == 2)
        #expect(histogram.minimum.map { 300_000...301_000 ~= $0 } == true)
        #expect(run.output.contains("↳ look around"), "\(run.output)")
    }

    @Test(
        "A threshold on them that does not hold fails the run",
        arguments: [
            "p95(first_token) < 200ms", "max(token_gap) < 40ms", "count(rate_limited) == 0", "rate(rate_limited) < 0.1",
        ])
    func failed(threshold: String) async throws {
        let (run, _) = try await self.run("\"\(threshold)\"")
        #expect(run.ended(.failed), "\(run.output)\(run.error)")
        #expect(run.output.contains("\(threshold): failed"), "\(run.output)")
    }

    @Test(
        "Pieces of a streamed answer are measured, and kept only where the script names them", arguments: [false, true])
    func pieces(isNamed: Bool) async throws {
        let source = """
            local http = require "http"
            local function delta(text) return { choices = { { delta = { content = text } } } } end
            workload { executor = "per_vu_iterations", users = 2, iterations = 1 }
            scenario("a visitor asks", function(t)
                t:server(http, { answers = {
                    { gap = "50ms", events = { delta "It", delta " left", delta ".", "[DONE]" } },
                } })
                local visitor = t:actor(http, { url = "/chat" })
                visitor:send { message = "Where is it?" }
                local ended = visitor:expect("stream_ended", { pieces = 4 })
                if (ended.number > 2) ~= \(isNamed) then t:fail("it is number " .. ended.number) end
                visitor:expect("message", { text = "It left." })   \(isNamed ? "-- after each token" : "")
            end)
            """
        let (run, folder) = try await ToolRun.load(source, ["--clock", "virtual"])
        #expect(run.ended(.success), "\(run.output)")
        let metrics = try folder.text("Reports/load.json")
        #expect(metrics.contains("token_gap") && metrics.contains("first_token"))
    }
}
