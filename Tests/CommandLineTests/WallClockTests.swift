import CommandLine
import RunRecord
import Testing

@Suite("The time of day in real time")
struct WallClockTests {
    @Test("is the same for scripts as for clients and servers, however late a scenario begins")
    func shared() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            local oracle = require "oracle"
            for number = 1, 3 do
                scenario("number " .. number, function(t)
                    local desk = t:server(oracle)
                    wait "1500ms"
                    local claims = jwt.read(desk:make_token { userId = "ada" })
                    -- The third one begins three seconds late.
                    expect(date.epoch(date.now()) - claims.iat, match.between(0, 2.9))
                    expect(os.time() - claims.iat, match.between(0, 2))
                end)
            end
            """, to: "Scenarios/time.lua")
        let run = try await ToolRun(["test", "--clock", "real", "--workers", "1"], in: folder.path)
        #expect(run.status == .success, "\(run.output)\(run.error)")
    }
}
