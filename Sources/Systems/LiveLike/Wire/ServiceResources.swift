import JSON
import Machines

/// What the client needs of the application resource.
struct ApplicationResource: Hashable, Sendable {
    let subscribeKey: String
    /// Absent for applications that only receive.
    let publishKey: String?
    let pubNub: WebAddress
    let heartbeatInterval: Int64?
    let presenceTimeout: Int64?
    let profileURL: WebAddress
    let roomTemplate: String
    let createRoomURL: WebAddress?
    let invitationsURL: WebAddress?
    let invitationTemplate: String?
    let receivedInvitationsTemplate: String?
    let sentInvitationsTemplate: String?
    let pinnedMessagesURL: WebAddress?

    /// Reads the resource.
    ///
    /// - Parameter origin: Where it came from; the carrier is reached by the same scheme.
    /// - Throws: ``Misreading`` if a part is missing without which nothing works.
    init(_ value: JSONValue, origin: WebAddress) throws(Misreading) {
        func url(_ name: String) -> WebAddress? { value[name]?.string.flatMap { WebAddress($0) } }
        func text(_ name: String) throws(Misreading) -> String {
            guard let text = value[name]?.string else { throw Misreading("it has no \(name)") }
            return text
        }
        let subscribeKey = try text("pubnub_subscribe_key")
        let roomTemplate = try text("chat_room_detail_url_template")
        guard let profileURL = url("profile_url") else { throw Misreading("its profile_url is no URL") }
        let host = value["pubnub_origin"]?.string ?? "ps.pndsn.com"
        let carrier = host.contains("://") ? host : "\(origin.scheme)://\(host)"
        guard let pubNub = WebAddress(carrier) else { throw Misreading("its pubnub_origin is no host") }
        self.pubNub = pubNub
        self.subscribeKey = subscribeKey
        self.publishKey = value["pubnub_publish_key"]?.string
        self.heartbeatInterval = value["pubnub_heartbeat_interval"]?.integer
        self.presenceTimeout = value["pubnub_presence_timeout"]?.integer
        self.profileURL = profileURL
        self.roomTemplate = roomTemplate
        self.createRoomURL = url("create_chat_room_url")
        self.invitationsURL = url("create_chat_room_invitation_url") ?? url("chat_rooms_invitations_url")
        self.invitationTemplate = value["chat_room_invitation_detail_url_template"]?.string
        self.receivedInvitationsTemplate = value["profile_chat_room_received_invitations_url_template"]?.string
        self.sentInvitationsTemplate = value["profile_chat_room_sent_invitations_url_template"]?.string
        // One fixture of the vendor spells it in the singular.
        self.pinnedMessagesURL = url("pinned_messages_url") ?? url("pin_message_url")
    }
}

/// What the client needs of the profile resource.
struct ProfileResource: Hashable, Sendable {
    let id: String
    var nickname: String
    let url: WebAddress?
    let channel: String?
    let membershipsURL: WebAddress?
    let blockURL: WebAddress?
    let blockedIDsURL: WebAddress?

    /// The token, which comes only to the profile's owner.
    let accessToken: String?

    /// Reads the resource.
    ///
    /// - Throws: ``Misreading`` without an id.
    init(_ value: JSONValue) throws(Misreading) {
        guard let id = value["id"]?.string, !id.isEmpty, id.utf8.count <= 92 else {
            throw Misreading("it has no id of 1 to 92 bytes")
        }
        try MemberRule.check(value.object ?? [:], [.may("nickname", .text)])
        func url(_ name: String) -> WebAddress? { value[name]?.string.flatMap { WebAddress($0) } }
        self.id = id
        self.nickname = value["nickname"]?.string ?? ""
        self.url = url("url")
        self.channel = value["subscribe_channel"]?.string.flatMap { $0.isEmpty || $0.contains(",") ? nil : $0 }
        self.membershipsURL = url("chat_room_memberships_url")
        self.blockURL = url("block_profile_url")
        self.blockedIDsURL = url("blocked_profile_ids_url")
        // A token goes into a header line, so nothing in it may end that line.
        self.accessToken = value["access_token"]?.string.flatMap { token in
            !token.isEmpty && token.utf8.count <= 4096 && token.isVisibleASCII ? token : nil
        }
    }
}
