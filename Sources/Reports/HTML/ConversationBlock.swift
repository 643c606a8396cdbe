import JSON
import RunRecord

/// What happened in one attempt at a scenario, in the short form in which a page holds it.
///
/// The block is an object with the members `entries`, `texts` and `end`. An entry is an array that begins with a letter
/// and the time in nanoseconds. Texts of the wire stand in `texts` once, for both ends of a connection see the same
/// bytes and an event often repeats them; entries hold their places.
///
/// | letter | then |
/// |---|---|
/// | `j` actor joined | actor, system, role |
/// | `c` commanded | actor, name, arguments, line |
/// | `o` observed | actor, number, kind, fields, place of the raw form |
/// | `w` wire | connection, direction, place of the summary, place of the bytes, form of the bytes, whether cut |
/// | `s` showed | actor, lines of the screen: kind, text, label |
/// | `b` step began | name, line |
/// | `e` step ended | name |
/// | `x` expected | actor, line, description, whether satisfied, numbers of the events |
/// | `l` logged | level, text |
/// | `a` attached | name, path, media type |
struct ConversationBlock {
    private var entries: [UInt8] = []
    private var texts: [UInt8] = []
    private var places: [ExactText: Int] = [:]

    /// How many entries there are.
    private(set) var count = 0

    /// How many messages of people and bots there are.
    private(set) var messages = 0

    /// Adds what happened next.
    mutating func add(_ runEvent: RunEvent, atNanoseconds: Int64) {
        let letter: String
        let values: [JSONValue?]
        switch runEvent {
        case .actorJoined(let name, let system, let role):
            (letter, values) = ("j", [.string(name), .string(system), .string(role)])
        case .commanded(let actor, let name, let arguments, let line):
            (letter, values) = ("c", [.string(actor), .string(name), .object(arguments), Self.number(line)])
        case .observed(let actor, let number, let kind, let fields, let raw):
            if Self.messageKinds.contains(kind) { self.messages += 1 }
            let place = raw.map { self.place(of: $0.description) }
            (letter, values) = ("o", [.string(actor), .integer(number), .string(kind), .object(fields), place])
        case .wire(let frame): (letter, values) = ("w", self.values(of: frame))
        case .showed(let actor, let screen):
            let rows = screen.map { row -> JSONValue in
                .array([.string(row.kind.rawValue), .string(row.text)] + (row.label.map { [.string($0)] } ?? []))
            }
            (letter, values) = ("s", [.string(actor), .array(rows)])
        case .stepBegan(let name, let line): (letter, values) = ("b", [.string(name), Self.number(line)])
        case .stepEnded(let name): (letter, values) = ("e", [.string(name)])
        case .expected(let actor, let line, let description, let result):
            (letter, values) = ("x", Self.values(actor, line, description, result))
        case .logged(let level, let text): (letter, values) = ("l", [.string(level.rawValue), .string(text)])
        case .attached(let name, let path, let mediaType):
            (letter, values) = ("a", [.string(name), .string(path), .string(mediaType)])
        }
        if self.count > 0 { self.entries.append(contentsOf: ",\n".utf8) }
        self.count += 1
        let entry = [.string(letter), .integer(atNanoseconds)] + values.map { $0 ?? .null }
        EmbeddedJSON.append(.array(entry), to: &self.entries)
    }

    /// The kinds of events that are something said.
    private static let messageKinds: Set<String> = ["message", "auto_message", "message_sent", "message_updated"]

    private static func number(_ number: Int?) -> JSONValue? { number.map { .integer($0) } }

    private static func values(
        _ actor: String?, _ line: Int?, _ description: String, _ result: ExpectationResult
    ) -> [JSONValue?] {
        let start: [JSONValue?] = [actor.map { .string($0) }, Self.number(line), .string(description)]
        switch result {
        case .failed: return start + [false, []]
        case .satisfied(let events): return start + [true, .array(events.map { .integer($0) })]
        }
    }

    private mutating func values(of frame: WireFrame) -> [JSONValue?] {
        let bytes: (place: JSONValue?, form: JSONValue?)
        switch frame.payload {
        case .text(let text): bytes = (self.place(of: text), "text")
        case .base64(let text): bytes = (self.place(of: text), "base64")
        case nil: bytes = (nil, nil)
        }
        return [
            .string(frame.connection), .string(frame.direction.rawValue), self.place(of: frame.summary), bytes.place,
            bytes.form, .bool(frame.isTruncated),
        ]
    }

    private mutating func place(of text: String) -> JSONValue {
        if let place = self.places[ExactText(text)] { return .integer(place) }
        let place = self.places.count
        self.places[ExactText(text)] = place
        if place > 0 { self.texts.append(contentsOf: ",\n".utf8) }
        EmbeddedJSON.append(.string(text), to: &self.texts)
        return .integer(place)
    }

    /// Appends the block as it stands.
    ///
    /// - Parameter end: How the attempt ended, or nil if it has not.
    func render(end: ScenarioEnd?, to output: inout [UInt8]) {
        output.append(contentsOf: "{\"entries\":[".utf8)
        output.append(contentsOf: self.entries)
        output.append(contentsOf: "],\n\"texts\":[".utf8)
        output.append(contentsOf: self.texts)
        output.append(contentsOf: "],\n\"end\":".utf8)
        EmbeddedJSON.append(end.map { RunEntry.scenarioEnded($0).json }, to: &output)
        output.append(UInt8(ascii: "}"))
    }
}

extension JSONValue {
    /// A number of the record.
    static func integer(_ number: Int) -> JSONValue { .integer(Int64(number)) }
}

/// A text told from others by its bytes: texts of the wire are long, and comparing them as people read them is slow.
private struct ExactText: Hashable {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: Self, right: Self) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
        var text = self.text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
