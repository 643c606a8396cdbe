public import JSON

/// Events of one kind whose fields have given values; how a system names its noise.
public struct EventPattern: Hashable, Sendable {
    /// The kind.
    public let kind: EventKind

    /// Fields that must be equal; fields not named may have any value.
    public let fields: JSONObject

    /// Creates a pattern.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - fields: Fields that must be equal.
    public init(_ kind: EventKind, _ fields: JSONObject = [:]) {
        self.kind = kind
        self.fields = fields
    }

    /// Returns whether an event is one of these.
    public func matches(_ event: ChatEvent) -> Bool {
        guard event.kind == self.kind else { return false }
        guard !self.fields.isEmpty else { return true }
        // The fields of an event may be made of its text each time that they are asked for.
        let fields = event.fields
        return self.fields.allSatisfy { fields[$0.0] == $0.1 }
    }
}
