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
    private var entries = EmbeddedJSON.writer(continuing: [])
    private var texts = EmbeddedJSON.writer(continuing: [])
    private var places: [ExactText: Int]

    /// How many entries there are.
    private(set) var count = 0

    /// How many messages of people and bots there are.
    private(set) var messages = 0

    init() {
        self.places = [:]
        // As many as a short conversation has: to grow, all texts would be hashed anew.
        self.places.reserveCapacity(96)
    }

    /// Adds what happened next.
    mutating func add(_ runEvent: RunEvent, atNanoseconds: Int64) {
        if self.count > 0 { self.entries.append(literal: ",\n") }
        self.count += 1
        self.entries.append(literal: "[\"")
        self.entries.append(literal: Self.letter(of: runEvent))
        self.entries.append(literal: "\",")
        self.entries.append(integer: atNanoseconds)
        self.addColumns(of: runEvent)
        self.entries.append(literal: "]")
    }

    private static func letter(of runEvent: RunEvent) -> StaticString {
        switch runEvent {
        case .actorJoined: "j"
        case .commanded: "c"
        case .observed: "o"
        case .wire: "w"
        case .showed: "s"
        case .stepBegan: "b"
        case .stepEnded: "e"
        case .expected: "x"
        case .logged: "l"
        case .attached: "a"
        }
    }

    private mutating func addColumns(of runEvent: RunEvent) {
        switch runEvent {
        case .actorJoined(let name, let system, let role):
            self.add(name)
            self.add(system)
            self.add(role)
        case .commanded(let actor, let name, let arguments, let line):
            self.add(actor)
            self.add(name)
            self.add(.object(arguments))
            self.add(line)
        case .observed(let actor, let number, let kind, let fields, let raw):
            if Self.messageKinds.contains(kind) { self.messages += 1 }
            self.add(actor)
            self.add(number)
            self.add(kind)
            self.add(.object(fields))
            self.add(raw.map { self.place(of: $0.description) })
        case .wire(let frame): self.add(frame)
        case .showed(let actor, let screen):
            self.add(actor)
            self.add(screen)
        case .stepBegan(let name, let line):
            self.add(name)
            self.add(line)
        case .stepEnded(let name): self.add(name)
        case .expected(let actor, let line, let description, let result):
            self.add(actor)
            self.add(line)
            self.add(description)
            self.add(result)
        case .logged(let level, let text):
            self.add(level.rawValue)
            self.add(text)
        case .attached(let name, let path, let mediaType):
            self.add(name)
            self.add(path)
            self.add(mediaType)
        }
    }

    /// The kinds of events that are something said.
    private static let messageKinds: Set<String> = ["message", "auto_message", "message_sent", "message_updated"]

    private mutating func add(_ text: String?) {
        self.entries.append(literal: ",")
        guard let text else { return self.entries.append(literal: "null") }
        self.entries.append(text)
    }

    private mutating func add(_ number: Int?) {
        self.entries.append(literal: ",")
        guard let number else { return self.entries.append(literal: "null") }
        self.entries.append(integer: Int64(number))
    }

    private mutating func add(_ value: JSONValue) {
        self.entries.append(literal: ",")
        self.entries.append(value)
    }

    private mutating func add(_ screen: [ScreenRow]) {
        self.entries.append(literal: ",[")
        for (place, row) in screen.enumerated() {
            self.entries.append(literal: place > 0 ? ",[" : "[")
            self.entries.append(row.kind.rawValue)
            self.add(row.text)
            if let label = row.label { self.add(label) }
            self.entries.append(literal: "]")
        }
        self.entries.append(literal: "]")
    }

    private mutating func add(_ result: ExpectationResult) {
        switch result {
        case .failed:
            self.add(.bool(false))
            self.add(.array([]))
        case .satisfied(let events):
            self.add(.bool(true))
            self.add(.array(events.map { .integer($0) }))
        }
    }

    private mutating func add(_ frame: WireFrame) {
        self.add(frame.connection)
        self.add(frame.direction.rawValue)
        self.add(self.place(of: frame.summary))
        switch frame.payload {
        case .text(let text):
            self.add(self.place(of: text))
            self.add("text")
        case .base64(let text):
            self.add(self.place(of: text))
            self.add("base64")
        case nil:
            self.add(.null)
            self.add(.null)
        }
        self.add(.bool(frame.isTruncated))
    }

    private mutating func place(of text: String) -> Int {
        let next = self.places.count
        // One look into the table, for a text is hashed whole each time.
        let place = Self.read(&self.places[ExactText(text), default: next])
        guard place == next else { return place }
        if place > 0 { self.texts.append(literal: ",\n") }
        self.texts.append(text)
        return place
    }

    /// Reads what stands at a place, which makes it where it is not there yet.
    private static func read(_ place: inout Int) -> Int { place }

    /// Appends the block as it stands.
    ///
    /// - Parameter end: How the attempt ended, or nil if it has not.
    func render(end: ScenarioEnd?, to output: inout [UInt8]) {
        output.append(contentsOf: "{\"entries\":[".utf8)
        output.append(contentsOf: self.entries.bytes)
        output.append(contentsOf: "],\n\"texts\":[".utf8)
        output.append(contentsOf: self.texts.bytes)
        output.append(contentsOf: "],\n\"end\":".utf8)
        EmbeddedJSON.write(to: &output) { writer in
            if let end { end.append(to: &writer) } else { writer.append(literal: "null") }
        }
        output.append(UInt8(ascii: "}"))
    }
}

/// A text told from others by its bytes: texts of the wire are long, and comparing them as people read them is slow.
private struct ExactText: Hashable {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: Self, right: Self) -> Bool { left.text.hasSameBytes(as: right.text) }

    func hash(into hasher: inout Hasher) {
        var text = self.text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
