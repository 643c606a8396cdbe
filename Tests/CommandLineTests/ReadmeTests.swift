import CommandLine
import Foundation
import Testing

/// What the README promises, tried as it is printed.
@Suite("The README", .waitsForProcesses)
struct ReadmeTests {
    private static func text() throws -> String {
        try String(contentsOfFile: Product.root + "/README.md", encoding: .utf8)
    }

    /// The block of Lua that has a text.
    private static func block(with text: String) throws -> String {
        let blocks = try Self.text().components(separatedBy: "```lua\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        return try #require(blocks.first { $0.contains(text) })
    }

    /// The commands `repartee …` of its blocks, without comments.
    private static func commands() throws -> [[String]] {
        try Self.text().split(separator: "\n").filter { $0.hasPrefix("repartee ") }.map { line in
            // What stands in quotation marks is one argument.
            line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().flatMap { place, part in
                place.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
            }
        }
    }

    @Test("Its first conversation passes, and fails with what it says when the matcher is gone")
    func first() async throws {
        let folder = try TemporaryFolder()
        let script = try Self.block(with: "scenario(\"an agent answers\"")
        try folder.write(script, to: "Scenarios/first.lua")
        let passed = try await ToolRun(["test", "Scenarios/first.lua"], in: folder.path)
        #expect(passed.status == .success && passed.output.contains("1 scenario: 1 passed"), "\(passed.output)")
        try folder.write(
            script.replacing("match.contains \"morning\"", with: "\"Good morning!\""), to: "Scenarios/first.lua")
        let run = try await ToolRun(
            ["test", "Scenarios/first.lua", "--reports", folder.path + "/Reports"], in: folder.path)
        #expect(run.ended(.failed), "\(run.output)")
        for part in ["expected ", "nearest ", "pending ", "replay ", "repartee test Scenarios/first.lua --filter"] {
            #expect(run.output.contains(part), "\(part): \(run.output)")
        }
        for file in ["junit.xml", "report.html", "run.jsonl"] {
            #expect(FileManager.default.fileExists(atPath: "\(folder.path)/Reports/\(file)"), "\(file)")
        }
    }

    @Test(
        "The article on a first conversation has the same one without the matcher, and prints what the tool says of it")
    func article() async throws {
        let page = try String(
            contentsOfFile: Product.root + "/Sources/Repartee.docc/FirstConversation.md", encoding: .utf8)
        let parts = page.components(separatedBy: "```")
        try #require(parts.count == 5)
        let script = try Self.block(with: "scenario(\"an agent answers\"")
            .replacing("match.contains \"morning\"", with: "\"Good morning!\"")
        #expect(parts[1] == "lua\n" + script)
        let folder = try TemporaryFolder()
        try folder.write("return {}\n", to: "repartee.lua")
        try folder.write(script, to: "Scenarios/first.lua")
        let run = try await ToolRun(["test", "Scenarios/first.lua", "--seed", "42"], in: folder.path)
        // The last line says how long it took.
        let printed = [parts[3], run.output].map { text in
            text.split(separator: "\n").filter { !$0.contains("of virtual time)") }
        }
        #expect(printed[0] == printed[1], "\(run.output)")
    }

    @Test("Its client of one's own talks to a server that speaks so")
    func own() async throws {
        let folder = try TemporaryFolder()
        let server = """
            function S.server.connected(_, client) client:send_json { type = "ping" } end
            function S.server.json.pong(desk) desk.heard = true end
            function S.server.json.message(desk, client, message)
                if desk.heard then client:send_json { type = "message", from = "Sam", text = message.text .. "!" } end
            end

            return S
            """
        try folder.write(
            try Self.block(with: "-- support.lua").replacing("return S", with: server), to: "Scenarios/support.lua")
        try folder.write(
            """
            scenario("is answered", function(t)
                local support = require "support"
                t:server(support)
                local visitor = t:actor(support)
                visitor:connect()
                visitor:say "Hello"
                visitor:expect("message", { from = "Sam", text = "Hello!" })
            end)
            """, to: "Scenarios/chat.lua")
        let run = try await ToolRun(["test", "Scenarios/chat.lua"], in: folder.path)
        #expect(run.status == .success && run.output.contains("1 scenario: 1 passed"), "\(run.output)\(run.error)")
    }

    @Test("Its client of one's own blames the server for frames that make no sense")
    func strangeFrames() async throws {
        let client = try Self.block(with: "-- support.lua")
        let server = """
            function S.server.request() return { json = { token = "t" } } end
            function S.server.connected(_, client)
                for _, text in ipairs { "no JSON", "null", '{"type":"message"}' } do client:send(text) end
            end
            function S.server.json.message() end
            function S.server.json.pong() end

            return S
            """
        let folder = try TemporaryFolder()
        try folder.write(client.replacing("return S", with: server), to: "Scenarios/support.lua")
        try folder.write(
            """
            scenario("is told of mistakes", function(t)
                local visitor = t:actor(require "support")
                visitor:connect()
                for _ = 1, 3 do visitor:expect("error", { code = "protocol" }) end
            end)
            """, to: "Scenarios/chat.lua")
        let run = try await ToolRun(["test", "Scenarios/chat.lua"], in: folder.path)
        #expect(run.status == .success && run.output.contains("1 scenario: 1 passed"), "\(run.output)\(run.error)")
    }

    @Test(
        "Its load tests run, here and against what serve prints", .timeLimit(.minutes(3)),
        .enabled(if: Product.program != nil, "the program is not built beside the tests; swift build makes it"))
    func load() async throws {
        let commands = try Self.commands().filter { $0.dropFirst().first == "load" }
        #expect(commands.count == 2)
        let server = try ToolProcess(["serve", "--port", "0", "--system", "boldchat"], in: Product.root)
        defer { server.send(SIGKILL) }
        let url = try #require(
            server.line(containing: "play scenarios against it")?.split(separator: " ").last.map(String.init))
        for command in commands {
            let reports = try TemporaryFolder()
            var arguments = command.dropFirst().map { $0 == "URL" ? url : $0 }
            // Fewer users for a shorter time, and one trial, so that the tests go on.
            if arguments.contains("--find") { arguments += ["--find-from", "1", "--find-to", "1"] }
            for (option, value) in [("--users", "2"), ("--duration", "1s")] {
                if let place = arguments.firstIndex(of: option) {
                    arguments[place + 1] = value
                } else if option == "--duration" {
                    arguments += [option, value]
                }
            }
            let run = try await ToolRun(arguments + ["--reports", reports.path], in: Product.root)
            if arguments.contains("--find") {
                #expect(run.output.contains("trial 1"), "\(run.output)\(run.error)")
                // On a busy machine one user may already be too many, by the server's fault or the generator's.
                let ends: [ToolStatus: String] = [
                    .success: "capacity    at least 1 user", .failed: "capacity    none: already 1 user broke",
                    .harness: "this generator is at its limit",
                ]
                let wanted = try #require(ends[run.status], "\(run.status): \(run.output)\(run.error)")
                #expect(run.output.contains(wanted), "\(run.status): \(run.output)\(run.error)")
            } else {
                #expect(run.ended(.success), "\(run.status): \(run.output)\(run.error)")
                #expect(run.output.contains("count(lost) == 0: passed"), "\(run.output)\(run.error)")
                for file in ["load.html", "load.json", "load-junit.xml"] {
                    #expect(FileManager.default.fileExists(atPath: "\(reports.path)/\(file)"), "\(file)")
                }
            }
        }
    }
}
