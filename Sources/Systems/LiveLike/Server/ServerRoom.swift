import JSON
import Machines

/// A room of the simulated service, put together from its parts.
struct ServerRoom: Sendable {
    let id: String
    /// The profile that made it; nil for a room of the script.
    let creator: String?
    let createdAt: String
    private(set) var settings: RoomSettings
    var members: MembershipPart
    var mutes = MutePart()
    private var throttle = ThrottlePart()
    var pins: PinPart
    var messages: MessageIndexPart

    /// Creates a room that its creator is a member of.
    init(id: String, _ fields: JSONObject, creator: String?, createdAt: String) {
        self.id = id
        self.creator = creator
        self.createdAt = createdAt
        self.settings = RoomSettings(fields)
        self.members = MembershipPart(room: id, creator: creator)
        self.pins = PinPart(room: id)
        self.messages = MessageIndexPart(room: id)
    }

    /// The channel of the messages of a room.
    static func chatChannel(of id: String) -> String { "chatroom.\(id)" }

    /// The channel on which a room tells of itself.
    static func controlChannel(of id: String) -> String { "chatroom.control.\(id)" }

    var chatChannel: String { Self.chatChannel(of: self.id) }
    var controlChannel: String { Self.controlChannel(of: self.id) }

    /// Takes over what a change names, and tells the members.
    ///
    /// What the event carries is not published; defined here: all fields of `ChatRoomInfo`, on the control channel.
    mutating func change(_ fields: JSONObject) -> [ServiceAction] {
        self.settings.change(fields)
        return [.publish(Publication(.roomUpdated, self.info, on: self.controlChannel))]
    }

    /// Returns whether a member may send now, and counts it as sent if so.
    mutating func takeTurn(of profile: String, now: Instant) -> Bool {
        self.throttle.handle(sendAskedBy: profile, throttle: self.settings.throttle, now: now) == .allow
    }

    /// Whether a profile may change the room and what others wrote in it.
    func mayModerate(_ profile: ServerProfile) -> Bool { profile.isProducer || self.creator == profile.id }

    /// Whether a profile may read the history and the pins, which have messages in them.
    ///
    /// Whether a private room's history is open to others is not published; defined here: it is closed.
    func mayRead(_ profile: ServerProfile) -> Bool {
        self.settings.visibility != "members" || self.members.contains(profile.id) || profile.isProducer
    }

    /// The fields of `ChatRoomInfo`.
    var info: JSONObject {
        [
            "id": .string(self.id), "title": .string(self.settings.title),
            "visibility": .string(self.settings.visibility), "content_filter": .string(self.settings.contentFilter),
            "custom_data": self.settings.customData.map { .string($0) } ?? .null,
        ]
    }

    /// The room resource with all its URLs.
    func resource(base: String, clientID: String?) -> JSONValue {
        let url = "\(base)/chat-rooms/\(FormEncoding.percentEncode(self.id))/"
        var fields: JSONObject = [
            "id": .string(self.id), "url": .string(url), "client_id": .string(clientID ?? "repartee"),
            "created_at": .string(self.createdAt),
            "channels": [
                "chat": ["pubnub": .string(self.chatChannel), "sendbird": .null],
                "reactions": ["pubnub": .string("chatroom.reactions.\(self.id)")],
                "control": ["pubnub": .string(self.controlChannel)],
            ],
            "upload_url": .string(url + "upload/"), "delete_message_url": .string(url + "delete-chat-message/"),
            "memberships_url": .string(url + "memberships/"),
            "muted_status_url_template": .string(url + "muted-status/{profile_id}/"),
            "custom_messages_url": .string(url + "custom-messages/"),
            "chatroom_messages_url": .string(base + "/chatroom-messages/"),
            "chatroom_messages_count_url": .string(base + "/chatroom-messages-count/"),
            "chatroom_token_gate_access_url": .string(base + "/chatroom-token-gate-access/"),
            "chatroom_access_rule_url": .string(base + "/chat-room-access-rules/"),
            "token_gates": .array(self.settings.tokenGate.requirements),
            "sticker_packs_url": .string(url + "sticker-packs/"),
            "reaction_packs_url": .string(url + "reaction-packs/"), "sponsors_url": .string(url + "sponsors/"),
            "attributes": .array(self.settings.attributes),
            // Reactions are given to the carrier alone here.
            "reaction_space_id": .null, "pubnub_messages_reaction_url_template": .null,
            "pubnub_messages_remove_reaction_url_template": .null,
            "chat_message_throttle_seconds": .double(self.settings.throttle.scriptSeconds),
        ]
        if self.settings.allowsReports {
            fields["report_message_url"] = .string(url + "report-message/")
            fields["reported_messages_url"] = .string(base + "/reported-chat-room-messages/")
        }
        return .object(self.info.merging(fields))
    }
}
