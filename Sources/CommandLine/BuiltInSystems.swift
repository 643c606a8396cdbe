import BoldChat
import LiveAssist
import LiveLike
import Machines
import OracleAssistant
import PlainHTTP
import PlainWebSocket

/// The registry of chat systems: one line each.
enum BuiltInSystems {
    static let all: [ChatSystem] = [
        BoldChatSystem.system,
        OracleAssistantSystem.system,
        LiveLikeSystem.system,
        LiveAssistSystem.system,
        PlainWebSocketSystem.system,
        PlainHTTPSystem.system,
    ]
}
