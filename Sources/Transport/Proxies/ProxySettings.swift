import Machines

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
