import CommandLine
import Foundation
import RunRecord
import Testing

@Suite("Scenarios are chosen by their places")
struct ScenarioPlaceTests {
    private static let script = """
        -- a comment
        scenario("a", function() expect(1, 1) end)

        scenario("a b", function()
            expect(1, 1)
        end)
        scenario("rows", { rows = { { name = "x" }, { name = "x y" } } }, function() expect(1, 1) end)

        """

    private func project(_ script: String = Self.script) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(script, to: "Scenarios/a.lua")
        try folder.write("scenario(\"other\", function() expect(1, 1) end)", to: "Scenarios/b.lua")
        return folder
    }

    @Test(
        "the last scenario that is declared at a line or above it",
        arguments: [
            (["Scenarios/a.lua:2"], ["a"]), (["Scenarios/a.lua:3"], ["a"]), (["Scenarios/a.lua:5"], ["a b"]),
            (["Scenarios/a.lua:8"], ["rows", "rows"]), (["Scenarios/a.lua:7#2"], ["rows"]),
            (["Scenarios/a.lua:7", "--filter", "[x]"], ["rows"]),
            (["Scenarios/a.lua:2", "Scenarios/a.lua:4"], ["a", "a b"]),
            (["Scenarios/a.lua:2", "Scenarios/b.lua"], ["a", "other"]),
            (["Scenarios/a.lua:2", "Scenarios"], ["a", "a b", "other", "rows", "rows"]),
        ])
    func chosen(arguments: [String], titles: [String]) async throws {
        let folder = try self.project()
        let run = try await ToolRun(["test"] + arguments, in: folder.path)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        let played = try run.record.compactMap { entry in
            if case .scenarioStarted(let start) = entry { start.titlePath.joined() } else { nil }
        }
        #expect(played.sorted() == titles, "\(run.output)")
        let list = try await ToolRun(["test", "--list"] + arguments, in: folder.path)
        #expect(list.output.split(separator: "\n").count == titles.count, "\(list.output)")
    }

    @Test(
        "places where there is nothing to play",
        arguments: [
            ("Scenarios/a.lua:1", "Scenarios/a.lua:1: no scenario is declared at that line or above it; the first one"),
            ("Scenarios/a.lua:2#2", "Scenarios/a.lua:2#2: one scenario is declared there, at line 2"),
            ("Scenarios/a.lua:8#3", "Scenarios/a.lua:8#3: 2 scenarios are declared there, at line 7"),
            (
                "Scenarios/a.lua:9",
                "Scenarios/a.lua:9: the file ends at line 8; the last scenario stands at line 7, and --list shows"
            ),
            ("Scenarios:3", "Scenarios:3: Scenarios is a folder; name a file and a line of it"),
            ("Scenarios/c.lua:3", "Scenarios/c.lua does not exist"),
            ("Scenarios/a.lua:0", "Scenarios/a.lua:0 does not exist"),
        ])
    func nothing(path: String, message: String) async throws {
        let folder = try self.project()
        let run = try await ToolRun(["test", path], in: folder.path)
        #expect(run.status == .usage && run.error.contains(message), "\(run.error)")
    }

    @Test("one that is chosen by its place is played also where another one is to be played only")
    func only() async throws {
        let folder = try self.project(
            "scenario(\"a\", { only = true }, function() end)\nscenario(\"b\", function() expect(1, 1) end)\n")
        let run = try await ToolRun(["test", "Scenarios/a.lua:2"], in: folder.path)
        #expect(try run.outcomes == ["b": .passed], "\(run.output)")
        #expect(!run.output.contains("only = true"), "\(run.output)")
        try folder.write(
            "scenario(\"alone\", { only = true }, function() expect(1, 1) end)\n"
                + "scenario(\"left out\", function() expect(1, 1) end)\n", to: "Scenarios/only.lua")
        let both = try await ToolRun(["test", "Scenarios/a.lua:2", "Scenarios/only.lua"], in: folder.path)
        #expect(try both.outcomes == ["b": .passed, "alone": .passed], "\(both.output)")
        #expect(both.output.contains("1 scenario is left out"), "\(both.output)")
    }

    @Test("a file that has the whole name is that file")
    func name() async throws {
        let folder = try self.project()
        try folder.write("scenario(\"colon\", function() expect(1, 1) end)", to: "Scenarios/a.lua:2")
        let run = try await ToolRun(["test", "Scenarios/a.lua:2"], in: folder.path)
        #expect(try run.outcomes == ["colon": .passed], "\(run.output)")
    }

    @Test("a load test plays the scenario of a line")
    func load() async throws {
        let folder = try self.project()
        let arguments = ["--iterations", "3", "--duration", "1m", "--clock", "virtual", "--seed", "1"]
        let several = try await ToolRun(["load", "Scenarios/a.lua"] + arguments, in: folder.path)
        #expect(several.status != .success && several.error.contains("the file has 4 scenarios"), "\(several.error)")
        let run = try await ToolRun(["load", "Scenarios/a.lua:5"] + arguments, in: folder.path)
        #expect(run.status == .success, "\(run.output)\(run.error)")
    }

    @Test("the replay command of every failure plays that scenario with its randomness, and no other")
    func replays() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            #"""
            for _, name in ipairs { "a", "a b", "a\nb", "a\tb", "-v", "--seed 5", "\u{202e}r", "\u{feff}x", "e\u{301}",
                "\u{e9}", "null\0byte", "plain" } do
                scenario(name, function() expect(random.hex(6), "zz") end)
            end
            group("a", function() scenario("b", function() expect(random.hex(6), "zz") end) end)
            scenario("a › b", function() expect(random.hex(6), "zz") end)
            scenario("rows", { rows = { { name = "x" }, { name = "x]" }, { name = "\u{202e}" }, { text = "-" } } },
                function() expect(random.hex(6), "zz") end)
            """#, to: "s.lua")
        let all = try await ToolRun(["test", "s.lua", "--seed", "9"], in: folder.path)
        var found = 0
        var message = ""
        for line in all.output.split(separator: "\n") {
            if line.contains("expected \"zz\", got") { message = String(line) }
            guard line.hasPrefix("    replay    ") else { continue }
            found += 1
            let words = Self.words(line.dropFirst("    replay    ".count))
            let one = try await ToolRun(Array(words.dropFirst()), in: folder.path)
            let count = try one.record.count { if case .scenarioStarted = $0 { true } else { false } }
            #expect(count == 1, "\(line)\n\(one.output)\(one.error)")
            #expect(one.output.contains(message), "\(line)\n\(one.output)\(one.error)")
        }
        #expect(found == 18, "\(all.output)\(all.error)")
    }

    /// Takes a command apart as a shell does, as far as replay commands use quotes.
    private static func words(_ line: Substring) -> [String] {
        var words: [String] = [""]
        var isQuoted = false
        for character in line {
            switch character {
            case "'": isQuoted.toggle()
            case " " where !isQuoted: words.append("")
            default: words[words.count - 1].append(character)
            }
        }
        return words
    }
}
