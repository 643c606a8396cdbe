import HTTPTypes
import JSON
import Machines

/// HTTP messages as the handlers of systems in Lua see them.
enum ScriptedAnswer {
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

    /// Returns a request as a simulated server sees it: `method`, `path`, `query`, `headers`, `body`, and `json` or
    /// `form` where it is that.
    static func fields(of request: Request) -> JSONObject {
        let target = (request.head.path ?? "/").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var fields: JSONObject = [
            "method": .string(request.head.method.rawValue),
            "path": .string(target.first.map { FormEncoding.percentDecode($0) } ?? "/"),
            "query": .object(target.count > 1 ? FormFields.object(target[1]) : [:]),
            "headers": ScriptHeaders.json(request.head.headerFields),
        ]
        Self.add(request.body, to: &fields)
        let type = request.head.headerFields[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
        if type == "application/x-www-form-urlencoded", let text = fields["body"]?.string {
            fields["form"] = .object(FormFields.object(text))
        }
        return fields
    }

    private static func add(_ body: [UInt8], to fields: inout JSONObject) {
        guard let text = String(validating: body, as: UTF8.self) else {
            fields["base64"] = .string(Base64.encode(body))
            return
        }
        fields["body"] = .string(text)
        if let json = try? JSONReader.read(body) { fields["json"] = json }
    }
}
