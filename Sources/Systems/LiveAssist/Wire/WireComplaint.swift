/// Why something that came cannot be used, as a part of a sentence such as "the agent sent …".
struct WireComplaint: Error, Hashable, Sendable {
    let text: String

    /// Creates a complaint.
    init(_ text: String) { self.text = text }
}
