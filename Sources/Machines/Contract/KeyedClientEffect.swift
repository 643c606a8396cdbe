public import HTTPTypes
public import JSON

/// What a client machine wants done outside.
public indirect enum KeyedClientEffect<Keys: MachineKeys>: Hashable, Sendable {
    /// Start an exchange; the answer comes whole as ``KeyedClientInput/responded(_:_:)``.
    case send(Keys.Exchange, Request)
    /// Start an exchange whose answer comes in pieces as it arrives.
    case stream(Keys.Exchange, Request)
    /// Forget an exchange; nothing more of it arrives, and it is measured as what is said of it.
    case cancel(Keys.Exchange, as: ExchangeOutcome = .unwanted)
    /// Open a WebSocket; the request's head names scheme (`ws` or `wss`), authority, path and extra headers.
    case open(Keys.Connection, HTTPRequest, subprotocols: [String], WebSocketOptions = WebSocketOptions())
    /// Open a link over TCP or TLS; what is asked of a WebSocket is then asked of it in the same way.
    case openLink(Keys.Connection, LinkRequest)
    /// Send a message on an open WebSocket or link.
    case transmit(Keys.Connection, WebSocketMessage)
    /// Start the closing handshake; ``KeyedClientInput/closed(_:_:)`` follows. Without a code the close frame has no
    /// body; a link has no close frame.
    case close(Keys.Connection, code: UInt16?, reason: String)
    /// Drop the connection without a close frame; nothing more of it arrives.
    case abort(Keys.Connection)
    /// Set or replace a timer.
    case setTimer(Keys.Timer, Duration)
    /// Forget a timer.
    case cancelTimer(Keys.Timer)
    /// Call a function of the script, which may itself wait; ``KeyedClientInput/scriptReturned(_:_:)`` follows.
    case callScript(ScriptCallID, ScriptFunction, [JSONValue])
    /// Tell the script what was observed.
    case emit(ChatEvent)
    /// Encrypt an open link over TCP from here on, as both sides have agreed (STARTTLS). What follows is sent once it
    /// is encrypted. Where a message has come in the open behind the one that agrees on it, the server has broken the
    /// protocol, and the link ends.
    case encrypt(Keys.Connection, hasMore: Bool)
}
