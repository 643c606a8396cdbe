import JSON
import Machines

/// The chats of an account, in the order in which they were created.
struct ChatRegistry: Sendable {
    private var chats: [String: ChatRecord] = [:]
    private var order: [String] = []

    /// Chats kept; when there are more, the oldest that are over are forgotten, and none is created if none is over.
    static let limit = 20_000

    /// Whether there is a chat with a key.
    func has(_ key: String) -> Bool { self.chats.keys.contains(key) }

    /// A chat by its key.
    subscript(key: String) -> ChatRecord? {
        get { self.chats[key] }
        _modify { yield &self.chats[key] }
    }

    /// The chats created last, oldest of them first.
    func newest(_ count: Int) -> [ChatRecord] { self.order.suffix(count).compactMap { self.chats[$0] } }

    /// The newest chat of a visitor.
    func newest(of visitorID: String) -> ChatRecord? {
        self.order.reversed().lazy.compactMap { self.chats[$0] }.first { $0.visitorID == visitorID }
    }

    /// The newest chat in which messages can be exchanged.
    var newestLive: ChatRecord? {
        self.order.reversed().lazy.compactMap { self.chats[$0] }.first(where: \.isLive)
    }

    /// The chat with a number.
    func first(id: String) -> ChatRecord? { self.chats.values.first { $0.id == id } }

    /// The chat of an actor.
    func chat(of identity: JSONObject) -> ChatRecord? {
        if let key = identity.text("chat_key") { return self.chats[key] }
        return identity.text("visitor_id").flatMap { self.newest(of: $0) }
    }

    /// Keeps a new chat.
    ///
    /// - Returns: Whether it is kept, and the key of the chat that was forgotten for it.
    mutating func keep(_ chat: ChatRecord) -> (isKept: Bool, forgotten: String?) {
        var forgotten: String?
        if self.order.count >= Self.limit {
            let over = self.order.firstIndex { [.ended, .unavailable, .closed].contains(self.chats[$0]?.state) }
            guard let over else { return (false, nil) }
            let key = self.order.remove(at: over)
            self.chats[key] = nil
            forgotten = key
        }
        self.chats[chat.key] = chat
        self.order.append(chat.key)
        return (true, forgotten)
    }
}
