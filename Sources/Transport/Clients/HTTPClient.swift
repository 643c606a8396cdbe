public import Machines

/// Asks HTTP servers, for whoever is no chat machine: a collector of figures, a tool.
///
/// It has its own connections and cookies, and is confined to the thread of its network. Connections live until
/// ``close()``.
public final class HTTPClient {
    private let connections: ClientConnections
    private var completions: [ExchangeID: (Result<Response, TransportFailure>) -> Void] = [:]
    private var count: UInt64 = 0

    /// Creates a client without connections.
    ///
    /// - Parameters:
    ///   - label: Whose connections they are, for captures.
    ///   - network: Where it connects.
    ///   - scheduler: The time and the timers.
    ///   - configuration: Limits and time limits.
    public init(
        label: String, network: any Network, scheduler: any Scheduler,
        configuration: ClientDriverConfiguration = ClientDriverConfiguration()
    ) {
        self.connections = ClientConnections(
            label: label, network: network, scheduler: scheduler, configuration: configuration, observer: nil)
        self.connections.deliver = { [weak self] in self?.take($0) }
    }

    /// Sends a request.
    ///
    /// - Parameter completion: Called once, with the whole answer or why there is none, unless it is canceled before.
    /// - Returns: Its name, by which it can be canceled.
    @discardableResult
    public func send(
        _ request: Request, completion: @escaping (Result<Response, TransportFailure>) -> Void
    ) -> ExchangeID {
        self.count += 1
        let id = ExchangeID(self.count)
        self.completions[id] = completion
        self.connections.send(id, request, isStreamed: false)
        return id
    }

    /// Forgets a request; its completion is not called any more.
    public func cancel(_ id: ExchangeID) {
        guard self.completions.removeValue(forKey: id) != nil else { return }
        self.connections.cancel(id)
    }

    /// Drops all connections; no completion is called any more.
    public func close() {
        self.completions = [:]
        self.connections.close()
    }

    private func take(_ input: ClientInput) {
        switch input {
        case .responded(let id, let response): self.completions.removeValue(forKey: id)?(.success(response))
        case .exchangeFailed(let id, let failure): self.completions.removeValue(forKey: id)?(.failure(failure))
        // Nothing is streamed, opened or timed here.
        default: break
        }
    }
}
