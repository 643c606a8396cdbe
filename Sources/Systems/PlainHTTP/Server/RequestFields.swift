import HTTPTypes
import JSON
import Machines

/// The fields by which scripts see a request.
enum RequestFields {
    /// Returns `request` (its number), `method`, `path`, `query`, `headers`, `body` and, as far as they apply, `json`
    /// and `form`.
    static func fields(_ request: Request, number: Int64) -> JSONObject {
        let target = (request.head.path ?? "/").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var fields: JSONObject = [
            "request": .integer(number), "method": .string(request.head.method.rawValue),
            "path": .string(target.first.map(String.init) ?? "/"),
            "query": .object(target.count > 1 ? FormFields.object(target[1]) : [:]),
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
