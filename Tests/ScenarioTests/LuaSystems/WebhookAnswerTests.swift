import RunRecord
import Testing

@testable import Scenario

@Suite("What comes behind the answer to a simulated server")
struct WebhookAnswerTests {
    /// Plays a scenario whose server asks a bot that sends this behind its answer.
    ///
    /// - Parameters:
    ///   - botCount: How many bots there are, each of which is asked.
    ///   - count: How often each of them is asked.
    ///   - after: What the scenario does in the end.
    private static func run(
        surplus: String, botCount: Int = 1, count: Int = 1, after: String = ""
    ) throws -> ScriptRun {
        try ScriptRun(
            """
            local bot = system { name = "bot", events = {}, frames = "bytes" }
            function bot.server.bytes(_, client)
                client:send_bytes "HTTP/1.1 200 OK\\r\\nContent-Length: 1\\r\\n\\r\\na\(surplus)"
            end
            local S = system {
                name = "platform", title = "Platform", events = {},
                parties = { user = { events = { delivered = { status = "integer" } } } },
            }
            function S.server.request() return 204 end
            function S.parties.user.say(user, url)
                user:emit("delivered", { status = user.desk:request({ url = url }).status })
            end
            scenario("asks", function(t)
                local ada = t:server(S):user "ada"
                for _ = 1, \(botCount) do
                    local url = t:server(bot).url:gsub("^tcp", "http")
                    for _ = 1, \(count) do
                        ada:say(url .. "/hook")
                        ada:expect("delivered", { status = 200 })
                    end
                end
                \(after)
            end)
            """)
    }

    @Test(
        "a second answer and other bytes fail a scenario that goes well otherwise",
        arguments: ["HTTP/1.1 200 OK\\r\\nContent-Length: 1\\r\\n\\r\\nb", "GARBAGE"])
    func surplus(bytes: String) throws {
        #expect(try Self.run(surplus: "").messages == [])
        let run = try Self.run(surplus: bytes)
        let problem = try #require(run.end.problems.first)
        #expect(run.end.outcome == .failed && run.end.problems.count == 1, "\(run.end.problems)")
        #expect(problem.category == .failure && problem.typeName == "protocol")
        #expect(
            problem.message.hasPrefix("the simulated server of Platform: ")
                && problem.message.hasSuffix(" sent bytes that no request asked for, behind a complete answer"))
        #expect(problem.detail.contains(bytes.prefix(7)), "\(problem.detail)")
    }

    @Test("of many lapses a few are told, and how many more there are", arguments: [5, 6, 103])
    func many(botCount: Int) throws {
        let problems = try Self.run(surplus: "GARBAGE", botCount: botCount).end.problems
        let more = botCount - 5
        #expect(problems.count == min(botCount, 6))
        if more > 0 {
            let breaches = more == 1 ? "1 more breach" : "\(more) more breaches"
            #expect(problems.last?.message == "simulated servers met \(breaches) of the protocol")
            // Only what was not kept could have been expected.
            #expect(problems.last?.detail.contains("expect the event that tells of each") == (botCount > 100))
        }
        let failure = try Self.run(surplus: "GARBAGE", botCount: botCount, after: "expect(1, 2)").end.problems
        #expect(failure.count == 1 && failure[0].detail.contains("bot-5"))
        #expect(failure[0].detail.contains("and \(more) more") == (more > 0), "\(failure[0].detail)")
    }

    @Test("what is done again and again is one lapse, also beyond what is kept")
    func repeated() throws {
        let problems = try Self.run(surplus: "GARBAGE", count: 103).end.problems
        #expect(problems.count == 1, "\(problems)")
    }
}
