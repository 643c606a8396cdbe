import CommandLine
import Foundation
import RunRecord
import Testing

@Suite("Bad input ends with the right exit code and a message that helps")
struct BadInputTests {
    private static let passing = "scenario(\"greets\", function() end)\n"

    /// Runs the tool in a folder of files.
    private func run(
        _ arguments: [String], _ files: [String: String] = [:], variables: [String: String] = [:]
    ) async throws -> ToolRun {
        let folder = try TemporaryFolder()
        for (name, text) in files { try folder.write(text, to: name) }
        return try await ToolRun(arguments, in: folder.path, variables: variables)
    }

    // MARK: Paths

    @Test("a path that does not exist")
    func missingPath() async throws {
        let run = try await self.run(["test", "Scenarioz"], ["Scenarios/a.lua": Self.passing])
        #expect(run.status == .usage)
        #expect(run.error == "error: Scenarioz does not exist; give a scenario file or a folder of them\n")
    }

    @Test("no path and no folder Scenarios")
    func noDefaultFolder() async throws {
        let run = try await self.run(["test"])
        #expect(run.status == .usage)
        #expect(run.error.contains("Scenarios does not exist here, the folder that is played if none is given"))
        #expect(run.error.contains("or make a project: repartee init"))
    }

    @Test(
        "what stands in the wrong place is told with the line to write",
        arguments: [
            (
                ["--seed", "3", "test"],
                "--seed stands before the command; options come behind it: repartee test --seed"
            ),
            (["-v", "load"], "-v stands before the command; options come behind it: repartee load -v"),
            (["talk.lua"], "there is no command \"talk.lua\"; to play it: repartee test talk.lua"),
            (["talk.lua:1"], "to play it: repartee test talk.lua:1"),
            (["tlak.lua"], "there is no command \"tlak.lua\"; there are test"),
            (["test", "with", "blanks.lua"], "put quotes around a name with blanks: \"with blanks.lua\""),
            (["test", "with", "blank.lua"], "with does not exist; give a scenario file or a folder of them"),
        ])
    func misplaced(arguments: [String], message: String) async throws {
        let run = try await self.run(arguments, ["talk.lua": Self.passing, "with blanks.lua": Self.passing])
        #expect(run.status == .usage && run.output.isEmpty, "\(run.output)")
        #expect(run.error.contains(message), "\(run.error)")
    }

    @Test("a script whose name ends in capital letters is not passed over without a word")
    func capitals() async throws {
        let note = "Scenarios/TALK.LUA must end in .lua, in small letters, to be played; rename it"
        let alone = try await self.run(["test"], ["Scenarios/TALK.LUA": Self.passing])
        #expect(alone.status == .nothingToRun)
        #expect(alone.error.contains("there is no scenario file (*.lua) in Scenarios; \(note)"), "\(alone.error)")
        let beside = try await self.run(
            ["test"], ["Scenarios/TALK.LUA": Self.passing, "Scenarios/a.lua": Self.passing])
        #expect(beside.status == .success && beside.output.hasPrefix(note), "\(beside.output)")
    }

    @Test("a link that leads nowhere, or round in a circle, is told as such")
    func brokenLinks() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.passing, to: "Scenarios/ok.lua")
        for (name, place) in [("a.lua", "b.lua"), ("b.lua", "a.lua"), ("c.lua", "nowhere.lua")] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder.path)/Scenarios/\(name)", withDestinationPath: place)
        }
        let run = try await ToolRun(["test"], in: folder.path)
        #expect(run.status == .script && run.output.contains("1 passed, 3 errors"), "\(run.output)")
        #expect(
            run.output.contains(
                "Scenarios/a.lua cannot be read; check its permissions, and where it leads if it is a link"))
    }

    @Test("a folder without scripts")
    func emptyFolder() async throws {
        let run = try await self.run(["test", "Scenarios"], ["Scenarios/notes.txt": "nothing"])
        #expect(run.status == .nothingToRun)
        #expect(run.error == "error: there is no scenario file (*.lua) in Scenarios\n")
    }

    @Test("a script with a loop that does not end leaves the budget of the others alone")
    func endlessLoop() async throws {
        let run = try await self.run(
            ["test", "Scenarios"], ["Scenarios/a.lua": "while true do end", "Scenarios/b.lua": Self.passing])
        #expect(run.status == .script)
        #expect(try run.outcomes == ["cannot be loaded": .error, "greets": .passed], "\(run.output)")
    }

    @Test("a script that is no text, or cannot be read, is an error beside what the others come to")
    func unreadable() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data([0x2D, 0x2D, 0x0A, 0x2D, 0x2D, 0xE9, 0x0A]), to: "Scenarios/a.lua")
        try folder.write(Self.passing, to: "Scenarios/b.lua")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/Scenarios/c.lua", withDestinationPath: "nowhere.lua")
        let run = try await ToolRun(["test", "Scenarios"], in: folder.path)
        #expect(run.status == .script)
        #expect(run.output.contains("✓ greets"), "\(run.output)")
        #expect(run.output.contains("Scenarios/a.lua:2"), "\(run.output)")
        #expect(run.output.contains("line 2 is not UTF-8; save the file as UTF-8"), "\(run.output)")
        #expect(run.output.contains("Scenarios/c.lua cannot be read; check its permissions"), "\(run.output)")
        #expect(try run.reports.text("junit.xml").contains("line 2 is not UTF-8"))
        let list = try await ToolRun(["test", "Scenarios", "--list"], in: folder.path)
        #expect(list.status == .script)
        #expect(list.output.contains("Scenarios/b.lua:1  greets"), "\(list.output)")
        #expect(list.error.contains("line 2 is not UTF-8"), "\(list.error)")
    }

    @Test("a script without scenarios")
    func noScenarios() async throws {
        let run = try await self.run(["test", "a.lua"], ["a.lua": "local x = 1"])
        #expect(run.status == .nothingToRun)
        #expect(run.error.contains("no file in a.lua declares a scenario"))
    }

    @Test("a script without scenarios beside others is refused where it is named, and told where its folder is")
    func noScenariosBesideOthers() async throws {
        let files = [
            "Scenarios/a.lua": "require \"names\"\nlocal desk = require \"desk\"\n" + Self.passing,
            "Scenarios/b.lua": "local function later() scenario(\"greets\", function() end) end\n",
            "Scenarios/desk.lua": "return { name = \"desk\" }\n", "Scenarios/names.lua": "NAMES = { \"Ada\" }\n",
            "Scenarios/unused.lua": "return {}\n",
        ]
        let names = files.keys.sorted()
        let named = try await self.run(["test"] + names, files)
        #expect(named.status == .usage && named.output.isEmpty, "\(named.output)")
        #expect(named.error.hasPrefix("error: Scenarios/b.lua declares no scenario; write scenario("), "\(named.error)")
        let folder = try await self.run(["test", "Scenarios"], files)
        #expect(folder.status == .success, "\(folder.output)\(folder.error)")
        #expect(folder.output.contains("Scenarios/b.lua declares no scenario, and no file that does requires it\n"))
        let modules = try await self.run(["test"] + names.filter { $0 != "Scenarios/b.lua" }, files)
        #expect(modules.status == .success && !modules.output.contains("declares no scenario"), "\(modules.error)")
    }

    @Test(
        "options that ask for nothing, or for what the command does not do",
        arguments: [
            (["--list", "--junit", "a.xml"], "--list plays nothing, so there is nothing for --junit"),
            (["--list", "--update"], "nothing for --update"), (["--filter", ""], "--filter \"\" is in every title"),
            (["--target", "127.0.0.1:80"], "a URL begins with its scheme, as in http://"),
            (["--target", "ftp://127.0.0.1"], "--target: the URL \"ftp://127.0.0.1\" is not an HTTP URL"),
            (["--junit", "-"], "--junit writes a file; - is standard output, which only --tap writes to"),
            (["--ctrf", "-"], "--ctrf writes a file"), (["--reports", "-"], "--reports writes a file"),
        ])
    func vainOptions(options: [String], message: String) async throws {
        let run = try await self.run(["test", "a.lua"] + options, ["a.lua": Self.passing])
        #expect(run.status == .usage && run.error.contains(message), "\(run.error)")
    }

    @Test(
        "an empty argument, as a variable of the shell leaves that has no value",
        arguments: [
            (["test", ""], "an argument is empty"), (["test", "--verbose", ""], "an argument is empty"),
            (["test", "a.lua", "--", ""], "an argument is empty"), (["load", ""], "an argument is empty"),
            (["report", ""], "an argument is empty"),
            (["test", "a.lua", "--reports", ""], "the value of --reports is empty"),
            (["test", "a.lua", "--junit", ""], "--junit needs a file"),
            (["test", "a.lua", "--ctrf", ""], "the value of --ctrf is empty"),
            (["test", "a.lua", "--tap="], "Missing value for '--tap <file>'"),
            (["test", "a.lua", "--target", ""], "the value of --target is empty"),
            (["test", "a.lua", "--cassette", ""], "the value of --cassette is empty"),
            (["load", "a.lua", "--csv", ""], "the value of --csv is empty"),
            (["load", "a.lua", "--baseline", ""], "the value of --baseline is empty"),
            (["report", "run.jsonl", "--html", ""], "the value of --html is empty"),
            (["serve", "--system", ""], "the value of --system is empty"),
            (["judge", "--calibrate", ""], "the value of --calibrate is empty"),
        ])
    func emptyArgument(arguments: [String], message: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.passing, to: "a.lua")
        let run = try await ToolRun(arguments, in: folder.path)
        #expect(run.status == .usage && run.error.contains(message), "\(run.error)")
        #expect(run.output.isEmpty, "\(run.output)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "a.lua" }.isEmpty)
    }

    @Test("a target that has the name of the simulated servers")
    func embeddedTarget() async throws {
        let run = try await self.run(
            ["test", "a.lua"],
            [
                "a.lua": Self.passing,
                "repartee.lua": "return { targets = { embedded = { url = \"http://127.0.0.1:1\" } } }",
            ])
        #expect(run.status == .script && run.error.contains("choose another name"), "\(run.error)")
    }

    @Test("nothing fits the choice")
    func nothingSelected() async throws {
        let misspelt = try await self.run(
            ["test", "a.lua", "--filter", "greets", "--filter", "zzz"], ["a.lua": Self.passing])
        #expect(misspelt.status == .usage)
        // What a file declares that cannot be loaded, nobody knows.
        let broken = try await self.run(
            ["test", "a.lua", "b.lua", "--filter", "greets", "--filter", "zzz"],
            ["a.lua": Self.passing, "b.lua": "scenario("])
        #expect(broken.status != .usage && (broken.output + broken.error).contains("b.lua"), "\(broken.error)")
        #expect(
            misspelt.error.contains("--filter \"zzz\": none of 1 scenarios has that in its name"), "\(misspelt.error)")
        let run = try await self.run(["test", "a.lua", "--filter", "zzz"], ["a.lua": Self.passing])
        #expect(run.status == .nothingToRun)
        #expect(run.error == "error: none of 1 scenarios fits --filter; --list shows them all\n")
        #expect(!run.reports.has("junit.xml"))
    }

    // MARK: Scripts

    @Test(
        "a workload that no load test could play, though nothing is measured",
        arguments: [
            ("{ user = 5 }", "a.lua:1: workload.user: there is no such member; did you mean \"users\"?"),
            ("{ executor = \"constant_vus\", users = \"five\", duration = \"1m\" }", "a.lua:1: workload.users: "),
            ("{ workloads = { { user = 5 } } }", "a.lua:1: workload.workloads[1].user: there is no such member"),
        ])
    func workload(table: String, message: String) async throws {
        let run = try await self.run(["test", "a.lua"], ["a.lua": "workload \(table)\n" + Self.passing])
        #expect(run.status == .script && run.error.contains(message), "\(run.error)")
    }

    @Test(
        "a workload may lack what the options of a load test give",
        arguments: ["{ users = 5 }", "{ think_time = \"1s\" }"])
    func partialWorkload(table: String) async throws {
        let run = try await self.run(["test", "a.lua"], ["a.lua": "workload \(table)\n" + Self.passing])
        #expect(run.status == .success, "\(run.error)")
    }

    @Test("a script that is not UTF-8")
    func notUTF8() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data(Self.passing.utf8) + Data([0x2D, 0x2D, 0xFF, 0xFE, 0x0A]), to: "a.lua")
        let run = try await ToolRun(["test", "a.lua"], in: folder.path)
        #expect(run.status == .script)
        #expect(run.output.contains("a.lua"))
        #expect(run.output.contains("UTF-8"))
        #expect(run.output.contains("line 2"))
    }

    @Test("a byte-order mark is no part of a script")
    func byteOrderMark() async throws {
        let run = try await self.run(["test", "a.lua"], ["a.lua": "\u{FEFF}" + Self.passing])
        #expect(run.status == .success)
    }

    @Test("a script with a NUL and one that is binary")
    func binary() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data([0x1B, 0x4C, 0x75, 0x61, 0x54, 0x00, 0x19, 0x93]), to: "a.lua")
        let run = try await ToolRun(["test", "a.lua"], in: folder.path)
        #expect(run.status == .script)
        #expect((run.error + run.output).contains("a.lua"))
    }

    @Test("a huge script")
    func huge() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data(repeating: 0x20, count: 32 << 20) + Data(Self.passing.utf8), to: "a.lua")
        let run = try await ToolRun(["test", "a.lua"], in: folder.path)
        #expect(run.status == .script)
        #expect(run.output.contains("a.lua"))
        #expect(run.output.contains("MB"))
    }

    @Test("a long script of many scenarios is no trouble")
    func long() async throws {
        let script = (1...3000).map { "scenario(\"number \($0)\", function() wait \"1s\" end)\n" }.joined()
        let run = try await self.run(["test", "a.lua", "--quiet"], ["a.lua": script])
        #expect(run.status == .success)
        #expect(try run.outcomes.count == 3000)
    }

    @Test("a directory named like a script, and a dangling link")
    func oddEntries() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.passing, to: "Scenarios/odd.lua/inner.lua")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/Scenarios/gone.lua", withDestinationPath: folder.path + "/nowhere.lua")
        let run = try await ToolRun(["test"], in: folder.path)
        // An error beside the results of the other, as of a file with a mistake.
        #expect(run.status == .script)
        #expect(run.output.contains("gone.lua"))
        #expect(try run.outcomes.values.contains(.passed))
    }

    @Test("one broken script is an error beside the results of the others")
    func oneBroken() async throws {
        let run = try await self.run(
            ["test", "Scenarios"], ["Scenarios/a.lua": Self.passing, "Scenarios/b.lua": "scenario("])
        #expect(run.status == .script)
        #expect(run.output.contains("at Scenarios/b.lua:1"), "\(run.output)")
        #expect(run.output.contains("2 scenarios: 1 passed, 1 error"), "\(run.output)")
        #expect(run.output.contains("repartee test Scenarios/b.lua --seed"), "\(run.output)")
        #expect(!run.output.contains("--filter"))
        let report = try XMLFile(try run.reports.data("junit.xml"))
        #expect(report.all("testcase").map { $0.attributes["name"] } == ["cannot be loaded", "greets"])
        let error = try #require(report.all("error").first)
        #expect(error.attributes["type"] == "syntax")
        #expect(report.all("testcase").first?.attributes["line"] == "1")
    }

    @Test("broken scripts of a run in shards are reported by the first shard, and fail every shard")
    func brokenInShards() async throws {
        let files = ["Scenarios/a.lua": Self.passing, "Scenarios/b.lua": "scenario("]
        for (shard, errors) in [("1/2", 1), ("2/2", 0)] {
            let run = try await self.run(["test", "Scenarios", "--seed", "1", "--shard", shard], files)
            #expect(run.status == .script, "\(run.output)\(run.error)")
            #expect(try XMLFile(try run.reports.data("junit.xml")).all("error").count == errors, "\(shard)")
        }
    }

    @Test("a broken script does not count as a scenario that did not pass")
    func brokenAndFailFast() async throws {
        let run = try await self.run(
            ["test", "Scenarios", "--fail-fast"], ["Scenarios/a.lua": "scenario(", "Scenarios/b.lua": Self.passing])
        #expect(run.status == .script)
        #expect(run.output.contains("2 scenarios: 1 passed, 1 error"), "\(run.output)")
    }

    @Test("--list shows what can be loaded and names what cannot")
    func listsBroken() async throws {
        let run = try await self.run(
            ["test", "Scenarios", "--list"], ["Scenarios/a.lua": Self.passing, "Scenarios/b.lua": "scenario("])
        #expect(run.status == .script)
        #expect(run.output == "Scenarios/a.lua:1  greets\n")
        #expect(run.error.contains("b.lua:1"))
    }

    @Test("a module that leads out of the project by a link is not found")
    func linkOut() async throws {
        let outside = try TemporaryFolder()
        try outside.write("return { secret = 42 }", to: "loot.lua")
        let folder = try TemporaryFolder()
        try folder.write("return {}", to: "repartee.lua")
        try folder.write(
            "scenario(\"looks\", function()\n  local found, message = pcall(require, \"loot\")\n"
                + "  expect(found, false)\n  expect(message.message or tostring(message), match.contains \"no module\")\n"
                + "end)\n", to: "a.lua")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/loot.lua", withDestinationPath: outside.path + "/loot.lua")
        let run = try await ToolRun(["test", "a.lua"], in: folder.path)
        #expect(run.status == .success, "\(run.output)")
    }

    // MARK: Configuration

    @Test(
        "a broken repartee.lua",
        arguments: [
            ("return {", "repartee.lua:1"), ("return 7", "returns no table"), ("", "returns no table"),
            ("error \"no\"", "repartee.lua:1"), ("while true do end", "repartee.lua:1"),
            ("return { target = {} }", "did you mean \"targets\"?"),
            ("return { targets = { a = {} } }", "url"), ("return { targets = { a = \"http://x\" } }", "a table"),
            ("return { limits = { scenario = \"soon\" } }", "a duration"),
        ])
    func brokenConfiguration(source: String, message: String) async throws {
        let run = try await self.run(["test", "a.lua"], ["repartee.lua": source, "a.lua": Self.passing])
        #expect(run.status == .script)
        #expect(run.error.contains("repartee.lua"))
        #expect(run.error.contains(message), "\(run.error)")
    }

    @Test("limits of repartee.lua hold")
    func limits() async throws {
        let run = try await self.run(
            ["test", "a.lua"],
            [
                "repartee.lua": "return { limits = { scenario = \"2s\" } }",
                "a.lua": "scenario(\"waits\", function() wait \"3s\" end)",
            ])
        #expect(run.status == .failed)
        #expect(run.output.contains("the time limit of the scenario, 2s, passed"))
    }

    @Test("an unknown target is wrong usage, and the message names the known ones")
    func unknownTarget() async throws {
        let files = [
            "repartee.lua": "return { targets = { staging = { url = \"http://127.0.0.1:1\" } } }",
            "a.lua": Self.passing,
        ]
        let run = try await self.run(["test", "a.lua", "--target", "stagging"], files)
        #expect(run.status == .usage)
        #expect(run.error.contains("staging"))
        let none = try await self.run(["test", "a.lua", "--target", "x"], ["a.lua": Self.passing])
        #expect(none.status == .usage)
        #expect(none.error.contains("there are none; add targets = { NAME = { url ="))
    }

    // MARK: The command line

    @Test(
        "wrong usage says what is wrong",
        arguments: [
            (["test", "--no-such-option"], "--no-such-option"), (["tset"], "tset"), (["test", "--seed", "x"], "seed"),
            (["test", "--workers", "0"], "--workers"), (["test", "--clock", "lunar"], "clock"),
            (["test", "--verbose", "--quiet"], "--quiet"), (["test", "--filter"], "filter"),
            (["test", "--target", "t", "--clock", "virtual"], "--clock virtual"),
            (["serve", "--port", "99999"], "--port"),
            (["serve", "--port", "0", "--system", "mpqtt"], "there are boldchat, graphql, http, liveassist"),
            (["serve", "--port", "0", "--system", "Scenarios/none.lua"], "Scenarios/none.lua does not exist"),
            (
                ["serve", "--port", "0", "--system", "a"],
                "there is no simulated server \"a\"; one of the project is named by its file: Scenarios/a.lua"
            ),
        ])
    func usage(arguments: [String], message: String) async throws {
        let run = try await self.run(arguments, ["Scenarios/a.lua": Self.passing])
        #expect(run.status == .usage)
        #expect(run.error.contains(message), "\(run.error)")
        #expect(run.output.isEmpty)
    }

    @Test("a system that is served by hand and has a mistake ends with the exit code of scripts")
    func servedMistake() async throws {
        let run = try await self.run(
            ["serve", "--port", "0", "--system", "Scenarios/desk.lua"], ["Scenarios/desk.lua": "return nonsense.x"])
        #expect(run.status == .script, "\(run.error)")
        #expect(run.error.contains("nonsense"))
    }

    @Test("help and version are no errors")
    func help() async throws {
        #expect(try await self.run(["--help"]).status == .success)
        #expect(try await self.run(["test", "--help"]).output.contains("--filter"))
        #expect(try await self.run(["--version"]).output.contains("."))
        #expect(try await self.run([]).status == .usage)
    }

    @Test(
        "help on a command that there is not",
        arguments: [
            (["help", "tset"], "there is no command \"tset\"; did you mean \"test\"?"),
            (["help", "nonsense"], "there is no command \"nonsense\"; there are test, load"),
            (["help", "test", "load"], "there is no command \"test load\""),
            (["help", ""], "there is no command \"\""),
            (["tset", "--help"], "there is no command \"tset\"; did you mean \"test\"?"),
        ])
    func unknownHelp(arguments: [String], message: String) async throws {
        let run = try await self.run(arguments)
        #expect(run.status == .usage && run.error.contains(message), "\(run.error)")
        #expect(run.output.isEmpty, "\(run.output)")
    }

    @Test("help on a command is that of the command", arguments: ["test", "report"])
    func commandHelp(command: String) async throws {
        let run = try await self.run(["help", command])
        let wanted = try await self.run([command, "--help"])
        #expect(run.status == .success && run.output == wanted.output, "\(run.error)")
        #expect(run.output.contains("repartee \(command)"))
    }

    // MARK: Reports

    @Test("reports that cannot be written are said before anything is played, and the exit code tells")
    func unwritableReports() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.passing, to: "a.lua")
        try folder.write("a file where a folder should be", to: "Reports")
        let run = try await ToolRun(["test", "a.lua", "--reports", "Reports"], in: folder.path)
        #expect(run.status == .harness)
        #expect(run.error.hasPrefix("error: no report can be written to Reports, so nothing is played"), "\(run.error)")
        #expect(run.output.isEmpty)
        #expect(try folder.text("Reports") == "a file where a folder should be")
    }

    @Test("a lock that somebody else has left and nobody can open keeps no run from its reports")
    func leftLock() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.passing, to: "a.lua")
        try FileManager.default.createDirectory(
            atPath: folder.path + "/Reports/.test.lock", withIntermediateDirectories: true)
        let run = try await ToolRun(["test", "a.lua", "--reports", "Reports"], in: folder.path)
        #expect(run.status == .success, "\(run.error)")
        #expect(folder.has("Reports/run.jsonl"))
    }

    @Test("a JUnit file that cannot be written is said")
    func unwritableJUnit() async throws {
        let run = try await self.run(["test", "a.lua", "--junit", "a.lua/x.xml"], ["a.lua": Self.passing])
        #expect(run.status == .harness)
        #expect(run.error.contains("x.xml"))
    }

    // MARK: Endless scripts

    @Test(
        "a script that never ends is stopped",
        arguments: [
            "while true do end", "while true do pcall(function() while true do end end) end",
            "local s = (\"a\"):rep(50) string.find(s, (\"a*\"):rep(50) .. \"b\")",
            "setmetatable({}, { __gc = function() while true do end end }) collectgarbage() while true do end",
            "local function f() return f() end f()", "local t = {} while true do t = { t } end",
            "(\"x\"):rep(1e10)", "coroutine.wrap(function() while true do end end)()",
        ])
    func endless(body: String) async throws {
        let script = "scenario(\"endless\", function()\n\(body)\nend)\nscenario(\"after\", function() end)\n"
        let run = try await self.run(["test", "a.lua"], ["a.lua": script])
        #expect(run.status == .script)
        #expect(try run.outcomes["endless"] == .error)
        #expect(try run.outcomes["after"] == .passed)
        #expect(run.output.contains("at a.lua:"), "\(run.output)")
    }
}
