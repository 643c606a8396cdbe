import HTTPTypes
import JSON
import Machines
import Transport

/// The end of a control connection in the process that plays scenarios; ``RemoteServer`` sorts what comes.
final class ControlConnection {
    /// What came.
    enum Output {
        /// An answer to a message.
        case answer(JSONObject)
        /// An event of a party.
        case event(JSONObject)
        /// The connection cannot be used any more, and why.
        case failed(String)
    }

    private let authority: String
    private let scheme: String
    private let tell: (Output) -> Void
    private var client: WebSocketClient?

    /// What waits for the connection to be open; nil once it is.
    private var waiting: [WebSocketMessage]? = []

    /// Creates a connection that is opened by its first message.
    ///
    /// - Parameters:
    ///   - url: The URL that `repartee serve` prints: scheme `http`, host and port.
    ///   - tell: Gets what comes.
    /// - Returns: Nil if the URL has another form.
    init?(
        url: String, network: any Network, scheduler: any Scheduler, random: RandomSource,
        configuration: ClientDriverConfiguration, tell: @escaping (Output) -> Void
    ) {
        let parts = url.split(separator: "://", maxSplits: 1)
        guard parts.count == 2, ["http", "https"].contains(String(parts[0])) else { return nil }
        self.scheme = parts[0] == "https" ? "wss" : "ws"
        self.authority = String(parts[1].prefix { $0 != "/" })
        self.tell = tell
        self.client = WebSocketClient(
            label: "control", network: network, scheduler: scheduler, random: random, configuration: configuration
        ) { [weak self] in self?.heard($0) }
    }

    /// Sends a message.
    func send(_ message: JSONObject) {
        let message = WebSocketMessage.text(JSONValue.object(message).description)
        guard let waiting = self.waiting else {
            self.client?.send(message)
            return
        }
        self.waiting?.append(message)
        guard waiting.isEmpty else { return }
        let head = HTTPRequest(
            method: .get, scheme: self.scheme, authority: self.authority, path: ControlMessage.path)
        self.client?.open(head, subprotocols: [ControlMessage.subprotocol])
    }

    /// Drops the connection; nothing more is heard of it.
    func close() {
        self.client?.abort()
        self.client = nil
    }

    private func heard(_ event: WebSocketClient.Event) {
        switch event {
        case .opened:
            let waiting = self.waiting ?? []
            self.waiting = nil
            for message in waiting { self.client?.send(message) }
        case .failed(let failure): self.tell(.failed(failure.message))
        case .closed: self.tell(.failed("the control connection ended"))
        case .received(let message):
            guard let value = try? message.json(), let members = value.object else { return }
            self.tell(members["event"] == nil ? .answer(members) : .event(members))
        }
    }
}
