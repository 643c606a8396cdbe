import HTTPTypes
import JSON
import Machines
import RunRecord
import Transport

/// The end of a control connection in the process that plays scenarios; ``RemoteServer`` sorts what comes.
final class ControlConnection {
    /// What came.
    enum Output: Equatable {
        /// The answer to the message of a number, or why it is refused.
        case answer(Int64, Result<JSONObject, ControlRefusal>)
        /// What a party observed, by the name of the event.
        case event(String, party: String, JSONObject)
        /// The server calls a function of the script; the number is that of the call.
        case call(Int64, JSONObject)
        /// The server has ended because something went wrong in it.
        case serverFailed(String, Problem.Category, ProblemKind)
        /// The connection cannot be used any more, and why.
        case failed(String)
    }

    private let authority: String
    private let scheme: String
    /// Gets what comes; let go once the connection cannot be used any more.
    private var tell: (Output) -> Void
    private var lastID: Int64 = 0
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
    ///
    /// - Returns: Its number, which its answer names.
    @discardableResult func send(_ message: JSONObject) -> Int64 {
        self.lastID += 1
        var message = message
        message["id"] = .integer(self.lastID)
        let text = WebSocketMessage.text(JSONValue.object(message).description)
        guard let waiting = self.waiting else {
            self.client?.send(text)
            return self.lastID
        }
        self.waiting?.append(text)
        guard waiting.isEmpty else { return self.lastID }
        let head = HTTPRequest(
            method: .get, scheme: self.scheme, authority: self.authority, path: ControlMessage.path)
        self.client?.open(head, subprotocols: [ControlMessage.subprotocol])
        return self.lastID
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
        case .failed(let failure): self.fail(failure.message)
        case .closed: self.fail("the control connection ended")
        case .received(let message):
            if let output = self.output(message) { return self.tell(output) }
            // Who waits for what was meant would wait for ever.
            self.client?.close(code: 1003, reason: "a message is an answer or an event")
            let text = Self.shown.beginning(of: String(decoding: message.bytes, as: UTF8.self))
            self.fail("the control connection brought what is neither an answer nor an event: \(text)")
        }
    }

    /// So much is shown of a message that means nothing.
    private static let shown = TextLimit(bytes: 100)

    private func fail(_ reason: String) {
        let tell = self.tell
        self.tell = { _ in }
        tell(.failed(reason))
    }

    /// Returns what is told of a server that has ended; nil if it names no problem.
    private static func failure(_ members: JSONObject) -> Output? {
        guard let message = members["message"]?.string,
            let category = members["category"]?.string.flatMap(Problem.Category.init(rawValue:)),
            let kind = members["kind"]?.string.flatMap(ProblemKind.init(rawValue:))
        else { return nil }
        return .serverFailed(message, category, kind)
    }

    /// Returns what a message means; nil if it is not as ``ControlMessage`` says.
    private func output(_ message: WebSocketMessage) -> Output? {
        guard let members = (try? message.json())?.object else { return nil }
        switch members["event"]?.string {
        case ControlMessage.failure: return Self.failure(members)
        case ControlMessage.call: return members["call"]?.integer.map { .call($0, members) }
        case let name?: return members["party"]?.string.map { .event(name, party: $0, members) }
        case nil: break
        }
        guard let id = members["id"]?.integer, id >= 1, id <= self.lastID else { return nil }
        if members["error"] != nil { return ControlRefusal(members).map { .answer(id, .failure($0)) } }
        return members["result"]?.object.map { .answer(id, .success($0)) }
    }
}
