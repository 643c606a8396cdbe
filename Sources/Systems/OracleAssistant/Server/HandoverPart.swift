import JSON
import Machines

/// How the conversation of one user goes from the skill to an agent and back.
///
/// The vendor's platform talks to an agent system over a webhook, whose messages are known from its published adapter.
/// Here scripts play the agent system: what the platform would post is the raw form of what agents observe
/// (`agentRequest`, `botConversationEnded`), and what the agent system would post is a method of the agents, or goes as
/// it is through ``AgentMessage``. The HTTP leg between the two and its signature are not played, for a simulated
/// server answers requests and makes none.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | with the skill | `requested` | waiting | `chat_waiting` at all agents |
/// | with an agent | `requested` | with an agent, waiting | `chat_waiting` at the agent |
/// | any | `accepted` | with an agent | says the waiting message and the greeting |
/// | waiting | `delayed` | waiting | says so |
/// | waiting | `rejected` | with the skill | says so; the skill goes on where it said |
/// | waiting | `unavailable` | with the skill | |
/// | with an agent | `sentAway` by the user | with the skill | `chat_ended` at the agent, says that it is over |
/// | with an agent | `left` | with the skill | the skill is moved, if the agent says where to; says that it is over |
/// | with an agent | `chosen` | with the skill | says that it is over; the skill goes on where it said |
/// | with an agent | `sessionEnds` | with the skill | `chat_ended` at the agent |
/// | any | `sessionBegan` | with the skill | |
struct HandoverPart: Sendable {
    /// What happens to a hand-over.
    enum Input: Sendable {
        /// The skill asks for an agent, as a component of the type System.AgentInitiation does: `subject`, `actions`,
        /// `properties`, the texts `waiting_message`, `rejected_message` and `conclusion_message`, and `on`, the states
        /// of the skill by outcome. The event is what agents observe.
        case requested(JSONObject, ChatEvent)
        case accepted(by: String, greeting: String?)
        case delayed(position: Int64?, text: String?)
        case rejected(text: String?)
        /// The script says that nobody will come.
        case unavailable
        /// The user has sent the agent away with one of the words for that.
        case sentAway
        case left(text: String?, state: String?)
        case chosen(String)
        case sessionEnds
        case sessionBegan
    }

    /// What the bot says when an agent has gone.
    static let conclusion = "The agent has left the conversation."

    /// What the user is told while all agents are busy.
    private static let delay = "All agents are busy."

    /// What the user is told when nobody will come.
    private static let rejection = "No agent is available."

    private let userID: String
    /// The agent who has taken over.
    private(set) var agent: String?
    /// What the user waits for an agent with.
    private var waiting: JSONObject?
    /// What the skill asked for an agent with last; outlives the waiting.
    private var request: JSONObject = [:]

    /// Creates a conversation with the skill.
    init(userID: String) { self.userID = userID }

    /// Whether the user waits for an agent.
    var isWaiting: Bool { self.waiting != nil }

    /// What an agent can do so that the skill goes on.
    var outcomes: [String] { self.request["on"]?.object?.names ?? [] }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [ServerAction] {
        switch input {
        case .requested(let request, let event):
            self.waiting = request
            self.request = request
            return self.agent == nil ? [.tellAgents(event)] : self.tell(event)
        case .accepted(let name, let greeting): return self.accept(by: name, greeting: greeting)
        case .delayed(let position, let text):
            var details = JSONObject()
            details["position"] = position.map { .integer($0) }
            return [.say(SkillAnswer(.string(text ?? Self.delay)).parts(of: .queue, details))]
        case .rejected(let text):
            self.waiting = nil
            let words: JSONValue =
                text.map { .string($0) } ?? self.request["rejected_message"] ?? .string(Self.rejection)
            return [.say(SkillAnswer(words).parts(of: .unavailable))] + self.goOn(after: "rejected")
        case .unavailable:
            self.waiting = nil
            return []
        case .sentAway:
            return self.tell(ended: AgentMessage.ended(userID: self.userID)) + self.dismiss(text: nil)
        case .left(let text, let state):
            let moves: [ServerAction] = state.map { [.move(to: $0)] } ?? []
            return moves + self.dismiss(text: text)
        case .chosen(let outcome): return self.dismiss(text: nil) + self.goOn(after: outcome)
        case .sessionEnds:
            defer { self.agent = nil }
            return self.tell(ended: nil)
        case .sessionBegan:
            self.agent = nil
            self.waiting = nil
            self.request = [:]
            return []
        }
    }

    /// Tells the agent of the conversation what happened, if it has one.
    func tell(_ event: ChatEvent) -> [ServerAction] {
        self.agent.map { [.perform(.emit(party: $0, event))] } ?? []
    }

    private func tell(ended raw: JSONValue?) -> [ServerAction] {
        self.tell(ChatEvent(.chatEnded, ["user_id": .string(self.userID)], raw: raw))
    }

    private mutating func accept(by name: String, greeting: String?) -> [ServerAction] {
        let words = self.waiting?["waiting_message"]
        self.agent = name
        self.waiting = nil
        var actions: [ServerAction] = []
        if let words { actions.append(.say([SkillAnswer.Part(payload: ["type": "text", "text": words])])) }
        if let greeting {
            actions.append(.say([SkillAnswer.Part(agent: name, ["type": "text", "text": .string(greeting)])]))
        }
        return actions
    }

    /// Ends the talk with an agent; the bot says that it is over.
    private mutating func dismiss(text: String?) -> [ServerAction] {
        self.agent = nil
        let words = text ?? self.request["conclusion_message"]?.string ?? Self.conclusion
        return [.say([SkillAnswer.Part(payload: ["type": "text", "text": .string(words)])])]
    }

    /// Lets the skill go on where it said it would for an outcome, if it did.
    private func goOn(after outcome: String) -> [ServerAction] {
        guard let state = self.request["on"]?[outcome]?.string else { return [] }
        return [.enter(state, by: ["type": "agentOutcome", "outcome": .string(outcome)])]
    }
}
