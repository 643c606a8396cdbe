/// Whose connections with a server are observed there.
public enum ObservedClients: Hashable, Sendable {
    /// Those of all clients.
    case everybody

    /// Those of clients outside of this process; what the others send and get is observed on their side.
    case outsiders
}
