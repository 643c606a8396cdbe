import Machines

/// What scripts can call on an actor, each with the role that it needs.
enum ClientMethodVocabulary {
    /// All methods; an actor refuses those of the other role.
    static let methods = ConsumerVocabulary.ownMethods.map { Self.told($0, of: "a consumer") } + Self.ofAgents

    private static let ofAgents = AgentVocabulary.methods.map { method in
        Self.told(method, of: ConsumerVocabulary.sharedNames.contains(method.name) ? "both roles" : "an agent")
    }

    /// Returns a method whose summary says who has it.
    private static func told(_ method: MethodDeclaration, of role: String) -> MethodDeclaration {
        MethodDeclaration(
            method.name, method.parameters, returns: method.result, isFault: method.isFault, sends: method.sends,
            takesJSONText: method.takesJSONText,
            "Of \(role): \(method.summary.prefix(1).lowercased())\(method.summary.dropFirst())")
    }
}
