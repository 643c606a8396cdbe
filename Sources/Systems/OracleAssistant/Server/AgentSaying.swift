import JSON
import Machines

/// What a script lets an agent say to a user.
enum AgentSaying: Sendable {
    case text(String)
    case message(JSONValue)
    case typing(Bool)

    /// Returns what is said, part after part.
    ///
    /// - Parameters:
    ///   - name: The agent.
    ///   - method: What the script has called.
    /// - Throws: Why that cannot be said.
    func parts(of name: String, by method: String) throws(CommandError) -> [SkillAnswer.Part] {
        switch self {
        case .text(let text): return [SkillAnswer.Part(agent: name, ["type": "text", "text": .string(text)])]
        case .message(let message):
            return try SkillAnswer(said: message, by: method).parts.map { $0.said(byAgent: name) }
        case .typing(let isActive):
            let status: JSONValue = isActive ? "RESPONDING" : "LISTENING"
            return [SkillAnswer.Part(agent: name, ["type": "status", "status": status])]
        }
    }
}
