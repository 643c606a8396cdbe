/// What a server has done against the protocol.
///
/// A machine may not hear of it at all, or hear only that its connection has ended, as if it were lost.
public struct ServerViolation: Hashable, Sendable {
    /// What it did, in one line, which begins with where the server is.
    public let message: String

    /// The beginning of what it sent; empty if that is not known.
    public let bytes: [UInt8]

    /// Why the connection has ended, as its machine was told; nil if nothing was told to the machine.
    public let reason: String?

    init(message: String, bytes: [UInt8] = [], reason: String? = nil) {
        self.message = message
        self.bytes = bytes
        self.reason = reason
    }
}
