import Machines

/// What scripts can ask of a client.
extension ClientVocabulary {
    /// The methods of an actor.
    static let methods: [MethodDeclaration] = life + conversation + view + speech + reading

    private static let life = [
        MethodDeclaration(
            "initialize", [], "Starts the client and connects; the only method that works after destroy."),
        MethodDeclaration(
            "connect", [optional("options", .map(.json), "Another channel_id, user_id, url or source of tokens.")],
            "Connects, starting the client first if need be; `connected`, or `disconnected` and `error`, follow."),
        MethodDeclaration("disconnect", [], "Closes the connection and stops speech and uploads."),
        MethodDeclaration("destroy", [], "Disconnects and ends the life of the client; `destroyed` follows."),
        MethodDeclaration("go_offline", [], "Does what a device does that loses its network."),
        MethodDeclaration("go_online", [], "Does what a device does that gets its network back: it connects."),
        MethodDeclaration("end_chat", [], "Ends the conversation; `before_end`, then `ended` follow."),
        MethodDeclaration(
            "close_chat", [optional("confirm", .boolean, "Whether the user confirms; true unless given.")],
            returns: .json, "Taps the button that ends the conversation and returns the words of the prompt."),
    ]

    private static let conversation = [
        MethodDeclaration("say", [parameter("text", .string, "The words.")], sends: "text", "Sends a text."),
        MethodDeclaration(
            "send", [parameter("message", .json, "A text, a payload, a whole message or a profile.")],
            "Sends what a script made itself, after the checks of the vendor's clients."),
        MethodDeclaration(
            "tap",
            [
                parameter("label", .string, "The words on the button."),
                optional(
                    "options",
                    .record([
                        optional("card", .string, "The title of the card on which it stands."),
                        optional("number", .integer, "The number of the message to which it belongs."),
                    ]), "Which of several buttons with the same words."),
            ],
            "Taps a button of a message; a failure if it is not there or cannot be used any more, an error if several are meant."
        ),
        MethodDeclaration(
            "rate", [parameter("stars", .integer, "How many, from 1.")], returns: .string,
            "Taps a star of the latest rating and returns what a screen reader says."),
        MethodDeclaration(
            "submit_form",
            [
                parameter("values", .map(.json), "The values by the keys of the fields; defaults need not be named."),
                optional("number", .integer, "The number of the message; the latest form unless given."),
            ], "Checks and submits a form; `form_submitted` or `form_invalid` follows."),
        MethodDeclaration(
            "change_field",
            [parameter("key", .string, "The key of the field."), parameter("value", .json, "The value.")],
            "Enters one value of the latest form; a field that submits itself does so."),
        MethodDeclaration(
            "upload",
            [
                parameter(
                    "file",
                    .record([
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
                    ]), "The file.")
            ], returns: .string, "Uploads a file and sends it; returns the words shown meanwhile."),
        MethodDeclaration(
            "send_location",
            [
                parameter("latitude", .number, "Degrees north."), parameter("longitude", .number, "Degrees east."),
                optional("title", .string, "What the place is called."),
            ], "Sends a place."),
        MethodDeclaration(
            "send_event",
            [
                parameter("type", .string, "The type."), optional("version", .string, "The version; 1.0 unless given."),
                optional("data", .json, "What it says."), optional("context", .json, "Its properties."),
            ], "Sends an event to the skill; it is no turn of the user."),
        MethodDeclaration(
            "update_context",
            [
                parameter("context", .string, "The context."),
                optional("more", .map(.json), "Other members of the command, such as parameters or reset."),
            ], "Tells the skill where in an application the user is."),
        MethodDeclaration(
            "set_profile", [parameter("profile", .map(.json), "The profile.")], "Sends news of the user."),
        MethodDeclaration(
            "enter_text", [parameter("text", .string, "All that stands in the input field now.")],
            "Types; an agent is told of it if the configuration says so."),
        MethodDeclaration(
            "send_typing_status",
            [
                parameter("active", .boolean, "Whether the user types."),
                optional("text", .string, "What the user has typed; ... unless given."),
            ], "Tells the server whether the user types, at once and in any case."),
        MethodDeclaration("suggest", [parameter("query", .string, "What to complete.")], "Asks for completions."),
        MethodDeclaration("cancel_response", [], "Drops the answers to the last message (enable_cancel_response)."),
        MethodDeclaration(
            "set_language",
            [optional("language", .string, "A language tag; und or nothing for detection.")],
            "Changes the language and begins the conversation anew; `language_changed` follows."),
    ]

    private static let view = [
        MethodDeclaration(
            "open_chat", [],
            "Opens the chat view: everything is read, first messages are sent; after an end another session begins."),
        MethodDeclaration("minimize_chat", [], "Closes the chat view without ending anything; messages become unread."),
        MethodDeclaration("mark_all_read", [], "Sets the number of unread messages to 0."),
        MethodDeclaration("clear_messages", [], "Taps the button that clears the messages (enable_clear_message)."),
        MethodDeclaration(
            "clear_history", [optional("view", .boolean, "Whether the view is cleared too; true unless given.")],
            "Forgets the messages that were kept."),
        MethodDeclaration(
            "open_link",
            [
                parameter("url", .string, "The link."),
                optional("fails", .boolean, "Whether the page is one that a webview cannot show."),
            ], "Taps a link; `link_opened` follows."),
        MethodDeclaration("close_link", [], "Taps the close button of a page that is open within the chat."),
        MethodDeclaration(
            "set_place",
            [
                optional("latitude", .number, "Degrees north."), optional("longitude", .number, "Degrees east."),
                optional("obstacle", .choice(["denied", "disabled"]), "Why the device does not tell where it is."),
            ], "Says where the device is, for buttons that ask for it."),
        MethodDeclaration(
            "set_person_avatar", [parameter("avatar", .string, "An asset or a URL.")], "Changes the user's picture."),
        MethodDeclaration(
            "set_agent_details",
            [
                parameter(
                    "details", .map(.string),
                    "name, avatar_image, name_text_color, avatar_text_color, avatar_background_color.")
            ], "Sets how agents are shown, whatever the server says."),
        MethodDeclaration("get_agent_details", [], returns: .json, "Returns how the agent is shown, or nothing."),
        MethodDeclaration(
            "set_share_menu", [parameter("menu", .json, "items and custom, as in share_menu_configuration.")],
            "Changes which files can be sent."),
        MethodDeclaration(
            "share_menu", [], returns: .json,
            "Returns which files can be sent: items with their labels, and custom ones."),
    ]

    private static let speech = [
        MethodDeclaration(
            "start_recording",
            [
                optional(
                    "sound",
                    .record([
                        optional("file", .file, "A WAV file with samples of 16 bits, below the project's root."),
                        optional("wav", .string, "The bytes of such a file, in base64."),
                        optional("frequency", .number, "Of a tone made here, in hertz; 220 unless given."),
                        optional("duration", .duration, "Of the tone; 1 second unless given."),
                        optional("amplitude", .number, "Of the tone, from 0 (silence) to 1; 0.5 unless given."),
                        optional("permission", .boolean, "Whether the microphone may be used; true unless given."),
                    ]), "What is said.")
            ], "Speaks; `recording_started`, `speech_partial` and `speech_final` follow."),
        MethodDeclaration("stop_recording", [], "Ends speaking before the sound ends."),
        MethodDeclaration("is_recording", [], returns: .boolean, "Returns whether a recording goes on."),
        MethodDeclaration(
            "set_speech_locale", [parameter("locale", .string, "Such as en-us.")], "Changes the language spoken."),
        MethodDeclaration("speak", [parameter("text", .string, "The words.")], "Reads a text aloud."),
        MethodDeclaration("stop_speech", [], "Stops reading aloud."),
        MethodDeclaration("is_speaking", [], returns: .boolean, "Returns whether something is being read aloud."),
        MethodDeclaration(
            "mute", [optional("muted", .boolean, "True unless given.")], "Mutes or unmutes reading aloud."),
    ]

    private static let reading = [
        MethodDeclaration("screen", [], returns: .json, "Returns the chat as a view would show it."),
        MethodDeclaration("screen_html", [], returns: .string, "Returns the chat as a fragment of HTML."),
        MethodDeclaration(
            "history", [], returns: .json, "Returns the messages as they came over the wire, with dates."),
        MethodDeclaration(
            "setting", [parameter("name", .string, "The vendor's name or the script's.")], returns: .json,
            "Returns what a property of the configuration is."),
        MethodDeclaration(
            "string",
            [parameter("key", .string, "The key."), optional("value", .string, "What stands for {0}.")],
            returns: .string, "Returns a text of the client."),
        MethodDeclaration("language_menu", [], returns: .json, "Returns the languages that the menu offers."),
        MethodDeclaration(
            "download_url", [parameter("url", .string, "The URL of an attachment.")], returns: .string,
            "Returns where an attachment is downloaded, with the token if it is protected."),
    ]
}
