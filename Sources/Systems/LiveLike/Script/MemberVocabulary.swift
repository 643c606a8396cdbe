import JSON
import Machines

/// What scripts can say to a member of rooms.
enum MemberVocabulary {
    private static let room = ParameterDeclaration(
        "room", .string, optional: true, "The id of a connected room; the only or configured one unless given.")
    private static let messageID = ParameterDeclaration("id", .string, "The id of a message.")
    private static let time = ParameterDeclaration(
        "program_date_time", .string, optional: true, "The play head of the sender, ISO 8601.")
    private static let page = ParameterDeclaration(
        "page", .choice(["first", "next", "previous"]), optional: true, "Which page; first unless given.")

    /// The options of a member; names in the vendor's spelling where the vendor has them.
    static let options = [
        ParameterDeclaration("roomID", .string, optional: true, "The room that connect takes unless told otherwise."),
        ParameterDeclaration("roomId", .string, optional: true, "The same; the vendor's page spells it both ways."),
        ParameterDeclaration(
            "enableChatMessageURLs", .boolean, optional: true,
            "Whether links are marked; true on iOS and false on Android unless given."),
        ParameterDeclaration(
            "chatMessageUrlPatterns", .string, optional: true,
            "A regular expression that replaces the default link detector; none unless given."),
        ParameterDeclaration(
            "includeFilteredChatMessages", .boolean, optional: true,
            "Whether filtered messages come in their masked form; false unless given."),
        ParameterDeclaration(
            "allowDiscardOwnPublishedMessageInSubscription", .boolean, optional: true,
            "Whether the echo of an own message is silent; true unless given."),
        ParameterDeclaration(
            "shouldDisplayAvatar", .boolean, optional: true, "Whether messages carry the avatar; false unless given."),
        ParameterDeclaration("avatarURL", .string, optional: true, "The avatar's URL."),
        ParameterDeclaration(
            "echo_own", .boolean, optional: true,
            "Whether sending raises the new-message callback at once; true unless given."),
        ParameterDeclaration(
            "platform", .choice(Platform.allCases.map(\.rawValue)), optional: true,
            "Whose SDK the member behaves like; ios unless given."),
        ParameterDeclaration(
            "carriage", .choice(["rest", "pubnub"]), optional: true,
            "Whether messages go to the service or straight to the message carrier; rest unless given."),
        ParameterDeclaration("client_id", .string, optional: true, "The application; repartee unless given."),
        ParameterDeclaration(
            "access_token", .string, optional: true, "The token of an earlier session; a new profile is made without."),
        ParameterDeclaration("nickname", .string, optional: true, "The display name, 1 to 20 characters."),
        ParameterDeclaration(
            "page_size", .integer, optional: true, "Messages per page of history, at most 25; 25 unless given."),
        ParameterDeclaration(
            "retry", .choice(["linear", "exponential"]), optional: true,
            "How the pauses of the subscribe loop grow; linear on iOS, exponential on Android unless given."),
        ParameterDeclaration(
            "retry_interval", .duration, optional: true, "The pause of the linear kind; 3 s unless given."),
        ParameterDeclaration(
            "message_limit", .integer, optional: true, "Messages kept per room; 5000 unless given."),
        ParameterDeclaration(
            "raw", .boolean, optional: true,
            "Whether events carry their wire form; false saves memory in rooms of many members. True unless given."),
    ]

    static let methods =
        Self.life + Self.sending + Self.reading + Self.messageCalls + Self.people + Self.lookups + Self.absent

    private static let life = [
        MethodDeclaration(
            "connect",
            [ParameterDeclaration("room", .string, optional: true, "The id; the option roomID unless given.")],
            "Connects to a room; `connected` or `error` follows."),
        MethodDeclaration("disconnect", [Self.room], "Ends the session object of a room, and so its connection."),
        MethodDeclaration(
            "set_display_name", [ParameterDeclaration("name", .string, "1 to 20 characters.")],
            "Changes the nickname; `completed` or `error` follows."),
        MethodDeclaration(
            "set_avatar", [ParameterDeclaration("url", .string, "The URL."), Self.room],
            "Sets the avatar of later messages."),
        MethodDeclaration(
            "set_play_head",
            [
                ParameterDeclaration(
                    "time", .string, optional: true, "Where the video is, ISO 8601; none ends the sync.")
            ],
            "Starts the spoiler-free mode: messages ahead of the play head wait until it reaches them."),
    ]

    private static let sending = [
        MethodDeclaration(
            "say", [ParameterDeclaration("text", .string, "The text; stickers as :shortcode:."), Self.room, Self.time],
            returns: .string, sends: "text",
            "Sends a text; returns the client message id, `message_sent` or `error` follows."),
        MethodDeclaration(
            "send_image",
            [
                ParameterDeclaration("url", .string, optional: true, "The URL of the image."),
                ParameterDeclaration("data", .string, optional: true, "The bytes in base64, to be uploaded first."),
                ParameterDeclaration("width", .integer, optional: true, "Pixels; 100 unless given."),
                ParameterDeclaration("height", .integer, optional: true, "Pixels; 100 unless given."), Self.room,
            ], returns: .string, "Sends an image by URL or by its bytes."),
        MethodDeclaration(
            "send_custom",
            [ParameterDeclaration("data", .string, "Any text, mostly JSON as text."), Self.room, Self.time],
            "Sends a custom message."),
        MethodDeclaration(
            "quote", [Self.messageID, ParameterDeclaration("text", .string, "The text."), Self.room],
            returns: .string, sends: "text", "Sends a text that quotes a message."),
        MethodDeclaration(
            "reply", [Self.messageID, ParameterDeclaration("text", .string, "The text."), Self.room],
            returns: .string, sends: "text", "Sends a text into the thread of a message."),
    ]

    private static let reading = [
        MethodDeclaration("messages", [Self.room], returns: .list(.json), "Returns the message list, oldest first."),
        MethodDeclaration(
            "message", [Self.messageID, Self.room], returns: .json, "Returns a message by its id, or nil."),
        MethodDeclaration("load_next_history", [Self.room], "Loads the next older page; `history` or `error` follows."),
        MethodDeclaration(
            "get_messages", [ParameterDeclaration("since", .string, "A time token; not included."), Self.room],
            "Asks for up to 100 messages after a token; `completed` follows."),
        MethodDeclaration(
            "get_message_count", [ParameterDeclaration("since", .string, "A time token; not included."), Self.room],
            "Counts the messages after a token as the iOS SDK does; `completed` follows."),
        MethodDeclaration(
            "message_count",
            [
                ParameterDeclaration("since", .string, optional: true, "ISO 8601; not included."),
                ParameterDeclaration("until", .string, optional: true, "ISO 8601; not included."), Self.room,
            ], "Asks the service to count; `completed` follows."),
        MethodDeclaration("get_replies", [Self.messageID, Self.room], "Asks for a thread; `completed` follows."),
    ]

    private static let messageCalls = [
        MethodDeclaration(
            "react", [Self.messageID, ParameterDeclaration("reaction", .string, "The reaction's id."), Self.room],
            "Reacts, in place of an own reaction before; `message_updated` follows."),
        MethodDeclaration("unreact", [Self.messageID, Self.room], "Takes the own reaction back."),
        MethodDeclaration("delete_message", [Self.messageID, Self.room], "Deletes a message."),
        MethodDeclaration("report_message", [Self.messageID, Self.room], "Reports a message to the moderators."),
        MethodDeclaration("pin", [Self.messageID, Self.room], "Pins a message; for the room's creator."),
        MethodDeclaration(
            "unpin", [ParameterDeclaration("pin", .string, "The id of the pin."), Self.room], "Takes a pin away."),
        MethodDeclaration(
            "pinned_messages",
            [
                ParameterDeclaration(
                    "ordering", .choice(["pinned_at", "-pinned_at"]), optional: true,
                    "The order; pinned_at unless given."
                ), Self.room,
            ], "Asks for the pins."),
    ]

    private static let people = [
        MethodDeclaration(
            "block", [ParameterDeclaration("profile", .string, "A profile id.")], "Hides what that member sends."),
        MethodDeclaration("unblock", [ParameterDeclaration("profile", .string, "A profile id.")], "Ends a block."),
        MethodDeclaration("blocked", [], returns: .list(.string), "Returns the ids of the blocked profiles."),
        MethodDeclaration("muted_status", [Self.room], "Asks whether this member is muted; `completed` follows."),
        MethodDeclaration("members", [Self.room, Self.page], "Asks for a page of the members."),
        MethodDeclaration("my_rooms", [Self.page], "Asks for a page of the rooms this member belongs to."),
        MethodDeclaration("join", [Self.room], "Becomes a member; connecting and sending need no membership."),
        MethodDeclaration("leave", [Self.room], "Ends the membership."),
        MethodDeclaration(
            "add_member", [ParameterDeclaration("profile", .string, "A profile id."), Self.room],
            "Makes another profile a member."),
        MethodDeclaration(
            "invite", [ParameterDeclaration("profile", .string, "A profile id."), Self.room], "Invites a profile."),
        MethodDeclaration(
            "answer_invitation",
            [
                ParameterDeclaration("id", .string, "The id of the invitation."),
                ParameterDeclaration("accept", .boolean, optional: true, "True unless given."),
            ], "Accepts or rejects an invitation."),
        MethodDeclaration(
            "invitations",
            [
                ParameterDeclaration(
                    "direction", .choice(["received", "sent"]), optional: true, "Which ones; received unless given."),
                ParameterDeclaration(
                    "status", .choice(["pending", "accepted", "rejected"]), optional: true, "Only those."),
            ], "Asks for invitations."),
    ]

    private static let lookups = [
        MethodDeclaration(
            "create_room",
            [
                ParameterDeclaration(
                    "options", .record(ServiceVocabulary.roomFields), optional: true,
                    "What the room is like; everyone may see it unless told otherwise.")
            ], "Creates a room; `completed` brings the resource."),
        MethodDeclaration("room_info", [ParameterDeclaration("room", .string, "Any room's id.")], "Asks for a room."),
        MethodDeclaration("sticker_packs", [Self.room], "Asks for the stickers of a room."),
        MethodDeclaration("reaction_packs", [Self.room], "Asks for the reactions of a room."),
        MethodDeclaration(
            "token_gate", [ParameterDeclaration("wallet", .string, "The address of a wallet."), Self.room],
            "Asks whether a wallet opens a room."),
        MethodDeclaration("server_time", [], "Asks the message carrier for its time token."),
        MethodDeclaration("send_heartbeat", [], "Tells the message carrier's presence that the member is there."),
    ]

    /// Methods that exist so that a scenario learns clearly that the product has nothing of the kind.
    private static let absent = LiveLikeClient.absentFeatures.sorted { $0.key < $1.key }.map { name, feature in
        MethodDeclaration(
            name, [ParameterDeclaration("value", .json, optional: true, "Anything; it is not used.")],
            "Not supported: LiveLike has no \(feature).")
    }
}
