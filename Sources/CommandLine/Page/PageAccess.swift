package import HTTPTypes
import JSON
package import Machines

/// Decides who may ask the page that follows a run, and says what is asked.
///
/// A page on this machine is in the reach of every program and of every web page that a browser has open here. So its
/// address holds a token that nobody can guess, the port must be asked by its own name (a name of somebody else's that
/// was made to lead here is refused, DNS rebinding), and what other pages send is refused by their origin.
package struct PageAccess {
    /// What becomes of a request.
    package enum Decision: Hashable {
        /// It is asked by a window of the page.
        case question(PageQuestion)
        /// It is answered with why not.
        case refusal(Response)
    }

    private let token: String
    private let authorities: Set<String>

    /// Creates what guards one page.
    ///
    /// - Parameters:
    ///   - token: What the path of every address begins with.
    ///   - port: The port that it is asked at.
    package init(token: String, port: Int) {
        self.token = token
        self.authorities = ["127.0.0.1:\(port)", "localhost:\(port)"]
    }

    /// Decides on the request of an exchange: what counts is the path after the token, the number `after` of the query
    /// if there is one, and the body of a POST.
    package func decide(_ request: Request, of exchange: ExchangeID) -> Decision {
        let head = request.head
        guard let authority = head.authority, self.authorities.contains(authority) else {
            return Self.refuse(.misdirectedRequest, "This page is asked by the address of its port.")
        }
        if let origin = head.headerFields[.origin], origin != "http://\(authority)" {
            return Self.refuse(.forbidden, "Other web pages may not use this one.")
        }
        let target = (head.path ?? "").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let prefix = "/\(self.token)/"
        guard let place = target.first, place.hasPrefix(prefix) else {
            return Self.refuse(.forbidden, "The address of the page is the one that repartee has printed.")
        }
        let path = String(place.dropFirst(prefix.count))
        switch head.method {
        case .get:
            let query = target.count > 1 ? FormEncoding.decode(target[1]) : []
            let version = query.last { $0.0 == "after" }.flatMap { Int($0.1) }
            return .question(PageQuestion(exchange: exchange, path: path, version: version ?? 0))
        case .post:
            guard let body = (try? JSONReader.read(request.body))?.object else {
                return Self.refuse(.badRequest, "The body is not a JSON object.")
            }
            return .question(PageQuestion(exchange: exchange, path: path, body: body))
        default: return Self.refuse(.methodNotAllowed, "Use GET or POST.")
        }
    }

    /// What a client is answered that asks for a WebSocket.
    package static let webSocketRefusal = Self.response(text: "There are no WebSockets here.\n", status: .badRequest)

    private static func refuse(_ status: HTTPResponse.Status, _ text: String) -> Decision {
        .refusal(Self.response(text: text + "\n", status: status))
    }

    /// Returns an answer with a text.
    package static func response(text: String, status: HTTPResponse.Status) -> Response {
        Self.response(Array(text.utf8), type: "text/plain; charset=utf-8", status: status)
    }

    /// Returns an answer that nobody keeps, frames, or takes for something else than it is.
    package static func response(_ body: [UInt8], type: String, status: HTTPResponse.Status = .ok) -> Response {
        var fields: HTTPFields = [
            .contentType: type, .cacheControl: "no-store", .contentSecurityPolicy: "frame-ancestors 'none'",
            .xContentTypeOptions: "nosniff",
        ]
        // The token is in the address of the page.
        if let name = HTTPField.Name("Referrer-Policy") { fields[name] = "no-referrer" }
        if let name = HTTPField.Name("Cross-Origin-Resource-Policy") { fields[name] = "same-origin" }
        return Response(HTTPResponse(status: status, headerFields: fields), body: body)
    }
}
