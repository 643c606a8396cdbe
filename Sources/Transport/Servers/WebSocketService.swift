public import Machines

/// Serves WebSockets, for whoever is no chat machine: an echo that is measured, a place where processes meet.
///
/// It answers no requests. It is confined to the thread of its listener, and serves until ``close()``.
public final class WebSocketService {
    private let connections: ServerConnections
    private let requestRefusal: Response
    private let inbox = ServiceInbox()

    /// Gets who asks for a WebSocket, which is accepted or refused at once or later; let go by ``close()``.
    ///
    /// Neither this nor the other two are ever called from within each other, whatever one call brings about.
    public var onUpgradeRequest: (ConnectionID, Request) -> Void = { _, _ in }

    /// Gets each whole message; let go by ``close()``.
    public var onMessage: (ConnectionID, WebSocketMessage) -> Void = { _, _ in }

    /// Gets each WebSocket that has ended by whichever side, also before it was accepted; let go by ``close()``.
    public var onClosure: (ConnectionID, WebSocketClosure) -> Void = { _, _ in }

    /// Begins to accept connections.
    ///
    /// - Parameters:
    ///   - label: Whose connections they are, for captures.
    ///   - listener: Where clients come in; the service closes it.
    ///   - scheduler: The time and the timers.
    ///   - configuration: Limits and time limits.
    ///   - requestRefusal: What a client is answered that asks for something else than a WebSocket.
    public init(
        label: String, listener: any Listener, scheduler: any Scheduler,
        configuration: ServerDriverConfiguration = ServerDriverConfiguration(), requestRefusal: Response
    ) {
        self.requestRefusal = requestRefusal
        self.connections = ServerConnections(
            label: label, listener: listener, scheduler: scheduler, configuration: configuration, observer: nil)
        self.inbox.tell = { [weak self] in self?.tell($0) }
        self.connections.deliver = { [inbox] in inbox.take($0) }
    }

    /// Where clients reach the service.
    public var endpoint: Endpoint { self.connections.listener.endpoint }

    /// How many connections are open, WebSockets or not.
    public var connectionCount: Int { self.connections.count }

    /// Accepts who asks for a WebSocket; what was sent ahead is told from now on.
    ///
    /// - Parameter subprotocol: What is chosen of that which is offered, if anything is.
    public func accept(_ id: ConnectionID, subprotocol: String? = nil) {
        self.connections.link(id)?.accept(subprotocol: subprotocol, compression: true)
    }

    /// Refuses who asks for a WebSocket, of whom nothing more is told.
    public func refuse(_ id: ConnectionID, with response: Response) {
        self.connections.takeLink(id)?.refuse(response)
    }

    /// Sends a message; ignored unless the WebSocket is open.
    public func transmit(_ message: WebSocketMessage, on id: ConnectionID) {
        self.connections.link(id)?.transmit(message)
    }

    /// Starts the closing handshake; what the client still sends is told, and in the end that it has closed.
    public func close(_ id: ConnectionID, code: UInt16? = 1000, reason: String = "") {
        self.connections.link(id)?.close(code: code, reason: reason)
    }

    /// Drops a WebSocket without a close frame; nothing more is told of it.
    public func abort(_ id: ConnectionID) {
        self.connections.takeLink(id)?.abort()
        self.inbox.forget(id)
    }

    /// Stops listening and drops all connections, and nothing more is told.
    public func close() {
        self.onUpgradeRequest = { _, _ in }
        self.onMessage = { _, _ in }
        self.onClosure = { _, _ in }
        self.inbox.close()
        self.connections.close()
    }

    private func tell(_ input: ServerInput) {
        switch input {
        case .upgradeRequested(let id, let request): self.onUpgradeRequest(id, request)
        case .received(let id, let message): self.onMessage(id, message)
        case .closed(let id, let closure): self.onClosure(id, closure)
        case .requested(let id, _): self.connections.takeExchange(id)?.respond(self.requestRefusal)
        // Nothing else is opened, kept waiting or timed here.
        case .linkOpened, .requestAbandoned, .timerFired, .scriptReturned: break
        }
    }
}
