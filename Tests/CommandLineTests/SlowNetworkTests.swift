import CommandLine
import RunRecord
import Testing

@Suite("What a slow network still carries at the end of a scenario")
struct SlowNetworkTests {
    @Test(
        "counts, as what comes within the time that is left does",
        arguments: [
            Trap(
                """
                t:server(websocket, { echo = true })
                local client = t:actor(websocket)
                client:connect()
                client:expect "connected"
                t:network { latency = "60ms" }
                client:send "hi"
                """, .failure, "client observed an event that nothing expected"),
            Trap(
                """
                local client, peer = connected(t)
                t:network({ latency = "60ms" }, client)
                t:allow "frame"
                t:never("frame", { text = "bad" })
                wait "1s"
                spawn(function() wait "10ms" peer:send "bad" end)
                """, .failure, "which must never happen"),
        ])
    func slowNetworks(trap: Trap) async throws { try await trap.expect() }
}
