import CTLS

/// Why TLS failed or ended.
enum TLSError: Error, Hashable, CustomStringConvertible {
    /// The peer ended the connection before the handshake was over.
    case handshakeBrokenOff
    /// The peer ended the connection without ending TLS: bytes may be missing at the end (RFC 8446 section 6.1).
    case truncated
    /// What the library says, the first cause first.
    case failed([String])

    /// Takes what the library has to say of the last call of this thread.
    ///
    /// - Parameter verification: What is wrong with the peer's certificate, as a code of X.509; `X509_V_OK` for
    ///   nothing.
    static func last(verification: Int = Int(X509_V_OK)) -> TLSError {
        var reasons: [String] = []
        while case let code = ERR_get_error(), code != 0 {
            reasons.append(ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)")
        }
        if verification != Int(X509_V_OK), let text = X509_verify_cert_error_string(verification) {
            reasons.append(String(cString: text))
        }
        return .failed(reasons.isEmpty ? ["the library gives no reason"] : reasons)
    }

    /// Whether one side speaks no version that the other accepts: the first reason is what the library of a client
    /// says, the second what it was told by a server.
    var isAboutVersion: Bool {
        guard case .failed(let reasons) = self else { return false }
        return reasons.contains { $0 == "unsupported protocol" || $0 == "tlsv1 alert protocol version" }
    }

    /// Whether the other side does not speak TLS at all: what it says first is no record of it.
    var isPlainPeer: Bool {
        guard case .failed(let reasons) = self else { return false }
        return reasons.contains { $0 == "wrong version number" || $0 == "http request" }
    }

    /// Whether the certificate of the peer, which is to be trusted otherwise, is one for other names.
    var isAboutName: Bool {
        guard case .failed(let reasons) = self else { return false }
        return reasons.contains { $0 == "hostname mismatch" || $0 == "IP address mismatch" }
    }

    /// Whether the certificate of the peer is valid at another time.
    var isAboutTime: Bool {
        guard case .failed(let reasons) = self else { return false }
        return reasons.contains { $0 == "certificate has expired" || $0 == "certificate is not yet valid" }
    }

    var description: String {
        switch self {
        case .handshakeBrokenOff: "the connection ended during the handshake"
        case .truncated: "the connection ended without ending TLS"
        case .failed(let reasons): reasons.joined(separator: ": ")
        }
    }
}
