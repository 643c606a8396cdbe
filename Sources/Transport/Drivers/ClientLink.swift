import Machines

/// What a client machine sends messages on: a WebSocket, or a link over TCP.
protocol ClientLink: AnyObject {
    var id: ConnectionID { get }

    /// What it is, for a person who asks what is under way.
    var title: String { get }

    /// Where it leads.
    var endpoint: Endpoint? { get }

    /// Whether it is still to be opened.
    var isOpening: Bool { get }

    /// Whether the machine hears nothing more of it.
    var isSettled: Bool { get }

    /// Sends a message; ignored unless the link is open.
    func transmit(_ message: WebSocketMessage)

    /// Begins to close it; what the peer still sends is heard.
    func close(code: UInt16?, reason: String)

    /// Ends the connection; the machine hears nothing more.
    func abandon()
}
