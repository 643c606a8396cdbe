import JSON

/// A message that a client publishes itself, past the REST interface.
struct DirectMessage: Hashable, Sendable {
    let envelope: Envelope
    let channel: String
    /// Who publishes it, if the request has a valid token.
    let profile: String?
    /// Whether the histories have it, which is so unless the request says otherwise.
    var isStored = true

    /// What is published of it in a room.
    func publication(in room: String, by profile: String, isShadowMuted: Bool) -> Publication {
        var payload = self.envelope.payload
        payload["sender_id"] = .string(profile)
        var publication = Publication(self.envelope.event, payload, on: self.channel)
        publication.publisher = profile
        publication.senderID = profile
        publication.visibleOnlyTo = isShadowMuted ? profile : nil
        publication.isStored = self.isStored
        if self.envelope.event.isCreation, let id = payload["id"]?.string {
            let parent = payload["parent_message_id"]?.string
            publication.message = Publication.Message(id: id, room: room, parent: parent)
        }
        return publication
    }
}
