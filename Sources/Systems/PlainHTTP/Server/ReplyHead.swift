import HTTPTypes
import JSON
import Machines

/// The head of an answer as scripts write it.
enum ReplyHead {
    /// Returns the fields that a table names in `headers`, with a content type unless they have one.
    ///
    /// - Throws: ``ConfigurationError`` if a header cannot be sent as it is.
    static func fields(_ members: JSONObject, type: String?) throws(ConfigurationError) -> HTTPFields {
        var fields = HTTPFields()
        if let type { fields[.contentType] = type }
        for (field, value) in try ScriptHeaders.fields(members["headers"]?.object ?? [:]) { fields[field] = value }
        return fields
    }
}
