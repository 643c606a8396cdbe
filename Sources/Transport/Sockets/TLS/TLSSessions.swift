import CTLS

/// A session of TLS that a later connection may resume (RFC 8446 §2.2, RFC 5077).
final class TLSSession {
    let pointer: OpaquePointer

    /// Takes a session over, and frees it at the end.
    init(taking pointer: OpaquePointer) { self.pointer = pointer }

    deinit { SSL_SESSION_free(self.pointer) }
}

/// The sessions of one client, as a browser keeps them: of each server the last one that it gave.
final class TLSSessions {
    /// A server as a client sees it: sessions of one trust are not good for another.
    struct Server: Hashable {
        let security: ConnectionSecurity
        /// The name that its certificate must have.
        let host: String
        /// What is connected with: the server, or a proxy before it.
        let peer: Endpoint
    }

    private var kept: [Server: TLSSession] = [:]

    /// The session with a server, or nil if it gave none yet; a new one takes the place of the one before.
    subscript(server: Server) -> TLSSession? {
        get { self.kept[server] }
        set { self.kept[server] = newValue }
    }
}
