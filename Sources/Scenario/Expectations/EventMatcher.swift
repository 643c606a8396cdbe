import JSON
import Machines

/// What a script asks of one event: its kind and some of its fields.
struct EventMatcher {
    /// Tells this event of an expression from every other one.
    let id: Int

    /// The kind, or nil for an event of any kind.
    let kind: EventKind?

    /// What is asked of the fields; `raw` stands for the wire form.
    let fields: [MemberMatcher]

    /// What is asked of the event as a whole, such as its buttons.
    let whole: Matcher?

    init(id: Int, kind: EventKind?, fields: [MemberMatcher], whole: Matcher? = nil) {
        self.id = id
        self.kind = kind
        self.fields = fields
        self.whole = whole
    }

    /// Returns where an event differs from what is asked for; empty if it matches.
    ///
    /// - Parameter purpose: What the mismatches are for.
    func mismatches(_ event: ChatEvent, for purpose: MismatchPurpose = .failure) -> [Mismatch] {
        var mismatches: [Mismatch] = []
        if let kind = self.kind, kind != event.kind {
            mismatches.append(Mismatch(path: ["event"], expected: kind.rawValue, found: .string(event.kind.rawValue)))
        }
        let event = event.decoded
        mismatches += purpose.collect(self.fields) { field in
            let value = field.name == "raw" ? event.raw : event.fields[field.name]
            return field.matcher.mismatches(value, for: purpose).map { $0.below(field.name) }
        }
        if let whole = self.whole { mismatches += whole.mismatches(.object(event.fields), for: purpose) }
        return mismatches
    }

    /// Returns what the matcher captures of an event that it accepts.
    func captures(of event: ChatEvent) -> JSONObject {
        var captures = JSONObject()
        guard !self.fields.isEmpty || self.whole != nil else { return captures }
        let event = event.decoded
        for field in self.fields {
            field.matcher.capture(field.name == "raw" ? event.raw : event.fields[field.name], into: &captures)
        }
        self.whole?.capture(.object(event.fields), into: &captures)
        return captures
    }

    /// The names under which the matcher may capture something.
    var captureNames: [String] {
        self.fields.flatMap(\.matcher.captureNames) + (self.whole?.captureNames ?? [])
    }

    /// Whether every event of the kind is what is asked for.
    var asksForNothing: Bool {
        guard self.fields.isEmpty else { return false }
        return self.whole?.acceptsEveryTable ?? true
    }

    /// Returns whether an event is what must not be: what is asked for, or cannot be told from it.
    func isBroken(by event: ChatEvent) -> Bool {
        if let kind = self.kind, kind != event.kind { return false }
        guard !self.asksForNothing else { return true }
        let event = event.decoded
        return self.fields.allSatisfy { field in
            field.matcher.mayMatch(field.name == "raw" ? event.raw : event.fields[field.name])
        } && self.whole?.mayMatch(.object(event.fields)) ?? true
    }

    /// Returns whether an event is what is asked for.
    func matches(_ event: ChatEvent) -> Bool {
        if let kind = self.kind, kind != event.kind { return false }
        return (self.fields.isEmpty && self.whole == nil) || self.mismatches(event, for: .verdict).isEmpty
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
        if let whole = self.whole { return "\(name) with \(whole)" }
        guard !self.fields.isEmpty else { return name }
        return "\(name) { " + self.fields.map { "\($0.name) = \($0.matcher)" }.joined(separator: ", ") + " }"
    }
}
