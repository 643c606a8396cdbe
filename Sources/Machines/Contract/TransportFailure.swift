/// Why an exchange or a connection failed before the peer could answer in its protocol.
public struct TransportFailure: Error, Hashable, Sendable {
    /// The ways in which a transport fails.
    public enum Code: String, Sendable {
        /// Nothing listens there, or the host name is unknown.
        case cannotConnect = "cannot_connect"
        /// The TLS handshake failed.
        case tlsFailed = "tls_failed"
        /// The connection ended before the answer was complete.
        case connectionLost = "connection_lost"
        /// The peer sent bytes that are not the protocol, or more than the limits allow.
        case malformed
        /// The time limit of the exchange passed.
        case timedOut = "timed_out"
        /// No token was given for the request.
        case authorizationFailed = "authorization_failed"
        /// The server redirected where the client does not follow.
        case redirectRefused = "redirect_refused"
        /// The server answered a WebSocket handshake with an ordinary response.
        case upgradeRefused = "upgrade_refused"
        /// The host is not one of those that the target allows (``AllowedHosts``), so nothing was sent.
        case hostRefused = "host_refused"
    }

    /// By what machines and scripts tell failures apart.
    public let code: Code

    /// What happened, and where it helps, what to do; one sentence.
    public let message: String

    /// The HTTP status of a refused upgrade or token, or of a redirect that was not followed.
    public let status: Int?

    /// The beginning of the body of a refused upgrade or token, which often says why.
    public let body: [UInt8]

    /// Creates a failure.
    public init(_ code: Code, _ message: String, status: Int? = nil, body: [UInt8] = []) {
        self.code = code
        self.message = message
        self.status = status
        self.body = body
    }
}
