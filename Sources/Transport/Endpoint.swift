/// A host and a port.
public struct Endpoint: Hashable, Sendable, CustomStringConvertible {
    /// A name or an address literal, in lower case; an IPv6 address has no brackets.
    public let host: String

    /// From 0 to 65535; 0 asks a listener for any free port.
    public let port: Int

    /// The address that only this machine reaches, with any free port.
    public static let loopback = Endpoint(host: "127.0.0.1", port: 0)

    /// Creates an endpoint.
    ///
    /// - Parameters:
    ///   - host: A name or an address literal.
    ///   - port: From 0 to 65535; checked where it is used.
    public init(host: String, port: Int) {
        self.host = host.lowercased()
        self.port = port
    }

    /// Reads the authority of a URL: `host`, `host:port`, `[address]:port`.
    ///
    /// - Parameters:
    ///   - authority: The text between `//` and the path; user information is not accepted.
    ///   - defaultPort: The port of the scheme.
    /// - Returns: Nil if the host is empty or the port is not a number from 1 to 65535.
    public init?(authority: String, defaultPort: Int) {
        guard !authority.utf8.contains(UInt8(ascii: "@")) else { return nil }
        var host = authority[...]
        var digits: Substring?
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[authority.index(after: authority.startIndex)..<end]
            let rest = authority[authority.index(after: end)...]
            guard rest.isEmpty || rest.first == ":" else { return nil }
            digits = rest.isEmpty ? nil : rest.dropFirst()
        } else if let colon = authority.utf8.firstIndex(of: UInt8(ascii: ":")) {
            host = authority[..<colon]
            // Not the character after the colon: what comes behind it could belong to the same one.
            digits = authority[authority.utf8.index(after: colon)...]
        }
        guard !host.isEmpty else { return nil }
        guard let digits, !digits.isEmpty else {
            self.init(host: String(host), port: defaultPort)
            return
        }
        guard digits.utf8.count <= 5, digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            let port = Int(digits), 1...65535 ~= port
        else { return nil }
        self.init(host: String(host), port: port)
    }

    /// The endpoint as it stands in a URL, with brackets around an IPv6 address.
    public var description: String {
        self.host.utf8.contains(UInt8(ascii: ":")) ? "[\(self.host)]:\(self.port)" : "\(self.host):\(self.port)"
    }
}
