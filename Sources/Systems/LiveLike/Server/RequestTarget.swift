import HTTPTypes
import JSON
import Machines

/// What a request asks for: its path in parts, its query, its token and its JSON body.
struct RequestTarget: Sendable {
    let method: HTTPRequest.Method
    let path: String
    /// The parts of the path, decoded; empty ones are left out.
    let segments: [String]
    let query: [String: String]
    /// The token of the `Authorization` header.
    let token: String?

    /// Reads a request.
    init(_ request: Request) {
        self.method = request.head.method
        let named = PathAndQuery(request.head)
        self.path = named.path
        self.segments = self.path.split(separator: "/").map { segment in
            segment.utf8.contains(UInt8(ascii: "%")) ? FormEncoding.percentDecode(segment) : String(segment)
        }
        self.query = named.parameters()
        let header = request.head.headerFields[.authorization] ?? ""
        self.token = header.hasPrefix("Bearer ") ? String(header.dropFirst(7)) : nil
    }

    /// The body as a JSON object; empty if it is none.
    static func body(of request: Request) -> JSONObject {
        (try? JSONReader.read(request.body, depth: 32))?.object ?? [:]
    }
}
