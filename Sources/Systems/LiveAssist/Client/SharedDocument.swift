/// A document on the consumer's screen, or on its way there.
struct SharedDocument: Hashable, Sendable {
    /// How far a document has come.
    enum State: Hashable, Sendable {
        case asking, receiving, fetching, opening, open
    }

    /// The agent who pushed it; nil for one that the consumer shares.
    let agent: UInt16?
    /// Counted by the agent; −1 for one that the consumer shares.
    let id: Int16
    var state: State
    var type: String
    var url: String?
    var metadata: String
    var bytes: [UInt8] = []
    var topic: UInt16?
    /// What tells its topic from others when the server confirms it.
    let key: Int64
}
