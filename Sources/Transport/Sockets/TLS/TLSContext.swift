import CTLS
import Digests
import Machines

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The settings that connections with TLS share, for the system's libssl.
///
/// It is OpenSSL and not swift-nio-ssl, because that one cannot resume sessions, and compiling its BoringSSL took a
/// fifth of a build.
final class TLSContext {
    let pointer: OpaquePointer

    private init(_ method: OpaquePointer?) {
        CryptoLibrary.prepare()
        // Only a process without memory gets none.
        guard let pointer = SSL_CTX_new(method) else { preconditionFailure("libssl has no memory") }
        self.pointer = pointer
        repartee_tls_set_defaults(pointer)
        // Nobody is there to type a pass phrase.
        SSL_CTX_set_default_passwd_cb(pointer) { _, _, _, _ in -1 }
    }

    deinit { SSL_CTX_free(self.pointer) }

    // MARK: Clients

    /// The settings of a client.
    static func client(
        _ trust: TrustPolicy, speaking: ConnectionSecurity.ApplicationProtocol
    ) throws(TransportFailure) -> TLSContext {
        let context = TLSContext(TLS_client_method())
        context.speak(oldest: trust.oldestVersion, verification: trust.verification)
        context.offer(speaking)
        if trust.verification == .full {
            SSL_CTX_set_verify(context.pointer, SSL_VERIFY_PEER, nil)
            context.trustSystem()
        }
        for file in trust.authorityFiles where SSL_CTX_load_verify_file(context.pointer, file) != 1 {
            throw TransportFailure(
                .tlsFailed, "the authorities \(file) cannot be read as a PEM file: \(TLSError.last())")
        }
        if let identity = trust.identity { try context.show(identity) }
        repartee_tls_give_sessions(context.pointer) { ssl, session in
            guard let ssl, let session, let engine = TLSEngine.of(ssl) else { return 0 }
            return engine.keep(session) ? 1 : 0
        }
        return context
    }

    private func speak(oldest: TrustPolicy.Version, verification: TrustPolicy.Verification) {
        let version =
            switch oldest {
            case .tls10: TLS1_VERSION
            case .tls11: TLS1_1_VERSION
            case .tls12: TLS1_2_VERSION
            case .tls13: TLS1_3_VERSION
            }
        _ = repartee_tls_set_versions(self.pointer, version)
        // Versions before 1.2 sign with SHA-1, and a test machine may have a key of any size.
        if oldest == .tls10 || oldest == .tls11 || verification == .none {
            SSL_CTX_set_security_level(self.pointer, 0)
        }
    }

    private func offer(_ speaking: ConnectionSecurity.ApplicationProtocol) {
        let names: [String] =
            switch speaking {
            case .http: ["http/1.1"]
            case .http2: ["h2", "http/1.1"]
            case .unnamed: []
            }
        // RFC 7301 section 3.1: each name after its length.
        let list = names.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        if !list.isEmpty { SSL_CTX_set_alpn_protos(self.pointer, list, CUnsignedInt(list.count)) }
    }

    /// Trusts whom the operating system trusts.
    private func trustSystem() {
        SSL_CTX_set_default_verify_paths(self.pointer)
        // A program that was linked elsewhere looks where that system has them.
        if access(String(cString: X509_get_default_cert_dir()), R_OK) == 0 { return }
        let bundles = [
            "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
            "/etc/ssl/cert.pem",
        ]
        if let bundle = bundles.first(where: { access($0, R_OK) == 0 }) {
            SSL_CTX_load_verify_file(self.pointer, bundle)
        }
        ERR_clear_error()
    }

    private func show(_ identity: ClientIdentity) throws(TransportFailure) {
        guard SSL_CTX_use_certificate_chain_file(self.pointer, identity.certificateFile) == 1,
            SSL_CTX_use_PrivateKey_file(self.pointer, identity.keyFile, SSL_FILETYPE_PEM) == 1,
            SSL_CTX_check_private_key(self.pointer) == 1
        else {
            throw TransportFailure(
                .tlsFailed,
                "the client's certificate \(identity.certificateFile) and key \(identity.keyFile) must be PEM files, the "
                    + "key unencrypted: \(TLSError.last())")
        }
    }

    // MARK: Servers

    /// The settings of a server.
    static func server(_ identity: ServerIdentity) throws(TransportFailure) -> TLSContext {
        let context = TLSContext(TLS_server_method())
        guard context.show(identity) else {
            throw TransportFailure(
                .tlsFailed,
                "the server's certificate and key must be PEM texts that belong together, the key unencrypted: "
                    + "\(TLSError.last())")
        }
        SSL_CTX_set_alpn_select_cb(
            context.pointer,
            { _, chosen, length, offered, count, _ in
                TLSContext.choose(UnsafeBufferPointer(start: offered, count: Int(count)), chosen, length)
            }, nil)
        return context
    }

    private func show(_ identity: ServerIdentity) -> Bool {
        let chain = Self.certificates(identity.certificateChainPEM)
        defer { for certificate in chain { X509_free(certificate) } }
        guard let own = chain.first, SSL_CTX_use_certificate(self.pointer, own) == 1 else { return false }
        for certificate in chain.dropFirst() where repartee_tls_add_to_chain(self.pointer, certificate) != 1 {
            return false
        }
        guard
            let key = Self.reading(
                identity.privateKeyPEM, { PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in -1 }, nil) })
        else { return false }
        defer { EVP_PKEY_free(key) }
        return SSL_CTX_use_PrivateKey(self.pointer, key) == 1 && SSL_CTX_check_private_key(self.pointer) == 1
    }

    private static func certificates(_ text: String) -> [OpaquePointer] {
        let found = self.reading(text) { source in
            var found: [OpaquePointer] = []
            while let certificate = PEM_read_bio_X509(source, nil, { _, _, _, _ in -1 }, nil) {
                found.append(certificate)
            }
            return found
        }
        // That nothing more is there is told as an error.
        if found?.isEmpty == false { ERR_clear_error() }
        return found ?? []
    }

    private static func reading<Value>(_ text: String, _ read: (OpaquePointer) -> Value?) -> Value? {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { bytes in
            guard let source = BIO_new_mem_buf(bytes.baseAddress, CInt(clamping: bytes.count)) else { return nil }
            defer { BIO_free(source) }
            return read(source)
        }
    }

    /// Chooses HTTP/1.1 if a client offers it; one that offers other names only is served all the same.
    private static func choose(
        _ offered: UnsafeBufferPointer<UInt8>, _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
        _ length: UnsafeMutablePointer<UInt8>?
    ) -> CInt {
        var place = 0
        while place < offered.count {
            let (start, count) = (place + 1, Int(offered[place]))
            guard start + count <= offered.count else { break }
            if offered[start..<start + count].elementsEqual("http/1.1".utf8) {
                chosen?.pointee = offered.baseAddress.map { $0 + start }
                length?.pointee = UInt8(count)
                return SSL_TLSEXT_ERR_OK
            }
            place = start + count
        }
        return SSL_TLSEXT_ERR_NOACK
    }
}
