import JSON
import Machines

/// What a call for the history of a room reads.
struct RoomHistory {
    let room: ServerRoom
    let pubNub: PubNubChannels
    let call: ServiceCall
    let reader: ServerProfile

    /// What is wrong with the times and the message that the call names; nil if they can be read.
    ///
    /// How the service answers a message that it does not know is not published; defined here.
    var refusal: ServiceAnswer? {
        if let id = self.call.target.query["since_message_id"], self.room.messages.token(of: id) == nil {
            return .invalid("since_message_id", "The message does not exist.")
        }
        let times = self.call.target.query.filter { ["since", "until"].contains($0.key) }
        let unreadable = times.filter { ServiceTime.ticks($0.value) == nil }.keys.min()
        return unreadable.map { .invalid($0, "Enter a valid date/time.") }
    }

    /// The messages that the call asks for; that `since` and `until` are both exclusive, and the message after which
    /// others are asked for is none of them, is defined here.
    private func entries(limit: Int) -> [PubNubChannels.Entry] {
        let query = self.call.target.query
        let before = query["until"].flatMap(ServiceTime.ticks).map(TimeToken.init(ticks:))
        let moment = query["since"].flatMap(ServiceTime.ticks).map(TimeToken.init(ticks:)) ?? .zero
        let message = query["since_message_id"].flatMap { self.room.messages.token(of: $0) } ?? .zero
        let after = max(moment, message)
        let parent = query["parent_message_id"]?.lowercased()
        let quoted = query["quoted_sender_id"]
        return self.pubNub.messages(
            on: self.room.chatChannel, before: before, after: after, limit: limit, for: self.reader.id,
            where: { entry in
                let payload = entry.data["payload"]
                if let parent, payload?["parent_message_id"]?.string?.lowercased() != parent { return false }
                if let quoted, payload?["quote_message"]?["sender_id"]?.string != quoted { return false }
                return true
            })
    }

    /// A page of history, oldest message first.
    var page: ServiceAnswer {
        let results = self.entries(limit: self.call.pageSize).map { entry in
            var message = entry.data["payload"]?.object ?? [:]
            message["message_event"] = entry.data["event"]
            message["pubnub_timetoken"] = .integer(entry.token.ticks)
            message["created_at"] = .string(ServiceTime.text(ticks: entry.token.ticks))
            if !entry.reactions.isEmpty {
                message["reactions"] = entry.reactionsByID(tokenName: "actionTimeToken")
            }
            if let id = message["id"]?.string, let count = self.room.messages.replyCount(of: id) {
                message["replies_count"] = .integer(count)
                message["replies_url"] = .string(
                    "\(self.call.moment.base)/chatroom-messages/?chat_room_id=\(self.room.id)&parent_message_id=\(id)")
            }
            return JSONValue.object(message)
        }
        return ServiceAnswer(["next": .null, "previous": .null, "results": .array(results)])
    }

    /// How many messages stand between two times.
    var count: ServiceAnswer {
        let count = self.entries(limit: PubNubChannels.logLimit).count { entry in
            entry.data["event"]?.string.flatMap(EnvelopeEvent.init)?.isCreation == true
        }
        return ServiceAnswer(["count": .integer(Int64(count))])
    }
}
