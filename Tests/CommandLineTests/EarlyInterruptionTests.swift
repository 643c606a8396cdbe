import Foundation
import Scenario
import Testing

@Suite(
    "Interruptions before anything is played", .waitsForProcesses,
    .enabled(if: Product.program != nil, "the program is not built beside the tests; swift build makes it"))
struct EarlyInterruptionTests {
    private static let script = """
        scenario("says something", function(t)
            local ada = t:actor(require "websocket")
            ada:connect()
            ada:expect "connected"
        end)
        """

    @Test(
        "end a run that asks what its target is, in words",
        arguments: [
            (["test", "a.lua"], "interrupted before the first scenario began; nothing was played"),
            (["test", "a.lua", "--watch"], "interrupted before the first scenario began; nothing was played"),
            (["test", "a.lua", "--ui"], "interrupted before the first scenario began; nothing was played"),
            (["load", "a.lua"], "interrupted before the first user began; nothing was played"),
            (["load", "a.lua", "--find", "rate(failures) == 0"], "interrupted before the capacity was found"),
        ])
    func whileProbing(arguments: [String], sentence: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.script, to: "a.lua")
        let server = try RawServer(.isSilent)
        defer { server.close() }
        let target = "http://127.0.0.1:\(server.port)"
        let tool = try ToolProcess(arguments + ["--target", target], in: folder.path)
        for _ in 0..<600 where server.peers.isEmpty { usleep(50_000) }
        #expect(server.peers.count == 1)
        tool.send(SIGINT)
        let end = tool.end()
        #expect(end.code == 130, "\(end.output)")
        #expect(end.output.contains(sentence), "\(end.output)")
    }

    @Test("are what ends the question, and not its time limit")
    func question() async throws {
        let server = try RawServer(.isSilent)
        defer { server.close() }
        let url = "http://127.0.0.1:\(server.port)"
        let interruption = Interruption()
        interruption.request()
        let finding = await ProjectConfiguration.Target(url: url).finding(at: url, unless: interruption)
        #expect(finding.text == "was not waited for")
        #expect(!finding.isWell)
    }
}
