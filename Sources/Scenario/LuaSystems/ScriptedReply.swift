import HTTPTypes
import JSON
import LuaRuntime
import Machines

/// What a handler of a simulated server answers to a request.
enum ScriptedReply {
    /// How much of an answer a handler gives at once.
    enum Extent {
        /// All of it.
        case whole

        /// Its head. Its body follows in pieces, which may be fewer bytes than the head says.
        case head

        /// The headers that say how the body ends, which the server does by itself.
        fileprivate var ownHeaders: Set<HTTPField.Name> {
            switch self {
            case .whole: [.transferEncoding, .contentLength, .connection]
            case .head: [.transferEncoding]
            }
        }
    }

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
            for (field, values) in (try? ScriptHeaders.fields(JSONObject([(name, value)]))) ?? [] {
                response.head.headerFields[values: field] = values
            }
        }
        return response
    }

    /// The statuses of answers that have no body: 204 No Content and 304 Not Modified.
    private static let bodiless: Set<Int64> = [204, 304]

    /// Makes sure that an answer can be what its handler wants it to be.
    ///
    /// - Parameters:
    ///   - fields: Its members.
    ///   - extent: How much of the answer they are.
    ///   - name: The name of the handler.
    static func check(_ fields: JSONObject, as extent: Extent, _ name: String) throws(HostError) {
        try Self.check(status: fields["status"]?.integer, name)
        let bodies = ["json", "body", "base64"].filter { fields[$0] != nil }
        guard bodies.count <= 1 else {
            throw HostError.usage(
                "\(name): an answer has one body, not both \(bodies.joined(separator: " and "))")
        }
        if let status = fields["status"]?.integer, Self.bodiless.contains(status),
            let body = bodies.first, fields[body] != ""
        {
            throw HostError.usage(
                "\(name): an answer with the status \(status) has no body (RFC 9110 section 6.4.1), so that \(body) would be "
                    + "lost; leave it out, or choose another status")
        }
        guard fields["base64"]?.string.map({ Base64.decode($0) != nil }) ?? true else {
            throw HostError.usage("\(name): base64 is not base64")
        }
        do throws(ConfigurationError) {
            for (field, _) in try ScriptHeaders.fields(fields["headers"]?.object ?? [:])
            where extent.ownHeaders.contains(field) {
                throw ConfigurationError(
                    "the header \"\(field.rawName)\" says how the body ends, which the server does by itself; "
                        + "only request:begin takes a \"Content-Length\", for a body that is shorter, or \"Connection\""
                )
            }
        } catch {
            throw HostError.usage("\(name): \(error.message)")
        }
    }

    /// Makes sure that what a handler returned that is no table is an answer.
    ///
    /// - Parameters:
    ///   - isOfUpgrade: Whether it decides on a WebSocket; nothing at all decides nothing.
    ///   - name: The name of the handler.
    static func check(_ value: JSONValue, ofUpgrade isOfUpgrade: Bool, _ name: String) throws(HostError) {
        if let status = value.integer { return try Self.check(status: status, name) }
        if isOfUpgrade {
            throw HostError.usage(
                "\(name) returns true or a sub-protocol to accept, and false, a status or a table to refuse, not "
                    + (value.isNull ? "nil" : "\(value)"))
        }
        guard value.isNull || value.string != nil else {
            throw HostError.usage("\(name) returns a status, a text or a table, not \(value)")
        }
    }

    /// Makes sure that a status, if there is one, is one of a final answer.
    static func check(status: Int64?, _ name: String) throws(HostError) {
        guard let status, HTTPResponse.Status(final: status) == nil else { return }
        throw HostError.usage("\(name): status is from 200 to 599, not \(status)")
    }

    private static func status(_ code: Int64) -> HTTPResponse.Status {
        HTTPResponse.Status(final: code) ?? .internalServerError
    }
}
