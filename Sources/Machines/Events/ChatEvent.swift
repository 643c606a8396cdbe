public import JSON

/// One thing that an actor observed.
///
/// The time stamp and the number are added where the event is logged; a machine only says what happened.
public struct ChatEvent: Sendable {
    /// What kind of thing happened.
    public var kind: EventKind

    private var content: Content

    private enum Content {
        case members(JSONObject, raw: JSONValue?)
        /// The wire form is what one of the fields has, which need not be held beside it, or compared with it.
        case membersWithRaw(JSONObject, field: String)
        /// A message of text, from which the members are made when somebody asks for them: most messages of a load test
        /// are looked at by nobody.
        case document(String)
        /// The members packed, which are made when somebody asks for them.
        case packed(PackedFields)
    }

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - kind: What kind of thing happened.
    ///   - fields: What scripts read and match: names in snake case.
    ///   - raw: The wire form the event was made from.
    public init(_ kind: EventKind, _ fields: JSONObject = [:], raw: JSONValue? = nil) {
        self.kind = kind
        self.content = .members(fields, raw: raw)
    }

    /// Creates an event whose wire form is one of its fields.
    ///
    /// - Parameter rawField: The name of the field, which must be there.
    public init(_ kind: EventKind, _ fields: JSONObject, rawField: String) {
        self.kind = kind
        self.content = .membersWithRaw(fields, field: rawField)
    }

    /// Creates the event of a message of text that may be JSON.
    ///
    /// Its fields are `type` ("text"), `text`, `size` in bytes of UTF-8 and, if the text is JSON that says one thing,
    /// `json`; its wire form is the JSON, or the text.
    public init(_ kind: EventKind, document: String) {
        self.kind = kind
        self.content = .document(document)
    }

    /// Creates an event from packed fields.
    public init(_ kind: EventKind, packed fields: PackedFields) {
        self.kind = kind
        self.content = .packed(fields)
    }

    /// What scripts read and match: names in snake case, in a fixed order.
    public var fields: JSONObject {
        get {
            switch self.content {
            case .members(let fields, _), .membersWithRaw(let fields, _): fields
            case .document(let text): Self.members(of: text).fields
            case .packed(let packed): packed.members
            }
        }
        set { self.content = .members(newValue, raw: self.raw) }
    }

    /// The wire form the event was made from, or nil where none arrived (a timer, a lost connection).
    public var raw: JSONValue? {
        get {
            switch self.content {
            case .members(_, let raw): raw
            case .membersWithRaw(let fields, let field): fields[field]
            case .document(let text): Self.members(of: text).raw
            case .packed(let packed):
                switch packed.raw {
                case .none: nil
                case .field(let name): packed.members[name]
                case .value(let start): packed.values.value(from: Int(start))
                }
            }
        }
        set { self.content = .members(self.fields, raw: newValue) }
    }

    /// The field that is known to be the wire form as well; nil where none is, or where nobody knows.
    public var rawField: String? {
        switch self.content {
        case .membersWithRaw(_, let field): field
        case .packed(let packed): if case .field(let name) = packed.raw { name } else { nil }
        case .members, .document: nil
        }
    }

    /// The message of text that the event consists of, if its members have not been made.
    public var document: String? {
        if case .document(let text) = self.content { text } else { nil }
    }

    /// The packed fields, if their members have not been made.
    public var packed: PackedFields? {
        if case .packed(let fields) = self.content { fields } else { nil }
    }

    /// Whether its members are there and need not be made.
    public var hasMembers: Bool {
        switch self.content {
        case .members, .membersWithRaw: true
        case .document, .packed: false
        }
    }

    /// The event with its members made, for whoever is about to look at several of them.
    public var decoded: ChatEvent {
        guard !self.hasMembers else { return self }
        var event = self
        event.decode()
        return event
    }

    /// Makes the members.
    public mutating func decode() {
        switch self.content {
        case .members, .membersWithRaw: return
        case .document(let text):
            let (fields, raw) = Self.members(of: text)
            self.content = .members(fields, raw: raw)
        case .packed(let packed):
            let fields = packed.members
            switch packed.raw {
            case .field(let name): self.content = .membersWithRaw(fields, field: name)
            case .none, .value: self.content = .members(fields, raw: self.raw)
            }
        }
    }

    /// The field `text`, if there is such a text.
    public var text: String? {
        switch self.content {
        case .members(let fields, _), .membersWithRaw(let fields, _): fields["text"]?.string
        case .document(let text): text
        case .packed(let packed): packed.members["text"]?.string
        }
    }

    private static func members(of text: String) -> (fields: JSONObject, raw: JSONValue) {
        let json = try? JSONReader.readUnambiguous(text.utf8)
        var fields: JSONObject = ["type": "text", "text": .string(text), "size": .integer(Int64(text.utf8.count))]
        fields["json"] = json
        return (fields, json ?? .string(text))
    }

    /// About how many bytes of memory the event takes, also once scripts see its members.
    public var weight: Int {
        switch self.content {
        case .members(let fields, let raw): 128 + JSONValue.object(fields).weight + (raw?.weight ?? 0)
        case .membersWithRaw(let fields, _): 128 + JSONValue.object(fields).weight
        case .document(let text): 320 + 3 * text.utf8.count
        case .packed(let packed): 320 + 3 * packed.values.count
        }
    }
}

extension ChatEvent: Hashable {
    public static func == (left: ChatEvent, right: ChatEvent) -> Bool {
        left.kind == right.kind && left.fields == right.fields && left.raw == right.raw
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(self.kind)
        hasher.combine(self.fields)
    }
}
