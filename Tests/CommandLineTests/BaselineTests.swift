import CommandLine
import Foundation
import RunRecord
import Testing

@Suite("Baselines of pass rates")
struct BaselineTests {
    private static func script(rate: Double, fingerprint: String? = nil, name: String = "knows") -> String {
        let stated = fingerprint.map { ", fingerprint = \"\($0)\"" } ?? ""
        return """
            local passes = { at_least = 0.5, margin = 0.2, at_most_tries = 80\(stated) }
            scenario("\(name)", { passes = passes }, function() expect(random.number() < \(rate), true) end)
            scenario("guesses", { passes = { at_least = 0.9 } }, function() expect(random.number() < 0.3, true) end)
            """
    }

    private static func test(_ options: String..., in folder: TemporaryFolder) async throws -> ToolRun {
        try await ToolRun(["test", "bot.lua", "--filter", "knows", "--seed", "7"] + options, in: folder.path)
    }

    @Test("a rate is stored, compared with, and a fall fails with both rates")
    func fall() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.script(rate: 0.99), to: "bot.lua")
        #expect(try await Self.test(in: folder).status == .success)
        #expect(!folder.has("baselines/bot.json"))
        let stored = try await Self.test("--update-baseline", "--all-tries", in: folder)
        #expect(stored.status == .success && stored.output.hasSuffix("stored baselines/bot.json\n"))
        let text = try folder.text("baselines/bot.json")
        #expect(text.contains(#"    "knows": { "passed": "#) && text.contains(#""tries": 80 }"#))

        let same = try await Self.test(in: folder)
        #expect(same.status == .success && same.output.contains("    baseline: "))
        try folder.write(Self.script(rate: 0.62), to: "bot.lua")
        let fallen = try await Self.test("--all-tries", in: folder)
        #expect(fallen.status == .failed)
        #expect(fallen.output.contains("passes less often than it did: passed in "))
        #expect(fallen.output.contains("--update-baseline"))
        #expect(try fallen.reports.text("run.jsonl").contains(#""verdict":"pass""#))
        // What a replay of one try, and a run without the file, say has nothing to do with the rate of another day.
        let one = try await Self.test("--one-try", in: folder)
        #expect(!one.output.contains("baseline"))
        #expect(try folder.text("baselines/bot.json") == text)
        #expect(try await Self.test("--all-tries", "--update-baseline", in: folder).status == .success)
        #expect(try folder.text("baselines/bot.json") != text)
        #expect(try await Self.test("--all-tries", in: folder).status == .success)
    }

    @Test(
        "what is under test has another name than in the baseline: an error, and never a pass",
        arguments: [("model-1", "model-2"), ("model-1", nil), (nil, "model-2")] as [(String?, String?)])
    func fingerprint(before: String?, after: String?) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.script(rate: 1, fingerprint: before), to: "bot.lua")
        #expect(try await Self.test("--update-baseline", in: folder).status == .success)
        #expect(try await Self.test(in: folder).status == .success)
        try folder.write(Self.script(rate: 1, fingerprint: after), to: "bot.lua")
        let run = try await Self.test(in: folder)
        #expect(run.status == .script && run.output.contains("what is under test"))
        for name in [before, after].compactMap(\.self) { #expect(run.output.contains("\"\(name)\"")) }
        // Not one try is paid for.
        #expect(try run.outcomes == ["knows": .error])
        let begun = try run.record.count { entry in if case .scenarioStarted = entry { true } else { false } }
        #expect(begun == 1)
        #expect(try await Self.test("--update-baseline", in: folder).status == .success)
        #expect(try await Self.test(in: folder).status == .success)
    }

    @Test("what does not pass is not stored, and what was stays")
    func failing() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.script(rate: 1), to: "bot.lua")
        let first = try await ToolRun(["test", "bot.lua", "--update-baseline"], in: folder.path)
        #expect(first.status == .failed)
        #expect(first.output.contains("not stored as a baseline, for it did not pass: bot.lua::guesses\n"))
        let text = try folder.text("baselines/bot.json")
        #expect(text.contains("knows") && !text.contains("guesses"))
        try folder.write(Self.script(rate: 0), to: "bot.lua")
        #expect(try await ToolRun(["test", "bot.lua", "--update-baseline"], in: folder.path).status == .failed)
        #expect(try folder.text("baselines/bot.json") == text)
    }

    @Test("a scenario that was renamed does not lose its baseline without a word")
    func leftover() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.script(rate: 1), to: "bot.lua")
        #expect(try await Self.test("--update-baseline", in: folder).status == .success)
        try folder.write(Self.script(rate: 1, name: "knows all"), to: "bot.lua")
        let run = try await Self.test(in: folder)
        #expect(run.status == .script && run.error.contains("baselines/bot.json has the rate of \"knows\""))
        #expect(try await Self.test("--update-baseline", in: folder).status == .success)
        let text = try folder.text("baselines/bot.json")
        #expect(text.contains("\"knows all\":") && !text.contains("\"knows\":"))
    }

    @Test(
        "a file that is damaged is an error that says what is wrong, also when it would be written",
        arguments: [
            ("[", "no JSON"), (#"{ "scenarios": {} }"#, "\"format\": 1"),
            (#"{ "format": 1, "scenarios": { "knows": { "passed": 9, "tries": 8 } } }"#, "is not like"),
            (#"{ "format": 1, "scenarios": { "knows": { "passed": 0, "tries": 0 } } }"#, "is not like"),
            (#"{ "format": 1, "scenarios": { "knows": 0.9 } }"#, "is not like"),
            (
                #"{ "format": 1, "scenarios": { "knows": { "passed": 8, "tries": 8, "fingerprint": 4 } } }"#,
                "is not like"
            ),
            (#"{ "format": 1, "scenarios": { "knows": { "pased": 8, "tries": 8 } } }"#, "\"pased\""),
            (
                #"{ "format": 1, "scenarios": { "a": { "passed": 1, "tries": 9 }, "a": { "passed": 9, "tries": 9 } } }"#,
                "two members \"a\""
            ),
        ])
    func damaged(text: String, message: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.script(rate: 1), to: "bot.lua")
        try folder.write(text, to: "baselines/bot.json")
        for options in [[], ["--update-baseline"]] {
            let run = try await ToolRun(["test", "bot.lua"] + options, in: folder.path)
            #expect(run.status == .script && run.error.contains("baselines/bot.json: ") && run.error.contains(message))
            #expect(try folder.text("baselines/bot.json") == text)
        }
    }

    @Test("what is stored of a script that was renamed is refused, and other files beside it are not")
    func renamedScript() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.script(rate: 1), to: "bot.lua")
        #expect(try await Self.test("--update-baseline", in: folder).status == .success)
        try folder.write(#"{ "metrics": {} }"#, to: "baselines/load.json")
        let stored = try folder.text("baselines/bot.json")
        // However it is written by whom, and in either order.
        let others = [
            #"{"scenarios":{"knows":{"passed":3,"tries":4}},"format":1}"#,
            "{\r\n\t\"format\": 1,\r\n\t\"scenarios\": { \"knows\": { \"passed\": 3, \"tries\": 4 } } }",
        ]
        for text in [stored] + others {
            try folder.write(text, to: "baselines/old.json")
            let run = try await Self.test(in: folder)
            #expect(run.status == .script)
            #expect(
                run.error.contains("baselines/old.json has the rates of old.lua, which is not there"), "\(run.error)")
        }
        try folder.write(#"{ "format": 1, "scenarios": {} }"#, to: "baselines/old.json")
        let other = try await Self.test(in: folder)
        #expect(other.status == .success, "\(other.error)")
    }

    @Test("where no scenario has a rate there is none to store, unless what was stored is taken out")
    func noRates() async throws {
        let folder = try TemporaryFolder()
        let plain = "scenario(\"plain\", function() expect(1, 1) end)\n"
        try folder.write(Self.script(rate: 1) + plain, to: "bot.lua")
        try folder.write(plain + plain.replacing("plain", with: "simple"), to: "other.lua")
        for (chosen, complaint) in [
            (["bot.lua", "--filter", "plain"], "the scenario chosen has no rate to store"),
            (["other.lua"], "none of the 2 scenarios chosen has a rate to store"),
        ] {
            let run = try await ToolRun(["test", "--update-baseline"] + chosen, in: folder.path)
            #expect(run.status == .usage && run.error.contains(complaint), "\(run.error)")
            #expect(run.error.contains("write passes = { at_least = 0.9 } in its options"))
            #expect(!run.reports.has("run.jsonl"))
        }
        #expect(try await Self.test("--update-baseline", in: folder).status == .success)
        try folder.write(plain, to: "bot.lua")
        #expect(try await ToolRun(["test", "bot.lua", "--update-baseline"], in: folder.path).status == .success)
        #expect(try await ToolRun(["test", "bot.lua"], in: folder.path).status == .success)
    }

    @Test("options that leave no rate are refused", arguments: ["--one-try", "--fault cut@1"])
    func contradictions(option: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.script(rate: 1), to: "bot.lua")
        for other in ["--update-baseline", "--all-tries"] {
            let run = try await ToolRun(
                ["test", "bot.lua", other] + option.split(separator: " ").map(String.init), in: folder.path)
            #expect(run.status == .usage && run.error.contains("leave out \(other)"), "\(run.error)")
        }
    }
}
