import JSON
import RunRecord

/// A run with a bot that streams a wrong word, whose expectation stands in a module.
enum CauseRun {
    private static let pieces = ["Your order", " A-1O01", " left", " this morning."]

    private static let evidence = Evidence(
        actor: "ada",
        frames: [
            .init(
                file: "Scenarios/bot.lua", line: 5,
                excerpt: ["  4 | ada:ask \"Where is my order?\"", "> 5 | ada:hears \"A-1001\"", "    | ^^^^^^^^^"]),
            .init(
                file: "Scenarios/client.lua", line: 20, function: "hears",
                excerpt: ["> 20 | self.client:expect(\"message\", { text = text })", "     | ^^^^^^^^^^^^^^^^^^"]),
        ],
        nearest: NearestEvent(number: 6, kind: "message", at: "40ms"),
        differences: [
            ValueDifference(
                path: "text", expected: MarkedText(parts: ["\"A-1", "0", "01\""]),
                found: MarkedText(parts: ["\"A-1", "O", "01\""]))
        ],
        sections: [.init(heading: "pending", lines: ["nothing"])])

    static let message = "ada: #6 message has text \"A-1O01\", not \"A-1001\""

    static var entries: [RunEntry] {
        let start = RunStart(
            toolVersion: "1.0.0", seed: 7, clock: .virtual, target: "embedded", plannedScenarios: 2)
        var entries: [RunEntry] = [
            .runStarted(start),
            .scenarioStarted(
                ScenarioStart(
                    index: 0, file: "Scenarios/bot.lua", line: 3, titlePath: ["the order", "is found"], seed: 7,
                    atNanoseconds: 0)),
        ]
        func add(_ milliseconds: Int64, _ runEvent: RunEvent) {
            entries.append(.happened(scenario: 0, atNanoseconds: milliseconds * 1_000_000, runEvent))
        }
        add(0, .actorJoined(name: "ada", system: "http", role: "visitor"))
        add(
            0,
            .commanded(
                actor: "ada", name: "send",
                arguments: ["body": ["messages": [["role": "user", "content": "Where is my order?"]]]], line: 4))
        for (place, text) in Self.pieces.enumerated() {
            add(
                Int64(place + 1) * 10,
                .observed(
                    actor: "ada", number: place + 2, kind: "token",
                    fields: ["request": 1, "number": .integer(Int64(place + 1)), "text": .string(text)]))
        }
        let whole = Self.pieces.joined()
        add(40, .observed(actor: "ada", number: 6, kind: "message", fields: ["from": "bot", "text": .string(whole)]))
        add(50, .expected(actor: "ada", line: 5, description: "message { text = \"A-1001\" }", result: .failed))
        var end = ScenarioEnd(
            index: 0, atNanoseconds: 3_600_000_000_000, outcome: .failed,
            problems: [
                Problem(
                    category: .failure, typeName: "timeout", message: Self.message, file: "Scenarios/bot.lua", line: 5,
                    evidence: Self.evidence)
            ])
        end.wallNanoseconds = 12_000_000
        entries.append(.scenarioEnded(end))
        entries += [
            .scenarioStarted(
                ScenarioStart(
                    index: 1, file: "Scenarios/bot.lua", line: 9, titlePath: ["all is well"], seed: 7, atNanoseconds: 0)
            ),
            .scenarioEnded(ScenarioEnd(index: 1, atNanoseconds: 1_000_000, outcome: .passed)),
            .runEnded(RunEnd(counts: OutcomeCounts(passed: 1, failed: 1), durationNanoseconds: 3_600_001_000_000)),
        ]
        return entries
    }
}
