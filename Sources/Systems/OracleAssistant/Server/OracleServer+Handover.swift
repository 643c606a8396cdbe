import JSON
import Machines

/// How a conversation goes from the skill to an agent and back.
///
/// The vendor's platform talks to an agent system over a webhook, whose messages are known from its published adapter.
/// Here scripts play the agent system: what the platform would post is the raw form of what agents observe
/// (`agentRequest`, `botConversationEnded`), and what the agent system would post is a method of the agents, or goes as
/// it is through ``AgentMessage``. The HTTP leg between the two and its signature are not played, for a simulated server
/// answers requests and makes none.
extension OracleServer {
    /// What the bot says when an agent has gone.
    static let conclusion = "The agent has left the conversation."

    /// What the user is told while all agents are busy.
    private static let delay = "All agents are busy."

    /// What the user is told when nobody will come.
    private static let rejection = "No agent is available."

    /// Begins the search for an agent, as a component of the type System.AgentInitiation does.
    ///
    /// - Parameter request: `subject`, `actions`, `properties`, the texts `waiting_message`, `rejected_message` and
    ///   `conclusion_message`, and `on`, the states of the skill by outcome.
    mutating func requestAgent(_ request: JSONObject, for userID: String, in step: inout Step) {
        self.conversations[userID]?.waitsForAgent = request
        self.conversations[userID]?.handover = request
        guard let conversation = self.conversations[userID] else { return }
        let fields: JSONObject = [
            "user_id": .string(userID), "subject": request["subject"] ?? .null,
            "profile": .object(conversation.profile), "history": .array(conversation.history),
        ]
        let raw = AgentMessage.request(conversation, channelID: self.channel.id)
        self.tellAgents(of: conversation, .chatWaiting, fields, raw: raw, in: &step)
    }

    /// The user has sent the agent away with one of the words for that.
    mutating func userSentAgentAway(_ conversation: ServerConversation, in step: inout Step) {
        let userID = conversation.userID
        self.tellAgents(
            of: conversation, .chatEnded, ["user_id": .string(userID)], raw: AgentMessage.ended(userID: userID),
            in: &step)
        self.conversations[userID] = conversation
        self.dismissAgent(of: userID, text: nil, in: &step)
    }

    /// Ends the talk with an agent; the bot says that it is over.
    private mutating func dismissAgent(of userID: String, text: String?, in step: inout Step) {
        let handover = self.conversations[userID]?.handover ?? [:]
        self.conversations[userID]?.agent = nil
        let words = text ?? handover["conclusion_message"]?.string ?? Self.conclusion
        self.say([SkillAnswer.Part(payload: ["type": "text", "text": .string(words)])], to: userID, in: &step)
    }

    /// Lets the skill go on where it said it would for an outcome, if it did.
    private mutating func goOn(after outcome: String, of userID: String, in step: inout Step) {
        guard let state = self.conversations[userID]?.handover["on"]?[outcome]?.string else { return }
        self.enter(state, by: ["type": "agentOutcome", "outcome": .string(outcome)], of: userID, in: &step)
    }

    // MARK: What scripts ask of agents

    /// Does what a script asks of an agent.
    mutating func perform(
        _ command: AgentCommand, byAgent name: String, in step: inout Step
    ) -> CommandOutcome {
        if !self.agents.contains(name) { self.agents.append(name) }
        switch command {
        case .accept(let user, let greeting):
            return self.accept(user, greeting: greeting, byAgent: name, in: &step)
        case .answerRequest(let answer, let text, let user):
            return self.answerRequest(answer, text: text, of: user, in: &step)
        case .post(let message, let user):
            switch AgentMessage.command(for: message, user: user) {
            case .failure(let refusal): return .refused(refusal.text)
            case .success(let command): return self.perform(command, byAgent: name, in: &step)
            }
        case .conversation(let act, let user, let method):
            let own = self.conversations.values.filter { $0.agent == name }.map(\.userID).sorted()
            guard let userID = self.user(user).flatMap({ own.contains($0) ? $0 : nil }) ?? own.first
            else {
                return .refused("\(method) needs a conversation; call accept first")
            }
            return self.perform(act, byAgent: name, with: userID, in: &step)
        }
    }

    private mutating func perform(
        _ act: AgentAct, byAgent name: String, with userID: String, in step: inout Step
    ) -> CommandOutcome {
        switch act {
        case .say(let text):
            self.sayAsAgent(name, ["type": "text", "text": .string(text)], to: userID, in: &step)
        case .send(let message):
            for part in SkillAnswer(message).parts {
                self.sayAsAgent(name, part.payload, to: userID, in: &step)
            }
        case .typing(let isActive):
            let payload: JSONObject = ["type": "status", "status": isActive ? "RESPONDING" : "LISTENING"]
            self.sayAsAgent(name, payload, to: userID, in: &step)
        case .leave(let text, let state):
            if let state { self.conversations[userID]?.state = state }
            self.dismissAgent(of: userID, text: text, in: &step)
        case .choose(let outcome):
            let known = self.conversations[userID]?.handover["on"]?.object?.names ?? []
            guard known.contains(outcome) else {
                return .refused(
                    "the skill offers the agent no action \"\(outcome)\"; its `agent = { on = { … } }` has "
                        + (known.isEmpty ? "none" : known.joined(separator: ", ")))
            }
            self.dismissAgent(of: userID, text: nil, in: &step)
            self.goOn(after: outcome, of: userID, in: &step)
        case .finish: self.endSession(of: userID, in: &step)
        }
        return .done(.null)
    }

    private mutating func accept(
        _ user: JSONValue?, greeting: String?, byAgent name: String, in step: inout Step
    ) -> CommandOutcome {
        let waiting = self.conversations.values.filter { $0.waitsForAgent != nil }.map(\.userID).sorted()
        // A named user can be taken over at any time, as a supervisor would.
        let named = user.flatMap { self.user($0) }
        guard let userID = named ?? waiting.first else {
            return .refused("no user waits for an agent; let the skill answer { agent = { … } } first")
        }
        if let other = self.conversations[userID]?.agent, other != name {
            return .refused("\(userID) talks to \(other) already")
        }
        let request = self.conversations[userID]?.waitsForAgent
        self.conversations[userID]?.agent = name
        self.conversations[userID]?.waitsForAgent = nil
        if let words = request?["waiting_message"] {
            self.say([SkillAnswer.Part(payload: ["type": "text", "text": words])], to: userID, in: &step)
        }
        if let greeting {
            self.sayAsAgent(name, ["type": "text", "text": .string(greeting)], to: userID, in: &step)
        }
        return .done(.string(userID))
    }

    /// Lets the user wait on, or tells that nobody will come.
    private mutating func answerRequest(
        _ answer: RequestAnswer, text: String?, of user: JSONValue?, in step: inout Step
    ) -> CommandOutcome {
        let waiting = self.conversations.values.filter { $0.waitsForAgent != nil }.map(\.userID)
            .sorted()
        guard let userID = user.flatMap({ self.user($0) }) ?? waiting.first, waiting.contains(userID)
        else {
            return .refused("no user waits for an agent; let the skill answer { agent = { … } } first")
        }
        switch answer {
        case .wait(let position):
            var details = JSONObject()
            details["position"] = position.map { .integer($0) }
            self.sayStep(.queue, .string(text ?? Self.delay), details, to: userID, in: &step)
        case .reject:
            self.conversations[userID]?.waitsForAgent = nil
            let words =
                self.conversations[userID]?.handover["rejected_message"] ?? .string(Self.rejection)
            self.sayStep(.unavailable, text.map { .string($0) } ?? words, [:], to: userID, in: &step)
            self.goOn(after: "rejected", of: userID, in: &step)
        }
        return .done(.null)
    }

    private mutating func sayAsAgent(
        _ name: String, _ payload: JSONObject, to userID: String, in step: inout Step
    ) {
        var payload = payload
        if payload["type"]?.string != "status" {
            let extensions = payload["channelExtensions"]?.object ?? [:]
            let agent: JSONObject = ["agentName": .string(name), "agentSession": ["name": .string(name)]]
            payload["channelExtensions"] = .object(agent.merging(extensions))
        }
        self.say([SkillAnswer.Part(payload: payload, source: .agent)], to: userID, in: &step)
    }
}
