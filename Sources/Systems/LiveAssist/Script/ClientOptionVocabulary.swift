import JSON
import Machines

/// The options of a client actor: its role, and the vendor's configuration.
enum ClientOptionVocabulary {
    static let options = Self.own + Self.configuration

    private static let own = [
        ParameterDeclaration(
            "role", .choice(["consumer", "agent"]), optional: true, "Which side the actor plays; consumer unless given."
        ),
        ParameterDeclaration(
            "defaults", .choice(DefaultsSource.allCases.map(\.rawValue)), optional: true,
            "Whose defaults count where the vendor's guide and initializer differ; guide unless given."),
        ParameterDeclaration(
            "screen", .json, optional: true,
            "The consumer's synthetic screen at the start, as `show_screen` takes it."),
        ParameterDeclaration(
            "name", .string, optional: true,
            "The actor's name in reports, and what the other side knows an agent by; Agent unless given."),
        ParameterDeclaration(
            "permissions",
            .record([
                ParameterDeclaration("viewable", .list(.string), optional: true, "The markers the agent sees."),
                ParameterDeclaration("interactive", .list(.string), optional: true, "The markers it may touch."),
            ]), optional: true, "The agent's permissions; the default marker in both unless given."),
        ParameterDeclaration(
            "allowed_topic", .string, optional: true,
            "The regular expression of sessions that the agent's token opens; its own session unless given."),
    ]

    /// The vendor's configuration properties, each with its default of the guide; all of them with their other
    /// spellings.
    static let configuration = ConfigurationProperty.all.flatMap { property in
        ([property.name] + property.aliases).map { name in
            ParameterDeclaration(
                name, property.type, optional: true,
                property.summary + " Default: \(property.value(for: .guide).description).")
        }
    }
}
