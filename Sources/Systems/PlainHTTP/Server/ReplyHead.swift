import HTTPTypes
import JSON
import Machines

/// The head of an answer as scripts write it.
enum ReplyHead {
    /// Returns the fields that a table names in `headers`, with a content type unless they have one.
    ///
    /// - Throws: ``ConfigurationError`` if a name cannot be that of a header.
    static func fields(_ members: JSONObject, type: String?) throws(ConfigurationError) -> HTTPFields {
        var fields = HTTPFields()
        if let type { fields[.contentType] = type }
        for (name, value) in members["headers"]?.object ?? [:] {
            guard let field = HTTPField.Name(name) else {
                throw ConfigurationError("\"\(name)\" cannot be the name of an HTTP header")
            }
            fields[field] = value.string ?? value.description
        }
        return fields
    }
}
