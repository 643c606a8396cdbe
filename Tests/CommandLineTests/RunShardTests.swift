import CommandLine
import Foundation
import JSON
import RunRecord
import Testing

@Suite("Shards of a test run")
struct RunShardTests {
    @Test("--shard auto plays the shard that the engine tells of, and says so")
    func shardFromEngine() async throws {
        let folder = try DealtProject.folder()
        var played: [String] = []
        for shard in 1...4 {
            let variables = ["CI_NODE_INDEX": "\(shard)", "CI_NODE_TOTAL": "4"]
            let run = try await ToolRun(
                ["test", "--shard", "auto", "--seed", "1"], in: folder.path, variables: variables)
            #expect(
                run.output.hasPrefix(
                    "shard \(shard)/4 from GitLab parallel (CI_NODE_INDEX=\(shard), CI_NODE_TOTAL=4)\n"))
            let named = try await ToolRun(["test", "--shard", "\(shard)/4", "--seed", "1"], in: folder.path)
            #expect(try run.reports.text("run.jsonl") == named.reports.text("run.jsonl"))
            played += try run.record.compactMap { entry in
                if case .scenarioStarted(let start) = entry { start.id } else { nil }
            }
        }
        #expect(played.count == 12)
        #expect(Set(played).count == 12)
    }

    @Test(
        "--shard auto plays nothing where the environment does not say everything",
        arguments: [
            ([:], "names no engine"), (["CI_NODE_INDEX": "1"], "CI_NODE_TOTAL"),
            (["CI_NODE_TOTAL": "4"], "CI_NODE_INDEX"), (["JOB_COMPLETION_INDEX": "0"], "REPARTEE_SHARD_TOTAL"),
            (["CI_NODE_INDEX": "5", "CI_NODE_TOTAL": "4"], "CI_NODE_INDEX=5"),
            (["CI_NODE_INDEX": "x", "CI_NODE_TOTAL": "4"], "no number"),
        ])
    func halfAShard(variables: [String: String], reason: String) async throws {
        let folder = try DealtProject.folder()
        let run = try await ToolRun(["test", "--shard", "auto"], in: folder.path, variables: variables)
        #expect(run.status == .usage)
        #expect(run.error.contains(reason))
        #expect(!run.reports.has("run.jsonl"))
    }

    @Test("A shard without the seed of all is refused before anything is played, where its record would be merged")
    func shardWithoutSeed() async throws {
        let folder = try DealtProject.folder()
        let engine = ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "4"]
        for (shard, variables) in [("2/4", [:]), ("auto", engine)] {
            let run = try await ToolRun(["test", "--shard", shard], in: folder.path, variables: variables)
            #expect(run.status == .usage, "\(run.output)")
            #expect(run.error.contains("--shard needs --seed, the same in all shards"), "\(run.error)")
            #expect(!run.reports.has("run.jsonl"))
        }
        let whole = try await ToolRun(["test", "--shard", "1/1"], in: folder.path)
        #expect(whole.reports.has("run.jsonl"))
        let list = try await ToolRun(["test", "--shard", "2/4", "--list"], in: folder.path)
        #expect(list.status == .success, "\(list.error)")
    }

    @Test("Four shards, played one after the other in one folder, make the reports of one run", arguments: [0, 1])
    func shards(retries: Int) async throws {
        let folder = try DealtProject.folder()
        let options = ["--seed", "7", "--retries", "\(retries)"]
        let reports = folder.path + "/Reports"
        _ = try await ToolRun(["test", "--reports", reports] + options, in: folder.path)
        let one = try RecordReader.read(try folder.data("Reports/run.jsonl"))
        let whole = try folder.text("Reports/run.jsonl")
        var played = 0
        for shard in 1...4 {
            let shardOptions = ["--reports", reports, "--shard", "\(shard)/4"]
            let run = try await ToolRun(["test"] + shardOptions + options, in: folder.path)
            let record = try folder.data("Reports/run.jsonl")
            guard case .runStarted(let start) = try RecordReader.read(record).first else { continue }
            #expect(start.shard?.plannedScenarios == 12)
            played += start.plannedScenarios
            #expect(run.output.contains("shard \(shard)/4"))
            try folder.write(record, to: "\(shard).jsonl")
        }
        #expect(played == 12)
        func make(_ records: [String], _ name: String) async throws {
            let outputs = ["--html", "--junit", "--ctrf", "--tap", "--record"].flatMap { [$0, "\(name)\($0)"] }
            let run = try await ToolRun(["report"] + records + outputs, in: folder.path)
            #expect(run.status == .success, "\(run.error)")
        }
        try folder.write(whole, to: "whole.jsonl")
        try await make(["whole.jsonl"], "one")
        try await make(["3.jsonl", "1.jsonl", "4.jsonl", "2.jsonl"], "four")
        #expect(try RecordReader.read(try folder.data("four--record")) == one)
        for report in ["--html", "--junit", "--ctrf", "--tap", "--record"] {
            #expect(try folder.data("one\(report)") == folder.data("four\(report)"), "\(report)")
        }
        let console = try await ToolRun(["report", "1.jsonl", "2.jsonl", "3.jsonl", "4.jsonl"], in: folder.path)
        #expect(console.output == (try await ToolRun(["report", "whole.jsonl"], in: folder.path)).output)
    }

    @Test("Shards of other scripts are not merged, also where as many scenarios are there as were planned")
    func shardsOfOtherScripts() async throws {
        let folder = try TemporaryFolder()
        func shard(_ index: Int, _ script: String, _ options: [String] = []) async throws {
            try folder.write(script, to: "s.lua")
            try folder.write("return 1", to: "m.lua")
            let arguments = ["test", "s.lua", "--seed", "1", "--shard", "\(index)/2"] + options
            let run = try await ToolRun(arguments, in: folder.path)
            #expect(run.status == .success, "\(run.error)")
            try folder.write(try run.reports.data("run.jsonl"), to: "\(index).jsonl")
        }
        func script(_ second: String) -> String {
            "require \"m\"\nscenario(\"a\", function() end)\nscenario(\"\(second)\", function() end)\n"
        }
        func merged() async throws -> ToolRun { try await ToolRun(["report", "1.jsonl", "2.jsonl"], in: folder.path) }
        try await shard(1, script("b"))
        try await shard(2, script("b"))
        #expect(try await merged().status == .success)
        try await shard(2, script("b"), ["--retries", "1"])
        let others = try await merged()
        #expect(others.status == .usage && others.error.contains("planned with other scenarios"), "\(others.error)")
        for text in [script("c"), script("b") + "\n"] {
            try await shard(2, text)
            let rewritten = try await merged()
            #expect(rewritten.status == .usage && rewritten.error.contains(": s.lua was not the same file in all"))
        }
    }

    @Test(
        "Shards that have read other files are not merged, and the file is named, also where it was read in a play",
        arguments: ["m.lua", "later.lua", "rows.csv", "data/text.txt", "sent.pem", "repartee.lua", "cassette.jsonl"])
    func shardsWithOtherFiles(name: String) async throws {
        let folder = try TemporaryFolder()
        let files = [
            "m.lua": "return 1", "later.lua": "return 2", "rows.csv": "a\n1\n", "data/text.txt": "one",
            "sent.pem": "x", "repartee.lua": "return {}", "cassette.jsonl": "", "unread.txt": "",
            "Scenarios/s.lua": """
            require "m"
            local function reads()
                require "later"
                expect(read_text "data/text.txt" ~= "")
                expect(#read_bytes "sent.pem" > 0)
            end
            scenario("a", { rows = "rows.csv", row_key = "a" }, reads)
            scenario("b", reads)
            """,
        ]
        let others = [
            "m.lua": "return 3", "later.lua": "return 4", "rows.csv": "a,b\n1,2\n", "repartee.lua": "return { }",
            "cassette.jsonl": "\n",
        ]
        for (name, text) in files { try folder.write(text, to: name) }
        func shard(_ index: Int) async throws {
            let run = try await ToolRun(["test", "--seed", "1", "--shard", "\(index)/2"], in: folder.path)
            #expect(run.status == .success, "\(run.output)\(run.error)")
            try folder.write(try run.reports.data("run.jsonl"), to: "\(index).jsonl")
        }
        func merged() async throws -> ToolRun { try await ToolRun(["report", "1.jsonl", "2.jsonl"], in: folder.path) }
        try await shard(1)
        try folder.write("other", to: "unread.txt")
        try await shard(2)
        let same = try await merged()
        #expect(same.status == .success, "\(same.error)")
        try folder.write(others[name] ?? "other", to: name)
        try await shard(2)
        let merging = try await merged()
        #expect(merging.status == .usage)
        #expect(merging.error.contains(": \(name) was not the same file in all of them; run all"), "\(merging.error)")
    }

    @Test("The record of a shard has no digest of a file that holds a secret")
    func secretFile() async throws {
        let folder = try TemporaryFolder()
        try folder.write("return {}", to: "repartee.lua")
        try folder.write("1234-secret", to: "pin.txt")
        try folder.write("words", to: "words.txt")
        try folder.write(
            """
            scenario("a", function()
                keep_secret(read_text "pin.txt")
                expect(read_text "words.txt", "words")
            end)
            """, to: "Scenarios/s.lua")
        let run = try await ToolRun(["test", "--seed", "1", "--shard", "1/2"], in: folder.path)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        guard case .runEnded(let end)? = try run.record.last else {
            Issue.record("the record has no end")
            return
        }
        #expect(Array(end.files.keys) == ["words.txt"])
    }

    @Test("A shard without scenarios has reports, too, and counts for the whole")
    func emptyShard() async throws {
        let folder = try TemporaryFolder()
        try folder.write("scenario(\"alone\", function() end)", to: "s.lua")
        var records: [String] = []
        for shard in 1...2 {
            let run = try await ToolRun(["test", "s.lua", "--seed", "1", "--shard", "\(shard)/2"], in: folder.path)
            #expect(run.status == .success)
            try folder.write(try run.reports.data("run.jsonl"), to: "\(shard).jsonl")
            records.append("\(shard).jsonl")
        }
        let merged = try await ToolRun(["report"] + records, in: folder.path)
        #expect(merged.output.contains("1 scenario: 1 passed"))
    }

    @Test("Shards of which all have skipped what they got pass, and the run that they make has tested nothing")
    func skippedShards() async throws {
        let folder = try TemporaryFolder()
        func merged(_ second: String) async throws -> ToolRun {
            try folder.write(
                "scenario(\"a\", function(t) t:skip \"x\" end) scenario(\"b\", function(t) \(second) end)", to: "s.lua")
            var records: [String] = []
            for shard in 1...2 {
                let run = try await ToolRun(["test", "s.lua", "--seed", "1", "--shard", "\(shard)/2"], in: folder.path)
                #expect(run.status == .success, "\(run.error)")
                try folder.write(try run.reports.data("run.jsonl"), to: "\(shard).jsonl")
                records.append("\(shard).jsonl")
            }
            return try await ToolRun(["report"] + records + ["--junit", "j.xml"], in: folder.path)
        }
        let skipped = try await merged("t:skip \"y\"")
        #expect(skipped.status == .nothingToRun)
        #expect(skipped.error == "error: all 2 scenarios were skipped, so nothing was tested\n")
        #expect(folder.has("j.xml"))
        #expect(try await merged("expect(1, 1)").status == .success)
    }
}
