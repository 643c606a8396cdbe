import JSON
import Machines

/// What scripts can say to a member of rooms.
enum MemberVocabulary {
    private static let room = Parameter.string(
        "room", "The id of a connected room; the shown, configured or only one unless given."
    ).optional
    private static let messageID = Parameter.string("id", "The id of a message.")
    private static let time = Parameter.string("program_date_time", "The play head of the sender, ISO 8601.").optional
    private static let metadata = Parameter.map(
        "metadata", .json, "What applications of one's own are told beside the message."
    ).optional
    private static let page = Parameter.choice("page", of: ListPage.self, "Which page; first unless given.").optional
    private static let profile = Parameter.string("profile", "A profile id.")

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
            "contentSession",
            .record([
                ParameterDeclaration(
                    "enableChatMessageURLs", .boolean, optional: true, "As the option of that name."),
                ParameterDeclaration(
                    "chatMessageUrlPatterns", .string, optional: true, "As the option of that name."),
            ]), optional: true,
            "The Content Session Configuration: it counts where the options of the chat session say nothing."),
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
            "Whether sending raises the new-message callback at once, as the vendor's SDK does; the vendor's page says that "
                + "only messages of others raise it, which is false. True unless given."),
        ParameterDeclaration(
            "platform", .choice(Platform.allCases.map(\.rawValue)), optional: true,
            "Whose SDK the member behaves like; ios unless given. That of Android tells 2.5 s later that it is connected."
        ),
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
            "messageHistoryLimit", .integer, optional: true,
            "The same as the older SDK has it, at most 100; of the carrier a page has 25 at most. Not with page_size."),
        ParameterDeclaration(
            "retry", .choice(["linear", "exponential"]), optional: true,
            "How the pauses of the subscribe loop grow; linear on iOS, exponential on Android unless given."),
        ParameterDeclaration(
            "retry_interval", .duration, optional: true, atLeast: .milliseconds(1),
            "The pause of the linear kind; 3 s unless given."),
        ParameterDeclaration(
            "message_limit", .integer, optional: true,
            "Messages kept per room, of which the oldest leave the list: a page of history that is older than all of a full "
                + "list is told and not kept. 5000 unless given."),
        ParameterDeclaration(
            "raw", .boolean, optional: true,
            "Whether events carry their wire form; false saves memory in rooms of many members. True unless given."),
    ]

    /// All that scripts can ask of a member.
    static let commands = CommandSet<MemberCommand>(
        Self.life + Self.sending + Self.reading + Self.messageCalls + Self.people + Self.lookups + Self.absent)

    /// What scripts can read.
    static let properties = [
        PropertyDeclaration("profile_id", .string, "The profile; nothing before it is known."),
        PropertyDeclaration("nickname", .string, "Its name; nothing before it is known."),
        PropertyDeclaration("access_token", .string, "What restores the session later; nothing before it is known."),
        PropertyDeclaration(
            "state", .choice(SessionPart.State.allCases.map(\.rawValue)), "How far the session has come."),
        PropertyDeclaration(
            "chat_session", .string, "The room that `set_chat_session` shows; nothing unless one is shown."),
        PropertyDeclaration(
            "rooms", .list(.json), "`room`, `state`, `title` and `messages`, their number, of each room."),
    ]

    /// A command with the room that it is for.
    private struct InRoom: Sendable {
        let room: String?
        let command: RoomCommand

        init(_ room: String?, _ command: RoomCommand) {
            self.room = room
            self.command = command
        }

        init(_ room: String?, _ command: ConnectedCommand) { self.init(room, .connected(command)) }
        init(_ room: String?, call: RoomCall) { self.init(room, .connected(.call(call))) }
    }

    private static func inRoom(_ declaration: CommandDeclaration<InRoom>) -> CommandDeclaration<MemberCommand> {
        let name = declaration.method.name
        return declaration.mapped { .room($0.command, room: $0.room, name: name) }
    }

    private static func ofProfile(
        _ declaration: CommandDeclaration<ProfileCommand>
    ) -> CommandDeclaration<MemberCommand> {
        let name = declaration.method.name
        return declaration.mapped { .profile($0, name: name) }
    }

    private static let life: [CommandDeclaration<MemberCommand>] = [
        CommandDeclaration(
            "connect", Parameter.string("room", "The id; the option roomID unless given.").optional,
            summary: "Connects to a room; `connected` or `error` follows.", as: { .connect(room: $0) }),
        Self.inRoom(
            CommandDeclaration(
                "disconnect", Self.room, summary: "Ends the session object of a room, and so its connection.",
                as: { InRoom($0, .disconnect) })),
        Self.ofProfile(
            CommandDeclaration(
                "set_display_name", Parameter.string("name", "1 to 20 characters."),
                summary: "Changes the nickname; `completed` or `error` follows.", as: { .setDisplayName($0) })),
        Self.inRoom(
            CommandDeclaration(
                "set_avatar", Parameter.string("url", "The URL."), Self.room,
                summary: "Sets the avatar of later messages.", as: { InRoom($1, .setAvatar(url: $0)) })),
        Self.inRoom(
            CommandDeclaration(
                "set_chat_session", Parameter.string("room", "The id of a connected room."),
                summary: "Shows the session of a room in the chat view: methods that name no room mean it.",
                as: { InRoom($0, .show) })),
        Self.ofProfile(
            CommandDeclaration(
                "pause",
                summary: "Stops listening to all rooms, as an application does in the background; sending goes on.",
                as: { .pause })),
        Self.ofProfile(
            CommandDeclaration(
                "resume", summary: "Listens again; what came meanwhile follows.", as: { .resume })),
        CommandDeclaration(
            "set_play_head",
            Parameter.string("time", "Where the video is, ISO 8601; none ends the sync.").optional,
            summary: "Starts the spoiler-free mode: messages ahead of the play head wait until it reaches them.",
            as: { .setPlayHead(time: $0) }),
    ]

    private static let sending: [CommandDeclaration<MemberCommand>] = [
        Self.inRoom(
            CommandDeclaration(
                "say", Parameter.string("text", "The text; stickers as :shortcode:."), Self.room, Self.time,
                Self.metadata, returns: .string, sends: "text",
                summary: "Sends a text; returns the client message id, `message_sent` or `error` follows.",
                as: { InRoom($1, .say($0, MessageExtras(time: $2, metadata: $3))) })),
        Self.inRoom(
            CommandDeclaration(
                "send_image", Parameter.string("url", "The URL of the image.").optional,
                Parameter.string("data", "The bytes in base64, to be uploaded first.").optional,
                Parameter.number("width", "Points, also with a fraction; 100 unless given.").optional,
                Parameter.number("height", "Points, also with a fraction; 100 unless given.").optional, Self.room,
                Parameter.string("quoted", "The id of a message that it quotes.").optional, Self.metadata,
                returns: .string,
                summary: "Sends an image by URL or by its bytes.",
                as: { url, data, width, height, room, quoted, metadata in
                    let content = ImageContent(url: url, data: data, width: width, height: height)
                    let context = quoted.map { MessageContext.quote(id: $0) }
                    return InRoom(room, .sendImage(content, MessageExtras(context: context, metadata: metadata)))
                })),
        Self.inRoom(
            CommandDeclaration(
                "send_custom", Parameter.string("data", "Any text, mostly JSON as text."), Self.room, Self.time,
                summary: "Sends a custom message.", as: { InRoom($1, .sendCustom(data: $0, time: $2)) })),
        Self.inRoom(
            CommandDeclaration(
                "quote", Self.messageID, Parameter.string("text", "The text."), Self.room, Self.metadata,
                returns: .string, sends: "text", summary: "Sends a text that quotes a message.",
                as: { InRoom($2, .say($1, MessageExtras(context: .quote(id: $0), metadata: $3))) })),
        Self.inRoom(
            CommandDeclaration(
                "reply", Self.messageID, Parameter.string("text", "The text."), Self.room, Self.metadata,
                returns: .string, sends: "text", summary: "Sends a text into the thread of a message.",
                as: { InRoom($2, .say($1, MessageExtras(context: .reply(id: $0), metadata: $3))) })),
    ]

    private static let reading = [
        Self.inRoom(
            CommandDeclaration(
                "messages", Self.room, returns: .list(.json), summary: "Returns the message list, oldest first.",
                as: { InRoom($0, .messages) })),
        Self.inRoom(
            CommandDeclaration(
                "message", Self.messageID, Self.room, returns: .json, summary: "Returns a message by its id, or nil.",
                as: { InRoom($1, .message(id: $0)) })),
        Self.inRoom(
            CommandDeclaration(
                "load_next_history", Self.room, summary: "Loads the next older page; `history` or `error` follows.",
                as: { InRoom($0, .loadNextHistory) })),
        Self.inRoom(
            CommandDeclaration(
                "get_messages", Parameter.string("since", "A time token; not included."), Self.room,
                summary: "Asks for up to 100 messages after a token; `completed` follows.",
                as: { InRoom($1, .messagesSince($0, counting: false)) })),
        Self.inRoom(
            CommandDeclaration(
                "get_message_count", Parameter.string("since", "A time token; not included."), Self.room,
                summary: "Counts the messages after a token as the iOS SDK does; `completed` follows.",
                as: { InRoom($1, .messagesSince($0, counting: true)) })),
        Self.inRoom(
            CommandDeclaration(
                "message_count", Parameter.string("since", "ISO 8601; not included.").optional,
                Parameter.string("until", "ISO 8601; not included.").optional, Self.room,
                summary: "Asks the service to count; `completed` follows.",
                as: { InRoom($2, call: .messageCount(since: $0, until: $1)) })),
        Self.inRoom(
            CommandDeclaration(
                "get_replies", Self.messageID, Self.room, summary: "Asks for a thread; `completed` follows.",
                as: { InRoom($1, .replies(id: $0)) })),
    ]

    private static let messageCalls = [
        Self.inRoom(
            CommandDeclaration(
                "react", Self.messageID, Parameter.string("reaction", "The reaction's id."), Self.room,
                summary: "Reacts, in place of an own reaction before; `message_updated` follows.",
                as: { InRoom($2, .about(.react($1), id: $0)) })),
        Self.inRoom(
            CommandDeclaration(
                "unreact", Self.messageID, Self.room, summary: "Takes the own reaction back.",
                as: { InRoom($1, .about(.unreact, id: $0)) })),
        Self.inRoom(
            CommandDeclaration(
                "delete_message", Self.messageID, Self.room, summary: "Deletes a message.",
                as: { InRoom($1, .about(.delete, id: $0)) })),
        Self.inRoom(
            CommandDeclaration(
                "report_message", Self.messageID, Self.room, summary: "Reports a message to the moderators.",
                as: { InRoom($1, .about(.report, id: $0)) })),
        Self.inRoom(
            CommandDeclaration(
                "pin", Self.messageID, Self.room, summary: "Pins a message; for the room's creator.",
                as: { InRoom($1, .about(.pin, id: $0)) })),
        Self.inRoom(
            CommandDeclaration(
                "unpin", Parameter.string("pin", "The id of the pin."), Self.room, summary: "Takes a pin away.",
                as: { InRoom($1, call: .unpin(pin: $0)) })),
        Self.inRoom(
            CommandDeclaration(
                "pinned_messages",
                Parameter.choice("ordering", of: PinOrder.self, "The order; pinned_at unless given.").optional,
                Self.room, summary: "Asks for the pins.", as: { InRoom($1, call: .pinnedMessages($0)) })),
    ]

    private static let people = [
        Self.ofProfile(
            CommandDeclaration(
                "block", Self.profile, summary: "Hides what that member sends.", as: { .call(.block(profile: $0)) })),
        Self.ofProfile(
            CommandDeclaration("unblock", Self.profile, summary: "Ends a block.", as: { .call(.unblock(profile: $0)) })),
        Self.ofProfile(
            CommandDeclaration(
                "blocked", returns: .list(.string), summary: "Returns the ids of the blocked profiles.",
                as: { .blocked })),
        Self.inRoom(
            CommandDeclaration(
                "muted_status", Self.room, summary: "Asks whether this member is muted; `completed` follows.",
                as: { InRoom($0, call: .mutedStatus) })),
        Self.inRoom(
            CommandDeclaration(
                "members", Self.room, Self.page, summary: "Asks for a page of the members.",
                as: { InRoom($0, call: .members($1)) })),
        Self.ofProfile(
            CommandDeclaration(
                "my_rooms", Self.page, summary: "Asks for a page of the rooms this member belongs to.",
                as: { .call(.myRooms($0)) })),
        Self.inRoom(
            CommandDeclaration(
                "join", Self.room, summary: "Becomes a member; connecting and sending need no membership.",
                as: { InRoom($0, call: .join) })),
        Self.inRoom(
            CommandDeclaration(
                "leave", Self.room, summary: "Ends the membership.", as: { InRoom($0, call: .leave) })),
        Self.inRoom(
            CommandDeclaration(
                "add_member", Self.profile, Self.room, summary: "Makes another profile a member.",
                as: { InRoom($1, call: .addMember(profile: $0)) })),
        Self.inRoom(
            CommandDeclaration(
                "invite", Self.profile, Self.room, summary: "Invites a profile.",
                as: { InRoom($1, call: .invite(profile: $0)) })),
        Self.ofProfile(
            CommandDeclaration(
                "answer_invitation", Parameter.string("id", "The id of the invitation."),
                Parameter.boolean("accept", "True unless given.").optional,
                summary: "Accepts or rejects an invitation.",
                as: { .call(.answerInvitation(id: $0, isAccepted: $1 ?? true)) })),
        Self.ofProfile(
            CommandDeclaration(
                "invitations",
                Parameter.choice(
                    "direction", of: InvitationDirection.self, "Which ones; received unless given."
                ).optional,
                Parameter.choice("status", of: InvitationStatus.self, "Only those.").optional,
                summary: "Asks for invitations.", as: { .call(.invitations($0, $1)) })),
    ]

    private static let lookups = [
        Self.ofProfile(
            CommandDeclaration(
                "create_room",
                Parameter.record(
                    "options", ServiceVocabulary.roomFields,
                    "What the room is like; everyone may see it unless told otherwise."
                ).optional, summary: "Creates a room; `completed` brings the resource.", as: { .call(.createRoom($0)) })
        ),
        Self.ofProfile(
            CommandDeclaration(
                "room_info", Parameter.string("room", "Any room's id."), summary: "Asks for a room.",
                as: { .call(.roomInfo(room: $0)) })),
        Self.inRoom(
            CommandDeclaration(
                "sticker_packs", Self.room, summary: "Asks for the stickers of a room.",
                as: { InRoom($0, call: .stickerPacks) })),
        Self.inRoom(
            CommandDeclaration(
                "reaction_packs", Self.room, summary: "Asks for the reactions of a room.",
                as: { InRoom($0, call: .reactionPacks) })),
        Self.inRoom(
            CommandDeclaration(
                "token_gate", Parameter.string("wallet", "The address of a wallet."), Self.room,
                summary: "Asks whether a wallet opens a room.", as: { InRoom($1, call: .tokenGate(wallet: $0)) })),
        Self.ofProfile(
            CommandDeclaration(
                "server_time", summary: "Asks the message carrier for its time token.", as: { .call(.serverTime) })),
        Self.ofProfile(
            CommandDeclaration(
                "send_heartbeat", summary: "Tells the message carrier's presence that the member is there.",
                as: { .sendHeartbeat })),
    ]

    /// What the product lacks (vendor's *Chat* page), with the words for it.
    static let absentFeatures = [
        "typing": "typing indicators", "presence": "presence indicators", "read_receipt": "read receipts",
        "fill_form": "forms", "queue_position": "queues", "rate_agent": "surveys",
        "end_chat": "end of conversations",
        "register_push": "push notifications", "transcript": "transcripts by mail",
    ]

    /// Methods that exist so that a scenario learns clearly that the product has nothing of the kind.
    private static let absent: [CommandDeclaration<MemberCommand>] =
        Self.absentFeatures.sorted { $0.key < $1.key }.map { name, feature in
            CommandDeclaration(
                name, Parameter.optionalJSON("value", "Anything; it is not used."),
                summary: "Not supported: LiveLike has no \(feature).", as: { _ in .absent(feature: feature) })
        }
}
