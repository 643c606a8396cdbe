import Machines

/// What the vendor's `parseURL` makes of a server name: scheme, host and port.
///
/// The defaults are not published. Defined here: https; port 8443 for https and 8080 for http, which are the ports of
/// the vendor's demonstration server.
struct ServerObject: Hashable, Sendable {
    let scheme: String
    /// IPv6 addresses keep their brackets.
    let host: String
    let port: Int

    /// Reads a host or a URL without a path: `h`, `h:p`, `//h`, `//h:p`, `http://h`, `http://h:p`, IPv6 in brackets.
    ///
    /// - Returns: Nil if the text has another form.
    init?(_ text: String) {
        guard text.utf8.count <= 300, text.isVisibleASCII else { return nil }
        var rest = text[...]
        var scheme = "https"
        if let separator = rest.firstRange(of: "://") {
            scheme = rest[..<separator.lowerBound].lowercased()
            rest = rest[separator.upperBound...]
        } else if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
        }
        guard ["http", "https"].contains(scheme) else { return nil }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        guard let (host, port) = Self.authority(rest) else { return nil }
        self.scheme = scheme
        self.host = host
        self.port = port ?? (scheme == "https" ? 8443 : 8080)
    }

    private static func authority(_ text: Substring) -> (host: String, port: Int?)? {
        var host = text
        var tail = text[text.endIndex...]
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[...end]
            tail = text[text.index(after: end)...]
            let inside = host.dropFirst().dropLast()
            guard inside.contains(":"), inside.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." || $0 == "%" })
            else {
                return nil
            }
        } else {
            if let colon = text.firstIndex(of: ":") {
                host = text[..<colon]
                tail = text[colon...]
            }
            guard !host.isEmpty, host.allSatisfy({ $0.isLetter || $0.isNumber || "-._".contains($0) }) else {
                return nil
            }
        }
        guard !tail.isEmpty else { return (host.lowercased(), nil) }
        guard tail.first == ":", tail.count > 1, tail.dropFirst().allSatisfy(\.isNumber),
            let port = Int(tail.dropFirst()),
            1...65_535 ~= port
        else { return nil }
        return (host.lowercased(), port)
    }

    /// Host and port.
    var authority: String { "\(self.host):\(self.port)" }
}
