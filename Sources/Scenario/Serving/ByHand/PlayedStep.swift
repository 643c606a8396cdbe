import JSON
import Machines

/// Something that was done or seen in a conversation that is played by hand.
struct PlayedStep: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        case joined(PlayedActor)
        case commanded(actor: String, method: MethodDeclaration, arguments: JSONObject)

        /// The outcome of the step with this number, if it was refused; as if that had not been.
        case refused(step: Int, message: String)

        /// - Parameter isNoise: Whether a scenario need not expect it.
        case observed(actor: String, event: ChatEvent, isNoise: Bool)
    }

    /// The time since the conversation began.
    let at: Duration

    /// The version of the conversation that it made.
    let version: Int
    let content: Content
}
