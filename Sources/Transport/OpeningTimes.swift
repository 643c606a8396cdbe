public import Machines

/// How long the steps took by which a connection was opened, as far as there were any.
public struct OpeningTimes: Hashable, Sendable {
    /// Looking up the addresses of the host's name; nil where the address was given, or was known from before.
    @Packed public var lookup: Duration?

    /// From then until TCP was connected: with several addresses, to one of them.
    @Packed public var connect: Duration?

    /// The handshake of TLS.
    @Packed public var encryption: Duration?

    /// Whether that handshake resumed a session of an earlier connection.
    public var isResumed = false

    /// Creates the times of a connection that took no steps, as one in memory.
    public init() {}
}
