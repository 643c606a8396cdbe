/// What a server has done against the protocol while nothing was under way of which a machine could be told.
public struct ServerViolation: Hashable, Sendable {
    /// What it did, in one line, which begins with where the server is.
    public let message: String

    /// The beginning of what it sent; empty if that is not known.
    public let bytes: [UInt8]
}
