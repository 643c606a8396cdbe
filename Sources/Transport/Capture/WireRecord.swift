public import Machines

/// One thing seen on the wire.
public struct WireRecord: Hashable, Sendable {
    /// Whose connection it is and which one, such as `visitor/2`.
    public let connection: String

    /// When it was seen.
    public let at: Instant

    /// Which way it went.
    public let direction: WireDirection

    /// What it was: bytes, or what they were decoded to.
    public let content: WireContent

    /// Creates a record.
    public init(connection: String, at: Instant, direction: WireDirection, content: WireContent) {
        self.connection = connection
        self.at = at
        self.direction = direction
        self.content = content
    }
}
