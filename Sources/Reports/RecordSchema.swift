public import JSON
import RunRecord

/// The JSON Schema of a line of a run record, for tools of other people that read records.
///
/// It is the one description of the format: it says of each type of line which members there are. Lines of other types
/// and further members are valid, for a later version may add some.
public enum RecordSchema {
    /// The schema, by JSON Schema 2020-12.
    public static let json: JSONValue = [
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of a run record of repartee",
        "type": "object",
        "required": ["type"],
        "properties": ["type": ["type": "string"]],
        "allOf": .array(Self.lines.map(Self.rule)),
        "$defs": ["problem": Self.problem, "evidence": Self.evidence, "difference": Self.difference, "row": Self.row],
    ]

    /// A member of a line: its name, and its schema; an optional one may be absent.
    private struct Member {
        let name: String
        let schema: JSONValue
        var isRequired = true

        static func need(_ name: String, _ schema: JSONValue) -> Member { Member(name: name, schema: schema) }

        static func may(_ name: String, _ schema: JSONValue) -> Member {
            Member(name: name, schema: schema, isRequired: false)
        }
    }

    private static let text: JSONValue = ["type": "string"]
    private static let flag: JSONValue = ["type": "boolean"]
    private static let object: JSONValue = ["type": "object"]
    private static let any: JSONValue = true
    private static let nanoseconds: JSONValue = [
        "type": "integer",
        "description": .string(
            "Nanoseconds on the time line of the scenario, which in virtual time is its own, or of the run."),
    ]
    private static let texts: JSONValue = ["type": "array", "items": Self.text]
    private static let line: JSONValue = [
        "type": "integer", "minimum": 0, "description": "A line of the script, counted from one.",
    ]
    private static let seed: JSONValue = [
        "type": "string", "pattern": "^[0-9]{1,20}$", "description": "64 bits without a sign, in decimal digits.",
    ]

    private static func number(from minimum: Int64) -> JSONValue {
        ["type": "integer", "minimum": .integer(minimum)]
    }

    private static func words(_ words: String...) -> JSONValue { Self.words(words) }

    private static func words(_ words: [String]) -> JSONValue { ["enum": .array(words.map { .string($0) })] }

    private static let share: JSONValue = ["type": "number", "minimum": 0, "maximum": 1]

    private static let shift: JSONValue = ["type": "number", "minimum": -1, "maximum": 1]

    /// The rate that was stored.
    private static let baseline = Self.members([
        .need("tries", Self.number(from: 1)), .need("passed", Self.number(from: 0)), .need("low", Self.share),
        .need("high", Self.share), .need("difference_low", Self.shift),
        .need("difference_high", Self.shift),
    ])

    /// In how many tries a soft check held.
    private static let check = Self.members([
        .may("file", Self.text), .need("line", Self.line), .need("text", Self.text),
        .need("tries", Self.number(from: 1)), .need("passed", Self.number(from: 0)), .need("low", Self.share),
        .need("high", Self.share),
    ])

    /// How many scenarios passed whose rows name a mutator.
    private static let robustness = Self.members([
        .need("mutator", Self.text), .need("played", Self.number(from: 0)), .need("passed", Self.number(from: 0)),
        .may("rate", Self.share), .may("errors", Self.number(from: 1)), .may("skipped", Self.number(from: 1)),
    ])

    /// What the answers of language models took.
    private static let usage = Self.members([
        .need("answers", Self.number(from: 0)), .need("input_tokens", Self.number(from: 0)),
        .need("output_tokens", Self.number(from: 0)), .may("cost", ["type": "number", "minimum": 0]),
        .may("priced", Self.number(from: 1)),
        .may(
            "time_to_first_token",
            Self.members([
                .need("count", Self.number(from: 1)), .need("sum", Self.nanoseconds), .need("max", Self.nanoseconds),
            ])),
    ])

    /// How many tries have passed, where their rate decides.
    private static let passes = Self.members([
        .need("at_least", Self.share), .need("confidence", Self.share), .need("tries", Self.number(from: 1)),
        .need("passed", Self.number(from: 0)), .need("low", Self.share), .need("high", Self.share),
        .may("verdict", Self.words(PassRate.Verdict.allCases.map(\.rawValue))),
        .may("last_failed", Self.members([.need("attempt", Self.number(from: 1)), .need("message", Self.text)])),
        .may("checks", ["type": "array", "items": Self.check]), .may("baseline", Self.baseline),
    ])

    /// How a scenario is chosen whose name is not enough.
    private static let choice = Self.members([
        .need("line", Self.line), .may("filter", Self.text), .may("number", Self.number(from: 1)),
    ])

    /// What every line within a scenario has.
    private static let place: [Member] = [.need("scenario", ["type": "integer"]), .need("at", Self.nanoseconds)]

    private static let lines: [(type: String, members: [Member])] = [
        (
            "run_started",
            [
                .need("format", Self.number(from: 1)), .need("tool", Self.text), .need("seed", Self.seed),
                .need("clock", Self.words("virtual", "real")), .need("target", Self.text),
                .may("started_at", Self.text),
                .may(
                    "shard",
                    Self.members([
                        .need("index", Self.number(from: 1)), .need("count", Self.number(from: 1)),
                        .may("planned", Self.number(from: 0)),
                        .may(
                            "plan",
                            Self.members([
                                .need("scenarios", Self.text), .need("files", Self.object), .need("dealing", Self.text),
                            ])),
                    ])),
                .need("planned", Self.number(from: 0)), .may("replay", Self.text), .may("fault", Self.text),
            ]
        ),
        (
            "scenario_started",
            Self.place + [
                .need("id", Self.text), .need("file", Self.text), .need("line", Self.line), .need("title", Self.texts),
                .may("row", Self.text), .may("mutator", Self.text), .may("repetition", Self.number(from: 1)),
                .may("tags", Self.texts),
                .need("seed", Self.seed),
                .need("attempt", Self.number(from: 1)),
                .may("try", ["type": "boolean", "description": "Whether the rate of tries that pass decides."]),
                .may(
                    "own_retries",
                    ["type": "boolean", "description": "Whether the script says that it is tried again."]),
                .may("choice", Self.choice),
                .may(
                    "asked_by",
                    Self.members([.need("file", Self.text), .need("name", Self.text), .may("choice", Self.choice)])),
            ]
        ),
        (
            "actor_joined",
            Self.place + [.need("actor", Self.text), .need("system", Self.text), .need("role", Self.text)]
        ),
        (
            "commanded",
            Self.place + [
                .need("actor", Self.text), .need("name", Self.text), .need("arguments", Self.object),
                .may("line", Self.line),
            ]
        ),
        (
            "observed",
            Self.place + [
                .need("actor", Self.text), .need("number", ["type": "integer"]), .need("kind", Self.text),
                .need("fields", Self.object), .may("raw", Self.any),
            ]
        ),
        (
            "showed",
            Self.place + [
                .need("actor", Self.text), .need("screen", ["type": "array", "items": ["$ref": "#/$defs/row"]]),
            ]
        ),
        (
            "wire",
            Self.place + [
                .need("connection", Self.text), .need("direction", Self.words("sent", "received")),
                .need("summary", Self.text), .may("text", Self.text), .may("base64", Self.text),
                .may("truncated", Self.flag),
            ]
        ),
        ("step_began", Self.place + [.need("name", Self.text), .may("line", Self.line)]),
        ("step_ended", Self.place + [.need("name", Self.text)]),
        (
            "expected",
            Self.place + [
                .may("actor", Self.text), .may("line", Self.line), .need("description", Self.text),
                .need("satisfied", Self.flag), .may("events", ["type": "array", "items": ["type": "integer"]]),
            ]
        ),
        (
            "logged",
            Self.place + [.need("level", Self.words("debug", "info", "warning", "error")), .need("text", Self.text)]
        ),
        (
            "attached",
            Self.place + [.need("name", Self.text), .need("path", Self.text), .need("media_type", Self.text)]
        ),
        (
            "scenario_ended",
            Self.place + [
                .need("outcome", Self.words("passed", "failed", "error", "expected_failure", "skipped")),
                .may("reason", Self.text),
                .may("problems", ["type": "array", "items": ["$ref": "#/$defs/problem"]]), .may("retried", Self.flag),
                .may("empty", Self.flag),
                .may("passes", Self.passes),
            ]
        ),
        (
            "run_ended",
            [
                .need("duration", Self.nanoseconds), .need("passed", Self.number(from: 0)),
                .need("failed", Self.number(from: 0)), .need("errors", Self.number(from: 0)),
                .need("skipped", Self.number(from: 0)),
                .may("flaky", Self.number(from: 0)), .may("expected_failures", Self.number(from: 0)),
                .may("interrupted", Self.flag), .may("time_limit", Self.text),
                .may("robustness", Self.list(of: Self.robustness)), .may("llm", Self.usage),
                .may("files", Self.object),
            ]
        ),
    ]

    private static let problem: JSONValue = Self.members([
        .need("category", Self.words("failure", "error")), .need("type", Self.text), .need("message", Self.text),
        .may("detail", ["type": "string", "description": "The whole text; the message where it is absent."]),
        .may("file", Self.text), .may("line", Self.line), .may("soft", Self.flag),
        .may("limit", Self.text), .may("differences", ["type": "array", "items": ["$ref": "#/$defs/difference"]]),
        .may("evidence", ["$ref": "#/$defs/evidence"]),
    ])

    /// What a problem's `detail` says, part by part. Of `expected` and `found`, every second part is marked.
    private static let evidence: JSONValue = Self.members([
        .may("actor", Self.text),
        .may(
            "frames",
            Self.list(
                of: Self.members([
                    .need("file", Self.text), .need("line", Self.line), .may("function", Self.text),
                    .may("excerpt", Self.texts),
                ]))),
        .may(
            "nearest",
            Self.members([
                .need("event", Self.number(from: 1)), .need("kind", Self.text), .need("at", Self.text),
                .may("remarks", Self.texts),
            ])),
        .may(
            "differences",
            Self.list(
                of: Self.members([
                    .need("path", Self.text), .need("expected", Self.texts), .need("found", Self.texts),
                ]))),
        .may(
            "sections",
            Self.list(
                of: Self.members([
                    .need("heading", Self.text), .need("lines", Self.texts),
                    .may("event", Self.number(from: 1)),
                ]))),
    ])

    private static func list(of item: JSONValue) -> JSONValue { ["type": "array", "items": item] }

    /// A line of a stored conversation beside the one that was found.
    private static let difference: JSONValue = Self.members([
        .need("kind", Self.words(ConversationDifference.Kind.allCases.map(\.rawValue))),
        .may("count", Self.number(from: 0)), .may("actor", Self.text), .may("done", Self.flag), .may("name", Self.text),
        .may(
            "fields",
            [
                "type": "array",
                "items": Self.members([
                    .need("name", Self.text), .may("stored", Self.text), .may("found", Self.text),
                    .may("fits", Self.flag),
                ]),
            ]),
    ])

    /// A line of a screen.
    private static let row: JSONValue = Self.members([
        .need("kind", Self.words(ScreenRow.Kind.allCases.map(\.rawValue))), .need("text", Self.text),
        .may("label", Self.text),
    ])

    private static func members(_ members: [Member]) -> JSONValue {
        [
            "type": "object", "required": .array(members.filter(\.isRequired).map { .string($0.name) }),
            "properties": .object(JSONObject(members.map { ($0.name, $0.schema) })),
        ]
    }

    private static func rule(_ line: (type: String, members: [Member])) -> JSONValue {
        [
            "if": ["required": ["type"], "properties": ["type": ["const": .string(line.type)]]],
            "then": Self.members(line.members),
        ]
    }
}
