/// How much the compressed messages of a WebSocket had to say, and how much of it went over the wire (RFC 7692).
public struct CompressionVolume: Hashable, Sendable {
    /// Bytes of payload on the wire, in both directions.
    public internal(set) var wire: Int64 = 0

    /// Bytes of the same messages before they were compressed.
    public internal(set) var text: Int64 = 0

    /// Adds a message.
    mutating func add(wire: Int, text: Int) {
        self.wire += Int64(wire)
        self.text += Int64(text)
    }
}
