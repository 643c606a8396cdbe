import CommandLine
import Foundation
import Synchronization
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite("Watching files", .waitsForProcesses, .timeLimit(.minutes(10)))
struct WatchTests {
    @Test(
        "A changed file plays what is made from it, a mistake is told and mended, until the task is canceled",
        .timeLimit(.minutes(10)))
    func watches() async throws {
        let folder = try TemporaryFolder()
        try folder.write("scenario(\"one\", function() end)", to: "Scenarios/a.lua")
        try folder.write("scenario(\"two\", function() end)", to: "Scenarios/b.lua")
        let output = WatchOutput()
        let watching = output.watch(folder)
        try await output.said("2 scenarios: 2 passed")
        try folder.write("scenario(\"one\", function() expect(1, 2) end)  -- longer", to: "Scenarios/a.lua")
        #expect(try await output.said("1 scenario: 1 failed").contains("changed: Scenarios/a.lua"))
        try folder.write("scenario(", to: "Scenarios/a.lua")
        try await output.said("cannot be loaded")
        try folder.write("scenario(\"three\", function() end)", to: "Scenarios/a.lua")
        try await output.said("three")
        watching.cancel()
        #expect(await watching.value == .success)
    }

    @Test(
        "A module that is missing, and one that was saved with a mistake, is watched on, and so is what is read",
        .timeLimit(.minutes(10)))
    func modules() async throws {
        let folder = try TemporaryFolder()
        try folder.write("return {}", to: "repartee.lua")
        try folder.write(
            """
            local helper = require "lib.helper"
            scenario("one", function() expect(read_text "word.txt", helper.value) end)
            """, to: "Scenarios/a.lua")
        try folder.write("1", to: "word.txt")
        let output = WatchOutput()
        let watching = output.watch(folder)
        try await output.said("there is no module")
        try folder.write("return {", to: "lib/helper.lua")
        try await output.said("unexpected symbol")
        try folder.write("return { value = \"1\" }", to: "lib/helper.lua")
        try await output.said("1 scenario: 1 passed")
        try folder.write("another", to: "word.txt")
        try await output.said("1 scenario: 1 failed")
        try folder.write("1", to: "word.txt")
        try await output.said("1 scenario: 1 passed")
        watching.cancel()
        #expect(await watching.value == .success)
    }

    @Test(
        "What was saved while scenarios played, after it was read, is played again", .timeLimit(.minutes(10)),
        arguments: ["word.txt", "lib/helper.lua", "repartee.lua"])
    func savedMeanwhile(name: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write("return { env = { \"A\" } }", to: "repartee.lua")
        try folder.write("return { value = \"1\" }", to: "lib/helper.lua")
        try folder.write("1", to: "word.txt")
        try folder.write(
            """
            local helper = require "lib.helper"
            scenario("reads", { clock = "real" }, function() expect(read_text "word.txt", helper.value) end)
            scenario("waits", { clock = "real" }, function()
                while not pcall(read_text, "go.txt") do wait "10ms" end
            end)
            """, to: "Scenarios/a.lua")
        let output = WatchOutput()
        let watching = output.watch(folder, ["--workers", "1"])
        try await output.printed("✓ reads")
        try folder.write(name == "word.txt" ? "1 and more" : "return {  }", to: name)
        try folder.write("", to: "go.txt")
        #expect(try await output.said("changed: ").contains(name))
        watching.cancel()
        _ = await watching.value
    }

    @Test("What the run has written itself plays nothing again", .timeLimit(.minutes(10)))
    func ownFiles() async throws {
        let folder = try TemporaryFolder()
        try folder.write("{\"format\":1,\"scenarios\":{}}", to: "r/history.json")
        try folder.write("", to: "Scenarios/transcripts/talk.txt")
        try folder.write(
            """
            local websocket = require "websocket"
            scenario("talks", function(t)
                t:server(websocket, { echo = true })
                local user = t:actor(websocket)
                read_text "r/history.json"
                user:connect()
                user:expect "connected"
                user:expect_transcript "talk"
            end)
            """, to: "Scenarios/a.lua")
        let output = WatchOutput()
        let watching = output.watch(folder, ["--update"])
        try await output.said("1 scenario: 1 passed")
        #expect(try folder.text("Scenarios/transcripts/talk.txt").contains("connect"))
        // Time enough to look at the files more than once.
        try await Task.sleep(for: .seconds(1))
        try folder.write("scenario(\"another\", function() end)", to: "Scenarios/a.lua")
        let second = try await output.said("another")
        #expect(second.contains("changed: Scenarios/a.lua\n"), "\(second)")
        watching.cancel()
        #expect(await watching.value == .success)
    }

    @Test(
        "A signal ends the watch after its first run and after another one", .enabled(if: Product.program != nil),
        .timeLimit(.minutes(10)), arguments: [SIGINT, SIGTERM], [false, true])
    func signals(number: Int32, changes: Bool) throws {
        let folder = try TemporaryFolder()
        try folder.write("scenario(\"one\", function() end)", to: "Scenarios/a.lua")
        let tool = try ToolProcess(["test", "--watch", "--reports", folder.path + "/r"], in: folder.path)
        #expect(tool.line(containing: "Ctrl-C ends") != nil)
        if changes {
            try folder.write("scenario(\"another\", function() end)", to: "Scenarios/a.lua")
            #expect(tool.line(containing: "Ctrl-C ends") != nil)
        }
        tool.send(number)
        #expect(tool.end().code == 0)
    }
}

/// What the tool says while it watches a folder.
private final class WatchOutput: Sendable {
    private let text = Mutex("")

    /// Begins to watch a folder.
    func watch(_ folder: TemporaryFolder, _ options: [String] = []) -> Task<ToolStatus, Never> {
        let write = { @Sendable (text: String) in self.text.withLock { $0 += text } }
        let environment = CommandEnvironment(
            arguments: ["test", "--watch", "--reports", folder.path + "/r"] + options, variables: [:],
            workingDirectory: folder.path, isTerminal: false, writeOutput: write, writeError: write)
        return Task { await CommandLineTool.run(in: environment) }
    }

    /// Waits until the tool has printed something.
    func printed(_ wanted: String) async throws {
        while !self.text.withLock({ $0.contains(wanted) }) { try await Task.sleep(for: .milliseconds(10)) }
    }

    /// Waits until the tool has said something and watches on.
    ///
    /// - Returns: All that it has said since it was asked before.
    @discardableResult
    func said(_ wanted: String) async throws -> String {
        while !self.text.withLock({ $0.contains(wanted) && $0.hasSuffix("Ctrl-C ends\n") }) {
            try await Task.sleep(for: .milliseconds(10))
        }
        return self.text.withLock { text in
            defer { text = "" }
            return text
        }
    }
}
