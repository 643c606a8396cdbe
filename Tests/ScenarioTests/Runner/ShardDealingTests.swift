import Machines
import RunRecord
import Testing

@testable import Scenario

@Suite("Dealing scenarios to shards")
struct ShardDealingTests {
    private func suite(_ count: Int) -> ScenarioSuite {
        let source = (0..<count).map { "scenario(\"s\($0)\", function() end)\n" }.joined()
        let settings = ExecutionSettings(
            systems: [], projectRoot: "/", workingDirectory: "/", project: ProjectConfiguration(), seed: 1)
        return ScenarioSuite([ScriptFile(name: "s.lua", source: source)], settings: settings)
    }

    @Test("Each scenario is in exactly one shard, in the order of the suite, however many shards there are")
    func partition() {
        let suite = self.suite(37).prepared(repetitions: 1, retries: 2)
        var random = RandomSource(seed: 5)
        for count in [1, 2, 3, 4, 7, 36, 37, 50] {
            let known = Dictionary(
                uniqueKeysWithValues: suite.members.filter { _ in Bool.random(using: &random) }.map {
                    ($0.definition.id, Int.random(in: 0...100_000, using: &random))
                })
            let parts = (1...count).map { index in
                suite.dealt(to: Shard(index: index, count: count), microseconds: known, files: [:]).members.map(\.index)
            }
            #expect(parts.allSatisfy { $0 == $0.sorted() })
            #expect(parts.flatMap(\.self).sorted() == suite.members.map(\.index))
            let again = suite.dealt(to: Shard(index: 1, count: count), microseconds: known, files: [:]).members.map(
                \.index)
            #expect(again == parts[0])
        }
    }

    @Test("The longest are dealt first, so no shard has more than the fairest share and one scenario")
    func balance() {
        let suite = self.suite(100).prepared(repetitions: 1, retries: 0)
        var random = RandomSource(seed: 9)
        let known = Dictionary(
            uniqueKeysWithValues: suite.members.map { ($0.definition.id, Int.random(in: 1...5_000, using: &random)) })
        let loads = (1...4).map { index in
            suite.dealt(to: Shard(index: index, count: 4), microseconds: known, files: [:]).members.reduce(0) {
                $0 + (known[$1.definition.id] ?? 0)
            }
        }
        let share = loads.reduce(0, +) / 4
        #expect(loads.allSatisfy { abs($0 - share) < share / 20 }, "\(loads)")
    }

    @Test("Shards have one plan where all that decides it is the same, and tell what is not")
    func plan() {
        func plan(
            _ shard: Int, of count: Int = 6, retries: Int = 0, microseconds: [String: Int] = [:],
            files: [String: String] = ["s.lua": "1"]
        ) -> ShardPlan? {
            self.suite(count).prepared(repetitions: 1, retries: retries)
                .dealt(to: Shard(index: shard, count: 2), microseconds: microseconds, files: files).shard?.plan
        }
        let first = plan(1)
        #expect(first != nil && first == plan(2))
        #expect(plan(2, of: 7)?.scenarios != first?.scenarios)
        #expect(plan(2, retries: 1)?.scenarios != first?.scenarios)
        let others = plan(2, microseconds: ["s.lua::s1": 1_000_000, "s.lua::s2": 1])
        #expect(others?.scenarios == first?.scenarios && others?.dealing != first?.dealing)
        let rewritten = plan(2, files: ["s.lua": "2"])
        #expect(rewritten?.scenarios == first?.scenarios && rewritten?.files != first?.files)
        #expect(rewritten?.dealing == first?.dealing)
    }

    @Test("Attempts have the numbers that they have in one run, and repetitions are scenarios of their own")
    func numbers() {
        let suite = self.suite(3).prepared(repetitions: 2, retries: 2)
        #expect(suite.members.map(\.index) == [0, 3, 6, 9, 12, 15])
        #expect(suite.members.map(\.repetition) == [1, 2, 1, 2, 1, 2])
        #expect(suite.members[1].attempt(3).index == 5)
        #expect(suite.members[1].attempt(2).isRetriable)
        #expect(!suite.members[1].attempt(3).isRetriable)
        #expect(
            suite.dealt(to: Shard(index: 2, count: 2), microseconds: [:], files: [:]).shard?.plannedScenarios == 6)
    }
}
