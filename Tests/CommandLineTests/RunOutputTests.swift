import CommandLine
import Foundation
import JSON
import Testing

@Suite("Reports that take the place of others, and those beside them")
struct RunOutputTests {
    @Test("--tap - takes the place of the console, and CTRF and GitHub are written beside it")
    func outputs() async throws {
        let folder = try DealtProject.folder()
        let run = try await ToolRun(["test", "--tap", "-", "--ctrf", "c/c.json"], in: folder.path)
        #expect(run.output.hasPrefix("TAP version 14\n"))
        #expect(run.output.hasSuffix("\n1..12\n"))
        let ctrf = try JSONReader.read(try folder.data("c/c.json"))
        #expect(ctrf["results"]?["summary"]?["tests"]?.integer == 12)
        let summary = folder.path + "/summary.md"
        let github = try await ToolRun(
            ["test", "--github", "--seed", "1"], in: folder.path, variables: ["GITHUB_STEP_SUMMARY": summary])
        #expect(try folder.text("summary.md").contains("### repartee"))
        #expect(github.output.contains("12 scenarios: "))
        let unwritable = try await ToolRun(["test", "--tap", "Scenarios/f0.lua/t.tap"], in: folder.path)
        #expect(unwritable.error.contains("t.tap"))
    }
}
