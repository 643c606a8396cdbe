import HTTPTypes
import JSON
import Machines

/// The agent's side of a support session, over the same protocol as the consumer's.
///
/// | state | input | → state | events |
/// |---|---|---|---|
/// | idle, ended | `log_in` | idle, on duty | `session_created` |
/// | idle, ended | `join` | resolving | |
/// | resolving | correlation id and token | connecting | |
/// | resolving, connecting | failure | idle | `error` |
/// | connecting | WebSocket open | joined | `connected` |
/// | joined | lost and found again | joined | `reconnecting`, `reconnected` |
/// | joined | no attempt left, session closed | ended | `terminated` |
/// | joined | `leave_session` | ended | |
struct AgentClient: SessionMember {
    enum Keys: MachineKeys {
        typealias Timer = AssistTimer
        typealias Exchange = PendingRequest<Errand>
        typealias Connection = AssistConnection
    }

    /// Where an agent is; the transitions stand at ``AgentClient``.
    enum State: String, Hashable, Sendable {
        case idle, resolving, connecting, joined, ended
    }

    /// Why an exchange is under way.
    enum Errand: Hashable, Sendable {
        case login
        case code
        case token
        case farewell
    }

    /// A document that was pushed and has no outcome yet, or is open.
    struct PushedDocument: Hashable, Sendable {
        let id: Int16
        var content: [UInt8]?
        var metadata: String
        var isDone = false
    }

    /// How long the agent waits for the outcome of a document (vendor's web SDK).
    static let documentTimeout = Duration.seconds(300)
    static let defaultIntervals: [Duration] = [1, 2, 4, 8, 16, 32].map { .seconds($0) }

    let options: JSONObject
    let origin: Origin
    let name: String
    var state = State.idle
    var cid = ""
    var token = ""
    var dutyToken = ""
    /// The WebSocket over which calls come.
    var dutyConnection: AssistConnection?
    var call: Int64?
    var link: TopicLink
    var directory = TopicDirectory()
    var hasRequested = false
    var isWatching = false
    var isActive = false
    var isZooming = false
    var frames: Int64 = 0
    var width: Int64 = 0
    var height: Int64 = 0
    var shown: [JSONValue] = []
    var form: JSONValue?
    var snapshot: [UInt8]?
    var documents: [PushedDocument] = []
    var nextDocument: Int16 = 0
    var errands = PendingRequests<Errand>()
    private var dutyNumber: UInt64 = 0

    /// Creates an agent who has joined no session.
    init(_ configuration: ClientConfiguration) throws(ConfigurationError) {
        self.options = configuration.target.merging(configuration.options)
        self.name = self.options["name"]?.string ?? "Agent"
        self.origin = try Origin(configuration, server: self.options["server"]?.string ?? "")
        let intervals = self.options["retryIntervals"]?.array?.prefix(100)
            .compactMap { $0.double.flatMap(Duration.init(scriptSeconds:)) }
        self.link = TopicLink(rules: .web, intervals: intervals ?? Self.defaultIntervals, limits: [])
    }

    var acceptsAnyCertificate: Bool { self.options["acceptSelfSignedCerts"]?.bool ?? false }

    var identity: JSONObject {
        var fields: JSONObject = [
            "role": "agent", "name": .string(self.name), "correlation_id": .string(self.cid),
        ]
        fields["participant"] = self.directory.ownID == 0 ? nil : .integer(Int64(self.directory.ownID))
        return fields
    }

    var properties: JSONObject {
        self.identity.merging([
            "state": .string(self.state.rawValue), "connection": .string(self.link.stateName),
            "cobrowsing": .bool(self.isWatching), "active": .bool(self.isActive), "frames": .integer(self.frames),
            "elements": .array(self.shown), "form": self.form ?? .null,
        ])
    }

    mutating func handle(_ input: Input, in step: inout Step) {
        switch input {
        case .responded(let request, let response):
            self.errands.end(request)
            self.answered(request.purpose, response, in: &step)
        case .exchangeFailed(let request, let failure):
            self.errands.end(request)
            guard request.purpose != .farewell else { return }
            self.fail("SOCKET", 2, failure.message, in: &step)
        case .received(let connection, let message) where connection == self.dutyConnection:
            self.dutySaid(message, in: &step)
        case .openFailed(let connection, _) where connection == self.dutyConnection,
            .closed(let connection, _) where connection == self.dutyConnection:
            self.dutyConnection = nil
        case .timerFired(.document(let id)): self.documentTimedOut(id, in: &step)
        default: self.passToLink(input, in: &step)
        }
    }

    mutating func tearDown(in step: inout Step) {
        if self.link.isOpen {
            self.send(TopicFrame(.leaveTopic, topic: 0, participant: self.directory.ownID), in: &step)
        }
        self.closeLink(in: &step)
        self.cancelAll(where: { _ in true }, in: &step)
        for document in self.documents { step.ask(.cancelTimer(.document(document.id))) }
        if let connection = self.dutyConnection { step.ask(.close(connection, code: 1000, reason: "")) }
        self.dutyConnection = nil
        if !self.dutyToken.isEmpty {
            self.ask(.farewell, Request(self.origin.request(.delete, "/assistserver/agent")), in: &step)
            self.dutyToken = ""
        }
        self.state = .ended
    }
}

// MARK: - What all parts use

extension AgentClient {
    /// Tells the script of an event, with the name of the console's callback.
    func emit(
        _ kind: EventKind, _ callback: String, _ fields: JSONObject = [:], raw: JSONValue? = nil,
        in step: inout Step
    ) {
        step.ask(.emit(ChatEvent(kind, fields.merging(["callback": .string(callback)]), raw: raw)))
    }

    /// Reports an error with the web SDK's code.
    mutating func fail(_ name: String, _ code: Int64, _ message: String, in step: inout Step) {
        if self.state == .resolving || self.state == .connecting { self.state = .idle }
        self.emit(
            .error, "onError", ["code": .integer(code), "name": .string(name), "message": .string(message)], in: &step)
    }

    /// Opens the connection over which calls come.
    mutating func openDuty(in step: inout Step) {
        self.dutyNumber += 1
        let connection = AssistConnection.gateway(self.dutyNumber)
        self.dutyConnection = connection
        let request = self.origin.webSocket("/gateway/agent", [("sessionId", self.dutyToken)], cookies: nil)
        step.ask(.open(connection, request, subprotocols: []))
    }

    private mutating func answered(_ errand: Errand, _ response: Response, in step: inout Step) {
        let status = response.head.status.code
        let value = try? JSONReader.read(response.body, depth: 16)
        guard response.head.status.kind == .successful, let value else {
            guard errand != .farewell else { return }
            let name = errand == .login ? "PERMISSION" : "SESSION_CREATION_FAILURE"
            return self.fail(name, errand == .login ? 1 : 6, "the server answered \(status)", in: &step)
        }
        switch errand {
        case .login:
            self.dutyToken = Self.printable(value["token"]?.string)
            self.emit(.sessionCreated, "", ["session_token": .string(self.dutyToken)], raw: value, in: &step)
            self.openDuty(in: &step)
        case .code:
            guard self.state == .resolving, let cid = value["cid"]?.string, !cid.isEmpty else { return }
            self.cid = cid
            self.token = Self.printable(value["session-token"]?.string)
            self.askForToken(in: &step)
        case .token:
            guard self.state == .resolving else { return }
            self.token = Self.printable(value["sessionid"]?.string)
            self.connect(in: &step)
        case .farewell: break
        }
    }

    /// A token that may stand in a URL; anything else counts as none.
    private static func printable(_ token: String?) -> String {
        guard let token, token.utf8.count <= 4096, token.isVisibleASCII else { return "" }
        return token
    }

    /// Asks for a session token with the agent's name and permissions, as a customer's own web application does.
    mutating func askForToken(in step: inout Step) {
        guard self.options["permissions"] != nil || self.options["name"] != nil || self.token.isEmpty else {
            return self.connect(in: &step)
        }
        var metadata: JSONObject = ["role": "agent", "name": .string(self.name)]
        if let permissions = self.options["permissions"]?.object {
            metadata["permissions"] = .object([
                "viewable": permissions["viewable"] ?? [], "interactive": permissions["interactive"] ?? [],
            ])
        }
        // The address of the gateway's session API stands in another guide; this one is defined here.
        var request = Request(self.origin.request(.post, "/gateway/sessions/session"))
        request.head.headerFields[.contentType] = "application/json"
        request.body = JSONWriter.write([
            "aed": ["accessibleSessionIdRegex": .string(self.cid)],
            "additionalAttributes": [
                "AED2.metadata": .object(metadata),
                "AED2.allowedTopic": self.options["allowed_topic"] ?? .string(self.cid),
            ],
        ])
        self.ask(.token, request, in: &step)
    }

    /// Opens the topic WebSocket of the session.
    mutating func connect(in step: inout Step) {
        self.state = .connecting
        let query = [("appkey", self.cid), ("topic", self.cid), ("sessionId", self.token)]
        self.directory = TopicDirectory()
        let request = self.origin.webSocket("/assistserver/topic", query, cookies: nil)
        self.perform(self.link.handle(.connectWanted(request, limit: .seconds(30))), in: &step)
    }

    /// Takes what happened to the topic WebSocket.
    mutating func linkReported(_ news: LinkNews, in step: inout Step) {
        switch news {
        case .connected(let isFirst):
            self.state = .joined
            self.emit(
                isFirst ? .connected : .reconnected, isFirst ? "connectionEstablished" : "connectionReestablished",
                ["correlation_id": .string(self.cid)], in: &step)
            self.perform(self.link.handle(.pingWanted), in: &step)
        case .failedFirst(let reason): self.fail("SOCKET", 2, reason, in: &step)
        case .disconnected(let reason): self.emit(.disconnected, "", ["reason": .string(reason)], in: &step)
        case .willRetry(let delay, let attempt, let count):
            self.stopWatching(in: &step)
            self.emit(
                .reconnecting, "connectionRetry",
                [
                    "attempt": .integer(Int64(attempt)), "of": .integer(Int64(count)),
                    "in": .double(Double(delay.clampedNanoseconds) / 1e9),
                ], in: &step)
        case .exhausted(let reason):
            self.state = .ended
            self.stopWatching(in: &step)
            self.emit(.terminated, "connectionLost", ["code": 0, "reason": .string(reason)], in: &step)
        case .frame(let frame): self.take(frame, in: &step)
        }
    }

    // MARK: Duty

    private mutating func dutySaid(_ message: WebSocketMessage, in step: inout Step) {
        guard let value = try? JSONReader.read(message.bytes, depth: 8),
            let status = value["status"]?.string.flatMap(CallStatus.init), let call = value["call"]?.integer
        else { return }
        var fields: JSONObject = ["status": .string(status.rawValue), "call": .integer(call)]
        fields["correlation_id"] = value["cid"]
        fields["video"] = value["video"]
        fields["uui"] = value["uui"]?.string.flatMap(Hexadecimal.decode).map { .string($0) }
        self.call = status == .ended ? nil : call
        self.emit(.call, "", fields, raw: value, in: &step)
        switch status {
        case .ringing: self.cid = value["cid"]?.string ?? ""
        case .inCall where self.state == .idle || self.state == .ended:
            self.state = .resolving
            self.token = ""
            self.askForToken(in: &step)
        case .ended: self.emit(.supportEnded, "callEnded", ["call": .integer(call)], in: &step)
        default: break
        }
    }

    /// Tells the gateway what to do with the call; false without one.
    func tellGateway(_ action: String, in step: inout Step) -> Bool {
        guard let call, let connection = self.dutyConnection else { return false }
        let message: JSONValue = ["call": .integer(call), "action": .string(action)]
        step.ask(.transmit(connection, .text(message.description)))
        return true
    }
}
