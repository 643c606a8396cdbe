import HTTPTypes
import JSON
import Machines

/// The agent's side of a support session, over the same protocol as the consumer's.
///
/// | state | input | → state | events |
/// |---|---|---|---|
/// | idle, ended | `log_in` | idle, on duty | `session_created` |
/// | idle, ended | `join`, a call is answered | resolving | |
/// | resolving | correlation id and token | connecting | |
/// | resolving, connecting | failure | idle | `error` |
/// | connecting | WebSocket open | joined | `connected` |
/// | joined | lost and found again | joined | `reconnecting`, `reconnected` |
/// | joined | no attempt left, session closed | ended | `terminated` |
/// | joined | `leave_session` | ended | |
///
/// What it does with the consumer's screen is said at ``WatchingPart``.
struct AgentClient: SessionMember {
    enum Keys: MachineKeys {
        typealias Timer = AssistTimer
        typealias Exchange = PendingRequest<AgentPurpose>
        typealias Connection = AssistConnection
    }

    /// Where an agent is; the transitions stand at ``AgentClient``.
    enum State: String, Hashable, Sendable {
        case idle, resolving, connecting, joined, ended
    }

    private static let defaultIntervals: [Duration] = [1, 2, 4, 8, 16, 32].map { .seconds($0) }

    private let options: JSONObject
    private let origin: Origin
    private let name: String
    private var state = State.idle
    private var cid = ""
    private var token = ""
    private var callSocket = AgentCallSocketPart()
    private var watching = WatchingPart()
    var pendingRequests = PendingRequests<AgentPurpose>()
    var link: TopicLink
    /// The console runs in a browser, which does so.
    let sendsCookies = true
    private(set) var directory = TopicDirectory()

    /// Creates an agent who has joined no session.
    init(_ configuration: ClientConfiguration) throws(ConfigurationError) {
        self.options = configuration.target.merging(configuration.options)
        self.name = self.options["name"]?.string ?? "Agent"
        self.origin = try Origin(configuration, server: self.options["server"]?.string ?? "")
        let intervals = self.options["retryIntervals"]?.array?.prefix(100)
            .compactMap { $0.double.flatMap(Duration.init(scriptSeconds:)) }
        try AgentTokenRequest.check(self.options)
        self.link = TopicLink(rules: .web, intervals: intervals ?? Self.defaultIntervals, limits: [])
    }

    var acceptsAnyCertificate: Bool { self.options["acceptSelfSignedCerts"]?.bool ?? false }

    var absences: [EventKind: String] { EventVocabulary.agentAbsences }

    var identity: JSONObject {
        var fields: JSONObject = [
            "role": "agent", "name": .string(self.name), "correlation_id": .string(self.cid),
        ]
        fields["participant"] = self.directory.ownID == 0 ? nil : .integer(Int64(self.directory.ownID))
        return fields
    }

    var properties: JSONObject {
        ClientPropertyVocabulary.complete(
            self.identity.merging([
                "state": .string(self.state.rawValue), "connection": .string(self.link.stateName),
                "cobrowsing": .bool(self.watching.state == .watching), "active": .bool(self.watching.isActive),
                "frames": .integer(self.watching.screen.frames), "elements": .array(self.watching.screen.shown),
                "windows": .array(self.directory.windows.map { .object($0.windowFields) }),
            ]))
    }

    mutating func handle(_ input: Input, in step: inout Step) {
        switch input {
        case .responded(let request, let response):
            self.pendingRequests.end(request)
            self.answered(request.purpose, response, in: &step)
        case .exchangeFailed(let request, let failure):
            self.pendingRequests.end(request)
            guard request.purpose != .farewell else { return }
            self.fail("SOCKET", 2, failure.message, in: &step)
        case .opened(.gateway(let number), _):
            self.perform(self.callSocket.handle(.opened(.gateway(number))), in: &step)
        case .received(.gateway(let number), let message):
            self.perform(self.callSocket.handle(.received(.gateway(number), message)), in: &step)
        case .openFailed(.gateway(let number), let failure):
            self.perform(self.callSocket.handle(.lost(.gateway(number), reason: failure.message)), in: &step)
        case .closed(.gateway(let number), let closure):
            let reason = "the server closed it with \(closure.code)"
            self.perform(self.callSocket.handle(.lost(.gateway(number), reason: reason)), in: &step)
        case .timerFired(.document(let id)): self.watch(.timedOut(id), in: &step)
        default: self.passToLink(input, in: &step)
        }
    }

    mutating func tearDown(in step: inout Step) {
        if self.link.isOpen {
            self.send(TopicFrame(.leaveTopic, topic: 0, participant: self.directory.ownID), in: &step)
        }
        self.closeLink(in: &step)
        self.cancelAll(where: { _ in true }, in: &step)
        self.watch(.forgotten, in: &step)
        self.perform(self.callSocket.handle(.tornDown), in: &step)
        if !self.callSocket.token.isEmpty {
            self.ask(.farewell, Request(self.origin.request(.delete, "/assistserver/agent")), in: &step)
        }
        self.state = .ended
    }
}

// MARK: - What all parts use

extension AgentClient {
    /// Tells the script of an event, with the name of the console's callback.
    private func emit(
        _ kind: EventKind, _ callback: String, _ fields: JSONObject = [:], raw: JSONValue? = nil,
        in step: inout Step
    ) {
        step.ask(.emit(ChatEvent(kind, fields.merging(["callback": .string(callback)]), raw: raw)))
    }

    /// Reports an error with the web SDK's code.
    private mutating func fail(_ name: String, _ code: Int64, _ message: String, in step: inout Step) {
        if self.state == .resolving || self.state == .connecting { self.state = .idle }
        self.emit(
            .error, "onError", ["code": .integer(code), "name": .string(name), "message": .string(message)], in: &step)
    }

    private mutating func answered(_ purpose: AgentPurpose, _ response: Response, in step: inout Step) {
        guard purpose != .farewell else { return }
        do throws(WireComplaint) {
            try self.take(ServerAnswer(response, to: purpose.request), for: purpose, in: &step)
        } catch {
            let name = purpose == .login ? "PERMISSION" : "SESSION_CREATION_FAILURE"
            self.fail(name, purpose == .login ? 1 : 6, error.text, in: &step)
        }
    }

    private mutating func take(
        _ answer: ServerAnswer, for purpose: AgentPurpose, in step: inout Step
    ) throws(WireComplaint) {
        switch purpose {
        case .login:
            let token = try answer.token("token")
            self.perform(self.callSocket.handle(.loggedIn(token: token, answer: answer.value)), in: &step)
        case .code:
            guard self.state == .resolving else { return }
            self.cid = try answer.text("cid")
            // The agent's own token may be missing: one is asked for then.
            self.token = answer.value["session-token"] == nil ? "" : try answer.token("session-token")
            self.askForToken(in: &step)
        case .token:
            guard self.state == .resolving else { return }
            self.token = try answer.token("sessionid")
            self.connect(in: &step)
        case .farewell: break
        }
    }

    /// Asks for a session token with the agent's name and permissions, as a customer's own web application does.
    private mutating func askForToken(in step: inout Step) {
        // The token of a short code is the one that opens its session; only permissions need one that names them.
        guard self.options["permissions"] != nil || self.token.isEmpty else { return self.connect(in: &step) }
        let request = AgentTokenRequest.make(self.origin, cid: self.cid, name: self.name, self.options)
        self.ask(.token, request, in: &step)
    }

    /// Opens the topic WebSocket of the session.
    private mutating func connect(in step: inout Step) {
        self.state = .connecting
        self.directory = TopicDirectory()
        self.watch(.forgotten, in: &step)
        let request = TopicHandshake.request(self.origin, cid: self.cid, token: self.token)
        self.perform(self.link.handle(.connectWanted(request, limit: .seconds(30))), in: &step)
    }

    /// Takes what happened to the topic WebSocket.
    mutating func linkReported(_ news: LinkOutput, in step: inout Step) {
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
            self.watch(.stopped, in: &step)
            self.emit(
                .reconnecting, "connectionRetry",
                [
                    "attempt": .integer(Int64(attempt)), "of": .integer(Int64(count)),
                    "in": .double(delay.scriptSeconds),
                ], in: &step)
        case .exhausted(let reason):
            self.state = .ended
            self.watch(.stopped, in: &step)
            self.emit(.terminated, "connectionLost", ["code": 0, "reason": .string(reason)], in: &step)
        case .frame(let frame): self.take(frame, in: &step)
        case .unreadable(let complaint): self.fail("SOCKET", 2, complaint, in: &step)
        }
    }

    // MARK: Calls

    /// Does what the WebSocket for calls wants done.
    private mutating func perform(_ actions: [AgentCallSocketPart.Action], in step: inout Step) {
        for action in actions {
            switch action {
            case .open(let connection, let token):
                let request = self.origin.webSocket("/gateway/agent", [("sessionId", token)], cookies: nil)
                step.ask(.open(connection, request, subprotocols: []))
            case .transmit(let connection, let text): step.ask(.transmit(connection, .text(text)))
            case .close(let connection): step.ask(.close(connection, code: 1000, reason: ""))
            case .begin(let answer):
                let fields: JSONObject = ["session_token": .string(self.callSocket.token)]
                self.emit(.sessionCreated, "", fields, raw: answer, in: &step)
            case .report(let status, let call, let value): self.called(status, call, value, in: &step)
            case .fail(let reason): self.fail("SOCKET", 2, reason, in: &step)
            }
        }
    }

    private mutating func called(_ status: CallStatus, _ call: Int64, _ value: JSONValue, in step: inout Step) {
        var fields: JSONObject = ["status": .string(status.rawValue), "call": .integer(call)]
        fields["correlation_id"] = value["cid"]
        fields["video"] = value["video"]
        fields["uui"] = value["uui"]?.string.flatMap(UserToUser.decode).map { .string($0) }
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
}

// MARK: - What reaches an agent on the topic WebSocket

extension AgentClient {
    /// Takes a frame from the server.
    private mutating func take(_ frame: TopicFrame, in step: inout Step) {
        if frame.kind == .closeTopic, frame.topic == 0 { return self.sessionClosed(in: &step) }
        for news in self.directory.take(frame) { self.take(news, in: &step) }
    }

    private mutating func sessionClosed(in step: inout Step) {
        self.watch(.stopped, in: &step)
        self.closeLink(in: &step)
        self.state = .ended
        self.emit(.terminated, "connectionLost", ["code": 0, "reason": "the server closed the session"], in: &step)
    }

    private mutating func take(_ news: TopicChange, in step: inout Step) {
        switch news {
        case .joined(topic: 0, let participant) where participant.role == "consumer":
            self.watch(.supportBegan, in: &step)
            self.emit(.consumerJoined, "consumerJoined", ["name": .string(participant.name)], in: &step)
        case .left(topic: 0, let participant) where participant.role == "consumer":
            self.emit(.consumerLeft, "consumerLeft", ["name": .string(participant.name)], in: &step)
        case .listed(let topic): self.watch(.listed(topic), in: &step)
        case .joined: self.watch(.joined, in: &step)
        case .left: break
        case .opened(let topic): self.watch(.opened(topic), in: &step)
        case .closed(let topic): self.watch(.closed(topic), in: &step)
        case .permission(let id, let source, let target, let permission):
            guard target == self.directory.ownID, source != target, let topic = self.directory.topics[id] else {
                return
            }
            self.watch(.permitted(permission, in: topic), in: &step)
        case .misplaced(let complaint): self.fail("SOCKET", 2, "the server passed on \(complaint.text)", in: &step)
        case .message(let topic, let source, let bytes): self.received(bytes, on: topic, from: source, in: &step)
        }
    }

    // MARK: Messages

    private mutating func received(
        _ bytes: [UInt8], on id: UInt16, from source: UInt16, in step: inout Step
    ) {
        // Other agents hear each other too; only the consumer speaks for its screen.
        guard self.directory.participants[source]?.role == "consumer" else {
            return self.watch(.overheard(bytes), in: &step)
        }
        do throws(WireComplaint) {
            guard id != 0 else {
                // What is no JSON has been told already.
                guard let value = try? JSONReader.read(bytes, depth: 32) else { return }
                return self.take(try RootMessage(value, from: .consumer), in: &step)
            }
            guard let topic = self.directory.topics[id] else { return }
            self.watch(.heard(try WindowMessage(bytes, on: topic, from: .consumer), on: topic), in: &step)
        } catch {
            self.fail("SOCKET", 2, "the consumer sent \(error.text)", in: &step)
        }
    }

    private mutating func take(_ message: RootMessage, in step: inout Step) {
        switch message {
        case .consumerEndedSupport:
            self.watch(.supportEnded, in: &step)
            self.emit(.ended, "consumerEndedSupport", in: &step)
        case .rejectScreenShare: self.watch(.rejected, in: &step)
        case .requestScreenShare, .link, .zoom: break
        }
    }

    /// Tells what watches the screen of something, and does what it wants done.
    private mutating func watch(_ input: WatchingPart.Input, in step: inout Step) {
        self.perform(self.watching.handle(input, self.directory), in: &step)
    }

    private mutating func perform(_ actions: [WatchingPart.Action], in step: inout Step) {
        for action in actions {
            switch action {
            case .send(let frame): self.send(frame, in: &step)
            case .emit(let kind, let callback, let fields, let raw):
                self.emit(kind, callback, fields, raw: raw, in: &step)
            case .fail(let reason): self.fail("SOCKET", 2, reason, in: &step)
            case .setTimer(let timer, let delay): step.ask(.setTimer(timer, delay))
            case .cancelTimer(let timer): step.ask(.cancelTimer(timer))
            }
        }
    }
}

// MARK: - Commands

extension AgentClient {
    static var commands: CommandSet<AgentCommand> { AgentVocabulary.commands }

    mutating func perform(_ command: AgentCommand, in step: inout Step) -> CommandOutcome {
        switch command {
        case .logIn(let username, let password):
            let pairs = [
                ("username", username), ("password", password ?? ""), ("type", "create"),
                ("targetServer", self.origin.base64), ("name", self.name), ("text", self.name),
            ]
            self.ask(.login, self.origin.form(.post, "/assistserver/agent", pairs), in: &step)
        case .join(let shortCode, let session, let consumer, let token):
            let named = session ?? consumer?["correlation_id"]?.string
            return self.joinSession(shortCode: shortCode, session: named, token: token, in: &step)
        case .call(let action):
            guard self.callSocket.hasCall else {
                return .refused("there is no call; log in and expect \"call\" first")
            }
            self.perform(self.callSocket.handle(.told(action.rawValue)), in: &step)
        case .view: return .done(.array(self.watching.screen.shown))
        case .form: return .done(self.watching.screen.form ?? .null)
        case .joined(let command, let name):
            guard self.state == .joined else {
                return .refused("\(name) needs a joined session; call join and expect \"connected\" first")
            }
            return self.perform(command, name: name, in: &step)
        }
        return .done(.null)
    }

    private mutating func joinSession(
        shortCode: String?, session: String?, token: String?, in step: inout Step
    ) -> CommandOutcome {
        guard self.state == .idle || self.state == .ended else {
            return .refused("the agent is in a session already; call leave_session first")
        }
        if let shortCode {
            self.state = .resolving
            let path = "/assistserver/shortcode/agent?" + FormEncoding.encode([("appkey", shortCode)])
            self.ask(.code, Request(self.origin.request(.get, path)), in: &step)
            return .done(.null)
        }
        guard let session, !session.isEmpty else {
            return .refused("join needs a short_code, a correlation_id or a consumer who has started support")
        }
        self.cid = session
        self.token = token ?? ""
        self.state = .resolving
        if self.token.isEmpty { self.askForToken(in: &step) } else { self.connect(in: &step) }
        return .done(.null)
    }

    private mutating func perform(_ command: JoinedCommand, name: String, in step: inout Step) -> CommandOutcome {
        switch command {
        case .leaveSession:
            self.watch(.stopped, in: &step)
            self.send(TopicFrame(.leaveTopic, topic: 0, participant: self.directory.ownID), in: &step)
            self.closeLink(in: &step)
            self.state = .ended
        case .requestCobrowse: self.watch(.asked, in: &step)
        case .pushLink(let url):
            guard !url.isEmpty else { return .refused("push_link needs a URL, such as \"https://example.com/help\"") }
            self.tell(["type": "url", "url": .string(url)], in: &step)
        case .sendFrame(let text):
            guard let bytes = Base64.decode(text) else { return .refused("send_frame takes base64 text with padding") }
            step.ask(.transmit(.topics(self.link.number), .binary(bytes)))
        case .watching(let command):
            let answer = self.watching.perform(command, by: name, self.directory)
            self.perform(answer.actions, in: &step)
            return answer.outcome
        }
        return .done(.null)
    }
}
