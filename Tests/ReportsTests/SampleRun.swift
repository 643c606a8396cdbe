import JSON
import RunRecord

/// A small run with every outcome, as its entries.
enum SampleRun {
    static let detail = """
        no queue event within 3s
        at Scenarios/queue.lua:9

          > 9 | visitor:expect("queue", { position = 1 })
              | ^^^^^^^^^^^^^^

        expected  queue  position = 1
        nearest   #2 queue at 1.2s
                    position  expected 1
                              found    2
        timeline  ✓ #1  0s     connected
                  ! #2  +1.2s  queue  position=2
        """

    static let start = RunStart(
        toolVersion: "0.1.0", seed: 42, clock: .virtual, target: "embedded", plannedScenarios: 4)

    static let entries: [RunEntry] = [
        .runStarted(Self.start),
        .scenarioStarted(
            ScenarioStart(
                index: 1, file: "Scenarios/queue.lua", line: 3, titlePath: ["a visitor waits"],
                tags: ["smoke", "queue"],
                seed: 11, atNanoseconds: 0)),
        .happened(
            scenario: 1, atNanoseconds: 0, .actorJoined(name: "visitor", system: "boldchat", role: "visitor")),
        .happened(
            scenario: 1, atNanoseconds: 0, .commanded(actor: "visitor", name: "say", arguments: ["text": "hi"], line: 4)
        ),
        .happened(
            scenario: 1, atNanoseconds: 1_200_000_000,
            .observed(actor: "visitor", number: 1, kind: "message", fields: ["from": "operator", "text": "hello"])),
        .happened(
            scenario: 1, atNanoseconds: 1_200_000_000,
            .expected(actor: "visitor", line: 5, description: "message", result: .satisfied(events: [1]))),
        .happened(
            scenario: 1, atNanoseconds: 1_300_000_000,
            .wire(WireFrame(connection: "visitor/http", direction: .received, summary: "200"))),
        .scenarioEnded(ScenarioEnd(index: 1, atNanoseconds: 2_350_000_000, outcome: .passed)),
        .scenarioStarted(
            ScenarioStart(
                index: 2, file: "Scenarios/queue.lua", line: 8, titlePath: ["queue", "the position falls"],
                row: "French",
                seed: 12, atNanoseconds: 2_350_000_000)),
        .happened(
            scenario: 2, atNanoseconds: 3_550_000_000,
            .observed(actor: "visitor", number: 2, kind: "queue", fields: ["position": 2])),
        .happened(
            scenario: 2, atNanoseconds: 4_000_000_000,
            .attached(name: "screen", path: "Reports/screen.txt", mediaType: "text/plain")),
        .scenarioEnded(
            ScenarioEnd(
                index: 2, atNanoseconds: 5_350_000_000, outcome: .failed,
                problems: [
                    Problem(
                        category: .failure, typeName: "check", message: "a soft one", file: "Scenarios/queue.lua",
                        line: 7, isSoft: true),
                    Problem(
                        category: .failure, typeName: "timeout", message: "no queue event within 3s",
                        detail: Self.detail,
                        file: "Scenarios/queue.lua", line: 9, limit: "the 3s of this expectation"),
                ])),
        .scenarioStarted(
            ScenarioStart(
                index: 3, file: "Scenarios/forms/survey.v2.lua", line: 1, titlePath: ["rates <the> \"agent\" & leaves"],
                seed: 13, atNanoseconds: 5_350_000_000)),
        .scenarioEnded(
            ScenarioEnd(index: 3, atNanoseconds: 5_350_000_000, outcome: .skipped(reason: "no camera on this machine"))),
        .scenarioStarted(
            ScenarioStart(
                index: 4, file: "Scenarios/forms/survey.v2.lua", line: 20, titlePath: ["breaks"], seed: 14,
                atNanoseconds: 5_350_000_000)),
        .scenarioEnded(
            ScenarioEnd(
                index: 4, atNanoseconds: 5_350_500_000, outcome: .error,
                problems: [
                    Problem(
                        category: .error, typeName: "script", message: "attempt to index a nil value (global 'visitr')")
                ])),
        .runEnded(
            RunEnd(
                counts: OutcomeCounts(passed: 1, failed: 1, errors: 1, skipped: 1),
                durationNanoseconds: 5_350_500_000)),
    ]

    /// A run with the outcomes that come of options: late, never, as expected, and the second of several plays.
    static let outcomes: [RunEntry] = {
        var entries: [RunEntry] = [.runStarted(Self.start)]
        var index = 0
        func play(
            _ name: String, attempt: Int = 1, repetition: Int? = nil, _ outcome: Outcome, _ message: String? = nil,
            isRetried: Bool = false
        ) {
            index += 1
            let problems = message.map { [Problem(category: .failure, typeName: "t", message: $0)] } ?? []
            entries += [
                .scenarioStarted(
                    ScenarioStart(
                        index: index, file: "a.lua", line: 1, titlePath: [name], repetition: repetition, seed: 1,
                        attempt: attempt, atNanoseconds: 0)),
                .scenarioEnded(
                    ScenarioEnd(
                        index: index, atNanoseconds: 1_000_000_000, outcome: outcome, problems: problems,
                        isRetried: isRetried)),
            ]
        }
        play("late", .failed, "once", isRetried: true)
        play("late", attempt: 2, .passed)
        play("bad", .failed, "first", isRetried: true)
        play("bad", attempt: 2, .failed, "second")
        play("known", .expectedFailure(reason: "bug 7"), "two is not one")
        play("twice", repetition: 2, .passed)
        let counts = OutcomeCounts(passed: 1, failed: 1, flaky: 1, expectedFailures: 1)
        return entries + [.runEnded(RunEnd(counts: counts, durationNanoseconds: 6_000_000_000))]
    }()

    /// A run of one scenario that passes in two of three tries of a second each, which is enough.
    static let tries: [RunEntry] = {
        let start = RunStart(toolVersion: "0.1.0", seed: 42, clock: .real, target: "embedded", plannedScenarios: 1)
        var entries: [RunEntry] = [.runStarted(start)]
        for number in 1...3 {
            let failed = Problem(category: .failure, typeName: "t", message: "no \(number)")
            entries.append(
                .scenarioStarted(
                    ScenarioStart(
                        index: number, file: "a.lua", line: 1, titlePath: ["rate"], seed: 1, attempt: number,
                        isTry: true, atNanoseconds: Int64(number) * 1_000_000_000)))
            let rate = PassRate(
                TryRate(tries: number, passed: number - 1, low: 0.2, high: 0.9), atLeast: 0.5, confidence: 0.9,
                verdict: number == 3 ? .pass : nil, lastFailed: .init(number: 1, message: "no 1"),
                checks: [
                    CheckRate(
                        line: 4, text: "check(polite)",
                        rate: TryRate(tries: number, passed: number - 1, low: 0.2, high: 0.9)),
                    CheckRate(
                        file: "lib/short.lua", line: 2, text: "check(short)",
                        rate: TryRate(tries: 1, passed: 1, low: 0.1, high: 1)),
                ],
                baseline: number == 3
                    ? BaselineRate(
                        TryRate(tries: 8, passed: 7, low: 0.5, high: 0.95), differenceLow: -0.625, differenceHigh: 0.4)
                    : nil)
            entries.append(
                .scenarioEnded(
                    ScenarioEnd(
                        index: number, atNanoseconds: Int64(number + 1) * 1_000_000_000,
                        outcome: number == 1 ? .failed : .passed, problems: number == 1 ? [failed] : [],
                        isRetried: number < 3, passes: rate)))
        }
        return entries + [.runEnded(RunEnd(counts: OutcomeCounts(passed: 1), durationNanoseconds: 3_000_000_000))]
    }()

    /// A run in which scenarios are tried again: one passes then, one fails for good, one is still running.
    static let retries: [RunEntry] = {
        var entries: [RunEntry] = [.runStarted(Self.start)]
        var index = 0
        func attempt(
            _ name: String, _ number: Int, _ outcome: Outcome?, _ message: String = "", isRetried: Bool = false
        ) {
            index += 1
            entries.append(
                .scenarioStarted(
                    ScenarioStart(
                        index: index, file: "a.lua", line: 1, titlePath: [name], seed: 1, attempt: number,
                        atNanoseconds: 0)))
            entries.append(
                .happened(scenario: index, atNanoseconds: 0, .logged(level: .info, text: "\(name) \(number)")))
            guard let outcome else { return }
            let category: Problem.Category = outcome == .error ? .error : .failure
            let problems = message.isEmpty ? [] : [Problem(category: category, typeName: "t", message: message)]
            entries.append(
                .scenarioEnded(
                    ScenarioEnd(
                        index: index, atNanoseconds: 1_000_000_000, outcome: outcome, problems: problems,
                        isRetried: isRetried)))
        }
        attempt("flaky", 1, .failed, "once", isRetried: true)
        attempt("flaky", 2, .passed)
        attempt("bad", 1, .failed, "first", isRetried: true)
        attempt("bad", 2, .error, "second", isRetried: true)
        attempt("bad", 3, .failed, "third")
        attempt("broken", 1, .failed, "before", isRetried: true)
        attempt("broken", 2, .error, "after")
        attempt("slow", 1, .failed, "hung", isRetried: true)
        attempt("slow", 2, nil)
        return entries
    }()
}
