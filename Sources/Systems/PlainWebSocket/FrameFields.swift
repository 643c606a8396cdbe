import JSON
import Machines

/// The fields by which scripts see a WebSocket message.
enum FrameFields {
    /// Returns the event of a message: `type`, `size` and, as far as they apply, `text`, `json`, `bytes` (base64).
    static func event(of message: WebSocketMessage) -> ChatEvent {
        switch message {
        case .text(let text): return ChatEvent(.frame, document: text)
        case .binary(let bytes):
            let encoded = JSONValue.string(Base64.encode(bytes))
            let fields: JSONObject = ["type": "binary", "bytes": encoded, "size": .integer(Int64(bytes.count))]
            return ChatEvent(.frame, fields, raw: encoded)
        }
    }

    /// Returns the event of an ended connection.
    static func event(of closure: WebSocketClosure) -> ChatEvent {
        ChatEvent(
            .disconnected,
            [
                "code": .integer(Int64(closure.code)), "reason": .string(closure.reason),
                "clean": .bool(closure.wasClean),
            ])
    }
}
