import JSON
import RunRecord

/// One entry of each form, with every optional member both present and absent, and its line.
enum SampleEntries {
    static let lines: [(entry: RunEntry, line: String)] = [
        (
            .runStarted(
                RunStart(
                    toolVersion: "0.1.0", seed: .max, clock: .real, target: "staging",
                    startedAt: "2026-03-01T12:00:00Z", shard: Shard(index: 2, count: 4), plannedScenarios: 3,
                    fault: "cut@12")),
            #"{"type":"run_started","format":1,"tool":"0.1.0","seed":"18446744073709551615","clock":"real","#
                + #""target":"staging","started_at":"2026-03-01T12:00:00Z","shard":{"index":2,"count":4},"#
                + #""planned":3,"fault":"cut@12"}"#
        ),
        (
            .runStarted(
                RunStart(toolVersion: "0.1.0", seed: 7, clock: .virtual, target: "embedded", plannedScenarios: 0)),
            #"{"type":"run_started","format":1,"tool":"0.1.0","seed":"7","clock":"virtual","target":"embedded","#
                + #""planned":0}"#
        ),
        (
            .runStarted(
                RunStart(
                    toolVersion: "0.1.0", seed: 7, clock: .virtual, target: "embedded",
                    shard: Shard(
                        index: 1, count: 2, plannedScenarios: 4,
                        plan: ShardPlan(scenarios: "a1", files: ["m.lua": "b2", "a.lua": "d4"], dealing: "c3")),
                    plannedScenarios: 2)),
            #"{"type":"run_started","format":1,"tool":"0.1.0","seed":"7","clock":"virtual","target":"embedded","#
                + #""shard":{"index":1,"count":2,"planned":4,"plan":{"scenarios":"a1","files":{"a.lua":"d4","m.lua":"b2"},"dealing":"c3"}},"#
                + #""planned":2}"#
        ),
        (
            .scenarioStarted(
                ScenarioStart(
                    index: 1, file: "Scenarios/queue.lua", line: 3, titlePath: ["queue", "waits"], row: "French",
                    tags: ["smoke"], seed: 9, attempt: 2, atNanoseconds: 5)),
            #"{"type":"scenario_started","scenario":1,"at":5,"id":"Scenarios/queue.lua::queue › waits [French]","#
                + #""file":"Scenarios/queue.lua","line":3,"title":["queue","waits"],"row":"French","#
                + #""tags":["smoke"],"seed":"9","attempt":2}"#
        ),
        (
            .scenarioStarted(
                ScenarioStart(
                    index: 2, file: "a.lua", line: 1, titlePath: ["x"], seed: 0,
                    askedBy: .init(file: "b/ü.lua", name: "y › z"), atNanoseconds: 0)),
            #"{"type":"scenario_started","scenario":2,"at":0,"id":"a.lua::x","file":"a.lua","line":1,"title":["x"],"#
                + #""seed":"0","attempt":1,"asked_by":{"file":"b/ü.lua","name":"y › z"}}"#
        ),
        (
            .scenarioStarted(
                ScenarioStart(
                    index: 3, file: "a.lua", line: 4, titlePath: ["x"], row: "r", seed: 0,
                    choice: ScenarioChoice(line: 4, filter: "[r]"),
                    askedBy: .init(file: "b.lua", name: "z", choice: ScenarioChoice(line: 2, number: 3)),
                    atNanoseconds: 0)),
            #"{"type":"scenario_started","scenario":3,"at":0,"id":"a.lua::x [r]","file":"a.lua","line":4,"title":["x"],"#
                + #""row":"r","seed":"0","attempt":1,"choice":{"line":4,"filter":"[r]"},"#
                + #""asked_by":{"file":"b.lua","name":"z","choice":{"line":2,"number":3}}}"#
        ),
        (
            .happened(scenario: 1, atNanoseconds: 6, .actorJoined(name: "Ada", system: "boldchat", role: "visitor")),
            #"{"type":"actor_joined","scenario":1,"at":6,"actor":"Ada","system":"boldchat","role":"visitor"}"#
        ),
        (
            .happened(
                scenario: 1, atNanoseconds: 7, .commanded(actor: "Ada", name: "say", arguments: ["text": "hi"], line: 4)
            ),
            #"{"type":"commanded","scenario":1,"at":7,"actor":"Ada","name":"say","arguments":{"text":"hi"},"line":4}"#
        ),
        (
            .happened(
                scenario: 1, atNanoseconds: 8,
                .observed(actor: "Ada", number: 1, kind: "queue", fields: ["position": 2], raw: ["p": [2, .null]])),
            #"{"type":"observed","scenario":1,"at":8,"actor":"Ada","number":1,"kind":"queue","#
                + #""fields":{"position":2},"raw":{"p":[2,null]}}"#
        ),
        (
            .happened(
                scenario: 1, atNanoseconds: 9, .observed(actor: "Ada", number: 2, kind: "accepted", fields: [:])),
            #"{"type":"observed","scenario":1,"at":9,"actor":"Ada","number":2,"kind":"accepted","fields":{}}"#
        ),
        (
            .happened(
                scenario: 1, atNanoseconds: 10,
                .wire(
                    WireFrame(
                        connection: "Ada/http", direction: .sent, summary: "POST /", payload: .text("a=\u{1}"),
                        isTruncated: true))),
            #"{"type":"wire","scenario":1,"at":10,"connection":"Ada/http","direction":"sent","summary":"POST /","#
                + #""text":"a=\u0001","truncated":true}"#
        ),
        (
            .happened(
                scenario: 1, atNanoseconds: 11,
                .wire(WireFrame(connection: "c", direction: .received, summary: "", payload: .base64("AAE=")))),
            #"{"type":"wire","scenario":1,"at":11,"connection":"c","direction":"received","summary":"","#
                + #""base64":"AAE="}"#
        ),
        (
            .happened(scenario: 1, atNanoseconds: 12, .stepBegan(name: "pays", line: 8)),
            #"{"type":"step_began","scenario":1,"at":12,"name":"pays","line":8}"#
        ),
        (
            .happened(scenario: 1, atNanoseconds: 13, .stepEnded(name: "pays")),
            #"{"type":"step_ended","scenario":1,"at":13,"name":"pays"}"#
        ),
        (
            .happened(
                scenario: 1, atNanoseconds: 14,
                .expected(actor: "Ada", line: 5, description: "queue", result: .satisfied(events: [1, 2]))),
            #"{"type":"expected","scenario":1,"at":14,"actor":"Ada","line":5,"description":"queue","#
                + #""satisfied":true,"events":[1,2]}"#
        ),
        (
            .happened(scenario: 1, atNanoseconds: 15, .expected(description: "silence", result: .failed)),
            #"{"type":"expected","scenario":1,"at":15,"description":"silence","satisfied":false}"#
        ),
        (
            .happened(scenario: 1, atNanoseconds: 16, .logged(level: .warning, text: "two\nlines")),
            #"{"type":"logged","scenario":1,"at":16,"level":"warning","text":"two\nlines"}"#
        ),
        (
            .happened(
                scenario: 1, atNanoseconds: 17,
                .attached(name: "screen", path: "Reports/a.txt", mediaType: "text/plain")),
            #"{"type":"attached","scenario":1,"at":17,"name":"screen","path":"Reports/a.txt","media_type":"text/plain"}"#
        ),
        (
            .scenarioEnded(
                ScenarioEnd(
                    index: 1, atNanoseconds: 18, outcome: .failed,
                    problems: [
                        Problem(
                            category: .failure, typeName: "timeout", message: "no queue", detail: "no queue\nat 5",
                            file: "a.lua", line: 5, isSoft: true, limit: "the 3s of this expectation"),
                        Problem(category: .error, typeName: "script", message: "nil"),
                    ])),
            #"{"type":"scenario_ended","scenario":1,"at":18,"outcome":"failed","problems":[{"category":"failure","#
                + #""type":"timeout","message":"no queue","detail":"no queue\nat 5","file":"a.lua","line":5,"#
                + #""soft":true,"limit":"the 3s of this expectation"},"#
                + #"{"category":"error","type":"script","message":"nil"}]}"#
        ),
        (
            .happened(
                scenario: 1, atNanoseconds: 17,
                .showed(
                    actor: "Ada", screen: [ScreenRow(.title, "Chat"), ScreenRow(.field, "", label: "Your name")])),
            #"{"type":"showed","scenario":1,"at":17,"actor":"Ada","screen":[{"kind":"title","text":"Chat"},"#
                + #"{"kind":"field","text":"","label":"Your name"}]}"#
        ),
        (
            .scenarioEnded(
                ScenarioEnd(
                    index: 1, atNanoseconds: 18, outcome: .failed,
                    problems: [
                        Problem(
                            category: .failure, typeName: "transcript", message: "differs",
                            differences: [
                                .init(.hidden, count: 4),
                                .init(
                                    .changed, actor: "Ada", isDone: true, name: "say",
                                    fields: [
                                        .init(name: "text", stored: "\"<any>\"", found: nil, fits: false),
                                        .init(name: "a", stored: nil, found: "1", fits: true),
                                    ]),
                            ])
                    ])),
            #"{"type":"scenario_ended","scenario":1,"at":18,"outcome":"failed","problems":[{"category":"failure","#
                + #""type":"transcript","message":"differs","differences":[{"kind":"hidden","count":4},"#
                + #"{"kind":"changed","actor":"Ada","done":true,"name":"say","fields":[{"name":"text","#
                + #""stored":"\"<any>\""},{"name":"a","found":"1","fits":true}]}]}]}"#
        ),
        (
            .scenarioEnded(
                ScenarioEnd(
                    index: 1, atNanoseconds: 18, outcome: .failed,
                    problems: [
                        Problem(
                            category: .failure, typeName: "timeout", message: "no queue",
                            evidence: Evidence(
                                actor: "Ada",
                                frames: [.init(file: "a.lua", line: 5, function: "ask", excerpt: ["> 5 | ask()"])],
                                nearest: NearestEvent(number: 2, kind: "queue", at: "1s", remarks: ["late"]),
                                differences: [
                                    ValueDifference(
                                        path: "text", expected: MarkedText(parts: ["a", "b"]), found: MarkedText("ac"))
                                ],
                                sections: [.init(heading: "answer", lines: ["500"], event: 2)]))
                    ])),
            #"{"type":"scenario_ended","scenario":1,"at":18,"outcome":"failed","problems":[{"category":"failure","#
                + #""type":"timeout","message":"no queue","#
                + #""detail":"no queue\nat a.lua:5 in ask\n\n  > 5 | ask()\n\nanswer    500","#
                + #""evidence":{"actor":"Ada","frames":[{"file":"a.lua","line":5,"function":"ask","#
                + #""excerpt":["> 5 | ask()"]}],"#
                + #""nearest":{"event":2,"kind":"queue","at":"1s","remarks":["late"]},"#
                + #""differences":[{"path":"text","expected":["a","b"],"found":["ac"]}],"#
                + #""sections":[{"heading":"answer","lines":["500"],"event":2}]}}]}"#
        ),
        (
            .scenarioEnded(ScenarioEnd(index: 2, atNanoseconds: 18, outcome: .skipped(reason: "later"))),
            #"{"type":"scenario_ended","scenario":2,"at":18,"outcome":"skipped","reason":"later"}"#
        ),
        (
            .scenarioEnded(
                ScenarioEnd(
                    index: 3, atNanoseconds: 19, outcome: .expectedFailure(reason: "bug 7"), isRetried: true)),
            #"{"type":"scenario_ended","scenario":3,"at":19,"outcome":"expected_failure","reason":"bug 7","#
                + #""retried":true}"#
        ),
        (
            .scenarioStarted(
                ScenarioStart(
                    index: 4, file: "a.lua", line: 1, titlePath: ["s"], repetition: 2, seed: 5, atNanoseconds: 0)),
            #"{"type":"scenario_started","scenario":4,"at":0,"id":"a.lua::s (repetition 2)","file":"a.lua","line":1,"#
                + #""title":["s"],"repetition":2,"seed":"5","attempt":1}"#
        ),
        (
            .scenarioStarted(
                ScenarioStart(
                    index: 5, file: "a.lua", line: 1, titlePath: ["x"], seed: 0, attempt: 2, isTry: true,
                    atNanoseconds: 0)),
            #"{"type":"scenario_started","scenario":5,"at":0,"id":"a.lua::x","file":"a.lua","line":1,"title":["x"],"#
                + #""seed":"0","attempt":2,"try":true}"#
        ),
        (
            .scenarioStarted(
                ScenarioStart(
                    index: 6, file: "a.lua", line: 1, titlePath: ["y"], seed: 0, hasOwnRetries: true,
                    atNanoseconds: 0)),
            #"{"type":"scenario_started","scenario":6,"at":0,"id":"a.lua::y","file":"a.lua","line":1,"title":["y"],"#
                + #""seed":"0","attempt":1,"own_retries":true}"#
        ),
        (
            .scenarioEnded(
                ScenarioEnd(
                    index: 5, atNanoseconds: 10, outcome: .passed,
                    passes: PassRate(
                        TryRate(tries: 2, passed: 1, low: 0.125, high: 0.875), atLeast: 0.75, confidence: 0.5,
                        verdict: .pass,
                        lastFailed: .init(number: 1, message: "no"),
                        checks: [
                            CheckRate(
                                line: 7, text: "check(a)", rate: TryRate(tries: 2, passed: 1, low: 0.125, high: 0.875)),
                            CheckRate(
                                file: "l.lua", line: 9, text: "",
                                rate: TryRate(tries: 1, passed: 1, low: 0.5, high: 1)),
                        ],
                        baseline: BaselineRate(
                            TryRate(tries: 8, passed: 7, low: 0.5, high: 0.75), differenceLow: -0.5,
                            differenceHigh: 0.25)))),
            #"{"type":"scenario_ended","scenario":5,"at":10,"outcome":"passed","passes":{"at_least":0.75,"#
                + #""confidence":0.5,"tries":2,"passed":1,"low":0.125,"high":0.875,"verdict":"pass","#
                + #""last_failed":{"attempt":1,"message":"no"},"checks":["#
                + #"{"line":7,"text":"check(a)","tries":2,"passed":1,"low":0.125,"high":0.875},"#
                + #"{"file":"l.lua","line":9,"text":"","tries":1,"passed":1,"low":0.5,"high":1.0}],"#
                + #""baseline":{"tries":8,"passed":7,"low":0.5,"high":0.75,"difference_low":-0.5,"difference_high":0.25}}}"#
        ),
        (
            .scenarioEnded(
                ScenarioEnd(
                    index: 6, atNanoseconds: 10, outcome: .passed, isRetried: true,
                    passes: PassRate(
                        TryRate(tries: 1, passed: 1, low: 0.125, high: 0.875), atLeast: 0.75, confidence: 0.5))),
            #"{"type":"scenario_ended","scenario":6,"at":10,"outcome":"passed","retried":true,"#
                + #""passes":{"at_least":0.75,"confidence":0.5,"tries":1,"passed":1,"low":0.125,"high":0.875}}"#
        ),
        (
            .scenarioStarted(
                ScenarioStart(
                    index: 7, file: "a.lua", line: 1, titlePath: ["x"], row: "typos 1", mutator: "typos", seed: 0,
                    atNanoseconds: 0)),
            #"{"type":"scenario_started","scenario":7,"at":0,"id":"a.lua::x [typos 1]","file":"a.lua","line":1,"#
                + #""title":["x"],"row":"typos 1","mutator":"typos","seed":"0","attempt":1}"#
        ),
        (
            .runEnded(
                RunEnd(
                    counts: OutcomeCounts(passed: 1), durationNanoseconds: 20,
                    robustness: [
                        MutatorRate(mutator: "casing", errors: 1, skipped: 2),
                        MutatorRate(mutator: "typos", passed: 1, failed: 1),
                    ])),
            #"{"type":"run_ended","duration":20,"passed":1,"failed":0,"errors":0,"skipped":0,"robustness":["#
                + #"{"mutator":"casing","played":0,"passed":0,"errors":1,"skipped":2},"#
                + #"{"mutator":"typos","played":2,"passed":1,"rate":0.5}]}"#
        ),
        (
            .runEnded(
                RunEnd(
                    counts: OutcomeCounts(flaky: 5, expectedFailures: 6), durationNanoseconds: 20, isInterrupted: true,
                    timeLimit: "10m", usage: Self.usage)),
            #"{"type":"run_ended","duration":20,"passed":0,"failed":0,"errors":0,"skipped":0,"flaky":5,"#
                + #""expected_failures":6,"interrupted":true,"time_limit":"10m","llm":{"answers":2,"input_tokens":3,"#
                + #""output_tokens":5,"cost":0.25,"priced":1,"time_to_first_token":{"count":1,"sum":7,"max":7}}}"#
        ),
        (
            .runEnded(
                RunEnd(
                    counts: OutcomeCounts(passed: 1, failed: 2, errors: 3, skipped: 4), durationNanoseconds: 20,
                    isInterrupted: true, files: ["rows.csv": "a1"])),
            #"{"type":"run_ended","duration":20,"passed":1,"failed":2,"errors":3,"skipped":4,"interrupted":true,"#
                + #""files":{"rows.csv":"a1"}}"#
        ),
    ]

    private static let usage: ModelUsage = {
        var usage = ModelUsage()
        usage.answers = 2
        usage.inputTokens = 3
        usage.outputTokens = 5
        usage.pricedAnswers = 1
        usage.costNanos = 250_000_000
        usage.firstTokens = 1
        usage.firstTokenNanoseconds = 7
        usage.longestFirstTokenNanoseconds = 7
        return usage
    }()

    /// All lines as one record.
    static var record: [UInt8] { Self.lines.flatMap { Array($0.line.utf8) + [0x0A] } }
}
