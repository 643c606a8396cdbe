import JSON
import Machines

/// What scripts can ask of a client.
extension ClientVocabulary {
    /// All that scripts can ask of an actor.
    static let commands = CommandSet<ClientCommand>(
        [
            CommandDeclaration(
                "initialize",
                summary: "Starts the client and connects; the only method that works after destroy.",
                as: { .initialize })
        ]
            + (Self.life + Self.conversation + Self.view + Self.speech + Self.reading).map {
                declaration in
                let name = declaration.method.name
                return declaration.mapped { .living($0, name: name) }
            })

    /// The methods of an actor.
    static let methods = Self.commands.methods

    private static let life: [CommandDeclaration<LivingCommand>] = [
        CommandDeclaration(
            "connect",
            Parameter.record("options", ConnectVocabulary.options, "Where to and who instead.").optional,
            summary:
                "Connects, starting the client first if need be; `connected`, or `disconnected` and `error`, follow.",
            as: { .life(.connect($0)) }),
        CommandDeclaration(
            "disconnect", summary: "Closes the connection and stops speech and uploads.",
            as: { .life(.disconnect) }),
        CommandDeclaration(
            "destroy", summary: "Disconnects and ends the life of the client; `destroyed` follows.",
            as: { .life(.destroy) }),
        CommandDeclaration(
            "go_offline", summary: "Does what a device does that loses its network.",
            as: { .life(.goOffline) }),
        CommandDeclaration(
            "go_online", summary: "Does what a device does that gets its network back: it connects.",
            as: { .life(.goOnline) }),
        CommandDeclaration(
            "end_chat", summary: "Ends the conversation; `before_end`, then `ended` follow.",
            as: { .life(.endChat) }),
        CommandDeclaration(
            "close_chat",
            Parameter.boolean("confirm", "Whether the user confirms; true unless given.").optional,
            returns: .json,
            summary: "Taps the button that ends the conversation and returns the words of the prompt.",
            as: { .life(.closeChat(isConfirmed: $0 ?? true)) }),
    ]

    private static let button = Parameter.record(
        "options",
        [
            optional("card", .string, "The title of the card on which it stands."),
            optional("number", .integer, "The number of the message to which it belongs."),
        ], "Which of several buttons with the same words.")

    private static let file = Parameter.record(
        "file",
        [
            optional("file", .file, "A file below the project's root, from which name and bytes come."),
            optional("name", .string, "The file name; needed unless file is given."),
            optional("text", .string, "What is in it, as text."),
            optional("base64", .string, "What is in it, in base64."),
            optional("size", .integer, "How many bytes, of no meaning."),
            optional("type", .string, "The MIME type; told by the name unless given."),
            optional(
                "from", .choice(["files", "camera", "gallery"]), "Where it comes from; files unless given."),
            optional(
                "permission", .boolean, "Whether camera or gallery may be used; true unless given."),
        ], "The file.")

    private static let conversation: [CommandDeclaration<LivingCommand>] = [
        CommandDeclaration(
            "say", Parameter.string("text", "The words."), sends: "text", summary: "Sends a text.",
            as: { .conversation(.say($0)) }),
        CommandDeclaration(
            "send", Parameter.json("message", "A text, a payload, a whole message or a profile."),
            summary: "Sends what a script made itself, after the checks of the vendor's clients.",
            as: { .conversation(.send($0)) }),
        CommandDeclaration(
            "tap", Parameter.string("label", "The words on the button."), Self.button.optional,
            summary:
                "Taps a button of a message; a failure if it is not there or cannot be used any more, an error if several are meant.",
            as: { .conversation(.tap(label: $0, $1)) }),
        CommandDeclaration(
            "rate", Parameter.integer("stars", "How many, from 1."), returns: .string,
            summary: "Taps a star of the latest rating and returns what a screen reader says.",
            as: { .conversation(.rate(stars: $0)) }),
        CommandDeclaration(
            "submit_form",
            Parameter.map(
                "values", .json, "The values by the keys of the fields; defaults need not be named."),
            Parameter.integer("number", "The number of the message; the latest form unless given.")
                .optional,
            summary: "Checks and submits a form; `form_submitted` or `form_invalid` follows.",
            as: { .conversation(.submitForm($0, number: $1)) }),
        CommandDeclaration(
            "change_field", Parameter.string("key", "The key of the field."),
            Parameter.json("value", "The value."),
            summary: "Enters one value of the latest form; a field that submits itself does so.",
            as: { .conversation(.changeField(key: $0, $1)) }),
        CommandDeclaration(
            "upload", Self.file, returns: .string,
            summary: "Uploads a file and sends it; returns the words shown meanwhile.",
            as: { .conversation(.upload($0)) }),
        CommandDeclaration(
            "send_location", Parameter.number("latitude", "Degrees north."),
            Parameter.number("longitude", "Degrees east."),
            Parameter.string("title", "What the place is called.").optional, summary: "Sends a place.",
            as: { .conversation(.sendLocation(latitude: $0, longitude: $1, title: $2)) }),
        CommandDeclaration(
            "send_event", Parameter.string("type", "The type."),
            Parameter.string("version", "The version; 1.0 unless given.").optional,
            Parameter.optionalJSON("data", "What it says."),
            Parameter.optionalJSON("context", "Its properties."),
            summary: "Sends an event to the skill; it is no turn of the user.",
            as: { .conversation(.sendEvent(SkillEvent(type: $0, version: $1, data: $2, context: $3))) }),
        CommandDeclaration(
            "update_context", Parameter.string("context", "The context."),
            Parameter.record("more", PayloadVocabulary.contextMore, "Other members of the command.")
                .optional,
            summary: "Tells the skill where in an application the user is.",
            as: { .conversation(.updateContext($0, more: $1)) }),
        CommandDeclaration(
            "set_profile", Parameter.map("profile", .json, "The profile."),
            summary: "Sends news of the user.",
            as: { .conversation(.setProfile($0)) }),
        CommandDeclaration(
            "enter_text", Parameter.string("text", "All that stands in the input field now."),
            summary: "Types; an agent is told of it if the configuration says so.",
            as: { .conversation(.enterText($0)) }),
        CommandDeclaration(
            "send_typing_status", Parameter.boolean("active", "Whether the user types."),
            Parameter.string("text", "What the user has typed; ... unless given.").optional,
            summary: "Tells the server whether the user types, at once and in any case.",
            as: { .conversation(.sendTypingStatus(isActive: $0, text: $1)) }),
        CommandDeclaration(
            "suggest", Parameter.string("query", "What to complete."), summary: "Asks for completions.",
            as: { .conversation(.suggest($0)) }),
        CommandDeclaration(
            "cancel_response",
            summary: "Drops the answers to the last message, if it awaits any (enable_cancel_response).",
            as: { .conversation(.cancelResponse) }),
        CommandDeclaration(
            "set_language",
            Parameter.string("language", "A language tag; und or nothing for detection.").optional,
            summary: "Changes the language and begins the conversation anew; `language_changed` follows.",
            as: { .conversation(.setLanguage($0)) }),
    ]

    private static let view: [CommandDeclaration<LivingCommand>] = [
        CommandDeclaration(
            "open_chat",
            summary:
                "Opens the chat view: everything is read, first messages are sent; after an end another session begins.",
            as: { .view(.openChat) }),
        CommandDeclaration(
            "minimize_chat",
            summary: "Closes the chat view without ending anything; messages become unread.",
            as: { .view(.minimizeChat) }),
        CommandDeclaration(
            "mark_all_read", summary: "Sets the number of unread messages to 0.",
            as: { .view(.markAllRead) }),
        CommandDeclaration(
            "clear_messages", summary: "Taps the button that clears the messages (enable_clear_message).",
            as: { .view(.clearMessages) }),
        CommandDeclaration(
            "clear_history",
            Parameter.boolean("view", "Whether the view is cleared too; true unless given.").optional,
            summary: "Forgets the messages that were kept.",
            as: { .view(.clearHistory(clearsView: $0 ?? true)) }),
        CommandDeclaration(
            "open_link", Parameter.string("url", "The link."),
            Parameter.boolean("fails", "Whether the page is one that a webview cannot show.").optional,
            summary: "Taps a link; `link_opened` follows.",
            as: { .view(.openLink($0, fails: $1 ?? false)) }),
        CommandDeclaration(
            "close_link", summary: "Taps the close button of a page that is open within the chat.",
            as: { .view(.closeLink) }),
        CommandDeclaration(
            "set_place", Parameter.number("latitude", "Degrees north.").optional,
            Parameter.number("longitude", "Degrees east.").optional,
            Parameter.choice(
                "obstacle", of: PlaceObstacle.self, "Why the device does not tell where it is."
            ).optional,
            summary: "Says where the device is, for buttons that ask for it.",
            as: { .view(.setPlace(latitude: $0, longitude: $1, obstacle: $2)) }),
        CommandDeclaration(
            "set_person_avatar", Parameter.string("avatar", "An asset or a URL."),
            summary: "Changes the user's picture.", as: { .view(.setPersonAvatar($0)) }),
        CommandDeclaration(
            "set_agent_details",
            Parameter.map(
                "details", .string,
                "name, avatar_image, name_text_color, avatar_text_color, avatar_background_color."),
            summary: "Sets how agents are shown, whatever the server says.",
            as: { .view(.setAgentDetails($0)) }),
        CommandDeclaration(
            "get_agent_details", returns: .json, summary: "Returns how the agent is shown, or nothing.",
            as: { .read(.agentDetails) }),
        CommandDeclaration(
            "set_share_menu",
            Parameter<JSONValue>("menu", ShareMenu.scriptType, "As in share_menu_configuration.") { $0 },
            summary: "Changes which files can be sent.", as: { .device(.setShareMenu($0)) }),
        CommandDeclaration(
            "share_menu", returns: .json,
            summary: "Returns which files can be sent: items with their labels, and custom ones.",
            as: { .read(.shareMenu) }),
    ]

    private static let sound = Parameter.record(
        "sound",
        [
            optional(
                "file", .file, "A WAV file with samples of 16 bits, below the project's root."),
            optional("wav", .string, "The bytes of such a file, in base64."),
            optional("frequency", .number, "Of a tone made here, in hertz; 220 unless given."),
            optional("duration", .duration, "Of the tone; 1 second unless given."),
            optional(
                "amplitude", .number, "Of the tone, from 0 (silence) to 1; 0.5 unless given."),
            optional(
                "permission", .boolean, "Whether the microphone may be used; true unless given."),
        ], "What is said.")

    private static let speech: [CommandDeclaration<LivingCommand>] = [
        CommandDeclaration(
            "start_recording", Self.sound.optional,
            summary: "Speaks; `recording_started`, `speech_partial` and `speech_final` follow.",
            as: { .device(.startRecording($0)) }),
        CommandDeclaration(
            "stop_recording", summary: "Ends speaking before the sound ends.",
            as: { .device(.stopRecording) }),
        CommandDeclaration(
            "is_recording", returns: .boolean, summary: "Returns whether a recording goes on.",
            as: { .read(.isRecording) }),
        CommandDeclaration(
            "set_speech_locale", Parameter.string("locale", "Such as en-us."),
            summary: "Changes the language spoken.",
            as: { .device(.setSpeechLocale($0)) }),
        CommandDeclaration(
            "speak", Parameter.string("text", "The words."), summary: "Reads a text aloud.",
            as: { .device(.speak($0)) }),
        CommandDeclaration("stop_speech", summary: "Stops reading aloud.", as: { .device(.stopSpeech) }),
        CommandDeclaration(
            "is_speaking", returns: .boolean,
            summary:
                "Returns whether something is being read aloud: by the server, or by a function of tts_service that has "
                + "not returned.",
            as: { .read(.isSpeaking) }),
        CommandDeclaration(
            "mute", Parameter.boolean("muted", "True unless given.").optional,
            summary: "Mutes or unmutes reading aloud.", as: { .device(.mute($0 ?? true)) }),
    ]

    private static let reading: [CommandDeclaration<LivingCommand>] = [
        CommandDeclaration(
            "screen", returns: .json, summary: "Returns the chat as a view would show it.",
            as: { .read(.screen) }),
        CommandDeclaration(
            "screen_html", returns: .string, summary: "Returns the chat as a fragment of HTML.",
            as: { .read(.screenHTML) }),
        CommandDeclaration(
            "history", returns: .json,
            summary: "Returns the messages as they came over the wire, with dates.",
            as: { .read(.history) }),
        CommandDeclaration(
            "setting", Parameter.string("name", "The vendor's name or the script's."), returns: .json,
            summary: "Returns what a property of the configuration is.", as: { .read(.setting($0)) }),
        CommandDeclaration(
            "string", Parameter.string("key", "The key."),
            Parameter.string("value", "What stands for {0}.").optional,
            returns: .string, summary: "Returns a text of the client.",
            as: { .read(.string($0, value: $1)) }),
        CommandDeclaration(
            "language_menu", returns: .json, summary: "Returns the languages that the menu offers.",
            as: { .read(.languageMenu) }),
        CommandDeclaration(
            "download_url", Parameter.string("url", "The URL of an attachment."), returns: .string,
            summary: "Returns where an attachment is downloaded, with the token if it is protected.",
            as: { .read(.downloadURL($0)) }),
    ]
}
