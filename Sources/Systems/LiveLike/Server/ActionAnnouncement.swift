import JSON

/// What the message carrier tells of a message action that was added or removed.
struct ActionAnnouncement {
    let event: String
    let type: String
    let value: String
    /// The message that it is about.
    let message: TimeToken
    let action: TimeToken
    let profile: String

    private var data: JSONObject {
        [
            "messageTimetoken": .string(self.message.text), "type": .string(self.type),
            "value": .string(self.value), "actionTimetoken": .string(self.action.text),
        ]
    }

    /// The action as the answer to its own call has it.
    var resource: JSONValue { .object(self.data.merging(["uuid": .string(self.profile)])) }

    /// What is published on the channel of the message.
    func publication(on channel: String) -> Publication {
        var publication = Publication(
            ["source": "actions", "version": "1.0", "event": .string(self.event), "data": .object(self.data)],
            on: channel)
        publication.type = 3
        publication.publisher = self.profile
        publication.senderID = self.profile
        return publication
    }
}
