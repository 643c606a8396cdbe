/// How sockets are used; the defaults are defined here.
public struct SocketNetworkConfiguration: Hashable, Sendable {
    /// How long a connection may take to open, without its encryption.
    public var connectTimeout: Duration

    /// The own addresses that connections leave from; nil leaves it to the system. Load tests that need more than the
    /// ports of one address use several.
    public var sourceAddresses: SourceAddresses?

    /// How many bytes may wait for a peer that does not read; more end the connection.
    public var writeLimit: Int

    /// Whether the name of a host is looked up once, and its addresses are kept; for each connection otherwise.
    public var keepsAddresses: Bool

    /// Whether connections of a user resume its earlier sessions of TLS, as browsers do; each begins anew otherwise.
    public var resumesSessions: Bool

    /// Creates a configuration.
    public init(
        connectTimeout: Duration = .seconds(10), sourceAddresses: SourceAddresses? = nil,
        writeLimit: Int = 64 << 20, keepsAddresses: Bool = false, resumesSessions: Bool = false
    ) {
        self.connectTimeout = connectTimeout
        self.sourceAddresses = sourceAddresses
        self.writeLimit = writeLimit
        self.keepsAddresses = keepsAddresses
        self.resumesSessions = resumesSessions
    }
}
