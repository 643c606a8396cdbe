/// Names one WebSocket or one link over TCP of a machine.
public struct ConnectionID: Hashable, Sendable {
    /// Counted by whoever opens connections: a machine, or a driver for those that come in.
    public let number: UInt64

    /// Creates an identifier; the machine that opens connections numbers them.
    public init(_ number: UInt64) { self.number = number }
}
