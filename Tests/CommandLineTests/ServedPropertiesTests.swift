import Foundation
import RunRecord
import Testing

@Suite("Properties of a server in another process", .waitsForProcesses)
struct ServedPropertiesTests {
    @Test(
        "are read as they stand, though nobody gave a command, and not where Lua cannot wait for them",
        .enabled(if: Product.program != nil, "the program is not built beside the tests; swift build makes it"))
    func read() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            local liveassist = require "liveassist"
            local function consumer(t)
                local consumer = t:actor(liveassist, { correlationId = "room" })
                consumer:start_support()
                consumer:expect "connected"
            end
            scenario("known", function(t)
                local server = t:server(liveassist)
                expect(#server.sessions, 0)
                consumer(t)
                expect(#server.sessions, 1)
            end)
            scenario("unknown", function(t)
                local server = t:server(liveassist)
                consumer(t)
                table.sort({ 2, 1 }, function(left, right) return #server.sessions > 0 and left < right end)
            end)
            """, to: "served.lua")
        let server = try ToolProcess(["serve", "--port", "0"], in: folder.path)
        defer { server.send(SIGKILL) }
        let run = try await ToolRun(["test", "served.lua", "--target", try server.controlURL()], in: folder.path)
        let outcomes = try run.outcomes
        #expect(outcomes["known"] == .passed, "\(run.output)")
        #expect(outcomes["unknown"] == .error, "\(run.output)")
        #expect(run.output.contains("cannot wait inside a table.sort comparator"), "\(run.output)")
    }
}
