import JSON

/// What an agent may see and touch: two sets of permission markers (*Permissions* of the vendor's developer guide).
struct AgentPermissions: Hashable, Sendable {
    /// The marker of elements that have none and inherit none.
    static let defaultMarker = "default"

    var viewable: Set<String>
    var interactive: Set<String>

    /// What an agent has whose metadata says nothing about permissions.
    static let unsaid = AgentPermissions(viewable: [Self.defaultMarker], interactive: [Self.defaultMarker])

    /// Creates permissions.
    init(viewable: Set<String>, interactive: Set<String>) {
        self.viewable = viewable
        self.interactive = interactive
    }

    /// Reads the permissions of a participant's metadata.
    ///
    /// No object at all means the default marker in both sets; an object whose set is missing means an empty set.
    init(metadata: JSONValue) {
        guard let object = metadata["permissions"]?.object else {
            self = .unsaid
            return
        }
        func set(_ name: String) -> Set<String> {
            Set((object[name]?.array ?? []).prefix(1_000).compactMap { $0.string?.lowercased() })
        }
        self.init(viewable: set("viewable"), interactive: set("interactive"))
    }

    /// What several agents have together: they see what each of them may, and are offered what any of them may touch.
    ///
    /// Whether one of them may touch an element is checked again when it does.
    ///
    /// - Returns: Nil without agents; there is nobody to draw for then.
    static func together(_ agents: [AgentPermissions]) -> AgentPermissions? {
        guard let first = agents.first else { return nil }
        return agents.dropFirst().reduce(first) { together, agent in
            AgentPermissions(
                viewable: together.viewable.intersection(agent.viewable),
                interactive: together.interactive.union(agent.interactive))
        }
    }
}
