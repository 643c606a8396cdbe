import ChatCore
import JSON

/// What scripts can say to a client and what a client tells them.
enum ClientVocabulary {
    private static func parameter(_ name: String, _ type: ScriptType, _ summary: String) -> ParameterDeclaration {
        ParameterDeclaration(name, type, summary)
    }

    private static func optional(_ name: String, _ type: ScriptType, _ summary: String) -> ParameterDeclaration {
        ParameterDeclaration(name, type, optional: true, summary)
    }

    // MARK: Options

    private static let tokenFixture = ScriptType.record([
        optional("secret", .string, "The channel's secret key; the target's unless given."),
        optional("user_id", .string, "The claim userId; the client's user unless given."),
        optional("channel_id", .string, "The claim channelId; the client's channel unless given."),
        optional("lifetime", .duration, "How long the token lives; 30 minutes unless given."),
        optional("claims", .map(.json), "Claims to set or replace."),
    ])

    /// The options of an actor.
    static let options: [ParameterDeclaration] =
        (NetworkProperties.all + FeatureFlags.all).flatMap { setting in
            setting.name == "ttsService" ? [ttsService] : setting.parameters
        } + [
            optional("token_provider", .function, "Returns a token; called whenever a new one is needed."),
            optional(
                "token_fixture", tokenFixture,
                "Lets the client itself make tokens from the channel's secret, which only a test may do."),
            optional(
                "before_display", .function,
                "Gets each message of the server before it is shown; returns it, a changed one, or nil to drop it."),
            optional(
                "before_send", .function,
                "Gets each message of the user before it is sent; returns it, a changed one, or nil to drop it."),
            optional(
                "before_send_postback", .function,
                "Gets each tapped action before it is sent; returns it, a changed one, or nil to drop it."),
            optional(
                "before_end_conversation", .function,
                "Called before the conversation ends; nil or false keeps it going."),
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
            optional("is_speaking", .function, "Tells whether something is being read; asked before the user speaks."),
        ]), "Functions that read aloud in place of the client.")

    // MARK: Methods

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
        MethodDeclaration("say", [parameter("text", .string, "The words.")], "Sends a text."),
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
            ], "Taps a button of a message; an error if it is not there or cannot be used any more."),
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

    // MARK: Events

    private static let button = ScriptType.record([
        parameter("type", .string, "postback, call, url, …."), optional("label", .string, "The words."),
        optional("postback", .json, "What goes back."), optional("url", .string, "The link."),
        optional("phone_number", .string, "The number."), optional("image_url", .string, "The picture."),
    ])

    private static let message: [ParameterDeclaration] = [
        parameter("from", .choice(["bot", "agent"]), "Who wrote it."),
        parameter("type", .string, "The type of the payload."),
        optional("text", .string, "The words."),
        optional("header", .string, "The words above."), optional("footer", .string, "The words below."),
        optional("actions", .list(button), "The buttons."),
        optional("global_actions", .list(button), "The buttons of the conversation."),
        optional("layout", .choice(["horizontal", "vertical"]), "How cards lie."),
        optional("cards", .list(.json), "The cards: title, description, image_url, url, actions."),
        optional("headings", .list(.string), "The heads of a table's columns."),
        optional("rows", .list(.list(.json)), "The values of a table."),
        optional("title", .json, "The title of a table."),
        optional("forms", .list(.json), "Forms to read: title, fields, actions."),
        optional("form_columns", .integer, "In how many columns forms stand."),
        optional("show_form_label", .json, "The words that show the form of a row."),
        optional("disclosed_form", .json, "The form that is shown from the start, from 0."),
        optional("footer_form", .json, "The form below."),
        optional("pagination", .json, "total, start, size, has_next, has_previous, status."),
        optional("attachment", .json, "type, url, title, media_type."),
        optional("location", .json, "latitude, longitude, title, url."),
        optional("payload", .json, "The payload of a raw message."),
        optional("rating", .boolean, "Whether its buttons are stars."),
        optional("popup", .boolean, "Whether it stands in a popup."),
        optional("agent", .string, "The name of the agent."),
        optional("number", .integer, "Its number on the screen."), optional("id", .string, "The server's number."),
        optional("thread", .string, "The thread."),
        optional("end_of_turn", .boolean, "Whether the skill has said all."),
        optional("label", .string, "What a screen reader says."),
        optional("timestamp", .string, "When it came, in words."),
        optional("timestamp_header", .string, "The time above the first message of a day."),
    ]

    private static let form = [
        optional("form", .json, "The form: title, error, fields, and the methods fill, set and submit.")
    ]

    /// What a client emits.
    static let events: [EventDeclaration] = [
        EventDeclaration(.initialized, [], "The client was started (onInitialize)."),
        EventDeclaration(.destroyed, [], "The client has ended (onDestroy)."),
        EventDeclaration(
            .linkChanged,
            [
                parameter("status", .choice(ConnectionStatus.allCases.map(\.rawValue)), "The state."),
                parameter("code", .integer, "Its number in web clients, from 0."),
                parameter("label", .string, "Its words in the header."),
            ], "The state of the connection changed (onStatusChange)."),
        EventDeclaration(
            .connected,
            [
                parameter("user_id", .string, "The user."),
                optional("polling", .boolean, "Whether requests take the place of a WebSocket."),
                optional("already", .boolean, "Whether it was open before."),
            ], "The conversation can begin."),
        EventDeclaration(.reconnecting, [parameter("reason", .string, "What happened.")], "The connection dropped."),
        EventDeclaration(
            .reconnected,
            [
                parameter("user_id", .string, "The user."),
                parameter("polling", .boolean, "Whether requests take the place of a WebSocket."),
            ], "The connection is open again."),
        EventDeclaration(
            .disconnected,
            [
                parameter("reason", .string, "ConnectionExplicitClose, NetworkFailure or a code of authentication."),
                parameter("message", .string, "What happened."),
                optional("banner", .string, "The words shown when no try is left."),
                optional("retry", .string, "The words on the button to try again."),
            ], "The connection is closed for good."),
        EventDeclaration(
            .error,
            [
                parameter("code", .string, "The vendor's code, or one defined here."),
                parameter("message", .string, "What happened, or the words shown."),
                optional("banner", .string, "The words shown."), optional("detail", .string, "What lies behind."),
                optional("title", .string, "The title of the alert."), optional("name", .string, "The file."),
                optional("status", .integer, "The HTTP status."),
            ], "Something that the vendor's client reports as an error."),
        EventDeclaration(.message, message, "A message is shown (onReceiveMessage)."),
        EventDeclaration(.form, message + form, "A form to fill in is shown."),
        EventDeclaration(.preChat, message + form, "A form that stands for the pre-chat form is shown."),
        EventDeclaration(
            .queue, message + form + [optional("position", .integer, "The place, from 1.")],
            "A text that tells of the queue is shown."),
        EventDeclaration(.unavailable, message + form, "A text or form that tells that nobody is there is shown."),
        EventDeclaration(.postChat, message + form, "A rating or form that stands for the survey is shown."),
        EventDeclaration(
            .messageUpdated,
            [
                parameter("state", .choice(["start", "running", "end"]), "Where in the text the piece stands."),
                parameter("text", .string, "All of the text so far."), optional("piece", .string, "The piece."),
                optional("id", .string, "The number of the text."),
            ], "A piece of a text that is being written came; the whole text becomes a `message`."),
        EventDeclaration(
            .messageSent,
            [
                parameter("type", .string, "The type of the payload."),
                optional("text", .string, "The words."), optional("postback", .json, "What went back."),
                optional("attachment", .json, "The file."), optional("location", .json, "The place."),
                parameter("hidden", .boolean, "Whether it is not shown."),
                optional("number", .integer, "Its number on the screen."),
            ], "A message of the user went out."),
        EventDeclaration(
            .formSubmitted,
            [
                parameter("type", .string, "The type of the payload."), optional("values", .json, "The values."),
                parameter("hidden", .boolean, "Always true."),
            ], "A form went out."),
        EventDeclaration(
            .formInvalid,
            [
                parameter("keys", .list(.string), "The fields."),
                parameter("problems", .list(.json), "key, reason and message of each."),
                parameter("number", .integer, "The number of the message."),
            ], "A form was not sent, for its values are not taken."),
        EventDeclaration(
            .autoMessage,
            [
                parameter("type", .choice(["greeting", "wait", "sorry"]), "Which."),
                parameter("text", .string, "The words."),
            ], "The client says something in place of a silent skill."),
        EventDeclaration(
            .typing,
            [
                parameter("active", .boolean, "Whether the indicator shows."),
                parameter("person", .json, "type (bot or agent) and name."),
            ], "The indicator of an awaited answer came or went."),
        EventDeclaration(
            .typingSent,
            [parameter("active", .boolean, "Whether the user types."), parameter("text", .string, "The text sent.")],
            "The server was told that the user types or has stopped."),
        EventDeclaration(
            .agentJoined, [parameter("agent", .json, "The details.")], "An agent wrote for the first time."),
        EventDeclaration(.agentLeft, [parameter("name", .json, "The name, if known.")], "The bot speaks again."),
        EventDeclaration(
            .attachmentUploaded,
            [
                parameter("name", .string, "The file."), parameter("url", .string, "Where it is."),
                parameter("type", .string, "audio, file, image or video."),
                parameter("media_type", .string, "The MIME type."), parameter("size", .integer, "In bytes."),
            ], "A file was uploaded (onUploadAttachment)."),
        EventDeclaration(
            .languageChanged,
            [
                parameter("language", .json, "The tag, or nothing for detection."),
                parameter("label", .string, "Its words."),
            ],
            "The language changed (onChatLanguageChange)."),
        EventDeclaration(.beforeEnd, [], "The conversation is about to end (beforeEndConversation)."),
        EventDeclaration(
            .ended, [parameter("reason", .choice(["user", "server"]), "Who ended it.")],
            "The session has ended (chatEnd)."),
        EventDeclaration(
            .history,
            [parameter("messages", .list(.json), "The messages."), parameter("count", .integer, "How many.")],
            "Messages of an earlier session are shown again."),
        EventDeclaration(.suggestions, [parameter("texts", .list(.string), "Up to five.")], "Completions came."),
        EventDeclaration(
            .command,
            [
                parameter("command", .string, "The order."), optional("properties", .json, "Its properties."),
                optional("action", .string, "What to do."), optional("application", .string, "The application."),
                optional("page", .string, "The page."), optional("parameters", .json, "The parameters."),
                optional("info_types", .list(.string), "Which data."),
            ], "The skill gave an order."),
        EventDeclaration(
            .skillEvent,
            [
                parameter("type", .string, "The type."), parameter("version", .string, "The version."),
                parameter("data", .json, "What it says."),
            ], "The skill sent an event."),
        EventDeclaration(
            .actionPerformed,
            [
                parameter("type", .choice(["call", "share", "client"]), "What the tap did."),
                optional("phone_number", .string, "The number."), optional("name", .string, "The client's action."),
            ], "A tapped button did something on the device."),
        EventDeclaration(
            .linkOpened,
            [
                parameter("url", .string, "The link."),
                parameter("handler", .choice(["browser", "webview"]), "Where."),
                optional("size", .string, "The size of the webview."), optional("title", .string, "Its title."),
                optional("close", .string, "The words on its close button."),
                optional("title_label", .string, "What a screen reader says of the title."),
                optional("close_label", .string, "What a screen reader says of the button."),
            ], "A link was opened."),
        EventDeclaration(
            .unreadChanged, [parameter("count", .integer, "How many.")], "The number of unread messages changed."),
        EventDeclaration(
            .timestampChanged, [parameter("text", .string, "The words."), parameter("age", .number, "In seconds.")],
            "The words for the age of the latest message changed."),
        EventDeclaration(
            .recordingStarted,
            [parameter("locale", .string, "The language."), parameter("prompt", .string, "The words shown.")],
            "The recognition listens."),
        EventDeclaration(
            .recordingStopped, [parameter("reason", .choice(["recognized", "failed"]), "Why.")], "The recording ended."),
        EventDeclaration(
            .speechLevel,
            [
                parameter("level", .number, "From 0 to 1."),
                parameter("verdict", .choice(["too_soft", "good", "too_loud"]), "What the visualizer shows."),
            ], "How loud the user speaks (onAudioReceived)."),
        EventDeclaration(.speechPartial, [parameter("text", .string, "The words.")], "Words were recognized so far."),
        EventDeclaration(
            .speechFinal,
            [
                parameter("text", .string, "The words."), parameter("sent", .boolean, "Whether they are sent at once."),
                optional("request_id", .string, "The recognition's number."),
            ], "The words were recognized."),
        EventDeclaration(
            .speechSpoken,
            [
                parameter("text", .string, "The words."),
                parameter("service", .choice(["server", "script"]), "By whom."),
                optional("voice", .string, "The voice."), optional("language", .string, "Its language."),
                optional("size", .integer, "The bytes of sound."),
            ], "A text was read aloud."),
        EventDeclaration(.speechStopped, [], "Reading aloud was stopped."),
        EventDeclaration(
            .frame, [parameter("ignored", .string, "Why.")], "Something came that the vendor's clients ignore."),
    ]

    /// What a scenario need not expect.
    static let noise: [EventPattern] = [
        EventPattern(.initialized), EventPattern(.destroyed), EventPattern(.linkChanged), EventPattern(.connected),
        EventPattern(.reconnected),
        EventPattern(.disconnected, ["reason": "ConnectionExplicitClose"]), EventPattern(.messageSent),
        EventPattern(.formSubmitted), EventPattern(.messageUpdated), EventPattern(.typing), EventPattern(.typingSent),
        EventPattern(.agentJoined), EventPattern(.agentLeft), EventPattern(.attachmentUploaded),
        EventPattern(.languageChanged), EventPattern(.beforeEnd), EventPattern(.history), EventPattern(.command),
        EventPattern(.actionPerformed), EventPattern(.linkOpened), EventPattern(.unreadChanged),
        EventPattern(.timestampChanged), EventPattern(.recordingStarted),
        EventPattern(.recordingStopped, ["reason": "recognized"]), EventPattern(.speechLevel),
        EventPattern(.speechPartial), EventPattern(.speechSpoken), EventPattern(.speechStopped),
    ]
}
