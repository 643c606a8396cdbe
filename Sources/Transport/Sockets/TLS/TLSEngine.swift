import CTLS
import NIOCore

/// One end of TLS without a connection: what came over the wire goes in, what is to go over it comes out.
final class TLSEngine {
    /// Who the engine is, and whom it talks with.
    enum Role {
        /// A client of a server.
        ///
        /// - Parameters:
        ///   - host: The name or address that the certificate must have.
        ///   - session: A session to resume, if the server agrees.
        case client(host: String, session: TLSSession?)
        case server
    }

    /// What there was to read.
    enum Reading {
        /// Nothing before more comes over the wire.
        case nothing
        case bytes
        /// The peer has ended its direction.
        case end
    }

    /// Called with each session that the server gives, to be resumed later.
    var onSession: ((TLSSession) -> Void)?

    private let context: TLSContext
    private let ssl: OpaquePointer
    // Both belong to `ssl`.
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer

    /// Creates an engine that has said nothing yet.
    init(_ context: TLSContext, _ role: Role) {
        // Only a process without memory gets none.
        guard let ssl = SSL_new(context.pointer), let incoming = BIO_new(BIO_s_mem()),
            let outgoing = BIO_new(BIO_s_mem())
        else { preconditionFailure("libssl has no memory") }
        self.context = context
        self.ssl = ssl
        self.incoming = incoming
        self.outgoing = outgoing
        repartee_tls_never_ends(incoming)
        repartee_tls_never_ends(outgoing)
        SSL_set_bio(ssl, incoming, outgoing)
        SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque())
        switch role {
        case .client(let host, let session):
            SSL_set_connect_state(ssl)
            self.expect(host)
            if let session { SSL_set_session(ssl, session.pointer) }
        case .server: SSL_set_accept_state(ssl)
        }
    }

    deinit {
        // A session stays good however its connection ended (RFC 5246 section 7.2.1); the library would void it.
        SSL_set_shutdown(self.ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        SSL_free(self.ssl)
    }

    private func expect(_ host: String) {
        if (try? SocketAddress(ipAddress: host, port: 0)) != nil {
            X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(self.ssl), host)
        } else {
            // RFC 9525 section 2: names stand in the certificate's alternative names, and nowhere else.
            SSL_set_hostflags(
                self.ssl, CUnsignedInt(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT))
            SSL_set1_host(self.ssl, host)
            _ = repartee_tls_set_server_name(self.ssl, host)
        }
    }

    /// The engine that a pointer of the library belongs to.
    static func of(_ ssl: OpaquePointer) -> TLSEngine? {
        SSL_get_ex_data(ssl, 0).map { Unmanaged<TLSEngine>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Takes a session that the server has given, and returns whether it is kept.
    func keep(_ session: OpaquePointer) -> Bool {
        guard let onSession = self.onSession, SSL_SESSION_is_resumable(session) == 1 else { return false }
        onSession(TLSSession(taking: session))
        return true
    }

    /// What both sides have agreed to speak (RFC 7301); nil if they have not.
    var agreedProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var count: CUnsignedInt = 0
        SSL_get0_alpn_selected(self.ssl, &name, &count)
        return name.map { String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self) }
    }

    /// Whether the handshake resumed a session.
    var isResumed: Bool { SSL_session_reused(self.ssl) == 1 }

    /// Takes in what came over the wire.
    func receive(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = BIO_write(self.incoming, part.baseAddress, CInt(clamping: part.count))
            guard count > 0 else { preconditionFailure("libssl has no memory") }
            rest = rest.dropFirst(Int(count))
        }
    }

    /// Goes on with the handshake as far as it goes, and returns whether it is over.
    func shakeHands() throws(TLSError) -> Bool {
        ERR_clear_error()
        let result = SSL_do_handshake(self.ssl)
        if result == 1 { return true }
        guard SSL_get_error(self.ssl, result) == SSL_ERROR_WANT_READ else {
            throw TLSError.last(verification: SSL_get_verify_result(self.ssl))
        }
        return false
    }

    /// Reads all plain bytes that are there.
    ///
    /// - Parameter buffer: Gets the bytes.
    func read(into buffer: inout ByteBuffer) throws(TLSError) -> Reading {
        let before = buffer.readableBytes
        while true {
            ERR_clear_error()
            // As many bytes came over the wire, and plain ones are no more; a record has at most 16 KiB.
            let room = max(256, min(BIO_ctrl_pending(self.incoming) + Int(SSL_pending(self.ssl)), 16 << 10))
            var result: CInt = 0
            buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { space in
                result = SSL_read(self.ssl, space.baseAddress, CInt(clamping: space.count))
                return max(0, Int(result))
            }
            if result > 0 { continue }
            switch SSL_get_error(self.ssl, result) {
            case SSL_ERROR_WANT_READ: return buffer.readableBytes > before ? .bytes : .nothing
            case SSL_ERROR_ZERO_RETURN: return .end
            default: throw TLSError.last()
            }
        }
    }

    /// Encrypts bytes for the wire.
    func write(_ bytes: UnsafeRawBufferPointer) throws(TLSError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            ERR_clear_error()
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let result = SSL_write(self.ssl, part.baseAddress, CInt(clamping: part.count))
            guard result > 0 else { throw TLSError.last() }
            rest = rest.dropFirst(Int(result))
        }
    }

    /// Says to the peer that nothing more comes.
    func end() {
        ERR_clear_error()
        SSL_shutdown(self.ssl)
        ERR_clear_error()
    }

    /// Takes what is to go over the wire; nil if there is nothing.
    func takeOutgoing(_ allocator: ByteBufferAllocator) -> ByteBuffer? {
        let count = BIO_ctrl_pending(self.outgoing)
        guard count > 0 else { return nil }
        var buffer = allocator.buffer(capacity: count)
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { space in
            max(0, Int(BIO_read(self.outgoing, space.baseAddress, CInt(clamping: count))))
        }
        return buffer
    }
}
