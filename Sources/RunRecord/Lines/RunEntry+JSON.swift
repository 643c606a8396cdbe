public import JSON

/// The line format of run records.
///
/// A record is a file of lines, each a compact JSON object that ends in a line feed. The member `type` says what the
/// line is. Members that would be absent, false or empty are left out. Readers ignore types and members that they do
/// not know, so a later version may add some.
///
/// The one description of all lines and members is the JSON Schema that `repartee report --schema` prints, the type
/// `RecordSchema` of the module Reports; a test compares it with what is written here.
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
