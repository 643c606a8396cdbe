import Machines

/// One thing that an actor of a scenario did or observed.
struct ConversationEntry {
    /// What it was.
    enum Content {
        /// Whether a turn begins with it, as ``ConversationTurn`` says.
        case command(Command, beginsTurn: Bool)
        /// The place in the actor's log.
        case event(Int)
    }

    let actor: Actor
    let content: Content
}
