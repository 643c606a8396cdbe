import HTTPTypes
import Machines

/// Where a request goes, as far as cookies care.
struct CookiePlace: Hashable {
    let host: String
    let path: String
    let isSecure: Bool

    /// Reads the place of a request.
    init(_ head: HTTPRequest) {
        let host = AllowedHosts.host(of: head.authority ?? "")
        self.host = host
        self.path = String((head.path ?? "/").prefix { $0 != "?" })
        // As browsers do: what is sent to this machine cannot be overheard.
        self.isSecure =
            head.scheme == "https" || head.scheme == "wss" || AllowedHosts.isThisMachine(host)
    }

    /// The path that a cookie without one gets (RFC 6265 section 5.1.4).
    var defaultPath: String {
        guard self.path.hasPrefix("/"), let slash = self.path.lastIndex(of: "/"), slash != self.path.startIndex else {
            return "/"
        }
        return String(self.path[..<slash])
    }
}
