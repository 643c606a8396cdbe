import JSON

/// Somebody in a session.
struct Participant: Hashable, Sendable {
    let id: UInt16
    let metadata: JSONValue

    var role: String { self.metadata["role"]?.string ?? "" }
    var name: String { self.metadata["name"]?.string ?? "" }
}
