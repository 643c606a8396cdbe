import Foundation
import Machines
import PlainWebSocket
import RunRecord
import Synchronization
import Testing
import Transport

@testable import Scenario

/// Suites played in real time on several event loops.
enum RealTime {
    static func settings(_ systems: [ChatSystem], seed: UInt64 = 1) -> ExecutionSettings {
        ExecutionSettings(
            systems: systems, projectRoot: "/", workingDirectory: "/", project: ProjectConfiguration(), seed: seed,
            isVirtual: false, capture: .none)
    }

    /// Where bells ring, which speak to nobody.
    static func settings(_ bells: BellLog, seed: UInt64 = 1, isVirtual: Bool = false) -> ExecutionSettings {
        ExecutionSettings(
            systems: [bells.system], projectRoot: "/", workingDirectory: "/", project: ProjectConfiguration(),
            destination: .named("tower", ProjectConfiguration.Target(url: "http://tower.test")), seed: seed,
            isVirtual: isVirtual, capture: .none)
    }

    static func suite(
        _ sources: [String], _ settings: ExecutionSettings, retries: Int = 0
    ) throws -> ScenarioSuite {
        let files = sources.enumerated().map { ScriptFile(name: "\($0.offset).lua", source: $0.element) }
        let suite = ScenarioSuite(files, settings: settings)
        try #require(suite.errors.isEmpty, "\(suite.errors.map(\.message))")
        return suite.prepared(repetitions: 1, retries: retries)
    }

    /// What came of a run.
    struct Run {
        let entries: [RunEntry]
        let end: RunEnd

        /// The numbers of the threads that handed on the beginnings of scenarios.
        let threads: Set<Int>

        /// Whether two threads were ever handing on something at the same time.
        let overlaps: Bool

        /// The types of what went wrong, by scenario.
        var problems: [[String]] {
            self.entries.compactMap {
                if case .scenarioEnded(let end) = $0 { end.problems.map(\.typeName) } else { nil }
            }
        }

        /// The texts that scripts printed.
        var printed: [String] {
            self.entries.compactMap {
                if case .happened(_, _, .logged(_, let text)) = $0 { text } else { nil }
            }
        }
    }

    static func run(
        _ suite: ScenarioSuite, _ settings: ExecutionSettings, workers: Int, loops: Int,
        interruption: Interruption = Interruption(), failureLimit: Int? = nil,
        onPlayed: (@Sendable (String, Duration, Outcome) -> Void)? = nil,
        whileReporting: @escaping @Sendable ([RunEntry]) -> Void = { _ in }
    ) async -> Run {
        struct Seen {
            var entries: [RunEntry] = []
            var threads: Set<Int> = []
            var inside = 0
            var overlaps = false
        }
        let seen = Mutex(Seen())
        var runner = SuiteRunner(suite, settings: settings, workers: workers, failureLimit: failureLimit)
        runner.processors = loops
        runner.triesTarget = false
        runner.onPlayed = onPlayed
        let end = await runner.run(toolVersion: "1", startedAt: nil, interruption: interruption) { entries in
            seen.withLock { seen in
                seen.inside += 1
                seen.overlaps = seen.overlaps || seen.inside > 1
                if case .scenarioStarted? = entries.first { seen.threads.insert(ThreadNumber.current) }
                seen.entries += entries
            }
            whileReporting(entries)
            seen.withLock { $0.inside -= 1 }
        }
        return seen.withLock { Run(entries: $0.entries, end: end, threads: $0.threads, overlaps: $0.overlaps) }
    }

    /// Expects that the record is framed by the run, and that what each attempt says stands between its beginning and
    /// its end, in the order of its time line, attempt after attempt.
    static func expectOrder(_ entries: [RunEntry], sourceLocation: SourceLocation = #_sourceLocation) {
        var open: [Int: Int64] = [:]
        var begun: Set<Int> = []
        var attempts: [String: Int] = [:]
        var titles: [Int: String] = [:]
        var playing: Set<String> = []
        for (place, entry) in entries.enumerated() {
            switch entry {
            case .runStarted: #expect(place == 0, sourceLocation: sourceLocation)
            case .runEnded: #expect(place == entries.count - 1, sourceLocation: sourceLocation)
            case .scenarioStarted(let start):
                let title = start.file + start.titlePath.joined(separator: " › ")
                #expect(begun.insert(start.index).inserted, "\(title) twice", sourceLocation: sourceLocation)
                #expect(playing.insert(title).inserted, "\(title) at once", sourceLocation: sourceLocation)
                #expect(start.attempt == attempts[title, default: 0] + 1, sourceLocation: sourceLocation)
                attempts[title] = start.attempt
                titles[start.index] = title
                open[start.index] = 0
            case .happened(let index, let nanoseconds, _):
                guard let last = open[index] else {
                    Issue.record("\(index) is not playing", sourceLocation: sourceLocation)
                    continue
                }
                #expect(last <= nanoseconds, sourceLocation: sourceLocation)
                open[index] = nanoseconds
            case .scenarioEnded(let end):
                #expect(open.removeValue(forKey: end.index) != nil, sourceLocation: sourceLocation)
                if let title = titles[end.index] { playing.remove(title) }
            }
        }
        #expect(open.isEmpty, sourceLocation: sourceLocation)
        guard case .runStarted? = entries.first, case .runEnded? = entries.last else {
            Issue.record("it has no frame", sourceLocation: sourceLocation)
            return
        }
    }
}

@Suite("Playing a suite in real time on several event loops")
struct RealTimeRunTests {
    @Test("a retry that asks to be skipped does not excuse the attempt before")
    func skippedRetry() async throws {
        func run(busyAt seed: String) async throws -> RealTime.Run {
            let settings = RealTime.settings([])
            let skip = "if t.seed == '\(seed)' then t:skip 'busy' end"
            let script = "scenario('s', function(t) \(skip) expect(t.seed, 1) end)"
            let suite = try RealTime.suite([script], settings, retries: 1)
            return await RealTime.run(suite, settings, workers: 1, loops: 1)
        }
        let second = try await run(busyAt: "none").entries.compactMap { entry -> String? in
            if case .scenarioEnded(let end) = entry { end.problems.first?.message } else { nil }
        }.last
        let seed = try #require(second?.firstMatch(of: /[0-9]{10,}/)?.output)
        let run = try await run(busyAt: String(seed))
        #expect(run.problems == [["expect"], ["skipped_retry"]])
        #expect(run.end.counts == OutcomeCounts(failed: 1))
    }

    private static let echo = """
        local websocket = require "websocket"
        for number = 1, 8 do
            scenario("s" .. number, function(t)
                t:server(websocket, { echo = true })
                local client = t:actor(websocket)
                client:connect()
                client:expect "connected"
                for turn = 1, 5 do
                    client:send("hello " .. number .. "." .. turn)
                    client:expect("frame", { text = "hello " .. number .. "." .. turn })
                    wait "15ms"
                end
                if number % 4 == 0 then expect(number, 0) end
            end)
        end
        """

    @Test(
        "scenarios over sockets play on all loops there are, and each has its entries in order", arguments: [1, 2, 3])
    func loops(count: Int) async throws {
        let settings = RealTime.settings([PlainWebSocketSystem.system])
        let suite = try RealTime.suite([Self.echo], settings, retries: 1)
        let played = Mutex<[String: Outcome]>([:])
        let run = await RealTime.run(
            suite, settings, workers: 4, loops: count,
            onPlayed: { id, elapsed, outcome in
                #expect(elapsed > .milliseconds(75))
                played.withLock { #expect($0.updateValue(outcome, forKey: id) == nil) }
            }, whileReporting: { _ in Thread.sleep(forTimeInterval: 0.002) })
        #expect(run.threads.count == count && !run.overlaps)
        RealTime.expectOrder(run.entries)
        #expect(run.end.counts == OutcomeCounts(passed: 6, failed: 2), "\(run.problems)")
        #expect(run.entries.ends.count == 10 && Set(run.entries.begun) == Set((1...8).map { "s\($0)" }))
        #expect(run.end.durationNanoseconds > 150_000_000)
        #expect(played.withLock { $0.values.count { $0 == .passed } } == 6 && played.withLock { $0.count } == 8)
    }

    @Test("there are no more loops than slots, and what begins next is the first that has not")
    func slots() async throws {
        let settings = RealTime.settings([PlainWebSocketSystem.system])
        let suite = try RealTime.suite([Self.echo], settings)
        let run = await RealTime.run(suite, settings, workers: 1, loops: 4)
        #expect(run.threads.count == 1)
        #expect(run.entries.begun == (1...8).map { "s\($0)" } && run.entries.ends.map(\.index) == Array(0..<8))
    }

    @Test("after a failure too many nothing begins on any loop, and the others are skipped with the reason")
    func failureLimit() async throws {
        let bells = BellLog()
        let settings = RealTime.settings(bells)
        let source = """
            local bell = require "bell"
            for number = 1, 30 do
                scenario("s" .. number, function(t)
                    t:actor(bell):ring("s" .. number)
                    expect(number ~= 2, true)
                    -- So long that the thread of the second one, however late it runs, does so before all others have.
                    wait "200ms"
                end)
            end
            """
        let run = await RealTime.run(
            try RealTime.suite([source], settings), settings, workers: 3, loops: 3, failureLimit: 1)
        RealTime.expectOrder(run.entries)
        let counts = run.end.counts
        #expect(counts.failed == 1 && counts.passed + counts.skipped == 29 && counts.skipped > 0)
        let begun = bells.texts.count
        #expect(begun == counts.passed + 1 && run.entries.begun.count == 30)
        #expect(bells.threads().count == 3)
    }

    private static func tries(_ body: String) -> String {
        """
        local bell = require "bell"
        scenario("bot", { passes = { at_least = 0.8, margin = 0.3, at_most_tries = 40 } }, function(t)
            local own = t:actor(bell)
            own:ring "try"
            wait(random.number() / 50)
            print "said"
            \(body)
        end)
        """
    }

    @Test("tries of one scenario play on several loops, with the record of tries one by one")
    func tries() async throws {
        let bells = BellLog()
        let settings = RealTime.settings(bells)
        let suite = try RealTime.suite([Self.tries("check(random.number() < 0.9)")], settings)
        let played = Mutex(0)
        let alone = await RealTime.run(suite, settings, workers: 1, loops: 1)
        let before = bells.texts.count
        #expect(bells.threads().count == 1)
        let many = await RealTime.run(
            suite, settings, workers: 6, loops: 3, onPlayed: { _, _, _ in played.withLock { $0 += 1 } })
        RealTime.expectOrder(many.entries)
        #expect(alone.entries.count == many.entries.count)
        #expect(alone.entries.ends.map(\.outcome) == many.entries.ends.map(\.outcome))
        #expect(many.entries.ends.map(\.index) == Array(0..<before) && before > 3)
        #expect(bells.texts.count == 2 * before && bells.threads().count == 4)
        #expect(played.withLock { $0 } == 1)
    }

    @Test("a try that breaks ends those on other loops")
    func brokenTry() async throws {
        // The one that breaks waits for another one to have begun on another loop.
        let threads = Mutex<Set<Int>>([])
        let bells = BellLog { texts in
            threads.withLock { _ = $0.insert(ThreadNumber.current) }
            guard texts.last == "breaks" else { return }
            for _ in 0..<60_000 where threads.withLock({ $0.count }) < 2 { usleep(1_000) }
        }
        let source = Self.tries("if random.number() < 0.2 then own:ring \"breaks\" error \"broken\" end wait \"40s\"")
        // A seed with which the first one breaks; where it does not, virtual time has others after it.
        var seed: UInt64 = 0
        var count = 0
        repeat {
            seed += 1
            let settings = RealTime.settings(BellLog(), seed: seed, isVirtual: true)
            let run = await MiniRun.run(try RealTime.suite([source], settings), settings)
            count = run.entries.ends.count
        } while count > 1
        let settings = RealTime.settings(bells, seed: seed)
        let run = await RealTime.run(try RealTime.suite([source], settings), settings, workers: 6, loops: 3)
        RealTime.expectOrder(run.entries)
        #expect(run.entries.ends.map(\.outcome) == [.error] && run.printed == ["said"])
        #expect(run.end.durationNanoseconds < 20_000_000_000)
        #expect(bells.count("try") > 1 && bells.threads("try").count > 1)
    }
}
