import JSON
import RunRecord

/// Runs of conversations as chat systems have them.
enum ChatRun {
    /// A run of many scenarios in which visitors wait, are answered, and leave.
    static func entries(scenarios: Int) -> [RunEntry] {
        let start = RunStart(
            toolVersion: "0.1.0", seed: 42, clock: .virtual, target: "embedded", plannedScenarios: scenarios)
        var entries: [RunEntry] = [.runStarted(start)]
        var counts = OutcomeCounts()
        for index in 0..<scenarios {
            entries += Self.scenario(index, attempt: 1, failing: index.isMultiple(of: 50))
            counts.add(index.isMultiple(of: 50) ? .failed : .passed)
        }
        entries.append(.runEnded(RunEnd(counts: counts, durationNanoseconds: Int64(scenarios) * 9_000_000_000)))
        return entries
    }

    /// A run in which a scenario passes at its second attempt, with two actors and messages of every look.
    static let retried: [RunEntry] =
        [
            .runStarted(
                RunStart(toolVersion: "0.1.0", seed: 42, clock: .virtual, target: "embedded", plannedScenarios: 1))
        ]
        + Self.scenario(0, name: "is answered", attempt: 1, failing: true)
        + Self.scenario(1, name: "is answered", attempt: 2, failing: false)
        + [.runEnded(RunEnd(counts: OutcomeCounts(passed: 1, failed: 1), durationNanoseconds: 18_000_000_000))]

    static func scenario(_ index: Int, name: String? = nil, attempt: Int, failing: Bool) -> [RunEntry] {
        let file = "Scenarios/desk/\(index / 40).lua"
        var time: Int64 = 0
        var entries: [RunEntry] = [
            .scenarioStarted(
                ScenarioStart(
                    index: index, file: name == nil ? file : "Scenarios/desk.lua", line: 3 + index % 40 * 20,
                    titlePath: ["the desk", name ?? "visitor \(index) is answered"],
                    tags: [index.isMultiple(of: 3) ? "smoke" : "nightly", "queue"], seed: UInt64(index) &* 7_919,
                    attempt: attempt, atNanoseconds: 0))
        ]
        for runEvent in Self.happenings(number: index, failing: failing) {
            time += 150_000_000
            entries.append(.happened(scenario: index, atNanoseconds: time, runEvent))
        }
        let problem = Problem(
            category: .failure, typeName: "timeout", message: "no message with \"yesterday\" within 3s",
            detail: SampleRun.detail, file: file, line: 21, limit: "the 3s of this expectation")
        entries.append(
            .scenarioEnded(
                ScenarioEnd(
                    index: index, atNanoseconds: time, outcome: failing ? .failed : .passed,
                    problems: failing ? [problem] : [])))
        return entries
    }

    private static func happenings(number: Int, failing: Bool) -> [RunEvent] {
        let card: JSONValue = [
            "title": .string("Trousers \(number)"), "description": "Blue, made to measure.",
            "image_url": "https://x.test/a.png",
            "actions": [["type": "postback", "label": "Order"]],
        ]
        let form: JSONObject = [
            "kind": "pre_chat", "fields": [["key": "name", "label": "Your name", "required": true]],
        ]
        let text = "The order \(number) left this morning and should be with you on Thursday."
        func frame(_ direction: WireFrame.Direction, _ connection: String) -> RunEvent {
            let body = "{\"method\":\"addMessage\",\"params\":[{\"Text\":\"\(text)\"}],\"id\":\(number)}"
            return .wire(
                WireFrame(
                    connection: connection, direction: direction, summary: "WebSocket text", payload: .text(body)))
        }
        func message(_ fields: JSONObject, _ number: Int) -> RunEvent {
            .observed(actor: "visitor", number: number, kind: "message", fields: fields)
        }
        return [
            .actorJoined(name: "visitor", system: "boldchat", role: "client"),
            .actorJoined(name: "Sam", system: "boldchat", role: "agent"),
            .stepBegan(name: "the visitor asks", line: 5),
            .commanded(actor: "visitor", name: "create_chat", arguments: [:], line: 6),
            .observed(actor: "visitor", number: 1, kind: "pre_chat", fields: ["form": .object(form)]),
            .expected(actor: "visitor", line: 7, description: "pre_chat", result: .satisfied(events: [1])),
            .commanded(
                actor: "visitor", name: "submit_pre_chat",
                arguments: ["values": ["name": .string("Visitor \(number)")]], line: 8),
            .observed(actor: "visitor", number: 2, kind: "queue", fields: ["position": 2]),
            .stepEnded(name: "the visitor asks"),
            .commanded(actor: "Sam", name: "typing", arguments: ["active": true], line: 12),
            .observed(
                actor: "visitor", number: 3, kind: "typing", fields: ["active": true, "person": ["name": "Sam"]]),
            .commanded(actor: "Sam", name: "say", arguments: ["text": .string(text)], line: 13),
            frame(.sent, "boldchat/1"), frame(.received, "visitor/1"),
            message(["from": "operator", "name": "Sam", "text": .string(text)], 4),
            message(["from": "bot", "text": "Or perhaps these?", "cards": [card, card]], 5),
            message(
                ["from": "bot", "headings": ["Item", "Price"], "rows": [["Trousers", "129"], ["Belt", 25]]], 6),
            .commanded(actor: "visitor", name: "say", arguments: ["text": "Thanks!"], line: 20),
            .observed(actor: "visitor", number: 7, kind: "message_sent", fields: ["text": "Thanks!"]),
            .expected(
                actor: "visitor", line: 21, description: "message { text contains \"yesterday\" }",
                result: failing ? .failed : .satisfied(events: [4])),
        ]
    }
}
