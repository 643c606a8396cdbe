import CommandLine
import Foundation
import Processes
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite("The plain HTTP actor against servers that we did not write, over real sockets", .waitsForProcesses)
struct HTTPActorTests {
    /// Plays a script against a port.
    private func play(_ body: String, port: Int, options: String = "url = \"/chat\"", arguments: [String] = [])
        async throws -> ToolRun
    {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            return {
                targets = { peer = { url = "http://127.0.0.1:\(port)/" } },
                limits = { expectation = "5s", scenario = "20s" },
            }
            """, to: "repartee.lua")
        try folder.write(
            """
            local http = require "http"
            scenario("asks", function(t)
                local visitor = t:actor(http, { \(options) })
                visitor:send { message = "hello" }
                \(body)
            end)

            """, to: "a.lua")
        return try await ToolRun(["test", "a.lua", "--target", "peer"] + arguments, in: folder.path)
    }

    private static func head(_ type: String, _ rest: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\(rest)\r\n\r\n"
    }

    private static func delta(_ text: String) -> String {
        "data: {\"choices\":[{\"delta\":{\"content\":\"\(text)\"}}]}\n\n"
    }

    /// A stream with all that event streams may have, ending in the text “grüß dich 👋”.
    private static let stream =
        "\u{FEFF}: hello\r\n\r\nretry: 10\n" + Self.delta("grüß").replacing("\n", with: "\r") + "id: 1\n"
        + Self.delta(" dich") + "event: other\r\n" + Self.delta(" 👋").replacing("\n", with: "\r\n")
        + "data: [DONE]\n\ndata: unfinished"

    private static func chunked(_ text: String, size: Int, extension parameters: String = "") -> [[UInt8]] {
        var rest = Array(text.utf8)[...]
        var chunks: [[UInt8]] = []
        while !rest.isEmpty {
            let part = rest.prefix(size)
            let line = "0\(String(part.count, radix: 16, uppercase: true))\(parameters)\r\n"
            chunks.append(Array(line.utf8) + part + Array("\r\n".utf8))
            rest = rest.dropFirst(size)
        }
        return chunks
    }

    @Test(
        "A stream is read whatever its framing and its pieces are",
        arguments: [
            ("chunks of one byte", Self.head("text/event-stream", "Transfer-Encoding: chunked"), 1, ""),
            (
                "chunks of seven bytes with extensions",
                Self.head("Text/Event-Stream;charset=utf-8", "transfer-encoding: Chunked"), 7, ";a=\"b\""
            ),
            ("one chunk", Self.head("text/event-stream", "Transfer-Encoding: chunked"), 10_000, ""),
            ("a body until the end of the connection", Self.head("text/event-stream", "Connection: close"), 0, ""),
            ("a body of HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", 0, ""),
            (
                "a body of known length", Self.head("text/event-stream", "Content-Length: \(Self.stream.utf8.count)"),
                0, ""
            ),
        ])
    func framing(name: String, head: String, size: Int, parameters: String) async throws {
        var bytes = Array(head.utf8)
        if size > 0 {
            bytes += Self.chunked(Self.stream, size: size, extension: parameters).joined()
            bytes += Array("0\r\nX-Trailer: a\r\n\r\n".utf8)
        } else {
            bytes += Array(Self.stream.utf8)
        }
        // The bytes arrive in eight writes, wherever that cuts them.
        let length = bytes.count / 7
        let pieces = stride(from: 0, to: bytes.count, by: length).map {
            Array(bytes[$0..<min($0 + length, bytes.count)])
        }
        let server = try RawServer(.answersInPieces(pieces))
        defer { server.close() }
        let run = try await self.play("visitor:expect(\"message\", { text = \"grüß dich 👋\" })", port: server.port)
        #expect(run.status == .success, "\(name): \(run.output)")
    }

    @Test(
        "What is no answer is an error with a code, and nothing traps",
        arguments: [
            ("not HTTP", "220 smtp.example.com ready\r\n\r\n", "malformed"),
            ("nothing", "", "connection_lost"), ("half a head", "HTTP/1.1 200 OK\r\nContent-", "connection_lost"),
            ("a body cut short", Self.head("application/json", "Content-Length: 500") + "{}", "connection_lost"),
            ("a broken chunk", Self.head("text/event-stream", "Transfer-Encoding: chunked") + "ZZ\r\n{}", "malformed"),
            (
                "a stream without its last chunk",
                Self.head("text/event-stream", "Transfer-Encoding: chunked") + "5\r\ndata:\r\n", "connection_lost"
            ),
            (
                "a stream without its mark", Self.head("text/event-stream", "Connection: close") + Self.delta("a"),
                "incomplete"
            ),
            (
                "a stream that tells of its failure",
                Self.head("text/event-stream", "Connection: close") + Self.delta("a")
                    + "data: {\"error\":{\"message\":\"overloaded\"}}\n\n", "stream_error"
            ),
            ("broken JSON", Self.head("application/json", "Content-Length: 5") + "{\"a\":", "invalid_json"),
            (
                "deep JSON",
                Self.head("application/json", "Content-Length: 1500") + String(repeating: "[", count: 1500),
                "invalid_json"
            ),
            ("a lying length", Self.head("application/json", "Content-Length: 99999999999999999999"), "malformed"),
            (
                "a body that is too long",
                Self.head("text/plain", "Content-Length: 5000") + String(repeating: "a", count: 5000), "too_large"
            ),
            (
                "a line without end",
                Self.head("application/x-ndjson", "Connection: close") + String(repeating: "a", count: 5000),
                "too_large"
            ),
        ])
    func badAnswers(name: String, bytes: String, code: String) async throws {
        let server = try RawServer(.answers(Array(bytes.utf8)))
        defer { server.close() }
        let run = try await self.play(
            "local problem = visitor:expect(\"error\", { code = \"\(code)\" })\nexpect(#problem.message > 10, true)",
            port: server.port, options: "url = \"/chat\", body_limit = 2000")
        #expect(run.status == .success, "\(name): \(run.output)")
    }

    @Test("A target that nobody answers at ends with exit 4, and a script may expect it")
    func refused() async throws {
        let server = try RawServer(.hangsUp)
        server.close()
        let run = try await self.play("visitor:expect \"message\"", port: server.port)
        #expect(run.status == .harness, "\(run.output)")
        #expect(run.output.contains("nothing listens on 127.0.0.1:\(server.port)"), "\(run.output)")
        let expected = try await self.play(
            "visitor:expect(\"error\", { code = \"cannot_connect\" })", port: server.port, arguments: ["--no-preflight"]
        )
        #expect(expected.status == .success, "\(expected.output)")
    }

    @Test("A server that is silent is an error after the time limit")
    func silent() async throws {
        let server = try RawServer(.isSilent)
        defer { server.close() }
        let run = try await self.play(
            "visitor:expect(\"error\", { code = \"timed_out\" })", port: server.port,
            options: "url = \"/chat\", timeout = \"300ms\"")
        #expect(run.status == .success, "\(run.output)")
    }

    /// Python's own server: it echoes the message as a stream of chunks of odd sizes, some of them a byte long, and
    /// limits the first request of a kept connection.
    private static let program = """
        import http.server, json, sys, time
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            seen = 0
            def log_message(self, *args): pass
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                self.seen += 1
                if self.seen == 1:
                    self.send_response(429)
                    self.send_header("Retry-After", "0")
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                deltas = [{"choices": [{"delta": {"content": c}}]} for c in body["message"]]
                text = "".join("data: %s\\n\\n" % json.dumps(d) for d in deltas) + "data: [DONE]\\n\\n"
                data, size = text.encode(), 1
                while data:
                    part, data, size = data[:size], data[size:], size % 11 + 2
                    self.wfile.write(b"%x\\r\\n%s\\r\\n" % (len(part), part))
                    self.wfile.flush()
                    if size % 5 == 0: time.sleep(0.002)
                self.wfile.write(b"0\\r\\n\\r\\n")
        class Server(http.server.ThreadingHTTPServer):
            # The client ends its kept connection by a reset, which is nothing to tell.
            def handle_error(self, request, address):
                if not isinstance(sys.exc_info()[1], ConnectionError):
                    super().handle_error(request, address)
        server = Server(("127.0.0.1", 0), Handler)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """

    /// Whether there is a Python to be found.
    private static let hasPython = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/python3")
    }

    @Test(
        "Python's server limits, then streams in odd chunks",
        .enabled(if: Self.hasPython, "there is no python3 on the PATH"))
    func python() async throws {
        let process = try ChildProcess(["python3", "-u", "-c", Self.program])
        let line = try #require(process.output.line(), "python3 did not start")
        let port = try #require(
            Int(line.trimmingCharacters(in: .whitespacesAndNewlines)), "python3 did not start: \(line)")
        let run = try await self.play(
            """
            visitor:expect("rate_limited", { retry_after = 0 })
                visitor:send { message = "grüß dich 👋" }
                visitor:expect("stream_ended", { complete = true, pieces = 12 })
                visitor:expect("message", { text = "grüß dich 👋" })
            """, port: port)
        #expect(run.status == .success, "\(run.output)")
        withExtendedLifetime(process) {}
    }
}
