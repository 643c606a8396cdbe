/// Names one HTTP exchange of a machine: a request and its answer.
public struct ExchangeID: Hashable, Sendable {
    /// Counted by whoever starts exchanges: a machine for its requests, a driver for those that come in.
    public let number: UInt64

    /// Creates an identifier; the machine that starts exchanges numbers them.
    public init(_ number: UInt64) { self.number = number }
}
