/// The sessions of one client, as a browser keeps them: of each server the last one that it gave.
final class TLSSessionCache {
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
