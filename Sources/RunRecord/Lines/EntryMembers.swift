import JSON

/// The members of an entry while it is read: each by name and type, unknown ones ignored.
struct EntryMembers {
    private let members: JSONObject

    init(_ value: JSONValue) throws(RecordFormatError) {
        guard let members = value.object else { throw RecordFormatError("an entry is not a JSON object") }
        self.members = members
    }

    func required<Value>(_ name: String, _ read: (JSONValue) -> Value?) throws(RecordFormatError) -> Value {
        guard let value = try self.optional(name, read) else {
            throw RecordFormatError("\"\(name)\" is missing")
        }
        return value
    }

    /// Absent and `null` are the same.
    func optional<Value>(_ name: String, _ read: (JSONValue) -> Value?) throws(RecordFormatError) -> Value? {
        guard let value = self.members[name], !value.isNull else { return nil }
        guard let result = read(value) else { throw RecordFormatError("\"\(name)\" has the wrong type or value") }
        return result
    }

    func string(_ name: String) throws(RecordFormatError) -> String { try self.required(name, \.string) }

    func optionalString(_ name: String) throws(RecordFormatError) -> String? { try self.optional(name, \.string) }

    /// Reads a count or a number of something. So large that sums of them overflow it never is, for a record may be
    /// written by anybody.
    func integer(_ name: String) throws(RecordFormatError) -> Int { try self.required(name, Self.count) }

    func optionalInteger(_ name: String) throws(RecordFormatError) -> Int? { try self.optional(name, Self.count) }

    /// Reads how many passed of as many as a sibling says.
    func passed(of tries: Int) throws(RecordFormatError) -> Int {
        try self.required("passed") { value in Self.count(value).flatMap { $0 <= tries ? $0 : nil } }
    }

    /// Whole numbers that every reader of JSON keeps (RFC 8259 section 6), none below zero.
    private static func count(_ value: JSONValue) -> Int? {
        value.integer.flatMap { 0...(1 << 53) ~= $0 ? Int($0) : nil }
    }

    func nanoseconds(_ name: String) throws(RecordFormatError) -> Int64 { try self.required(name, \.integer) }

    /// Seeds use all 64 bits, more than a number keeps in most readers of JSON; so they are decimal strings.
    func seed(_ name: String) throws(RecordFormatError) -> UInt64 {
        try self.required(name) { $0.string.flatMap { UInt64($0) } }
    }

    func strings(_ name: String) throws(RecordFormatError) -> [String] {
        try self.optional(name) { value in
            guard let elements = value.array else { return nil }
            let texts = elements.compactMap(\.string)
            return texts.count == elements.count ? texts : nil
        } ?? []
    }

    /// Reads a list of objects; an absent one is empty.
    func list<Element>(
        _ name: String, _ read: (EntryMembers) throws(RecordFormatError) -> Element
    ) throws(RecordFormatError) -> [Element] {
        var elements: [Element] = []
        for value in try self.optional(name, \.array) ?? [] { elements.append(try read(try EntryMembers(value))) }
        return elements
    }

    func flag(_ name: String) throws(RecordFormatError) -> Bool { try self.optional(name, \.bool) ?? false }

    func word<Word: RawRepresentable<String>>(
        _ name: String, of type: Word.Type
    ) throws(RecordFormatError) -> Word {
        try self.required(name) { $0.string.flatMap { Word(rawValue: $0) } }
    }
}

extension JSONObject {
    /// Sets a member if there is a value; absent ones are not written.
    mutating func set<Value>(_ name: String, _ value: Value?, _ write: (Value) -> JSONValue) {
        if let value { self[name] = write(value) }
    }

    /// Sets a member that says that something holds; what does not hold is not written.
    mutating func set(flag name: String, _ value: Bool) {
        if value { self[name] = true }
    }
}

extension JSONValue {
    static func integer(_ value: Int) -> JSONValue { .integer(Int64(value)) }

    static func strings(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }
}
