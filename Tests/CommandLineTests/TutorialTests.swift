import CommandLine
import Foundation
import Testing

/// The tutorial "Your own chat in one page", played as it is printed.
@Suite("The tutorial of a chat of one's own")
struct TutorialTests {
    /// The files that the page prints, by name; what it prints of one file in several blocks is one text.
    private static func printed() throws -> [String: String] {
        let page = try String(contentsOfFile: Product.root + "/Scenarios/own/README.md", encoding: .utf8)
        var files: [String: [Substring]] = [:]
        var name: String?
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                name = name == nil ? line.split(separator: " ").last.map(String.init) : nil
                // Blocks of one file stand apart by an empty line.
                if let name, files[name] != nil { files[name]?.append("") }
            } else if let name {
                files[name, default: []].append(line)
            }
        }
        return files.mapValues { $0.joined(separator: "\n") + "\n" }
    }

    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("return {}\n", to: "repartee.lua")
        for (name, text) in try Self.printed() { try folder.write(text, to: "Scenarios/" + name) }
        return folder
    }

    /// Plays a visitor who waits in the queue of a server that goes wrong once it has let the visitor in.
    ///
    /// - Parameters:
    ///   - lines: What the server does then.
    ///   - more: What the scenario does behind the queue.
    private static func run(_ lines: String, then more: String = "") async throws -> ToolRun {
        let folder = try Self.folder()
        let source = """
            local support = require "support"
            local broken = system { name = "support", events = {} }
            function broken.server.request() return { json = { token = "t" } } end
            function broken.server.text() end
            function broken.server.connected(_, client)
                client:send_json { type = "hello", session = "s1" }
                \(lines)
            end
            scenario("a visitor waits", function(t)
                t:server(broken)
                local ada = t:actor(support)
                ada:connect()
                ada:expect "queue"
                \(more)
            end)
            """
        try folder.write(source, to: "Scenarios/broken.lua")
        return try await ToolRun(["test", "Scenarios/broken.lua"], in: folder.path)
    }

    @Test("It prints the chat that comes with the program, whose client has at most 60 lines")
    func sameFile() throws {
        let files = try Self.printed()
        #expect(files.keys.sorted() == ["conversations.lua", "load.lua", "support.lua"])
        let shipped = try String(
            contentsOfFile: Product.root + "/Sources/EmbeddedFiles/Systems/support.lua", encoding: .utf8)
        #expect(files["support.lua"] == shipped)
        let client = shipped.split(separator: "\n").prefix { !$0.hasPrefix("-- The simulated server") }
        let lines = client.count { !$0.hasPrefix("--") }
        #expect(lines <= 60 && lines > 30)
    }

    @Test("Its conversations pass as they are printed")
    func conversations() async throws {
        let folder = try Self.folder()
        let run = try await ToolRun(["test"], in: folder.path)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        #expect(run.output.contains("3 scenarios: 3 passed"), "\(run.output)")
    }

    @Test("The system that comes with the program plays them as well")
    func shipped() async throws {
        let folder = try Self.folder()
        try FileManager.default.removeItem(atPath: folder.path + "/Scenarios/support.lua")
        let run = try await ToolRun(["test"], in: folder.path)
        #expect(run.status == .success, "\(run.output)\(run.error)")
    }

    @Test(
        "A login whose answer has no token says so with the answer, and one that is refused is another thing",
        arguments: [
            ("{ body = '{\"tok' }", "visitor: no token in the answer, at once after connect: {\"tok\n"),
            ("{ status = 403, body = 'go away' }", "visitor: the login was refused, at once after connect: go away\n"),
        ])
    func login(_ answer: String, _ headline: String) async throws {
        let folder = try Self.folder()
        let source = """
            local support = require "support"
            function support.server.request() return \(answer) end
            scenario("cannot log in", function(t)
                t:server(support)
                local ada = t:actor(support)
                ada:connect()
                ada:expect "connected"
            end)
            """
        try folder.write(source, to: "Scenarios/login.lua")
        let run = try await ToolRun(["test", "Scenarios/login.lua"], in: folder.path)
        #expect(run.status == .failed && run.output.contains(headline), "\(run.output)\(run.error)")
    }

    @Test(
        "A server that crashes while the visitor waits fails a scenario, and one that ends in order does not",
        arguments: [
            ("1011, \"internal error\"", "error: the connection was closed: 1011 internal error" as String?),
            ("1000, \"bye\"", nil), ("1001, \"\"", nil),
        ])
    func crash(_ closure: String, _ told: String?) async throws {
        let run = try await Self.run(
            """
            client:send_json { type = "queue", position = 1 }
            wait "10ms"
            client:close(\(closure))
            """, then: "wait '4m'")
        #expect(run.status == (told == nil ? .success : .failed), "\(run.output)\(run.error)")
        if let told { #expect(run.output.contains(told), "\(run.output)") }
    }

    @Test(
        "What a frame that makes no sense is told as begins with no line of the client",
        arguments: [
            (
                #"{"type":"message","from":"bot","text":5,"id":"1"}"#,
                #"message "message": text is 5, not a string, at once"#
            ),
            (#"{"type":"message","from":"bot","id":"1"}"#, #"message "message" needs the member text, at once"#),
            (#"{"type":"message","from""#, "the text is no JSON: ':' is expected at byte 24"),
            (#"{"type":"mesage"}"#, #"there is no message "mesage" from the server; did you mean "message"?"#),
        ])
    func frame(_ frame: String, _ told: String) async throws {
        let run = try await Self.run("client:send '\(frame)'")
        #expect(run.status == .failed && run.output.contains("visitor: \(told)"), "\(run.output)\(run.error)")
    }

    @Test("Its load test has 500 users, a clean ledger and nobody who was lost for a ping")
    func load() async throws {
        let folder = try Self.folder()
        let run = try await ToolRun(
            ["load", "Scenarios/load.lua", "--clock", "virtual", "--seed", "1", "--reports", "reports"], in: folder.path
        )
        #expect(run.status == .success, "\(run.output)\(run.error)")
        #expect(run.output.contains("500 iterations"), "\(run.output)")
        #expect(run.output.contains("3,000"), "\(run.output)")
    }

    @Test("A user who misses a ping is noticed")
    func missedPing() async throws {
        let folder = try Self.folder()
        let support = try folder.text("Scenarios/support.lua")
        let broken = support.replacing(
            "function S.json.ping(_, _, link) link:send_json { type = \"pong\" } end",
            with: "function S.json.ping() end")
        #expect(broken != support)
        try folder.write(broken, to: "Scenarios/support.lua")
        let few = try folder.text("Scenarios/load.lua").replacing("users = 500", with: "users = 5")
        try folder.write(few, to: "Scenarios/load.lua")
        let run = try await ToolRun(
            ["load", "Scenarios/load.lua", "--clock", "virtual", "--seed", "1", "--reports", "reports"], in: folder.path
        )
        #expect(run.status == .failed, "\(run.output)\(run.error)")
        let test = try await ToolRun(["test"], in: folder.path)
        #expect(test.status == .failed && test.output.contains("3 scenarios: 1 passed, 2 failed"), "\(test.output)")
        // It ends where the connection does, and not when the visitor has read for four minutes.
        #expect(test.output.contains("failed after 5.05s"), "\(test.output)")
        #expect(test.output.contains("code=4008 reason=\"no pong\""), "\(test.output)")
        // Where nothing forbids it, the agent who answers is the one that notices.
        let unguarded = few.replacing("    visitor:never(\"disconnected\", { code = 4008 })\n", with: "")
        #expect(unguarded != few)
        try folder.write(unguarded, to: "Scenarios/load.lua")
        let answered = try await ToolRun(["test", "Scenarios/load.lua"], in: folder.path)
        #expect(answered.status == .failed, "\(answered.output)")
        #expect(answered.output.contains("Sam: the visitor has gone: code 4008"), "\(answered.output)")
    }
}
