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

    /// Whether the agent can have another chat now.
    var hasRoom: Bool { self.capacity.map { self.chats.count < $0 } ?? true }

    /// Why the agent cannot take another chat; reservations count, because they become chats.
    var obstacleToAnotherChat: String? {
        guard let capacity, self.chats.count + self.reservations.count >= capacity else { return nil }
        let waiting = self.reservations.count
        let visitors = waiting == 0 ? "" : " and waits for \(waiting) visitor\(waiting == 1 ? "" : "s")"
        let chats = "\(self.chats.count) chat\(self.chats.count == 1 ? "" : "s")"
        return "\(self.name) has \(chats)\(visitors), and a capacity of \(capacity); "
            + (self.chats.isEmpty ? "let one of them come first, or raise the capacity" : "finish one first")
    }

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
