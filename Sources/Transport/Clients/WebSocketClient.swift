public import HTTPTypes
public import Machines

/// One WebSocket, for whoever is no chat machine: a control connection, a measurement.
///
/// It is confined to the thread of its network, and lives until it has ended or ``abort()`` was called.
public final class WebSocketClient {
    /// What happens to it.
    public enum Event: Hashable, Sendable {
        /// The handshake succeeded; the sub-protocol is what the server chose.
        case opened(subprotocol: String?)
        /// It could not be opened.
        case failed(TransportFailure)
        /// A whole message arrived.
        case received(WebSocketMessage)
        /// It was open and has ended.
        case closed(WebSocketClosure)
    }

    private static let id = ConnectionID(1)

    private let connections: ClientConnections
    private let random: RandomSource

    /// Gets what happens; let go when it has ended.
    private var onEvent: (Event) -> Void

    /// Creates a WebSocket that is not opened yet.
    ///
    /// - Parameters:
    ///   - label: Whose connection it is, for captures.
    ///   - network: Where it connects.
    ///   - scheduler: The time and the timers.
    ///   - random: Its masks and its key are drawn from it.
    ///   - configuration: Limits and time limits.
    ///   - onEvent: Gets what happens; it may call back.
    public init(
        label: String, network: any Network, scheduler: any Scheduler, random: RandomSource,
        configuration: ClientDriverConfiguration = ClientDriverConfiguration(), onEvent: @escaping (Event) -> Void
    ) {
        self.random = random
        self.onEvent = onEvent
        self.connections = ClientConnections(
            label: label, network: network, scheduler: scheduler, configuration: configuration, observer: nil)
        self.connections.deliver = { [weak self] in self?.take($0) }
    }

    /// Opens it; once only.
    ///
    /// - Parameters:
    ///   - head: Scheme (`ws` or `wss`), authority, path and further fields of the handshake.
    ///   - subprotocols: What is offered, the preferred one first.
    ///   - options: Compression and the time limit.
    public func open(
        _ head: HTTPRequest, subprotocols: [String] = [], options: WebSocketOptions = WebSocketOptions()
    ) {
        self.connections.open(Self.id, head, subprotocols, options, random: self.random)
    }

    /// Sends a message; ignored unless it is open.
    public func send(_ message: WebSocketMessage) {
        self.connections.link(Self.id)?.transmit(message)
    }

    /// Starts the closing handshake; ``Event/closed(_:)`` follows if it was open.
    public func close(code: UInt16? = 1000, reason: String = "") {
        self.connections.link(Self.id)?.close(code: code, reason: reason)
    }

    /// Drops the connection; nothing more is heard of it.
    public func abort() {
        self.onEvent = { _ in }
        self.connections.close()
    }

    private func take(_ input: ClientInput) {
        switch input {
        case .opened(_, let subprotocol): self.onEvent(.opened(subprotocol: subprotocol))
        case .openFailed(_, let failure): self.onEvent(.failed(failure))
        case .received(_, let message): self.onEvent(.received(message))
        case .closed(_, let closure): self.onEvent(.closed(closure))
        // There are no exchanges and timers here.
        default: break
        }
    }
}
