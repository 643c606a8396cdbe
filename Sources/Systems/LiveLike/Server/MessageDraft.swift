import JSON
import Machines

/// A message that somebody wants to send into a room.
struct MessageDraft: Sendable {
    let event: EnvelopeEvent
    /// What the sender says of it.
    let fields: JSONObject
    let sender: ServerProfile
    /// Whether nobody else hears the sender.
    let isShadowMuted: Bool
    /// What the filter masks in this room.
    let filteredWords: [String]

    /// Makes the message and masks what the room filters.
    ///
    /// What the filters `producer` and `ai` look at is not published; defined here: the same words as `filtered`.
    func message(in room: ServerRoom, _ moment: ServiceMoment, random: inout RandomSource) -> JSONObject {
        var message: JSONObject = [
            "id": .string(random.uuid()), "chat_room_id": .string(room.id),
            "created_at": .string(moment.timestamp),
        ]
        for (name, value) in self.sender.senderFields(base: moment.base) { message[name] = value }
        let copied = [
            "message", "client_message_id", "sender_image_url", "badge_image_url", "image_url", "image_width",
            "image_height", "custom_data", "program_date_time", "quote_message_id", "message_metadata",
            "parent_message_id",
        ]
        for name in copied { if let value = self.fields[name] { message[name] = value } }
        if var quote = self.fields["quote_message"]?.object {
            quote["quote_message"] = nil
            quote["quote_message_id"] = nil
            message["quote_message"] = .object(quote)
        }
        message["content_filter"] = []
        message["filtered_message"] = .null
        guard room.settings.contentFilter != "none", let text = self.fields["message"]?.string else { return message }
        let masked = KeywordFilter(words: self.filteredWords).masked(text)
        if masked != text {
            message["content_filter"] = ["filtered", "profanity"]
            message["filtered_message"] = .string(masked)
        }
        return message
    }

    /// What is published of the message.
    ///
    /// How the service hides what a shadow-muted member sends is not published; defined here: the carrier shows it to
    /// its sender alone, also in the history.
    func publication(of message: JSONObject, in room: ServerRoom) -> ServiceAction {
        var publication = Publication(self.event, message, on: room.chatChannel)
        publication.senderID = self.sender.id
        publication.filter = message["content_filter"]?.array?.isEmpty == false ? "filtered" : ""
        publication.visibleOnlyTo = self.isShadowMuted ? self.sender.id : nil
        publication.message = message["id"]?.string.map { id in
            Publication.Message(id: id, room: room.id, parent: message["parent_message_id"]?.string)
        }
        return .publish(publication)
    }
}
