import CommandLine
import Metrics
import Testing

@Suite("What a server answered to users who then waited in vain")
struct RefusedAnswerTests {
    private static func source(body: String) -> String {
        """
        local S = system { name = "probe", client = "guest",
            events = { message = { text = "string" }, message_sent = {} }, noise = { "message_sent" } }
        function S.commands.say(me)
            me:after("later", "3s")
            me:request { method = "POST", path = "/say" }
            me:emit("message_sent", {})
        end
        function S.on.timer() end
        function S.server.text() end
        function S.server.request() return { status = 429, body = \(body) } end
        workload { executor = "per_vu_iterations", users = 3, iterations = 1 }
        scenario("asks", function(t)
            local guest = t:actor(S)
            guest:say()
            wait "10ms" -- the answer is over when the wait begins, and does not explain it by itself
            guest:expect("message", { within = "2s" })
        end)
        """
    }

    @Test(
        "A refusal that nobody looked at stands beside what did not come, without a body that is long",
        arguments: [
            ("'slow down'", "POST /say answered 429: slow down"), ("('x'):rep(5000)", "POST /say answered 429"),
        ])
    func refused(body: String, told: String) async throws {
        let (run, folder) = try await ToolRun.load(Self.source(body: body))
        #expect(run.ended(.failed), "\(run.output)\(run.error)")
        let cause = try #require(try folder.loadResult().totals().causes.first)
        let lines = cause.detail.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("not ok ") }
        #expect(lines.count == 1 && lines.first?.hasSuffix("  \(told)") == true, "\(cause.detail)")
        #expect(run.output.contains(told), "\(run.output)")
    }
}
