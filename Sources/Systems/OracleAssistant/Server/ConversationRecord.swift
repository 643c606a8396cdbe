import JSON

/// What was said in the conversation of one user, and what came from the user's clients.
struct ConversationRecord: Sendable {
    /// What was said, for the agent: source, payload, number and time.
    private(set) var history: [JSONValue] = []
    /// What came from the user's clients, for the script.
    private(set) var received: [JSONValue] = []
    /// How many messages there were in the history so far.
    private var said: Int64 = 0

    /// Notes something said.
    mutating func remember(_ payload: JSONObject, source: String, epochMilliseconds: Int64) {
        if self.history.count >= ServerConversation.limit { self.history.removeFirst() }
        self.said += 1
        self.history.append([
            "payload": .object(payload), "source": .string(source), "createdOn": .integer(epochMilliseconds),
            "id": .string("\(self.said)"),
        ])
    }

    /// Notes a frame of a client.
    mutating func note(_ frame: JSONValue) {
        if self.received.count >= ServerConversation.limit { self.received.removeFirst() }
        self.received.append(frame)
    }
}
