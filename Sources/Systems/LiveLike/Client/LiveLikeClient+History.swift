import HTTPTypes
import JSON
import Machines

/// Pages of history, from the service or from the message carrier.
extension LiveLikeClient {
    /// The most that `getMessages(since:)` returns (vendor's iOS SDK).
    static let sinceLimit = 100

    /// Loads the next older page; a second call while one runs fails at once.
    mutating func loadNextHistory(_ room: String, in step: inout ClientStep) -> CommandOutcome {
        guard let index = self.index(of: room), self.rooms[index].state == .connected else {
            return .refused("the room \"\(room)\" is not connected; expect \"connected\" first")
        }
        if self.rooms[index].isLoadingHistory {
            self.emit(.concurrentHistory, callback: "loadNextHistory", ["room": .string(room)], in: &step)
        } else if self.rooms[index].isAtStart {
            self.emitHistory([], .next, at: index, in: &step)
        } else {
            self.rooms[index].isLoadingHistory = true
            self.load(.next, room: room, in: &step)
        }
        return .done(.null)
    }

    /// Asks for a page where the carriage says.
    mutating func load(_ page: HistoryPage, room: String, in step: inout ClientStep) {
        guard let index = self.index(of: room) else { return }
        let url: WebAddress? =
            switch self.options.carriage {
            case .rest: self.serviceHistory(page, self.rooms[index])
            case .pubnub: self.carrierHistory(page, self.rooms[index])
            }
        guard let url else { return self.historyFailed(room, page, .unreadable, in: &step) }
        let token = self.options.carriage == .rest ? self.token : nil
        self.request(.history(room: room, page), .get, url, token: token, in: &step)
    }

    private func serviceHistory(_ page: HistoryPage, _ room: RoomSession) -> WebAddress? {
        var query: [(String, String?)] = [("chat_room_id", room.id)]
        switch page {
        case .initial: query.append(("page_size", String(self.options.pageSize)))
        case .next: query += [("page_size", String(self.options.pageSize)), ("until", room.oldestCreatedAt)]
        case .since(let token, _):
            query += [("page_size", String(Self.sinceLimit)), ("since", ServiceTime.text(ticks: token.ticks))]
        case .replies(let id): query += [("page_size", String(Self.sinceLimit)), ("parent_message_id", id)]
        }
        return room.resource.messagesURL?.with(query)
    }

    private func carrierHistory(_ page: HistoryPage, _ room: RoomSession) -> WebAddress? {
        guard let application else { return nil }
        var query: [(String, String?)] = [("include_meta", "true"), ("include_uuid", "true")]
        var call = "history-with-actions"
        switch page {
        case .initial: query.append(("max", String(self.options.pageSize)))
        case .next: query += [("max", String(self.options.pageSize)), ("start", room.oldestTimeToken?.text)]
        case .since(let token, _):
            call = "history"
            // `end` is inclusive and the token itself must not be part of the page.
            let next = TimeToken(ticks: token.ticks == .max ? token.ticks : token.ticks + 1)
            query += [("max", String(Self.sinceLimit)), ("end", next.text)]
        case .replies: query.append(("max", String(self.options.pageSize)))
        }
        let key = FormEncoding.percentEncode(application.subscribeKey)
        let channel = FormEncoding.percentEncode(room.resource.chatChannel)
        return self.carrierURL("/v3/\(call)/sub-key/\(key)/channel/\(channel)")?.with(query + self.carrierParameters)
    }

    /// Sorts a page into the list: deletions first, hidden messages left out.
    mutating func historyArrived(
        _ room: String, _ page: HistoryPage, _ body: [UInt8], in step: inout ClientStep
    ) {
        guard let index = self.index(of: room) else { return }
        guard let value = try? JSONReader.read(body), let items = self.items(value, at: index) else {
            return self.historyFailed(room, page, .unreadable, in: &step)
        }
        self.rooms[index].isLoadingHistory = false
        // Deletions come later than what they delete, so they are looked at first.
        for item in items where item.event.isDeletion {
            guard let id = item.payload["id"]?.string?.lowercased(), self.rooms[index].deleted.insert(id) else {
                continue
            }
            self.hide(id, at: index)
        }
        var messages: [ChatMessage] = []
        for item in items where item.event.isCreation {
            guard let message = ChatMessage(item.event, item.payload, timeToken: item.timeToken) else { continue }
            // In history a filtered message is hidden from its own sender too (vendor's Android SDK).
            guard message.filters.isEmpty || self.options.includesFiltered,
                let shown = self.accepted(message, at: index)
            else { continue }
            messages.append(shown)
        }
        switch page {
        case .initial, .next:
            self.rooms[index].isAtStart = items.isEmpty
            if let first = items.first {
                self.rooms[index].oldestTimeToken = first.timeToken ?? self.rooms[index].oldestTimeToken
            }
            if let oldest = items.first(where: { $0.event.isCreation })?.payload["created_at"]?.string {
                self.rooms[index].oldestCreatedAt = oldest
            }
            messages = messages.filter { message in
                self.rooms[index].seen.insert(message.id) && self.rooms[index].messages.insert(message)
            }
            self.emitHistory(messages, page, at: index, in: &step)
            if page == .initial { self.connected(index, in: &step) }
        case .since, .replies: self.emitAnswer(messages, page, room: room, in: &step)
        }
    }

    private struct HistoryItem {
        let event: EnvelopeEvent
        let payload: JSONObject
        let timeToken: TimeToken?
    }

    /// Reads a page of either source, oldest first; what cannot be read is left out.
    private func items(_ value: JSONValue, at index: Int) -> [HistoryItem]? {
        switch self.options.carriage {
        case .rest:
            guard let results = value["results"]?.array else { return nil }
            return results.prefix(Self.sinceLimit).compactMap { entry in
                guard let payload = entry.object else { return nil }
                let event = payload["message_event"]?.string.flatMap(EnvelopeEvent.init) ?? .messageCreated
                let token = payload["pubnub_timetoken"].flatMap(SubscribeReply.token)
                return HistoryItem(event: event, payload: payload, timeToken: token)
            }
        case .pubnub:
            guard let channels = value["channels"]?.object else { return nil }
            let entries = channels[self.rooms[index].resource.chatChannel]?.array ?? []
            return entries.prefix(Self.sinceLimit).compactMap { entry in
                guard let envelope = entry["message"].flatMap(Envelope.init) else { return nil }
                var payload = envelope.payload
                if let actions = entry["actions"]?[MessageAction.reactionType] { payload["reactions"] = actions }
                let token = entry["timetoken"].flatMap(SubscribeReply.token)
                return HistoryItem(event: envelope.event, payload: payload, timeToken: token)
            }
        }
    }

    private func emitHistory(
        _ messages: [ChatMessage], _ page: HistoryPage, at index: Int, in step: inout ClientStep
    ) {
        let room = self.rooms[index]
        self.emit(
            .history,
            [
                "room": .string(room.id), "initial": .bool(page == .initial), "end": .bool(room.isAtStart),
                "count": .integer(Int64(messages.count)),
                "messages": .array(messages.map { .object(self.fields(of: $0, room: room.id)) }),
            ], callback: page == .initial ? nil : "loadNextHistory", in: &step)
    }

    private func emitAnswer(
        _ messages: [ChatMessage], _ page: HistoryPage, room: String, in step: inout ClientStep
    ) {
        if case .since(_, counting: true) = page {
            let fields: JSONObject = ["room": .string(room), "value": .integer(Int64(messages.count))]
            return self.emit(.completed, fields, callback: "getMessageCount", in: &step)
        }
        var callback = "getMessages"
        if case .replies = page { callback = "getChatMessages" }
        let shown = messages.map { JSONValue.object(self.fields(of: $0, room: room)) }
        self.emit(.completed, ["room": .string(room), "value": .array(shown)], callback: callback, in: &step)
    }

    /// Reports a page that did not come; without the first one a room is not connected.
    mutating func historyFailed(
        _ room: String, _ page: HistoryPage, _ error: SDKError, in step: inout ClientStep
    ) {
        guard let index = self.index(of: room) else { return }
        self.rooms[index].isLoadingHistory = false
        if page == .initial { return self.connectFailed(room, error, in: &step) }
        let callback =
            switch page {
            case .since(_, counting: true): "getMessageCount"
            case .since: "getMessages"
            case .replies: "getChatMessages"
            case .initial, .next: "loadNextHistory"
            }
        self.emit(error, callback: callback, ["room": .string(room)], in: &step)
    }
}
