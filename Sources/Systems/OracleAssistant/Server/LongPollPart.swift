import HTTPTypes
import JSON
import Machines

/// The long polls of one user, and the messages that wait for the next one.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | idle | `held`, messages wait | idle | sets the timer, cancels it, answers with the messages |
/// | idle, held | `held`, no messages wait | held | answers the earlier one with nothing, sets the timer |
/// | held | `sent`, the client polls | idle | cancels the timer, answers with the message |
/// | idle | `sent`, the client polls | idle | |
/// | any | `sent`, the client has a WebSocket | unchanged | |
/// | held | `holdElapsed` | idle | answers with nothing |
/// | held | `abandoned` | idle | |
/// | any | `posted`, `joined` | unchanged | |
struct LongPollPart: Sendable {
    enum State: Hashable, Sendable {
        case idle
        case held(ExchangeID)
    }

    /// What happens to the long polls.
    enum Input: Sendable {
        /// The client sends by polling.
        case posted
        /// The client has a WebSocket.
        case joined
        case held(ExchangeID)
        case sent(String)
        case holdElapsed
        case abandoned(ExchangeID)
    }

    /// How long a long poll is held; defined here.
    static let hold = Duration.seconds(25)

    private let userID: String
    /// Whether the client was heard last by a request, and not over a WebSocket.
    private var polls = false
    private var messages: [JSONValue] = []
    private(set) var state = State.idle

    /// Creates a part without messages.
    init(userID: String) { self.userID = userID }

    /// How many messages wait for the next poll; none where the user has a WebSocket.
    var count: Int { self.polls ? self.messages.count : 0 }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [OracleServer.Effect] {
        switch input {
        case .posted:
            self.polls = true
            return []
        case .joined:
            self.polls = false
            return []
        case .held(let exchange):
            let earlier = self.endPoll()
            self.state = .held(exchange)
            return earlier + [.setTimer(.poll(self.userID), Self.hold)] + self.answer()
        case .sent(let text):
            guard self.polls, self.messages.count < ServerConversation.limit else { return [] }
            self.messages.append(.string(text))
            return self.answer()
        case .holdElapsed: return self.endPoll()
        case .abandoned(let exchange):
            if self.state == .held(exchange) { self.state = .idle }
            return []
        }
    }

    private mutating func endPoll() -> [OracleServer.Effect] {
        guard case .held(let exchange) = self.state else { return [] }
        self.state = .idle
        return [.respond(exchange, Response(HTTPResponse(status: .noContent)))]
    }

    /// Answers the poll that is held, if there is anything to say: a list of texts, each of which is JSON again.
    private mutating func answer() -> [OracleServer.Effect] {
        guard case .held(let exchange) = self.state, !self.messages.isEmpty else { return [] }
        self.state = .idle
        defer { self.messages = [] }
        return [
            .cancelTimer(.poll(self.userID)), .respond(exchange, Response(json: .array(self.messages))),
        ]
    }
}
