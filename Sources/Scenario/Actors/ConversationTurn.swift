import Machines

/// What one side of a conversation says until the other side answers.
enum ConversationTurn {
    /// Returns whether a command of an actor begins a turn: it is the first, or something other than noise came since
    /// the one before. Commands that follow each other without an answer are one turn.
    ///
    /// - Parameters:
    ///   - last: What the actor was told to do before.
    ///   - log: What it has observed.
    static func begins(after last: GivenCommand?, in log: EventLog) -> Bool {
        guard let last else { return true }
        return (max(last.eventCount, log.forgottenCount)..<max(log.count, last.eventCount)).contains { place in
            let logged = log[place]
            return logged.disposition != .noise || logged.isAllowed
        }
    }
}

/// What a script told an actor to do.
struct GivenCommand {
    let name: String

    /// When, on the time line of the execution.
    let at: Instant

    /// How many events the actor had observed before; time alone does not tell, for in virtual time much is at once.
    let eventCount: Int
}
