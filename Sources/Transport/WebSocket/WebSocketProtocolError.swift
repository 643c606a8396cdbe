/// Why a peer's bytes end a WebSocket: the status code that says so, and what was wrong.
public struct WebSocketProtocolError: Error, Hashable, Sendable {
    /// 1002, 1007 or 1009 (RFC 6455 section 7.4.1).
    public let code: UInt16

    /// What was wrong.
    public let message: String

    static func protocolError(_ message: String) -> Self { Self(code: 1002, message: message) }

    static func notCompressed(_ message: String) -> Self {
        Self(code: 1007, message: "a compressed message is damaged: \(message)")
    }

    static let notText = Self(code: 1007, message: "the text is not UTF-8")

    static func tooBig(_ limit: Int) -> Self {
        Self(code: 1009, message: "a message is longer than \(limit) bytes")
    }
}
