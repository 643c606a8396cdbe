/// How much of an HTTP message is taken in before it is refused.
public struct HTTPLimits: Hashable, Sendable {
    /// The longest request line or status line, in bytes.
    public var startLine: Int

    /// The longest head, start line and fields together, in bytes; trailers have the same limit.
    public var head: Int

    /// The most fields of one head or trailer.
    public var fields: Int

    /// The longest body, in bytes.
    public var body: Int

    /// Creates limits; the defaults are defined here, near what common servers use.
    public init(startLine: Int = 8 << 10, head: Int = 64 << 10, fields: Int = 128, body: Int = 32 << 20) {
        self.startLine = startLine
        self.head = head
        self.fields = fields
        self.body = body
    }
}
