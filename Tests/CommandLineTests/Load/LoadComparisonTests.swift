import CommandLine
import Foundation
import Testing

@Suite("Comparing load runs on the command line")
struct LoadComparisonTests {
    /// A visitor whose agent takes some time to answer.
    private static func script(answer: String) -> String {
        """
        local websocket = require "websocket"
        workload { executor = "constant_vus", users = 20, duration = "30s" }
        scenario("waits", function(t)
            wait(0.5 + random.number() * \(answer))
            metric.time("patience", 0.2 + random.number() * \(answer))
        end)
        """
    }

    /// Plays runs and returns the folder with their results, `a1.json` and so on.
    private func played(_ runs: [(name: String, answer: String, seed: String)]) async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for run in runs {
            try folder.write(Self.script(answer: run.answer), to: "load.lua")
            let played = try await ToolRun(
                ["load", "load.lua", "--clock", "virtual", "--seed", run.seed, "--reports", "r"], in: folder.path)
            #expect(played.ended(.success), "\(played.error)")
            try folder.write(try folder.data("r/load.json"), to: run.name + ".json")
        }
        return folder
    }

    @Test("What became slower is told with its interval, on the console and in the page; the exit code stays 0")
    func slower() async throws {
        let folder = try await self.played([("old", "1", "1"), ("new", "2", "2")])
        let run = try await ToolRun(
            ["report", "--compare", "old.json", "new.json", "--html", "c/c.html"], in: folder.path)
        #expect(run.ended(.success), "\(run.error)")
        let median = try #require(run.output.split(separator: "\n").first { $0.hasPrefix("patience") })
        #expect(median.contains(#/p50 .*\+\d+% \(99% CI \+\d+% to \+\d+%\)\s+slower$/#), "\(run.output)")
        #expect(run.output.contains("note: with fewer than three runs on a side"))
        #expect(run.output.contains("before: load.lua, run 1\n"))
        #expect(try folder.text("c/c.html").hasSuffix("</html>\n"))
    }

    @Test("A run compared with itself has no change that could not be chance")
    func same() async throws {
        let folder = try await self.played([("old", "1", "1")])
        let run = try await ToolRun(["report", "--compare", "old.json", "old.json"], in: folder.path)
        #expect(run.ended(.success))
        #expect(run.output.contains("\nno change that could not be chance"), "\(run.output)")
        #expect(!run.output.contains("slower"))
    }

    @Test("Several runs on a side, as a list or a pattern, are taken as runs even if they have one name")
    func several() async throws {
        let folder = try await self.played([
            ("a/1", "1", "7"), ("a/2", "1.1", "7"), ("a/3", "1", "8"), ("b1", "3", "9"), ("b2", "3", "10"),
            ("b3", "3", "11"),
        ])
        let run = try await ToolRun(
            ["report", "--compare", "a/*.json", "b1.json,b2.json,b3.json"], in: folder.path)
        #expect(run.ended(.success), "\(run.error)")
        #expect(run.output.contains("before: load.lua, runs 7, 7, 8\n"), "\(run.output)")
        #expect(run.output.contains("after: load.lua, runs 9, 10, 11\n"))
        #expect(!run.output.contains("note: with fewer than three runs"))
        #expect(run.output.contains("slower"))
    }

    @Test("The folder in which the command is given is no part of a pattern, whatever its name")
    func folderLikePattern() async throws {
        let folder = try await self.played([("old", "1", "7")])
        let name = "week [1] \\*"
        try folder.write(try folder.data("old.json"), to: "\(name)/old.json")
        let run = try await ToolRun(["report", "--compare", "o*.json", "old.json"], in: "\(folder.path)/\(name)")
        #expect(run.ended(.success), "\(run.error)")
    }

    @Test("The shards of a run are one run, and all must be there")
    func shards() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.script(answer: "1"), to: "load.lua")
        for part in 1...2 {
            _ = try await ToolRun(
                ["load", "load.lua", "--clock", "virtual", "--seed", "1", "--run", "x", "--shard", "\(part)/2"],
                in: folder.path)
        }
        let (one, two) = ("Reports/load-1.json", "Reports/load-2.json")
        let run = try await ToolRun(["report", "--compare", "\(one),\(two)", "Reports/*.json"], in: folder.path)
        #expect(run.ended(.success), "\(run.error)")
        #expect(run.output.contains("before: load.lua, run x\n"))
        let part = try await ToolRun(["report", "--compare", one, "\(one),\(two)"], in: folder.path)
        #expect(part.status == .usage)
        #expect(part.error.contains("run x: of 2 shards 1 is missing (2)"))
    }

    @Test(
        "What cannot be compared is wrong usage",
        arguments: [
            (["old.json"], "--compare takes two records"), (["old.json", "run.jsonl"], "give files of one kind"),
            (["run.jsonl", "old.json"], "run.jsonl is of a test run and old.json is the result of a load test"),
            (["old.json", "none.json"], "none.json cannot be read"), (["old.json", "none/*.json"], "no file fits"),
            (["old.json", "damaged.json"], "damaged.json: "),
            (["old.json", "old.json", "--csv", "x.csv"], "there is only --html"),
            (["run.jsonl,run.jsonl", "run.jsonl"], "one record on each side"),
        ])
    func refused(arguments: [String], message: String) async throws {
        let folder = try await self.played([("old", "1", "1")])
        try folder.write("{\"format\":\"repartee.load\",\"version\":1,", to: "damaged.json")
        try folder.write("scenario(\"x\", function() end)", to: "s.lua")
        _ = try await ToolRun(["test", "s.lua", "--reports", folder.path], in: folder.path)
        let run = try await ToolRun(["report", "--compare"] + arguments, in: folder.path)
        #expect(run.status == .usage, "\(run.output)")
        #expect(run.error.contains(message), "\(run.error)")
        let merged = try await ToolRun(["report", "old.json", "run.jsonl"], in: folder.path)
        #expect(merged.status == .usage)
        #expect(merged.error.contains("give files of one kind"))
    }

    @Test("A page that cannot be written is an error of its own")
    func unwritable() async throws {
        let folder = try await self.played([("old", "1", "1")])
        let run = try await ToolRun(
            ["report", "--compare", "old.json", "old.json", "--html", "/proc/none/c.html"], in: folder.path)
        #expect(run.status == .harness)
        #expect(run.error.contains("/proc/none"))
    }
}
