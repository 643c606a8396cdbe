import HTTPTypes
import Machines

/// A server that connects clients to others.
public struct Proxy: Hashable, Sendable {
    /// Where it is reached.
    public let endpoint: Endpoint

    /// The header that tells it who asks; nil if it need not know.
    let authorization: String?

    /// What of it must not be seen.
    let secret: String?

    /// Reads the URL of a proxy: `http://host:port`, `http://user:password@host:port`, or `host:port`.
    ///
    /// - Returns: Nil if it is none; proxies that are reached by https are not spoken to.
    public init?(_ text: String) {
        var rest = text[...]
        if let separator = text.firstRange(of: "://") {
            guard text[..<separator.lowerBound].lowercased() == "http" else { return nil }
            rest = text[separator.upperBound...]
        }
        rest = rest.prefix { $0 != "/" }
        var authorization: String?
        var secret: String?
        if let at = rest.lastIndex(of: "@") {
            let credentials = FormEncoding.percentDecode(rest[..<at])
            authorization = "Basic " + Base64.encode(Array(credentials.utf8))
            secret = credentials.firstIndex(of: ":").map { String(credentials[credentials.index(after: $0)...]) }
            rest = rest[rest.index(after: at)...]
        }
        guard let endpoint = Endpoint(authority: String(rest), defaultPort: 80) else { return nil }
        self.endpoint = endpoint
        self.authorization = authorization
        self.secret = secret
    }
}

/// By which proxies a client goes where.
public struct ProxySettings: Hashable, Sendable {
    /// For connections without encryption.
    public var plain: Proxy?

    /// For encrypted ones.
    public var secure: Proxy?

    /// The hosts that are reached directly, as in `NO_PROXY`: a name stands for itself and all below it, `*` for all.
    public var exceptions: [String]

    /// Goes directly everywhere.
    public static let none = ProxySettings()

    /// Creates settings.
    public init(plain: Proxy? = nil, secure: Proxy? = nil, exceptions: [String] = []) {
        self.plain = plain
        self.secure = secure
        self.exceptions = exceptions.map { $0.lowercased() }
    }

    /// Reads what the environment says: `http_proxy`, `HTTPS_PROXY`, `NO_PROXY`, in either case, as curl does.
    ///
    /// - Parameter variable: Returns the value of a variable; nil if it is not set.
    public init(environment variable: (String) -> String?) {
        func value(_ name: String) -> String? { variable(name.lowercased()) ?? variable(name) }
        self.init(
            plain: value("HTTP_PROXY").flatMap { Proxy($0) }, secure: value("HTTPS_PROXY").flatMap { Proxy($0) },
            exceptions: value("NO_PROXY")?.split(separator: ",").map { String($0.trimmingHTTPSpace) } ?? [])
    }

    /// What of it must not be seen: the passwords.
    public var secrets: [String] { [self.plain, self.secure].compactMap { $0?.secret } }

    /// Returns the proxy for a connection; nil for this machine and what is an exception.
    func proxy(for endpoint: Endpoint, isSecure: Bool) -> Proxy? {
        guard let proxy = isSecure ? self.secure : self.plain else { return nil }
        let host = endpoint.host
        let isException = self.exceptions.contains { exception in
            let name = exception.hasPrefix(".") ? String(exception.dropFirst()) : exception
            return exception == "*" || host == name || host.hasSuffix("." + name) || "\(endpoint)" == name
        }
        return AllowedHosts.isThisMachine(host.contains(":") ? "[\(host)]" : host) || isException ? nil : proxy
    }
}
