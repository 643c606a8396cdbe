import RunRecord
import Testing

@testable import Scenario

@Suite("What comes behind the answer to a simulated server")
struct WebhookAnswerTests {
    /// Plays a scenario whose server asks a bot that sends this behind its answer.
    private static func run(surplus: String) throws -> ScriptRun {
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
                local url = t:server(bot).url:gsub("^tcp", "http")
                local ada = t:server(S):user "ada"
                ada:say(url .. "/hook")
                ada:expect("delivered", { status = 200 })
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
}
