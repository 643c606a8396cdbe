import JSON
import Machines

/// What a frame of the message carrier brings a member: read, checked, and meant for it.
enum Delivery: Sendable {
    case message(ChatMessage)
    /// A message was deleted; its id is in lower case.
    case deletion(of: String)
    case reaction(MessageAction, by: String)
    case pinned(JSONObject)
    case unpinned(id: String)
    case roomUpdated(JSONObject)
    /// The fields of the event that tells of it.
    case memberAdded(JSONObject)
    case invitation(JSONObject)
    case block(of: String)
    case unblock(of: String)

    /// Who listens, and to what.
    struct Listener: Sendable {
        let profile: String
        let profileChannel: String?
        /// The room to which the channel belongs; nil for a profile's channel and after the room was left.
        let room: String?
        let channels: [String]
    }

    /// Reads a frame.
    ///
    /// - Throws: ``FrameProblem`` if it cannot be read, or is not for this listener.
    init(_ item: SubscribeReply.Item, for listener: Listener) throws(FrameProblem) {
        guard let channel = item.channel else { throw .error(.frame("a frame", Misreading("it names no channel"))) }
        guard listener.channels.contains(channel) else {
            let problem = Misreading(
                "nobody has subscribed to its channel \(channel.shortened(to: 500))", isForeign: true)
            throw .error(.frame("a frame", problem))
        }
        guard item.timeToken != nil || item.raw["p"]?["t"] == nil else {
            throw .error(.frame("a frame", Misreading("its p.t is no time token")))
        }
        guard let type = item.type else { throw .error(.frame("a frame", Misreading("its type is no number"))) }
        switch type {
        case 0: try self.init(Envelope(item.data), on: channel, at: item.timeToken, for: listener)
        case 3:
            let action = try MessageAction(item.data)
            guard let publisher = item.publisher else {
                throw .error(.frame("a message action", Misreading("it has no publisher")))
            }
            self = .reaction(action, by: publisher)
        default: throw .ignored("a frame of the type \(type)")
        }
    }

    private init(
        _ envelope: Envelope, on channel: String, at timeToken: TimeToken?, for listener: Listener
    ) throws(FrameProblem) {
        let event = envelope.event
        do throws(Misreading) {
            guard event.isOfProfile == (channel == listener.profileChannel) else {
                throw Misreading("it came on the channel \(channel.shortened(to: 500))", isForeign: true)
            }
            if let delivery = try Self.delivery(of: envelope, timeToken: timeToken, for: listener) {
                self = delivery
                return
            }
        } catch {
            throw .error(.frame("the event \(event.rawValue)", error))
        }
        throw .ignored("the event \(event.rawValue) names the block and not the profile")
    }

    /// Reads a payload; nil for the end of a block that is known by the block's id only, which the document allows.
    private static func delivery(
        of envelope: Envelope, timeToken: TimeToken?, for listener: Listener
    ) throws(Misreading) -> Delivery? {
        let (event, payload) = (envelope.event, envelope.payload)
        func text(_ name: String) -> String { payload[name]?.string ?? "" }
        switch event {
        case .messageCreated, .imageCreated, .customMessageCreated:
            let message = try ChatMessage(event, payload, timeToken: timeToken)
            try Self.check(payload, "chat_room_id", isOf: listener)
            return .message(message)
        case .messageDeleted, .imageDeleted:
            try MemberRule.check(payload, [.needs("id", .id)])
            try Self.check(payload, "chat_room_id", isOf: listener)
            return .deletion(of: text("id").lowercased())
        case .messagePinned:
            try MemberRule.check(payload, [.needs("id", .id)])
            try Self.check(payload, "chat_room_id", isOf: listener)
            return .pinned(payload)
        case .messageUnpinned:
            try MemberRule.check(payload, [.needs("id", .id)])
            return .unpinned(id: text("id"))
        case .roomUpdated:
            try MemberRule.check(payload, RoomResource.infoRules)
            try Self.check(payload, "id", isOf: listener)
            return .roomUpdated(payload)
        case .roomAdded: return .memberAdded(try Self.membership(payload))
        case .roomInvitation: return .invitation(try Self.invitation(payload, for: listener))
        case .profileBlocked, .profileUnblocked:
            let isBlocked = event == .profileBlocked
            if !isBlocked, payload["blocked_profile_id"] == nil, payload["id"]?.string != nil { return nil }
            try MemberRule.check(payload, [.needs("blocked_profile_id", .id)])
            try MemberRule.check(payload, "blocked_by_profile_id", is: listener.profile)
            return isBlocked ? .block(of: text("blocked_profile_id")) : .unblock(of: text("blocked_profile_id"))
        }
    }

    private static func check(_ payload: JSONObject, _ name: String, isOf listener: Listener) throws(Misreading) {
        if let room = listener.room { try MemberRule.check(payload, name, is: room) }
    }

    private static func membership(_ payload: JSONObject) throws(Misreading) -> JSONObject {
        try MemberRule.check(
            payload,
            [
                .needs("chat_room_id", .id), .may("chat_room_title", .text), .may("sender_nickname", .text),
                .needs("sender_id", .id),
            ])
        var fields: JSONObject = [:]
        fields["room"] = payload["chat_room_id"]
        // A room may have no title, and who adds no nickname; null says so as well.
        fields["title"] = payload["chat_room_title"]?.string.map { .string($0) }
        fields["by"] = payload["sender_nickname"]?.string.map { .string($0) }
        fields["by_id"] = payload["sender_id"]
        return fields
    }

    private static func invitation(_ payload: JSONObject, for listener: Listener) throws(Misreading) -> JSONObject {
        try MemberRule.check(
            payload,
            [.needs("id", .id), .needs("chat_room_id", .id), .needs("status", .text), .needs("invited_by", .object)])
        try MemberRule.check(payload["invited_by"]?.object ?? [:], [.may("nickname", .text)])
        try MemberRule.check(payload, "invited_profile_id", is: listener.profile)
        var fields: JSONObject = [:]
        fields["id"] = payload["id"]
        fields["room"] = payload["chat_room_id"]
        fields["status"] = payload["status"]
        fields["by"] = payload["invited_by"]?["nickname"]?.string.map { .string($0) }
        return fields
    }
}
