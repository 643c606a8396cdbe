import ChatCore
import JSON

/// What a script asks of one event: its kind and some of its fields.
struct EventMatcher {
    /// Tells this event of an expression from every other one.
    let id: Int

    /// The kind, or nil for an event of any kind.
    let kind: EventKind?

    /// What is asked of the fields; `raw` stands for the wire form.
    let fields: [MemberMatcher]

    /// Returns where an event differs from what is asked for; empty if it matches.
    func mismatches(_ event: ChatEvent) -> [Mismatch] {
        var mismatches: [Mismatch] = []
        if let kind = self.kind, kind != event.kind {
            mismatches.append(Mismatch(path: ["event"], expected: kind.rawValue, found: .string(event.kind.rawValue)))
        }
        for field in self.fields {
            let value = field.name == "raw" ? event.raw : event.fields[field.name]
            mismatches += field.matcher.mismatches(value).map { $0.below(field.name) }
        }
        return mismatches
    }

    /// Returns whether an event is what is asked for.
    func matches(_ event: ChatEvent) -> Bool {
        if let kind = self.kind, kind != event.kind { return false }
        return self.mismatches(event).isEmpty
    }
}

extension EventMatcher: Hashable {
    static func == (left: EventMatcher, right: EventMatcher) -> Bool { left.id == right.id }

    func hash(into hasher: inout Hasher) { hasher.combine(self.id) }
}

extension EventMatcher: CustomStringConvertible {
    /// What is asked for, as it reads in a failure.
    var description: String {
        let name = self.kind?.rawValue ?? "any event"
        guard !self.fields.isEmpty else { return name }
        return "\(name) { " + self.fields.map { "\($0.name) = \($0.matcher)" }.joined(separator: ", ") + " }"
    }
}
