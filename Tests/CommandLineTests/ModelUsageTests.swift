import CommandLine
import Foundation
import JSON
import RunRecord
import Testing

@Suite("Tokens, cost and time to the first token of language models, in tests and in load")
struct ModelUsageTests {
    /// A model that streams after 200 ms: three tokens in, five out.
    private static let streamed = """
        local openai = require "openai"
        scenario("asks", function(t)
            t:server(openai, { pace = "200ms" })
            local ada = t:actor(openai)
            ada:say "one two three"
            ada:expect("message", { text = "You said: one two three" })
        end)

        """

    /// A server that answers whole with what it says of the usage.
    private static func whole(_ usage: String) -> String {
        """
        local openai = require "openai"
        scenario("asks", function(t)
            local system = system { name = "openai", events = {} }
            function system.server.request()
                return { body = [[{"choices":[{"message":{"content":"Yes."}}],"usage":\(usage)}]] }
            end
            t:server(system)
            local ada = t:actor(openai)
            ada:say "one two three"
            ada:expect("message", { text = "Yes." })
        end)

        """
    }

    private static func play(_ script: String) async throws -> (run: ToolRun, end: RunEnd) {
        let folder = try TemporaryFolder()
        try folder.write(script, to: "a.lua")
        let run = try await ToolRun(["test", "a.lua", "--seed", "1"], in: folder.path)
        return (run, try Self.end(of: run))
    }

    private static func end(of run: ToolRun) throws -> RunEnd {
        guard case .runEnded(let end)? = try run.record.last else { throw NotEnded() }
        return end
    }

    private struct NotEnded: Error {}

    @Test("A test tells them on the console, in the record and on the page")
    func test() async throws {
        let (run, end) = try await Self.play(Self.streamed)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        #expect(
            run.output.contains(
                "language models: 1 answer took 3 tokens in and 5 out, first token after 0.2 s (0.2 s at most)\n"),
            "\(run.output)")
        let usage = try #require(end.usage)
        #expect(usage.inputTokens == 3 && usage.outputTokens == 5 && usage.cost == nil)
        #expect(200_000_000...201_000_000 ~= usage.longestFirstTokenNanoseconds, "\(usage)")
        #expect(try run.reports.text("report.html").contains(#""llm":{"answers":1,"input_tokens":3,"output_tokens":5"#))
    }

    @Test("What a server says that it cost counts, also without a price")
    func told() async throws {
        let (run, end) = try await Self.play(Self.whole(#"{"prompt_tokens":10,"completion_tokens":2,"cost":0.25}"#))
        #expect(run.status == .success, "\(run.output)\(run.error)")
        #expect(end.usage?.cost == 0.25 && end.usage?.firstTokens == 0)
        #expect(run.output.contains("language models: 1 answer took 10 tokens in and 2 out, cost 0.25\n"))
    }

    @Test(
        "Usage that is nonsense is left out, and the answer counts",
        arguments: [
            "7", "null", "[]", "{}", #""many""#, #"{"prompt_tokens":-1,"completion_tokens":-2,"cost":-3}"#,
            #"{"prompt_tokens":1.5,"completion_tokens":1e300,"cost":1e300}"#,
            #"{"prompt_tokens":"3","completion_tokens":[4],"cost":{}}"#,
            #"{"prompt_tokens":99999999999999999999,"completion_tokens":null,"total_tokens":true,"cost":"free"}"#,
        ])
    func nonsense(usage: String) async throws {
        let (run, end) = try await Self.play(Self.whole(usage))
        #expect(run.status == .success, "\(run.output)\(run.error)")
        #expect(end.usage == nil && !run.output.contains("language models"), "\(run.output)")
    }

    @Test("A bot that tells no usage has none in the reports")
    func none() async throws {
        let (run, end) = try await Self.play(#"scenario("adds", function() expect(1, 1) end)"#)
        #expect(run.status == .success && end.usage == nil)
        #expect(!run.output.contains("language models"))
    }

    /// A project with a target whose model has prices, and the server of it.
    private static func priced(_ prices: String, script: String) throws -> (folder: TemporaryFolder, server: RawServer)
    {
        let body = Array(
            #"{"choices":[{"message":{"content":"Yes."}}],"usage":{"prompt_tokens":2000,"completion_tokens":500}}"#.utf8
        )
        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
            + "Content-Length: \(body.count)\r\n\r\n"
        let server = try RawServer(.answers(Array(head.utf8) + body))
        let folder = try TemporaryFolder()
        try folder.write(
            "return { targets = { bot = { url = \"http://127.0.0.1:\(server.port)\", \(prices) } } }",
            to: "repartee.lua")
        try folder.write(
            """
            local openai = require "openai"
            \(script)
            scenario("asks", function(t)
                local ada = t:actor(openai)
                ada:say "Hello?"
                ada:expect("message", { text = "Yes." })
            end)

            """, to: "a.lua")
        return (folder, server)
    }

    @Test("The prices of the target give the cost, in a test and in load")
    func prices() async throws {
        let (folder, server) = try Self.priced("prices = { input = 2.5, output = 10 }", script: "")
        defer { server.close() }
        let run = try await ToolRun(["test", "a.lua", "--target", "bot"], in: folder.path)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        // 2000 at 2.5 and 500 at 10 a million.
        #expect(try Self.end(of: run).usage?.cost == 0.01)
        for (threshold, status) in [
            ("sum(llm_cost) < 0.021", ExitStatus.success), ("sum(llm_cost) < 0.019", .failed),
        ] {
            let load = try await ToolRun(
                [
                    "load", "a.lua", "--target", "bot", "--no-preflight", "--users", "1", "--iterations", "2",
                    "--threshold", threshold,
                ], in: folder.path)
            #expect(load.ended(status), "\(threshold): \(load.output)\(load.error)")
            let line = "\(threshold): failed with 0.02\n"
            #expect(load.output.contains(line) == (status == .failed), "\(threshold): \(load.output)\(load.error)")
        }
    }

    @Test(
        "Prices that are none are refused",
        arguments: [
            ("prices = 7", "prices is a table"), ("prices = { input = 1 }", "output"),
            ("prices = { input = 1, output = 2, outptu = 3 }", "did you mean \"output\"?"),
            ("prices = { input = -1, output = 2 }", "targets.bot.prices.input is what a million tokens cost"),
            ("prices = { input = 1, output = 1/0 }", "output"), ("prices = { input = 1, output = \"2\" }", "output"),
        ])
    func badPrices(prices: String, text: String) async throws {
        let (folder, server) = try Self.priced(prices, script: "")
        defer { server.close() }
        let run = try await ToolRun(["test", "a.lua", "--target", "bot"], in: folder.path)
        #expect(run.status == .script, "\(run.output)\(run.error)")
        #expect(run.error.contains(text) || run.output.contains(text), "\(run.output)\(run.error)")
    }

    private static let workload =
        "workload { executor = \"per_vu_iterations\", users = 3, iterations = 2, thresholds = { \"%\" } }\n"

    @Test(
        "A threshold on each holds or fails the run of load, and the page has the figures",
        arguments: [
            ("sum(llm_tokens_input) == 18", "sum(llm_tokens_input) < 18"),
            ("sum(llm_tokens_output) <= 30", "sum(llm_tokens_output) > 30"),
            ("p95(llm_time_to_first_token) < 210ms", "max(llm_time_to_first_token) < 190ms"),
        ])
    func thresholds(holds: String, fails: String) async throws {
        let usage = #"{"prompt_tokens":3,"completion_tokens":5}"#
        let script = holds.contains("time") ? Self.streamed : Self.whole(usage)
        for (threshold, isKept) in [(holds, true), (fails, false)] {
            let (run, folder) = try await ToolRun.load(Self.workload.replacing("%", with: threshold) + script)
            #expect(run.ended(isKept ? .success : .failed), "\(threshold): \(run.output)\(run.error)")
            if !isKept { #expect(run.output.contains("\(threshold): failed"), "\(run.output)") }
            let figures = holds.contains("time") ? "tokens in, " : "models      18 tokens in, 30 tokens out\n"
            #expect(run.output.contains(figures), "\(run.output)")
            let page = try folder.text("Reports/load.html")
            #expect(page.contains("llm_tokens_input") && page.contains("llm_tokens_output"))
        }
    }

    @Test("A threshold on the cost holds or fails, and is not kept where no cost is known")
    func costs() async throws {
        let script = Self.whole(#"{"prompt_tokens":1,"completion_tokens":1,"cost":0.25}"#)
        for (threshold, status) in [("sum(llm_cost) == 1.5", ExitStatus.success), ("sum(llm_cost) < 1.5", .failed)] {
            let (run, _) = try await ToolRun.load(Self.workload.replacing("%", with: threshold) + script)
            #expect(run.ended(status), "\(threshold): \(run.output)\(run.error)")
        }
        let (run, _) = try await ToolRun.load(
            Self.workload.replacing("%", with: "sum(llm_cost) < 1.5") + Self.whole(#"{"cost":-1}"#))
        #expect(run.status != .success, "\(run.output)\(run.error)")
    }

    @Test("A system of one's own tells its usage by the event, and one without is refused the threshold")
    func own() async throws {
        func script(_ events: String, _ body: String) -> String {
            Self.workload.replacing("%", with: "sum(llm_tokens_output) == 42")
                + """
                local bot = system { name = "bot", client = "user", \(events) }
                function bot.commands.ask(me) \(body) end
                function bot.server.request() return { status = 204 } end
                scenario("asks", function(t)
                    local user = t:actor(bot)
                    user:ask()
                end)

                """
        }
        let told = script(
            "events = { usage = { prompt_tokens = \"integer\", completion_tokens = \"integer\" } }, noise = { \"usage\" }",
            "me:emit(\"usage\", { prompt_tokens = 1, completion_tokens = 7 })")
        let (run, _) = try await ToolRun.load(told)
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        let (refused, _) = try await ToolRun.load(script("events = {}", ""))
        #expect(refused.status == .script || refused.status == .usage, "\(refused.output)\(refused.error)")
        #expect((refused.output + refused.error).contains("a system with the event usage, such as openai"))
    }
}
