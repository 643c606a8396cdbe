import Machines

/// What the actors of a scenario did and observed, in the order in which it happened.
struct ConversationLog {
    /// One thing.
    struct Entry {
        enum Content {
            /// Whether a turn begins with it, as ``ConversationTurn`` says.
            case command(Command, beginsTurn: Bool)
            /// The place in the actor's log.
            case event(Int)
        }

        let actor: Actor
        let content: Content
    }

    private(set) var entries: [Entry] = []

    /// Adds something at the end.
    mutating func add(_ content: Entry.Content, by actor: Actor) {
        self.entries.append(Entry(actor: actor, content: content))
    }
}
