import JSON

/// What a client is answered that repeats `createChat` because the answer may have been lost, so that one chat comes of
/// both: the answers to chats that their clients have not named since.
///
/// | state of a chat | input | becomes | a repetition of the request |
/// |---|---|---|---|
/// | forgotten | `keep` | kept | gets the same answer |
/// | kept | `forget`: the client has the answer, or the chat is gone | forgotten | makes another chat |
struct RepeatedCreations: Sendable {
    private struct Creation: Sendable {
        let chatKey: String
        let reply: JSONObject
    }

    private var creations: [IdempotencyKey: Creation] = [:]
    private var requests: [String: IdempotencyKey] = [:]

    /// What was answered to a request, if a client may still ask again.
    func reply(to request: IdempotencyKey?) -> JSONObject? {
        request.flatMap { self.creations[$0]?.reply }
    }

    /// Keeps what a request is answered.
    ///
    /// - Parameter request: Nil if the client did not name it; then it cannot be known again.
    mutating func keep(_ reply: JSONObject, to request: IdempotencyKey?, chatKey: String) {
        guard let request else { return }
        self.creations[request] = Creation(chatKey: chatKey, reply: reply)
        self.requests[chatKey] = request
    }

    /// Forgets the answer that told a client of a chat.
    mutating func forget(chatKey: String) {
        if let request = self.requests.removeValue(forKey: chatKey) { self.creations[request] = nil }
    }
}
