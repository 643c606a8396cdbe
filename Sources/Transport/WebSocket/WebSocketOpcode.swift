import Machines

/// What a WebSocket frame is (RFC 6455 §5.2).
public enum WebSocketOpcode: UInt8, Hashable, Sendable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
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
