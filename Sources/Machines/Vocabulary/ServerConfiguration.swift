public import JSON

/// What a simulated server is made from.
public struct ServerConfiguration: Sendable {
    /// The origin under which clients reach the server, for URLs that it hands out.
    public let origin: String

    /// The options of the script, checked against ``ServerDeclaration/options``.
    public let options: JSONObject

    /// The wall-clock time at ``Instant/start``, in milliseconds since 1970 UTC, for time stamps on the wire.
    public let epochMilliseconds: Int64

    /// Creates a configuration.
    public init(origin: String, options: JSONObject, epochMilliseconds: Int64) {
        self.origin = origin
        self.options = options
        self.epochMilliseconds = epochMilliseconds
    }
}
