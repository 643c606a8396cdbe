import CommandLine
import Foundation
import Testing

/// The broken servers that a newcomer met, each with the headline by which its cause is known at once.
@Suite("Conversations that died, over real sockets", .timeLimit(.minutes(4)))
struct HopelessTests {
    /// Plays a script against a port, with more patience than the tests are given time.
    private func play(_ body: String, _ system: String, port: Int) async throws -> ToolRun {
        let folder = try TemporaryFolder()
        let scheme = system == "websocket" ? "ws" : "http"
        try folder.write(
            """
            return {
                targets = { broken = { url = "\(scheme)://127.0.0.1:\(port)/" } },
                limits = { expectation = "5m", scenario = "10m" },
            }
            """, to: "repartee.lua")
        try folder.write(
            """
            local system = require "\(system)"
            scenario("talks", function(t)
                local client = t:actor(system)
            \(body)
            end)

            """, to: "a.lua")
        return try await ToolRun(["test", "a.lua", "--target", "broken", "--no-preflight"], in: folder.path)
    }

    private static func answer(_ status: String, _ type: String, _ body: String, length: Int? = nil) -> [UInt8] {
        Array(
            ("HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\n"
                + "Content-Length: \(length ?? body.utf8.count)\r\n\r\n\(body)").utf8)
    }

    private static func close(_ code: UInt16, _ reason: String) -> [UInt8] {
        [0x88, UInt8(2 + reason.utf8.count), UInt8(code >> 8), UInt8(code & 255)] + Array(reason.utf8)
    }

    private static let connects = "client:connect()\nclient:expect \"frame\""

    @Test(
        "a WebSocket chat that dies fails within a second of its end, and the headline says why",
        arguments: [
            (
                "an early close", RawServer.Manner.acceptsWebSocket(Self.close(1011, "internal error")),
                "the server closed the connection: 1011 internal error"
            ),
            (
                "a close without a reason", .acceptsWebSocket([0x88, 0x02, 0x03, 0xF0]),
                "the server closed the connection: 1008 policy violation"
            ),
            (
                "a refused handshake",
                .answers(
                    Self.answer(
                        "400 Bad Request", "text/plain",
                        "Failed to open a WebSocket connection: missing subprotocol.\n")),
                "handshake with 400 Bad Request, "
            ),
            (
                "a refused handshake without a length",
                .answersAndStays(Array("HTTP/1.1 403 Forbidden\r\n\r\nwrong token".utf8)),
                "handshake with 403 Forbidden"
            ),
            ("a dropped connection", .hangsUp, "no answer to the WebSocket handshake"),
            (
                "a masked frame", .acceptsWebSocket([0x81, 0x81, 1, 2, 3, 4, 5]), "the server broke the protocol"
            ),
        ])
    func webSocket(name: String, manner: RawServer.Manner, headline: String) async throws {
        let server = try RawServer(manner)
        defer { server.close() }
        let run = try await self.play(Self.connects, "websocket", port: server.port)
        #expect(run.status == .failed, "\(name): \(run.output)")
        let first = try #require(run.output.split(separator: "\n").first { $0.contains("│") })
        #expect(first.contains(headline), "\(name): \(run.output)")
    }

    @Test(
        "a handshake that is forbidden, and no other refusal, says by which header browsers name their site",
        arguments: [("403 Forbidden", true), ("401 Unauthorized", false)])
    func forbidden(status: String, isAboutOrigin: Bool) async throws {
        let server = try RawServer(.answers(Self.answer(status, "text/plain", "Access denied")))
        defer { server.close() }
        let run = try await self.play(Self.connects, "websocket", port: server.port)
        let remedy = "a server that lets in its own pages alone looks for Origin"
        #expect(run.output.contains(remedy) == isAboutOrigin, "\(run.output)")
    }

    @Test("the body of a refused handshake is shown, and scripts can read it")
    func refusal() async throws {
        let why = "Failed to open a WebSocket connection: missing subprotocol."
        let server = try RawServer(.answers(Self.answer("400 Bad Request", "text/plain", why)))
        defer { server.close() }
        let run = try await self.play(Self.connects, "websocket", port: server.port)
        #expect(run.output.contains("answer    \(why)"), "\(run.output)")
        let reads = try await self.play(
            "client:connect()\nclient:expect(\"error\", { status = 400, body = \"\(why)\" })", "websocket",
            port: server.port)
        #expect(reads.status == .success, "\(reads.output)")
    }

    @Test(
        "an HTTP bot that dies fails at once, and the headline says why",
        arguments: [
            (
                "500 with a reason",
                RawServer.Manner.answers(
                    Self.answer("500 Internal Server Error", "application/json", "{\"error\":\"no such table: users\"}")
                ),
                "the server answered 500 Internal Server Error, "
            ),
            (
                "a body cut short", .answers(Self.answer("200 OK", "application/json", "{\"token\": \"a", length: 400)),
                "did not answer in full"
            ),
            (
                "a dropped stream",
                .answers(
                    Array(
                        ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + "20\r\ndata: {\"choices\":[{\"delta\":{}}]}\r\n").utf8)), "did not answer in full"
            ),
            (
                "a stream without its end",
                .answers(
                    Array(
                        ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
                            + "data: {\"choices\":[{\"delta\":{\"content\":\"Hal\"}}]}\n\n").utf8)),
                "the stream ended without the data [DONE]"
            ),
        ])
    func http(name: String, manner: RawServer.Manner, headline: String) async throws {
        let server = try RawServer(manner)
        defer { server.close() }
        let run = try await self.play(
            "client:send { message = \"hello\" }\nclient:expect \"message\"", "http", port: server.port)
        #expect(run.status == .failed, "\(name): \(run.output)")
        let first = try #require(run.output.split(separator: "\n").first { $0.contains("│") })
        #expect(first.contains(headline), "\(name): \(run.output)")
    }

    @Test("a client that has a timer to connect again is waited for")
    func reconnecting() async throws {
        let server = try RawServer(.hangsUp)
        defer { server.close() }
        let run = try await self.play(
            """
            local again = spawn(function()
                wait "1500ms"
                client:connect()
            end)
            client:connect()
            client:expect "error"
            client:expect "error"
            join(again)
            """, "websocket", port: server.port)
        #expect(run.status == .success, "\(run.output)")
    }

    @Test("users of a load test fail at once, and all for one cause")
    func load() async throws {
        let server = try RawServer(.acceptsWebSocket(Self.close(1011, "internal error")))
        defer { server.close() }
        let source = """
            local websocket = require "websocket"
            workload { executor = "shared_iterations", users = 4, iterations = 20 }
            scenario("talks", function(t)
                local client = t:actor(websocket)
                client:connect()
                client:expect("frame", nil, { within = "5m" })
            end)
            """
        let (run, _) = try await ToolRun.load(
            source, ["--target", "ws://127.0.0.1:\(server.port)/", "--no-calibrate"])
        // On a busy machine it is the generator that decides how the run ends.
        let isInvalid = run.output.contains("generator   invalid")
        #expect(run.status == (isInvalid ? .harness : .failed), "\(run.output)\(run.error)")
        #expect(run.output.contains("20 × hopeless"), "\(run.output)")
        #expect(run.output.contains("client: the server closed the connection: 1011 internal error\n"), "\(run.output)")
    }
}
