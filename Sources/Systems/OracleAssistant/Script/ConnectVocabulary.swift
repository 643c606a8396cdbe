import Machines

/// What `connect` of a client takes.
enum ConnectVocabulary {
    private static let names = [
        "url", "channel_id", "user_id", "auth_token", "token", "client_auth_enabled", "token_provider", "token_fixture",
    ]

    /// The options of an actor that it can replace: those that say where to and who.
    static let options: [ParameterDeclaration] = ClientVocabulary.options.filter { Self.names.contains($0.name) }
}
