/// One of the two sides of a connection.
public enum FaultSide: String, CaseIterable, Hashable, Sendable {
    /// The one that has connected.
    case client
    /// The one that has accepted.
    case server
}
