import CommandLine
import Testing

@Suite("repartee doctor")
struct DoctorTests {
    @Test("where these tests run, all is well")
    func well() async throws {
        let folder = try TemporaryFolder()
        let run = try await ToolRun(["doctor"], in: folder.path)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        #expect(run.output.hasPrefix("ok      Lua: Lua 5.4\nok      loopback: can listen at http"), "\(run.output)")
    }

    @Test("what is wrong says what to do")
    func problems() async throws {
        let folder = try TemporaryFolder()
        try folder.write("return { targets = 7 }", to: "repartee.lua")
        try folder.write("a file", to: "Reports")
        let run = try await ToolRun(["doctor"], in: folder.path)
        #expect(run.status == .harness)
        #expect(run.output.contains("problem reports: Reports cannot be written; choose another with --reports"))
        #expect(run.output.contains("/Reports/.doctor cannot be created: Not a directory; "), "\(run.output)")
        #expect(run.output.contains("problem project: "), "\(run.output)")
    }

    @Test("a target is connected to as its clients would, and what answers is told, server by server")
    func target() async throws {
        let page = try RawServer(.answers(Array("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno".utf8)))
        let broken = try RawServer(.answers(Array("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n".utf8)))
        let socket = try RawServer(.acceptsWebSocket([]))
        let moved = try RawServer(
            .answers(
                Array("HTTP/1.1 302 Found\r\nLocation: https://elsewhere.test/\r\nContent-Length: 0\r\n\r\n".utf8)))
        defer { for server in [page, broken, socket, moved] { server.close() } }
        let folder = try TemporaryFolder()
        try folder.write(
            """
            return { targets = { shop = { url = "http://127.0.0.1:\(page.port)", endpoints = {
                chat = "ws://127.0.0.1:\(socket.port)/chat", admin = "http://127.0.0.1:\(broken.port)",
                raw = "tcp://127.0.0.1:\(page.port)", moved = "http://127.0.0.1:\(moved.port)",
                dead = "http://127.0.0.1:9", secure = "https://127.0.0.1:\(page.port)" } } } }
            """, to: "repartee.lua")
        let run = try await ToolRun(["doctor", "--target", "shop"], in: folder.path)
        #expect(run.status == .harness)
        for line in [
            "ok      target shop: http://127.0.0.1:\(page.port) answers 404",
            "ok      target shop raw: tcp://127.0.0.1:\(page.port) accepts a link over TCP",
            "ok      target shop moved: http://127.0.0.1:\(moved.port) answers 302",
            "ok      target shop chat: ws://127.0.0.1:\(socket.port)/chat accepts a WebSocket",
            "problem target shop admin: http://127.0.0.1:\(broken.port) answers 503",
            "problem target shop dead: http://127.0.0.1:9 nothing listens on 127.0.0.1:9",
            "problem target shop secure: ",
        ] { #expect(run.output.contains(line), "\(line)\n\(run.output)") }
        // Who could not connect is told what to do once.
        #expect(run.output.contains(#/answers 503.*; is the server started, and is the URL right\?\n/#))
        #expect(run.output.contains("127.0.0.1:9; is the server started, and is the port right?\n"), "\(run.output)")
        #expect(run.output.contains("ok      project: targets shop\n"), "\(run.output)")
        let untried = try await ToolRun(["doctor"], in: folder.path)
        #expect(untried.status == .success)
        let project = "ok      project: targets shop, not connected to; --target NAME tries one\n"
        #expect(untried.output.contains(project), "\(untried.output)")
        let misspelt = try await ToolRun(["doctor", "--target", "shpo"], in: folder.path)
        #expect(misspelt.status == .harness)
        #expect(misspelt.output.contains("did you mean \"shop\"?"), "\(misspelt.output)")
        let url = try await ToolRun(["doctor", "--target", "ws://127.0.0.1:\(socket.port)/"], in: folder.path)
        #expect(url.status == .success, "\(url.output)")
        // The URL, which is the name, is said once.
        #expect(
            url.output.contains("ok      target ws://127.0.0.1:\(socket.port)/: accepts a WebSocket\n"), "\(url.output)"
        )
    }

    @Test("a server whose certificate is not trusted says what to do, which is not to start it")
    func untrusted() async throws {
        let server = try SecureServer()
        let folder = try TemporaryFolder()
        let run = try await ToolRun(["doctor", "--target", server.origin], in: folder.path)
        #expect(run.status == .harness)
        #expect(
            run.output.contains("; in repartee.lua, ca = \"FILE\" of a target trusts an authority of its own, and"),
            "\(run.output)")
        withExtendedLifetime(server) {}
    }
}
