import JSON

/// What a consumer knows of an agent in the session.
struct AgentRecord: Hashable, Sendable {
    let id: UInt16
    let name: String
    let permissions: AgentPermissions
    /// From the moment the permission was sent, since the server may let the agent see from then on.
    var isAllowed = false
    var isCobrowsing = false

    /// How scripts see the agent.
    var fields: JSONObject {
        func list(_ set: Set<String>) -> JSONValue { .array(set.sorted().map { .string($0) }) }
        return [
            "agent": .string(self.name), "participant": .integer(Int64(self.id)),
            "viewable": list(self.permissions.viewable), "interactive": list(self.permissions.interactive),
        ]
    }
}
