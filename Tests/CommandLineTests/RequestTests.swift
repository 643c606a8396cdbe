import CommandLine
import Foundation
import Synchronization
import Testing

/// Whoever sends requests, a plain client, a chat in Lua or a built-in client, sends them by the same means.
@Suite("Requests of every kind of client")
struct RequestTests {
    /// Clients of different kinds, each of which sends a request at once.
    private static let clients = [
        "plain": """
        local http = require "http"
        scenario("asks", function(t) t:actor(http):get "/hello"; wait "1s" end)
        """,
        "own": """
        local chat = require "chat"
        scenario("asks", function(t) t:actor(chat):hello(); wait "1s" end)
        """,
        "livelike": """
        local livelike = require "livelike"
        scenario("asks", function(t) t:actor(livelike, { roomID = "lobby" }):connect(); wait "1s" end)
        """,
        "boldchat": """
        local boldchat = require "boldchat"
        scenario("asks", function(t) t:actor(boldchat):create_chat { skip_pre_chat = true }; wait "1s" end)
        """,
    ]

    private static let chat = """
        local S = system { name = "chat", client = "visitor", events = { connected = {} } }
        function S.commands.hello(me) me:request { path = "/hello" } end
        return S
        """

    private static func answer(_ status: String, _ fields: [String] = [], _ body: String = "{}") -> [UInt8] {
        let head = (["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + fields).joined(separator: "\r\n")
        return Array((head + "\r\n\r\n" + body).utf8)
    }

    /// Plays a client at `http://chat.test`, which stands behind a proxy, and returns what the proxy was asked for.
    private static func play(
        _ script: String, target: String, reply: @escaping @Sendable (String) -> [UInt8]
    ) async throws -> (run: ToolRun, requests: [String]) {
        let proxy = try RawServer(.replies(reply))
        defer { proxy.close() }
        let folder = try TemporaryFolder()
        try folder.write(
            """
            return {
                targets = { test = {
                    url = "http://chat.test", proxy = "http://px:px-pass-word@127.0.0.1:\(proxy.port)", \(target)
                } },
                limits = { expectation = "3s", scenario = "10s" },
            }
            """, to: "repartee.lua")
        try folder.write(script, to: "a.lua")
        try folder.write(Self.chat, to: "chat.lua")
        let run = try await ToolRun(["test", "a.lua", "--target", "test", "--capture", "bytes"], in: folder.path)
        return (run, proxy.requests)
    }

    @Test(
        "go through the target's proxy, follow redirects, keep cookies and say who asks",
        arguments: clients.keys.sorted())
    func alike(client: String) async throws {
        let (run, requests) = try await Self.play(
            Self.clients[client] ?? "", target: "basic = { user = \"ada\", password = \"open sesame\" }"
        ) { request in
            request.contains(" http://chat.test/moved")
                ? Self.answer("404 Not Found")
                : Self.answer("307 Moved", ["Location: /moved", "Set-Cookie: sid=cookie-of-\(request.count); Path=/"])
        }
        try #require(requests.count >= 2, "\(run.output)\(run.error)")
        #expect(requests[0].contains(" http://chat.test/"), "\(requests[0])")
        for request in requests.prefix(2) {
            let proxyCredentials = Data("px:px-pass-word".utf8).base64EncodedString()
            #expect(request.contains("Proxy-Authorization: Basic \(proxyCredentials)\r\n"), "\(request)")
            // BoldChat's clients say themselves who they are.
            let credentials = Data("ada:open sesame".utf8).base64EncodedString()
            let isTold = request.contains("\r\nAuthorization: Basic \(credentials)\r\n")
            #expect(isTold == (client != "boldchat"), "\(request)")
            #expect(request.contains("\r\nHost: chat.test\r\n"), "\(request)")
        }
        #expect(!requests[0].lowercased().contains("\r\ncookie:"))
        #expect(requests[1].contains(" http://chat.test/moved HTTP/1.1\r\n"))
        #expect(requests[1].contains("sid=cookie-of-\(requests[0].count)"))
        try Self.expectNothing(of: ["px-pass-word", "open sesame"], in: run)
    }

    @Test("ask for a token first, and again when it is refused", arguments: ["livelike", "own", "plain"])
    func tokens(client: String) async throws {
        let count = Mutex(0)
        let (run, requests) = try await Self.play(
            Self.clients[client] ?? "",
            target: """
                oauth = { token_url = "/token", client_id = "shop", client_secret = "shop-secret-99", username = "ada",
                    password = "open sesame" }
                """
        ) { request in
            guard request.hasPrefix("POST http://chat.test/token ") else {
                let isRefused = request.contains("access-token-number-1")
                return Self.answer(isRefused ? "401 Unauthorized" : "404 Not Found")
            }
            let number = count.withLock { count in
                count += 1
                return count
            }
            return Self.answer(
                "200 OK", ["Content-Type: application/json"],
                #"{"access_token":"access-token-number-\#(number)","token_type":"Bearer","#
                    + #""refresh_token":"refresh-token-number-\#(number)"}"#)
        }
        try #require(requests.count >= 4, "\(requests) \(run.output)\(run.error)")
        #expect(requests[0].contains("grant_type=password&username=ada&password=open%20sesame"), "\(requests[0])")
        #expect(requests[1].contains("Authorization: Bearer access-token-number-1\r\n"), "\(requests[1])")
        #expect(
            requests[2].contains("grant_type=refresh_token&refresh_token=refresh-token-number-1"), "\(requests[2])")
        #expect(requests[3].contains("Authorization: Bearer access-token-number-2\r\n"), "\(requests[3])")
        try Self.expectNothing(
            of: ["access-token-number", "refresh-token-number", "shop-secret-99", "open sesame", "px-pass-word"],
            in: run)
    }

    /// Looks for secrets in all that a run has written, as they are and in base64.
    private static func expectNothing(of secrets: [String], in run: ToolRun) throws {
        var texts = ["output": run.output, "error": run.error]
        for name in try FileManager.default.contentsOfDirectory(atPath: run.reports.path) {
            texts[name] = (try? String(contentsOfFile: run.reports.path + "/" + name, encoding: .utf8)) ?? ""
        }
        #expect(texts.count > 3)
        for (name, text) in texts {
            for secret in secrets { #expect(!text.contains(secret), "\(name) has \(secret)") }
            let credentials = Data("px:px-pass-word".utf8).base64EncodedString()
            #expect(!text.contains(credentials), "\(name) has the proxy's credentials")
        }
    }

    // MARK: Proxies that misbehave

    private static let asks = """
        local http = require "http"
        scenario("asks", function(t)
            local visitor = t:actor(http)
            visitor:get "/"
            visitor:expect("error", { code = "CODE", message = match.contains "TEXT" })
        end)
        """

    private func play(_ proxy: RawServer, url: String, code: String, text: String) async throws -> ToolRun {
        defer { proxy.close() }
        let folder = try TemporaryFolder()
        try folder.write(
            """
            return {
                targets = { test = { url = "\(url)", proxy = "127.0.0.1:\(proxy.port)" } },
                limits = { expectation = "5s", scenario = "10s" },
            }
            """, to: "repartee.lua")
        try folder.write(
            Self.asks.replacingOccurrences(of: "CODE", with: code).replacingOccurrences(of: "TEXT", with: text),
            to: "a.lua")
        return try await ToolRun(["test", "a.lua", "--target", "test"], in: folder.path)
    }

    @Test(
        "a proxy that refuses, hangs up, talks nonsense or on and on is told apart, for a tunnel",
        arguments: [
            ("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", "403"),
            ("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", "give it a user and a password"),
            ("SSH-2.0-OpenSSH_9.2\r\n\r\n", "no answer of HTTP"), ("\0\0\0\0\r\n\r\n", "no answer of HTTP"),
            ("HTTP/1.1 200 OK\r\nA: \(String(repeating: "x", count: 100_000))", "no answer of HTTP"),
            ("HTTP/1.1 20", "ended the connection"), ("", "ended the connection"),
        ])
    func tunnels(answer: String, text: String) async throws {
        let run = try await self.play(
            try RawServer(.answers(Array(answer.utf8))), url: "https://chat.test", code: "cannot_connect", text: text)
        #expect(run.status == .success, "\(run.output)\(run.error)")
    }

    @Test("an answer that comes byte by byte opens the tunnel, and what is no TLS behind it is said to be so")
    func drip() async throws {
        let answer = Array("HTTP/1.1 200 Connection established\r\n\r\nno TLS at all, but a text".utf8)
        let run = try await self.play(
            try RawServer(.answersInPieces(answer.map { [$0] })), url: "https://chat.test", code: "tls_failed",
            text: "does not answer in TLS")
        #expect(run.status == .success, "\(run.output)\(run.error)")
    }

    @Test("a proxy that nobody can reach, or that does not answer, is no fault of the server")
    func unreachable() async throws {
        let dead = try RawServer(.hangsUp)
        dead.close()
        let run = try await self.play(
            dead, url: "https://chat.test", code: "cannot_connect", text: "the proxy cannot be reached")
        #expect(run.status == .success, "\(run.output)\(run.error)")
    }

    @Test(
        "a target that cannot be reached so is refused with its name",
        arguments: [
            ("proxy = \"ftp://x\"", "proxy is the URL of an HTTP proxy"), ("key = \"a.pem\"", "go together"),
            ("token = \"$NOT_SET_ANYWHERE\"", "the environment has no variable NOT_SET_ANYWHERE"),
            ("token = \"abc\", basic = { user = \"a\", password = \"b\" }", "exclude each other"),
            ("basic = { user = \"a:b\", password = \"c\" }", "a user has no colon"),
            ("basic = { user = \"a:\u{301}b\", password = \"c\" }", "a user has no colon"),
            ("basic = { user = \"a\" }", "password"), ("basic = { usr = \"a\" }", "did you mean \"user\""),
            ("oauth = { token_url = \"https://elsewhere.test/\", client_id = \"a\" }", "elsewhere.test"),
            ("oauth = { token_url = \"/t\", client_id = \"a\", username = \"u\" }", "needs a password"),
        ])
    func mistakes(member: String, text: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "return { targets = { test = { url = \"http://chat.test\", \(member) } } }", to: "repartee.lua")
        try folder.write(Self.clients["plain"] ?? "", to: "a.lua")
        let run = try await ToolRun(["test", "a.lua", "--target", "test"], in: folder.path)
        #expect(run.status != .success && run.status != .failed, "\(run.output)")
        #expect((run.output + run.error).contains(text), "\(run.output)\(run.error)")
    }

    @Test("A target whose secret the environment does not have is in the way of nobody who plays without it")
    func missingSecret() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            return { targets = {
                shop = { url = "http://shop.test", token = "$NOT_SET_ANYWHERE" }, other = { url = "http://127.0.0.1:9" },
            } }
            """, to: "repartee.lua")
        try folder.write(
            """
            local http = require "http"
            scenario("simulated", function(t) t:server(http) expect(t.target, "embedded") end)
            scenario("beside", { clock = "real" }, function(t) t:actor(http, { target = "shop" }) end)
            scenario("there", { clock = "real", target = "shop" }, function(t) expect(t.target, "shop") end)
            """, to: "a.lua")
        let missing = "repartee.lua: targets.shop: token: the environment has no variable NOT_SET_ANYWHERE"
        let simulated = try await ToolRun(["test", "a.lua", "--filter", "simulated"], in: folder.path)
        #expect(simulated.status == .success, "\(simulated.output)\(simulated.error)")
        let beside = try await ToolRun(["test", "a.lua", "--filter", "beside", "--clock", "real"], in: folder.path)
        #expect(beside.status == .script && beside.output.contains("t:actor: \(missing)"), "\(beside.output)")
        let there = try await ToolRun(["test", "a.lua", "--filter", "there", "--clock", "real"], in: folder.path)
        #expect(there.status == .script && there.output.contains(missing), "\(there.output)\(there.error)")
        let chosen = try await ToolRun(["test", "a.lua", "--target", "shop"], in: folder.path)
        #expect(chosen.status == .script && chosen.error.contains(missing), "\(chosen.output)\(chosen.error)")
        let looked = try await ToolRun(["doctor"], in: folder.path)
        #expect(looked.status == .success, "\(looked.output)")
        let asked = try await ToolRun(["doctor", "--target", "shop"], in: folder.path)
        #expect(asked.status == .harness && asked.output.contains("problem target shop: \(missing)"), "\(asked.output)")
    }
}
