import CommandLine
import Foundation
import Testing

@Suite("Two versions of a bot, compared by their records")
struct TwoVersionsTests {
    private static let bots = 40

    /// Plays simulated bots of one pass rate, each in virtual time, and returns the record.
    private static func record(rate: Double, seed: Int, in folder: TemporaryFolder) async throws -> String {
        try folder.write(
            """
            for number = 1, \(Self.bots) do
                local passes = { at_least = 0.9, at_most_tries = 60 }
                scenario("bot " .. number, { passes = passes }, function(t)
                    wait(random.number())
                    expect(random.number() < \(rate), true)
                end)
            end
            """, to: "bots.lua")
        let name = "run-\(rate)-\(seed)"
        _ = try await ToolRun(
            [
                "test", "bots.lua", "--seed", "\(seed)", "--all-tries", "--quiet", "--capture", "none", "--reports",
                name,
            ],
            in: folder.path)
        return "\(name)/run.jsonl"
    }

    @Test("of 40 pairs of equal bots hardly any differ, and of different ones nearly all do, in their direction")
    func verdicts() async throws {
        let folder = try TemporaryFolder()
        let first = try await Self.record(rate: 0.9, seed: 1, in: folder)
        let second = try await Self.record(rate: 0.9, seed: 2, in: folder)
        let worse = try await Self.record(rate: 0.5, seed: 3, in: folder)
        func counts(_ before: String, _ after: String) async throws -> [Int] {
            let page = "\(folder.path)/page.html"
            let run = try await ToolRun(["report", "--compare", before, after, "--html", page], in: folder.path)
            #expect(run.status == .success && run.output.contains("\npass rates (\(Self.bots))\n"))
            let text = try folder.text("page.html")
            return ["fell", "rose", "none"].map { text.ranges(of: "\"change\":\"\($0)\",\"verdict\"").count }
        }
        let same = try await counts(first, second)
        let fallen = try await counts(first, worse)
        let risen = try await counts(worse, first)
        print("fell, rose, none: equal \(same), 0.9 to 0.5 \(fallen), 0.5 to 0.9 \(risen)")
        #expect(same[0] + same[1] <= 2 && same.reduce(0, +) == Self.bots)
        #expect(fallen[0] >= 36 && fallen[1] == 0 && fallen.reduce(0, +) == Self.bots)
        #expect(risen == [fallen[1], fallen[0], fallen[2]])
    }
}
