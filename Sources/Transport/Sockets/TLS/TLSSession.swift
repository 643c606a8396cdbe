import CTLS

/// A session of TLS that a later connection may resume (RFC 8446 section 2.2, RFC 5077).
final class TLSSession {
    let pointer: OpaquePointer

    /// Takes a session over, and frees it at the end.
    init(taking pointer: OpaquePointer) { self.pointer = pointer }

    deinit { SSL_SESSION_free(self.pointer) }
}
