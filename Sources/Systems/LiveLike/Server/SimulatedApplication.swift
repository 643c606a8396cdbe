import JSON

/// The application to which a client belongs, with the URLs of everything else.
struct SimulatedApplication {
    let options: ServerOptions
    let base: String
    /// Where the message carrier is.
    let authority: String

    /// Answers a call for an application; any is known unless the options name one.
    func answer(_ call: ServiceCall) -> ServiceAnswer {
        guard call.segments.count == 2, self.options.clientID == nil || self.options.clientID == call.segments[1] else {
            return .notFound
        }
        var fields: JSONObject = [
            "client_id": .string(call.segments[1]), "name": "Simulated application",
            "pubnub_subscribe_key": .string(PubNubPart.subscribeKey), "pubnub_origin": .string(self.authority),
            "pubnub_heartbeat_interval": self.options.heartbeat.map { .integer($0) } ?? .null,
            "pubnub_presence_timeout": 279, "profile_url": .string(self.base + "/profile/"),
            "profile_detail_url_template": .string(self.base + "/profiles/{profile_id}/"),
            "chat_room_detail_url_template": .string(self.base + "/chat-rooms/{chat_room_id}/"),
            "create_chat_room_url": .string(self.base + "/chat-rooms/"),
            "create_chat_room_invitation_url": .string(self.base + "/chat-room-invitations/"),
            "chat_rooms_invitations_url": .string(self.base + "/chat-room-invitations/"),
            "chat_room_invitation_detail_url_template":
                .string(self.base + "/chat-room-invitations/{invitation_id}/"),
            "profile_chat_room_received_invitations_url_template":
                .string(self.base + "/profiles/{profile_id}/received-invitations/"),
            "profile_chat_room_sent_invitations_url_template":
                .string(self.base + "/profiles/{profile_id}/sent-invitations/"),
            "pinned_messages_url": .string(self.base + "/pinned-messages/"),
            "user_search_url": .string(self.base + "/profiles/"),
            "program_detail_url_template": .string(self.base + "/programs/{program_id}/"),
            "sticker_packs_url": .string(self.base + "/sticker-packs/"),
            "reaction_packs_url": .string(self.base + "/reaction-packs/"),
            "sponsors_url": .string(self.base + "/sponsors/"), "analytics_properties": [:],
        ]
        if self.options.canPublish { fields["pubnub_publish_key"] = .string(PubNubPart.publishKey) }
        return ServiceAnswer(.object(fields))
    }

    /// The stickers of the rooms.
    var stickerPacks: ServiceAnswer {
        let stickers = self.options.stickers.map { name -> JSONValue in
            ["shortcode": .string(name), "file": .string("\(self.base)/stickers/\(name).png")]
        }
        return .list([["name": "Stickers", "file": .null, "stickers": .array(stickers)]])
    }

    /// The reactions to messages.
    var reactionPacks: ServiceAnswer {
        let emojis = self.options.reactions.map { name -> JSONValue in
            ["id": .string(name), "name": .string(name), "file": .string("\(self.base)/reactions/\(name).png")]
        }
        return .list([["name": "Reactions", "file": .null, "emojis": .array(emojis)]])
    }
}
