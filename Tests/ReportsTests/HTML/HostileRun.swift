import JSON
import RunRecord

/// A run in which every text tries to act in the browser of whoever reads the report.
enum HostileRun {
    static let texts = [
        "</script><script>window.hacked = 1</script>", "<!--<script>", "--></script>", "<img src=x onerror=hacked=1>",
        "javascript:hacked=1", "]]></style><svg onload=hacked=1>", "\u{2028}\u{2029}\u{202E}gnirts\u{2066}",
        "\u{0}\u{1B}[2J\u{7F}\u{85}\u{FEFF}", "\"'`${hacked=1}\\", "</SCRIPT ><base href=//evil.test/>",
        "http://evil.test/a.png", "__proto__", "constructor", "é\u{301}\u{1F469}\u{200D}\u{1F680}",
    ]

    static let entries: [RunEntry] = {
        var entries: [RunEntry] = [
            .runStarted(
                RunStart(
                    toolVersion: Self.texts[0], seed: 7, clock: .virtual, target: Self.texts[3],
                    plannedScenarios: Self.texts.count))
        ]
        for (index, text) in Self.texts.enumerated() {
            entries.append(
                .scenarioStarted(
                    ScenarioStart(
                        index: index, file: text, line: 1, titlePath: [text, text], row: text, tags: [text], seed: 1,
                        atNanoseconds: 0)))
            for runEvent in Self.happenings(text) {
                entries.append(.happened(scenario: index, atNanoseconds: 1_000_000, runEvent))
            }
            let problem = Problem(
                category: .failure, typeName: text, message: text, detail: text + "\n" + text, file: text, line: 3,
                limit: text, differences: index.isMultiple(of: 4) ? Self.differences(text) : [],
                evidence: Self.evidence(text))
            let outcome = index.isMultiple(of: 2) ? Outcome.failed : .skipped(reason: text)
            entries.append(
                .scenarioEnded(
                    ScenarioEnd(index: index, atNanoseconds: 2_000_000, outcome: outcome, problems: [problem])))
        }
        entries.append(.runEnded(RunEnd(counts: OutcomeCounts(failed: 7, skipped: 7), durationNanoseconds: 1)))
        return entries
    }()

    private static func differences(_ text: String) -> [ConversationDifference] {
        ConversationDifference.Kind.allCases.map { kind in
            ConversationDifference(
                kind, count: 2, actor: text, isDone: true, name: text,
                fields: [
                    .init(name: text, stored: text + " <any>", found: text, fits: false),
                    .init(name: text, stored: text, found: nil, fits: false),
                    .init(name: text, stored: nil, found: text, fits: true),
                ])
        }
    }

    private static func evidence(_ text: String) -> Evidence {
        Evidence(
            actor: text, frames: [.init(file: text, line: 3, function: text, excerpt: ["> 3 | " + text])],
            nearest: NearestEvent(number: 1, kind: text, at: text, remarks: [text]),
            differences: [
                ValueDifference(path: text, expected: MarkedText(parts: [text, text]), found: MarkedText(text))
            ],
            sections: [.init(heading: "pending", lines: [text]), .init(heading: text, lines: [text], event: 2)])
    }

    private static func happenings(_ text: String) -> [RunEvent] {
        let value = JSONValue.string(text)
        let button: JSONValue = ["label": value, "url": value, "image_url": value, "type": "url"]
        let field: JSONValue = [
            "key": value, "label": value, "value": value, "error": value, "options": [value, button],
        ]
        let form: JSONValue = ["title": value, "kind": value, "intro": value, "fields": [field], "actions": [button]]
        let fields: JSONObject = [
            "text": value, "from": value, "name": value, text: value, "url": value, "cards": [button, value],
            "form": form, "forms": [form], "rows": [[value]], "headings": [value], "actions": [button, value],
            "attachment": ["url": value, "type": value, "title": value], "location": ["a": value],
            "messages": [["text": value]], "person": ["name": value], "position": value, "active": true,
        ]
        let kinds = ["message", "typing", "queue", "history", "message_deleted", "frame", "pre_chat", "error", text]
        return [.actorJoined(name: text, system: text, role: text), .stepBegan(name: text, line: 1)]
            + kinds.enumerated().map { number, kind in
                .observed(actor: text, number: number + 1, kind: kind, fields: fields, raw: .object(fields))
            } + [
                .observed(
                    actor: text, number: 20, kind: "message", fields: ["cards": value, "form": value, "rows": 1]),
                .observed(actor: text, number: 21, kind: text, fields: ["text": ["a": value], "fields": [value]]),
                .commanded(actor: text, name: text, arguments: ["text": value], line: 2),
                .commanded(actor: text, name: text, arguments: ["values": [text: value]]),
                .commanded(actor: text, name: text, arguments: [text: value]),
                .showed(actor: text, screen: ScreenRow.Kind.allCases.map { ScreenRow($0, text, label: text) }),
                .showed(actor: text, screen: [ScreenRow(.button, text), ScreenRow(.said, text)]),
                .wire(
                    WireFrame(
                        connection: text, direction: .sent, summary: text, payload: .text(text), isTruncated: true)),
                .wire(WireFrame(connection: text, direction: .received, summary: text, payload: .base64("AAEC"))),
                .wire(WireFrame(connection: text, direction: .received, summary: text)),
                .expected(actor: text, line: 3, description: text, result: .failed),
                .expected(description: text, result: .satisfied(events: [1, 2])),
                .logged(level: .warning, text: text), .attached(name: text, path: text, mediaType: text),
                .stepEnded(name: text),
            ]
    }
}
