import JSON
import Machines

/// What arrives over the subscribe loop.
extension LiveLikeClient {
    /// A queue for the play head holds at most this many messages (vendor's Android SDK); older ones are released.
    static let spoilerLimit = 20

    /// Takes one carried message; one that cannot be read is dropped and the loop goes on.
    mutating func receive(_ item: SubscribeReply.Item, in step: inout ClientStep) {
        if item.type == 3 { return self.receiveAction(item, in: &step) }
        guard item.type == 0, let envelope = Envelope(item.data) else { return }
        let payload = envelope.payload
        switch envelope.event {
        case .messageCreated, .imageCreated, .customMessageCreated:
            guard let room = self.room(of: item),
                let message = ChatMessage(envelope.event, payload, timeToken: item.timeToken)
            else { return }
            self.arrived(message, room: room, raw: item.raw, in: &step)
        case .messageDeleted, .imageDeleted:
            guard let room = self.room(of: item), let id = payload["id"]?.string else { return }
            self.deleted(id.lowercased(), room: room, raw: item.raw, in: &step)
        case .messagePinned:
            self.emitRoomEvent(.messagePinned, ["pin": .object(payload)], item, in: &step)
        case .messageUnpinned:
            self.emitRoomEvent(.messageUnpinned, ["pin_id": payload["id"] ?? .null], item, in: &step)
        case .roomUpdated:
            guard let room = self.room(of: item), let index = self.index(of: room) else { return }
            self.rooms[index].resource.read(payload)
            guard self.rooms[index].state == .connected else { return }
            let info = self.rooms[index].resource.info(id: room)
            self.emit(.roomUpdated, info, raw: item.raw, in: &step)
        case .roomAdded:
            let fields: JSONObject = [
                "room": payload["chat_room_id"] ?? .null, "title": payload["chat_room_title"] ?? .null,
                "by": payload["sender_nickname"] ?? .null, "by_id": payload["sender_id"] ?? .null,
            ]
            self.emit(.memberAdded, fields, raw: item.raw, in: &step)
        case .roomInvitation:
            let fields: JSONObject = [
                "id": payload["id"] ?? .null, "room": payload["chat_room_id"] ?? .null,
                "status": payload["status"] ?? .null, "by": payload["invited_by"]?["nickname"] ?? .null,
            ]
            self.emit(.invitation, fields, raw: item.raw, in: &step)
        case .profileBlocked, .profileUnblocked: self.receiveBlock(envelope, item, in: &step)
        }
    }

    private func room(of item: SubscribeReply.Item) -> String? { self.roomsByChannel[item.channel] }

    private func emitRoomEvent(
        _ kind: EventKind, _ fields: JSONObject, _ item: SubscribeReply.Item, in step: inout ClientStep
    ) {
        guard let room = self.room(of: item), let index = self.index(of: room), self.rooms[index].state == .connected
        else { return }
        self.emit(kind, fields.merging(["room": .string(room)]), raw: item.raw, in: &step)
    }

    private mutating func receiveBlock(
        _ envelope: Envelope, _ item: SubscribeReply.Item, in step: inout ClientStep
    ) {
        guard let id = envelope.payload["blocked_profile_id"]?.string else { return }
        let isBlocked = envelope.event == .profileBlocked
        if isBlocked { self.block(id) } else { self.blocked.remove(id) }
        self.emit(
            isBlocked ? .profileBlocked : .profileUnblocked, ["profile_id": .string(id)], raw: item.raw, in: &step)
    }

    /// Remembers a blocked sender; the number is bounded because a server says it.
    mutating func block(_ profile: String) {
        if self.blocked.count < 10_000, profile != self.profile?.id { self.blocked.insert(profile) }
    }

    // MARK: Messages

    private mutating func arrived(
        _ message: ChatMessage, room: String, raw: JSONValue, in step: inout ClientStep
    ) {
        guard let index = self.index(of: room) else { return }
        let isNew = self.rooms[index].seen.insert(message.id)
        let isMine = message.senderID == self.profile?.id
        // An echo of a message that is known already still brings its publish token.
        if isMine, self.mergeEcho(message, at: index) {
            if isNew, !self.options.discardsOwnEcho {
                self.emit(.message, self.fields(of: message, room: room), raw: raw, in: &step)
            }
            return
        }
        guard isNew, let message = self.accepted(message, at: index) else { return }
        // Before the first page of history is there nobody has the session object yet; what comes joins the list.
        guard self.rooms[index].state == .connected else {
            self.rooms[index].messages.insert(message)
            return
        }
        if !isMine, self.isAhead(message, in: step) {
            self.rooms[index].spoilers.append(message)
            if self.options.platform == .android, self.rooms[index].spoilers.count > Self.spoilerLimit {
                self.show(self.rooms[index].spoilers.removeFirst(), at: index, raw: nil, in: &step)
            }
            step.ask(.setTimer("play-head", self.options.playHeadInterval))
            return
        }
        self.show(message, at: index, raw: raw, in: &step)
    }

    private mutating func show(_ message: ChatMessage, at index: Int, raw: JSONValue?, in step: inout ClientStep) {
        guard self.rooms[index].messages.insert(message) else { return }
        self.emit(.message, self.fields(of: message, room: self.rooms[index].id), raw: raw, in: &step)
    }

    /// Puts what the server made of an own message in the place of the local one.
    ///
    /// - Returns: Whether the message is an echo: known by its client id or by the id of an answer that came first.
    private mutating func mergeEcho(_ message: ChatMessage, at index: Int) -> Bool {
        if let clientID = message.clientID, let local = self.rooms[index].pending.removeValue(forKey: clientID) {
            self.rooms[index].messages.replace(local, by: message)
            return true
        }
        guard let known = self.rooms[index].messages[message.id] else { return false }
        guard !known.isDeleted else { return true }
        var merged = message
        merged.reactions = known.reactions
        self.rooms[index].messages.replace(message.id, by: merged)
        return true
    }

    /// Returns a message as this member may see it, or nil if it must stay hidden.
    func accepted(_ message: ChatMessage, at index: Int) -> ChatMessage? {
        let room = self.rooms[index]
        guard !room.deleted.contains(message.id), !self.blocked.contains(message.senderID) else { return nil }
        var message = message
        if let quoted = message.quote?["sender_id"]?.string, self.blocked.contains(quoted) {
            message.isQuoteOfBlocked = true
        }
        guard !message.filters.isEmpty, message.senderID != self.profile?.id else { return message }
        guard self.options.includesFiltered, let filtered = message.filteredText else { return nil }
        message.text = filtered
        return message
    }

    /// Takes a deletion, once per message, whether that is loaded or not.
    mutating func deleted(_ id: String, room: String, raw: JSONValue?, in step: inout ClientStep) {
        guard let index = self.index(of: room), self.rooms[index].deleted.insert(id) else { return }
        self.rooms[index].spoilers.removeAll { $0.id == id }
        self.hide(id, at: index)
        guard self.rooms[index].state == .connected else { return }
        self.emit(.messageDeleted, ["room": .string(room), "id": .string(id)], raw: raw, in: &step)
    }

    /// Leaves a placeholder without content in the place of a message.
    mutating func hide(_ id: String, at index: Int) {
        self.rooms[index].messages.update(id) { message in
            message.isDeleted = true
            message.text = ""
            message.imageURL = nil
            message.customData = nil
            message.quote = nil
            message.reactions = []
        }
    }

    // MARK: Play head

    private func isAhead(_ message: ChatMessage, in step: ClientStep) -> Bool {
        guard let head = self.playHeadTicks(at: step.now), let time = message.programTicks else { return false }
        return time > head
    }

    private func playHeadTicks(at now: Instant) -> Int64? {
        guard let playHead, playHead.ticks > 0 else { return nil }
        return playHead.ticks.addingReportingOverflow((now - playHead.at).clampedNanoseconds / 100).partialValue
    }

    /// Shows what the play head has reached.
    mutating func releaseSpoilers(in step: inout ClientStep) {
        var isWaiting = false
        for index in self.rooms.indices {
            let waiting = self.rooms[index].spoilers
            guard !waiting.isEmpty else { continue }
            self.rooms[index].spoilers = waiting.filter { self.isAhead($0, in: step) }
            for message in waiting where !self.isAhead(message, in: step) {
                self.show(message, at: index, raw: nil, in: &step)
            }
            isWaiting = isWaiting || !self.rooms[index].spoilers.isEmpty
        }
        if isWaiting { step.ask(.setTimer("play-head", self.options.playHeadInterval)) }
    }

    // MARK: Reactions

    private mutating func receiveAction(_ item: SubscribeReply.Item, in step: inout ClientStep) {
        guard let room = self.room(of: item), let action = MessageAction(item.data), let publisher = item.publisher,
            publisher != self.profile?.id, let index = self.index(of: room),
            let id = self.rooms[index].messages.id(at: action.messageTimeToken)
        else { return }
        let reaction = ChatMessage.Reaction(
            reactionID: action.value, profileID: publisher, actionTimeToken: action.actionTimeToken)
        self.apply(reaction, isAdded: action.isAdded, to: id, at: index, raw: item.raw, in: &step)
    }

    /// Changes the reactions of a message and tells the script.
    mutating func apply(
        _ reaction: ChatMessage.Reaction, isAdded: Bool, to id: String, at index: Int, raw: JSONValue?,
        in step: inout ClientStep
    ) {
        self.rooms[index].messages.update(id) { message in
            message.reactions.removeAll {
                $0.profileID == reaction.profileID && $0.reactionID == reaction.reactionID
            }
            if isAdded, message.reactions.count < ChatMessage.reactionLimit { message.reactions.append(reaction) }
        }
        guard let message = self.rooms[index].messages[id], self.rooms[index].state == .connected else { return }
        var fields = self.fields(of: message, room: self.rooms[index].id)
        fields["reaction"] = .string(reaction.reactionID)
        fields["added"] = .bool(isAdded)
        fields["by_id"] = .string(reaction.profileID)
        self.emit(.messageUpdated, fields, raw: raw, in: &step)
    }
}
