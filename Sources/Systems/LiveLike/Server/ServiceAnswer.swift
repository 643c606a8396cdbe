import HTTPTypes
import JSON
import Machines

/// What the service answers a call: a status, and a JSON body unless there is nothing to say.
struct ServiceAnswer: Hashable, Sendable {
    /// The answer that something is done and there is nothing to say about it.
    static let noContent = ServiceAnswer(status: .noContent, body: nil)

    /// The answer to a call without a token where one is needed.
    static let unauthorized = ServiceAnswer.error(403, "Authentication credentials were invalid or not provided.")

    /// The answer to who would read what only the members of a room may read.
    static let noMember = ServiceAnswer.error(403, "You are not a member of this chat room.")

    /// The answer to a call about a room that does not exist.
    static let noRoom = ServiceAnswer.error(404, "No chat room found.")

    /// The answer to a call about anything else that does not exist.
    static let notFound = ServiceAnswer.error(404, "Not found.")

    /// The answer to a method that a resource has not.
    static let methodNotAllowed = ServiceAnswer.error(405, "Method not allowed.")

    /// The answer to who asks too often, and to who asks for more than is kept.
    static let throttled = ServiceAnswer.error(429, "Request was throttled.")

    let status: HTTPResponse.Status
    let body: JSONValue?

    private init(status: HTTPResponse.Status, body: JSONValue?) {
        self.status = status
        self.body = body
    }

    /// Creates an answer with a body.
    init(_ body: JSONValue, status: HTTPResponse.Status = .ok) { self.init(status: status, body: body) }

    /// The answer that something was made.
    static func created(_ resource: JSONObject) -> ServiceAnswer { ServiceAnswer(.object(resource), status: .created) }

    /// An error in the form of the service.
    static func error(_ status: Int, _ detail: String) -> ServiceAnswer {
        ServiceAnswer(["detail": .string(detail)], status: .init(code: status))
    }

    /// The answer to a call one of whose fields cannot be used.
    static func invalid(_ field: String, _ problem: String) -> ServiceAnswer {
        ServiceAnswer(.object([field: [.string(problem)]]), status: .badRequest)
    }

    /// The answer to a body that lacks a field.
    static func missing(_ field: String) -> ServiceAnswer { .invalid(field, "This field is required.") }

    /// A list that fits one page.
    static func list(_ results: [JSONValue]) -> ServiceAnswer {
        ServiceAnswer([
            "count": .integer(Int64(results.count)), "next": .null, "previous": .null, "results": .array(results),
        ])
    }

    /// The same answer without some members of its body.
    func lacking(_ names: Set<String>) -> ServiceAnswer {
        guard !names.isEmpty, let body = self.body?.object else { return self }
        let kept = JSONObject(body.filter { !names.contains($0.0) })
        return ServiceAnswer(status: self.status, body: .object(kept))
    }

    /// The id of what was made.
    var id: JSONValue? { self.body?["id"] }

    /// The response that carries it.
    var response: Response {
        self.body.map { Response(json: $0, status: self.status) } ?? Response(HTTPResponse(status: self.status))
    }
}
