import JSON
import Secrets

/// One line of a conversation: what an actor did, or what it observed.
struct TranscriptEntry: Hashable {
    /// Which way it went.
    enum Direction: String, Hashable {
        /// The scenario asked the actor to do it.
        case did = ">"
        /// The actor observed it.
        case observed = "<"
    }

    let actor: String
    let direction: Direction

    /// The name of the command or the event.
    let name: String

    /// What was said, but for what is a credential by its name.
    let fields: JSONObject

    /// The fields as people may see them, each in its place; nil if no secret stands in them.
    ///
    /// A conversation is compared by what was said: another scenario of the run may know a secret that looks like a
    /// word of this one.
    private(set) var shown: JSONObject?

    /// The fields, also of tables within, that vary from run to run as the system of the actor declares.
    var varyingFields: Set<String> = []

    /// The fields as people may see them.
    var shownFields: JSONObject { self.shown ?? self.fields }

    /// The entry as a line of a stored transcript.
    var line: String { self.line(fields: self.fields) }

    /// Returns the entry with other fields as a line.
    func line(fields: JSONObject) -> String {
        var line = "\(self.actor) \(self.direction.rawValue) \(self.name)"
        for (name, value) in fields { line += " \(name)=\(value)" }
        return line
    }

    /// The entry as it is stored the first time: without what names things, without what another run measures or
    /// another server sends along, and with masks for UUIDs and times.
    var stored: TranscriptEntry {
        TranscriptEntry(
            actor: self.actor, direction: self.direction, name: self.name,
            fields: self.stored(self.spoken, shown: self.shown))
    }

    /// The fields that say what was said: no headers, no durations and sizes, and JSON not once more as text.
    private var spoken: JSONObject {
        let json = self.fields["json"]
        return JSONObject(
            self.fields.compactMap { name, value -> (String, JSONValue)? in
                switch name {
                case "headers", "size": nil
                case "time" where value.double != nil: nil
                case "text", "body":
                    json != nil && value.string.flatMap({ try? JSONReader.read($0) }) == json ? nil : (name, value)
                case "options": (name, Self.withoutHeaders(value))
                default: (name, self.direction == .did ? Self.withoutPlace(value) : value)
                }
            })
    }

    /// Returns an event that a command was given, such as the question that it answers, as what was observed: without
    /// its number, when it came, and its wire form, which has what another run measures. Other values stay.
    private static func withoutPlace(_ value: JSONValue) -> JSONValue {
        guard var members = value.object, members["event"]?.string != nil, members["number"] != nil,
            members["at"]?.double != nil
        else { return value }
        for name in ["number", "at", "raw"] { members[name] = nil }
        return .object(members)
    }

    private static func withoutHeaders(_ options: JSONValue) -> JSONValue {
        guard var members = options.object else { return options }
        members["headers"] = nil
        return .object(members)
    }

    private func stored(_ members: JSONObject, shown: JSONObject?) -> JSONObject {
        JSONObject(
            members.compactMap { name, value -> (String, JSONValue)? in
                let shown = shown?[name]
                if Self.isName(name) || self.varyingFields.contains(name) || value.isNull || shown == .null {
                    return nil
                }
                let stored = self.stored(value, shown: shown)
                if stored.object?.isEmpty == true || stored.array?.isEmpty == true { return nil }
                return (name, stored)
            })
    }

    /// Whether a field names something, as ids do.
    private static func isName(_ field: String) -> Bool {
        field == "id" || field.hasSuffix("_id") || field.hasSuffix("_key")
    }

    /// The mask as which a text is stored; nil if it does not vary as a whole.
    static func mask(for text: String) -> String? {
        if TypedText.uuid.value(of: .string(text)) != nil { return "<uuid>" }
        return Self.isTimeStamp(text) ? "<date>" : nil
    }

    /// Whether a text is a time of a clock, whatever fractions of a second and zone it has.
    ///
    /// What has no time or no zone is rather what somebody says, such as the day of a delivery.
    private static func isTimeStamp(_ text: String) -> Bool {
        let bytes = text.utf8
        guard 20...40 ~= bytes.count, bytes.dropFirst(10).first == UInt8(ascii: "T"),
            bytes.dropFirst(19).contains(where: "Zz+-".utf8.contains)
        else { return false }
        return TypedText.date.value(of: .string(text)) != nil
    }

    /// Returns a value of the entry as it is stored the first time.
    ///
    /// - Parameter shown: The value as people may see it; nil if no secret stands in it.
    func stored(_ value: JSONValue, shown: JSONValue?) -> JSONValue {
        switch value {
        case .object(let members): return .object(self.stored(members, shown: shown?.object))
        case .array(let elements):
            let shown = shown?.array
            return .array(elements.indices.map { self.stored(elements[$0], shown: shown?[$0]) })
        case .string(let text):
            if let mask = Self.mask(for: text) { return .string(mask) }
            guard let shown, shown != value else { return .string(TextTemplate.escaped(text)) }
            return Self.open(TextTemplate.escaped(shown.string ?? SecretMasker.mask), for: value)
        default: return shown == nil || shown == value ? value : .string(Self.anything)
        }
    }

    private static let anything = "<\(TypedText.any)>"

    /// Returns a template with holes where a secret was taken out: whether it is known as one may depend on which other
    /// scenarios are played.
    ///
    /// - Parameter value: What it has to fit.
    static func open(_ template: String, for value: JSONValue) -> JSONValue {
        let open = template.replacing(SecretMasker.mask, with: Self.anything)
        let fits = TextTemplate(open).problem == nil && TranscriptTemplate.fits(.string(open), value)
        return .string(fits ? open : Self.anything)
    }
}

extension TranscriptEntry {
    /// Takes down what an actor did or observed.
    ///
    /// - Parameters:
    ///   - fields: What was said.
    ///   - secrets: What must not be seen.
    init(
        actor: String, direction: Direction, name: String, fields: JSONObject, varyingFields: Set<String>,
        without secrets: SecretMasker
    ) {
        // What is a credential by its name is one whatever the run knows.
        let fields = SecretMasker().masked(fields, keepingNames: true)
        self.init(actor: actor, direction: direction, name: name, fields: fields, varyingFields: varyingFields)
        guard !secrets.isEmpty else { return }
        let shown = JSONObject(uniqueMembers: fields.map { .init(name: $0, value: Self.shown($1, without: secrets)) })
        if shown != fields { self.shown = shown }
    }

    /// Returns a value with the same members and elements as people may see it; null where the name of a member is a
    /// secret itself.
    private static func shown(_ value: JSONValue, without secrets: SecretMasker) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map { Self.shown($0, without: secrets) })
        case .object(let members):
            let members = members.map { name, value in
                let isShown = secrets.withoutValues(name) == name
                return JSONObject.Member(name: name, value: isShown ? Self.shown(value, without: secrets) : .null)
            }
            return .object(JSONObject(uniqueMembers: members))
        default: return secrets.masked(value)
        }
    }
}

extension TranscriptEntry {
    /// What cannot be read in a stored transcript.
    struct Problem: Error, Hashable {
        let message: String
    }

    /// Reads a line of a stored transcript.
    ///
    /// - Throws: ``Problem`` that says what is expected.
    init(line: String) throws(Problem) {
        let places = [Direction.did, .observed].compactMap { direction in
            line.firstRange(of: " \(direction.rawValue) ").map { (direction, $0) }
        }
        guard let (direction, range) = places.min(by: { $0.1.lowerBound < $1.1.lowerBound }) else {
            throw Problem(message: "a line reads `actor < event name=value …` or `actor > command name=value …`")
        }
        self.actor = String(line[..<range.lowerBound])
        self.direction = direction
        var rest = Array(line[range.upperBound...])[...]
        let name = rest.prefix { $0 != " " }
        rest = rest.dropFirst(name.count)
        guard !name.isEmpty, !self.actor.isEmpty else { throw Problem(message: "the name of an event is missing") }
        self.name = String(name)
        var fields = JSONObject()
        while true {
            rest = rest.drop { $0 == " " }
            guard !rest.isEmpty else { break }
            let field = rest.prefix { $0 != "=" && $0 != " " }
            guard !field.isEmpty, rest.dropFirst(field.count).first == "=" else {
                throw Problem(message: "a field is written name=value, not \"\(String(rest.prefix(40)))\"")
            }
            rest = rest.dropFirst(field.count + 1)
            let text = Self.value(at: rest)
            rest = rest.dropFirst(text.count)
            // Of two that are asked for, one would be compared with nothing.
            guard fields[String(field)] == nil else {
                throw Problem(message: "\(String(field)) stands twice, and only one would count; leave one out")
            }
            fields[String(field)] = try Self.value(String(text), of: String(field))
        }
        self.fields = fields
    }

    /// Reads the value of a field.
    private static func value(_ text: String, of field: String) throws(Problem) -> JSONValue {
        let read: (value: JSONValue, repeatedName: String?)
        do throws(JSONSyntaxError) { read = try JSONReader.readNotingRepetition(text.utf8) } catch {
            throw Problem(message: "the value of \(field) is no JSON (masks stand in quotes): \(error.message)")
        }
        guard let repeatedName = read.repeatedName else { return read.value }
        throw Problem(
            message:
                "the value of \(field) has two members \"\(repeatedName)\", and only one would count; leave one out")
    }

    /// The characters of a JSON value that stand at the beginning.
    private static func value(at text: ArraySlice<Character>) -> ArraySlice<Character> {
        var depth = 0
        var isQuoted = false
        var isEscaped = false
        for (index, character) in zip(text.indices, text) {
            if isQuoted {
                if isEscaped {
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else if character == "\"" {
                    isQuoted = false
                }
                continue
            }
            switch character {
            case "\"": isQuoted = true
            case "{", "[": depth += 1
            case "}", "]": depth -= 1
            case " " where depth <= 0: return text[..<index]
            default: break
            }
        }
        return text
    }
}
