import HTTPTypes
import JSON
import Machines

/// The head of an answer as scripts write it.
enum ReplyHead {
    /// What is told by the way in which the body is sent.
    private static let framing: [HTTPField.Name] = [.contentLength, .transferEncoding, .connection]

    /// Returns the fields that a table names in `headers`, with a content type unless they have one.
    ///
    /// - Throws: ``ConfigurationError`` if a header cannot be sent as it is.
    static func fields(_ members: JSONObject, type: String?) throws(ConfigurationError) -> HTTPFields {
        var fields = HTTPFields()
        if let type { fields[.contentType] = type }
        for (field, values) in try ScriptHeaders.fields(members["headers"]?.object ?? [:]) {
            guard !Self.framing.contains(field) else {
                throw ConfigurationError(
                    "the header \"\(field.rawName)\" says how the body ends, which the server does by itself: say framing = "
                        + "\"length\", \"chunked\" or \"close\", or let the peer begin with a length of its own")
            }
            fields[values: field] = values
        }
        return fields
    }
}
