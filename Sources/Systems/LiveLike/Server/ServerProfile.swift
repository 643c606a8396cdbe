import JSON

/// A user of the simulated service.
struct ServerProfile: Hashable, Sendable {
    /// Another user whom this one has blocked.
    struct Block: Hashable, Sendable {
        let profile: String
        /// The resource.
        let resource: JSONObject
    }

    let id: String
    let token: String
    var nickname: String
    let createdAt: String
    /// May moderate every room; the profile of a party that a script plays.
    let isProducer: Bool
    /// Whom this user has blocked, in order.
    var blocks: [Block] = []

    /// The channel on which the service tells this user alone.
    static func channel(of id: String) -> String { "profile.\(id)" }

    /// The profile resource; its token only for its owner.
    func resource(base: String, withToken: Bool = false) -> JSONObject {
        let url = "\(base)/profiles/\(self.id)/"
        var fields: JSONObject = [
            "id": .string(self.id), "url": .string(withToken ? base + "/profile/" : url),
            "nickname": .string(self.nickname), "custom_data": .null, "created_at": .string(self.createdAt),
            "subscribe_channel": .string(Self.channel(of: self.id)), "reported_count": 0,
            "chat_room_memberships_url": .string(url + "chat-room-memberships/"),
            "block_profile_url": .string(url + "blocks/"),
            "blocked_profiles_template_url": .string(url + "blocks/"),
            "blocked_profile_ids_url": .string(url + "blocked-profile-ids/"), "badges_url": .string(url + "badges/"),
        ]
        if withToken { fields["access_token"] = .string(self.token) }
        return fields
    }

    /// The fields that say who sent a message.
    func senderFields(base: String) -> JSONObject {
        [
            "sender_id": .string(self.id), "sender_nickname": .string(self.nickname), "sender_image_url": .null,
            "badge_image_url": .null, "sender_profile_url": .string("\(base)/profiles/\(self.id)/"),
        ]
    }
}
