import CTLS
import Certificates

@testable import Transport

/// The TLS of servers that are not the product's in what a test is about: the system's library, set up by the test.
enum ServerTLS {
    /// Returns settings that show the certificate of the tests.
    ///
    /// - Parameter adapt: Sets up what is peculiar to the server.
    static func context(_ adapt: (OpaquePointer) -> Void = { _ in }) throws -> TLSContext {
        let context = try TLSContext.server(Certificates.identity)
        adapt(context.pointer)
        return context
    }

    /// Returns the end of one connection.
    static func handler(_ context: TLSContext) -> TLSHandler { TLSHandler(TLSEngine(context, .server)) }

    /// Speaks no version after this one, and what such an old one needs to sign with.
    static func speakAtMost(_ version: CInt, _ context: OpaquePointer) {
        SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(version), nil)
        SSL_CTX_set_security_level(context, 0)
    }

    /// Asks clients for a certificate and talks to none whose certificate is not the one of the tests.
    static func askForCertificate(_ context: OpaquePointer) {
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        SSL_CTX_load_verify_file(context, Certificates.file)
    }

    /// Chooses HTTP/2 where a client offers it.
    static func chooseHTTP2(_ context: OpaquePointer) {
        SSL_CTX_set_alpn_select_cb(
            context,
            { _, chosen, length, offered, count, _ in
                // RFC 7301 section 3.1: each name after its length.
                let names = UnsafeBufferPointer(start: offered, count: Int(count))
                var place = 0
                while place < names.count {
                    let name = names.dropFirst(place + 1).prefix(Int(names[place]))
                    if name.elementsEqual("h2".utf8) {
                        chosen?.pointee = names.baseAddress?.advanced(by: place + 1)
                        length?.pointee = names[place]
                        return SSL_TLSEXT_ERR_OK
                    }
                    place += 1 + Int(names[place])
                }
                return SSL_TLSEXT_ERR_NOACK
            }, nil)
    }
}
