import CommandLine
import Foundation
import JSON
import Processes
import Synchronization
import Testing

@Suite(
    "Processes that play faults and cannot be started", .waitsForProcesses,
    .enabled(if: Product.program != nil, "needs the program that the build makes"))
struct FaultProcessTests {
    private static let script = """
        local websocket = require "websocket"
        for _, name in ipairs { "first", "second", "third" } do
            scenario(name, function(t)
                t:server(websocket, { echo = true })
                local client = t:actor(websocket)
                client:connect()
                client:expect "connected"
            end)
        end
        """

    /// A program that plays one scenario, ends while it is to play the next, and can be started once.
    ///
    /// Another process writes it: a file that this one has open for writing cannot be started by others for a while.
    private func makeProgram(in folder: TemporaryFolder) throws -> String {
        let program = try #require(Product.program)
        let text = """
            #!/bin/sh
            rm "$0"
            read -r line
            printf '%s\\n' "$line" | '\(program)' "$@"
            read -r line
            exit 7

            """
        try folder.write(text, to: "once.txt")
        let copy = try ChildProcess(["/bin/sh", "-c", "cat once.txt > once && chmod +x once"], in: folder.path)
        #expect(copy.end() == 0)
        return folder.path + "/once"
    }

    private func run(_ folder: TemporaryFolder, program: String) async -> (status: ToolStatus, error: String) {
        let errors = Errors()
        var environment = CommandEnvironment(
            arguments: ["test", "--faults", "cut", "--workers", "1", "--reports", "r"],
            variables: ["PATH": "/usr/bin:/bin"],
            workingDirectory: folder.path, isTerminal: false, writeOutput: { _ in }, writeError: errors.append)
        environment.program = program
        let status = await CommandLineTool.run(in: environment)
        return (status, errors.text)
    }

    @Test("What was played before one could not be started is reported, as broken off, with the error")
    func later() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.script, to: "Scenarios/talk.lua")
        let (status, error) = await self.run(folder, program: try self.makeProgram(in: folder))
        #expect(status == .harness)
        #expect(error.contains("once cannot be started"), "\(error)")
        let matrix = try JSONReader.read(try folder.data("r/faults.json"))
        let scenarios = matrix["scenarios"]?.array ?? []
        #expect(scenarios.compactMap { $0["title"]?.string } == ["first"], "\(matrix)")
        #expect(scenarios.first?["plays"]?.array?.isEmpty == false)
        #expect(matrix["left_out"]?.array?.count == 1)
        #expect(matrix["left_out"]?[0]?.string?.contains("the process ended with exit code 7") == true, "\(matrix)")
        #expect(
            matrix["broken_off"]?.string
                == "no process could be started to play the rest: 2 of 3 scenarios came to the end")
        #expect(try folder.text("r/faults.html").contains("no process could be started to play the rest"))
    }

    @Test("Where none could be started there is nothing to report")
    func first() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.script, to: "Scenarios/talk.lua")
        let (status, error) = await self.run(folder, program: folder.path + "/none")
        #expect(status == .harness)
        #expect(error.contains("none cannot be started"), "\(error)")
        #expect(!folder.has("r/faults.json"))
    }

    /// Collects what is written to standard error.
    private final class Errors: Sendable {
        private let collected = Mutex("")

        var text: String { self.collected.withLock { $0 } }

        @Sendable func append(_ text: String) { self.collected.withLock { $0 += text } }
    }
}
