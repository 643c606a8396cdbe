import JSON
import Machines

/// What a script lets the server say to a user in place of the skill.
enum UserSaying: Sendable {
    case words(JSONValue)
    case queue(position: Int64, text: String?)
    case preChat(JSONValue)
    case unavailable(JSONValue)
    case survey(JSONValue)

    /// Returns what is said, part after part.
    ///
    /// - Parameter method: What the script has called.
    /// - Throws: Why that cannot be said.
    func parts(by method: String) throws(CommandError) -> [SkillAnswer.Part] {
        switch self {
        case .words(let message): return try SkillAnswer(said: message, by: method).parts
        case .queue(let position, let text):
            let text = SkillAnswer(.string(text ?? "You are number \(position) in the queue."))
            return text.parts(of: .queue, ["position": .integer(position)])
        case .preChat(let form):
            let answer = try SkillAnswer(said: form, by: method)
            guard answer.parts.map({ $0.payload["type"] }) == [.string(PayloadType.editForm.rawValue)] else {
                throw CommandError("\(method) shows a form: one payload of type editForm")
            }
            return answer.parts(of: .preChat)
        case .unavailable(let message): return try SkillAnswer(said: message, by: method).parts(of: .unavailable)
        case .survey(let message): return try SkillAnswer(said: message, by: method).parts(of: .postChat)
        }
    }
}
