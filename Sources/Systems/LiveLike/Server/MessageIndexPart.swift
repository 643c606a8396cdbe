import JSON
import Machines

/// Which messages of one room stand where in the message carrier's log, and how many replies each has.
///
/// | a message's state | input | → state | actions |
/// |---|---|---|---|
/// | unknown | `published` | known | |
/// | known | `published` of many others | unknown, as the log has forgotten it | |
/// | known | `deleteAsked` | known | publishes, answers; with `isRemoved` no history shows it any more |
/// | unknown | `deleteAsked` | unknown | answers 404 |
struct MessageIndexPart: Sendable {
    /// What happens to messages.
    enum Input: Sendable {
        case published(Publication.Message, TimeToken)
        /// A message is to be deleted; the log may still have its entry.
        case deleteAsked(String, isRemoved: Bool, PubNubChannels.Entry?)
    }

    private let room: String
    /// At most twice this many messages are remembered.
    private let limit: Int
    /// Publish tokens by message id.
    private var tokens: [String: TimeToken] = [:]
    private var replies: [String: Int64] = [:]

    /// Creates a room without messages.
    init(room: String, limit: Int = PubNubChannels.logLimit) {
        self.room = room
        self.limit = limit
    }

    /// The token under which a message was published.
    func token(of message: String) -> TimeToken? { self.tokens[message.lowercased()] }

    /// How many replies a message has; nil if none.
    func replyCount(of message: String) -> Int64? { self.replies[message.lowercased()] }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [ServiceAction] {
        switch input {
        case .published(let message, let token):
            self.tokens[message.id.lowercased()] = token
            if let parent = message.parent?.lowercased() { self.replies[parent, default: 0] += 1 }
            self.forgetOld()
            return []
        case .deleteAsked(let id, let isRemoved, let entry):
            guard let token = self.token(of: id), let entry else { return [.answer(.notFound)] }
            return self.delete(id.lowercased(), token, isRemoved: isRemoved, entry)
        }
    }

    /// Old ids go with the old messages of the log, and with them the counts of their replies.
    private mutating func forgetOld() {
        guard self.tokens.count > 2 * self.limit || self.replies.count > 2 * self.limit else { return }
        let oldest = self.tokens.values.sorted().suffix(self.limit).first ?? .zero
        self.tokens = self.tokens.filter { $0.value >= oldest }
        self.replies = self.replies.filter { self.tokens[$0.key] != nil }
    }

    /// What the event carries besides the id is not published; defined here: the room and the publish token.
    private func delete(
        _ id: String, _ token: TimeToken, isRemoved: Bool, _ entry: PubNubChannels.Entry
    ) -> [ServiceAction] {
        let wasImage = entry.data["event"]?.string == EnvelopeEvent.imageCreated.rawValue
        let channel = ServerRoom.chatChannel(of: self.room)
        let payload: JSONObject = [
            "id": .string(id), "chat_room_id": .string(self.room), "pubnub_timetoken": .integer(token.ticks),
        ]
        let publication = Publication(wasImage ? .imageDeleted : .messageDeleted, payload, on: channel)
        return (isRemoved ? [.removeMessage(channel: channel, token)] : [])
            + [.publish(publication), .answer(.noContent)]
    }
}
