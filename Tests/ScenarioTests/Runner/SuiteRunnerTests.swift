import Machines
import RunRecord
import Synchronization
import Testing

@testable import Scenario

@Suite("Playing a suite")
struct SuiteRunnerTests {
    /// Twelve scenarios of many kinds; what they share is played once.
    private static let source = """
        fixture("tenant", { scope = "run" }, function() return { name = "acme" } end)
        before_all(function() return { answer = 42 } end)
        for number = 1, 12 do
            scenario("s" .. number, { skip = number == 5 and "not today" or nil }, function(t)
                print(number .. t:use("tenant").name .. t.shared.answer .. " " .. math.random(1000))
                wait(number % 3)
                if number % 4 == 0 then expect(number, 0) end
                if number == 7 then error("broken") end
            end)
        end
        """

    private static func suite(repetitions: Int = 1, retries: Int = 0) -> ScenarioSuite {
        MiniRun.suite(Self.source).prepared(repetitions: repetitions, retries: retries)
    }

    @Test("as many threads as one likes give the record that one gives, entry by entry", arguments: [2, 3, 8])
    func threads(workers: Int) async {
        let suite = Self.suite(retries: 1)
        let one = await MiniRun.run(suite)
        let many = await MiniRun.run(suite) { $0.workers = workers }
        #expect(one.entries == many.entries)
        #expect(one.end == many.end)
        #expect(one.end.counts == OutcomeCounts(passed: 7, failed: 3, errors: 1, skipped: 1))
    }

    @Test("the record begins with the run, ends with it, and has every scenario in between")
    func frame() async throws {
        let run = await MiniRun.run(Self.suite())
        guard case .runStarted(let start)? = run.entries.first, case .runEnded(let end)? = run.entries.last else {
            Issue.record("it has no frame")
            return
        }
        #expect(start.plannedScenarios == 12 && start.seed == 1 && start.clock == .virtual && start.startedAt == nil)
        #expect(end == run.end)
        #expect(run.entries.begun == (1...12).map { "s\($0)" })
        #expect(run.entries.ends.map(\.index) == Array(0..<12))
    }

    @Test("the same seed gives the same record, and another one other random numbers")
    func seeds() async {
        let suite = Self.suite()
        let runs = await [1, 1, 2].asyncMap { await MiniRun.run(suite, MiniRun.settings(seed: $0)).entries }
        #expect(runs[0] == runs[1])
        #expect(runs[0] != runs[2])
        #expect(runs[0].ends.map(\.outcome) == runs[2].ends.map(\.outcome))
    }

    @Test("a scenario that does not pass is tried again as often as it may be, each attempt with a number of its own")
    func retries() async {
        let suite = MiniRun.suite(
            """
            scenario("fails", function() expect(1, 2) end)
            scenario("fails once more", { retries = 2 }, function() expect(1, 2) end)
            scenario("passes", function() end)
            """
        ).prepared(repetitions: 1, retries: 1)
        let run = await MiniRun.run(suite)
        #expect(
            run.entries.begun == ["fails", "fails", "fails once more", "fails once more", "fails once more", "passes"])
        let numbers = run.entries.ends.map(\.index)
        #expect(Set(numbers).count == 6 && numbers == numbers.sorted())
        #expect(run.end.counts == OutcomeCounts(passed: 1, failed: 2))
    }

    @Test("a retry that asks to be skipped does not excuse the attempt before, and is the last", arguments: [1, 3])
    func skippedRetry(workers: Int) async throws {
        func suite(_ busy: [String]) -> ScenarioSuite {
            MiniRun.suite(
                """
                local seeds = { \(busy.map { "[\"\($0)\"] = true" }.joined(separator: ", ")) }
                local function busy(t) if seeds[t.seed] then t:skip "the service is busy" end end
                scenario("fails", { retries = 3 }, function(t) busy(t) expect(t.seed, 1) end)
                scenario("breaks", { retries = 3 }, function(t) busy(t) error(t.seed) end)
                scenario("declines at once", { retries = 3 }, function(t) t:skip "not today" end)
                """
            ).prepared(repetitions: 1, retries: 0)
        }
        // Of each scenario the seed of the second attempt, in which the service is busy.
        let messages = await MiniRun.run(suite([])).entries.compactMap { entry -> String? in
            if case .scenarioEnded(let end) = entry { end.problems.first?.message } else { nil }
        }
        let seeds = messages.compactMap { $0.firstMatch(of: /[0-9]{10,}/).map { String($0.output) } }
        try #require(seeds.count == 8)
        let run = await MiniRun.run(suite([seeds[1], seeds[5]])) { $0.workers = workers }
        #expect(run.entries.begun == ["fails", "fails", "breaks", "breaks", "declines at once"])
        #expect(run.end.counts == OutcomeCounts(failed: 1, errors: 1, skipped: 1))
        let last = run.entries.compactMap { entry -> Problem? in
            if case .scenarioEnded(let end) = entry, !end.isRetried { end.problems.first } else { nil }
        }
        #expect(last.map(\.typeName) == ["skipped_retry", "skipped_retry"])
        let failed = try #require(last.first)
        #expect(
            failed.message
                == "attempt 1 did not pass: expected 1, got \"\(seeds[0])\"; and attempt 2 was skipped: the service is busy"
        )
        #expect(failed.line == 2)
    }

    @Test("after so many failures the others are skipped with the reason, also on several threads", arguments: [1, 4])
    func failureLimit(workers: Int) async {
        let run = await MiniRun.run(Self.suite()) {
            $0.failureLimit = 1
            $0.workers = workers
        }
        let outcomes = run.entries.ends.map(\.outcome)
        #expect(outcomes.count == 12 && outcomes[3] == .failed)
        let reason = "not begun: a scenario did not pass before"
        let first = outcomes.firstIndex(of: .skipped(reason: reason))
        // Other threads may have played others before this one failed.
        if workers == 1 { #expect(first == 4) }
        if let first { #expect(outcomes[first...].allSatisfy { $0 == .skipped(reason: reason) }) }
    }

    @Test(
        "a run that is asked to end before it begins plays nothing and says that it was interrupted", arguments: [1, 4])
    func interrupted(workers: Int) async {
        let interruption = Interruption()
        interruption.request()
        let run = await MiniRun.run(Self.suite(), interruption: interruption) { $0.workers = workers }
        #expect(run.entries.begun == [] && run.end.isInterrupted)
        #expect(run.end.counts == OutcomeCounts())
    }

    @Test("what plays when the run is asked to end is broken off, cleans up, and is an error")
    func brokenOff() async {
        let interruption = Interruption()
        let suite = MiniRun.suite(
            """
            scenario("waits", function(t)
                t:defer(function() print("cleaned") end)
                print("waiting")
                wait("1h")
            end)
            scenario("is not begun", function() end)
            """)
        let seen = Mutex<[RunEntry]>([])
        let end = await SuiteRunner(suite, settings: MiniRun.settings()).run(
            toolVersion: "1", startedAt: nil, interruption: interruption
        ) { entries in
            seen.withLock { $0 += entries }
            // The first entries of a scenario are handed on before it plays.
            if entries.contains(where: { if case .scenarioStarted = $0 { true } else { false } }) {
                interruption.request()
            }
        }
        let entries = seen.withLock { $0 }
        #expect(end.isInterrupted && entries.begun == ["waits"])
        #expect(entries.ends.map(\.outcome) == [.error])
    }

    @Test("each scenario is told once with how its last attempt ended, and how long all attempts took")
    func played() async {
        let played = Mutex<[String: Outcome]>([:])
        let ticks = Mutex(0)
        _ = await MiniRun.run(Self.suite(retries: 1)) { runner in
            runner.stopwatch = {
                ticks.withLock { count -> Duration in
                    count += 1
                    return .seconds(count)
                }
            }
            runner.onPlayed = { id, elapsed, outcome in
                #expect(elapsed > .zero)
                played.withLock { $0[id] = outcome }
            }
        }
        let outcomes = played.withLock { $0 }
        #expect(outcomes.count == 12)
        #expect(outcomes["a.lua::s4"] == .failed && outcomes["a.lua::s7"] == .error && outcomes["a.lua::s1"] == .passed)
    }

    @Test(
        "a file that cannot be loaded is an error with a number that no scenario has, and keeps none from playing"
    )
    func unloadable() async throws {
        let settings = MiniRun.settings()
        let suite = ScenarioSuite(
            [
                ScriptFile(name: "bad.lua", source: "scenario("),
                ScriptFile(name: "good.lua", source: "scenario(\"good\", function() end)"),
                ScriptFile(
                    name: "twice.lua", source: "scenario(\"x\", function() end)\nscenario(\"x\", function() end)"),
            ], settings: settings)
        #expect(suite.errors.count >= 1 && suite.errors.first?.file == "bad.lua")
        let run = await MiniRun.run(suite.prepared(repetitions: 2, retries: 3), settings)
        let numbers = run.entries.ends.map(\.index)
        #expect(Set(numbers).count == numbers.count)
        #expect(run.end.counts.errors == suite.errors.count && run.end.counts.passed >= 2)
    }

    @Test("what scenarios share and what went wrong in it comes after them, once, with who asked for it")
    func shared() async throws {
        let suite = MiniRun.suite(
            """
            fixture("bad", { scope = "run" }, function() error("no tenant") end)
            scenario("first", function(t) t:use "bad" end)
            scenario("second", function(t) t:use "bad" end)
            """)
        for workers in [1, 2] {
            let run = await MiniRun.run(suite) { $0.workers = workers }
            let starts = run.entries.compactMap { entry -> ScenarioStart? in
                if case .scenarioStarted(let start) = entry { start } else { nil }
            }
            #expect(starts.count == 3 && starts.last?.askedBy?.name == "first")
            #expect(run.entries.ends.map(\.outcome.isGood) == [false, false, false])
            #expect(Set(starts.map(\.index)).count == 3)
        }
    }
}

extension Array {
    /// Maps one after the other.
    fileprivate func asyncMap<Result>(_ transform: (Element) async -> Result) async -> [Result] {
        var results: [Result] = []
        for element in self { results.append(await transform(element)) }
        return results
    }
}

@Suite("Scenarios dealt to threads, and put in order again")
struct ExecutionOrderTests {
    private static func order(
        _ count: Int, _ limit: Int? = nil, _ interruption: Interruption = Interruption(),
        emit: @escaping @Sendable ([RunEntry]) -> Void
    ) -> ExecutionOrder {
        let suite = MiniRun.suite((0..<count).map { "scenario(\"s\($0)\", function() end)\n" }.joined())
        return ExecutionOrder(
            suite, seed: 1, progress: RunProgress(failureLimit: limit, interruption: interruption), emit: emit)
    }

    private static func entry(_ number: Int) -> RunEntry {
        .happened(scenario: number, atNanoseconds: 0, .logged(level: .info, text: "\(number)"))
    }

    private static func played(_ outcome: Outcome = .passed) -> RunProgress.Played {
        RunProgress.Played(outcome: outcome, attempt: 1, isRetried: false, duration: .seconds(1))
    }

    @Test(
        "whatever ends first, the entries come in the order of the suite, each as soon as all before it have come",
        arguments: 1...10 as ClosedRange<UInt64>)
    func order(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let emitted = Mutex<[Int]>([])
        let order = Self.order(30) { entries in emitted.withLock { $0 += entries.compactMap(\.scenario) } }
        var ended: Set<Int> = []
        for number in (0..<30).shuffled(using: &random) {
            order.add(number, [Self.played()], [Self.entry(number)])
            ended.insert(number)
            let complete = (0...30).first { !ended.contains($0) } ?? 30
            #expect(emitted.withLock { $0 } == Array(0..<complete))
        }
        #expect(order.end.counts.passed == 30 && order.end.durationNanoseconds == 30_000_000_000)
    }

    @Test("each scenario is dealt once, and none once the run is to end")
    func dealing() async {
        let interruption = Interruption()
        let order = Self.order(5, nil, interruption) { _ in }
        for number in 0..<3 { #expect(await order.dealt == number) }
        interruption.request()
        #expect(await order.dealt == nil)
        let all = Self.order(2) { _ in }
        for number in [0, 1, nil, nil] { #expect(await all.dealt == number) }
    }

    @Test("after a failure too many the others are skipped, those that were dealt are not")
    func skipping() async {
        let emitted = Mutex<[RunEntry]>([])
        let order = Self.order(5, 1) { entries in emitted.withLock { $0 += entries } }
        for number in 0...1 { #expect(await order.dealt == number) }
        order.add(0, [Self.played(.failed)], [Self.entry(0)])
        #expect(await order.dealt == nil)
        order.add(1, [Self.played()], [Self.entry(1)])
        order.skipRest()
        #expect(emitted.withLock { $0 }.begun == ["s2", "s3", "s4"])
        #expect(order.end.counts == OutcomeCounts(passed: 1, failed: 1, skipped: 3))
    }

    @Test("a failure too many counts at once, also while one that was dealt before plays on")
    func skippingAtOnce() async {
        let emitted = Mutex<[RunEntry]>([])
        let order = Self.order(4, 1) { entries in emitted.withLock { $0 += entries } }
        for number in 0...1 { #expect(await order.dealt == number) }
        order.add(1, [Self.played(.failed)], [Self.entry(1)])
        #expect(await order.dealt == nil)
        #expect(emitted.withLock { $0 } == [])
        order.add(0, [Self.played()], [Self.entry(0)])
        #expect(emitted.withLock { $0 } == [Self.entry(0), Self.entry(1)])
        order.skipRest()
        #expect(order.end.counts == OutcomeCounts(passed: 1, failed: 1, skipped: 2))
    }

    @Test("a run that was interrupted skips nothing: what was not begun is missing")
    func interrupted() {
        let interruption = Interruption()
        let emitted = Mutex<[RunEntry]>([])
        let order = Self.order(3, nil, interruption) { entries in emitted.withLock { $0 += entries } }
        interruption.request()
        order.skipRest()
        #expect(emitted.withLock { $0 } == [] && order.end.isInterrupted)
    }
}

extension ExecutionOrder {
    /// The place of the next scenario that a thread gets; these have no tries.
    fileprivate var dealt: Int? {
        get async { if case .scenario(let index)? = await self.next(at: .zero) { index } else { nil } }
    }
}
