import JSON

/// An operator whom a script plays.
struct Agent: Sendable {
    /// The name, which is also the party's.
    let name: String
    /// How visitors' clients know the agent.
    let personID: String
    /// The chats that the agent has, the one accepted last at the end.
    var chats: [String] = []
    /// How many chats the agent can have at once; nil for any number.
    var capacity: Int?
    /// Identities that the agent accepts as soon as they wait; an empty one stands for the next visitor.
    var reservations: [Reservation] = []

    /// The parameters of a full `updateTyper` of an agent who does not type.
    static func typerParams(name: String, personID: String) -> JSONObject {
        [
            "PersonID": .string(personID),
            "Values": ["Name": .string(name), "PersonType": "operator", "IsTyping": false],
        ]
    }

    /// A visitor whom an agent accepts before the chat waits.
    struct Reservation: Hashable, Sendable {
        var visitorID: String?
        var chatKey: String?

        /// Whether a chat is meant.
        func matches(_ chat: ChatRecord) -> Bool {
            if let key = self.chatKey { return key == chat.key }
            if let visitor = self.visitorID { return visitor == chat.visitorID }
            return true
        }
    }
}
