public import Machines

/// Answers HTTP requests, for whoever is no chat machine: a page that follows a run, figures that are scraped.
///
/// It has no WebSockets. It is confined to the thread of its listener, and serves until ``close()``.
public final class HTTPService {
    private let connections: ServerConnections
    private let webSocketRefusal: Response
    private let inbox = ServiceInbox()

    /// Gets each whole request, which is answered at once or later by ``respond(to:with:)``; let go by ``close()``.
    ///
    /// It is never called from within itself, whatever answering one request brings of others.
    public var onRequest: (ExchangeID, Request) -> Void = { _, _ in }

    /// Gets each request whose client went away before it was answered; let go by ``close()``.
    public var onAbandonment: (ExchangeID) -> Void = { _ in }

    /// Begins to accept connections.
    ///
    /// - Parameters:
    ///   - label: Whose connections they are, for captures.
    ///   - listener: Where clients come in; the service closes it.
    ///   - scheduler: The time and the timers.
    ///   - configuration: Limits and time limits.
    ///   - webSocketRefusal: What a client is answered that asks for a WebSocket.
    public init(
        label: String, listener: any Listener, scheduler: any Scheduler,
        configuration: ServerDriverConfiguration = ServerDriverConfiguration(), webSocketRefusal: Response
    ) {
        self.webSocketRefusal = webSocketRefusal
        self.connections = ServerConnections(
            label: label, listener: listener, scheduler: scheduler, configuration: configuration, observer: nil)
        self.inbox.tell = { [weak self] in self?.tell($0) }
        self.connections.deliver = { [inbox] in inbox.take($0) }
    }

    /// The origin under which clients on this machine reach the service.
    public var origin: String { self.connections.listener.origin }

    /// How many connections are open.
    public var connectionCount: Int { self.connections.count }

    /// Answers a request; ignored if that has been done, and once its client has gone.
    public func respond(to id: ExchangeID, with response: Response) {
        self.connections.takeExchange(id)?.respond(response)
    }

    /// Stops listening and drops all connections; answers that were given are still sent, and nothing more is told.
    public func close() {
        self.onRequest = { _, _ in }
        self.onAbandonment = { _ in }
        self.inbox.close()
        self.connections.close()
    }

    private func tell(_ input: ServerInput) {
        switch input {
        case .requested(let id, let request): self.onRequest(id, request)
        case .requestAbandoned(let id): self.onAbandonment(id)
        case .upgradeRequested(let id, _): self.connections.takeLink(id)?.refuse(self.webSocketRefusal)
        // Nothing else is opened or timed here.
        case .linkOpened, .received, .closed, .timerFired, .scriptReturned: break
        }
    }
}
