public import JSON

/// The line format of run records.
///
/// A record is a file of lines, each a compact JSON object that ends in a line feed. The member `type` says what the
/// line is; the other members follow in the order below. Members marked `?` are left out where they would be absent,
/// false or empty. Readers ignore types and members that they do not know, so a later version may add some.
///
/// | type | members |
/// |---|---|
/// | `run_started` | `format` `tool` `seed` `clock` `target` `started_at`? `shard`? (`index` `count` `planned`?) `planned` `replay`? |
/// | `scenario_started` | `scenario` `at` `id` `file` `line` `title` `row`? `repetition`? `tags`? `seed` `attempt` `try`? |
/// | `actor_joined` | `scenario` `at` `actor` `system` `role` |
/// | `commanded` | `scenario` `at` `actor` `name` `arguments` `line`? |
/// | `observed` | `scenario` `at` `actor` `number` `kind` `fields` `raw`? |
/// | `wire` | `scenario` `at` `connection` `direction` `summary` (`text` or `base64`)? `truncated`? |
/// | `step_began` | `scenario` `at` `name` `line`? |
/// | `step_ended` | `scenario` `at` `name` |
/// | `expected` | `scenario` `at` `actor`? `line`? `description` `satisfied` `events`? |
/// | `logged` | `scenario` `at` `level` `text` |
/// | `attached` | `scenario` `at` `name` `path` `media_type` |
/// | `scenario_ended` | `scenario` `at` `outcome` `reason`? `problems`? `retried`? `empty`? `passes`? |
/// | `run_ended` | `duration` `passed` `failed` `errors` `skipped` `flaky`? `expected_failures`? `interrupted`? `time_limit`? `robustness`? `llm`? |
///
/// `at` and `duration` are nanoseconds, `at` on the time line of the scenario, which in virtual time is its own and in
/// real time that of the run. `seed` is a decimal string, for it uses all 64 bits. A problem has `category` `type`
/// `message` `detail`? `file`? `line`? `soft`? `limit`? `evidence`?, where an absent `detail` is the message and
/// `evidence` holds the parts of the detail. Where `try` is set the rate of tries that pass decides: `passes` has
/// `at_least` `confidence` `tries` `passed` `low` `high` `verdict`? `last_failed`? (`attempt` `message`) up to that
/// try.
extension RunEntry {
    /// The entry as a line: compact JSON and a line feed.
    public var line: [UInt8] {
        var writer = JSONWriter(reservingCapacity: 256)
        self.append(to: &writer)
        return writer.bytes
    }

    /// Appends the entry as a line: compact JSON and a line feed.
    public func append(to writer: inout JSONWriter) {
        switch self {
        case .runStarted(let start): writer.append(start.json)
        case .scenarioStarted(let start): writer.append(start.json)
        case .happened(let scenario, let nanoseconds, let runEvent):
            runEvent.append(scenario: scenario, atNanoseconds: nanoseconds, to: &writer)
        case .scenarioEnded(let end): writer.append(end.json)
        case .runEnded(let end): writer.append(end.json)
        }
        writer.append(literal: "\n")
    }

    /// Reads an entry.
    ///
    /// - Returns: Nil if the entry is of a type that this version does not know.
    /// - Throws: ``RecordFormatError`` if a member is missing or of the wrong type.
    public init?(json: JSONValue) throws(RecordFormatError) {
        let members = try EntryMembers(json)
        switch try members.string("type") {
        case "run_started": self = .runStarted(try RunStart(members))
        case "scenario_started": self = .scenarioStarted(try ScenarioStart(members))
        case "scenario_ended": self = .scenarioEnded(try ScenarioEnd(members))
        case "run_ended": self = .runEnded(try RunEnd(members))
        case let type:
            guard let runEvent = try RunEvent(type: type, members) else { return nil }
            self = .happened(
                scenario: try members.integer("scenario"), atNanoseconds: try members.nanoseconds("at"), runEvent)
        }
    }
}

extension RunStart {
    /// The object of its line.
    public var json: JSONValue {
        var members: JSONObject = [
            "type": "run_started", "format": .integer(self.format), "tool": .string(self.toolVersion),
            "seed": .string("\(self.seed)"), "clock": .string(self.clock.rawValue), "target": .string(self.target),
        ]
        members.set("started_at", self.startedAt) { .string($0) }
        members.set("shard", self.shard) { shard in
            var part: JSONObject = ["index": .integer(shard.index), "count": .integer(shard.count)]
            part.set("planned", shard.plannedScenarios) { .integer($0) }
            return .object(part)
        }
        members["planned"] = .integer(self.plannedScenarios)
        members.set("replay", self.replay) { .string($0) }
        members.set("fault", self.fault) { .string($0) }
        return .object(members)
    }

    init(_ members: EntryMembers) throws(RecordFormatError) {
        let format = try members.integer("format")
        guard format <= RunStart.currentFormat else {
            throw RecordFormatError(
                "it has format \(format), and this version reads formats up to \(RunStart.currentFormat); "
                    + "read it with the version that wrote it or a later one")
        }
        let shard = try members.optional("shard") { value -> Shard? in
            guard let index = value["index"]?.integer, let count = value["count"]?.integer else { return nil }
            return Shard(
                index: Int(clamping: index), count: Int(clamping: count),
                plannedScenarios: value["planned"]?.integer.map { Int(clamping: $0) })
        }
        self.init(
            toolVersion: try members.string("tool"), seed: try members.seed("seed"),
            clock: try members.word("clock", of: RunClock.self), target: try members.string("target"),
            startedAt: try members.optionalString("started_at"), shard: shard,
            plannedScenarios: try members.integer("planned"), replay: try members.optionalString("replay"),
            fault: try members.optionalString("fault"), format: format)
    }
}

extension RunEnd {
    /// The object of its line.
    public var json: JSONValue {
        var members: JSONObject = [
            "type": "run_ended", "duration": .integer(self.durationNanoseconds),
            "passed": .integer(self.counts.passed), "failed": .integer(self.counts.failed),
            "errors": .integer(self.counts.errors), "skipped": .integer(self.counts.skipped),
        ]
        if self.counts.flaky != 0 { members["flaky"] = .integer(self.counts.flaky) }
        if self.counts.expectedFailures != 0 {
            members["expected_failures"] = .integer(self.counts.expectedFailures)
        }
        members.set(flag: "interrupted", self.isInterrupted)
        members.set("time_limit", self.timeLimit) { .string($0) }
        if !self.robustness.isEmpty { members["robustness"] = .array(self.robustness.map(\.json)) }
        members.set("llm", self.usage) { $0.json }
        return .object(members)
    }

    init(_ members: EntryMembers) throws(RecordFormatError) {
        self.init(
            counts: OutcomeCounts(
                passed: try members.integer("passed"), failed: try members.integer("failed"),
                errors: try members.integer("errors"), skipped: try members.integer("skipped"),
                flaky: try members.optionalInteger("flaky") ?? 0,
                expectedFailures: try members.optionalInteger("expected_failures") ?? 0),
            durationNanoseconds: try members.nanoseconds("duration"), isInterrupted: try members.flag("interrupted"),
            timeLimit: try members.optionalString("time_limit"),
            robustness: try members.list("robustness") { (rate) throws(RecordFormatError) in try MutatorRate(rate) },
            usage: try members.optional("llm", \.object).map { (object) throws(RecordFormatError) in
                try ModelUsage(EntryMembers(.object(object)))
            })
    }
}
