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
