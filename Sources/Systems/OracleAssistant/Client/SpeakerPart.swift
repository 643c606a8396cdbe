import JSON
import Machines

/// Who speaks on the server's side: the skill or an agent.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | skill | `received` from an agent | agent | `agent_joined` |
/// | agent | `received` from an agent of another name | agent | `agent_joined` |
/// | agent | `received` from the skill | skill | `agent_left` |
/// | any | `received` from nobody, or from the same | unchanged | |
/// | any | `dropped` | as `received` | |
/// | any | `detailsSet` | unchanged | |
/// | any | `conversationEnded` | skill | |
struct SpeakerPart: Sendable {
    /// What happens to who speaks.
    enum Input: Sendable {
        case received(Envelope)
        /// A delegate has dropped a message: the script learns of nobody.
        case dropped(Envelope)
        /// The script sets how agents are shown.
        case detailsSet(JSONObject)
        case conversationEnded
    }

    /// The agent that the last message of an agent named.
    private var agent: AgentDetails?

    /// Whether the script knows that an agent speaks.
    private var isAnnounced = false

    /// What the script set, which wins over what the server says.
    private var override: AgentDetails?

    /// Whether an agent speaks.
    var isAgent: Bool { self.agent != nil }

    /// How the agent is shown.
    var details: AgentDetails? {
        guard let agent = self.agent ?? self.override else { return nil }
        return AgentDetails(members: agent.members.merging(self.override?.members ?? [:]))
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [ClientAction] {
        switch input {
        case .received(let envelope): return self.take(envelope).map { [$0] } ?? []
        case .dropped(let envelope): _ = self.take(envelope)
        case .detailsSet(let members):
            if let problem = Self.problem(in: members) { return [.answer(.refused(problem))] }
            self.override = AgentDetails(
                members: JSONObject(
                    AgentDetails.names.compactMap { name in
                        (members[name] ?? members[Setting.scriptName(name)]).map { (name, $0) }
                    }))
        case .conversationEnded: self = SpeakerPart()
        }
        return []
    }

    /// Returns what is wrong with details that a script sets, or nil if nothing is.
    private static func problem(in members: JSONObject) -> String? {
        let names = AgentDetails.names + AgentDetails.names.map(Setting.scriptName)
        for (name, value) in members {
            guard names.contains(name) else {
                return "agents have no detail \"\(name)\"\(TextDistance.hint(name, among: names))"
            }
            if name.lowercased().hasSuffix("color"), value.string.flatMap(Color.init) == nil {
                return "\(name) takes a color such as #161513 or white, not \(value)"
            }
        }
        return nil
    }

    private mutating func take(_ envelope: Envelope) -> ClientAction? {
        switch envelope.source {
        case .agent:
            let known = self.agent
            if let stated = envelope.payload.content.channelExtensions.agent { self.agent = stated }
            if self.agent == nil { self.agent = AgentDetails(members: [:]) }
            // That somebody types does not say who it is; the first message does.
            if case .status = envelope.payload, self.agent?.name == nil, !self.isAnnounced { return nil }
            guard !self.isAnnounced || known?.name != self.agent?.name else { return nil }
            self.isAnnounced = true
            return .emit(.agentJoined, ["agent": .object(self.details?.members ?? [:])])
        case .bot:
            guard self.agent != nil else { return nil }
            let left = self.details?.name
            let wasAnnounced = self.isAnnounced
            self.agent = nil
            self.isAnnounced = false
            guard wasAnnounced else { return nil }
            var fields = JSONObject()
            fields["name"] = left.map { .string($0) }
            return .emit(.agentLeft, fields)
        case nil: return nil
        }
    }
}
