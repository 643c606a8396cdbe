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
            "hold", .duration, optional: true, "How long a subscribe request waits for a message; 280 s unless given."),
        ParameterDeclaration(
            "echo_order", .choice(["answer_first", "echo_first"]), optional: true,
            "Whether a sender gets the answer or the echo first; answer_first unless given."),
        ParameterDeclaration(
            "publish_key", .boolean, optional: true,
            "Whether the application names a publish key; without one clients only receive. True unless given."),
        ParameterDeclaration(
            "heartbeat", .integer, optional: true, "The presence heartbeat in seconds; none unless given."),
        ParameterDeclaration(
            "filtered_words", .list(.string), optional: true, "The words that rooms with a filter mask."),
        ParameterDeclaration("stickers", .list(.string), optional: true, "The shortcodes of the sticker pack."),
        ParameterDeclaration("reactions", .list(.string), optional: true, "The ids of the reaction pack."),
        ParameterDeclaration("latency", .duration, optional: true, "How late every answer goes out; 0 unless given."),
        ParameterDeclaration(
            "jitter", .duration, optional: true, "The most that chance adds to the latency; 0 unless given."),
        ParameterDeclaration(
            "loss", .number, optional: true,
            "The part of answers whose connection drops instead, from 0 to below 1; 0 unless given."),
    ]

    static let methods = [
        MethodDeclaration(
            "create_room",
            [
                ParameterDeclaration("id", .string, optional: true, "The id; made unless given."),
                ParameterDeclaration("options", .record(Self.ownRoomFields), optional: true, "What the room is like."),
            ], returns: .string, "Creates a room and returns its id."),
        MethodDeclaration(
            "room", [ParameterDeclaration("id", .string, "The room's id.")], returns: .json,
            "Returns a room with its members, messages and pins."),
        MethodDeclaration(
            "set_latency",
            [
                ParameterDeclaration("latency", .duration, "How late answers go out."),
                ParameterDeclaration("jitter", .duration, optional: true, "What chance adds at most."),
            ], isFault: true, "Changes the latency of all answers from now on."),
        MethodDeclaration(
            "set_loss", [ParameterDeclaration("loss", .number, "The part of answers that get lost.")],
            isFault: true, "Changes the loss from now on."),
        MethodDeclaration(
            "fail_next",
            [
                ParameterDeclaration("path", .string, "A part of the path of the requests that fail."),
                ParameterDeclaration("status", .integer, optional: true, "The HTTP status, 0 drops; 500 unless given."),
                ParameterDeclaration("detail", .string, optional: true, "What the body says."),
                ParameterDeclaration("count", .integer, optional: true, "How many requests fail; 1 unless given."),
            ], isFault: true, "Makes the next requests to a path fail."),
        MethodDeclaration(
            "drop_subscribers", [], returns: .integer, isFault: true,
            "Drops the connection of every waiting subscribe request and returns how many there were."),
        MethodDeclaration(
            "publish_raw",
            [
                ParameterDeclaration("channel", .string, "The channel, such as chatroom.lobby."),
                ParameterDeclaration("envelope", .json, "What is published, well-formed or not."),
            ], "Publishes anything, as a broken service would."),
    ]

    private static let room = ParameterDeclaration(
        "room", .string, optional: true, "The room's id; the only one unless given.")
    private static let everywhere = ParameterDeclaration(
        "room", .string, optional: true, "The room's id; everywhere unless given.")
    private static let member = ParameterDeclaration("member", .actor, "A member who has connected.")
    private static let messageID = ParameterDeclaration("id", .string, "The id of a message.")

    static let moderator = PartyDeclaration(
        name: "moderator",
        summary: "A producer who moderates every room.",
        methods: [
            MethodDeclaration(
                "say", [ParameterDeclaration("text", .string, "The text."), Self.room], returns: .string,
                sends: "text", "Sends a text and returns its id."),
            MethodDeclaration(
                "send_image",
                [
                    ParameterDeclaration("url", .string, "The URL of the image."),
                    ParameterDeclaration("width", .integer, optional: true, "Pixels; 100 unless given."),
                    ParameterDeclaration("height", .integer, optional: true, "Pixels; 100 unless given."), Self.room,
                ], returns: .string, "Sends an image and returns its id."),
            MethodDeclaration(
                "send_custom", [ParameterDeclaration("data", .string, "Any text."), Self.room], returns: .string,
                "Sends a custom message and returns its id."),
            MethodDeclaration(
                "delete_message",
                [
                    Self.messageID, Self.room,
                    ParameterDeclaration(
                        "remove", .boolean, optional: true, "Whether it leaves the history too; false unless given."),
                ], "Deletes a message."),
            MethodDeclaration("mute", [Self.member, Self.everywhere], "Takes the right to send from a member."),
            MethodDeclaration("unmute", [Self.member, Self.everywhere], "Gives the right to send back."),
            MethodDeclaration(
                "shadow_mute", [Self.member, Self.everywhere], "Shows what a member sends to nobody else."),
            MethodDeclaration("shadow_unmute", [Self.member, Self.everywhere], "Ends a shadow mute."),
            MethodDeclaration(
                "pin", [Self.messageID, Self.room], returns: .string, "Pins a message and returns the pin's id."),
            MethodDeclaration(
                "unpin", [ParameterDeclaration("id", .string, "The pin's id."), Self.room], "Takes a pin away."),
            MethodDeclaration(
                "update_room",
                [ParameterDeclaration("fields", .record(Self.roomFields), "What changes."), Self.room],
                "Changes a room and tells its members."),
            MethodDeclaration("add_member", [Self.member, Self.room], "Makes someone a member of a room."),
            MethodDeclaration(
                "invite", [Self.member, Self.room], returns: .string, "Invites someone; returns the invitation's id."),
            MethodDeclaration("watch", [], "Begins to observe `message_reported`."),
            MethodDeclaration("reports", [], returns: .list(.json), "Returns the reports that wait."),
            MethodDeclaration(
                "dismiss_report", [ParameterDeclaration("id", .string, "The report's id.")], "Dismisses a report."),
        ],
        events: [
            EventDeclaration(
                .messageReported,
                [
                    ParameterDeclaration("id", .string, "The report's id."),
                    ParameterDeclaration("chat_room_id", .string, "The room."),
                    ParameterDeclaration("message_id", .string, "The message."),
                    ParameterDeclaration("message", .string, "Its text, or the URL of its image."),
                    ParameterDeclaration("profile_id", .string, "Who sent it."),
                    ParameterDeclaration("reported_by_id", .string, "Who reported it."),
                    ParameterDeclaration("status", .string, "`pending`."),
                ], "A member reported a message.")
        ],
        noise: [])
}
