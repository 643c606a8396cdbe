import CommandLine
import Foundation
import JSON
import RunRecord
import Testing

@Suite("Making reports from saved run records")
struct ReportCommandTests {
    private static let script = """
        local websocket = require "websocket"
        scenario("passes", { tags = { "smoke" } }, function(t) expect(1, 1) end)
        scenario("fails", function(t) expect(1, 2) end)
        """

    /// Plays a small project and returns the folder with its run record.
    private func played() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(Self.script, to: "Scenarios/a.lua")
        _ = try await ToolRun(["test", "--seed", "7", "--reports", "Reports"], in: folder.path)
        return folder
    }

    @Test(
        "The HTML report made later is that of the run but for what the clock on the wall said, and the record comes back as it was"
    )
    func later() async throws {
        let folder = try await self.played()
        let run = try await ToolRun(
            [
                "report", "Reports/run.jsonl", "--html", "again.html", "--record", "again.jsonl", "--ctrf", "c.json",
                "--junit", "j.xml,profile=ant", "--tap", "-",
            ], in: folder.path)
        #expect(run.status == .success)
        #expect(run.error == "")
        #expect(run.output.hasPrefix("TAP version 14\n"))
        let time = #/,?\s*"(started_at|elapsed|wall)":(null|"[^"]*"|[0-9]+)/#
        let first = try folder.text("Reports/report.html").replacing(time, with: "")
        #expect(first.contains("local websocket"))
        #expect(try folder.text("again.html").replacing(time, with: "") == first)
        #expect(try folder.data("again.jsonl") == folder.data("Reports/run.jsonl"))
        let tests = try JSONReader.read(try folder.text("c.json"), depth: 50)["results"]?["tests"]?.array
        #expect(tests?.map { $0["status"]?.string } == ["passed", "failed"])
        _ = try XMLFile(try folder.data("j.xml"))
    }

    @Test("Without an option the report is printed as the run printed it")
    func printed() async throws {
        let folder = try await self.played()
        let run = try await ToolRun(["report", "Reports/run.jsonl"], in: folder.path)
        #expect(run.status == .success)
        #expect(run.output.contains("2 scenarios: 1 passed, 1 failed"))
    }

    @Test("The record of a killed run is refused, unless reports are wanted that say that it did not end")
    func cut() async throws {
        let folder = try await self.played()
        let record = try folder.text("Reports/run.jsonl")
        try folder.write(String(record.dropLast(40)), to: "cut.jsonl")
        let refused = try await ToolRun(["report", "cut.jsonl", "--html", "r.html"], in: folder.path)
        #expect(refused.status == .usage)
        #expect(
            refused.error.contains(
                "error: cut.jsonl: the run did not end: 2 of 2 played; play it again, or --unfinished makes reports"))
        #expect(!folder.has("r.html"))
        let run = try await ToolRun(
            ["report", "cut.jsonl", "--unfinished", "--html", "r.html", "--junit", "j.xml", "--tap", "t", "--github"],
            in: folder.path)
        #expect(run.status == .harness)
        #expect(run.error.contains("ends within a line"))
        #expect(run.error.contains("error: the run did not end: 2 of 2 played\n"))
        #expect(run.output.contains("::error::the run did not end: 2 of 2 played\n"))
        #expect(try folder.text("r.html").hasSuffix("</html>\n"))
        #expect(try folder.text("r.html").contains("<title>The run did not end: 2 of 2 played – repartee</title>"))
        let suites = try XMLFile(try folder.data("j.xml")).all("testsuites")
        #expect(suites.first?.attributes["errors"] == "1")
        #expect(try folder.text("t").hasSuffix("Bail out! The run did not end: 2 of 2 played.\n"))
    }

    @Test("A record with fewer plays than planned is refused although it has an end")
    func tooFew() async throws {
        let folder = try TemporaryFolder()
        try folder.write("for n = 1, 3 do scenario(\"s\" .. n, function() expect(1, 1) end) end", to: "s.lua")
        _ = try await ToolRun(["test", "s.lua", "--reports", "r", "--seed", "1"], in: folder.path)
        let lines = try folder.text("r/run.jsonl").split(separator: "\n", omittingEmptySubsequences: false)
        let kept = lines.filter { !$0.contains("\"scenario\":1,") }
        #expect(kept.count < lines.count)
        try folder.write(kept.joined(separator: "\n"), to: "few.jsonl")
        let run = try await ToolRun(["report", "few.jsonl", "--junit", "j.xml"], in: folder.path)
        #expect(run.status == .usage)
        #expect(run.error.contains("few.jsonl: the run ended too early: 2 of 3 played"), "\(run.error)")
        #expect(!folder.has("j.xml"))
        let compared = try await ToolRun(["report", "--compare", "few.jsonl", "r/run.jsonl"], in: folder.path)
        #expect(compared.status == .usage)
    }

    @Test(
        "A record of two runs, or one that has lost what the run counted, is no record of a run",
        arguments: [[], ["--unfinished"]])
    func severalRuns(options: [String]) async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "scenario(\"bad\", function() expect(1, 2) end)\nscenario(\"good\", function() expect(1, 1) end)\n",
            to: "s.lua")
        for (name, filter) in [("bad", []), ("good", ["--filter", "good"])] {
            _ = try await ToolRun(["test", "s.lua", "--seed", "1", "--reports", name] + filter, in: folder.path)
        }
        let (bad, good) = (try folder.text("bad/run.jsonl"), try folder.text("good/run.jsonl"))
        let killed = bad.split(separator: "\n").dropLast().map { $0 + "\n" }.joined()
        let lost = bad.split(separator: "\n").filter { !$0.contains("\"scenario\":0,") }.map { $0 + "\n" }.joined()
        for (record, message) in [
            (bad + good, "it holds several runs; give each its own file"),
            (killed + good, "it holds several runs; give each its own file"),
            (lost, "the run counted 2 scenarios at its end"),
        ] {
            try folder.write(record, to: "all.jsonl")
            let run = try await ToolRun(["report", "all.jsonl", "--junit", "j.xml"] + options, in: folder.path)
            #expect(run.status == .usage, "\(run.error)")
            #expect(run.error.contains("all.jsonl: \(message)"), "\(run.error)")
            #expect(!folder.has("j.xml"))
        }
    }

    @Test("A run that stopped at a failure gives reports as it did")
    func stopped() async throws {
        let folder = try TemporaryFolder()
        try folder.write("for n = 1, 3 do scenario(\"s\" .. n, function() expect(1, 2) end) end", to: "s.lua")
        _ = try await ToolRun(["test", "s.lua", "--reports", "r", "--fail-fast"], in: folder.path)
        let run = try await ToolRun(["report", "r/run.jsonl", "--junit", "j.xml"], in: folder.path)
        #expect(run.status == .success, "\(run.error)")
        #expect(try XMLFile(try folder.data("j.xml")).all("error").isEmpty)
    }

    @Test("Shards are merged only when all are there and whole")
    func shards() async throws {
        let folder = try TemporaryFolder()
        try folder.write("for n = 1, 4 do scenario(\"s\" .. n, function() expect(1, 1) end) end", to: "s.lua")
        for shard in 1...2 {
            _ = try await ToolRun(
                ["test", "s.lua", "--seed", "5", "--shard", "\(shard)/2", "--reports", "r\(shard)"], in: folder.path)
        }
        let (one, two) = ("r1/run.jsonl", "r2/run.jsonl")
        let lone = try await ToolRun(["report", one, "--html", "m.html"], in: folder.path)
        #expect(lone.status == .usage)
        #expect(lone.error.contains("shard 2/2 is missing; give the records of all 2 shards"))
        let both = try await ToolRun(["report", one, two, "--html", "m.html"], in: folder.path)
        #expect(both.status == .success, "\(both.error)")
        let record = try folder.text(two)
        let end = try #require(record.firstRange(of: "{\"type\":\"run_ended\""))
        try folder.write(String(record[..<end.lowerBound]), to: two)
        let killed = try await ToolRun(["report", one, two, "--html", "k.html"], in: folder.path)
        #expect(killed.status == .usage)
        #expect(killed.error.contains("shard 2/2 is not whole, the run did not end: 2 of 2 played"), "\(killed.error)")
        #expect(!folder.has("k.html"))
        for records in [[one], [one, two]] {
            let run = try await ToolRun(
                ["report", "--unfinished", "--html", "u.html"] + records, in: folder.path)
            #expect(run.status == .harness)
            #expect(run.error == "error: the run did not end: \(records.count * 2) of 4 played\n")
            #expect(try folder.text("u.html").contains("<title>The run did not end: "))
        }
    }

    @Test("A record that names a script outside of the working directory shows nothing of it")
    func outside() async throws {
        let folder = try await self.played()
        let other = try TemporaryFolder()
        try other.write("the text of another project", to: "x.lua")
        let record = try folder.text("Reports/run.jsonl")
        let path = other.path + "/x.lua"
        let up = String(repeating: "../", count: 20) + path.dropFirst()
        for name in [path, up] {
            try folder.write(record.replacing("Scenarios/a.lua", with: name), to: "evil.jsonl")
            let run = try await ToolRun(["report", "evil.jsonl", "--html", "r.html"], in: folder.path)
            #expect(run.status == .success)
            #expect(try !folder.text("r.html").contains("the text of another project"))
        }
        #expect(other.has("x.lua"))
    }

    @Test(
        "What cannot be used is refused with what to do",
        arguments: [
            (["report"], "name a run record"), (["report", "none.jsonl"], "none.jsonl cannot be read"),
            (["report", "Scenarios/a.lua"], "is this a run record?"),
            (["report", "Reports/run.jsonl", "Reports/run.jsonl"], "only the shards of one run can be merged"),
            (["report", "Reports/run.jsonl", "--csv", "c.csv"], "are of load tests"),
            (["report", "Reports/run.jsonl", "--junit", "j.xml,profile=none"], "there is no JUnit profile \"none\""),
            (["report", "Reports/run.jsonl", "--junit", "j.xml,profil=ant"], "--junit takes FILE or FILE,profile=P"),
            (["report", "Reports/run.jsonl", "--schema"], "--schema prints the schema of run records and reads none"),
            (["report", "--schema", "--html", "h.html"], "give it alone"),
            (["report", "Reports/run.jsonl", "--junit", "-"], "--junit writes a file; - is standard output"),
            (["report", "Reports/run.jsonl", "--html", "-"], "--html writes a file"),
            (["report", "Reports/run.jsonl", "--record", "-"], "--record writes a file"),
            (["report", "Reports/run.jsonl", "--ctrf", "-"], "--ctrf writes a file"),
            (["report", "Reports/run.jsonl", "--csv", "-"], "--csv writes a file"),
        ])
    func refused(arguments: [String], message: String) async throws {
        let folder = try await self.played()
        let run = try await ToolRun(arguments, in: folder.path)
        #expect(folder.has("Reports/run.jsonl") && !folder.has("-"))
        #expect(run.status == .usage)
        #expect(run.error.contains(message))
    }

    @Test(
        "A report is not written over the record that it is made from, by whatever path",
        arguments: [
            ["--record", "Reports/run.jsonl"], ["--html", "./Reports/../Reports/run.jsonl"], ["--ctrf", "link.jsonl"],
            ["--tap", "Folder/run.jsonl"], ["--junit", "Reports//run.jsonl,profile=ant"],
        ])
    func keepsRecords(options: [String]) async throws {
        let folder = try await self.played()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link.jsonl", withDestinationPath: folder.path + "/Reports/run.jsonl")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/Folder", withDestinationPath: folder.path + "/Reports")
        let before = try folder.data("Reports/run.jsonl")
        let run = try await ToolRun(["report", "Reports/run.jsonl"] + options, in: folder.path)
        #expect(run.status == .usage && run.error.contains("is one of the records and would be lost"), "\(run.error)")
        #expect(try folder.data("Reports/run.jsonl") == before)
    }

    @Test("A record of which a scenario has lost its end is refused, and --unfinished says so")
    func lostEnd() async throws {
        let folder = try await self.played()
        let lines = try folder.text("Reports/run.jsonl").split(separator: "\n")
        let end = try #require(lines.lastIndex { $0.contains("\"scenario_ended\"") })
        let left = lines.indices.filter { $0 != end }.map { lines[$0] + "\n" }.joined()
        try folder.write(left, to: "lost.jsonl")
        let run = try await ToolRun(["report", "lost.jsonl"], in: folder.path)
        #expect(run.status == .usage)
        #expect(run.error.contains("it has no end of 1 scenario that began"), "\(run.error)")
        let told = try await ToolRun(["report", "lost.jsonl", "--unfinished", "--junit", "j.xml"], in: folder.path)
        #expect(told.status == .harness)
        #expect(try folder.text("j.xml").contains("it has no end of 1 scenario that began"))
    }

    @Test("The summary of the job goes behind what other steps wrote, and the schema can be had without a record")
    func gitHubAndSchema() async throws {
        let folder = try await self.played()
        try folder.write("before\n", to: "summary.md")
        let run = try await ToolRun(
            ["report", "Reports/run.jsonl", "--github"], in: folder.path,
            variables: ["GITHUB_STEP_SUMMARY": folder.path + "/summary.md"])
        #expect(run.status == .success)
        #expect(run.output.contains("::error file=Scenarios/a.lua,line=3,"))
        let summary = try folder.text("summary.md")
        #expect(summary.hasPrefix("before\n### repartee"))
        let schema = try await ToolRun(["report", "--schema"], in: folder.path)
        #expect(schema.status == .success)
        #expect(try JSONReader.read(schema.output, depth: 50)["allOf"]?.array?.count == 14)
    }

    @Test("A summary that cannot be read is added to, and of one that cannot be written the reason is told")
    func gitHubSummary() async throws {
        let folder = try await self.played()
        // What is written to this is gone, and nothing can be read from a folder.
        for (path, reason) in [("/dev/full", "No space left on device"), (folder.path, "Is a directory")] {
            let run = try await ToolRun(
                ["report", "Reports/run.jsonl", "--github"], in: folder.path, variables: ["GITHUB_STEP_SUMMARY": path])
            #expect(run.error.contains("error: the summary of the job is not written: \(path) "), "\(run.error)")
            #expect(run.error.contains(reason), "\(run.error)")
            #expect(run.status == .harness, "\(run.error)")
        }
        let played = try await ToolRun(
            ["test", "Scenarios", "--filter", "passes", "--github"], in: folder.path,
            variables: ["GITHUB_STEP_SUMMARY": "/dev/full"])
        #expect(played.status == .harness && played.output.contains("1 passed"), "\(played.output)\(played.error)")
        // A pipe hands out each byte once: whoever reads what was there before takes it away.
        let pipe = folder.path + "/summary.pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let reader = open(pipe, O_RDWR | O_NONBLOCK)
        defer { close(reader) }
        let before = Array("before\n".utf8)
        #expect(write(reader, before, before.count) == before.count)
        let run = try await ToolRun(
            ["report", "Reports/run.jsonl", "--github"], in: folder.path, variables: ["GITHUB_STEP_SUMMARY": pipe])
        #expect(!run.error.contains("error:"), "\(run.error)")
        var left = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(reader, &left, left.count)
        #expect(String(decoding: left.prefix(max(0, count)), as: UTF8.self).hasPrefix("before\n### repartee"))
    }

    @Test("Two runs are compared on the console and in the page of the later one")
    func compares() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "scenario(\"a\", function() expect(env \"REPARTEE_N\", \"1\") end)\nscenario(\"b\", function() end)",
            to: "s.lua")
        for (name, variables) in [("old", ["REPARTEE_N": "1"]), ("new", [:])] {
            let run = try await ToolRun(["test", "s.lua", "--seed", "1"], in: folder.path, variables: variables)
            try folder.write(try run.reports.data("run.jsonl"), to: name + ".jsonl")
        }
        let run = try await ToolRun(
            ["report", "--compare", "old.jsonl", "new.jsonl", "--html", "c.html"], in: folder.path)
        #expect(run.status == .success)
        #expect(run.output.contains("\nbroke (1)\n  s.lua:1  a  passed → failed\n"))
        #expect(run.output.hasSuffix("\n1 as before\n"))
        #expect(try folder.text("c.html").contains("\"comparison\":"))
        #expect(try await ToolRun(["report", "--compare", "old.jsonl"], in: folder.path).status == .usage)
    }
}
