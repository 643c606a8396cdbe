import JSON

/// A call of the client over the event stream, or over REST while the stream is a long poll.
struct OutgoingCall: Hashable, Sendable {
    /// What the answer means to the chat.
    enum Meaning: Hashable, Sendable {
        /// The link's own greeting.
        case connect
        case message(VisitorMessage)
        case typing(Bool)
        /// Active assist, remote control, video: the name of the method.
        case other(String)
    }

    /// What the answer means.
    let meaning: Meaning
    /// The method on the wire.
    let method: String
    /// Its parameters.
    let params: JSONObject

    /// Creates a call.
    init(_ meaning: Meaning, method: RESTMethod, params: JSONObject) {
        self.meaning = meaning
        self.method = method.rawValue
        self.params = params
    }

    /// Creates the greeting that asks for the events since the last one seen.
    init(connectAfter lastMessageID: Int64) {
        self.meaning = .connect
        self.method = "connect"
        self.params = ["LastMessageID": .string(String(lastMessageID))]
    }
}

/// A message that the visitor sends.
struct VisitorMessage: Hashable, Sendable {
    /// 19 digits, chosen by the client; the server drops repetitions by it.
    let id: String
    /// What the visitor says.
    let text: String
}
