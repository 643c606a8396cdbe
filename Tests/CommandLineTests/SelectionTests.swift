import CommandLine
import Foundation
import RunRecord
import Testing

@Suite("Which scenarios are played, and which reports are written")
struct SelectionTests {
    private static let script = """
        scenario("greets", { tags = { "smoke", "fast" } }, function() end)
        scenario("fails", { tags = { "smoke" } }, function() expect(1, 2) end)
        group("desk", function() scenario("greets too", { tags = { "slow" } }, function() end) end)
        """

    private func project() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(Self.script, to: "Scenarios/talk.lua")
        return folder
    }

    @Test(
        "filters and tags choose",
        arguments: [
            (["--filter", "greets"], ["greets", "desk › greets too"]),
            (["--filter", "desk"], ["desk › greets too"]),
            (["--filter", "fails", "--filter", "desk"], ["fails", "desk › greets too"]),
            (["--tag", "smoke"], ["greets", "fails"]),
            (["--tag", "smoke", "--filter", "greets"], ["greets"]),
            (["--tag", "!smoke"], ["desk › greets too"]),
            (["--tag", "smoke", "--tag", "!fast"], ["fails"]),
        ])
    func chooses(options: [String], titles: [String]) async throws {
        let folder = try self.project()
        let run = try await ToolRun(["test"] + options, in: folder.path)
        #expect(try Set(run.outcomes.keys) == Set(titles))
    }

    @Test(
        "a misspelt tag is wrong usage, also where others hide it",
        arguments: [
            (["--tag", "smoke", "--tag", "slwo"], "none of 3 scenarios has the tag \"slwo\"; did you mean \"slow\"?"),
            (["--tag", "smoke or slwo"], "has the tag \"slwo\"; did you mean \"slow\"?"),
            (["--tag", "not (smoke or not fsat)"], "has the tag \"fsat\"; did you mean \"fast\"?"),
        ])
    func idleTags(options: [String], complaint: String) async throws {
        let folder = try self.project()
        let run = try await ToolRun(["test"] + options, in: folder.path)
        #expect(run.status == .usage)
        #expect(run.error.contains(complaint), "\(run.error)")
    }

    @Test("tags of other files may stand beside one that is there, and one to be left out need not be there")
    func tagsOfOthers() async throws {
        let folder = try self.project()
        let run = try await ToolRun(["test", "--tag", "fast or nightly", "--tag", "!slwo"], in: folder.path)
        #expect(try Set(run.outcomes.keys) == ["greets"])
    }

    @Test("a tag alone that no scenario has plays nothing, and one to be left out need not be there")
    func absentTags() async throws {
        let folder = try self.project()
        let alone = try await ToolRun(["test", "--tag", "nightly"], in: folder.path)
        #expect(alone.status == .nothingToRun && alone.error.contains("scenarios fits --tag; --list"), "\(alone.error)")
        let without = try await ToolRun(
            ["test", "--tag", "fast", "--tag", "!flaky", "--tag", "not wip"], in: folder.path)
        #expect(try Set(without.outcomes.keys) == ["greets"])
    }

    @Test("--list names file, line, title and tags, and plays nothing")
    func lists() async throws {
        let folder = try self.project()
        let run = try await ToolRun(["test", "--list"], in: folder.path)
        #expect(run.status == .success)
        #expect(
            run.output == """
                Scenarios/talk.lua:1  greets             #smoke #fast
                Scenarios/talk.lua:2  fails              #smoke
                Scenarios/talk.lua:3  desk › greets too  #slow

                """)
        #expect(!run.reports.has("run.jsonl"))
    }

    @Test("--list with a choice lists the chosen; of nothing it is exit 5")
    func listsChoice() async throws {
        let folder = try self.project()
        let chosen = try await ToolRun(["test", "--list", "--tag", "slow"], in: folder.path)
        #expect(chosen.output == "Scenarios/talk.lua:3  desk › greets too  #slow\n")
        let nothing = try await ToolRun(["test", "--list", "--tag", "no-such"], in: folder.path)
        #expect(nothing.status == .nothingToRun)
        #expect(nothing.error.contains("error: none of 3 scenarios fits --tag;"), "\(nothing.error)")
        try folder.write("local words = {}\n", to: "words.lua")
        let none = try await ToolRun(["test", "words.lua", "--list", "json"], in: folder.path)
        #expect(none.output == "{\"scenarios\":[]}\n")
        #expect(none.error.contains("error: no file in words.lua declares a scenario"), "\(none.error)")
    }

    @Test("--fail-fast begins nothing after the first that does not pass", arguments: [1, 4])
    func failsFast(workers: Int) async throws {
        let folder = try TemporaryFolder()
        // While the first plays, others fail: none of the workers begins another one after that.
        var script = "scenario(\"passes\", function() for _ = 1, 3000000 do end end)\n"
        for number in 1...200 { script += "scenario(\"number \(number)\", function() expect(1, 2) end)\n" }
        try folder.write(script, to: "s.lua")
        let run = try await ToolRun(["test", "s.lua", "--fail-fast", "--workers", "\(workers)"], in: folder.path)
        #expect(run.status == .failed)
        let outcomes = try run.outcomes.values
        let reason = Outcome.skipped(reason: "not begun: a scenario did not pass before")
        // What other workers had begun may end; the rest is skipped, so that the reports are whole.
        let failed = outcomes.count { $0 == .failed }
        #expect(1...workers ~= failed)
        #expect(outcomes.count { $0 == .passed } == 1 && outcomes.count { $0 == reason } == 200 - failed)
        let suites = try XMLFile(try run.reports.data("junit.xml")).all("testsuites")
        #expect(suites.first?.attributes["failures"] == "\(failed)")
    }

    @Test("--max-failures begins nothing after so many that do not pass, and the rest is skipped")
    func maxFailures() async throws {
        let folder = try TemporaryFolder()
        let script = (1...10).map { "scenario(\"number \($0)\", function() expect(\($0) % 2, 0) end)\n" }.joined()
        try folder.write(script, to: "s.lua")
        let run = try await ToolRun(["test", "s.lua", "--max-failures", "2"], in: folder.path)
        #expect(run.status == .failed)
        #expect(run.output.contains("10 scenarios: 1 passed, 2 failed, 7 skipped"), "\(run.output)")
        let skipped = try XMLFile(try run.reports.data("junit.xml")).all("skipped")
        #expect(skipped.first?.attributes["message"] == "not begun: 2 scenarios did not pass before")
        for wrong in [["--max-failures", "0"], ["--max-failures", "2", "--fail-fast"]] {
            #expect(try await ToolRun(["test", "s.lua"] + wrong, in: folder.path).status == .usage)
        }
    }

    @Test("a JUnit file is written in every profile, where it is asked for", arguments: ["default", "jenkins-xunit"])
    func profiles(profile: String) async throws {
        let folder = try self.project()
        let run = try await ToolRun(["test", "--junit", "out/deep/j.xml,profile=\(profile)"], in: folder.path)
        #expect(run.status == .failed)
        let report = try XMLFile(try folder.data("out/deep/j.xml"))
        #expect(report.all("testcase").map { $0.attributes["name"]?.contains("greets") } == [true, false, true])
        #expect(report.all("failure").count == 1)
        #expect(!run.reports.has("junit.xml"))
    }

    @Test("several JUnit files can be written at once")
    func severalProfiles() async throws {
        let folder = try self.project()
        _ = try await ToolRun(["test", "--junit", "a.xml", "--junit", "b.xml,profile=jenkins-xunit"], in: folder.path)
        #expect(try XMLFile(try folder.data("a.xml")).all("testcase").count == 3)
        #expect(try XMLFile(try folder.data("b.xml")).all("testcase").count == 3)
    }

    @Test("an unknown profile is wrong usage, and the message names the known ones")
    func unknownProfile() async throws {
        let folder = try self.project()
        let run = try await ToolRun(["test", "--junit", "a.xml,profile=bamboo"], in: folder.path)
        #expect(run.status == .usage)
        #expect(run.error.contains("bamboo"))
        #expect(run.error.contains("jenkins-xunit"))
        #expect(!folder.has("a.xml"))
    }

    @Test("--quiet says less than usual, --verbose more")
    func details() async throws {
        let folder = try self.project()
        let quiet = try await ToolRun(["test", "--quiet", "--seed", "1"], in: folder.path)
        let normal = try await ToolRun(["test", "--seed", "1"], in: folder.path)
        let verbose = try await ToolRun(["test", "--verbose", "--seed", "1"], in: folder.path)
        #expect(quiet.output.count < normal.output.count)
        #expect(normal.output.count < verbose.output.count)
        for run in [quiet, normal, verbose] { #expect(run.output.contains("expected 2, got 1")) }
    }

    @Test("the replay command of a failure plays that scenario with that seed")
    func replays() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "scenario(\"it's 5 o'clock\", function() expect(random.integer(1, 1000000), 0) end)\n"
                + "scenario(\"another\", function() end)\n", to: "dir one/s.lua")
        let first = try await ToolRun(["test", "dir one"], in: folder.path)
        let line = try #require(first.output.split(separator: "\n").first { $0.contains("replay") })
        #expect(line.contains("--seed"))
        #expect(line.contains("'dir one/s.lua'"))
        let seed = try #require(line.split(separator: " ").last)
        let second = try await ToolRun(
            ["test", "dir one/s.lua", "--filter", "it's 5 o'clock", "--seed", String(seed)], in: folder.path)
        let message = try #require(first.output.split(separator: "\n").first { $0.contains("expected 0, got") })
        #expect(second.output.contains(message))
        #expect(try second.outcomes.count == 1)
    }
}
