import JSON
import Machines

/// The models of a project.
struct ModelDeclarations: Sendable {
    private(set) var judges: [String: ModelEndpoint] = [:]
    private(set) var personas: [String: ModelEndpoint] = [:]
    private(set) var embeddings: ModelEndpoint?

    /// The members of `repartee.lua` that declare them.
    static let parameters = [
        ParameterDeclaration(
            "judges", .map(.record(ModelEndpoint.judgeParameters)), optional: true,
            "Models that judge texts, by name: endpoints for chat completions."),
        ParameterDeclaration(
            "personas", .map(.record(ModelEndpoint.parameters)), optional: true,
            "Models that write what people say in conversations, by name: endpoints for chat completions."),
        ParameterDeclaration(
            "embeddings", .record(ModelEndpoint.parameters), optional: true,
            "The model that tells how near in meaning two texts are: an endpoint for embeddings."),
    ]

    /// Declares none.
    init() {}

    /// Reads the members of `repartee.lua`, checked already.
    ///
    /// - Throws: ``UsageError`` that names the place and the member.
    init(_ members: JSONObject, variables: [String: String]) throws(UsageError) {
        for (name, value) in members["judges"]?.object ?? [:] {
            self.judges[name] = try ModelEndpoint(
                value.object ?? [:], place: "judges.\(name)", variables: variables)
        }
        for (name, value) in members["personas"]?.object ?? [:] {
            self.personas[name] = try ModelEndpoint(
                value.object ?? [:], place: "personas.\(name)", variables: variables)
        }
        if let value = members["embeddings"]?.object {
            self.embeddings = try ModelEndpoint(value, place: "embeddings", variables: variables)
        }
    }

    /// What of them must not be seen.
    var secrets: [String] {
        [self.judges, self.personas].flatMap { $0.values.flatMap(\.secrets) } + (self.embeddings?.secrets ?? [])
    }
}
