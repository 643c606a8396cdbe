import HTTPTypes
import Machines

/// One connection of a server: of HTTP, a link over TCP, or one that has not said yet which it is.
protocol ServerPeer: AnyObject {
    /// Accepts a WebSocket that was asked for.
    func accept(subprotocol: String?, compression: Bool)

    /// Refuses a WebSocket that was asked for.
    func refuse(_ response: Response)

    /// Sends a message; ignored unless the connection carries messages.
    func transmit(_ message: WebSocketMessage)

    /// Sends bytes past the codec; ignored unless the connection carries messages.
    func transmit(bytes: [UInt8])

    /// Encrypts it from here on; ignored unless it is an open link over TCP.
    ///
    /// - Parameter hasMore: Whether a message has come behind the one that agrees on it.
    func startTLS(hasMore: Bool)

    /// Begins to close it; what the client still sends is heard.
    func close(code: UInt16?, reason: String)

    /// Drops the connection; nothing more is heard of it.
    func abort()

    /// Ends the connection because its owner ends; an answer that was given is still sent.
    func endWithOwner()

    /// Ends a wait for a request that has lasted too long.
    func checkDeadline(_ now: Instant)

    /// What somebody outside of this process has sent of a message that is not whole; nil if nothing has come of one.
    var unfinished: UnfinishedMessage? { get }
}

/// What is not asked of connections that are not of HTTP.
extension ServerPeer {
    func accept(subprotocol: String?, compression: Bool) {}
    func refuse(_ response: Response) {}
    func checkDeadline(_ now: Instant) {}
    func startTLS(hasMore: Bool) {}
    var unfinished: UnfinishedMessage? { nil }
}
