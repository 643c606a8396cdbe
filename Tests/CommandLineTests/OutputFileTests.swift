import CommandLine
import Foundation
import Testing

@Suite("Files that commands write take the place of nothing that people wrote")
struct OutputFileTests {
    private static let script = """
        workload { executor = "per_vu_iterations", users = 1, iterations = 1, max_duration = "1m" }
        scenario("plays", { rows = "rows.csv" }, function(t) expect(t.row.n, "1") end)

        """
    private static let rows = "n\n1\n"

    private func project() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(Self.script, to: "Scenarios/a.lua")
        try folder.write(Self.rows, to: "Scenarios/rows.csv")
        try folder.write("return {}\n", to: "repartee.lua")
        return folder
    }

    @Test(
        "a script, settings or rows as the file to write",
        arguments: [
            ["test", "--junit", "Scenarios/a.lua"], ["test", "--ctrf", "Scenarios/a.lua"],
            ["test", "--tap", "repartee.lua"], ["test", "--junit", "Scenarios/a.lua,profile=ant"],
            ["test", "--tap", "Scenarios/rows.csv"], ["test", "--junit", "Scenarios/../Scenarios/rows.csv"],
            ["load", "Scenarios/a.lua", "--clock", "virtual", "--csv", "Scenarios/a.lua"],
            ["load", "Scenarios/a.lua", "--clock", "virtual", "--jsonl", "repartee.lua"],
            ["load", "Scenarios/a.lua", "--clock", "virtual", "--csv", "Scenarios/rows.csv"],
            ["types", "--reference", "Scenarios/a.lua"], ["test", "--record", "--cassette", "Scenarios/a.lua"],
        ])
    func lost(arguments: [String]) async throws {
        let folder = try self.project()
        let run = try await ToolRun(arguments, in: folder.path)
        #expect(run.status == .usage, "\(run.output)\(run.error)")
        #expect(run.error.contains("would be lost"), "\(run.error)")
        #expect(!run.output.contains("plays"), "nothing is played: \(run.output)")
        #expect(try folder.text("Scenarios/a.lua") == Self.script)
        #expect(try folder.text("Scenarios/rows.csv") == Self.rows)
        #expect(try folder.text("repartee.lua") == "return {}\n")
    }

    @Test("a script as a report that is made later", arguments: ["--html", "--junit", "--ctrf", "--tap", "--record"])
    func later(option: String) async throws {
        let folder = try self.project()
        #expect(try await ToolRun(["test", "--reports", "Reports"], in: folder.path).status == .success)
        let run = try await ToolRun(["report", "Reports/run.jsonl", option, "Scenarios/a.lua"], in: folder.path)
        #expect(run.status == .usage)
        #expect(run.error.contains("\(option) Scenarios/a.lua: a script would be lost"), "\(run.error)")
        #expect(try folder.text("Scenarios/a.lua") == Self.script)
    }

    @Test(
        "two reports in one file",
        arguments: [
            (["test", "--junit", "Reports/report.html"], "the command itself"),
            (["test", "--tap", "Reports/../Reports/run.jsonl"], "the command itself"),
            (["test", "--ctrf", "Reports/junit.xml"], "the command itself"),
            (["test", "--junit", "a.xml", "--junit", "./a.xml,profile=ant"], "--junit"),
            (["test", "--ctrf", "link/c.json", "--tap", "Scenarios/c.json"], "--ctrf"),
            (["load", "Scenarios/a.lua", "--clock", "virtual", "--jsonl", "Reports/load.json"], "the command itself"),
        ])
    func doubled(arguments: [String], owner: String) async throws {
        let folder = try self.project()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link", withDestinationPath: folder.path + "/Scenarios")
        let run = try await ToolRun(arguments + ["--reports", "Reports"], in: folder.path)
        #expect(run.status == .usage, "\(run.output)\(run.error)")
        #expect(run.error.contains(": \(owner) writes that file, too"), "\(run.error)")
        #expect(!run.output.contains("plays"), "\(run.output)")
    }

    @Test("two reports in one file that are made later, and one that takes the usual place of another")
    func doubledLater() async throws {
        let folder = try self.project()
        let played = try await ToolRun(
            ["test", "--junit", "j.xml", "--ctrf", "Reports/junit.xml", "--reports", "Reports"], in: folder.path)
        #expect(played.status == .success, "\(played.error)")
        let run = try await ToolRun(
            ["report", "Reports/run.jsonl", "--html", "made", "--junit", "made"], in: folder.path)
        #expect(run.status == .usage)
        #expect(run.error.contains("writes that file, too"), "\(run.error)")
        #expect(!folder.has("made"))
    }

    @Test("annotations replace annotations, and no script that has the name of a system")
    func annotations() async throws {
        let folder = try self.project()
        #expect(try await ToolRun(["types", "--folder", "types"], in: folder.path).status == .success)
        #expect(try await ToolRun(["types", "--folder", "types"], in: folder.path).status == .success)
        try folder.write(Self.script, to: "types/boldchat.lua")
        let run = try await ToolRun(["types", "--folder", "types"], in: folder.path)
        #expect(run.status == .usage)
        #expect(run.error.contains("types/boldchat.lua holds no annotations and would be lost"), "\(run.error)")
        #expect(try folder.text("types/boldchat.lua") == Self.script)
    }

    @Test(
        "a file that cannot be written is told before anything is played, and no folder is made for one that can",
        arguments: [
            (["test", "--junit"], "blocked/j.xml"), (["test", "--ctrf"], "blocked/deep/er/c.json"),
            (["test", "--tap"], "Scenarios"),
            (["load", "Scenarios/a.lua", "--clock", "virtual", "--csv"], "blocked/c"),
        ])
    func unwritable(arguments: [String], name: String) async throws {
        let folder = try self.project()
        try folder.write("a file", to: "blocked")
        let run = try await ToolRun(arguments + [name], in: folder.path)
        #expect(run.status == .harness, "\(run.output)\(run.error)")
        #expect(run.error.contains("\(name) cannot be written"), "\(run.error)")
        #expect(run.error.contains("nothing was played"), "\(run.error)")
        #expect(!run.output.contains("plays"), "\(run.output)")
        try folder.write("return { unknown = 1 }", to: "repartee.lua")
        #expect(try await ToolRun(["test", "--junit", "new/j.xml"], in: folder.path).status == .script)
        #expect(!folder.has("new"))
    }
}
