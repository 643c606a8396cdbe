public import JSON

/// One thing that an actor observed.
///
/// The time stamp and the number are added where the event is logged; a machine only says what happened.
public struct ChatEvent: Hashable, Sendable {
    /// What kind of thing happened.
    public var kind: EventKind

    /// What scripts read and match: names in snake case, in a fixed order.
    public var fields: JSONObject

    /// The wire form the event was made from, or nil where none arrived (a timer, a lost connection).
    public var raw: JSONValue?

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - kind: What kind of thing happened.
    ///   - fields: What scripts read and match: names in snake case.
    ///   - raw: The wire form the event was made from.
    public init(_ kind: EventKind, _ fields: JSONObject = [:], raw: JSONValue? = nil) {
        self.kind = kind
        self.fields = fields
        self.raw = raw
    }

    /// About how many bytes of memory the event takes.
    public var weight: Int { 128 + JSONValue.object(self.fields).weight + (self.raw?.weight ?? 0) }
}
