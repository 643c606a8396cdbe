import JSON
import Machines

/// What the simulated server knows about one user.
struct ServerConversation: Sendable {
    /// A frame that waits for its time.
    struct Delivery: Sendable {
        let frame: JSONValue
        let delay: Duration
        /// Whether the session is over once it is sent.
        let endsSession: Bool
    }

    /// The user.
    let userID: String

    /// The connections of the user's clients; more than one hear the skill alike.
    var connections: [ConnectionID] = []

    /// A long poll that waits for messages.
    var poll: ExchangeID?

    /// Whether the user's client polls.
    var polls = false

    /// Messages for the next long poll.
    var mailbox: [JSONValue] = []

    /// What the user's clients told about the user.
    var profile: JSONObject = [:]

    /// The state of a table of states; nil before the first message of a session.
    var state: String?
    /// What the skill keeps.
    var variables: JSONObject = [:]
    /// How many messages the skill got in this session.
    var turn: Int64 = 0
    /// The number of the session.
    var session: Int64 = 1
    /// When the user said something last.
    var lastActivity = Instant.start

    /// What is to be sent, in order.
    var deliveries: [Delivery] = []

    /// Messages that wait for the skill's function to come back.
    var inputs: [Envelope] = []
    /// Whether the skill's function has not come back.
    var isSkillBusy = false

    /// The agent who has taken over.
    var agent: String?

    /// What the user waits for an agent with.
    var waitsForAgent: JSONObject?

    /// What the skill asked for an agent with last; outlives the waiting.
    var handover: JSONObject = [:]

    /// What was said, for the agent: source, payload, number and time.
    var history: [JSONValue] = []

    /// How many messages there were in the history so far.
    private var said: Int64 = 0

    /// What came from the user's clients, for the script.
    var received: [JSONValue] = []

    /// The request that is being answered.
    var requestID: String?
    /// The thread of what is being answered.
    var threadID: String?

    /// Messages in the second that runs, for the rate limit.
    var rate: (second: Int64, count: Int) = (-1, 0)

    /// At most this many frames are kept of each list.
    static let limit = 1000

    /// Creates a conversation.
    init(userID: String) { self.userID = userID }

    /// The timer of the next delivery.
    var timer: OracleServer.Timer { .deliver(self.userID) }

    /// Notes something said.
    mutating func remember(_ payload: JSONObject, source: String, epochMilliseconds: Int64) {
        if self.history.count >= Self.limit { self.history.removeFirst() }
        self.said += 1
        self.history.append([
            "payload": .object(payload), "source": .string(source), "createdOn": .integer(epochMilliseconds),
            "id": .string("\(self.said)"),
        ])
    }

    /// Notes which message is being answered from now on.
    mutating func answers(_ envelope: Envelope) {
        self.requestID = envelope.requestID
        self.threadID = envelope.threadID
    }

    /// Takes in news of the user.
    mutating func learn(_ news: JSONObject) { self.profile = self.profile.merging(news) }

    /// Notes a frame of a client.
    mutating func note(_ frame: JSONValue) {
        if self.received.count >= Self.limit { self.received.removeFirst() }
        self.received.append(frame)
    }

    /// Begins another session.
    mutating func beginSession() {
        self.session += 1
        self.state = nil
        self.variables = [:]
        self.turn = 0
        self.agent = nil
        self.waitsForAgent = nil
        self.handover = [:]
        self.requestID = nil
    }

    /// What a skill's function learns about the session.
    var sessionFields: JSONValue {
        var fields: JSONObject = [
            "user_id": .string(self.userID), "profile": .object(self.profile), "variables": .object(self.variables),
            "turn": .integer(self.turn), "session": .integer(self.session),
        ]
        fields["state"] = self.state.map { .string($0) }
        if let tag = self.profile["languageTag"], !tag.isNull { fields["language"] = tag }
        return .object(fields)
    }
}
