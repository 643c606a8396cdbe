import Machines
import RunRecord
import Testing

@testable import Scenario

@Suite("How far a run has got")
struct RunProgressTests {
    private static func played(
        _ outcome: Outcome, attempt: Int = 1, isRetried: Bool = false, isUnreachable: Bool = false
    ) -> RunProgress.Played {
        RunProgress.Played(
            outcome: outcome, attempt: attempt, isRetried: isRetried, duration: .seconds(1),
            isUnreachable: isUnreachable)
    }

    private static func progress(_ limit: Int? = nil) -> RunProgress {
        RunProgress(failureLimit: limit, interruption: Interruption())
    }

    @Test("only the last attempt at a scenario counts, and the time of all of them")
    func attempts() {
        let progress = Self.progress(1)
        progress.note(Self.played(.failed, isRetried: true))
        #expect(progress.mayBegin)
        progress.note(Self.played(.passed, attempt: 2))
        #expect(progress.end.counts == OutcomeCounts(flaky: 1))
        #expect(progress.end.durationNanoseconds == 2_000_000_000)
    }

    @Test("the limit of failures counts failures and errors, not what was declared or skipped", arguments: 1...3)
    func failureLimit(limit: Int) {
        let progress = Self.progress(limit)
        for number in 1...limit {
            for outcome in [Outcome.passed, .expectedFailure(reason: "a"), .skipped(reason: "b")] {
                progress.note(Self.played(outcome))
            }
            #expect(progress.mayBegin)
            progress.note(Self.played(number.isMultiple(of: 2) ? .failed : .error))
        }
        #expect(!progress.mayBegin)
        let count = limit == 1 ? "a scenario" : "\(limit) scenarios"
        #expect(progress.skipReason == "not begun: \(count) did not pass before")
    }

    @Test("without a limit any number of failures lets the run go on")
    func noLimit() {
        let progress = Self.progress()
        for _ in 0..<1000 { progress.note(Self.played(.failed)) }
        #expect(progress.mayBegin && progress.skipReason == nil)
        #expect(progress.end.counts == OutcomeCounts(failed: 1000))
    }

    @Test(
        "a target that five scenarios in succession cannot reach is given up, and one that was reached meanwhile is not"
    )
    func unreachable() {
        let reached = Self.progress()
        for place in 0..<20 {
            reached.note(place % 5 == 4 ? Self.played(.failed) : Self.played(.error, isUnreachable: true), at: place)
        }
        #expect(reached.mayBegin)
        let dead = Self.progress()
        for number in 0..<5 {
            #expect(dead.mayBegin, "\(number)")
            dead.note(Self.played(.error, isUnreachable: true), at: 2 * number)
            // What is skipped has reached nobody and has not failed to either.
            dead.note(.skipped("not today"), at: 2 * number + 1)
        }
        #expect(dead.skipReason == "not begun: 5 scenarios in succession could not reach the target")
    }

    @Test("scenarios that end one after the other are not in succession while one between them plays")
    func unreachableSideBySide() {
        let mixed = Self.progress()
        // Every other one takes long and reaches the target in the end.
        for place in 0..<10 { mixed.note(Self.played(.error, isUnreachable: true), at: 2 * place) }
        #expect(mixed.mayBegin)
        for place in 0..<10 { mixed.note(Self.played(.passed), at: 2 * place + 1) }
        #expect(mixed.mayBegin)
    }

    @Test(
        "five neighbors end the run in whatever order they end", arguments: 1...10 as ClosedRange<UInt64>)
    func unreachableInAnyOrder(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let progress = Self.progress()
        for (number, place) in [3, 4, 5, 6, 7].shuffled(using: &random).enumerated() {
            #expect(progress.mayBegin, "\(number)")
            progress.note(Self.played(.error, isUnreachable: true), at: place)
        }
        #expect(!progress.mayBegin)
    }

    @Test("an interrupted run begins nothing, and gives the others no reason to be skipped")
    func interrupted() {
        let progress = Self.progress(1)
        progress.note(Self.played(.failed))
        progress.interruption.request()
        #expect(!progress.mayBegin && progress.skipReason == nil)
        #expect(progress.end.isInterrupted)
    }

    @Test("the first reason to stop is the one that is given")
    func reasons() {
        let progress = Self.progress(1)
        progress.stop(because: "not begun: the power is out")
        progress.note(Self.played(.failed))
        #expect(progress.skipReason == "not begun: the power is out")
    }

    @Test("what goes wrong outside of the scenarios counts as an error and keeps none of them from being played")
    func outside() {
        let progress = Self.progress(1)
        let problem = Problem(category: .error, typeName: "script", message: "it cannot be read")
        for _ in 0..<10 { progress.note(OutsideCase(unloadable: "a.lua", because: problem)) }
        #expect(progress.mayBegin && progress.end.counts == OutcomeCounts(errors: 10))
    }

    @Test("the counts of any run are those of its last attempts", arguments: 1...10 as ClosedRange<UInt64>)
    func counts(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let progress = Self.progress()
        var expected = OutcomeCounts()
        for _ in 0..<200 {
            let attempt = Int.random(in: 1...3, using: &random)
            for number in 1..<max(attempt, 1) { progress.note(Self.played(.failed, attempt: number, isRetried: true)) }
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                progress.note(Self.played(.passed, attempt: attempt))
                if attempt > 1 { expected.flaky += 1 } else { expected.passed += 1 }
            case 1:
                progress.note(Self.played(.failed, attempt: attempt))
                expected.failed += 1
            case 2:
                progress.note(Self.played(.error, attempt: attempt))
                expected.errors += 1
            case 3:
                progress.note(Self.played(.skipped(reason: "a"), attempt: attempt))
                expected.skipped += 1
            default:
                progress.note(Self.played(.expectedFailure(reason: "a"), attempt: attempt))
                expected.expectedFailures += 1
            }
        }
        #expect(progress.end.counts == expected)
    }
}

extension RunProgress {
    /// Notes how a scenario went whose place does not matter.
    fileprivate func note(_ played: Played) { self.note(played, at: 0) }
}

@Suite("The wish to end a run")
struct InterruptionTests {
    @Test("whoever asks twice does not wait")
    func twice() {
        let interruption = Interruption()
        #expect(!interruption.isRequested && !interruption.isUrgent)
        interruption.request()
        #expect(interruption.isRequested && !interruption.isUrgent && interruption.timeLimit == nil)
        #expect(interruption.failure.category == .error && interruption.failure.kind == .interrupted)
        interruption.request()
        #expect(interruption.isUrgent)
    }

    @Test("the limit of the run is a failure with the limit's name, and no second request")
    func limit() {
        let interruption = Interruption()
        interruption.request(because: .seconds(60))
        #expect(interruption.isRequested && !interruption.isUrgent)
        interruption.request(because: .seconds(90))
        #expect(!interruption.isUrgent && interruption.timeLimit == .seconds(60))
        let failure = interruption.failure
        #expect(failure.category == .failure && failure.kind == .timeout && failure.limit == "run")
        #expect(failure.message.contains("the time limit of the run, 1m, passed"))
        #expect(failure.sections.first?.lines == ["run 1m; --run-timeout or limits.run in repartee.lua raises it"])
    }

    @Test("a person who asked before the limit passed is the reason that is told")
    func personFirst() {
        let interruption = Interruption()
        interruption.request()
        interruption.request(because: .seconds(60))
        #expect(interruption.timeLimit == nil && !interruption.isUrgent)
        #expect(interruption.failure.kind == .interrupted)
    }
}

@Suite("Entries handed on in batches")
struct EntryBatchTests {
    private static func happened(_ number: Int) -> RunEntry {
        .happened(scenario: 1, atNanoseconds: Int64(number), .logged(level: .info, text: "\(number)"))
    }

    private static let ended = RunEntry.scenarioEnded(
        ScenarioEnd(index: 1, atNanoseconds: 0, outcome: .passed, problems: []))

    @Test("what ends a scenario is handed on at once, with everything that was held before it")
    func ends() {
        var batches: [[RunEntry]] = []
        let batch = EntryBatch({ batches.append($0) })
        for number in 0..<10 { batch.add(Self.happened(number)) }
        #expect(batches == [])
        batch.add(Self.ended)
        #expect(batches == [(0..<10).map(Self.happened) + [Self.ended]])
        batch.flush()
        #expect(batches.count == 1)
    }

    @Test("nothing is lost or put out of order, however much comes", arguments: 1...4 as ClosedRange<UInt64>)
    func all(seed: UInt64) {
        var random = RandomSource(seed: seed)
        var (given, got): ([RunEntry], [RunEntry]) = ([], [])
        var largest = 0
        let batch = EntryBatch({
            got += $0
            largest = max(largest, $0.count)
        })
        for number in 0..<20_000 {
            let entry = Int.random(in: 0..<3000, using: &random) == 0 ? Self.ended : Self.happened(number)
            given.append(entry)
            batch.add(entry)
            if Int.random(in: 0..<5000, using: &random) == 0 { batch.flush() }
        }
        batch.flush()
        #expect(got == given)
        #expect(largest <= EntryBatch.size)
    }

    @Test("a full batch is handed on with its last entry and not with the next one")
    func full() {
        var sizes: [Int] = []
        let batch = EntryBatch({ sizes.append($0.count) })
        for number in 0..<(EntryBatch.size - 1) { batch.add(Self.happened(number)) }
        #expect(sizes == [])
        batch.add(Self.happened(0))
        #expect(sizes == [EntryBatch.size])
    }

    @Test("where people watch, each batch is asked once to come by itself: with its first entry")
    func delay() {
        var (asked, sizes): (Int, [Int]) = (0, [])
        let batch = EntryBatch({ sizes.append($0.count) }, delay: { _ in asked += 1 })
        for number in 0..<5 { batch.add(Self.happened(number)) }
        #expect(asked == 1)
        batch.flush()
        batch.add(Self.ended)
        #expect(asked == 1 && sizes == [5, 1])
        batch.add(Self.happened(7))
        #expect(asked == 2)
    }
}

@Suite("What is held for a scenario, walked at random")
struct HostAccountWalkTests {
    @Test("the sum of what is held decides, purpose by purpose", arguments: 1...10 as ClosedRange<UInt64>)
    func walk(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let account = HostAccount(limit: 1000)
        var held: [HostAccount.Purpose: Int] = [:]
        for _ in 0..<500 {
            let purpose = HostAccount.Purpose.allCases.randomElement(using: &random) ?? .record
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                let bytes = Int.random(in: 0...200, using: &random)
                held[purpose, default: 0] += bytes
                #expect(account.add(bytes, for: purpose) == (held.values.reduce(0, +) > 1000))
            case 2:
                let bytes = Int.random(in: 0...held[purpose, default: 0], using: &random)
                held[purpose, default: 0] -= bytes
                account.remove(bytes, for: purpose)
            default:
                held[purpose] = nil
                account.removeAll(for: purpose)
            }
        }
        #expect(account.add(0, for: .record) == (held.values.reduce(0, +) > 1000))
    }

    @Test("a scenario that prints without end is ended with what it made the tool hold")
    func endless() throws {
        var project = ProjectConfiguration()
        project.heldMemoryLimit = 4 << 20
        let played = try MiniRun.parrot(
            "local text = (\"x\"):rep(10000) while true do print(text) end", MiniRun.settings(project))
        #expect(played.end.outcome == .error)
        #expect(played.messages[0].contains("the scenario made the tool hold more than 4 MB"))
        #expect(played.messages[0].contains("log lines and other entries of the record"))
        #expect(played.messages[0].contains("limits.held_memory in repartee.lua raises the limit"))
    }
}

@Suite("Time that stands still, walked at random")
struct StandingTimeWalkTests {
    @Test("a window begins anew with the first turn after it, and never with one within it")
    func windows() {
        var standing = LivelockGuard()
        // As many turns as there may be in each of two windows.
        for window in 0..<2 {
            let begin = Instant.start + .milliseconds(100 * window)
            let last = (0..<LivelockGuard.limit).contains { turn in
                standing.isExceeded(at: turn.isMultiple(of: 2) ? begin : begin + .milliseconds(99))
            }
            #expect(!last, "window \(window)")
        }
        let isExceeded = standing.isExceeded(at: .start + .milliseconds(199))
        #expect(isExceeded)
    }

    @Test("the failure tells where and what to do, and is an error of the script")
    func failure() {
        let position = ScriptPosition(file: "a.lua", line: 3)
        let failure = LivelockGuard.failure(at: position)
        #expect(failure.category == .error && failure.kind == .runaway && failure.position == position)
        #expect(failure.message.contains("look for a loop that waits for 0"))
    }
}
