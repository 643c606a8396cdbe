import Machines
import NIOSSL

/// Makes the settings of TLS from what the rest of the module knows.
enum TLSContexts {
    /// The settings of a client.
    static func client(
        _ trust: TrustPolicy, speaking: ConnectionSecurity.ApplicationProtocol
    ) throws(TransportFailure) -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = trust.verification == .full ? .fullVerification : .none
        configuration.minimumTLSVersion = Self.version(trust.oldestVersion)
        configuration.additionalTrustRoots = trust.authorityFiles.map { .file($0) }
        switch speaking {
        case .http: configuration.applicationProtocols = ["http/1.1"]
        case .http2: configuration.applicationProtocols = ["h2", "http/1.1"]
        case .unnamed: break
        }
        if let identity = trust.identity {
            do {
                configuration.certificateChain = try NIOSSLCertificate.fromPEMFile(identity.certificateFile)
                    .map { .certificate($0) }
                configuration.privateKey = .privateKey(try NIOSSLPrivateKey(file: identity.keyFile, format: .pem))
            } catch {
                throw TransportFailure(
                    .tlsFailed,
                    "the client's certificate \(identity.certificateFile) and key \(identity.keyFile) must be PEM files, the "
                        + "key unencrypted: \(error)")
            }
        }
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw TransportFailure(
                .tlsFailed,
                "the authorities \(trust.authorityFiles.joined(separator: ", ")) cannot be read as PEM files: \(error)")
        }
    }

    private static func version(_ version: TrustPolicy.Version) -> TLSVersion {
        switch version {
        case .tls10: .tlsv1
        case .tls11: .tlsv11
        case .tls12: .tlsv12
        case .tls13: .tlsv13
        }
    }

    /// The settings of a server.
    static func server(_ identity: ServerIdentity) throws(TransportFailure) -> NIOSSLContext {
        do {
            let chain = try NIOSSLCertificate.fromPEMBytes(Array(identity.certificateChainPEM.utf8))
            let key = try NIOSSLPrivateKey(bytes: Array(identity.privateKeyPEM.utf8), format: .pem)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
            configuration.applicationProtocols = ["http/1.1"]
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw TransportFailure(
                .tlsFailed,
                "the server's certificate and key must be PEM texts that belong together, the key unencrypted: \(error)"
            )
        }
    }
}
