import JSON
import Machines

/// The fields by which scripts see a WebSocket message.
enum FrameFields {
    /// Returns the event of a message: `type`, `size` and, as far as they apply, `text`, `json`, `bytes` (base64).
    static func event(of message: WebSocketMessage) -> ChatEvent {
        switch message {
        case .text(let text):
            let size = JSONValue.integer(Int64(text.utf8.count))
            guard let json = try? JSONReader.read(text) else {
                return ChatEvent(.frame, ["type": "text", "text": .string(text), "size": size], raw: .string(text))
            }
            return ChatEvent(.frame, ["type": "text", "text": .string(text), "size": size, "json": json], raw: json)
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
