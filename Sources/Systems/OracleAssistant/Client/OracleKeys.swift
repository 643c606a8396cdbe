import Machines

/// The keys of a client.
enum OracleKeys: MachineKeys {
    enum Timer: MachineTimer {
        case connection(ConnectionTimer)
        case defaultResponse(DefaultResponsesPart.Kind)
        /// No key was touched for a while.
        case typing
        /// The indicator that an answer is coming goes away by itself.
        case indicator
        /// No piece of a text has come for a while.
        case stream
        /// The words for the age of the latest message change.
        case age
        /// No completions have come.
        case suggestions
        /// The next piece of sound is due.
        case sound

        var description: String {
            switch self {
            case .connection(let timer): "connection.\(timer.rawValue)"
            case .defaultResponse(let kind): "default.\(kind.rawValue)"
            case .typing: "typing.idle"
            case .indicator: "typing.indicator"
            case .stream: "stream.silence"
            case .age: "screen.timestamp"
            case .suggestions: "suggestions.timeout"
            case .sound: "speech.chunk"
            }
        }
    }

    /// The exchanges of each part, counted from 1.
    enum Exchange: Hashable, Sendable {
        /// A message or a poll of a connection without a WebSocket.
        case connection(UInt64)
        case upload(UInt64)
        /// The voices, or a text that is read aloud.
        case voices(UInt64)
    }

    /// The WebSockets of each part, counted from 1.
    enum Connection: Hashable, Sendable {
        case chat(UInt64)
        case recognition(UInt64)
    }
}

/// The timers of a connection to a chat server.
enum ConnectionTimer: String, CaseIterable, Sendable {
    case ping, pong, refresh, token, upgrade, poll, retry, close
}

/// What a client wants done outside.
typealias OracleEffect = KeyedClientEffect<OracleKeys>
