import JSON
import Machines

/// What scripts can read of a consumer or an agent.
enum ClientPropertyVocabulary {
    /// All properties; those of the other role are null.
    static let properties = Self.both + Self.ofConsumers + Self.ofAgents

    private static let both = [
        PropertyDeclaration("role", .choice(["consumer", "agent"]), "Which side the actor plays."),
        PropertyDeclaration("state", .string, "How far the session has come."),
        PropertyDeclaration("connection", .string, "The state of the session's WebSocket."),
        PropertyDeclaration("correlation_id", .string, "The session's name; empty before there is one."),
        PropertyDeclaration("participant", .integer, "The own number in the session; null before there is one."),
        PropertyDeclaration(
            "cobrowsing", .boolean, "Of a consumer whether anybody watches, of an agent whether it does."),
    ]

    private static let ofConsumers = [
        PropertyDeclaration("session_token", .string, "Of a consumer: the token of its session, or null."),
        PropertyDeclaration("paused", .boolean, "Of a consumer: whether co-browsing is paused."),
        PropertyDeclaration(
            "agents", .list(.json),
            "Of a consumer: the agents in the session with `agent`, `participant`, `viewable`, `interactive` and "
                + "`cobrowsing`."),
        PropertyDeclaration("documents", .integer, "Of a consumer: how many documents are there."),
        PropertyDeclaration("configuration", .json, "Of a consumer: the vendor's properties as they count."),
    ]

    private static let ofAgents = [
        PropertyDeclaration("name", .string, "Of an agent: its name."),
        PropertyDeclaration("active", .boolean, "Of an agent: whether the consumer shows its screen now."),
        PropertyDeclaration("frames", .integer, "Of an agent: how many pictures have come."),
        PropertyDeclaration(
            "elements", .list(.json), "Of an agent: the elements that it sees, as `view()` returns them."),
        PropertyDeclaration(
            "windows", .list(.json),
            "Of an agent: the windows on the consumer's screen, `document`, `type` and `closeable` of a shared document, "
                + "`on_top` of the agent's own window."),
    ]

    /// Returns fields in the order of the declarations, null where there is nothing to tell.
    static func complete(_ fields: JSONObject) -> JSONObject {
        JSONObject(Self.properties.map { ($0.name, fields[$0.name] ?? .null) })
    }
}
