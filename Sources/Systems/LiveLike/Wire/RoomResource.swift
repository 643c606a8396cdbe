import JSON
import Machines

/// What the client needs of a room resource.
struct RoomResource: Hashable, Sendable {
    var title = ""
    var visibility = "everyone"
    var contentFilter = "none"
    var customData: String?
    var chatChannel = ""
    var controlChannel: String?
    var links = Links()

    /// Where what belongs to a room is asked for.
    struct Links: Hashable, Sendable {
        var messages: WebAddress?
        var messageCount: WebAddress?
        var customMessages: WebAddress?
        var upload: WebAddress?
        var report: WebAddress?
        var delete: WebAddress?
        var memberships: WebAddress?
        var mutedStatusTemplate: String?
        var stickerPacks: WebAddress?
        var reactionPacks: WebAddress?
        var tokenGate: WebAddress?
    }

    /// Creates an empty resource.
    init() {}

    /// Reads a room resource.
    ///
    /// - Throws: ``Misreading`` without a chat channel, since the client cannot listen then, or if it is another
    ///   room's.
    init(_ value: JSONValue, of room: String) throws(Misreading) {
        guard let channel = value["channels"]?["chat"]?["pubnub"]?.string, Self.isChannel(channel) else {
            throw Misreading("it names no channel channels.chat.pubnub")
        }
        try MemberRule.check(value.object ?? [:], Self.infoRules)
        try MemberRule.check(value.object ?? [:], "id", is: room)
        self.chatChannel = channel
        self.controlChannel = value["channels"]?["control"]?["pubnub"]?.string.flatMap { Self.isChannel($0) ? $0 : nil }
        self.read(value.object ?? [:])
        func url(_ name: String) -> WebAddress? { value[name]?.string.flatMap { WebAddress($0) } }
        self.links.messages = url("chatroom_messages_url")
        self.links.messageCount = url("chatroom_messages_count_url")
        self.links.customMessages = url("custom_messages_url")
        self.links.upload = url("upload_url")
        self.links.report = url("report_message_url")
        self.links.delete = url("delete_message_url")
        self.links.memberships = url("memberships_url")
        self.links.mutedStatusTemplate = value["muted_status_url_template"]?.string
        self.links.stickerPacks = url("sticker_packs_url")
        self.links.reactionPacks = url("reaction_packs_url")
        self.links.tokenGate = url("chatroom_token_gate_access_url")
    }

    /// What the members of `ChatRoomInfo` are, of which an update carries what it likes.
    static let infoRules: [MemberRule] = [
        .may("id", .id), .may("title", .text), .may("visibility", .text), .may("content_filter", .text),
        .may("custom_data", .text),
    ]

    /// Takes over the fields of `ChatRoomInfo` that are there, from a resource or from an update.
    mutating func read(_ fields: JSONObject) {
        if let title = fields["title"]?.string { self.title = title }
        if let visibility = fields["visibility"]?.string { self.visibility = visibility }
        if let filter = fields["content_filter"]?.string { self.contentFilter = filter }
        if let data = fields["custom_data"]?.string { self.customData = data }
    }

    /// A channel name that can stand in a list of channels.
    private static func isChannel(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 256 && !name.contains(",")
    }

    /// `ChatRoomInfo` as scripts see it.
    func info(id: String) -> JSONObject {
        var fields: JSONObject = [
            "room": .string(id), "title": .string(self.title), "visibility": .string(self.visibility),
            "content_filter": .string(self.contentFilter),
        ]
        fields["custom_data"] = self.customData.map { .string($0) }
        return fields
    }
}
