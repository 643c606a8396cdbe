import JSON
import RunRecord
import Testing

@testable import Reports

/// The schema is the one description of the format; nothing else keeps it from telling of members that nobody writes,
/// or from leaving out some.
@Suite("The members of run records")
struct RecordMembersTests {
    /// An entry of each type, and of each form of one, with all that it may have.
    private static let entries: [RunEntry] =
        [
            .runStarted(
                RunStart(
                    toolVersion: "1", seed: 1, clock: .real, target: "shop", startedAt: "2026-03-01T12:00:00Z",
                    shard: Shard(
                        index: 1, count: 2, plannedScenarios: 3,
                        plan: ShardPlan(scenarios: "1", files: ["a.lua": "2"], dealing: "3")),
                    plannedScenarios: 1, replay: "repartee", fault: "cut@1")),
            .scenarioStarted(
                ScenarioStart(
                    index: 1, file: "a.lua", line: 1, titlePath: ["a"], row: "r", mutator: "typos", repetition: 2,
                    tags: ["t"], seed: 1, attempt: 2, isTry: true, hasOwnRetries: true,
                    choice: ScenarioChoice(line: 1, filter: "a", number: 2),
                    askedBy: .init(file: "b.lua", name: "b", choice: ScenarioChoice(line: 1, filter: "a", number: 2)),
                    atNanoseconds: 0)),
            .scenarioEnded(Self.end),
            .runEnded(
                RunEnd(
                    counts: OutcomeCounts(flaky: 1, expectedFailures: 1), durationNanoseconds: 1, isInterrupted: true,
                    timeLimit: "1s",
                    robustness: [MutatorRate(mutator: "typos", passed: 1, failed: 1, errors: 1, skipped: 1)],
                    usage: Self.usage, files: ["a.txt": "1"])),
        ] + Self.events.map { .happened(scenario: 1, atNanoseconds: 0, $0) }

    private static let events: [RunEvent] = [
        .actorJoined(name: "Ada", system: "boldchat", role: "visitor"),
        .commanded(actor: "Ada", name: "say", arguments: ["text": "hi"], line: 1),
        .observed(actor: "Ada", number: 1, kind: "message", fields: ["text": "hi"], raw: ["t": 1]),
        .showed(actor: "Ada", screen: [ScreenRow(.field, "x", label: "Name")]),
        .wire(
            WireFrame(
                connection: "c", direction: .sent, summary: "GET /", payload: .text("a"), isTruncated: true)),
        .wire(WireFrame(connection: "c", direction: .sent, summary: "GET /", payload: .base64("AA=="))),
        .stepBegan(name: "pays", line: 1), .stepEnded(name: "pays"),
        .expected(actor: "Ada", line: 1, description: "queue", result: .satisfied(events: [1])),
        .logged(level: .info, text: "x"), .attached(name: "a", path: "a.txt", mediaType: "text/plain"),
    ]

    private static let end = ScenarioEnd(
        index: 1, atNanoseconds: 1, outcome: .expectedFailure(reason: "bug"),
        problems: [
            Problem(
                category: .failure, typeName: "t", message: "m", detail: "m\nd", file: "a.lua", line: 1, isSoft: true,
                limit: "3s",
                differences: [
                    ConversationDifference(
                        .changed, count: 2, actor: "Ada", isDone: true, name: "say",
                        fields: [.init(name: "text", stored: "1", found: "2", fits: true)])
                ],
                evidence: Evidence(
                    actor: "Ada", frames: [.init(file: "a.lua", line: 1, function: "f", excerpt: ["x"])],
                    nearest: NearestEvent(number: 1, kind: "queue", at: "1s", remarks: ["late"]),
                    differences: [ValueDifference(path: "a", expected: MarkedText("1"), found: MarkedText("2"))],
                    sections: [.init(heading: "h", lines: ["l"], event: 1)]))
        ], isRetried: true, isEmpty: true,
        passes: PassRate(
            TryRate(tries: 2, passed: 1, low: 0.1, high: 0.9), atLeast: 0.5, confidence: 0.95, verdict: .pass,
            lastFailed: .init(number: 1, message: "m"),
            checks: [
                CheckRate(
                    file: "b.lua", line: 1, text: "check()", rate: TryRate(tries: 2, passed: 1, low: 0.1, high: 0.9))
            ],
            baseline: BaselineRate(
                TryRate(tries: 2, passed: 2, low: 0.3, high: 1), differenceLow: -0.9, differenceHigh: 0.1)))

    private static let usage = {
        var usage = ModelUsage()
        (usage.answers, usage.pricedAnswers, usage.costNanos, usage.firstTokens) = (1, 1, 1, 1)
        return usage
    }()

    /// All members that a value has, with the names and types above them; what the schema takes for any value is one.
    private static func written(_ value: JSONValue, _ schema: JSONValue, at path: String) -> Set<String> {
        let schema = Self.resolved(schema)
        if let elements = value.array {
            return Set(elements.flatMap { Self.written($0, schema["items"] ?? true, at: path) })
        }
        guard let members = value.object, schema.bool == nil, schema != ["type": "object"] else { return [] }
        return Set(
            members.flatMap { name, value in
                let path = "\(path).\(name)"
                return Self.written(value, schema["properties"]?[name] ?? [:], at: path).union([path])
            })
    }

    /// All members that a schema tells of, likewise.
    private static func told(_ schema: JSONValue, at path: String) -> Set<String> {
        let schema = Self.resolved(schema)
        if let items = schema["items"] { return Self.told(items, at: path) }
        return Set(
            (schema["properties"]?.object ?? [:]).flatMap { name, member in
                Self.told(member, at: "\(path).\(name)").union(["\(path).\(name)"])
            })
    }

    private static func resolved(_ schema: JSONValue) -> JSONValue {
        guard let name = schema["$ref"]?.string?.split(separator: "/").last else { return schema }
        return RecordSchema.json["$defs"]?[String(name)] ?? schema
    }

    @Test("are those that the schema tells of, no more and no fewer")
    func members() throws {
        var schemas: [String: JSONValue] = [:]
        for rule in RecordSchema.json["allOf"]?.array ?? [] {
            let type = try #require(rule["if"]?["properties"]?["type"]?["const"]?.string)
            schemas[type] = rule["then"]
        }
        var written: [String: Set<String>] = [:]
        for entry in Self.entries {
            let line = try JSONReader.read(entry.line)
            let type = try #require(line["type"]?.string)
            written[type, default: []].formUnion(
                Self.written(line, try #require(schemas[type]), at: type).subtracting(["\(type).type"]))
        }
        #expect(Set(written.keys) == Set(schemas.keys))
        for (type, schema) in schemas {
            let told = Self.told(schema, at: type)
            #expect(written[type] == told, "\((written[type] ?? []).symmetricDifference(told).sorted())")
        }
    }
}
