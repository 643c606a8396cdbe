import JSON
import Machines
import RunRecord
import Statistics
import Synchronization
import Testing

@testable import Scenario

@Suite("Several tries of which so many must pass")
struct PassSeriesTests {
    private static let definition = ScenarioDefinition(
        file: "s.lua", line: 7, titlePath: ["s"], options: ScenarioOptions(), index: 0)

    private static func mistake(_ table: JSONObject) -> String? {
        do throws(UsageError) {
            _ = try ScenarioOptions(["passes": .object(table)], eventNames: EventNames(of: []))
            return nil
        } catch { return error.message }
    }

    private static func requirement(_ table: JSONObject) throws -> PassRequirement {
        try #require(try ScenarioOptions(["passes": .object(table)], eventNames: EventNames(of: [])).passes)
    }

    /// Plays tries that end so, as long as there is another one.
    private func play(
        _ requirement: PassRequirement, _ outcomes: some Sequence<Outcome>, isWhole: Bool = true
    ) -> [ScenarioEnd] {
        var ends: [ScenarioEnd] = []
        for outcome in outcomes where ends.last?.isRetried != false {
            let number = ends.count + 1
            var end = ScenarioEnd(index: number, atNanoseconds: 0, outcome: outcome)
            if outcome == .failed {
                end.problems = [Problem(category: .failure, typeName: "expectation", message: "no \(number)")]
            }
            ends.append(
                PassSeries(requirement: requirement, earlier: ends.last?.passes)
                    .judge(end, TryEvidence(number: number, isWhole: isWhole), of: Self.definition))
        }
        return ends
    }

    @Test("what is not given is as the reference says")
    func defaults() throws {
        let requirement = try Self.requirement(["at_least": 0.9])
        #expect(requirement.confidence == 0.95 && requirement.limit == 133)
        #expect(abs(requirement.test.badRate - 0.8) < 1e-9 && abs(requirement.test.errorRate - 0.05) < 1e-9)
        #expect(try Self.requirement(["at_least": 0.1]).test.badRate == 0.05)
    }

    @Test(
        "what cannot be meant is refused, with what would do",
        arguments: [
            ([:], "scenario passes needs the option at_least"),
            (["at_least": 1], "scenario passes: at_least is a number from 0.001 to below 1, not 1"),
            (
                ["at_least": 90],
                "scenario passes: at_least is a number from 0.001 to below 1, not 90.0; did you mean 0.9?"
            ),
            (
                ["at_least": 0.9, "fingerprint": " "],
                "scenario passes: fingerprint names what is under test, and is not empty; leave it out if nothing does"
            ),
            (["at_least": 1e-20], "scenario passes: at_least is a number from 0.001 to below 1, not 1e-20"),
            (["at_least": 0.9, "margin": 1e-17], "scenario passes: margin is a number from 0.0005 to below at_least"),
            (["at_least": 0], "scenario passes: at_least is a number from 0.001 to below 1, not 0"),
            (
                ["at_least": 0.9, "confidence": 0.5],
                "scenario passes: confidence is a number between 0.5 and 1, not 0.5"
            ),
            (["at_least": 0.9, "confidence": 1], "scenario passes: confidence is a number between 0.5 and 1, not 1"),
            (
                ["at_least": 0.9, "margin": 0.9],
                "scenario passes: margin is a number from 0.0005 to below at_least, not 0.9"
            ),
            (
                ["at_least": 0.9, "margin": 0],
                "scenario passes: margin is a number from 0.0005 to below at_least, not 0"
            ),
            (
                ["at_least": 0.9, "at_most_tries": 25],
                "scenario passes: at_most_tries is a number from 26 to 1000, not 25"
            ),
            (["at_least": 0.9, "at_most_tries": 1001], "scenario passes: at_most_tries is a number from 26 to 1000"),
            (["at_least": 0.9, "margin": 0.001], "scenario passes: no fewer than "),
            (["at_least": 0.9, "atmost_tries": 60], "scenario passes has no option \"atmost_tries\""),
        ] as [(JSONObject, String)])
    func mistakes(table: JSONObject, text: String) throws {
        #expect(try #require(Self.mistake(table)).hasPrefix(text), "\(Self.mistake(table) ?? "")")
    }

    @Test(
        "options that say something else about the number of plays are refused",
        arguments: ["retries", "expected_failure"])
    func contradictions(name: String) throws {
        let value: JSONValue = name == "retries" ? 1 : "known"
        #expect(throws: UsageError.self) {
            try ScenarioOptions(["passes": ["at_least": 0.9], name: value], eventNames: EventNames(of: []))
        }
    }

    @Test("so many passes in succession pass, with the rate and its interval, and no try more is played")
    func pass() throws {
        let ends = self.play(try Self.requirement(["at_least": 0.9]), Array(repeating: .passed, count: 100))
        #expect(ends.count == 26)
        let last = try #require(ends.last)
        #expect(last.outcome == .passed && last.problems.isEmpty && last.passes?.verdict == .pass)
        #expect(ends.dropLast().allSatisfy { $0.isRetried && $0.passes?.verdict == nil })
        #expect(last.passes?.text == "26 of 26 tries, 100 %, 95 % interval 87.1 to 100 %")
    }

    @Test("too many failures fail, with the rate first and the last failure after it")
    func fail() throws {
        let ends = self.play(try Self.requirement(["at_least": 0.9]), Array(repeating: .failed, count: 100))
        let last = try #require(ends.last)
        #expect(ends.count == 5 && last.outcome == .failed && last.passes?.verdict == .fail)
        #expect(last.problems.map(\.typeName) == ["pass_rate", "expectation"])
        #expect(last.problemsByWeight.first?.message.hasPrefix("passes too seldom: passed in 0 of 5 tries") == true)
        #expect(last.passes?.lastFailed == .init(number: 5, message: "no 5"))
    }

    @Test("without a verdict at the limit it is inconclusive and fails, even if the last try passed")
    func inconclusive() throws {
        let outcomes = [Outcome.failed] + Array(repeating: .passed, count: 100)
        let ends = self.play(try Self.requirement(["at_least": 0.9, "at_most_tries": 30]), outcomes)
        let last = try #require(ends.last)
        #expect(ends.count == 30 && last.outcome == .failed && last.passes?.verdict == .inconclusive)
        #expect(last.problems.map(\.typeName) == ["inconclusive"])
        #expect(last.problems.first?.detail.contains("in try 1: no 1") == true)
        let start = ScenarioStart(
            index: 0, file: "s.lua", line: 1, titlePath: [], seed: 1, attempt: 30, isTry: true, atNanoseconds: 0)
        #expect(start.explaining(last).attempt == 1)
    }

    @Test("a baseline of something else is explained by all tries together, any other error by its try")
    func explained() {
        let start = ScenarioStart(
            index: 0, file: "s.lua", line: 1, titlePath: [], seed: 1, attempt: 2, isTry: true, atNanoseconds: 0)
        for (name, isTry) in [("fingerprint", false), ("script", true)] {
            let problem = Problem(category: .error, typeName: name, message: "no", detail: "no")
            let end = ScenarioEnd(index: 0, atNanoseconds: 0, outcome: .error, problems: [problem])
            #expect(start.explaining(end).isTry == isTry)
        }
    }

    @Test(
        "a try that broke or was skipped ends the scenario as it did, and counts for nothing",
        arguments: [(Outcome.error, Outcome.failed), (.skipped(reason: "closed"), .passed)])
    func broken(outcome: Outcome, before: Outcome) throws {
        let ends = self.play(try Self.requirement(["at_least": 0.9]), [.passed, before, outcome, .passed])
        #expect(ends.count == 3 && ends.last?.outcome == outcome)
        let passes = try #require(ends.last?.passes)
        #expect(passes.rate.tries == 2 && passes.rate.passed == (before == .passed ? 2 : 1) && passes.verdict == nil)
    }

    @Test("a try that is skipped does not excuse one that did not pass")
    func skippedAfterFailure() throws {
        let skipped = Outcome.skipped(reason: "closed")
        let ends = self.play(try Self.requirement(["at_least": 0.9]), [.failed, .passed, skipped, .passed])
        #expect(ends.count == 3 && ends.last?.outcome == .failed)
        #expect(
            ends.last?.problems.map(\.message) == ["try 1 did not pass: no 1; and try 3 was skipped: closed"])
        #expect(ends.last?.problems.first?.typeName == "skipped_retry")
    }

    @Test("a try that something outside broke off is no evidence")
    func brokenOff() throws {
        let ends = self.play(try Self.requirement(["at_least": 0.9]), [.failed, .failed], isWhole: false)
        #expect(ends.count == 1 && ends[0].outcome == .failed && ends[0].passes == nil)
    }

    @Test("a soft check has a rate over the tries that came to it; one that fails again and again fails its try once")
    func checks() async throws {
        let run = await MiniRun.run(
            MiniRun.suite(
                """
                scenario("soft", { passes = { at_least = 0.9 } }, function()
                    local number = random.number()
                    check(number < 0.97)
                    if number > 0.5 then
                        for step = 1, 3 do
                            check(
                                number + step,
                                match.between(0, 9))
                        end
                    end
                    if number >= 0.97 then
                        for n = 1, 3 do check(n == 3, true, "once more") end
                        expect(number, 0)
                    end
                end)
                """
            ).prepared(repetitions: 1, retries: 0))
        var held: [Int: (tries: Int, passed: Int)] = [:]
        var last: PassRate?
        for case .scenarioEnded(let end) in run.entries {
            let rate = try #require(end.passes)
            #expect(rate.rate.tries == (last?.rate.tries ?? 0) + 1)
            // However many checks of a try fail, and whatever fails besides, one try has not passed.
            #expect(
                rate.rate.passed == (last?.rate.passed ?? 0)
                    + (end.problems.contains { $0.typeName == "check" } ? 0 : 1))
            held[rate.checks[0].line] = (rate.checks[0].rate.tries, rate.checks[0].rate.passed)
            last = rate
        }
        let rate = try #require(last)
        let checks = rate.checks
        #expect(checks.map(\.line) == [3, 6, 12] && checks.allSatisfy { $0.file == nil })
        #expect(
            checks.map(\.text) == [
                "check(number < 0.97)", "check(number + step, match.between(0, 9))",
                "for n = 1, 3 do check(n == 3, true, \"once more\") end",
            ])
        let failed = rate.rate.tries - rate.rate.passed
        #expect(failed > 0 && checks[0].rate.tries == rate.rate.tries && checks[0].rate.passed == rate.rate.passed)
        #expect(
            checks[1].rate.tries < rate.rate.tries && checks[1].rate.tries > failed
                && checks[1].rate.passed == checks[1].rate.tries)
        #expect(checks[2].rate.tries == failed && checks[2].rate.passed == 0)
        let interval = RateInterval(passed: checks[1].rate.passed, of: checks[1].rate.tries, confidence: 0.95)
        #expect(checks[1].rate.low == interval.low && checks[1].rate.high == interval.high)
    }

    @Test("a try that breaks is no evidence for its checks either, and one try alone has no rates")
    func brokenChecks() async throws {
        let suite = MiniRun.suite(
            """
            scenario("breaks", { passes = { at_least = 0.9, confidence = 0.999 } }, function()
                check(true)
                if random.number() < 0.05 then error("broken") end
            end)
            """)
        let run = await MiniRun.run(suite.prepared(repetitions: 1, retries: 0))
        let ends = run.entries.compactMap { entry in
            if case .scenarioEnded(let end) = entry { end } else { nil }
        }
        let end = try #require(ends.last)
        let rate = try #require(end.passes)
        #expect(
            end.outcome == .error && rate.rate.tries == ends.count - 1
                && rate.checks.map(\.rate.tries) == [rate.rate.tries])
        let one = await MiniRun.run(suite.prepared(repetitions: 1, retries: 0, tries: .one))
        #expect(one.entries.ends.count == 1)
        for case .scenarioEnded(let end) in one.entries { #expect(end.passes == nil) }
    }

    /// Plays tries against a stored rate.
    private func play(
        _ outcomes: [Outcome], against baseline: RateBaseline, playsAll: Bool = false
    ) throws -> [ScenarioEnd] {
        let requirement = try Self.requirement(["at_least": 0.5, "margin": 0.3, "at_most_tries": 40])
        var ends: [ScenarioEnd] = []
        for outcome in outcomes where ends.last?.isRetried != false {
            var series = PassSeries(requirement: requirement, earlier: ends.last?.passes)
            series.baseline = baseline
            series.playsAll = playsAll
            ends.append(
                series.judge(
                    ScenarioEnd(index: ends.count, atNanoseconds: 0, outcome: outcome),
                    TryEvidence(number: ends.count + 1, isWhole: true), of: Self.definition))
        }
        return ends
    }

    @Test(
        "a rate that has fallen fails, though it is good enough, and one that has not passes; both say what was stored")
    func baseline() throws {
        let half = (0..<40).map { $0 % 2 == 0 ? Outcome.failed : .passed }
        let fallen = try #require(try self.play(half, against: RateBaseline(passed: 200, of: 200), playsAll: true).last)
        #expect(fallen.outcome == .failed && fallen.passes?.verdict == .pass && fallen.passes?.rate.tries == 40)
        #expect(fallen.problems.map(\.typeName) == ["baseline"] && fallen.passes?.baseline?.hasFallen == true)
        let text = try #require(fallen.problems.first?.detail)
        #expect(
            text.contains("passed in 20 of 40 tries, 50 %") && text.contains("the baseline in 200 of 200 tries, 100 %"))
        #expect(text.contains("in try 39"))
        let same = try #require(try self.play(half, against: RateBaseline(passed: 100, of: 200), playsAll: true).last)
        #expect(same.outcome == .passed && same.problems.isEmpty)
        #expect(same.passes?.baseline?.rate.passed == 100 && same.passes?.baseline?.hasFallen == false)
        let risen = try self.play(
            Array(repeating: .passed, count: 40), against: RateBaseline(passed: 90, of: 200), playsAll: true)
        #expect(risen.last?.outcome == .passed && risen.last?.passes?.baseline?.differenceLow ?? -1 > 0)
        #expect(risen.dropLast().allSatisfy { $0.passes?.baseline == nil })
    }

    @Test("a rate that is too low and has fallen says both; an inconclusive one stays so")
    func bothProblems() throws {
        let ends = try self.play(Array(repeating: .failed, count: 40), against: RateBaseline(passed: 200, of: 200))
        #expect(ends.last?.problems.map(\.typeName) == ["pass_rate", "baseline"])
        let third = (0..<40).map { $0 % 3 == 0 ? Outcome.passed : .failed }
        let undecided = try self.play(third, against: RateBaseline(passed: 14, of: 40))
        #expect(undecided.last?.passes?.verdict == .inconclusive && undecided.last?.outcome == .failed)
        #expect(undecided.last?.problems.map(\.typeName) == ["inconclusive"])
    }

    @Test("asked for all tries, a run plays on after the verdict, which stays")
    func allTries() throws {
        let outcomes = Array(repeating: Outcome.passed, count: 20) + Array(repeating: .failed, count: 20)
        let baseline = RateBaseline(passed: 1, of: 2)
        let until = try self.play(outcomes, against: baseline)
        let all = try self.play(outcomes, against: baseline, playsAll: true)
        #expect(until.count < 20 && all.count == 40)
        #expect(
            all.last?.passes?.verdict == .pass && all.last?.outcome == .passed && all.last?.problems.isEmpty == true)
        #expect(all.last?.passes?.rate.passed == 20 && all.dropLast().allSatisfy(\.isRetried))
    }

    private static let dice = """
        scenario("often", { passes = { at_least = 0.9 } }, function() expect(random.number() < 0.98, true) end)
        scenario("seldom", { passes = { at_least = 0.9 } }, function() expect(random.number() < 0.5, true) end)
        scenario("once", function() expect(1, 1) end)
        """

    @Test(
        "a run plays tries with seeds and numbers of their own, alike on any number of threads",
        arguments: [1, 2, 3, 8])
    func run(workers: Int) async throws {
        let suite = MiniRun.suite(Self.dice).prepared(repetitions: 1, retries: 2)
        let run = await MiniRun.run(suite) { $0.workers = workers }
        #expect(run.entries == (await MiniRun.run(suite)).entries)
        #expect(run.end.counts == OutcomeCounts(passed: 2, failed: 1))
        var seeds: Set<UInt64> = []
        var indices: Set<Int> = []
        for case .scenarioStarted(let start) in run.entries {
            #expect(seeds.insert(start.seed).inserted && indices.insert(start.index).inserted)
            #expect(start.isTry == (start.name != "once") && !start.isRetry)
        }
        #expect(seeds.count > 30)
    }

    @Test("no thread begins a try that is not needed, and those that share them play all scenarios", arguments: [2, 8])
    func needed(workers: Int) async throws {
        let source = """
            local options = { passes = { at_least = 0.9 } }
            for number = 1, 4 do
                scenario("often " .. number, options, function() expect(random.number() < 0.95, true) end)
                scenario("once " .. number, function() expect(1, 1) end)
            end
            """
        let suite = MiniRun.suite(source).prepared(repetitions: 1, retries: 0)
        let begun = Mutex(0)
        let run = await MiniRun.run(suite) {
            $0.workers = workers
            $0.onBegin = { _ in begun.withLock { $0 += 1 } }
        }
        #expect(run.entries == (await MiniRun.run(suite)).entries)
        #expect(run.end.counts.total == 8)
        #expect(begun.withLock { $0 } == run.entries.begun.count)
    }

    @Test("a try that breaks ends its scenario alike on any number of threads", arguments: [1, 2, 8])
    func breaking(workers: Int) async throws {
        let source = """
            scenario("breaks", { passes = { at_least = 0.9, confidence = 0.999 } }, function()
                check(random.number() < 0.9)
                if random.number() < 0.1 then error("broken") end
            end)
            scenario("once", function() expect(1, 1) end)
            """
        for seed in UInt64(1)...5 {
            let settings = MiniRun.settings(seed: seed)
            let suite = MiniRun.suite(source, settings).prepared(repetitions: 1, retries: 0)
            let alone = await MiniRun.run(suite, settings)
            let run = await MiniRun.run(suite, settings) { $0.workers = workers }
            #expect(run.entries == alone.entries && run.end.counts == alone.end.counts)
            #expect(run.end.counts.errors == 1)
        }
    }

    @Test("asked for one try, a run plays one, and it decides")
    func oneTry() async {
        let suite = MiniRun.suite(Self.dice).prepared(repetitions: 1, retries: 0, tries: .one)
        let run = await MiniRun.run(suite)
        #expect(run.entries.begun == ["often", "seldom", "once"] && run.entries.ends.count == 3)
        for case .scenarioEnded(let end) in run.entries { #expect(end.passes == nil && !end.isRetried) }
    }
}
