/// Who a side is that encrypts a connection in its middle.
public enum StartTLSSide: Hashable, Sendable {
    /// The one that has opened the connection: whom it trusts, and the name that the certificate must have.
    case client(ConnectionSecurity, host: String)
    /// The one that has accepted it; in memory only, where certificates are neither shown nor checked.
    case server
}
