/// Whether a connection is encrypted, and whom it trusts.
public enum ConnectionSecurity: Hashable, Sendable {
    /// No encryption: `http`, `ws`.
    case plain
    /// TLS: `https`, `wss`, `tls`. In-memory connections carry the same bytes without encryption.
    case tls(TrustPolicy, speaking: ApplicationProtocol = .http)

    /// Whether the server may choose HTTP/2.
    var offersHTTP2: Bool { if case .tls(_, .http2) = self { true } else { false } }

    /// What a client says in the TLS handshake that it will speak (RFC 7301).
    public enum ApplicationProtocol: Hashable, Sendable {
        /// HTTP/1.1, of which a WebSocket can be made.
        case http
        /// HTTP/2, or else HTTP/1.1.
        case http2
        /// Nothing is said: a server may refuse a name that it does not know.
        case unnamed
    }
}
