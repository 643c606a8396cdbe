/// How sockets are used; the defaults are defined here.
public struct SocketNetworkConfiguration: Hashable, Sendable {
    /// How long a connection may take to open, without its encryption.
    public var connectTimeout: Duration

    /// The own addresses that connections leave from; nil leaves it to the system. Load tests that need more than the
    /// ports of one address use several.
    public var sourceAddresses: SourceAddresses?

    /// How many bytes may wait for a peer that does not read; more end the connection.
    public var writeLimit: Int

    /// Creates a configuration.
    public init(
        connectTimeout: Duration = .seconds(10), sourceAddresses: SourceAddresses? = nil,
        writeLimit: Int = 64 << 20
    ) {
        self.connectTimeout = connectTimeout
        self.sourceAddresses = sourceAddresses
        self.writeLimit = writeLimit
    }
}
