public import JSON

/// The names and values of a form or a query as scripts see and give them.
public enum FormFields {
    /// Reads the pairs of a form body or a query: a text by each name, a list of them where a name comes several times.
    public static func object(_ text: some StringProtocol) -> JSONObject {
        // é as two scalars is another name than é as one, as everywhere in a form.
        var places: [[UInt8]: Int] = [:]
        var fields: [(name: String, values: [JSONValue])] = []
        for (name, value) in FormEncoding.decode(text) {
            let bytes = Array(name.utf8)
            let place = places[bytes, default: fields.count]
            if place == fields.count {
                places[bytes] = place
                fields.append((name, []))
            }
            fields[place].values.append(.string(value))
        }
        return JSONObject(fields.map { ($0.name, $0.values.count == 1 ? $0.values[0] : .array($0.values)) })
    }

    /// A field that no pair can carry.
    public struct Unwritable: Error, Hashable, Sendable {
        /// The name of the field.
        public let name: String

        /// What stands where a text, a number or a boolean is wanted.
        public let value: JSONValue
    }

    /// Returns the pairs of what a script gave; the name of a list comes once for each of its values.
    ///
    /// - Throws: The first field whose value is neither a text, a number or a boolean nor a list of them.
    public static func pairs(_ fields: JSONObject) throws(Unwritable) -> [(String, String)] {
        var pairs: [(String, String)] = []
        for (name, value) in fields {
            for element in Self.elements(of: value) {
                guard let text = element.scalarText else { throw Unwritable(name: name, value: element) }
                pairs.append((name, text))
            }
        }
        return pairs
    }

    /// Returns the pairs of an option such as `query` or `form`.
    ///
    /// - Throws: ``ConfigurationError`` that names the field that cannot be sent.
    public static func pairs(
        _ fields: JSONObject, of option: String
    ) throws(ConfigurationError) -> [(String, String)] {
        do throws(Unwritable) { return try Self.pairs(fields) } catch {
            throw ConfigurationError(
                "\(option): \"\(error.name)\" is a text, a number, true, false or a list of them, of which each is "
                    + "sent under the name, not \(error.value.isNull ? "null" : "a table: \(error.value)"); leave it "
                    + "out, or encode it yourself, such as with json.encode(…)")
        }
    }

    /// An empty table of Lua is an empty list.
    private static func elements(of value: JSONValue) -> [JSONValue] {
        value.array ?? (value.object?.isEmpty == true ? [] : [value])
    }
}

extension JSONValue {
    /// A text, a number or a boolean as text; nil for anything else.
    public var scalarText: String? {
        switch self {
        case .string(let text): text
        case .bool(let value): "\(value)"
        case .integer, .double, .numeral: self.description
        case .null, .array, .object: nil
        }
    }
}
