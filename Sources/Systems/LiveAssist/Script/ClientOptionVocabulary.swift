import JSON
import Machines

/// The options of a client actor: its role, and the vendor's configuration.
enum ClientOptionVocabulary {
    static let options = Self.ofBoth + Self.ofConsumers + Self.ofAgents + Self.configuration

    private static let ofBoth = [
        ParameterDeclaration(
            "role", .choice(AssistRole.allCases.map(\.rawValue)), optional: true,
            "Which side the actor plays; consumer unless given."),
        ParameterDeclaration(
            "name", .string, optional: true,
            "The actor's name in reports, and what the other side knows an agent by; Agent unless given."),
    ]

    private static let ofConsumers = [
        ParameterDeclaration(
            "defaults", .choice(DefaultsSource.allCases.map(\.rawValue)), optional: true,
            "Whose defaults count where the vendor's guide and initializer differ; guide unless given."),
        ParameterDeclaration(
            "camera", .boolean, optional: true,
            "Whether the user lets the application use the camera, which a call with videoMode full needs; true unless "
                + "given."),
        ParameterDeclaration(
            "microphone", .boolean, optional: true,
            "Whether the user lets the application use the microphone, which every call needs; true unless given."),
        ParameterDeclaration(
            "screen", .json, optional: true,
            "The consumer's synthetic screen at the start, as `show_screen` takes it."),
    ]

    private static let ofAgents = [
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

    /// What an agent reads of the vendor's configuration, which is the consumer's but for these.
    private static let configurationOfAgents: Set = ["acceptSelfSignedCerts", "retryIntervals", "server"]

    /// Checks that the options of an actor are those of its role.
    ///
    /// - Throws: ``ConfigurationError`` that names the first that the role would ignore.
    static func check(_ options: JSONObject, of role: AssistRole) throws(ConfigurationError) {
        let others =
            switch role {
            case .consumer: Self.ofAgents
            case .agent:
                Self.ofConsumers + Self.configuration.filter { !Self.configurationOfAgents.contains($0.name) }
            }
        guard let name = options.names.first(where: { name in others.contains { $0.name == name } }) else { return }
        switch role {
        case .consumer:
            throw ConfigurationError(
                "\(name) is not an option of a consumer; give the actor role = \"agent\" for it")
        case .agent:
            throw ConfigurationError(
                "\(name) is not an option of an agent; give the actor role = \"consumer\" for it, or leave it out")
        }
    }
}
