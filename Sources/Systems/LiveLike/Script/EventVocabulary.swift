import JSON
import Machines

/// The events of a member and their fields.
enum EventVocabulary {
    private static let callback = ParameterDeclaration(
        "callback", .string,
        "The vendor's delegate method or, for the answer to a call, the method called; empty if the platform has none.")
    private static let room = ParameterDeclaration("room", .string, "The room's id.")

    private static func event(
        _ kind: EventKind, _ fields: [ParameterDeclaration], _ summary: String
    ) -> EventDeclaration {
        EventDeclaration(kind, fields + [Self.callback], summary)
    }

    private static func field(_ name: String, _ type: ScriptType, _ summary: String) -> ParameterDeclaration {
        ParameterDeclaration(name, type, optional: true, summary)
    }

    /// The fields of a message.
    static let messageFields = [
        Self.room,
        ParameterDeclaration("id", .string, "The message's id, in lower case."),
        ParameterDeclaration("type", .choice(["text", "image", "custom"]), "What it carries."),
        ParameterDeclaration("text", .string, "The text; masked if the message is filtered."),
        Self.field("from", .string, "The sender's nickname, masked if the message is filtered; none if it names none."),
        ParameterDeclaration("sender_id", .string, "The sender's profile id."),
        ParameterDeclaration("mine", .boolean, "Whether it is in this member's name."),
        ParameterDeclaration("timetoken", .string, variesByRun: true, "The publish token; 0 before it is known."),
        Self.field("client_message_id", .string, "The sender's own id of it."),
        Self.field("published_at", .string, "When it was published, ISO 8601."),
        Self.field("avatar", .string, "The sender's avatar."),
        Self.field("image_url", .string, "The image."), Self.field("width", .number, "Pixels."),
        Self.field("height", .number, "Pixels."), Self.field("custom_data", .string, "The data of a custom message."),
        Self.field(
            "quote", .json,
            "The quoted message: `id`, `text`, `from`, `blocked`, of an image `image_url`, `width` and `height`, of a custom "
                + "message `custom_data`."),
        Self.field("parent_id", .string, "The message it replies to."), Self.field("replies", .integer, "How many."),
        Self.field("metadata", .json, "What its sender's application says beside it."),
        Self.field("filters", .list(.string), "Why it was filtered."),
        Self.field(
            "links", .list(.json), "`start` and `stop` in bytes from one, as string.sub takes them, and `text`."),
        Self.field("stickers", .list(.string), "The shortcodes in the text."),
        Self.field("big_sticker", .boolean, "True if the text is one sticker."),
        Self.field("reactions", .list(.json), "`id` and `by`."),
        Self.field("deleted", .boolean, "True for a placeholder."),
        Self.field("failed", .boolean, "True if it was not sent."),
    ]

    private static let roomInfo = [
        Self.room, ParameterDeclaration("title", .string, "The title."),
        ParameterDeclaration("visibility", .string, "`everyone` or `members`."),
        ParameterDeclaration("content_filter", .string, "The kind of filter."),
        Self.field("custom_data", .string, "Any text."),
    ]

    static let events = [
        Self.event(
            .sessionCreated,
            [
                ParameterDeclaration("profile_id", .string, "The profile."),
                ParameterDeclaration("nickname", .string, "Its name."),
                ParameterDeclaration("access_token", .string, "What restores the session later."),
                ParameterDeclaration("restored", .boolean, "Whether the profile was there before."),
            ], "The profile is known."),
        Self.event(
            .connected, Self.roomInfo + [ParameterDeclaration("messages", .integer, "How many are loaded.")],
            "A room is connected and its first page of history loaded."),
        Self.event(
            .disconnected,
            [Self.field("room", .string, "The room that the script left."), Self.field("reason", .string, "Why.")],
            "The script left a room, or the subscribe loop lost the carrier."),
        Self.event(
            .reconnecting,
            [
                ParameterDeclaration("attempt", .integer, "Which try comes next."),
                ParameterDeclaration("in", .number, "When, in seconds."),
            ], "The subscribe loop will try again."),
        Self.event(
            .reconnected, [ParameterDeclaration("channels", .integer, "How many channels it listens to.")],
            "The subscribe loop is back; what was missed follows."),
        Self.event(
            .message,
            Self.messageFields + [
                Self.field(
                    "echo", .boolean,
                    "True if this client sent it; a message in the member's name without it came from elsewhere.")
            ], "A message, an own one included."),
        Self.event(
            .messageSent,
            [
                Self.room, ParameterDeclaration("id", .string, "The server's id."),
                ParameterDeclaration("type", .string, "What it carries."),
                Self.field("client_message_id", .string, "The own id."), Self.field("text", .string, "The text."),
                Self.field("image_url", .string, "The image."), Self.field("custom_data", .string, "The data."),
                Self.field("from", .string, "The own nickname."),
                Self.field("sender_id", .string, "The own profile id."),
                Self.field("published_at", .string, "When it was published, ISO 8601."),
            ], "The server took a message."),
        Self.event(
            .messageUpdated,
            Self.messageFields + [
                ParameterDeclaration("reaction", .string, "The reaction's id."),
                ParameterDeclaration("added", .boolean, "Whether it came or went."),
                ParameterDeclaration("by_id", .string, "Whose it is."),
            ], "A reaction came or went."),
        Self.event(
            .messageDeleted, [Self.room, ParameterDeclaration("id", .string, "The message's id.")],
            "A message was deleted; a placeholder stays in the list."),
        Self.event(
            .history,
            [
                Self.room, ParameterDeclaration("initial", .boolean, "Whether this page belongs to connecting."),
                ParameterDeclaration("end", .boolean, "Whether there is nothing older."),
                ParameterDeclaration("count", .integer, "How many messages it brought."),
                ParameterDeclaration("messages", .list(.json), "They, oldest first."),
            ], "A page of history was loaded."),
        Self.event(
            .attachmentUploaded, [Self.room, ParameterDeclaration("url", .string, "Where the image is.")],
            "An image was uploaded; its message follows."),
        Self.event(.roomUpdated, Self.roomInfo, "A room changed."),
        Self.event(
            .messagePinned, [Self.room, ParameterDeclaration("pin", .json, "PinMessageInfo.")], "A pin was set."),
        Self.event(
            .messageUnpinned, [Self.room, ParameterDeclaration("pin_id", .string, "The pin's id.")],
            "A pin was taken away."),
        Self.event(
            .memberAdded,
            [
                Self.room, Self.field("title", .string, "The room's title, if it has one."),
                Self.field("by", .string, "The nickname of who added this member, if there is one."),
                ParameterDeclaration("by_id", .string, "That profile."),
            ], "Someone made this member a member of a room."),
        Self.event(
            .invitation,
            [
                Self.room, ParameterDeclaration("id", .string, "The invitation's id."),
                ParameterDeclaration("status", .string, "`pending`."),
                Self.field("by", .string, "The nickname of who invites, if there is one."),
            ], "Someone invites this member."),
        Self.event(
            .profileBlocked, [ParameterDeclaration("profile_id", .string, "Who.")], "The service confirmed a block."),
        Self.event(
            .profileUnblocked, [ParameterDeclaration("profile_id", .string, "Who.")], "The service ended a block."),
        Self.event(
            .completed, [Self.field("room", .string, "The room."), Self.field("value", .json, "What was asked for.")],
            "A call was answered; `callback` names it."),
        Self.event(
            .frame, [ParameterDeclaration("ignored", .string, "Why."), Self.field("room", .string, "The room.")],
            "Something came that the vendor's SDKs ignore."),
        Self.event(
            .error,
            [
                ParameterDeclaration("code", .string, "The SDK's name of the error."),
                ParameterDeclaration("message", .string, "What happened and what to do."),
                Self.field("status", .integer, "The HTTP status."), Self.field("room", .string, "The room."),
                Self.field("client_message_id", .string, "The message that was not sent."),
                Self.field("id", .string, "The message it is about."),
            ],
            "A call or the connection failed, or something came that cannot be read or is not for this member."),
    ]

    /// What a scenario need not expect: the steps of connecting, and what its own sending causes.
    static let noise = [
        EventPattern(.sessionCreated), EventPattern(.history, ["initial": true]),
        EventPattern(.message, ["mine": true, "echo": true]), EventPattern(.messageSent),
        EventPattern(.attachmentUploaded),
        EventPattern(.completed), EventPattern(.frame), EventPattern(.profileBlocked), EventPattern(.profileUnblocked),
        EventPattern(.disconnected, ["reason": "unsubscribed"]),
    ]

    /// What the product lacks (vendor's *Chat* page), by the events that tell of it elsewhere.
    static let absences: [EventKind: String] = Dictionary(
        [
            ("typing", [.typing, .typingSent]), ("fill_form", [.form, .formInvalid, .formSubmitted, .preChat]),
            ("rate_agent", [.postChat]), ("queue_position", [.queue, .accepted, .agentJoined, .agentLeft]),
            ("end_chat", [.ended, .chatEnded]), ("transcript", [.transcriptRequested]),
            ("read_receipt", [.unreadChanged]),
        ].flatMap { method, kinds in
            (kinds as [EventKind]).map { ($0, "LiveLike has no \(MemberVocabulary.absentFeatures[method] ?? method)") }
        }, uniquingKeysWith: { first, _ in first })
}
