import HTTPTypes
import JSON
import Machines

/// What a handler of a simulated server answers to a request.
enum ScriptedReply {
    /// Returns the answer that a handler returned: a status, a text, or a table with `status`, `headers` and `json`,
    /// `body` or `base64`; 404 for nothing.
    static func response(_ value: JSONValue) -> Response {
        if value.isNull { return Response(text: "not found\n", status: .notFound) }
        if let status = value.integer { return Response(text: "", status: Self.status(status)) }
        if let text = value.string { return Response(text: text, status: .ok) }
        guard let fields = value.object else { return Response(json: value) }
        let status = Self.status(fields["status"]?.integer ?? 200)
        var response: Response
        if let json = fields["json"] {
            response = Response(json: json, status: status)
        } else if let bytes = fields["base64"]?.string.flatMap({ Base64.decode($0) }) {
            response = Response(HTTPResponse(status: status), body: bytes)
        } else {
            response = Response(text: fields["body"]?.string ?? "", status: status)
        }
        for (name, value) in fields["headers"]?.object ?? [:] {
            guard let field = HTTPField.Name(name) else { continue }
            let values = value.array ?? [value]
            response.head.headerFields[values: field] = values.map { $0.string ?? $0.description }
        }
        return response
    }

    private static func status(_ code: Int64) -> HTTPResponse.Status {
        HTTPResponse.Status(code: 200...599 ~= code ? Int(code) : 500)
    }
}
