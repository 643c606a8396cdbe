import JSON
import Machines

/// What was said in a chat.
struct ChatTranscript: Sendable {
    /// One message.
    struct Message: Hashable, Sendable {
        let id: Int64
        let posting: Posting
        /// When it was added, UTC.
        let time: String

        /// The parameters of an `addMessage`.
        var params: JSONObject {
            let values: JSONObject = [
                "Name": .string(self.posting.name), "PersonID": .string(self.posting.personID),
                "PersonType": .string(self.posting.type.rawValue), "Created": .string(self.time),
                "Text": .string(self.posting.text),
            ]
            return ["MessageID": .string(String(self.id)), "Values": .object(values)]
        }

        /// How agents hear of a message of the visitor.
        var agentFields: JSONObject {
            ["id": .string(String(self.id)), "from": "visitor", "text": .string(self.posting.text)]
        }
    }

    /// The messages, oldest first.
    private(set) var messages: [Message] = []
    /// The ids that the visitor's client gave its messages.
    private var received = RecentNames(limit: Self.limit)
    /// Who gets the transcript at the end.
    private var address: String?

    /// Messages kept of one chat, and ids of the visitor's; the oldest are dropped, defined here.
    static let limit = 20_000

    /// Adds a message.
    mutating func keep(_ message: Message) {
        self.messages.append(message)
        if self.messages.count > Self.limit { self.messages.removeFirst(Self.limit / 10) }
    }

    /// Whether a message of the visitor has not been taken in yet; a client repeats under the same id what it has no
    /// answer for.
    mutating func isNew(_ id: String) -> Bool {
        self.received.insert(id)
    }

    /// Notes who wants the transcript.
    mutating func ask(by address: String) { self.address = address }

    /// Takes the mail to whoever asked for the transcript; nil if nobody has.
    mutating func takeMail(of key: String, at moment: ServerMoment) -> Mail? {
        guard let address = self.address else { return nil }
        self.address = nil
        let body = self.messages.map { "\($0.posting.name): \($0.posting.text)" }.joined(separator: "\n")
        return Mail(kind: .transcript, chatKey: key, to: address, body: body, time: moment.time)
    }

    /// The transcript as scripts read it.
    var properties: JSONValue {
        .array(
            self.messages.map {
                [
                    "from": .string($0.posting.type.rawValue), "name": .string($0.posting.name),
                    "text": .string($0.posting.text),
                ]
            })
    }
}
