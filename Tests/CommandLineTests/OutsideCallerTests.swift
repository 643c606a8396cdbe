import CommandLine
import Foundation
import RunRecord
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite("Callers of simulated servers from outside of the run", .waitsForProcesses)
struct OutsideCallerTests {
    /// Plays a scenario whose server is called from outside: at `/begin`, then with these bytes on a connection that is
    /// ended then, and at `/end`.
    ///
    /// - Parameters:
    ///   - times: On how many connections, one after the other, the bytes come.
    ///   - isLeftOpen: Whether those are not ended before the run is over.
    ///   - declarations: What follows the declaration of the system `S`.
    ///   - body: What the scenario does between `/begin` and `/end`, as `ada`, a party of its server `desk`.
    ///   - handshake: Whether a WebSocket is opened before the bytes.
    private static func play(
        _ bytes: [UInt8], times: Int = 1, isLeftOpen: Bool = false, after handshake: Bool = false,
        declarations: String = "", body: String = ""
    ) async throws -> ToolRun {
        try await Self.play(bytes, times: times, isLeftOpen: isLeftOpen, after: handshake) { port in
            """
            local S = system {
                name = "platform", events = {},
                parties = { user = { events = { called = { path = "string" }, ended = { reason = "string" } } } },
            }
            function S.server.request(desk, request)
                if request.path == "/v1/message" then return { status = 404, body = "no such path" } end
                for _, user in pairs(desk.parties) do user:emit("called", { path = request.path }) end
                return 204
            end
            function S.server.text() end
            \(declarations)
            scenario("is called", function(t)
                local desk = t:server(S, { callback = true, port = \(port) })
                local ada = desk:user "ada"
                ada:expect("called", { path = "/begin" }, { within = "20s" })
                \(body)
                ada:expect("called", { path = "/end" }, { within = "20s" })
            end)
            """
        }
    }

    /// Plays a script whose server is called in this way.
    ///
    /// - Parameters:
    ///   - command: What plays it, and with which options besides the clock and the seed.
    ///   - script: Returns the script, given the port at which the server is to be.
    private static func play(
        _ bytes: [UInt8], times: Int = 1, isLeftOpen: Bool = false, after handshake: Bool,
        by command: (name: String, options: [String]) = ("test", []), script: (Int) -> String
    ) async throws -> ToolRun {
        let free = try RawServer(.hangsUp)
        free.close()
        let (port, origin) = (free.port, "http://127.0.0.1:\(free.port)")
        let folder = try TemporaryFolder()
        try folder.write(script(port), to: "a.lua")
        Thread.detachNewThread {
            var open: [Int32] = []
            Self.call("/begin", at: origin)
            for _ in 0..<times {
                guard let descriptor = try? RawRequest.connect(to: origin) else { continue }
                if handshake { Self.exchange(Self.handshake, on: descriptor) }
                Self.send(bytes, on: descriptor)
                // Whatever the server says of it has come by then.
                Thread.sleep(forTimeInterval: 0.2)
                if isLeftOpen { open.append(descriptor) } else { close(descriptor) }
            }
            Self.call("/end", at: origin)
            for descriptor in open {
                // Nothing is answered; it returns when the server has hung up.
                Self.exchange([], on: descriptor)
                close(descriptor)
            }
        }
        return try await ToolRun(
            [command.name, "a.lua", "--clock", "real", "--seed", "1"] + command.options, in: folder.path)
    }

    private static let handshake = Array(
        ("GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n").utf8)

    /// Calls a path as soon as something listens.
    private static func call(_ path: String, at origin: String) {
        let limit = Date().addingTimeInterval(20)
        while Date() < limit {
            if let descriptor = try? RawRequest.connect(to: origin) {
                Self.exchange(Array("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n".utf8), on: descriptor)
                close(descriptor)
                return
            }
            Thread.sleep(forTimeInterval: 0.02)
        }
    }

    private static func send(_ bytes: [UInt8], on descriptor: Int32) {
        bytes.withUnsafeBytes { _ = Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Sends something and waits for the beginning of what is answered.
    private static func exchange(_ bytes: [UInt8], on descriptor: Int32) {
        Self.send(bytes, on: descriptor)
        var answer = [UInt8](repeating: 0, count: 4096)
        _ = recv(descriptor, &answer, answer.count, 0)
    }

    private static func post(_ rest: String) -> [UInt8] {
        Array("POST /api HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\(rest)".utf8)
    }

    @Test(
        "a request that is none fails the scenario",
        arguments: [
            (
                post("Content-Length: 500\r\n\r\n{}"),
                "ended the connection within a request: 2 bytes of the body of POST /api"
            ),
            (Array("NONSENSE\r\n\r\n".utf8), "sent what is no request of HTTP: the request line is not"),
            (post("Content-Length: -5\r\n\r\n{}"), "sent what is no request of HTTP: Content-Length is not a plain"),
            (
                post("Transfer-Encoding: chunked\r\n\r\nZZ\r\n{}"),
                "sent what is no request of HTTP, in the body of POST /api: the size of a chunk"
            ),
        ])
    func brokenRequests(bytes: [UInt8], message: String) async throws {
        let run = try await Self.play(bytes)
        #expect(run.status == .failed, "\(run.output)")
        #expect(run.output.contains("the simulated server of platform: 127.0.0.1 \(message)"), "\(run.output)")
    }

    @Test(
        "a frame that is none, half a message and an error code fail it, too",
        arguments: [
            ([0x81, 0x02] + Array("hi".utf8), "broke the protocol of WebSocket: "),
            ([0xF1, 0x80, 0, 0, 0, 0], "broke the protocol of WebSocket: "),
            ([0x81, 0x82, 0, 0, 0, 0, 0xFF, 0xFE], "broke the protocol of WebSocket: "),
            (
                [0x81, 0x85, 0, 0, 0, 0] + Array("hi".utf8),
                "ended the connection within a message: 2 bytes of a message"
            ),
            ([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xF3], "closed the WebSocket with the code 1011"),
        ] as [([UInt8], String)])
    func brokenFrames(bytes: [UInt8], message: String) async throws {
        let run = try await Self.play(bytes, after: true)
        #expect(run.status == .failed, "\(run.output)")
        #expect(run.output.contains("the simulated server of platform: 127.0.0.1 \(message)"), "\(run.output)")
    }

    @Test("a server that before_all has started for nobody else judges its callers, and tells what they sent")
    func sharedServer() async throws {
        let run = try await Self.play(Self.post("Content-Length: 500\r\n\r\n{}"), after: false) { port in
            """
            local S = system { name = "platform", events = {} }
            function S.server.request() return 204 end
            before_all(function(t) t:server(S, { callback = true, port = \(port) }) end)
            scenario("goes on", function(t) wait "2s" end)
            """
        }
        #expect(run.status == .failed, "\(run.output)")
        let message = "ended the connection within a request: 2 bytes of the body of POST /api"
        #expect(run.output.contains("the simulated server of platform: 127.0.0.1 \(message)"), "\(run.output)")
        #expect(run.output.contains("from outside") && run.output.contains("GET /begin"), "\(run.output)")
        #expect(run.output.contains("✓ goes on"), "\(run.output)")
    }

    /// Plays a load test of a server elsewhere, whose users share one beside it that is called from outside.
    ///
    /// - Parameter server: Which system that is of: `S`, which is in Lua, or one that comes with the program.
    private static func load(
        _ bytes: [UInt8], times: Int = 1, isLeftOpen: Bool = false, at server: String
    ) async throws -> ToolRun {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        let target = try RawServer(.collects(Array(answer.utf8)))
        defer { target.close() }
        let options = ["--target", "http://127.0.0.1:\(target.port)", "--no-preflight", "--no-calibrate"]
        // A server of `http` answers by itself what it was told to.
        let answers = server == "http" ? ", answers = { {} }" : ""
        // Without a server elsewhere users reach theirs in memory, where nobody else comes to.
        return try await Self.play(
            bytes, times: times, isLeftOpen: isLeftOpen, after: false, by: ("load", options)
        ) { port in
            """
            local http, websocket = require "http", require "websocket"
            local S = system { name = "platform", events = {} }
            function S.server.request() return 204 end
            workload { executor = "constant_vus", users = 3, duration = "3s" }
            scenario("goes on", function(t)
                t:server(\(server), { callback = true, shared = true, port = \(port)\(answers) })
                local client = t:actor(http)
                client:get "/"
                client:expect("response", { status = 200 })
                wait "1s"
            end)
            """
        }
    }

    @Test(
        "what callers break at a server that the users of a load test share fails the run once for each",
        arguments: ["S", "http", "websocket"])
    func sharedUnderLoad(server: String) async throws {
        let broken = try await Self.load(Self.post("Content-Length: 500\r\n\r\n{}"), times: 2, at: server)
        // A machine that was not fit has another exit code, with the same cause.
        #expect(broken.status != .success, "\(broken.output)\(broken.error)")
        let message = ": 127.0.0.1 ended the connection within a request: 2 bytes of the body of POST /api"
        #expect(broken.output.contains(message) && broken.output.contains("2 × protocol"), "\(broken.output)")
        let half = try await Self.load(
            Self.post("Content-Length: 500\r\n\r\n{}"), isLeftOpen: true, at: server)
        #expect(half.status != .success, "\(half.output)\(half.error)")
        #expect(half.output.contains("got a message that never became whole: "), "\(half.output)")
        let whole = try await Self.load(Self.post("Content-Length: 2\r\n\r\n{}"), at: server)
        #expect(!whole.output.contains("the simulated server of "), "\(whole.output)")
    }

    @Test(
        "half a message fails it though no connection ends, whatever the network of its clients is like",
        arguments: ["", "t:network { latency = \"1ms\" }"])
    func halfMessage(body: String) async throws {
        let half = Self.post("Content-Length: 500\r\n\r\n{}")
        let run = try await Self.play(half, isLeftOpen: true, body: body)
        #expect(run.status == .failed, "\(run.output)")
        #expect(run.output.contains("got a message that never became whole: "), "\(run.output)")
    }

    private static let tells = """
        function S.server.closed(desk, client, closure)
            for _, user in pairs(desk.parties) do user:emit("ended", { reason = closure.reason }) end
        end
        """

    @Test("what a handler hears and the scenario expects is no failure")
    func expected() async throws {
        let frame: [UInt8] = [0x81, 0x02] + Array("hi".utf8)
        let broken = try await Self.play(
            frame, after: true, declarations: Self.tells,
            body: #"ada:expect("ended", { reason = match.contains "broke the protocol" })"#)
        #expect(broken.status == .success, "\(broken.output)")
        let code = try await Self.play(
            [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xF3], after: true, declarations: Self.tells, body: #"ada:expect "ended""#)
        #expect(code.status == .success, "\(code.output)")
        let whole = try await Self.play(Self.post("Content-Length: 2\r\n\r\n{}"), body: #"ada:expect "called""#)
        #expect(whole.status == .success, "\(whole.output)")
    }

    @Test(
        "an end that the scenario allows is no failure, whoever plays a party; a broken request is",
        arguments: [
            ([0x81, 0x02] + Array("hi".utf8), true),
            ([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xF3], true),
            (post("Content-Length: 500\r\n\r\n{}"), false),
        ] as [([UInt8], Bool)])
    func allowed(bytes: [UInt8], isWebSocket: Bool) async throws {
        let run = try await Self.play(bytes, after: isWebSocket, body: #"t:allow "disconnected""#)
        #expect(run.status == (isWebSocket ? .success : .failed), "\(run.output)")
    }

    @Test("to allow the event that tells of the end to a party which comes with the program excuses it")
    func partyOfTheProgram() async throws {
        let bytes = [0x81, 0x02] + Array("hi".utf8)
        for allows in [true, false] {
            let run = try await Self.play(bytes, after: true) { port in
                """
                local websocket = require "websocket"
                scenario("is called", function(t)
                    local peer = t:server(websocket, { callback = true, port = \(port) }):peer "peer"
                    peer:expect("connected", {}, { within = "20s" })
                    \(allows ? #"t:allow("disconnected", { clean = false })"# : "")
                    wait "1s"
                end)
                """
            }
            #expect(run.status == (allows ? .success : .failed), "\(run.output)")
        }
    }

    @Test("a strict server asks for each request of theirs to be expected", arguments: [1, 2])
    func strictServer(times: Int) async throws {
        let run = try await Self.play(Self.post("Content-Length: 2\r\n\r\n{}"), times: times, after: false) { port in
            """
            local http = require "http"
            scenario("is called", function(t)
                local bot = t:server(http, {
                    strict = true, callback = true, port = \(port), answers = { { status = 204 } },
                }):peer "bot"
                bot:expect("request", { path = "/begin" }, { within = "20s" })
                bot:expect("request", { path = "/api" })
                bot:expect("request", { path = "/end" }, { within = "20s" })
            end)
            """
        }
        #expect(run.status == (times == 1 ? .success : .failed), "\(run.output)")
        #expect((times == 1) != run.output.contains("bot observed an event that nothing expected, first #3 request"))
    }

    @Test("a break that is expected hides no other one that reads alike")
    func expectedOnce() async throws {
        let frame: [UInt8] = [0x81, 0x02] + Array("hi".utf8)
        let once = """
            function S.server.closed(desk, client, closure)
                if desk.has_told then return end
                desk.has_told = true
                for _, user in pairs(desk.parties) do user:emit("ended", { reason = closure.reason }) end
            end
            """
        let expects = #"ada:expect("ended", { reason = match.contains "broke the protocol" })"#
        let run = try await Self.play(frame, times: 2, after: true, declarations: once, body: expects)
        #expect(run.status == .failed, "\(run.output)")
        #expect(run.output.contains("127.0.0.1 broke the protocol of WebSocket: "), "\(run.output)")
        let both = try await Self.play(
            frame, times: 2, after: true, declarations: Self.tells, body: expects + "\n" + expects)
        #expect(both.status == .success, "\(both.output)")
    }

    @Test("a text that is none of the declared messages fails it, and one that is does not")
    func messages() async throws {
        for (text, told) in [
            (#"{"type":"say","text":"hi"}"#, nil),
            (#"{"type":"say"}"#, #"message "say" needs the member text"#),
            ("[]", "the message is no object of JSON but []"),
        ] as [(String, String?)] {
            let frame = [0x81, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0] + Array(text.utf8)
            let run = try await Self.play(frame, after: true) { port in
                """
                local S = system {
                    name = "platform", events = {}, parties = { user = { events = { called = { path = "string" } } } },
                    json = { from_client = { say = { text = "string" } } },
                }
                function S.server.request(desk, request)
                    for _, user in pairs(desk.parties) do user:emit("called", { path = request.path }) end
                    return 204
                end
                function S.server.json.say() end
                scenario("is called", function(t)
                    local ada = t:server(S, { callback = true, port = \(port) }):user "ada"
                    t:allow "disconnected"
                    ada:expect("called", { path = "/begin" }, { within = "20s" })
                    ada:expect("called", { path = "/end" }, { within = "20s" })
                end)
                """
            }
            #expect(run.status == (told == nil ? .success : .failed), "\(run.output)")
            guard let told else { continue }
            #expect(
                run.output.contains("the simulated server of platform: client 1 broke the protocol: \(told)"),
                "\(run.output)")
        }
    }

    @Test("a client of the scenario may break the protocol, to see what the server does")
    func ownClient() async throws {
        let run = try await Self.play(
            Self.post("Content-Length: 2\r\n\r\n{}"),
            declarations: """
                local raw = system { name = "raw", events = {}, frames = "bytes", options = { url = "string" } }
                function raw.commands.send(me, text)
                    me.link = me:open { url = me.options.url }
                    me:wait "open"
                    me.link:send_bytes(text)
                    me:wait "answered"
                end
                function raw.on.bytes(me) me:wake "answered" end
                function raw.on.closed() end
                """,
            body: """
                local url = desk.url:gsub("^http", "tcp")
                t:actor(raw, { server = desk, url = url }):send "NONSENSE\\r\\n\\r\\n"
                ada:expect("called", { path = "/api" })
                """)
        #expect(run.status == .success, "\(run.output)")
    }

    @Test("a failure and the record tell what has come from outside and what it was answered with")
    func calls() async throws {
        let run = try await Self.play(
            Array("POST /v1/message HTTP/1.1\r\nHost: x\r\nContent-Length: 16\r\n\r\n{\"text\":\"Hello\"}".utf8),
            body: #"ada:expect("called", { path = "/v1/messages" }, { within = "1s" })"#)
        #expect(run.status == .failed, "\(run.output)")
        let line = #"platform  POST /v1/message  {"text":"Hello"}  answered 404: no such path"#
        #expect(run.output.contains("from outside") && run.output.contains(line), "\(run.output)")
        let frames = try run.record.compactMap { entry -> WireFrame? in
            if case .happened(_, _, .wire(let frame)) = entry { frame } else { nil }
        }
        #expect(frames.contains { $0.direction == .received && $0.summary == "POST /v1/message" })
        #expect(frames.contains { $0.direction == .sent && $0.summary == "HTTP 404" })
    }
}
