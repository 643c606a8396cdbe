import HTTPTypes
import JSON
import Machines
import Patterns

/// The request for a session token with an agent's name and permissions, as a customer's own web application makes it
/// (*Session Token Creation* of the vendor's guide).
enum AgentTokenRequest {
    /// Makes sure that a token can be asked for with the options of an agent.
    static func check(_ options: JSONObject) throws(ConfigurationError) {
        guard let topic = options["allowed_topic"]?.string else { return }
        do throws(RegexError) { _ = try TextRegex(topic, longest: TextRegex.longestOfServer) } catch {
            throw ConfigurationError(
                "allowed_topic is a regular expression, and \"\(topic)\" is none: \(error.message)")
        }
    }

    /// Returns the request.
    ///
    /// The address of the gateway's session API stands in another guide; this one is defined here.
    static func make(_ origin: Origin, cid: String, name: String, _ options: JSONObject) -> Request {
        var metadata: JSONObject = ["role": "agent", "name": .string(name)]
        if let permissions = options["permissions"]?.object {
            metadata["permissions"] = .object([
                "viewable": permissions["viewable"] ?? [], "interactive": permissions["interactive"] ?? [],
            ])
        }
        var request = Request(origin.request(.post, "/gateway/sessions/session"))
        request.head.headerFields[.contentType] = "application/json"
        request.body = JSONWriter.write([
            "aed": ["accessibleSessionIdRegex": .string(cid)],
            "additionalAttributes": [
                "AED2.metadata": .object(metadata), "AED2.allowedTopic": options["allowed_topic"] ?? .string(cid),
            ],
        ])
        return request
    }
}
