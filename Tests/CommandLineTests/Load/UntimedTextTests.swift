import CommandLine
import Testing

@Suite("Times of messages over plain WebSockets")
struct UntimedTextTests {
    private static func script(_ options: String, body: String = "") -> String {
        """
        local websocket = require "websocket"
        workload { executor = "per_vu_iterations", users = 2, iterations = 1 }
        scenario("connects", function(t)
            t:server(websocket)
            local client = t:actor(websocket\(options))
            client:connect()
            client:expect "connected"
            \(body)
            client:close()
            client:expect "disconnected"
        end)
        """
    }

    @Test(
        "The end of a run that measured none names the option that does",
        arguments: [
            ("", "", true), (", { ledger = { sent = \"$.text\", received = \"$.text\" } }", "", false),
            ("", "metric.time(\"mine\", \"5ms\")", false),
        ])
    func hint(options: String, body: String, isTold: Bool) async throws {
        let (run, _) = try await ToolRun.load(Self.script(options, body: body))
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        #expect(
            run.output.contains("texts       no time of a message was measured; the option ledger") == isTold,
            "\(run.output)")
    }
}
