/// How many bytes the connections have carried that were opened from one side of a network: over TLS those of the
/// encrypted records and the handshake, as a wire has them.
public struct Traffic: Hashable, Sendable {
    /// Bytes that were handed to the network.
    public internal(set) var sent: Int64 = 0

    /// Bytes that came from it.
    public internal(set) var received: Int64 = 0

    /// Creates the traffic of a network on which nothing has been said.
    public init() {}

    /// What came on top of an earlier count.
    public static func - (later: Traffic, earlier: Traffic) -> Traffic {
        var growth = Traffic()
        growth.sent = later.sent - earlier.sent
        growth.received = later.received - earlier.received
        return growth
    }
}
