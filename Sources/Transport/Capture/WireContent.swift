public import Machines

/// What was seen.
public enum WireContent: Hashable, Sendable {
    /// The connection opened; the endpoint is the peer's.
    case opened(Endpoint)
    /// The connection ended; the text says why if it was not in order.
    case closed(String?)
    /// Bytes as they went over the connection, before encryption; the frame that a client sent has its mask taken off,
    /// its key being zero.
    case bytes([UInt8])
    /// A whole request.
    case request(Request)
    /// A whole response, or for a streamed one its head with the body empty.
    case response(Response)
    /// A piece of a streamed body.
    case bodyPart([UInt8])
    /// A message of a WebSocket, of one or more frames.
    case message(WebSocketMessage)
    /// A message of a link over TCP, and how messages are told apart on it.
    case linkMessage(WebSocketMessage, LinkFraming)
    /// A control frame of a WebSocket, with its payload as it is without the mask.
    case control(WebSocketOpcode, [UInt8])
}
