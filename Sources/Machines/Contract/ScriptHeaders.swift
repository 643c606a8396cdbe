public import HTTPTypes
public import JSON

/// The headers of a request or an answer as scripts write them.
public enum ScriptHeaders {
    /// What a table of headers holds: each has a value, or a list of them.
    public static let type = ScriptType.map(.either([.string, .number, .list(.string)]))

    /// Returns the fields of a table of headers, in its order, each with its values: one line is sent for each.
    ///
    /// - Throws: ``ConfigurationError`` that names the header that cannot be sent as it is.
    public static func fields(
        _ headers: JSONObject
    ) throws(ConfigurationError) -> [(name: HTTPField.Name, values: [String])] {
        var fields: [(name: HTTPField.Name, values: [String])] = []
        for (name, value) in headers {
            guard let field = HTTPField.Name(name) else {
                throw ConfigurationError("\"\(name)\" cannot be the name of an HTTP header")
            }
            let elements = value.array ?? [value]
            let texts = elements.compactMap(Self.text)
            guard !texts.isEmpty, texts.count == elements.count else {
                throw ConfigurationError("the header \"\(name)\" is a text, a number or a list of them, not \(value)")
            }
            guard texts.allSatisfy({ $0.utf8.allSatisfy(Self.isText) }) else {
                throw ConfigurationError(
                    "the header \"\(name)\" has a line end or another control character in its value, which HTTP cannot "
                        + "carry; leave it out, or encode the value")
            }
            fields.append((field, texts))
        }
        return fields
    }

    /// Returns fields as scripts see them: names in lower case, and of a name that comes more than once the values in
    /// one text (RFC 9110 section 5.3; of cookies as RFC 6265 section 4.2 has them).
    public static func json(_ fields: HTTPFields) -> JSONValue {
        var headers = JSONObject()
        for field in fields {
            let name = field.name.canonicalName
            let separator = field.name == .cookie ? "; " : ", "
            headers[name] = .string(headers[name]?.string.map { $0 + separator + field.value } ?? field.value)
        }
        return .object(headers)
    }

    /// A text, or a number as one; nil for anything else.
    private static func text(_ value: JSONValue) -> String? {
        value.string ?? (value.double == nil ? nil : value.description)
    }

    /// Whether a byte may stand in the value of a header (RFC 9110 section 5.5).
    private static func isText(_ byte: UInt8) -> Bool { byte == 0x09 || byte >= 0x20 && byte != 0x7F }
}
