/// Which way something went, seen from the driver that reports it.
public enum WireDirection: String, Hashable, Sendable {
    /// From the driver that reports it to its peer.
    case sent
    /// From the peer.
    case received
}
