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
        case .scenarioStarted(let start): start.append(to: &writer)
        case .happened(let scenario, let nanoseconds, let runEvent):
            runEvent.append(scenario: scenario, atNanoseconds: nanoseconds, to: &writer)
        case .scenarioEnded(let end): end.append(to: &writer)
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
