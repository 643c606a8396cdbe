import HTTPTypes
import JSON
import Machines

/// The HTTP side of the control port: requests stand for the messages of ``ControlMessage``; defined here.
///
/// | request | message |
/// |---|---|
/// | `GET /servers` | `list` |
/// | `POST /servers` with `{"system":"boldchat","options":{…}}` | `start` |
/// | `GET /servers/boldchat?after=7` | `read` |
/// | `POST /servers/boldchat` with `{"party":"Sam","command":"accept","arguments":{…}}` | `perform` |
/// | `DELETE /servers/boldchat` | `stop` |
///
/// An answer is the `result` with status 200, or `{"error":"…"}` with 400 (404 and 405 for no such path or method, 403
/// for web pages). A body is JSON whatever its content type says, so that `curl -d` is enough.
enum ControlRoute {
    /// Why a request stands for no message.
    struct Refusal: Error {
        let status: HTTPResponse.Status
        let text: String
    }

    /// What the control port tells who asks it for nothing in particular.
    static let help = """
        \(ControlMessage.greeting)

        Run scenarios against it:      repartee test --target URL
        Which servers are there:       curl URL/servers
        Start one:                     curl -d '{"system":"boldchat","options":{"queue":2}}' URL/servers
        How does it stand:             curl URL/servers/boldchat            (?after=7: events after the 7th)
        Play an agent:                 curl -d '{"party":"Sam","command":"accept"}' URL/servers/boldchat
                                       curl -d '{"party":"Sam","command":"say","arguments":{"text":"Hello!"}}' …
        Set the desk:                  curl -d '{"command":"close"}' URL/servers/boldchat
        Name a visitor:                "arguments":{"visitor":{"visitor_id":"4711"}}
        Start one written in Lua:      curl -d '{"system":"Scenarios/support.lua"}' URL/servers
        End it:                        curl -X DELETE URL/servers/boldchat

        Commands and arguments are the methods that scripts call on a server and on its parties.

        """

    /// Returns the message that a request stands for; nil for the request that asks for help.
    ///
    /// - Throws: ``Refusal`` that says what can be asked.
    static func message(_ request: Request) throws(Refusal) -> JSONObject? {
        // Only web pages name an origin; one that a browser has open must not play agents on this machine.
        guard request.head.headerFields[.origin] == nil else {
            throw Refusal(status: .forbidden, text: "web pages may not use the control port")
        }
        let target = (request.head.path ?? "/").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = (target.first ?? "").split(separator: "/").map { FormEncoding.percentDecode(String($0)) }
        let query = target.count > 1 ? FormEncoding.decode(target[1]) : []
        switch (parts.count, parts.first, request.head.method) {
        case (0, _, .get): return nil
        case (1, "servers", .get): return ["method": "list"]
        case (1, "servers", .post): return try Self.body(request).merging(["method": "start"])
        case (2, "servers", .get):
            var message: JSONObject = ["method": "read", "server": .string(parts[1])]
            if let after = query.last(where: { $0.0 == "after" })?.1 {
                guard let number = Int64(after) else {
                    throw Refusal(status: .badRequest, text: "after is the number of an event, not \"\(after)\"")
                }
                message["after"] = .integer(number)
            }
            return message
        case (2, "servers", .post):
            return try Self.body(request).merging(["method": "perform", "server": .string(parts[1])])
        case (2, "servers", .delete): return ["method": "stop", "server": .string(parts[1])]
        case (0, _, _), (1, "servers", _), (2, "servers", _):
            throw Refusal(status: .methodNotAllowed, text: "use GET, POST or DELETE as GET / says")
        default: throw Refusal(status: .notFound, text: "there is nothing here; GET / says what there is")
        }
    }

    private static func body(_ request: Request) throws(Refusal) -> JSONObject {
        guard let value = try? JSONReader.read(request.body), let members = value.object else {
            throw Refusal(
                status: .badRequest,
                text: "the body is not a JSON object such as {\"party\":\"Sam\",\"command\":\"accept\"}")
        }
        return members
    }

    /// Returns the response that a message answers a request with.
    static func response(_ message: JSONObject) -> Response {
        if let error = message["error"] { return Response(json: ["error": error], status: .badRequest) }
        return Response(json: message["result"] ?? .object([:]))
    }
}
