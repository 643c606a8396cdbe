import CommandLine
import Foundation
import Processes
import Testing

@Suite("What git says has changed", .waitsForProcesses)
struct ChangedFilesTests {
    private func git(_ arguments: [String], in folder: TemporaryFolder) throws {
        let identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
        let process = try ChildProcess(["git", "-C", folder.path] + identity + arguments)
        #expect(process.end() == 0, "git \(arguments)")
    }

    private func listed(_ options: [String], in folder: TemporaryFolder) async throws -> Set<String> {
        let run = try await ToolRun(["test", "--list"] + options, in: folder.path + "/e2e")
        return Set(run.output.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) })
    }

    @Test("The scenarios of changed files are played, and of files that require them; repartee.lua is for all")
    func changed() async throws {
        let folder = try TemporaryFolder()
        try folder.write("return 1", to: "e2e/Scenarios/lib/words.lua")
        try folder.write("require \"lib.words\"\nscenario(\"a\", function() end)", to: "e2e/Scenarios/a.lua")
        try folder.write("scenario(\"b\", function() end)", to: "e2e/Scenarios/b c ü.lua")
        try folder.write("return {}", to: "e2e/repartee.lua")
        try self.git(["init", "-q", "-b", "main"], in: folder)
        #expect(try await self.listed(["--only-changed"], in: folder) == ["a", "b"])
        try self.git(["add", "."], in: folder)
        #expect(try await self.listed(["--only-changed"], in: folder) == ["a", "b"])
        try self.git(["commit", "-q", "-m", "one"], in: folder)
        #expect(try await self.listed(["--only-changed"], in: folder) == [])
        try folder.write("return 2", to: "e2e/Scenarios/lib/words.lua")
        #expect(try await self.listed(["--only-changed"], in: folder) == ["a"])
        try self.git(["checkout", "-q", "-b", "work"], in: folder)
        try self.git(["commit", "-q", "-a", "-m", "two"], in: folder)
        #expect(try await self.listed(["--only-changed"], in: folder) == [])
        #expect(try await self.listed(["--changed-since", "main"], in: folder) == ["a"])
        try folder.write("scenario(\"b\", function() end) ", to: "e2e/Scenarios/b c ü.lua")
        #expect(try await self.listed(["--changed-since", "main"], in: folder) == ["a", "b"])
        #expect(try await self.listed(["--only-changed", "--filter", "a"], in: folder) == [])
        try folder.write("return { }", to: "e2e/repartee.lua")
        #expect(try await self.listed(["--only-changed", "--filter", "a"], in: folder) == ["a"])
        let unknown = try await ToolRun(["test", "--changed-since", "nobody"], in: folder.path + "/e2e")
        #expect(unknown.status == .usage)
        #expect(unknown.error.contains("git does not know \"nobody\""))
    }

    @Test("What scenarios read while they play counts, and what is not known of them is played")
    func readWhilePlaying() async throws {
        let folder = try TemporaryFolder()
        let options = ["--only-changed", "--reports", "Reports"]
        try folder.write("return {}", to: "e2e/repartee.lua")
        try folder.write("return { value = 1 }", to: "e2e/lib/late.lua")
        try folder.write("kind", to: "e2e/prompt.txt")
        try folder.write("Reports\n", to: ".gitignore")
        try folder.write(
            "before_each(function() read_text \"prompt.txt\" end)\nscenario(\"hook\", function() end)",
            to: "e2e/Scenarios/hook.lua")
        try folder.write(
            "scenario(\"late\", function() expect(require(\"lib.late\").value, 1) end)\n"
                + "scenario(\"other\", function() end)",
            to: "e2e/Scenarios/late.lua")
        try folder.write("scenario(\"plain\", function() end)", to: "e2e/Scenarios/plain.lua")
        try self.git(["init", "-q", "-b", "main"], in: folder)
        try self.git(["add", "."], in: folder)
        try self.git(["commit", "-q", "-m", "one"], in: folder)
        // Before any run nobody knows who reads it.
        try folder.write("rude", to: "e2e/prompt.txt")
        #expect(try await self.listed(options, in: folder) == ["hook", "late", "other"])
        let run = try await ToolRun(["test", "--reports", "Reports"], in: folder.path + "/e2e")
        #expect(run.status == .success, "\(run.output)\(run.error)")
        #expect(try await self.listed(options, in: folder) == ["hook"])
        try folder.write("return { value = 2 }", to: "e2e/lib/late.lua")
        #expect(try await self.listed(options, in: folder) == ["hook", "late"])
        // One that fails has read no less than before.
        let failing = try await ToolRun(["test"] + options, in: folder.path + "/e2e")
        #expect(failing.status == .failed, "\(failing.output)\(failing.error)")
        #expect(try await self.listed(options, in: folder) == ["hook", "late"])
    }

    @Test("What reads a file by the name that it had before it was renamed is played", arguments: [false, true])
    func renamed(isCommitted: Bool) async throws {
        let folder = try TemporaryFolder()
        try folder.write("return {}", to: "e2e/repartee.lua")
        try folder.write("how the bot is told to be kind", to: "e2e/prompt.txt")
        try folder.write("Reports\n", to: ".gitignore")
        try folder.write(
            "scenario(\"reads\", function() expect(read_text \"prompt.txt\", match.contains \"kind\") end)",
            to: "e2e/Scenarios/reads.lua")
        try folder.write("scenario(\"plain\", function() end)", to: "e2e/Scenarios/plain.lua")
        try self.git(["init", "-q", "-b", "main"], in: folder)
        try self.git(["add", "."], in: folder)
        try self.git(["commit", "-q", "-m", "one"], in: folder)
        let run = try await ToolRun(["test"], in: folder.path + "/e2e")
        #expect(run.status == .success, "\(run.output)\(run.error)")
        try self.git(["mv", "e2e/prompt.txt", "e2e/other.txt"], in: folder)
        if isCommitted { try self.git(["commit", "-q", "-m", "two"], in: folder) }
        let options = isCommitted ? ["--changed-since", "HEAD~1"] : ["--only-changed"]
        #expect(try await self.listed(options, in: folder) == ["reads"])
    }

    @Test("Outside of a repository it is wrong usage")
    func noRepository() async throws {
        let folder = try TemporaryFolder()
        try folder.write("scenario(\"a\", function() end)", to: "s.lua")
        let run = try await ToolRun(["test", "s.lua", "--only-changed"], in: folder.path)
        #expect(run.status == .usage)
        #expect(run.error.contains("is not in a git repository"))
    }
}
