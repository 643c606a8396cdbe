import JSON
import Machines

extension EventDeclaration {
    /// Returns the summary, with when a scenario need not expect the event.
    ///
    /// - Parameters:
    ///   - noise: What need not be expected of those who observe it.
    ///   - strictKinds: What must be expected where the server is strict.
    func summary(noise: [EventPattern], strictKinds: Set<EventKind> = []) -> String {
        let patterns = noise.filter { $0.kind == self.kind }
        guard !patterns.isEmpty else { return self.summary }
        let note = "\(self.summary) Need not be expected"
        guard patterns.allSatisfy({ !$0.fields.isEmpty }) else {
            return note + (strictKinds.contains(self.kind) ? " unless the server is `strict`." : ".")
        }
        let cases = patterns.map { pattern in
            pattern.fields.map { "`\($0.0)` is `\($0.1)`" }.joined(separator: " and ")
        }
        return "\(note) where \(cases.joined(separator: " or "))."
    }
}
