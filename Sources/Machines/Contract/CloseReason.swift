/// Why somebody closes a WebSocket, as scripts say it.
public enum CloseReason {
    /// A control frame has at most 125 bytes (RFC 6455 section 5.5), and two of them are the code.
    public static let limit = 123

    /// Returns why a reason cannot be sent whole, and what to do; nil if it can.
    public static func obstacle(to reason: String) -> String? {
        let count = reason.utf8.count
        guard count > Self.limit else { return nil }
        return "a close reason has at most \(Self.limit) bytes (RFC 6455 section 5.5), and this one has \(count); "
            + "shorten it"
    }
}
