import CommandLine
import Testing

@Suite("Users whose connection ends before they are done with it")
struct LostConnectionTests {
    private static let head = """
        local websocket = require "websocket"
        workload { executor = "per_vu_iterations", users = 3, iterations = 1, max_duration = "20s", STORMS }
        scenario("says something", function(t)

        """

    private static func source(_ storms: String, _ body: String) -> String {
        Self.head.replacing("STORMS", with: storms) + body + "\nend)"
    }

    @Test("Who sends after the server has closed fails for that, and not by a mistake of the script")
    func closedByServer() async throws {
        // A close frame (RFC 6455 section 5.5.1) with 1011 and a reason.
        let server = try RawServer(.acceptsWebSocket([0x88, 6, 0x03, 0xF3] + Array("boom".utf8)))
        defer { server.close() }
        let body = """
            local user = t:actor(websocket)
            user:connect()
            user:expect "connected"
            wait "300ms"
            user:send "hi"
            """
        let (run, _) = try await ToolRun.load(
            Self.source("", body), ["--target", "ws://127.0.0.1:\(server.port)", "--no-preflight"])
        #expect(run.ended(.failed), "\(run.output)\(run.error)")
        #expect(run.output.contains("3 × disconnected"), "\(run.output)")
        #expect(
            run.output.contains("client:send: the server closed the connection: 1011 boom"), "\(run.output)")
        #expect(!run.output.contains("call connect"), "\(run.output)")
    }

    @Test("Who sends after a storm has cut the connection fails for that; who catches it connects again")
    func cut() async throws {
        let storms = "storms = { { at = \"1s\", network = { cut = true } } }"
        let begin = """
            t:server(websocket, { echo = true })
            local user = t:actor(websocket)
            user:connect()
            user:expect "connected"
            wait(2)

            """
        let (run, _) = try await ToolRun.load(Self.source(storms, begin + "user:send \"hi\""))
        #expect(run.ended(.failed), "\(run.output)\(run.error)")
        #expect(run.output.contains("client:send: the connection was dropped on purpose"), "\(run.output)")
        let catching = """
            expect(pcall(user.send, user, "hi"), false)
            user:expect "disconnected"
            user:connect()
            user:expect "connected"
            user:send "hi"
            user:expect "frame"
            """
        let (again, _) = try await ToolRun.load(Self.source(storms, begin + catching))
        #expect(again.ended(.success), "\(again.output)\(again.error)")
    }

    @Test("Who sends on a connection that the script has closed is told to connect first")
    func closedByScript() async throws {
        let body = """
            t:server(websocket, { echo = true })
            local user = t:actor(websocket)
            user:connect()
            user:expect "connected"
            user:close()
            user:expect "disconnected"
            user:send "hi"
            """
        let (run, _) = try await ToolRun.load(Self.source("", body))
        #expect(run.ended(.script), "\(run.output)\(run.error)")
        #expect(run.output.contains("send needs an open connection, but it is closed; call connect"), "\(run.output)")
    }
}
