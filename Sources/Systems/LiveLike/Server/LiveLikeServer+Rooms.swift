import JSON
import Machines

/// Rooms, messages and mutes: what REST calls, moderators and the carrier share.
extension LiveLikeServer {
    /// Adds a room.
    @discardableResult
    mutating func addRoom(id: String, _ options: JSONObject, creator: String?, at now: Instant) -> ServerRoom {
        var room = ServerRoom(
            id: id, title: options["title"]?.string ?? "", visibility: options["visibility"]?.string ?? "everyone",
            contentFilter: options["content_filter"]?.string ?? "none", customData: options["custom_data"]?.string,
            throttle: Duration(scriptSeconds: options["chat_message_throttle_seconds"]?.double ?? 0) ?? .zero,
            creator: creator, createdAt: self.timestamp(now))
        room.allowsReports = options["reports"]?.bool ?? true
        room.tokenGates = Array((options["token_gates"]?.array ?? []).filter { $0.object != nil }.prefix(100))
        room.wallets = Set((options["wallets"]?.array ?? []).prefix(10_000).compactMap(\.string))
        if let creator { _ = room.add(creator) }
        if self.rooms.updateValue(room, forKey: id) == nil { self.roomOrder.append(id) }
        return room
    }

    /// The room resource with all its URLs.
    func resource(of room: ServerRoom) -> JSONValue {
        let url = "\(self.base)/chat-rooms/\(FormEncoding.percentEncode(room.id))/"
        var fields: JSONObject = [
            "id": .string(room.id), "url": .string(url), "client_id": .string(self.options.clientID ?? "repartee"),
            "created_at": .string(room.createdAt),
            "channels": [
                "chat": ["pubnub": .string(room.chatChannel), "sendbird": nil],
                "reactions": ["pubnub": .string("chatroom.reactions.\(room.id)")],
                "control": ["pubnub": .string(room.controlChannel)],
            ],
            "upload_url": .string(url + "upload/"), "delete_message_url": .string(url + "delete-chat-message/"),
            "memberships_url": .string(url + "memberships/"),
            "muted_status_url_template": .string(url + "muted-status/{profile_id}/"),
            "custom_messages_url": .string(url + "custom-messages/"),
            "chatroom_messages_url": .string(self.base + "/chatroom-messages/"),
            "chatroom_messages_count_url": .string(self.base + "/chatroom-messages-count/"),
            "chatroom_token_gate_access_url": .string(self.base + "/chatroom-token-gate-access/"),
            "token_gates": .array(room.tokenGates),
            "sticker_packs_url": .string(url + "sticker-packs/"),
            "reaction_packs_url": .string(url + "reaction-packs/"),
            "chat_message_throttle_seconds": .double(Double(room.throttle.clampedNanoseconds) / 1e9),
        ]
        if room.allowsReports {
            fields["report_message_url"] = .string(url + "report-message/")
            fields["reported_messages_url"] = .string(self.base + "/reported-chat-room-messages/")
        }
        return .object(self.info(of: room).merging(fields))
    }

    /// The fields of `ChatRoomInfo`.
    func info(of room: ServerRoom) -> JSONObject {
        [
            "id": .string(room.id), "title": .string(room.title), "visibility": .string(room.visibility),
            "content_filter": .string(room.contentFilter), "custom_data": room.customData.map { .string($0) } ?? .null,
        ]
    }

    /// Changes a room and tells its members.
    ///
    /// What the event carries is not published; defined here: all fields of `ChatRoomInfo`, on the control channel.
    mutating func updateRoom(_ id: String, _ fields: JSONObject, in step: inout Step) {
        guard var room = self.rooms[id] else { return }
        if let title = fields["title"]?.string { room.title = title }
        if let visibility = fields["visibility"]?.string { room.visibility = visibility }
        if let filter = fields["content_filter"]?.string { room.contentFilter = filter }
        if let data = fields["custom_data"]?.string { room.customData = data }
        if let throttle = fields["chat_message_throttle_seconds"]?.double {
            room.throttle = Duration(scriptSeconds: throttle) ?? room.throttle
        }
        self.rooms[id] = room
        self.publish(Envelope(.roomUpdated, self.info(of: room)).json, on: room.controlChannel, in: &step)
    }

    /// Whether a profile may only read, in this room or anywhere.
    func isMuted(_ profile: String, in room: String) -> Bool {
        self.globallyMuted.contains(profile) || self.rooms[room]?.muted.contains(profile) == true
    }

    /// Whether nobody else hears a profile, in this room or anywhere.
    func isShadowMuted(_ profile: String, in room: String) -> Bool {
        self.globallyShadowMuted.contains(profile) || self.rooms[room]?.shadowMuted.contains(profile) == true
    }

    /// Returns whether a member may send now, and counts it as sent if so.
    mutating func takeTurn(_ profile: String, in room: String, now: Instant) -> Bool {
        guard let throttle = self.rooms[room]?.throttle, throttle > .zero else { return true }
        if let last = self.rooms[room]?.lastSent[profile], now - last < throttle { return false }
        self.rooms[room]?.lastSent[profile] = now
        return true
    }

    /// Counts a message and remembers where it stands in the log.
    mutating func remember(_ id: String, _ token: TimeToken, room: String) {
        self.messageCount += 1
        self.rooms[room]?.tokens[id.lowercased()] = token
        // Old ids go with the old messages of the log.
        guard let tokens = self.rooms[room]?.tokens, tokens.count > 2 * Carrier.logLimit else { return }
        let oldest = tokens.values.sorted().suffix(Carrier.logLimit).first ?? .zero
        self.rooms[room]?.tokens = tokens.filter { $0.value >= oldest }
    }

    /// The fields that say who sent a message.
    func senderFields(_ profile: ServerProfile) -> JSONObject {
        [
            "sender_id": .string(profile.id), "sender_nickname": .string(profile.nickname), "sender_image_url": .null,
            "badge_image_url": .null, "sender_profile_url": .string("\(self.base)/profiles/\(profile.id)/"),
        ]
    }

    /// Makes the message object of a new message and masks what the room filters.
    ///
    /// What the filters `producer` and `ai` look at is not published; defined here: the same words as `filtered`.
    mutating func makeMessage(
        _ event: EnvelopeEvent, _ fields: JSONObject, room: ServerRoom, profile: ServerProfile,
        in step: inout Step
    ) -> JSONObject {
        var message: JSONObject = [
            "id": .string(step.random.uuid()), "chat_room_id": .string(room.id),
            "created_at": .string(self.timestamp(step.now)),
        ]
        for (name, value) in self.senderFields(profile) { message[name] = value }
        let copied = [
            "message", "client_message_id", "sender_image_url", "badge_image_url", "image_url", "image_width",
            "image_height", "custom_data", "program_date_time", "quote_message_id", "message_metadata",
            "parent_message_id",
        ]
        for name in copied { if let value = fields[name] { message[name] = value } }
        if var quote = fields["quote_message"]?.object {
            quote["quote_message"] = nil
            quote["quote_message_id"] = nil
            message["quote_message"] = .object(quote)
        }
        message["content_filter"] = []
        message["filtered_message"] = .null
        guard room.contentFilter != "none", let text = fields["message"]?.string else { return message }
        let masked = KeywordFilter(words: self.options.filteredWords).masked(text)
        if masked != text {
            message["content_filter"] = ["filtered", "profanity"]
            message["filtered_message"] = .string(masked)
        }
        return message
    }

    /// Publishes a message to those who may see it.
    ///
    /// How the service hides what a shadow-muted member sends is not published; defined here: the carrier shows it to its
    /// sender alone, also in the history.
    mutating func deliver(
        _ event: EnvelopeEvent, _ message: JSONObject, room: ServerRoom, by profile: String, in step: inout Step
    ) -> TimeToken {
        let isFiltered = message["content_filter"]?.array?.isEmpty == false
        let token = self.publish(
            Envelope(event, message).json, on: room.chatChannel, senderID: profile,
            filter: isFiltered ? "filtered" : "",
            visibleOnlyTo: self.isShadowMuted(profile, in: room.id) ? profile : nil, in: &step)
        if let id = message["id"]?.string { self.remember(id, token, room: room.id) }
        if let parent = message["parent_message_id"]?.string?.lowercased() {
            self.rooms[room.id]?.replies[parent, default: 0] += 1
        }
        return token
    }

    /// Deletes a message and tells the room.
    ///
    /// What the event carries besides the id is not published; defined here: the room and the publish token.
    ///
    /// - Returns: False if the room has no such message.
    mutating func delete(_ id: String, in room: ServerRoom, removing: Bool, in step: inout Step) -> Bool {
        guard let token = room.tokens[id.lowercased()], let entry = self.carrier.entry(on: room.chatChannel, at: token)
        else { return false }
        let wasImage = entry.data["event"]?.string == EnvelopeEvent.imageCreated.rawValue
        if removing { self.carrier.update(on: room.chatChannel, at: token) { $0.isRemoved = true } }
        let payload: JSONObject = [
            "id": .string(id.lowercased()), "chat_room_id": .string(room.id), "pubnub_timetoken": .integer(token.ticks),
        ]
        let event = wasImage ? EnvelopeEvent.imageDeleted : .messageDeleted
        self.publish(Envelope(event, payload).json, on: room.chatChannel, in: &step)
        return true
    }

    /// Pins a message and tells the room, on the control channel; which one the vendor uses is defined here.
    mutating func pin(
        _ id: String, payload: JSONValue, in room: ServerRoom, by profile: String, in step: inout Step
    ) -> JSONObject {
        let pinID = step.random.uuid()
        let info: JSONObject = [
            "id": .string(pinID), "url": .string("\(self.base)/pinned-messages/\(pinID)/"), "message_id": .string(id),
            "chat_room_id": .string(room.id), "pinned_by_id": .string(profile), "message_payload": payload,
            "pinned_at": .string(self.timestamp(step.now)),
        ]
        self.rooms[room.id]?.pins.append(info)
        self.publish(Envelope(.messagePinned, info).json, on: room.controlChannel, in: &step)
        return info
    }

    /// Takes a pin away and tells the room.
    mutating func unpin(_ pinID: String, in room: String, in step: inout Step) -> Bool {
        guard let index = self.rooms[room]?.pins.firstIndex(where: { $0["id"]?.string == pinID }) else { return false }
        self.rooms[room]?.pins.remove(at: index)
        if let channel = self.rooms[room]?.controlChannel {
            self.publish(Envelope(.messageUnpinned, ["id": .string(pinID)]).json, on: channel, in: &step)
        }
        return true
    }

    /// The room in which something is pinned under that id.
    func pinRoom(_ pinID: String) -> String? {
        self.roomOrder.first { self.rooms[$0]?.pins.contains { $0["id"]?.string == pinID } == true }
    }
}
