public import HTTPTypes
public import JSON

/// What a simulated server wants done outside.
public enum KeyedServerEffect<Timer: MachineTimer>: Hashable, Sendable {
    /// Answer a request.
    case respond(ExchangeID, Response)
    /// Begin an answer whose body comes in pieces.
    ///
    /// A `Content-Length` in the head says how long the body will be, `Connection: close` that the end of the
    /// connection ends it; without either it is sent in chunks. A body that ends before its length breaks the
    /// connection off.
    case begin(ExchangeID, HTTPResponse)
    /// Send a piece of the body.
    case write(ExchangeID, [UInt8])
    /// End the body.
    case end(ExchangeID)
    /// Drop the connection of a request without an answer.
    case drop(ExchangeID)
    /// Accept a WebSocket; whether its messages may be compressed, the client decides as well.
    case accept(ConnectionID, subprotocol: String?, compression: Bool = true)
    /// Refuse a WebSocket with an ordinary response.
    case refuse(ConnectionID, Response)
    /// Send a message.
    case transmit(ConnectionID, WebSocketMessage)
    /// Send bytes past the WebSocket codec, as a broken server would.
    case transmitBytes(ConnectionID, [UInt8])
    /// Start the closing handshake.
    case close(ConnectionID, code: UInt16?, reason: String)
    /// Drop the connection without a close frame.
    case abort(ConnectionID)
    /// Set or replace a timer.
    case setTimer(Timer, Duration)
    /// Forget a timer.
    case cancelTimer(Timer)
    /// Call a function of the script, which may itself wait; ``KeyedServerInput/scriptReturned(_:_:)`` follows.
    case callScript(ScriptCallID, ScriptFunction, [JSONValue])
    /// Tell a party of the server's side (an agent by name) what it observes.
    case emit(party: String, ChatEvent)
    /// Encrypt an open link over TCP from here on, as its client will; see ``KeyedClientEffect/encrypt(_:hasMore:)``.
    case encrypt(ConnectionID, hasMore: Bool)
}
