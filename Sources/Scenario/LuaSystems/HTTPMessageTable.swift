import HTTPTypes
import JSON
import Machines

/// HTTP messages as tables, as the handlers and commands of systems in Lua get them.
enum HTTPMessageTable {
    /// Returns an answer: `ok`, `status`, `headers`, `body` and, where it is JSON, `json`.
    static func fields(of response: Response) -> JSONObject {
        var fields = Self.fields(of: response.head)
        Self.add(response.body, to: &fields)
        return fields
    }

    /// Returns the beginning of an answer whose body comes in pieces: `ok`, `status` and `headers`.
    static func fields(of head: HTTPResponse) -> JSONObject {
        [
            "ok": .bool(200...299 ~= head.status.code), "status": .integer(Int64(head.status.code)),
            "headers": ScriptHeaders.json(head.headerFields),
        ]
    }

    /// Returns a request as a simulated server sees it: `method`, `path`, `query`, `headers`, `body`, and `json`,
    /// `form` or `parts` where it is that.
    static func fields(of request: Request) -> JSONObject {
        let target = (request.head.path ?? "/").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var fields: JSONObject = [
            "method": .string(request.head.method.rawValue),
            "path": .string(target.first.map { FormEncoding.percentDecode($0) } ?? "/"),
            "query": .object(target.count > 1 ? FormFields.object(target[1]) : [:]),
            "headers": ScriptHeaders.json(request.head.headerFields),
        ]
        Self.add(request.body, to: &fields)
        let field = request.head.headerFields[.contentType] ?? ""
        switch field.prefix(while: { $0 != ";" && $0 != " " }).lowercased() {
        case "application/x-www-form-urlencoded":
            fields["form"] = fields["body"]?.string.map { .object(FormFields.object($0)) }
        case "multipart/form-data":
            fields["parts"] = MultipartForm.parts(of: request.body, contentType: field).map { parts in
                .array(parts.map { .object(Self.fields(of: $0)) })
            }
        default: break
        }
        return fields
    }

    /// Returns a field of a form with files: `name`, `filename` and `type` as far as they were sent, `body`, and `json`
    /// where it is that.
    private static func fields(of part: MultipartForm.Part) -> JSONObject {
        var fields: JSONObject = ["name": .string(part.name)]
        fields["filename"] = part.fileName.map { .string($0) }
        fields["type"] = part.type.map { .string($0) }
        Self.add(part.content, to: &fields)
        return fields
    }

    private static func add(_ body: [UInt8], to fields: inout JSONObject) {
        guard let text = String(validating: body, as: UTF8.self) else {
            fields["base64"] = .string(Base64.encode(body))
            return
        }
        fields["body"] = .string(text)
        if let json = try? JSONReader.readUnambiguous(body) { fields["json"] = json }
    }
}
