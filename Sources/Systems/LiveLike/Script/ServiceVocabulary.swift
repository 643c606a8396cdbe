import JSON
import Machines

/// What scripts can say to the simulated service and its moderators.
enum ServiceVocabulary {
    /// The fields of a room that creating and updating take.
    static let roomFields = [
        ParameterDeclaration("title", .string, optional: true, "The title."),
        ParameterDeclaration("visibility", .choice(["everyone", "members"]), optional: true, "Who may read."),
        ParameterDeclaration(
            "content_filter", .choice(["none", "filtered", "producer", "ai"]), optional: true,
            "Whether words are masked; none unless given."),
        ParameterDeclaration("custom_data", .string, optional: true, "Any text."),
        ParameterDeclaration(
            "chat_message_throttle_seconds", .number, optional: true,
            "The least time between two messages of a member, in seconds; 0 unless given."),
        ParameterDeclaration(
            "attributes",
            .list(
                .record([
                    ParameterDeclaration("key", .string, "The name of the attribute."),
                    ParameterDeclaration("value", .string, "Its value."),
                ])), optional: true, "What the application says of the room; nothing unless given."),
        ParameterDeclaration(
            "reports", .boolean, optional: true, "Whether messages can be reported; true unless given."),
        ParameterDeclaration(
            "token_gates",
            .list(
                .record([
                    ParameterDeclaration("contract_address", .string, "The contract of the token."),
                    ParameterDeclaration(
                        "network_type", .choice(["ethereum", "chiliz", "hedera", "polygon"]), "Its chain."),
                ])), optional: true, "The tokens that a wallet must hold; none unless given."),
    ]

    /// The fields of a room that the script's own service takes: it also knows what wallets hold.
    private static let ownRoomFields =
        Self.roomFields + [
            ParameterDeclaration(
                "wallets", .list(.string), optional: true, "The wallets that hold the tokens of the gates.")
        ]

    static let options = [
        ParameterDeclaration(
            "rooms", .list(.record([ParameterDeclaration("id", .string, "The room's id.")] + Self.ownRoomFields)),
            optional: true, "The rooms at the start; one room \"lobby\" unless given."),
        ParameterDeclaration("client_id", .string, optional: true, "The only application; any unless given."),
        ParameterDeclaration(
            "hold", .duration, optional: true, atLeast: .milliseconds(1),
            "How long a subscribe request waits for a message; 280 s unless given."),
        ParameterDeclaration(
            "echo_order", .choice(["answer_first", "echo_first"]), optional: true,
            "Whether a sender gets the answer or the echo first; answer_first unless given."),
        ParameterDeclaration(
            "publish_key", .boolean, optional: true,
            "Whether the application names a publish key; without one clients only receive. True unless given."),
        ParameterDeclaration(
            "heartbeat", .integer, optional: true, in: 1...3600, "The presence heartbeat in seconds; none unless given."
        ),
        ParameterDeclaration(
            "filtered_words", .list(.string), optional: true, "The words that rooms with a filter mask."),
        ParameterDeclaration("stickers", .list(.string), optional: true, "The shortcodes of the sticker pack."),
        ParameterDeclaration(
            "reactions", .list(.string), optional: true,
            "The ids of the reaction pack; if they are given, the carrier takes no others."),
        ParameterDeclaration(
            "without", .list(.choice(ServerOptions.dispensableMembers)), optional: true,
            "What the resources of the application, of profiles and of rooms lack; nothing unless given."),
        ParameterDeclaration("latency", .duration, optional: true, "How late every answer goes out; 0 unless given."),
        ParameterDeclaration(
            "jitter", .duration, optional: true, "The most that chance adds to the latency; 0 unless given."),
        ParameterDeclaration(
            "loss", .number, optional: true,
            "The share of answers whose connection drops instead, from 0 to below 1; 0 unless given."),
    ]

    /// What scripts can read.
    static let properties = [
        PropertyDeclaration("rooms", .list(.string), "The ids of the rooms."),
        PropertyDeclaration("profiles", .integer, "How many profiles there are."),
        PropertyDeclaration("subscribers", .integer, "How many subscribe requests wait."),
        PropertyDeclaration("messages", .integer, "How many messages were sent."),
    ]

    /// All that scripts can ask of the service itself.
    static let commands = CommandSet<ServiceCommand>(Self.own.map { $0.mapped { .service($0) } })

    private static let own: [CommandDeclaration<OwnCommand>] = [
        CommandDeclaration(
            "create_room", Parameter.string("id", "The id; made unless given.").optional,
            Parameter.record("options", Self.ownRoomFields, "What the room is like.").optional, returns: .string,
            summary: "Creates a room and returns its id.", as: { .createRoom(id: $0, options: $1) }),
        CommandDeclaration(
            "room", Parameter.string("id", "The room's id."), returns: .json,
            summary: "Returns a room with its members, messages and pins.", as: { .room(id: $0) }),
        CommandDeclaration(
            "set_latency", Parameter.duration("latency", "How late answers go out."),
            Parameter.duration("jitter", "What chance adds at most.").optional, isFault: true,
            summary: "Changes the latency of all answers from now on.", as: { .setLatency($0, jitter: $1) }),
        CommandDeclaration(
            "set_loss", Parameter.number("loss", "The share of answers that get lost."), isFault: true,
            summary: "Changes the loss from now on.", as: { .setLoss($0) }),
        CommandDeclaration(
            "fail_next",
            Parameter.string("path", "A part of the path of the requests that fail, such as /chatroom-messages."),
            Parameter.integer("status", "The HTTP status, 0 drops; 500 unless given.").optional,
            Parameter.string("detail", "What the body says.").optional,
            Parameter.integer("count", in: 1...Int64.max, "How many requests fail; 1 unless given.").optional,
            isFault: true,
            summary: "Makes the next requests to a path fail.",
            as: { .failNext(path: $0, status: $1, detail: $2, count: $3) }),
        CommandDeclaration(
            "answer_next",
            Parameter.string("path", "A part of the path of the requests that are meant, such as /upload."),
            Parameter.optionalJSON(
                "body", "What is answered: a text as it is, anything else as JSON; no body unless given."),
            Parameter.integer("status", "The HTTP status; 200 unless given.").optional,
            Parameter.integer("count", in: 1...Int64.max, "How many requests; 1 unless given.").optional,
            isFault: true,
            summary: "Answers the next requests to a path with anything, as a broken service would.",
            as: { .answerNext(path: $0, body: $1, status: $2, count: $3) }),
        CommandDeclaration(
            "drop_subscribers", returns: .integer, isFault: true,
            summary: "Drops the connection of every waiting subscribe request and returns how many there were.",
            as: { .dropSubscribers }),
        CommandDeclaration(
            "publish_raw", Parameter.string("channel", "The channel, such as chatroom.lobby."),
            Parameter.json("envelope", "What is published, well-formed or not."),
            summary: "Publishes anything, as a broken service would.",
            as: { .publishRaw(channel: $0, envelope: $1) }),
    ]

    private static let room = Parameter.string("room", "The room's id; the only one unless given.").optional
    private static let everywhere = Parameter.string("room", "The room's id; everywhere unless given.").optional
    private static let side = Int64(ChatMessage.Image.sides.lowerBound)...Int64(ChatMessage.Image.sides.upperBound)
    private static let member = Parameter<JSONValue>("member", .actor, "A member who has connected.") { $0 }
    private static let messageID = Parameter.string("id", "The id of a message.")

    private static func muting(
        _ name: String, _ muting: Muting, summary: String
    ) -> CommandDeclaration<ModeratorCommand> {
        CommandDeclaration(
            name, Self.member, Self.everywhere, summary: summary,
            as: { .mute(muting, member: $0, room: $1, name: name) })
    }

    /// What is done in a room, with the name of the room.
    private typealias InRoom = CommandDeclaration<(room: String?, act: RoomModeration)>

    private static func inRoom(_ declaration: InRoom) -> CommandDeclaration<ModeratorCommand> {
        let name = declaration.method.name
        return declaration.mapped { .room($0.act, room: $0.room, name: name) }
    }

    /// All that scripts can ask of a moderator.
    static let moderatorCommands = CommandSet<ServiceCommand>(Self.moderation.map { $0.mapped { .moderator($0) } })

    private static let moderation: [CommandDeclaration<ModeratorCommand>] = [
        Self.inRoom(
            CommandDeclaration(
                "say", Parameter.string("text", "The text."), Self.room, returns: .string, sends: "text",
                summary: "Sends a text and returns its id.", as: { ($1, .say($0)) })),
        Self.inRoom(
            CommandDeclaration(
                "send_image", Parameter.string("url", "The URL of the image."),
                Parameter.integer("width", in: Self.side, "Pixels; 100 unless given.").optional,
                Parameter.integer("height", in: Self.side, "Pixels; 100 unless given.").optional, Self.room,
                returns: .string,
                summary: "Sends an image and returns its id.",
                as: { ($3, .sendImage(url: $0, width: $1, height: $2)) })),
        Self.inRoom(
            CommandDeclaration(
                "send_custom", Parameter.string("data", "Any text."), Self.room, returns: .string,
                summary: "Sends a custom message and returns its id.", as: { ($1, .sendCustom($0)) })),
        Self.inRoom(
            CommandDeclaration(
                "delete_message", Self.messageID, Self.room,
                Parameter.boolean("remove", "Whether it leaves the history too; false unless given.").optional,
                summary: "Deletes a message.", as: { ($1, .delete(message: $0, isRemoved: $2 ?? false)) })),
        Self.muting("mute", .mute, summary: "Takes the right to send from a member."),
        Self.muting("unmute", .unmute, summary: "Gives the right to send back."),
        Self.muting("shadow_mute", .shadowMute, summary: "Shows what a member sends to nobody else."),
        Self.muting("shadow_unmute", .shadowUnmute, summary: "Ends a shadow mute."),
        Self.inRoom(
            CommandDeclaration(
                "pin", Self.messageID, Self.room, returns: .string,
                summary: "Pins a message and returns the pin's id.", as: { ($1, .pin(message: $0)) })),
        Self.inRoom(
            CommandDeclaration(
                "unpin", Parameter.string("id", "The pin's id."), Self.room, summary: "Takes a pin away.",
                as: { ($1, .unpin($0)) })),
        Self.inRoom(
            CommandDeclaration(
                "update_room", Parameter.record("fields", Self.roomFields, "What changes."), Self.room,
                summary: "Changes a room and tells its members.", as: { ($1, .update($0)) })),
        Self.inRoom(
            CommandDeclaration(
                "add_member", Self.member, Self.room, summary: "Makes someone a member of a room.",
                as: { ($1, .addMember($0)) })),
        Self.inRoom(
            CommandDeclaration(
                "invite", Self.member, Self.room, returns: .string,
                summary: "Invites someone; returns the invitation's id.", as: { ($1, .invite($0)) })),
        CommandDeclaration("watch", summary: "Begins to observe `message_reported`.", as: { .watch }),
        CommandDeclaration(
            "reports", returns: .list(.json), summary: "Returns the reports that wait.", as: { .reports }),
        CommandDeclaration(
            "dismiss_report", Parameter.string("id", "The report's id."), summary: "Dismisses a report.",
            as: { .dismissReport(id: $0) }),
        CommandDeclaration(
            "access_token", returns: .string,
            summary: "Returns the token by which an application of one's own calls the service as this producer.",
            as: { .accessToken }),
    ]

    static let moderator = PartyDeclaration(
        name: "moderator",
        summary: "A producer who moderates every room.",
        methods: Self.moderatorCommands.methods,
        events: [
            EventDeclaration(
                .messageReported,
                [
                    ParameterDeclaration("id", .string, "The report's id."),
                    ParameterDeclaration("chat_room_id", .string, "The room."),
                    ParameterDeclaration("message_id", .string, "The message."),
                    ParameterDeclaration("message", .string, optional: true, "Its text, or the URL of its image."),
                    ParameterDeclaration("profile_id", .string, optional: true, "Who sent it."),
                    ParameterDeclaration("nickname", .string, optional: true, "The sender's nickname, as reported."),
                    ParameterDeclaration("reported_by_id", .string, "Who reported it."),
                    ParameterDeclaration("status", .string, "`pending`."),
                    ParameterDeclaration("created_at", .string, "When it was reported, ISO 8601."),
                ], "A member reported a message.", askedForBy: "watch")
        ],
        noise: [])
}
