import CommandLine
import Metrics
import Testing

@Suite("Acknowledgements with the texts of others")
struct ForeignAcknowledgementTests {
    /// Two clients who talk at once; the server gives each text to all of them, or to all but its sender.
    private static func script(event: String, toSender: Bool) -> String {
        """
        local S = system {
            name = "own", events = { \(event) = { text = "string" } }, noise = { "\(event)" },
        }
        function S.commands.connect(me) me.link = me:open {} me:wait "open" end
        S.commands.say = { sends = "text", acknowledged_by = "\(event)", function(me, text) me.link:send(text) end }
        function S.on.text(me, text) me:emit("\(event)", { text = text }) end
        function S.server.text(desk, client, text)
            wait "100ms"
            for _, other in ipairs(desk.clients) do
                if \(toSender) or other ~= client then other:send(text) end
            end
        end
        workload { executor = "per_vu_iterations", users = 2, iterations = 1 }
        scenario("two talk", function(t)
            local ada, bob = t:actor(S), t:actor(S)
            ada:connect()
            bob:connect()
            ada:say "hello"
            bob:say "hi"
            wait "1s"
            expect(1, 1)
        end)
        """
    }

    @Test("acknowledge no text of the one who gets them", arguments: ["stored", "message_sent"], [true, false])
    func foreign(event: String, toSender: Bool) async throws {
        let (run, folder) = try await ToolRun.load(
            Self.script(event: event, toSender: toSender), ["--clock", "virtual", "--cores", "1"])
        #expect(run.status == (toSender ? .success : .failed), "\(run.output)\(run.error)")
        let totals = try folder.loadResult().totals()
        #expect(totals.unacknowledged == (toSender ? 0 : 4), "\(run.output)")
        #expect(totals.measurements.histogram(of: "acknowledgement").count == (toSender ? 4 : 0), "\(run.output)")
        let line = "4 × a text whose acknowledgement never came (user 0: 2, user 1: 2)"
        #expect(run.output.contains(line) == !toSender, "\(run.output)")
    }
}
