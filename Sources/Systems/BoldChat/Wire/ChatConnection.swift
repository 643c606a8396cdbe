import JSON

/// What a client needs to join a started chat.
struct ChatConnection: Hashable, Sendable {
    /// Names this visit to the chat.
    let clientID: String
    /// Where the event socket is.
    let webSocketURL: String
    /// Where to poll instead; the last message id is appended as digits.
    let longPollURL: String
    /// After how long without a heartbeat the chat is lost; nil for never.
    let clientTimeout: Duration?
    /// How long a visitor waits for the first message of an operator; nil for ever.
    let answerTimeout: Duration?

    /// Reads the members of a `createChat`, `submitPreChat` or `startChat` answer.
    init(_ members: JSONObject) {
        self.clientID = members.text("ClientID") ?? ""
        self.webSocketURL = members.text("WebSocketURL") ?? ""
        self.longPollURL = members.text("LongPollURL") ?? ""
        self.clientTimeout = Self.seconds(members.integer("ClientTimeout"))
        self.answerTimeout = Self.seconds(members.integer("AnswerTimeout"))
    }

    /// Zero and negative numbers mean that there is no limit; a year is the longest that a peer can ask for.
    private static func seconds(_ number: Int64?) -> Duration? {
        guard let number, number > 0 else { return nil }
        return .seconds(min(number, 31_536_000))
    }
}
