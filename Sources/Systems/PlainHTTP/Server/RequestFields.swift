import HTTPTypes
import JSON
import Machines

/// The fields by which scripts see a request.
enum RequestFields {
    /// Returns `request` (its number), `method`, `path`, `query`, `headers`, `body` and, as far as they apply, `json`
    /// and `form`.
    static func fields(_ request: Request, number: Int64) -> JSONObject {
        let named = PathAndQuery(request.head)
        var fields: JSONObject = [
            "request": .integer(number), "method": .string(request.head.method.rawValue),
            "path": .string(named.path), "query": .object(FormFields.object(named.query)),
            "headers": ScriptHeaders.json(request.head.headerFields),
        ]
        guard !request.body.isEmpty else { return fields }
        fields = fields.merging(AnswerFields.body(request.body))
        let type = request.head.headerFields[.contentType] ?? ""
        if type.lowercased().hasPrefix("application/x-www-form-urlencoded") {
            fields["form"] = .object(FormFields.object(String(decoding: request.body, as: UTF8.self)))
        }
        return fields
    }
}
