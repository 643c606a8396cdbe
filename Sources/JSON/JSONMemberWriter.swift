/// Writes the members of an object one after another, without a value for the whole of it.
public struct JSONMemberWriter: Sendable {
    private var writer: JSONWriter
    private var isFirst = true

    init(_ writer: consuming JSONWriter) {
        self.writer = writer
        self.writer.append(literal: "{")
    }

    /// Writes the name of the next member; none may come twice.
    private mutating func begin(_ name: StaticString) {
        self.writer.append(literal: self.isFirst ? "\"" : ",\"")
        self.isFirst = false
        self.writer.append(literal: name)
        self.writer.append(literal: "\":")
    }

    /// Adds a text; none if there is none.
    ///
    /// - Parameter name: Without characters that JSON escapes; this holds for the other kinds of members, too.
    public mutating func add(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        self.begin(name)
        self.writer.append(text)
    }

    /// Adds an integer; none if there is none.
    public mutating func add(_ name: StaticString, _ number: Int64?) {
        guard let number else { return }
        self.begin(name)
        self.writer.append(integer: number)
    }

    /// Adds an integer; none if there is none.
    public mutating func add(_ name: StaticString, _ number: Int?) { self.add(name, number.map { Int64($0) }) }

    /// Adds the word `true` or `false`.
    public mutating func add(_ name: StaticString, _ truth: Bool) {
        self.begin(name)
        self.writer.append(literal: truth ? "true" : "false")
    }

    /// Adds a value; none if there is none.
    public mutating func add(_ name: StaticString, value: JSONValue?) {
        guard let value else { return }
        self.begin(name)
        self.writer.append(value)
    }

    /// Adds an object.
    public mutating func add(_ name: StaticString, _ object: JSONObject) {
        self.begin(name)
        self.writer.append(members: object)
    }

    consuming func finish() -> JSONWriter {
        self.writer.append(literal: "}")
        return self.writer
    }
}
