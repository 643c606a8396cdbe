public import HTTPTypes
public import JSON

/// What happens to a client machine from outside.
public enum KeyedClientInput<Keys: MachineKeys>: Hashable, Sendable {
    /// The whole answer to an exchange arrived.
    case responded(Keys.Exchange, Response)
    /// A streamed exchange got its head.
    case responseBegan(Keys.Exchange, HTTPResponse)
    /// A streamed exchange got some bytes of its body.
    case bodyReceived(Keys.Exchange, [UInt8])
    /// A streamed exchange got the end of its body.
    case responseEnded(Keys.Exchange)
    /// An exchange ended without a whole answer.
    case exchangeFailed(Keys.Exchange, TransportFailure)
    /// A WebSocket handshake succeeded, or a link over TCP is up; the sub-protocol is what the server chose.
    case opened(Keys.Connection, subprotocol: String?)
    /// A WebSocket or a link could not be opened.
    case openFailed(Keys.Connection, TransportFailure)
    /// A whole message arrived.
    case received(Keys.Connection, WebSocketMessage)
    /// An open WebSocket or link ended.
    case closed(Keys.Connection, WebSocketClosure)
    /// A timer that the machine had set ran out.
    case timerFired(Keys.Timer)
    /// A function of the script that the machine had called came back with its first result.
    case scriptReturned(ScriptCallID, Result<JSONValue, ScriptCallFailure>)
}
