import CommandLine
import Foundation
import Processes
import Testing

@Suite("What an earlier run or a lost output must not make look good", .waitsForProcesses)
struct OldReportTests {
    private static let files = ["junit.xml", "report.html", "run.jsonl", "t.tap", "c.json"]

    private func run(_ script: String, _ arguments: [String] = [], in folder: TemporaryFolder) async throws -> ToolRun {
        try folder.write(script, to: "s.lua")
        return try await ToolRun(
            ["test", "s.lua", "--reports", "r", "--tap", "r/t.tap", "--ctrf", "r/c.json"] + arguments, in: folder.path)
    }

    @Test(
        "The reports of the run before are gone before a script is loaded",
        arguments: [
            ("this is no Lua", [], ToolStatus.script),
            ("scenario(\"unmistakable\", function() expect(1, 1) end)", ["--filter", "none"], .nothingToRun),
        ])
    func removed(script: String, arguments: [String], status: ToolStatus) async throws {
        let folder = try TemporaryFolder()
        let good = try await self.run("scenario(\"unmistakable\", function() expect(1, 1) end)", in: folder)
        #expect(good.status == .success)
        for name in Self.files { #expect(folder.has("r/" + name)) }
        let bad = try await self.run(script, arguments, in: folder)
        #expect(bad.status == status)
        // A script that cannot be loaded is an error of the new reports.
        if status == .script {
            for name in Self.files { #expect(!(try folder.text("r/" + name).contains("unmistakable")), "\(name)") }
            #expect(try folder.text("r/junit.xml").contains("<error"))
        } else {
            for name in Self.files { #expect(!folder.has("r/" + name), "\(name)") }
        }
        #expect(folder.has("r/history.json"))
    }

    @Test("A list of scenarios takes no report away")
    func list() async throws {
        let folder = try TemporaryFolder()
        let script = "scenario(\"unmistakable\", function() expect(1, 1) end)"
        _ = try await self.run(script, in: folder)
        #expect(try await ToolRun(["test", "s.lua", "--reports", "r", "--list"], in: folder.path).status == .success)
        for name in Self.files { #expect(folder.has("r/" + name)) }
    }

    /// A load run takes the place of an earlier one when it begins, for what the earlier one came to may have taken
    /// hours, and may be what this one is to be compared with.
    @Test(
        "A load run that is refused takes no result away",
        arguments: [
            (
                ["load.lua", "--threshold", "p95(delivry) vs baseline < 5%", "--baseline", "Reports/load.json"],
                ToolStatus.usage
            ),
            (["load.lua", "--users", "0", "--duration", "1s"], .usage), (["nofile.lua"], nil),
            (["empty.lua"], .script), (["load.lua", "--target", "http://127.0.0.1:1", "--no-calibrate"], .harness),
            (["load.lua", "--find", "p95(delivry) < 1s"], nil),
        ])
    func refusedLoad(arguments: [String], status: ToolStatus?) async throws {
        let shape = "workload { executor = \"per_vu_iterations\", users = 2, iterations = 1, max_duration = \"1m\" }\n"
        let folder = try TemporaryFolder()
        let outputs = ["--csv", "Reports/l.csv", "--histogram-log", "Reports/l.hlog"]
        let source = shape + "scenario(\"s\", function() wait(1) end)"
        let (good, _) = try await ToolRun.load(source, ["--clock", "virtual"] + outputs, in: folder)
        #expect(good.status == .success, "\(good.output)\(good.error)")
        try folder.write("{}", to: "Reports/capacity.json")
        try folder.write("local nothing = 1", to: "empty.lua")
        let names = ["load.json", "load.html", "load-junit.xml", "l.csv", "l.hlog", "capacity.json"]
        let before = try names.map { try folder.data("Reports/" + $0) }
        let isSearch = arguments.contains("--find")
        let bad = try await ToolRun(["load"] + arguments + (isSearch ? [] : outputs), in: folder.path)
        #expect(bad.status != .success && (status == nil || bad.status == status), "\(bad.output)\(bad.error)")
        for (name, data) in zip(names, before) {
            #expect(folder.has("Reports/" + name), "\(name): \(bad.error)")
            if folder.has("Reports/" + name) { #expect(try folder.data("Reports/" + name) == data, "\(name)") }
        }
    }

    @Test("A report that is a link stays one")
    func link() async throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "real.xml")
        try FileManager.default.createDirectory(atPath: folder.path + "/r", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/r/junit.xml", withDestinationPath: "../real.xml")
        #expect(try await self.run("this is no Lua", in: folder).status == .script)
        #expect(try folder.text("real.xml").contains("<error"))
        _ = try await self.run("scenario(\"unmistakable\", function() expect(1, 1) end)", in: folder)
        #expect(try folder.text("real.xml").hasPrefix("<?xml"))
    }

    @Test("A run of which everything is skipped has tested nothing")
    func skipped() async throws {
        let folder = try TemporaryFolder()
        let script = "for n = 1, 3 do scenario(\"s\" .. n, { skip = \"later\" }, function() end) end"
        let all = try await self.run(script, in: folder)
        #expect(all.status == .nothingToRun)
        #expect(all.error == "error: all 3 scenarios were skipped, so nothing was tested\n")
        let one = try await self.run("scenario(\"s\", { skip = \"later\" }, function() end)", in: folder)
        #expect(one.status == .nothingToRun)
        #expect(one.error == "error: the only scenario was skipped, so nothing was tested\n")
        let some = try await self.run(script + " scenario(\"unmistakable\", function() expect(1, 1) end)", in: folder)
        #expect(some.status == .success)
        // Another shard may have what is not skipped.
        let shard = try await self.run(script, ["--seed", "1", "--shard", "1/2"], in: folder)
        #expect(shard.status == .success)
    }

    @Test(
        "Output that is lost is an error, and a reader that goes away ends no run",
        .enabled(if: Product.program != nil, "needs the program that the build makes"),
        arguments: [
            ("--tap - >/dev/full", 4), (">/dev/full", 4), ("--list json >/dev/full", 4), ("| head -1", 0),
            ("--tap - | head -1", 4),
        ])
    func output(rest: String, code: Int32) throws {
        let folder = try TemporaryFolder()
        try folder.write("for n = 1, 90 do scenario(\"s\" .. n, function() wait(1) end) end", to: "s.lua")
        let tool = try #require(Product.program)
        let shell = try ChildProcess(
            ["/bin/bash", "-c", "'\(tool)' test s.lua --reports r \(rest) 2>errors; exit ${PIPESTATUS[0]}"],
            in: folder.path)
        let ending = shell.end()
        // With `--tap -` and a reader that goes away the report is lost, unless it went into the pipe before.
        let codes = rest.hasPrefix("--tap - |") ? [0, code] : [code]
        #expect(codes.contains(ending), "\(rest)")
        if rest.hasSuffix("/dev/full") {
            #expect(try folder.text("errors").contains("error: standard output cannot be written: No space left"))
        }
        guard !rest.contains("--list") else { return }
        let suites = try XMLFile(try folder.data("r/junit.xml")).all("testsuites")
        #expect(suites.first?.attributes["tests"] == "90")
        #expect(suites.first?.attributes["errors"] == "0")
    }
}
