import CommandLine
import Metrics
import Testing

@Suite("Load on servers that the script names itself")
struct NamedAddressTests {
    private static func script(port: Int, serving: Bool = false) -> String {
        """
        workload { executor = "per_vu_iterations", users = 2, iterations = 1, max_duration = "20s" }
        scenario("asks", function(t)
            \(serving ? "t:server(require \"websocket\")" : "")
            local user = t:actor(require "http", { url = "http://127.0.0.1:\(port)/x" })
            user:get()
            user:expect("response", { status = 204 })
            expect(t.clock, "real")
        end)
        """
    }

    @Test("A file that starts no simulated server reaches them without a target, as in a test")
    func reached() async throws {
        let server = try RawServer(.answers(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8)))
        defer { server.close() }
        for clock in [[], ["--clock", "real"]] {
            let (run, folder) = try await ToolRun.load(Self.script(port: server.port), clock)
            #expect(run.ended(.success), "\(run.output)\(run.error)")
            #expect(try folder.loadResult().totals().measurements.histogram(of: "tcp_connect").count == 2)
        }
    }

    @Test("Where it cannot be reached, what is said to do is what helps", arguments: [true, false])
    func advice(serving: Bool) async throws {
        let server = try RawServer(.answers(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8)))
        defer { server.close() }
        let (run, _) = try await ToolRun.load(
            Self.script(port: server.port, serving: serving), serving ? [] : ["--clock", "virtual"])
        #expect(run.status == .failed || run.status == .harness, "\(run.output)\(run.error)")
        #expect(
            run.output.contains(
                "a real one needs --target, or a file that starts no simulated server, without --clock virtual"),
            "\(run.output)")
        #expect(!run.output.contains("--clock real"), "\(run.output)")
    }
}
