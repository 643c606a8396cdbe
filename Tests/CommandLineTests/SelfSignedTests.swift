import Certificates
import CommandLine
import RunRecord
import Testing

@Suite("Live Assist behind a certificate that nobody has signed", .serialized)
struct SelfSignedTests {
    /// A consumer and an agent with these options who meet in a session.
    private static func run(_ options: String, target: String = "", body: String? = nil) async throws -> ToolRun {
        let server = try SecureServer()
        #expect(server.origin.hasPrefix("https://"))
        let folder = try TemporaryFolder()
        try folder.write(
            "return { targets = { secure = { url = \"\(server.origin)\"\(target) } }, limits = { expectation = \"20s\" } }",
            to: "repartee.lua")
        let meets = """
            local agent = t:actor(liveassist, { role = "agent", name = "Sam"\(options) })
            consumer:expect("connected", { first = true })
            agent:join(nil, nil, consumer)
            consumer:expect("agent_joined_session", { agent = "Sam" })
            """
        try folder.write(
            """
            local liveassist = require "liveassist"
            scenario("support", function(t)
                local consumer = t:actor(liveassist, { correlationId = "room"\(options) })
                consumer:start_support()
                \(body ?? meets)
            end)
            """, to: "s.lua")
        let run = try await ToolRun(["test", "s.lua", "--target", "secure", "--seed", "1"], in: folder.path)
        withExtendedLifetime(server) {}
        return run
    }

    @Test("with acceptSelfSignedCerts consumer and agent connect, over TLS")
    func accepted() async throws {
        let run = try await Self.run(", acceptSelfSignedCerts = true")
        #expect(run.status == .success, "\(run.output)\(run.error)")
        #expect(try run.outcomes == ["support": .passed])
    }

    @Test("without it a consumer gets an error that says so", arguments: ["", ", acceptSelfSignedCerts = false"])
    func refused(options: String) async throws {
        let run = try await Self.run(
            options,
            body: """
                consumer:expect("error", {
                    name = "assistTransportFailure",
                    message = match.all_of { match.contains "TLS with 127.0.0.1", match.contains "certificate verify failed: self-signed certificate" },
                })
                """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
    }

    @Test("without it an agent gets an error that says so, though the consumer is trusting")
    func refusedAgent() async throws {
        let run = try await Self.run(
            ", acceptSelfSignedCerts = true",
            body: """
                consumer:expect("connected", { first = true })
                local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
                agent:join(nil, nil, consumer)
                agent:expect("error", { message = match.contains "certificate verify failed: self-signed certificate" })
                """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
    }

    @Test("nor is it needed where the target names the authority, or checks nothing")
    func target() async throws {
        for target in [", ca = \"\(Certificates.file)\"", ", verify = false"] {
            let run = try await Self.run("", target: target)
            #expect(run.status == .success, "\(run.output)\(run.error)")
        }
    }

    @Test("a script that expects to be connected fails with the reason")
    func reason() async throws {
        let run = try await Self.run("", body: "consumer:expect(\"connected\", { first = true }, { within = \"2s\" })")
        #expect(run.status != .success)
        #expect(run.output.contains("certificate verify failed: self-signed certificate"), "\(run.output)\(run.error)")
    }
}
