import JSON
import Machines
import Secrets

extension Cast {
    /// What was said and observed so far, by an actor or by all clients.
    ///
    /// - Parameters:
    ///   - stored: What nothing need expect is left out unless a line of this asks for it.
    ///   - secrets: What must not be seen, whichever scenario of the run has made it known.
    func conversation(
        of actor: Actor?, against stored: StoredTranscript?, without secrets: SecretMasker
    ) -> [TranscriptEntry] {
        self.said.compactMap { entry in
            guard actor.map({ entry.actor === $0 }) ?? entry.actor.isClient else { return nil }
            let varying = entry.actor.vocabulary.varyingFields
            switch entry.content {
            case .command(let command, _):
                return TranscriptEntry(
                    actor: entry.actor.name, direction: .did, name: command.name,
                    fields: command.arguments, varyingFields: varying, without: secrets)
            case .event(let place):
                let logged = entry.actor.log[place]
                let observed = TranscriptEntry(
                    actor: entry.actor.name, direction: .observed, name: logged.event.kind.rawValue,
                    fields: logged.event.fields, varyingFields: varying, without: secrets)
                return logged.disposition != .noise || stored?.asks(for: observed) == true ? observed : nil
            }
        }
    }

    /// Marks what an actor, or all clients, observed so far as expected.
    func takeConversation(of actor: Actor?) {
        for one in self.actors where actor.map({ one === $0 }) ?? one.isClient { one.takeAll() }
    }
}
