/// The status codes with which somebody closes a WebSocket, as scripts say them.
public enum CloseCode {
    /// Those that a frame may carry, in words (RFC 6455 section 7.4 and the registry that it makes).
    public static let range = "1000 to 1003, 1007 to 1014 or 3000 to 4999"

    /// Whether a frame may carry a code: the others say what no frame has said, or have no meaning yet.
    public static func isSendable(_ code: some BinaryInteger) -> Bool {
        switch Int(clamping: code) {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    /// Returns why a code cannot be sent, and which can; nil if it can.
    public static func obstacle(to code: some BinaryInteger) -> String? {
        Self.isSendable(code) ? nil : "close takes a code from \(Self.range) (RFC 6455 section 7.4), not \(code)"
    }
}
