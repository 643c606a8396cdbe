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
        let output = Mutex("")
        let environment = CommandEnvironment(
            arguments: ["test", "--watch", "--reports", folder.path + "/r"], variables: [:],
            workingDirectory: folder.path, isTerminal: false,
            writeOutput: { text in output.withLock { $0 += text } },
            writeError: { text in output.withLock { $0 += text } })
        let watching = Task { await CommandLineTool.run(in: environment) }
        func said(_ text: String) async throws {
            while !output.withLock({ $0.contains(text) }) { try await Task.sleep(for: .milliseconds(10)) }
            while !output.withLock({ $0.hasSuffix("Ctrl-C ends\n") }) { try await Task.sleep(for: .milliseconds(10)) }
        }
        try await said("2 scenarios: 2 passed")
        output.withLock { $0 = "" }
        try folder.write("scenario(\"one\", function() expect(1, 2) end)  -- longer", to: "Scenarios/a.lua")
        try await said("1 scenario: 1 failed")
        #expect(output.withLock { $0.contains("changed: Scenarios/a.lua") })
        output.withLock { $0 = "" }
        try folder.write("scenario(", to: "Scenarios/a.lua")
        try await said("cannot be loaded")
        output.withLock { $0 = "" }
        try folder.write("scenario(\"three\", function() end)", to: "Scenarios/a.lua")
        try await said("three")
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
        let output = Mutex("")
        let environment = CommandEnvironment(
            arguments: ["test", "--watch", "--reports", folder.path + "/r"], variables: [:],
            workingDirectory: folder.path, isTerminal: false,
            writeOutput: { text in output.withLock { $0 += text } },
            writeError: { text in output.withLock { $0 += text } })
        let watching = Task { await CommandLineTool.run(in: environment) }
        func said(_ text: String) async throws {
            while !output.withLock({ $0.contains(text) && $0.hasSuffix("Ctrl-C ends\n") }) {
                try await Task.sleep(for: .milliseconds(10))
            }
            output.withLock { $0 = "" }
        }
        try await said("there is no module")
        try folder.write("return {", to: "lib/helper.lua")
        try await said("unexpected symbol")
        try folder.write("return { value = \"1\" }", to: "lib/helper.lua")
        try await said("1 scenario: 1 passed")
        try folder.write("another", to: "word.txt")
        try await said("1 scenario: 1 failed")
        try folder.write("1", to: "word.txt")
        try await said("1 scenario: 1 passed")
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
