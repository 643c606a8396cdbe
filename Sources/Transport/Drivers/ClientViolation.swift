public import Machines

/// What a client from outside of this process has done against the protocol, or has said went wrong with it.
///
/// The machine of the server hears of no request that cannot be read, and of a connection that it has ended.
public struct ClientViolation: Hashable, Sendable {
    /// What it did, in one line, which begins with where it is.
    public let message: String

    /// The beginning of what it sent; empty if that says no more.
    public let bytes: [UInt8]

    /// How its WebSocket or link has ended, as the machine was told; nil if the machine was told nothing.
    public let closure: WebSocketClosure?

    init(message: String, bytes: [UInt8] = [], closure: WebSocketClosure? = nil) {
        self.message = message
        self.bytes = bytes
        self.closure = closure
    }
}
