import Machines
import Synchronization

/// Whose conversations stand in the transcripts that a run stores.
///
/// A file holds one conversation: another one of the same run would take its place without a word, and one of the two
/// would differ from then on.
final class TranscriptOwners: Sendable {
    /// What asks for a transcript; the same in each attempt at a scenario.
    struct Use: Hashable, Sendable {
        /// The name of the scenario, with its row.
        let scenario: String

        /// Which time this is that the scenario is played; nil if it is played once.
        let repetition: Int?

        /// Which of the scenario's conversations of that name it is, counted from one.
        let number: Int
    }

    private let owners = Mutex<[String: Use]>([:])

    /// Takes note that a conversation is like the one that is stored.
    func keep(_ name: String, for use: Use) {
        self.owners.withLock { owners in
            if owners[name] == nil { owners[name] = use }
        }
    }

    /// Stores a conversation while no other one can be stored.
    ///
    /// - Parameters:
    ///   - isStored: Whether what another one has stored meanwhile is like this conversation, too.
    ///   - write: Writes the file.
    /// - Throws: ``UsageError`` if another conversation of the run has that name.
    func store(
        _ name: String, for use: Use, unless isStored: () throws(UsageError) -> Bool,
        _ write: () throws(UsageError) -> Void
    ) throws(UsageError) {
        try self.owners.withLock { (owners) throws(UsageError) in
            if let owner = owners[name], owner != use {
                if try isStored() { return }
                let isRepeated = owner.scenario == use.scenario && owner.number == use.number
                let whose =
                    isRepeated
                    ? "the conversation of another repetition"
                    : owner.scenario == use.scenario
                        ? "an earlier conversation of this scenario" : "the conversation of \(owner.scenario)"
                let remedy =
                    isRepeated
                    ? "write masks for what varies into the file, or leave out --repeat"
                    : "give each a name of its own, and where a scenario has rows, put the row into the name"
                throw UsageError(
                    "\(name) holds \(whose) in this run, and this is another one, which would overwrite it; \(remedy)")
            }
            try write()
            owners[name] = use
        }
    }
}
