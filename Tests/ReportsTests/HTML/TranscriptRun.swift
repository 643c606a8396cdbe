import JSON
import RunRecord

/// A run in which a conversation is not what a transcript has stored, of an actor that has a screen.
enum TranscriptRun {
    private static let empty = [
        ScreenRow(.title, "Chat", label: "chat"), ScreenRow(.field, "", label: "Your message"),
        ScreenRow(.button, "Send"), ScreenRow(.button, "End"),
    ]

    private static let differences: [ConversationDifference] = [
        .init(.hidden, count: 3), .init(.same, actor: "visitor", isDone: true, name: "create_chat"),
        .init(.gap, count: 2),
        .init(
            .changed, actor: "visitor", name: "message",
            fields: [
                .init(name: "id", stored: "\"<integer>\"", found: "7", fits: true),
                .init(name: "text", stored: "\"Good morning Ada\"", found: "\"Good evening Ada\"", fits: false),
            ]),
        .init(
            .missing, actor: "visitor", name: "queue",
            fields: [.init(name: "position", stored: "1", found: nil, fits: false)]),
        .init(
            .unexpected, actor: "visitor", name: "message",
            fields: [.init(name: "text", stored: nil, found: "\"<script>\"", fits: false)]),
    ]

    static let entries: [RunEntry] =
        [
            .runStarted(
                RunStart(toolVersion: "0.1.0", seed: 42, clock: .virtual, target: "embedded", plannedScenarios: 1)),
            .scenarioStarted(
                ScenarioStart(index: 0, file: "a.lua", line: 1, titlePath: ["a talk"], seed: 1, atNanoseconds: 0)),
        ]
        + Self.happenings.enumerated().map { number, runEvent in
            .happened(scenario: 0, atNanoseconds: Int64(number) * 1_000_000, runEvent)
        } + [
            .scenarioEnded(
                ScenarioEnd(
                    index: 0, atNanoseconds: 9_000_000, outcome: .failed,
                    problems: [
                        Problem(
                            category: .failure, typeName: "transcript",
                            message: "the conversation is not what transcripts/one.txt has stored",
                            detail: SampleRun.detail, line: 9, differences: Self.differences)
                    ])),
            .runEnded(RunEnd(counts: OutcomeCounts(failed: 1), durationNanoseconds: 9_000_000)),
        ]

    private static let happenings: [RunEvent] = [
        .actorJoined(name: "visitor", system: "boldchat", role: "client"),
        .commanded(actor: "visitor", name: "create_chat", arguments: [:], line: 3),
        .showed(actor: "visitor", screen: Self.empty),
        .observed(actor: "visitor", number: 1, kind: "connected", fields: [:]),
        .observed(actor: "visitor", number: 2, kind: "message", fields: ["from": "operator", "text": "Hello"]),
        .showed(
            actor: "visitor",
            screen: [Self.empty[0], ScreenRow(.said, "Hello", label: "Sam")] + Self.empty.dropFirst()),
        .expected(actor: nil, line: 9, description: "transcript transcripts/one.txt", result: .failed),
    ]
}
