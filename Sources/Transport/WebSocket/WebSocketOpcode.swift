import Machines

/// What a WebSocket frame is (RFC 6455 section 5.2).
public enum WebSocketOpcode: UInt8, Hashable, Sendable {
    /// Goes on with the message of the frame before.
    case continuation = 0x0
    /// Begins a message of UTF-8.
    case text = 0x1
    /// Begins a message of any bytes.
    case binary = 0x2
    /// Begins or answers the closing handshake; nothing follows it.
    case close = 0x8
    /// Asks for a pong with the same payload.
    case ping = 0x9
    /// Answers a ping, or says unasked that its sender lives.
    case pong = 0xA

    /// What a frame is called in records.
    public var name: String {
        switch self {
        case .continuation: "continuation"
        case .text: "text"
        case .binary: "binary"
        case .close: "close"
        case .ping: "ping"
        case .pong: "pong"
        }
    }

    /// Whether it may stand between the fragments of a message.
    var isControl: Bool { self.rawValue >= 0x8 }
}

extension WebSocketMessage {
    /// What a frame is that carries the message as a whole.
    var opcode: WebSocketOpcode {
        switch self {
        case .text: .text
        case .binary: .binary
        }
    }
}
