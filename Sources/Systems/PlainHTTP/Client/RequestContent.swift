import JSON
import Machines

/// The body of a request and its type.
struct RequestContent: Hashable, Sendable {
    let bytes: [UInt8]

    /// The content type, unless the headers name another; nil without a body.
    let type: String?

    /// Returns what a script gave: a text as it is, any other value as JSON, or a form.
    ///
    /// - Parameters:
    ///   - body: The body; nil for none.
    ///   - form: The fields of a form, which then is the body.
    ///   - multipart: The fields of a form with files, which then is the body.
    /// - Throws: ``ConfigurationError`` if several of them are given, or a field of a form cannot be sent.
    init(body: JSONValue?, form: JSONObject?, multipart: [JSONValue]? = nil) throws(ConfigurationError) {
        let given = [("a body", body != nil), ("form", form != nil), ("multipart", multipart != nil)].filter(\.1)
        guard given.count < 2 else {
            throw ConfigurationError("a request has one body, not \(given.map(\.0).joined(separator: " and "))")
        }
        if let multipart {
            let form = try MultipartForm(script: multipart)
            self.bytes = form.body
            self.type = form.type
        } else if let form {
            self.bytes = Array(FormEncoding.encode(try FormFields.pairs(form, of: "form")).utf8)
            self.type = "application/x-www-form-urlencoded"
        } else if let text = body?.string {
            self.bytes = Array(text.utf8)
            self.type = "text/plain; charset=utf-8"
        } else if let body {
            self.bytes = JSONWriter.write(body)
            self.type = "application/json"
        } else {
            self.bytes = []
            self.type = nil
        }
    }
}
