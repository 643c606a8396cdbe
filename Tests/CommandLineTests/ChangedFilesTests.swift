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

    @Test("Outside of a repository it is wrong usage")
    func noRepository() async throws {
        let folder = try TemporaryFolder()
        try folder.write("scenario(\"a\", function() end)", to: "s.lua")
        let run = try await ToolRun(["test", "s.lua", "--only-changed"], in: folder.path)
        #expect(run.status == .usage)
        #expect(run.error.contains("is not in a git repository"))
    }
}
