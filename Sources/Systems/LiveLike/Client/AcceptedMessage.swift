import JSON
import Machines

/// What the service or the carrier answered to a message.
enum AcceptedMessage: Sendable {
    /// The service made this of it.
    case message(ChatMessage, raw: JSONValue)
    /// The carrier published it under the id that the client gave it.
    case published(id: String, TimeToken, raw: JSONValue)

    /// What the answer to a custom message has.
    private static let customRules: [MemberRule] = [
        .needs("id", .id), .needs("custom_data", .text), .may("sender_id", .text), .may("sender_nickname", .text),
        .may("created_at", .time),
    ]

    /// Reads an answer.
    ///
    /// - Throws: ``SDKError`` if it cannot be read, is about another message, or says that the message was not taken.
    init(_ message: OutgoingMessage, _ body: [UInt8], by carriage: ClientOptions.Carriage) throws(SDKError) {
        let what = "the answer to the message"
        switch carriage {
        case .rest:
            self = try SDKError.reading(what, body) { value throws(Misreading) in
                let event = message.kind == .image ? EnvelopeEvent.imageCreated : .messageCreated
                let payload = value.object ?? [:]
                let answered = try ChatMessage(event, payload, timeToken: nil)
                try MemberRule.check(payload, "client_message_id", is: message.clientID)
                try MemberRule.check(payload, "chat_room_id", is: message.room)
                return .message(answered, raw: value)
            }
        case .pubnub:
            let value = try SDKError.reading(what, body) { value throws(Misreading) in value }
            guard value[0]?.integer == 1 else {
                let said = (value[1]?.string ?? value.description).shortened(to: 500)
                throw SDKError("invalidResponse", "the carrier did not take the message: \(said)")
            }
            guard let token = value[2].flatMap(SubscribeReply.token) else {
                throw .unreadable(what, Misreading("it has no time token"))
            }
            self = .published(id: message.clientID, token, raw: value)
        }
    }

    /// Returns what there is to tell of the answer to a custom message.
    static func custom(_ body: [UInt8], in room: String) -> MemberEvent {
        do throws(SDKError) {
            let value = try SDKError.reading("the answer to the custom message", body) { value throws(Misreading) in
                try MemberRule.check(value.object ?? [:], Self.customRules)
                return value
            }
            var fields: JSONObject = ["room": .string(room), "type": "custom"]
            fields["id"] = value["id"]
            fields["custom_data"] = value["custom_data"]
            fields["sender_id"] = value["sender_id"]
            fields["from"] = value["sender_nickname"]
            fields["published_at"] = value["created_at"]
            return MemberEvent(.messageSent, fields, callback: "sendCustomMessage", raw: value)
        } catch {
            return MemberEvent(error, callback: "sendCustomMessage", ["room": .string(room)])
        }
    }

    /// Returns what there is to tell of the answer to a message.
    ///
    /// - Parameters:
    ///   - message: The message as it was sent.
    ///   - known: The message in the list as scripts see it; empty if it is not there.
    func told(of message: OutgoingMessage, _ known: JSONObject) -> MemberEvent {
        var (text, image) = (message.text, message.image.url)
        if case .message(let answered, _) = self { (text, image) = (answered.text, answered.image.url) }
        var fields: JSONObject = [
            "room": .string(message.room), "id": .string(self.id), "client_message_id": .string(message.clientID),
            "type": .string(message.kind.rawValue), "text": .string(text),
        ]
        fields["image_url"] = image.map { .string($0) }
        for name in ["from", "sender_id", "published_at"] { fields[name] = known[name] }
        return MemberEvent(.messageSent, fields, callback: "sendMessage", raw: self.raw)
    }

    /// The id that the message has from now on.
    var id: String {
        switch self {
        case .message(let message, _): message.id
        case .published(let id, _, _): id
        }
    }

    /// The answer as it came.
    var raw: JSONValue {
        switch self {
        case .message(_, let raw), .published(_, _, let raw): raw
        }
    }
}
