import CommandLine
import Foundation
import Processes
import Synchronization
import Testing

@Suite("Standard output that does not take what is printed")
struct LostOutputTests {
    private static let script = "scenario(\"plays\", function() expect(1, 1) end)"

    @Test(
        "Test points whose reader has gone away are a report that is lost, and that is said", arguments: [true, false])
    func points(isWanted: Bool) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.script, to: "a.lua")
        let errors = Errors()
        var environment = CommandEnvironment(
            arguments: ["test", "a.lua"] + (isWanted ? ["--tap", "-"] : []), variables: [:],
            workingDirectory: folder.path, isTerminal: false, writeOutput: { _ in }, writeError: errors.append)
        environment.outputFailure = { .closed }
        let status = await CommandLineTool.run(in: environment)
        #expect(status == (isWanted ? .harness : .success), "\(errors.text)")
        #expect(errors.text.contains("error: --tap -: the report is not whole") == isWanted, "\(errors.text)")
    }

    @Test(
        "A program that is begun without it says that it is closed, and prints into nothing that it has opened",
        .enabled(if: Product.program != nil, "the program is not built beside the tests; swift build makes it"))
    func closed() throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.script, to: "a.lua")
        let process = try ChildProcess(
            ["/bin/sh", "-c", "exec \"$0\" test a.lua >&-", Product.program ?? ""], in: folder.path, errors: .merged)
        let line = process.output.line(containing: "standard output")
        #expect(line == "error: standard output cannot be written: it is closed; send it elsewhere")
    }

    /// Collects what is written to standard error.
    private final class Errors: Sendable {
        private let collected = Mutex("")

        var text: String { self.collected.withLock { $0 } }

        @Sendable func append(_ text: String) { self.collected.withLock { $0 += text } }
    }
}
