import Machines

/// The timers of consumers and agents.
enum AssistTimer: MachineTimer {
    /// The topic WebSocket pings, or has been silent too long.
    case ping
    /// The topic WebSocket is not open in time.
    case connectLimit
    /// The topic WebSocket is opened again.
    case retry
    /// The server has not made a session in time.
    case sessionLimit
    /// The server has not answered for a short code in time.
    case codeLimit
    /// The collected changes of the screen are sent.
    case screen
    /// The outcome of a pushed document has not come in time.
    case document(Int16)

    var description: String {
        switch self {
        case .ping: "ping"
        case .connectLimit: "connect-limit"
        case .retry: "retry"
        case .sessionLimit: "session-limit"
        case .codeLimit: "code-limit"
        case .screen: "screen"
        case .document(let id): "document-\(id)"
        }
    }
}
