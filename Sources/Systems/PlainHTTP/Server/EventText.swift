import JSON

/// Writes the pieces of streams.
enum EventText {
    private static let members: Set<String> = ["event", "data", "id", "retry", "comment"]

    /// Returns a server-sent event: of a text, of a table with `event`, `data`, `id`, `retry` or `comment`, or of any
    /// other value as the JSON of its data.
    static func event(_ value: JSONValue) -> [UInt8] {
        guard let fields = value.object, !fields.isEmpty, fields.names.allSatisfy(Self.members.contains) else {
            return Array((Self.field("data", value) + "\n").utf8)
        }
        var text = ""
        for name in ["comment", "event", "id", "retry", "data"] {
            guard let field = fields[name] else { continue }
            text += Self.field(name == "comment" ? "" : name, field)
        }
        return Array((text + "\n").utf8)
    }

    /// Returns a field; a text of several lines becomes several fields, which the reader joins again.
    private static func field(_ name: String, _ value: JSONValue) -> String {
        let text = value.string ?? value.description
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
        return lines.map { "\(name): \($0)\n" }.joined()
    }

    /// Returns a value as a line of its own.
    static func line(_ value: JSONValue) -> [UInt8] {
        JSONWriter.write(value) + [0x0A]
    }
}
