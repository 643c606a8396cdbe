import JSON
import Machines

/// What a client tells scripts.
enum ClientEventVocabulary {
    private static let button = ScriptType.record([
        parameter("type", .string, "postback, call, url, …."), optional("label", .string, "The words."),
        optional("postback", .json, "What goes back."), optional("url", .string, "The link."),
        optional("phone_number", .string, "The number."), optional("image_url", .string, "The picture."),
        optional("style", .string, "primary, danger or default."),
        optional("display_type", .string, "button, link or icon."),
    ])

    private static let message: [ParameterDeclaration] = [
        parameter("from", .choice(["bot", "agent"]), "Who wrote it."),
        parameter("type", .string, "The type of the payload."),
        optional("text", .string, "The words."),
        optional("header", .string, "The words above."), optional("footer", .string, "The words below."),
        optional("actions", .list(button), "The buttons."),
        optional("global_actions", .list(button), "The buttons of the conversation."),
        optional("layout", .choice(["horizontal", "vertical"]), "How cards lie."),
        optional(
            "cards", .list(.json),
            "The cards: title, description, image_url, media_type, url, actions, channel_extensions."),
        optional("headings", .list(.string), "The heads of a table's columns."),
        optional("rows", .list(.list(.json)), "The values of a table."),
        optional("columns", .list(.json), "The columns: label, alignment, width in percent, channel_extensions."),
        optional(
            "cells", .list(.list(.json)),
            "The cells of a table: type, label, value, link_label, image_url, media_type, alignment, width, action, "
                + "channel_extensions."),
        optional("title", .json, "The title of a table."),
        optional("forms", .list(.json), "Forms to read: title, fields (as cells), actions, channel_extensions."),
        optional("form_columns", .integer, "In how many columns forms stand."),
        optional("show_form_label", .json, "The words that show the form of a row."),
        optional("disclosed_form", .json, "The form that is shown from the start, from 0."),
        optional("footer_form", .json, "The form below."),
        optional("pagination", .json, "total, start, size, current_size, next_size, has_next, has_previous, status."),
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
        optional(
            "form", .json,
            "The form: title, error, fields, and the methods fill, set and submit. Fields have key, type, label, "
                + "required, default, error, options, and what else the message says of them, such as placeholder or "
                + "max_length.")
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
        EventDeclaration(.agentLeft, [optional("name", .string, "The name, if known.")], "The bot speaks again."),
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
                optional("language", .string, "The tag; none for detection."),
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
            .unreadChanged,
            [
                parameter("count", .integer, "How many."),
                optional("title", .string, "The title of the notification, if there is something to tell."),
            ], "The number of unread messages changed."),
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
            .pollLost, [parameter("reason", .string, "Why.")],
            "A long poll failed, and another one follows. The vendor's client says nothing of it; nobody keeps what "
                + "the poll would have brought (defined here)."),
        EventDeclaration(
            .frame,
            [
                parameter("ignored", .string, "Why."),
                optional("problem", .string, "Fields that are not checked, and why their patterns are not."),
            ], "Something came that the vendor's clients ignore, or a form with a pattern that cannot be read."),
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
        EventPattern(.pollLost), EventPattern(.frame, ["ignored": .string(TextStreamPart.late)]),
        EventPattern(.frame, ["ignored": .string(ReceivedMessage.unchecked)]),
    ]
}
