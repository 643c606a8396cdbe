import CommandLine
import Foundation
import JSON
import RunRecord
import Testing

@Suite("Which part of the scenarios a run plays")
struct RunSelectionTests {
    private func project(_ count: Int = 12) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for file in 0..<3 {
            var text = "local helper = require \"helper\"\n"
            for number in 0..<count / 3 {
                text += """
                    scenario("s\(number)", { tags = { "t\(number)" } }, function()
                        wait(random.number())
                        if \(number) == 1 then check(random.integer(1, 2), 1) end
                        step("part", function() log.info(random.hex(8)) end)
                    end)

                    """
            }
            try folder.write(text, to: "Scenarios/f\(file).lua")
        }
        try folder.write("return {}", to: "Scenarios/helper.lua")
        return folder
    }

    @Test("--list json names what text names, for other tools")
    func listsJSON() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "scenario(\"a\", { tags = { \"x\" }, retries = 2, only = true, skip = \"s\", expected_failure = \"e\" }, print)",
            to: "s.lua")
        let run = try await ToolRun(["test", "s.lua", "--list", "json"], in: folder.path)
        #expect(run.status == .success)
        #expect(
            run.output == """
                {"scenarios":[{"id":"s.lua::a","file":"s.lua","line":1,"title":["a"],"tags":["x"],"only":true,\
                "skip":"s","expected_failure":"e","retries":2}]}

                """)
        let text = try await ToolRun(["test", "--list", "text", "s.lua"], in: folder.path)
        #expect(text.output == "s.lua:1  a  (skip: s; expected failure: e; only)  #x\n")
        try folder.write("scenario(", to: "json")
        let path = try await ToolRun(["test", "--list", "./json"], in: folder.path)
        #expect(path.status == .script)
    }

    @Test("In real time a run is said to take as long as it takes, and not as its scenarios one after the other")
    func realDuration() async throws {
        let folder = try TemporaryFolder()
        let all = (0..<30).map { "scenario(\"s\($0)\", function() wait \"1s\" expect(1, 1) end)\n" }
        try folder.write(all.joined(), to: "s.lua")
        let run = try await ToolRun(["test", "s.lua", "--clock", "real", "--workers", "30"], in: folder.path)
        #expect(run.status == .success, "\(run.output)")
        guard case .runEnded(let end)? = try run.record.last else {
            Issue.record("the run has no end")
            return
        }
        // Each of them waits for a second; what the machine lacks may add to it.
        #expect(1_000_000_000..<20_000_000_000 ~= end.durationNanoseconds)
    }

    @Test("A file that names a port of this machine and starts no server is played in real time, against that port")
    func realAddress() async throws {
        let server = try RawServer(.answers(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8)))
        defer { server.close() }
        let folder = try TemporaryFolder()
        let real = """
            scenario("real", function(t)
                local ada = t:actor(require "http", { url = "http://127.0.0.1:\(server.port)/x" })
                ada:get()
                ada:expect("response", { status = 204 })
                expect(t.clock, "real")
            end)

            """
        try folder.write(real, to: "real.lua")
        let run = try await ToolRun(["test", "real.lua"], in: folder.path)
        #expect(run.status == .success, "\(run.output)")
        #expect(run.output.contains("real time"))
        // In a comment it is no name, and a simulated server may be what listens there.
        let simulated = """
            -- url = "http://127.0.0.1:8080/x"
            scenario("simulated", function(t) expect(t.clock, "virtual") end)
            """
        try folder.write(simulated, to: "simulated.lua")
        #expect(try await ToolRun(["test", "simulated.lua"], in: folder.path).status == .success)
        let listening = real.replacing("local ada", with: "t:server(require \"websocket\")\n    local ada")
        try folder.write(listening, to: "listening.lua")
        let refused = try await ToolRun(["test", "listening.lua"], in: folder.path)
        #expect(refused.output.contains("a real one needs --target, or --clock real"), "\(refused.output)")
        // Who asks for virtual time gets it, and is told what that means.
        let virtual = try await ToolRun(["test", "real.lua", "--clock", "virtual"], in: folder.path)
        #expect(virtual.output.contains("a real one needs --target, or --clock real"), "\(virtual.output)")
    }

    @Test("--last-failed plays what did not pass the last time, until it does")
    func lastFailed() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "scenario(\"good\", function() end)\nscenario(\"bad\", function() expect(env \"REPARTEE_N\", \"1\") end)",
            to: "s.lua")
        let reports = ["--reports", folder.path + "/r"]
        let nothing = try await ToolRun(["test", "s.lua", "--last-failed"] + reports, in: folder.path)
        #expect(nothing.status == .nothingToRun)
        #expect(nothing.error.contains("none of 2 scenarios failed the last time it was played"))
        #expect(try await ToolRun(["test", "s.lua"] + reports, in: folder.path).status == .failed)
        // A run of others leaves it known.
        #expect(try await ToolRun(["test", "s.lua", "--filter", "good"] + reports, in: folder.path).status == .success)
        let failed = try await ToolRun(["test", "s.lua", "--last-failed"] + reports, in: folder.path)
        #expect(failed.output.contains("1 scenario: 1 failed"))
        let healed = try await ToolRun(
            ["test", "s.lua", "--last-failed"] + reports, in: folder.path, variables: ["REPARTEE_N": "1"])
        #expect(healed.output.contains("1 scenario: 1 passed"))
        let again = try await ToolRun(["test", "s.lua", "--last-failed"] + reports, in: folder.path)
        #expect(again.status == .nothingToRun)
        // A scenario that is not declared any more is forgotten, and damage is no history.
        #expect(try await ToolRun(["test", "s.lua"] + reports, in: folder.path).status == .failed)
        try folder.write("scenario(\"good\", function() end)", to: "s.lua")
        #expect(try await ToolRun(["test", "s.lua"] + reports, in: folder.path).status == .success)
        #expect(try !folder.text("r/history.json").contains("bad"))
        // Nobody is told that nothing failed by a file that nobody can read; the next whole run writes it anew.
        for damage in ["{\"format\":1,", "{\"format\":2}", "[]"] {
            try folder.write(damage, to: "r/history.json")
            let blind = try await ToolRun(["test", "s.lua", "--last-failed"] + reports, in: folder.path)
            #expect(blind.status == .script)
            #expect(blind.error.contains("/r/history.json cannot be read: it "), "\(blind.error)")
            #expect(blind.error.contains("; a run without --last-failed writes it anew"), "\(blind.error)")
        }
        #expect(try await ToolRun(["test", "s.lua"] + reports, in: folder.path).status == .success)
        let mended = try await ToolRun(["test", "s.lua", "--last-failed"] + reports, in: folder.path)
        #expect(mended.status == .nothingToRun)
    }

    @Test("--last-failed plays what did not pass also where it was skipped since, until it passes")
    func lastFailedSkipped() async throws {
        let folder = try TemporaryFolder()
        func run(_ body: String, _ arguments: [String] = []) async throws -> ToolRun {
            try folder.write(
                "scenario(\"good\", function() end)\nscenario(\"bad\", function(t) \(body) end)", to: "s.lua")
            return try await ToolRun(["test", "s.lua", "--reports", folder.path + "/r"] + arguments, in: folder.path)
        }
        #expect(try await run("expect(1, 2)").status == .failed)
        for _ in 1...2 {
            #expect(try await run("t:skip \"today\"").status == .success)
            let again = try await run("expect(1, 2)", ["--last-failed"])
            #expect(again.output.contains("1 scenario: 1 failed"), "\(again.output)\(again.error)")
        }
        #expect(try await run("expect(1, 1)", ["--last-failed"]).status == .success)
        #expect(try await run("t:skip \"today\"").status == .success)
        #expect(try await run("expect(1, 2)", ["--last-failed"]).status == .nothingToRun)
    }

    @Test("--last-failed knows of files that could not be loaded, and of what scenarios share")
    func lastFailedBesideScenarios() async throws {
        let folder = try TemporaryFolder()
        let reports = ["--reports", folder.path + "/r"]
        let script = "scenario(\"good\", function() end)\nscenario(\"bad\", function() expect(1, 2) end)\n"
        try folder.write(script, to: "s.lua")
        #expect(try await ToolRun(["test", "s.lua"] + reports, in: folder.path).status == .failed)
        try folder.write(script + "scenario(", to: "s.lua")
        #expect(try await ToolRun(["test", "s.lua"] + reports, in: folder.path).status == .script)
        try folder.write(script + "scenario(\"new\", function() end)\n", to: "s.lua")
        // Whoever plays one of them by its name has not played the others.
        let one = try await ToolRun(["test", "s.lua", "--filter", "good"] + reports, in: folder.path)
        #expect(one.status == .success)
        let others = try await ToolRun(["test", "s.lua", "--last-failed"] + reports, in: folder.path)
        #expect(others.output.contains("2 scenarios: 1 passed, 1 failed"), "\(others.output)\(others.error)")
        let bad = try await ToolRun(["test", "s.lua", "--last-failed"] + reports, in: folder.path)
        #expect(bad.output.contains("1 scenario: 1 failed"), "\(bad.output)\(bad.error)")

        let hook = "after_all(function() expect(env \"REPARTEE_N\", \"1\") end)\n"
        try folder.write(hook + "scenario(\"fine\", function() end)\n", to: "h.lua")
        #expect(try await ToolRun(["test", "h.lua"] + reports, in: folder.path).status == .failed)
        let again = try await ToolRun(["test", "h.lua", "--last-failed"] + reports, in: folder.path)
        #expect(again.status == .failed && again.output.contains("✓ fine"), "\(again.output)\(again.error)")
        for status in [ToolStatus.success, .nothingToRun] {
            let run = try await ToolRun(
                ["test", "h.lua", "--last-failed"] + reports, in: folder.path, variables: ["REPARTEE_N": "1"])
            #expect(run.status == status, "\(run.output)\(run.error)")
        }
    }

    @Test("--shard auto plays the shard that the engine tells of, and says so")
    func shardFromEngine() async throws {
        let folder = try self.project()
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
        let folder = try self.project()
        let run = try await ToolRun(["test", "--shard", "auto"], in: folder.path, variables: variables)
        #expect(run.status == .usage)
        #expect(run.error.contains(reason))
        #expect(!run.reports.has("run.jsonl"))
    }

    @Test("A shard without the seed of all is refused before anything is played, where its record would be merged")
    func shardWithoutSeed() async throws {
        let folder = try self.project()
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
        let folder = try self.project()
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

    @Test("A run ends at its time limit: what plays is torn down and told what it waited for, the rest never began")
    func runLimit() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            after_each(function() log.info "torn down" end)
            scenario("endless", { timeout = "100000h" }, function()
                while true do wait "1s" end
            end)
            scenario("never begins", function() end)
            """, to: "s.lua")
        try folder.write("return { limits = { run = \"500ms\" } }", to: "repartee.lua")
        // Long enough that the first scenario has begun when it passes.
        for options in [[], ["--run-timeout", "400ms"]] {
            let limit = options.last ?? "500ms"
            let run = try await ToolRun(["test", "s.lua", "--tap", "t.tap", "--github"] + options, in: folder.path)
            #expect(run.status == .failed)
            #expect(run.output.contains("the time limit of the run, \(limit), passed while this scenario was playing"))
            #expect(run.output.contains(/pending   (wait 1s \(line 3\)|nothing; the script was busy)/))
            #expect(run.output.contains("limit     run \(limit); --run-timeout or limits.run in repartee.lua"))
            #expect(run.output.contains("the time limit of the run, \(limit), passed; 1 scenario never began"))
            #expect(run.output.contains("1 of 2 scenarios never began: the run passed its time limit, \(limit)"))
            #expect(try folder.text("t.tap").hasSuffix("Bail out! The run passed its time limit, \(limit).\n"))
            let logged = try run.record.contains {
                if case .happened(_, _, .logged(_, "torn down")) = $0 { true } else { false }
            }
            #expect(logged)
            guard case .runEnded(let end) = try run.record.last else { throw CocoaError(.fileReadCorruptFile) }
            #expect(end.timeLimit == limit)
        }
        let enough = try await ToolRun(
            ["test", "s.lua", "--filter", "never", "--run-timeout", "10m"], in: folder.path)
        #expect(enough.status == .success)
    }

    @Test("--tap - takes the place of the console, and CTRF and GitHub are written beside it")
    func outputs() async throws {
        let folder = try self.project()
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
