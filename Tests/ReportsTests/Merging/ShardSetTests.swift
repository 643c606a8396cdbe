import JSON
import Machines
import RunRecord
import Testing

@testable import Reports

@Suite("Merging the records of shards")
struct ShardSetTests {
    /// A run of eight scenarios in three files, the second of which is tried twice.
    private func whole(clock: RunClock = .virtual) -> [[RunEntry]] {
        (0..<8).map { number in
            var entries: [RunEntry] = []
            for attempt in 1...(number == 1 ? 2 : 1) {
                entries.append(
                    .scenarioStarted(
                        ScenarioStart(
                            index: 0, file: "Scenarios/\(["a", "b/c", "d"][number / 3]).lua", line: 1 + number % 3 * 10,
                            titlePath: ["scenario \(number)"], seed: UInt64(number), attempt: attempt, atNanoseconds: 0)
                    ))
                entries.append(
                    .happened(
                        scenario: 0, atNanoseconds: 5, .logged(level: .info, text: "\(number) attempt \(attempt)")))
                let outcome: Outcome = number == 1 && attempt == 1 ? .failed : .passed
                entries.append(.scenarioEnded(ScenarioEnd(index: 0, atNanoseconds: 10, outcome: outcome)))
            }
            return entries
        }
    }

    /// A record of scenarios, with attempts numbered from zero.
    private func record(
        _ scenarios: [[RunEntry]], shard: Shard?, seed: UInt64 = 3, clock: RunClock = .virtual, startedAt: String? = nil
    ) -> [RunEntry] {
        var entries: [RunEntry] = [
            .runStarted(
                RunStart(
                    toolVersion: "1", seed: seed, clock: clock, target: "embedded", startedAt: startedAt, shard: shard,
                    plannedScenarios: scenarios.count))
        ]
        var counts = OutcomeCounts()
        var index = -1
        for entry in scenarios.flatMap(\.self) {
            switch entry {
            case .scenarioStarted(var start):
                index += 1
                start.index = index
                entries.append(.scenarioStarted(start))
            case .happened(_, let time, let runEvent):
                entries.append(.happened(scenario: index, atNanoseconds: time, runEvent))
            case .scenarioEnded(var end):
                end.index = index
                counts.add(end.outcome)
                entries.append(.scenarioEnded(end))
            case .runStarted, .runEnded: break
            }
        }
        let duration = Int64(counts.total) * 10
        return entries + [.runEnded(RunEnd(counts: counts, durationNanoseconds: duration))]
    }

    /// The records of four shards, with scenarios dealt by a rule.
    private func shards(_ deal: (Int) -> Int = { $0 % 4 + 1 }) -> [[RunEntry]] {
        let whole = self.whole()
        return (1...4).map { shard in
            self.record(
                whole.indices.filter { deal($0) == shard }.map { whole[$0] }, shard: Shard(index: shard, count: 4))
        }
    }

    private func set(_ records: [[RunEntry]]) throws -> ShardSet {
        var set = try ShardSet(records[0])
        for record in records.dropFirst() { set = try set.merging(try ShardSet(record)) }
        return set
    }

    private func merged(_ records: [[RunEntry]]) throws -> [RunEntry] { try self.set(records).record() }

    @Test("Four shards give the record of one run, entry for entry, and so every report is the same")
    func equalsOneRun() throws {
        let one = self.record(self.whole(), shard: nil)
        let merged = try self.merged(self.shards())
        #expect(merged == one)
        for recorder in [HTMLRecorder() as any DocumentRecorder, CTRFRecorder(), JUnitRecorder()] {
            var first = recorder
            var second = recorder
            for entry in one { first.record(entry) }
            for entry in merged { second.record(entry) }
            #expect(first.document() == second.document())
        }
    }

    @Test("Neither the order nor the grouping of shards matters, however scenarios were dealt")
    func associative() throws {
        var random = RandomSource(seed: 9)
        let one = self.record(self.whole(), shard: nil)
        for _ in 0..<40 {
            let hands = (0..<8).map { _ in Int.random(in: 1...4, using: &random) }
            let sets = try self.shards { hands[$0] }.shuffled(using: &random).map { try ShardSet($0) }
            let left = try sets[0].merging(sets[1]).merging(sets[2]).merging(sets[3])
            let right = try sets[0].merging(sets[1].merging(sets[2].merging(sets[3])))
            let pairs = try sets[2].merging(sets[3]).merging(sets[0].merging(sets[1]))
            #expect(left == right)
            #expect(left == pairs)
            #expect(try left.record() == one)
        }
    }

    @Test("Attempts that are numbered as parts of one count keep their numbers and the order of the numbers")
    func numbersApart() throws {
        let records = self.shards().enumerated().map { shard, record in
            record.map { entry -> RunEntry in
                switch entry {
                case .scenarioStarted(var start):
                    start.index = 100 - start.index * 4 - shard
                    return .scenarioStarted(start)
                case .happened(let index, let time, let runEvent):
                    return .happened(scenario: 100 - index * 4 - shard, atNanoseconds: time, runEvent)
                case .scenarioEnded(var end):
                    end.index = 100 - end.index * 4 - shard
                    return .scenarioEnded(end)
                case .runStarted, .runEnded: return entry
                }
            }
        }
        let indices = try self.merged(records).compactMap { entry -> Int? in
            if case .scenarioStarted(let start) = entry { start.index } else { nil }
        }
        #expect(indices.count == 9)
        #expect(indices == indices.sorted())
    }

    @Test("In real time shards ran side by side: times count from the first start, the run lasts until the last end")
    func realTime() throws {
        let whole = self.whole()
        let starts = ["2026-03-01T12:00:05Z", "2026-03-01T12:00:00Z"]
        let merged = try self.merged(
            (0..<2).map { shard in
                self.record(
                    whole.indices.filter { $0 % 2 == shard }.map { whole[$0] },
                    shard: Shard(index: shard + 1, count: 2),
                    clock: .real, startedAt: starts[shard])
            })
        guard case .runStarted(let start)? = merged.first, case .runEnded(let end)? = merged.last else {
            Issue.record("the record has no start or end")
            return
        }
        #expect(start.startedAt == starts[1])
        #expect(start.shard == nil)
        #expect(start.plannedScenarios == 8)
        #expect(end.durationNanoseconds == 5_000_000_040)
        guard case .scenarioStarted(let first) = merged[1] else {
            Issue.record("the record begins with \(merged[1])")
            return
        }
        #expect(first.atNanoseconds == 5_000_000_000)
    }

    @Test("Shards that together have not all scenarios of the run are refused")
    func incomplete() throws {
        let whole = self.whole()
        func shard(_ index: Int, of planned: Int) -> [RunEntry] {
            self.record([whole[index]], shard: Shard(index: index, count: 2, plannedScenarios: planned))
        }
        #expect(throws: Never.self) { try self.merged([shard(1, of: 2), shard(2, of: 2)]) }
        #expect(
            throws: ShardMergingError(
                message: "the shards have 2 scenarios and the run 3; "
                    + "run all shards with the same scripts, options and recorded durations")
        ) { try self.merged([shard(1, of: 3), shard(2, of: 3)]) }
    }

    @Test(
        "A shard that was killed is refused; what there is of the run has no end, and what was running has none either")
    func killed() throws {
        var shards = self.shards()
        shards[2].removeLast(2)
        let message = self.message { _ = try self.merged(shards) }
        #expect(message.hasPrefix("shard 3/4 is not whole, the run did not end: 1 of 2 played"))
        let merged = try self.set(shards).partialRecord
        #expect(!merged.contains { if case .runEnded = $0 { true } else { false } })
        #expect(merged.count { if case .scenarioStarted = $0 { true } else { false } } == 9)
        #expect(merged.count { if case .scenarioEnded = $0 { true } else { false } } == 8)
    }

    @Test("What there is of a run whose shards are not all there plans what the whole run did, and has no end")
    func missing() throws {
        let whole = self.whole()
        let one = self.record(
            [whole[0]], shard: Shard(index: 1, count: 2, plannedScenarios: 5))
        let partial = try self.set([one]).partialRecord
        guard case .runStarted(let start)? = partial.first else {
            Issue.record("it does not begin as a record does")
            return
        }
        #expect(start.shard == nil)
        #expect(RunCompleteness(partial).problem == "the run did not end: 1 of 5 played")
        #expect(RunCompleteness(one).problem == nil)
    }

    private func message(_ body: () throws -> Void) -> String {
        do { try body() } catch { return "\(error)" }
        return "nothing was refused"
    }

    @Test("A shard that is missing or given twice is refused by its number, and so is another run")
    func refusals() throws {
        let shards = self.shards()
        let whole = self.whole()
        #expect(self.message { _ = try self.merged([shards[0], shards[3]]) }.hasPrefix("shards 2/4, 3/4 are missing"))
        #expect(self.message { _ = try self.merged(shards + [shards[1]]) }.hasPrefix("shard 2/4 is there twice"))
        let alone = self.record(whole, shard: nil)
        #expect(self.message { _ = try self.merged([alone, alone]) }.contains("whole run"))
        let other = self.record([], shard: Shard(index: 2, count: 4), seed: 4)
        #expect(self.message { _ = try self.merged([shards[0], other]) }.contains("the seed of one is 3"))
        let three = self.record([], shard: Shard(index: 2, count: 3))
        #expect(self.message { _ = try self.merged([shards[0], three]) }.contains("of 4 shards and another of 3"))
        let double = self.record([whole[0]], shard: Shard(index: 2, count: 4))
        #expect(self.message { _ = try self.merged([shards[0], double]) }.contains("two shards have played"))
    }

    @Test("Shards whose counts fit and that were planned apart are refused, and it is said what differs")
    func otherPlans() throws {
        let whole = self.whole()
        func message(_ other: ShardPlan?) -> String {
            let plans = [ShardPlan(scenarios: "a", files: ["m.lua": "b"], dealing: "c"), other]
            return self.message {
                _ = try self.merged(
                    plans.enumerated().map { place, plan in
                        self.record(
                            [whole[place + 2]],
                            shard: Shard(index: place + 1, count: 2, plannedScenarios: 2, plan: plan))
                    })
            }
        }
        #expect(message(ShardPlan(scenarios: "a", files: ["m.lua": "b"], dealing: "c")) == "nothing was refused")
        #expect(message(nil) == "nothing was refused")
        for (plan, reason) in [
            (
                ShardPlan(scenarios: "x", files: ["m.lua": "y"], dealing: "z"),
                "m.lua was not the same file in all of them"
            ),
            (
                ShardPlan(scenarios: "x", files: ["n.lua": "y"], dealing: "z"),
                "they were planned with other scenarios"
            ),
            (
                ShardPlan(scenarios: "a", files: ["m.lua": "b"], dealing: "z"),
                "the scenarios were dealt in other ways"
            ),
            (
                ShardPlan(scenarios: "a", files: ["m.lua": "b", "a.txt": "b"], dealing: "c"),
                "only one of them has read a.txt"
            ),
        ] {
            #expect(message(plan).hasPrefix("the records are not of one run: \(reason); run all shards with"))
        }
    }

    @Test("Shards whose scenarios have read other files in a play are refused, in whichever order they are merged")
    func otherFiles() throws {
        let digests = [["a.txt": "1"], ["b.txt": "2"], ["a.txt": "3"]]
        let records = self.whole().prefix(3).enumerated().map { place, scenario in
            self.record([scenario], shard: Shard(index: place + 1, count: 3)).map { entry -> RunEntry in
                guard case .runEnded(var end) = entry else { return entry }
                end.files = digests[place]
                return .runEnded(end)
            }
        }
        for order in [[0, 1, 2], [2, 1, 0], [0, 2, 1]] {
            let message = self.message { _ = try self.set(order.map { records[$0] }) }
            #expect(message.hasPrefix("the records are not of one run: a.txt was not the same file"), "\(message)")
        }
        #expect(self.message { _ = try self.set([records[0], records[1]]) } == "nothing was refused")
    }

    @Test("What scenarios share may have failed in several shards, and stands in the record of the run for each")
    func sharedParts() throws {
        let whole = self.whole()
        let hook = ScenarioStart(
            index: 0, file: "Scenarios/a.lua", line: 1, titlePath: ["before_all"], seed: 1,
            askedBy: .init(file: "Scenarios/a.lua", name: "scenario 1"), atNanoseconds: 0)
        let failed: [RunEntry] = [
            .scenarioStarted(hook), .scenarioEnded(ScenarioEnd(index: 0, atNanoseconds: 0, outcome: .error)),
        ]
        let merged = try self.merged(
            (1...2).map { self.record([whole[$0 + 1], failed], shard: Shard(index: $0, count: 2)) })
        let hooks = merged.count { if case .scenarioStarted(let start) = $0 { start.askedBy != nil } else { false } }
        #expect(hooks == 2)
        guard case .runEnded(let end)? = merged.last else {
            Issue.record("the record has no end")
            return
        }
        #expect(end.counts.errors == 2)
    }

    @Test("What is no record of one run is refused")
    func damaged() {
        let shard = self.record([], shard: Shard(index: 5, count: 4))
        #expect(self.message { _ = try ShardSet(shard) }.contains("shard 5/4"))
        #expect(self.message { _ = try ShardSet([]) }.contains("does not begin"))
        #expect(self.message { _ = try ShardSet(shard.dropLast() + shard) }.contains("several runs"))
        let stray = RunEntry.scenarioEnded(ScenarioEnd(index: 7, atNanoseconds: 0, outcome: .passed))
        #expect(self.message { _ = try ShardSet(self.record([], shard: nil) + [stray]) }.contains("has not begun"))
        var entries = self.record([self.whole()[0], self.whole()[2]], shard: nil)
        if case .runStarted(var start) = entries[0] {
            start.plannedScenarios = 1
            entries[0] = .runStarted(start)
        }
        entries.removeSubrange(1...3)
        let fewer = self.message { _ = try ShardSet(entries) }
        #expect(fewer.contains("the run counted 2 scenarios at its end, and 1 is there"), "\(fewer)")
    }

    @Test(
        "A record in which a scenario ended otherwise than the run counted is refused, so that none turns green",
        arguments: [
            (.failed, "the run counted 1 failed scenario at its end, and 0 are there"),
            (.error, "the run counted 1 scenario with an error at its end, and 0 are there"),
        ] as [(Outcome, String)])
    func otherOutcome(outcome: Outcome, told: String) throws {
        var scenario = self.whole()[0]
        scenario[2] = .scenarioEnded(ScenarioEnd(index: 0, atNanoseconds: 10, outcome: outcome))
        var entries = self.record([scenario], shard: nil)
        #expect(try ShardSet(entries).record() == entries)
        let end = try #require(entries.firstIndex { if case .scenarioEnded = $0 { true } else { false } })
        entries[end] = .scenarioEnded(ScenarioEnd(index: 0, atNanoseconds: 10, outcome: .passed))
        let message = self.message { _ = try ShardSet(entries) }
        #expect(message == "\(told); is it damaged?")
    }
}
