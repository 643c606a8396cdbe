public import JSON

/// What a client machine is made from.
public struct ClientConfiguration: Sendable {
    /// Where the server is: scheme `http` or `https` (for plain WebSockets also `ws`, `wss`), host and port; with a
    /// path if the target has one.
    public let origin: String

    /// What the target says about itself (`repartee.lua`, or a simulated server's ``ServerMachine/properties``).
    public let target: JSONObject

    /// The options of the script, checked against ``ClientDeclaration/options``.
    public let options: JSONObject

    /// The wall-clock time at ``Instant/start``, in milliseconds since 1970 UTC, for time stamps on the wire and for
    /// the dates inside tokens.
    public let epochMilliseconds: Int64

    /// Creates a configuration.
    public init(origin: String, target: JSONObject, options: JSONObject, epochMilliseconds: Int64 = 0) {
        self.origin = origin
        self.target = target
        self.options = options
        self.epochMilliseconds = epochMilliseconds
    }

    /// Reads where a server is whose paths its vendor sets.
    ///
    /// - Parameter url: Its URL; ``origin`` unless given.
    /// - Throws: ``ConfigurationError`` if that is no URL of a server, or has a path, which would be lost.
    public func serverAddress(_ url: String? = nil) throws(ConfigurationError) -> WebAddress {
        let url = url ?? self.origin
        guard let address = WebAddress(webSocket: url) else {
            throw ConfigurationError("\"\(url)\" is no URL of a server; write https://host or http://host:port")
        }
        guard address.path == "/" else {
            throw ConfigurationError(
                "the paths of this system are its vendor's, so the URL of its server has none: "
                    + "write \(address.scheme)://\(address.authority), not \(url)")
        }
        return address
    }
}
