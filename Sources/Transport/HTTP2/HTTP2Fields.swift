import HTTPTypes
import Machines
import NIOHPACK

/// Heads of messages as HTTP/2 writes them (RFC 9113 section 8).
enum HTTP2Fields {
    /// What belongs to one connection of HTTP/1.1 and has no place here (section 8.2.2).
    private static let connectionFields: Set<String> = [
        "connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade", "host", "content-length",
        "proxy-authorization",
    ]

    /// Returns the head of a request.
    static func headers(of request: Request) -> HPACKHeaders {
        let head = request.head
        var headers = HPACKHeaders()
        headers.add(name: ":method", value: head.method.rawValue)
        headers.add(name: ":scheme", value: head.scheme ?? "https")
        headers.add(name: ":authority", value: head.authority ?? "")
        headers.add(name: ":path", value: head.path ?? "/")
        for field in head.headerFields {
            let name = field.name.canonicalName
            guard !Self.connectionFields.contains(name), name != "te" || field.value == "trailers" else { continue }
            // Who asks is kept out of the tables of the compression (RFC 7541 section 7.1.3).
            let isSecret = name == "authorization" || name == "cookie"
            headers.add(name: name, value: field.value, indexing: isSecret ? .neverIndexed : .indexable)
        }
        if !request.body.isEmpty || [.post, .put, .patch].contains(head.method) {
            headers.add(name: "content-length", value: "\(request.body.count)")
        }
        return headers
    }

    /// Reads the head of an answer, whose form the library has checked.
    ///
    /// - Returns: Nil if it is longer than the limits say, or no head.
    static func response(_ headers: HPACKHeaders, limits: HTTPLimits) -> HTTPResponse? {
        guard headers.count <= limits.fields + 1, let code = headers.first(name: ":status").flatMap({ Int($0) }),
            100...999 ~= code
        else { return nil }
        var response = HTTPResponse(status: .init(code: code))
        var length = 0
        for (name, value, _) in headers where !name.hasPrefix(":") {
            length += name.utf8.count + value.utf8.count
            guard length <= limits.head, let fieldName = HTTPField.Name(name) else { return nil }
            response.headerFields.append(HTTPField(name: fieldName, value: value))
        }
        return response
    }
}
