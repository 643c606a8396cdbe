import CommandLine
import Testing

@Suite("repartee load --tls-resumption", .serialized)
struct SessionResumptionTests {
    private static func run(_ arguments: String...) async throws -> ToolRun {
        let server = try SecureServer()
        let folder = try TemporaryFolder()
        try folder.write(
            "return { targets = { secure = { url = \"\(server.origin)\", verify = false } } }", to: "repartee.lua")
        try folder.write(
            """
            local liveassist = require "liveassist"
            workload { executor = "per_vu_iterations", users = 2, iterations = 3, thresholds = { "count(resumed) >= 4", "rate(failures) < 1%" } }
            scenario("support", function(t)
                local consumer = t:actor(liveassist, { correlationId = "room" .. t.user.number .. "/" .. t.user.iteration })
                consumer:start_support()
                consumer:expect("connected", { first = true })
            end)
            """, to: "s.lua")
        let run = try await ToolRun(
            ["load", "s.lua", "--target", "secure", "--seed", "1", "--no-calibrate"] + arguments, in: folder.path)
        withExtendedLifetime(server) {}
        return run
    }

    @Test("on lets each user resume its own sessions, from its second connection on, and they are counted")
    func resumed() async throws {
        let run = try await Self.run("--tls-resumption", "on")
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        #expect(run.output.contains("count(resumed) >= 4: passed"), "\(run.output)\(run.error)")
    }

    @Test(
        "off and nothing at all give each connection a full handshake", arguments: [["--tls-resumption", "off"], []])
    func full(arguments: [String]) async throws {
        let run = try await (arguments.isEmpty ? Self.run() : Self.run(arguments[0], arguments[1]))
        #expect(run.ended(.failed), "\(run.output)\(run.error)")
        #expect(run.output.contains("count(resumed) >= 4: "), "\(run.output)\(run.error)")
        #expect(!run.output.contains("count(resumed) >= 4: passed"), "\(run.output)\(run.error)")
    }

    @Test("it is refused where users reach servers without TLS")
    func refused() async throws {
        let folder = try TemporaryFolder()
        try folder.write("scenario('a', function() end)", to: "s.lua")
        let run = try await ToolRun(
            ["load", "s.lua", "--users", "1", "--duration", "1s", "--tls-resumption", "on"], in: folder.path)
        #expect(run.status == .usage)
        #expect(run.error.contains("--tls-resumption goes with --target"))
    }
}
