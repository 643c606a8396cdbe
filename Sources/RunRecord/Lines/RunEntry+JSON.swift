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
            part.set("plan", shard.plan, \.json)
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
                plannedScenarios: value["planned"]?.integer.map { Int(clamping: $0) },
                plan: value["plan"].flatMap(ShardPlan.init))
        }
        self.init(
            toolVersion: try members.string("tool"), seed: try members.seed("seed"),
            clock: try members.word("clock", of: RunClock.self), target: try members.string("target"),
            startedAt: try members.optionalString("started_at"), shard: shard,
            plannedScenarios: try members.integer("planned"), replay: try members.optionalString("replay"),
            fault: try members.optionalString("fault"), format: format)
    }
}

extension ShardPlan {
    fileprivate var json: JSONValue {
        [
            "scenarios": .string(self.scenarios), "files": FileDigests.json(self.files),
            "dealing": .string(self.dealing),
        ]
    }

    fileprivate init?(_ value: JSONValue) {
        guard let scenarios = value["scenarios"]?.string, let files = value["files"].flatMap(FileDigests.read),
            let dealing = value["dealing"]?.string
        else { return nil }
        self.init(scenarios: scenarios, files: files, dealing: dealing)
    }
}

/// Digests of files by their paths, as an object.
private enum FileDigests {
    static func json(_ files: [String: String]) -> JSONValue {
        var members = JSONObject()
        for (name, digest) in files.sorted(by: { $0.key < $1.key }) { members[name] = .string(digest) }
        return .object(members)
    }

    static func read(_ json: JSONValue) -> [String: String]? {
        json.object.map { members in
            Dictionary(
                members.compactMap { name, value in value.string.map { (name, $0) } }, uniquingKeysWith: { $1 })
        }
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
        if !self.files.isEmpty { members["files"] = FileDigests.json(self.files) }
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
            }, files: try members.optional("files", FileDigests.read) ?? [:])
    }
}

extension RunEvent {
    /// Appends the object of its line. There is one for all that happens, and so none is made a value first.
    func append(scenario: Int, atNanoseconds: Int64, to writer: inout JSONWriter) {
        writer.appendMembers { line in
            func begin(_ type: String) {
                line.add("type", type)
                line.add("scenario", scenario)
                line.add("at", atNanoseconds)
            }
            switch self {
            case .actorJoined(let name, let system, let role):
                begin("actor_joined")
                line.add("actor", name)
                line.add("system", system)
                line.add("role", role)
            case .commanded(let actor, let name, let arguments, let position):
                begin("commanded")
                line.add("actor", actor)
                line.add("name", name)
                line.add("arguments", arguments)
                line.add("line", position)
            case .observed(let actor, let number, let kind, let fields, let raw):
                begin("observed")
                line.add("actor", actor)
                line.add("number", number)
                line.add("kind", kind)
                line.add("fields", fields)
                line.add("raw", value: raw)
            case .showed(let actor, let screen):
                begin("showed")
                line.add("actor", actor)
                line.add("screen", value: .array(screen.map(\.json)))
            case .wire(let frame):
                begin("wire")
                frame.addMembers(to: &line)
            case .stepBegan(let name, let position):
                begin("step_began")
                line.add("name", name)
                line.add("line", position)
            case .stepEnded(let name):
                begin("step_ended")
                line.add("name", name)
            case .expected(let actor, let position, let description, let result):
                begin("expected")
                line.add("actor", actor)
                line.add("line", position)
                line.add("description", description)
                result.addMembers(to: &line)
            case .logged(let level, let text):
                begin("logged")
                line.add("level", level.rawValue)
                line.add("text", text)
            case .attached(let name, let path, let mediaType):
                begin("attached")
                line.add("name", name)
                line.add("path", path)
                line.add("media_type", mediaType)
            }
        }
    }

    /// Reads what the members of a line of that type say.
    ///
    /// - Returns: Nil if the type is unknown.
    init?(type: String, _ members: EntryMembers) throws(RecordFormatError) {
        switch type {
        case "actor_joined":
            self = .actorJoined(
                name: try members.string("actor"), system: try members.string("system"),
                role: try members.string("role"))
        case "commanded":
            self = .commanded(
                actor: try members.string("actor"), name: try members.string("name"),
                arguments: try members.required("arguments", \.object), line: try members.optionalInteger("line"))
        case "observed":
            self = .observed(
                actor: try members.string("actor"), number: try members.integer("number"),
                kind: try members.string("kind"), fields: try members.required("fields", \.object),
                raw: try members.optional("raw") { $0 })
        case "showed":
            self = .showed(
                actor: try members.string("actor"),
                screen: try members.list("screen") { (row) throws(RecordFormatError) in try ScreenRow(row) })
        case "wire": self = .wire(try WireFrame(members))
        case "step_began":
            self = .stepBegan(name: try members.string("name"), line: try members.optionalInteger("line"))
        case "step_ended": self = .stepEnded(name: try members.string("name"))
        case "expected":
            let events = try members.optional("events", \.array) ?? []
            self = .expected(
                actor: try members.optionalString("actor"), line: try members.optionalInteger("line"),
                description: try members.string("description"),
                result: try members.flag("satisfied")
                    ? .satisfied(events: events.compactMap { $0.integer.flatMap { Int(exactly: $0) } }) : .failed)
        case "logged":
            self = .logged(level: try members.word("level", of: LogLevel.self), text: try members.string("text"))
        case "attached":
            self = .attached(
                name: try members.string("name"), path: try members.string("path"),
                mediaType: try members.string("media_type"))
        default: return nil
        }
    }
}

extension ExpectationResult {
    fileprivate func addMembers(to line: inout JSONMemberWriter) {
        switch self {
        case .failed: line.add("satisfied", false)
        case .satisfied(let events):
            line.add("satisfied", true)
            if !events.isEmpty { line.add("events", value: .array(events.map { .integer($0) })) }
        }
    }
}

extension WireFrame {
    fileprivate func addMembers(to line: inout JSONMemberWriter) {
        line.add("connection", self.connection)
        line.add("direction", self.direction.rawValue)
        line.add("summary", self.summary)
        switch self.payload {
        case .text(let text): line.add("text", text)
        case .base64(let text): line.add("base64", text)
        case nil: break
        }
        if self.isTruncated { line.add("truncated", true) }
    }

    init(_ members: EntryMembers) throws(RecordFormatError) {
        let text = try members.optionalString("text").map { Payload.text($0) }
        let base64 = try members.optionalString("base64").map { Payload.base64($0) }
        self.init(
            connection: try members.string("connection"),
            direction: try members.word("direction", of: Direction.self), summary: try members.string("summary"),
            payload: text ?? base64, isTruncated: try members.flag("truncated"))
    }
}
