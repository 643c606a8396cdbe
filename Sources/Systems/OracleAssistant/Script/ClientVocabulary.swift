import JSON
import Machines

/// What scripts can say to a client; what a client tells them is in ``ClientEventVocabulary``.
enum ClientVocabulary {
    private static let tokenFixture = ScriptType.record([
        optional("secret", .string, "The channel's secret key; the target's unless given."),
        optional("user_id", .string, "The claim userId; the client's user unless given."),
        optional("channel_id", .string, "The claim channelId; the client's channel unless given."),
        optional("lifetime", .duration, "How long the token lives; 30 minutes unless given."),
        optional("claims", .map(.json), "Claims to set or replace."),
    ])

    /// What scripts can read.
    static let properties = [
        PropertyDeclaration("status", .string, "What the connection is, in the vendor's word."),
        PropertyDeclaration("user_id", .string, "The user; empty until one is known."),
        PropertyDeclaration("channel_id", .string, "The channel."),
        PropertyDeclaration("polling", .boolean, "Whether messages go by HTTP requests."),
        PropertyDeclaration("typing", .boolean, "Whether an answer is awaited on the screen."),
        PropertyDeclaration("unread", .integer, "How many messages came while the chat was closed."),
        PropertyDeclaration("language", .string, "The language that was chosen; null for detection."),
        PropertyDeclaration("input", .string, "What stands in the input field."),
        PropertyDeclaration("thread", .string, "The thread that is shown; null for none."),
        PropertyDeclaration("agent", .string, "The name of the agent; null for none."),
        PropertyDeclaration("messages", .integer, "How many messages are on the screen."),
        PropertyDeclaration("expanded", .boolean, "Whether the chat is open; its end collapses it."),
    ]

    /// The options of an actor.
    static let options: [ParameterDeclaration] =
        (NetworkProperties.all + FeatureFlags.all).flatMap { setting in
            setting.name == "ttsService" ? [ttsService] : setting.parameters
        } + [
            optional(
                "token_provider", .function, returning: .string,
                "Returns a token; called whenever a new one is needed."),
            optional(
                "token_fixture", tokenFixture,
                "Lets the client itself make tokens from the channel's secret, which only a test may do."),
            optional(
                "before_display", .function, returning: .map(.json),
                "Gets each message of the server before it is shown; returns it, a changed one, or nil to drop it."),
            optional(
                "before_send", .function, returning: .map(.json),
                "Gets each message of the user before it is sent; returns it, a changed one, or nil to drop it."),
            optional(
                "before_send_postback", .function, returning: .map(.json),
                "Gets each tapped action before it is sent; returns it, a changed one, or nil to drop it."),
            optional(
                "before_end_conversation", .function,
                "Gets the message that ends the conversation; returns it, a changed one, or true to let it end, and nil or "
                    + "false to keep it going."),
            optional("strings", .map(.string), "Texts by the keys of the vendor's table \"Strings\"."),
            optional(
                "ui", .record(Appearance.properties.flatMap(\.parameters)),
                "How the chat looks: layout, colors and icons."),
        ]

    private static let ttsService = optional(
        "tts_service",
        .record([
            parameter("speak", .function, "Gets a text to read aloud."),
            optional("stop_speech", .function, "Stops reading."),
            optional(
                "is_speaking", .function, returning: .boolean,
                "Tells whether something is being read; asked before the user speaks."),
        ]), "Functions that read aloud in place of the client.")
}
