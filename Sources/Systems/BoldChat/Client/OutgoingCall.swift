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

    /// Creates the call that sends a message.
    init(_ message: VisitorMessage, chatKey: String) {
        let params: JSONObject = [
            "ChatKey": .string(chatKey), "ChatMessageID": .string(message.id), "Message": .string(message.text),
        ]
        self.init(.message(message), method: .sendMessage, params: params)
    }

    /// Creates the call that tells whether the visitor types.
    init(_ isTyping: Bool, chatKey: String) {
        let params: JSONObject = ["ChatKey": .string(chatKey), "IsTyping": .string(isTyping ? "true" : "false")]
        self.init(.typing(isTyping), method: .visitorTyping, params: params)
    }

    /// Creates the answer to an invitation.
    ///
    /// - Parameter id: The session's; that of the last invitation unless given.
    init(answering method: RESTMethod, id: String?, of chat: ChatStateMachine, chatKey: String) {
        var params: JSONObject = ["ChatKey": .string(chatKey), "ClientID": .string(chat.clientID)]
        switch method {
        case .acceptActiveAssist, .declineActiveAssist, .cancelActiveAssist:
            params["ActiveAssistID"] = .string(id ?? chat.conversation.activeAssistID ?? "")
        case .acceptRemoteControlSession, .declineRemoteControlSession, .declineRemoteControlSessionForUnsupportedOs:
            params["RCHistoryID"] = .string(id ?? chat.conversation.remoteControlID ?? "")
        default: break
        }
        self.init(.other(method.rawValue), method: method, params: params)
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
