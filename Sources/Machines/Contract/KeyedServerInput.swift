public import JSON

/// What happens to a simulated server from outside.
public enum KeyedServerInput<Timer: MachineTimer>: Hashable, Sendable {
    /// A whole request arrived.
    case requested(ExchangeID, Request)
    /// A client asks for a WebSocket; answer with ``KeyedServerEffect/accept(_:subprotocol:compression:)`` or refuse.
    case upgradeRequested(ConnectionID, Request)
    /// A client has opened a link over TCP.
    case linkOpened(ConnectionID)
    /// A client went away before its request was answered.
    case requestAbandoned(ExchangeID)
    /// A whole message arrived.
    case received(ConnectionID, WebSocketMessage)
    /// A WebSocket or a link ended, by whichever side.
    case closed(ConnectionID, WebSocketClosure)
    /// A timer that the machine had set ran out.
    case timerFired(Timer)
    /// A function of the script that the machine had called came back with its first result.
    case scriptReturned(ScriptCallID, Result<JSONValue, ScriptCallFailure>)
}
