import CommandLine
import Foundation
import Testing

@Suite("Servers that misbehave, over real sockets")
struct MisbehavingServerTests {
    /// Plays a script against a port.
    private func play(_ script: String, port: Int, scheme: String, _ options: [String] = []) async throws -> ToolRun {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            return {
                targets = { broken = { url = "\(scheme)://127.0.0.1:\(port)/" } },
                limits = { expectation = "1500ms", scenario = "5s" },
            }
            """, to: "repartee.lua")
        try folder.write(script, to: "a.lua")
        return try await ToolRun(["test", "a.lua", "--target", "broken"] + options, in: folder.path)
    }

    private static let visitor = """
        local boldchat = require "boldchat"
        scenario("opens a chat", function(t)
            local visitor = t:actor(boldchat)
            visitor:create_chat()
            visitor:expect "pre_chat"
        end)

        """

    private static func socket(_ rest: String) -> String {
        """
        local websocket = require "websocket"
        scenario("connects", function(t)
            local client = t:actor(websocket)
            client:connect()
            \(rest)
        end)

        """
    }

    /// A port at which nobody listens.
    private func deadPort() throws -> Int {
        let server = try RawServer(.hangsUp)
        server.close()
        return server.port
    }

    @Test("a target that refuses connections ends with exit 4, and the message names it", arguments: ["ws", "http"])
    func refuses(scheme: String) async throws {
        let port = try self.deadPort()
        let run = try await self.play(
            scheme == "ws" ? Self.socket("client:expect \"connected\"") : Self.visitor, port: port, scheme: scheme)
        #expect(run.status == .harness, "\(run.output)")
        #expect(run.output.contains("127.0.0.1:\(port)"), "\(run.output)")
        #expect(run.output.contains("nothing listens on 127.0.0.1:\(port)"), "\(run.output)")
        let report = try XMLFile(try run.reports.data("junit.xml"))
        #expect(report.all("error").count == 1)
    }

    @Test("a script may expect that a connection fails")
    func expectedRefusal() async throws {
        let run = try await self.play(
            Self.socket("client:expect(\"error\", { code = \"cannot_connect\" })"), port: try self.deadPort(),
            scheme: "ws", ["--no-preflight"])
        #expect(run.status == .success, "\(run.output)")
    }

    @Test("a URL at which neither a server nor a control port answers ends with exit 4")
    func noControlPort() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "scenario(\"needs a desk\", function(t) t:server(require \"boldchat\") end)\n", to: "a.lua")
        let port = try self.deadPort()
        let run = try await ToolRun(["test", "a.lua", "--target", "http://127.0.0.1:\(port)"], in: folder.path)
        #expect(run.status == .harness, "\(run.output)")
        #expect(run.output.contains("nothing listens on 127.0.0.1:\(port)"), "\(run.output)")
    }

    private static func http(_ body: String, status: String = "200 OK", type: String = "application/json") -> [UInt8] {
        Array(
            "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
    }

    @Test(
        "what is no answer is an event that a failure shows, and nothing traps",
        arguments: [
            ("malformed JSON", Self.http("{\"Status\": \"success\", ")), ("no JSON", Self.http("<html>busy</html>")),
            ("nothing", Self.http("")), ("not HTTP", Array("220 smtp.example.com ready\r\n\r\n".utf8)),
            ("a status", Self.http("oops", status: "500 Internal Server Error")),
            ("JSON of another shape", Self.http("[[[[1]]]]")), ("a huge number", Self.http("{\"Status\": 1e999}")),
            ("deep nesting", Self.http(String(repeating: "[", count: 100_000))),
            ("a lying length", Array("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n{}".utf8)),
            ("a body cut short", Array("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{}".utf8)),
            ("a broken chunk", Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n{}".utf8)),
            ("a head without end", [UInt8](repeating: 0x41, count: 1 << 20)),
            ("a redirect", Array("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n".utf8)),
            ("bytes that are no text", Self.http("x") + [0xFF, 0x00, 0xFE]),
        ] as [(String, [UInt8])])
    func badAnswers(name: String, bytes: [UInt8]) async throws {
        let server = try RawServer(.answers(bytes))
        defer { server.close() }
        let run = try await self.play(Self.visitor, port: server.port, scheme: "http")
        #expect(run.status == .failed || run.status == .harness, "\(run.output)")
        #expect(run.output.contains("pending"), "\(run.output)")
        _ = try XMLFile(try run.reports.data("junit.xml"))
        _ = try run.record
    }

    @Test("a server that never answers is a time-out that says what was pending", arguments: ["ws", "http"])
    func silent(scheme: String) async throws {
        let server = try RawServer(.isSilent)
        defer { server.close() }
        let run = try await self.play(
            scheme == "ws" ? Self.socket("client:expect \"connected\"") : Self.visitor, port: server.port,
            scheme: scheme)
        #expect(run.status == .failed, "\(run.output)")
        #expect(run.output.contains("within 1.5s"), "\(run.output)")
        #expect(run.output.contains("limit"))
    }

    @Test(
        "frames that break the protocol end the connection with a reason",
        arguments: [
            ("reserved bits", [0xFF, 0x00]), ("a masked frame", [0x81, 0x81, 1, 2, 3, 4, 5]),
            ("a text that is not UTF-8", [0x81, 0x02, 0xC3, 0x28]), ("a long ping", [0x89, 0x7E, 0x01, 0x00]),
            ("a lone continuation", [0x80, 0x01, 0x41]), ("a close code of 999", [0x88, 0x02, 0x03, 0xE7]),
            ("an oversized frame", [0x82, 0x7F, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
            ("an oversized frame of a size that is legal", [0x82, 0x7F, 0, 0, 0, 0, 0x40, 0, 0, 0]),
            ("a length with the highest bit", [0x82, 0x7F, 0xFF, 0, 0, 0, 0, 0, 0, 0]),
        ] as [(String, [UInt8])])
    func badFrames(name: String, bytes: [UInt8]) async throws {
        let server = try RawServer(.acceptsWebSocket(bytes))
        defer { server.close() }
        let run = try await self.play(
            Self.socket(
                "client:expect \"connected\"\nlocal gone = client:expect(\"disconnected\", { clean = false })\n"
                    + "print(\"reason: \" .. gone.reason)\nexpect(#gone.reason > 5, true)"),
            port: server.port, scheme: "ws")
        #expect(run.status == .success, "\(name): \(run.output)")
    }

    @Test("malformed JSON in a frame is text and nothing else")
    func malformedJSON() async throws {
        let server = try RawServer(.acceptsWebSocket([0x81, 0x04] + Array("{\"a\"".utf8)))
        defer { server.close() }
        let run = try await self.play(
            Self.socket(
                "client:expect \"connected\"\nclient:expect(\"frame\", { text = '{\"a\"', json = match.absent })"),
            port: server.port, scheme: "ws")
        #expect(run.status == .success, "\(run.output)")
    }

    @Test("a handshake with the wrong answer is refused")
    func wrongAccept() async throws {
        let server = try RawServer(
            .answersAndStays(
                Array(
                    ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n\r\n").utf8)))
        defer { server.close() }
        let run = try await self.play(
            Self.socket("print(json.encode(client:expect(\"error\").message))"), port: server.port, scheme: "ws")
        #expect(run.status == .success, "\(run.output)")
    }
}
