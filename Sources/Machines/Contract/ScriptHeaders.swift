public import HTTPTypes
public import JSON

/// The headers of a request or an answer as scripts write them.
public enum ScriptHeaders {
    /// Returns the fields of a table of headers, in its order.
    ///
    /// - Throws: ``ConfigurationError`` that names the header that cannot be sent as it is.
    public static func fields(
        _ headers: JSONObject
    ) throws(ConfigurationError) -> [(name: HTTPField.Name, value: String)] {
        var fields: [(name: HTTPField.Name, value: String)] = []
        for (name, value) in headers {
            guard let field = HTTPField.Name(name) else {
                throw ConfigurationError("\"\(name)\" cannot be the name of an HTTP header")
            }
            let text = value.string ?? value.description
            guard text.utf8.allSatisfy(Self.isText) else {
                throw ConfigurationError(
                    "the header \"\(name)\" has a line end or another control character in its value, which HTTP cannot "
                        + "carry; leave it out, or encode the value")
            }
            fields.append((field, text))
        }
        return fields
    }

    /// Whether a byte may stand in the value of a header (RFC 9110 section 5.5).
    private static func isText(_ byte: UInt8) -> Bool { byte == 0x09 || byte >= 0x20 && byte != 0x7F }
}
