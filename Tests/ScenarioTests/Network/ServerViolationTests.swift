import RunRecord
import Testing

@testable import Scenario

@Suite("What servers do against the protocol")
struct ServerViolationTests {
    /// Plays a client whose server sends this behind its answer.
    private static func run(surplus: String, _ body: String = "", before: String = "") throws -> ScriptRun {
        try ScriptRun(
            """
            local S = system {
                name = "probe", events = { message = { text = "string" } }, frames = "bytes",
                options = { url = "string" },
            }
            function S.commands.ask(me)
                me:emit("message", { text = me:request { url = me.options.url .. "/" }.body })
            end
            function S.server.bytes(_, client)
                client:send_bytes "HTTP/1.1 200 OK\\r\\nContent-Length: 1\\r\\n\\r\\na\(surplus)"
            end
            scenario("asks", function(t)
                \(before)
                local desk = t:server(S)
                local client = t:actor(S, { url = desk.url:gsub("^tcp", "http") })
                client:ask()
                client:expect("message", { text = "a" })
                \(body)
            end)
            """)
    }

    private static let second = "HTTP/1.1 200 OK\\r\\nContent-Length: 1\\r\\n\\r\\nb"

    @Test("a second answer fails a scenario that goes well otherwise, with what was sent")
    func second() throws {
        #expect(try Self.run(surplus: "").messages == [])
        let run = try Self.run(surplus: Self.second)
        let problem = try #require(run.end.problems.first)
        #expect(run.end.outcome == .failed && run.end.problems.count == 1)
        #expect(problem.category == .failure && problem.typeName == "protocol")
        #expect(
            problem.message.hasPrefix("client: ")
                && problem.message.hasSuffix(" sent bytes that no request asked for, behind a complete answer"))
        #expect(problem.detail.contains("HTTP/1.1 200 OK"), "\(problem.detail)")
        #expect(run.logs == [problem.message])
    }

    @Test("a network that damages what passes may be to blame")
    func damage() throws {
        let run = try Self.run(surplus: Self.second, before: "t:network { corrupt = 0.000001 }")
        #expect(run.messages == [] && run.logs.count == 1)
    }

    @Test("a failure of the scenario itself says so beside")
    func beside() throws {
        let run = try Self.run(surplus: Self.second, "expect(1, 2)")
        #expect(run.end.problems.count == 1)
        let problem = try #require(run.end.problems.first)
        #expect(problem.typeName != "protocol")
        #expect(problem.detail.contains("sent bytes that no request asked for"), "\(problem.detail)")
    }
}
