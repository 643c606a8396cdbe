import Foundation
import Processes
import Testing

@Suite("A process that a test starts", .waitsForProcesses)
struct ChildProcessTests {
    @Test("ends with the code or the signal that it ended with, and its streams are apart or one")
    func ending() throws {
        let program = ["sh", "-c", "pwd; echo \"$WORD\" >&2; cat; exit 7"]
        let folder = try TemporaryFolder()
        try folder.write("read", to: "input")
        let variables = ["WORD": "told"]
        let apart = try ChildProcess(program, in: "/", variables: variables, input: folder.path + "/input")
        #expect(apart.output.rest() == "/\nread")
        #expect(apart.errors?.rest() == "told\n")
        #expect(apart.end() == 7)
        let merged = try ChildProcess(program, in: "/", variables: variables, errors: .merged)
        #expect(merged.output.rest() == "/\ntold\n")
        #expect(merged.end() == 7 && !merged.isRunning)
        let endless = try ChildProcess(["sleep", "1000"])
        #expect(endless.isRunning)
        endless.send(SIGTERM)
        #expect(endless.end() == -SIGTERM)
        #expect(throws: POSIXError.self) { try ChildProcess(["no-such-program"]) }
    }

    @Test("has none of the files that the tests have open, however many")
    func descriptors() throws {
        let files = (0..<3_000).map { _ in open("/dev/null", O_RDONLY) }
        defer { for file in files { close(file) } }
        let process = try ChildProcess(["sh", "-c", "ls /proc/$$/fd"])
        // The shell keeps a copy of nothing here, so there are its three streams.
        #expect(process.output.rest() == "0\n1\n2\n")
        #expect(process.end() == 0)
    }

    @Test("does not outlive who holds it")
    func held() throws {
        var process: ChildProcess? = try ChildProcess(["sleep", "1000"])
        let identifier = try #require(process?.identifier)
        process = nil
        #expect(kill(identifier, 0) == -1 && errno == ESRCH)
    }
}
