import CommandLine
import Testing

@Suite("Conditions of the network that a workload has")
struct NetworkLatencyTests {
    @Test("Latency of the workload is what a load run in virtual time measures")
    func loadLatency() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            local websocket = require "websocket"
            workload {
                executor = "per_vu_iterations", users = 3, iterations = 2,
                network = { latency = "50ms" },
                thresholds = { "p50(connect) > 190ms" },
            }
            scenario("echo", function(t)
                t:server(websocket, { echo = true })
                local client = t:actor(websocket)
                client:connect()
                client:expect "connected"
                t:network { cut = true }
                client:expect "disconnected"
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        #expect(try folder.text("Reports/load.json").contains("t:network cut=true"))
        try folder.write(
            "workload { executor = 'constant_vus', users = 1, duration = '1s', network = { latncy = 1 } }\n"
                + "scenario('x', function() end)", to: "wrong.lua")
        let wrong = try await ToolRun(["load", "wrong.lua"], in: folder.path)
        #expect(wrong.error.contains("did you mean \"latency\"?"))
    }
}
