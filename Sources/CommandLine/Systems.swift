import BoldChat
import ChatCore
import PlainWebSocket

/// The registry of chat systems: one line each.
enum Systems {
    static let all: [ChatSystem] = [
        .boldChat,
        WebSocketSystem.system,
    ]
}
