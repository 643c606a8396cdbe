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
    private var hasRequested = false
    private var isWatching = false
    private var isActive = false
    private var screen = AgentScreen()
    private var drawing = DrawingPart()
    private var documents = PushedDocuments()
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
                "cobrowsing": .bool(self.isWatching), "active": .bool(self.isActive),
                "frames": .integer(self.screen.frames), "elements": .array(self.screen.shown),
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
        case .timerFired(.document(let id)): self.perform(self.documents.timedOut(id), in: &step)
        default: self.passToLink(input, in: &step)
        }
    }

    mutating func tearDown(in step: inout Step) {
        if self.link.isOpen {
            self.send(TopicFrame(.leaveTopic, topic: 0, participant: self.directory.ownID), in: &step)
        }
        self.closeLink(in: &step)
        self.cancelAll(where: { _ in true }, in: &step)
        self.perform(self.documents.forgetAll(), in: &step)
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
        self.perform(self.documents.forgetAll(), in: &step)
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
            self.stopWatching(in: &step)
            self.emit(
                .reconnecting, "connectionRetry",
                [
                    "attempt": .integer(Int64(attempt)), "of": .integer(Int64(count)),
                    "in": .double(delay.scriptSeconds),
                ], in: &step)
        case .exhausted(let reason):
            self.state = .ended
            self.stopWatching(in: &step)
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
        self.stopWatching(in: &step)
        self.closeLink(in: &step)
        self.state = .ended
        self.emit(.terminated, "connectionLost", ["code": 0, "reason": "the server closed the session"], in: &step)
    }

    private mutating func take(_ news: TopicChange, in step: inout Step) {
        switch news {
        case .joined(topic: 0, let participant) where participant.role == "consumer":
            self.screen.supportBegan()
            self.emit(.consumerJoined, "consumerJoined", ["name": .string(participant.name)], in: &step)
        case .left(topic: 0, let participant) where participant.role == "consumer":
            self.emit(.consumerLeft, "consumerLeft", ["name": .string(participant.name)], in: &step)
        case .listed(let topic):
            if self.isWatching, topic == self.directory.screen?.id { self.draw(.admitted, in: &step) }
        case .joined: self.draw(.joined, in: &step)
        case .left: break
        case .opened(let topic): self.topicOpened(topic, in: &step)
        case .closed(let topic): self.topicClosed(topic, in: &step)
        case .permission(let topic, let source, let target, let permission):
            guard target == self.directory.ownID, source != target else { return }
            self.permissionChanged(permission, on: topic, in: &step)
        case .misplaced(let complaint): self.fail("SOCKET", 2, "the server passed on \(complaint.text)", in: &step)
        case .message(let topic, let source, let bytes): self.received(bytes, on: topic, from: source, in: &step)
        }
    }

    private mutating func topicOpened(_ topic: Topic, in step: inout Step) {
        guard topic.owner != self.directory.ownID else { return self.draw(.opened(topic), in: &step) }
        guard !topic.isPrivate else { return }
        // Public ones are open to all who see them: documents, windows, snapshots, drawings of others.
        self.join(topic.id, in: &step)
        self.documents.sawWindow(of: topic)
        guard topic.isOwnDocument else { return }
        self.emit(.documentOpened, "", topic.documentFields, raw: topic.metadata, in: &step)
    }

    private func join(_ topic: UInt16, in step: inout Step) {
        self.send(TopicFrame(.joinTopic, topic: topic, participant: self.directory.ownID), in: &step)
    }

    private mutating func topicClosed(_ topic: Topic, in step: inout Step) {
        if topic.isScreen { self.stopWatching(in: &step) }
        if topic.type == "input", self.screen.formClosed() {
            self.emit(.form, "form", ["fields": []], in: &step)
        }
        guard topic.isOwnDocument else { return }
        self.emit(.documentClosed, "", topic.documentFields, raw: topic.metadata, in: &step)
    }

    private mutating func permissionChanged(
        _ permission: TopicPermission, on id: UInt16, in step: inout Step
    ) {
        guard let topic = self.directory.topics[id] else { return }
        switch (topic.isScreen, permission) {
        case (true, .allowed):
            self.hasRequested = false
            self.join(id, in: &step)
            guard !self.isWatching else { return }
            self.isWatching = true
            self.draw(.admitted, in: &step)
        case (true, .denied):
            self.requestRejected(in: &step)
            self.stopWatching(in: &step)
        case (false, .allowed): self.join(id, in: &step)
        default: break
        }
    }

    private mutating func requestRejected(in step: inout Step) {
        guard self.hasRequested else { return }
        self.hasRequested = false
        self.emit(.cobrowseRejected, "screenShareRejected", in: &step)
    }

    /// What an agent no longer may see it no longer shows.
    private mutating func stopWatching(in step: inout Step) {
        self.isWatching = false
        self.screen.blank()
        self.draw(.withdrawn, in: &step)
        if self.isActive {
            self.isActive = false
            self.emit(.cobrowseActive, "screenShareActive", ["active": false], in: &step)
        }
    }

    // MARK: Messages

    private mutating func received(
        _ bytes: [UInt8], on id: UInt16, from source: UInt16, in step: inout Step
    ) {
        // Other agents hear each other too; only the consumer speaks for its screen.
        guard self.directory.participants[source]?.role == "consumer" else { return self.documents.overheard(bytes) }
        do throws(WireComplaint) {
            guard id != 0 else {
                // What is no JSON has been told already.
                guard let value = try? JSONReader.read(bytes, depth: 32) else { return }
                return self.take(try RootMessage(value, from: .consumer), in: &step)
            }
            guard let topic = self.directory.topics[id] else { return }
            self.take(try WindowMessage(bytes, on: topic, from: .consumer), on: topic, in: &step)
        } catch {
            self.fail("SOCKET", 2, "the consumer sent \(error.text)", in: &step)
        }
    }

    private mutating func take(_ message: RootMessage, in step: inout Step) {
        switch message {
        case .consumerEndedSupport:
            self.screen.supportEnded()
            self.emit(.ended, "consumerEndedSupport", in: &step)
        case .rejectScreenShare: self.requestRejected(in: &step)
        case .requestScreenShare, .link, .zoom: break
        }
    }

    private mutating func take(_ message: WindowMessage, on topic: Topic, in step: inout Step) {
        switch message {
        case .offAssist where topic.isScreen: self.setActive(false, in: &step)
        case .onAssist where topic.isScreen: self.setActive(true, in: &step)
        case .mouseMove(let x, let y) where topic.isScreen:
            self.emit(
                .remoteInput, "", ["type": "mouse_move", "x": .integer(Int64(x)), "y": .integer(Int64(y))], in: &step)
        case .annotationsSet(let paths) where topic.type == "annotation" && paths.isEmpty:
            self.emit(.annotationsCleared, "", in: &step)
        case .annotationAdded, .annotationsSet, .cursorPing: break
        case .inputClicked(let x, let y, let value) where topic.type == "input":
            var fields: JSONObject = ["type": "click", "x": .integer(Int64(x)), "y": .integer(Int64(y))]
            fields["label"] = value["clicked"]?["label"]?.string.map { .string($0) }
            self.emit(.remoteInput, "", fields, raw: value, in: &step)
        default:
            if let news = self.screen.received(message, on: topic) {
                self.emit(news.kind, news.callback, news.fields, raw: news.raw, in: &step)
            }
            let outcome = self.documents.received(
                topic.told(message), hasScreen: self.directory.screen != nil, isAlone: !self.directory.hasMetAgents)
            self.perform(outcome, in: &step)
        }
    }

    private mutating func setActive(_ isActive: Bool, in step: inout Step) {
        guard self.isActive != isActive else { return }
        self.isActive = isActive
        self.emit(.cobrowseActive, "screenShareActive", ["active": .bool(isActive)], in: &step)
    }

    /// Does what becomes of drawings.
    private mutating func draw(_ input: DrawingPart.Input, in step: inout Step) {
        for action in self.drawing.handle(input, self.directory) {
            switch action {
            case .open(let surface):
                guard let screen = self.directory.screen else { continue }
                let metadata: JSONValue = ["type": .string(surface.rawValue)]
                self.send(TopicFrame(.openTopic, topic: screen.id, json: metadata), in: &step)
            case .join(let topic): self.join(topic, in: &step)
            case .say(let message, let topic): self.say(message, on: topic, in: &step)
            }
        }
    }

    /// Does what becomes of pushed documents.
    private mutating func perform(_ actions: [PushedDocuments.Action], in step: inout Step) {
        for action in actions {
            switch action {
            case .say(let message):
                if let screen = self.directory.screen { self.say(message, on: screen.id, in: &step) }
            case .setTimer(let timer, let delay): step.ask(.setTimer(timer, delay))
            case .cancelTimer(let timer): step.ask(.cancelTimer(timer))
            case .report(let outcome, let fields): self.emit(.documentResult, outcome, fields, in: &step)
            case .complain(let complaint): self.fail("SOCKET", 2, "the consumer sent \(complaint.text)", in: &step)
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
        case .view: return .done(.array(self.screen.shown))
        case .form: return .done(self.screen.form ?? .null)
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
            self.stopWatching(in: &step)
            self.send(TopicFrame(.leaveTopic, topic: 0, participant: self.directory.ownID), in: &step)
            self.closeLink(in: &step)
            self.state = .ended
        case .requestCobrowse:
            // To ask is to give the permission back: who watches would send itself away.
            guard !self.isWatching else { return .done(.null) }
            self.hasRequested = true
            if let screen = self.directory.screen {
                self.send(
                    .permission(
                        topic: screen.id, target: self.directory.ownID, .requested,
                        participant: self.directory.ownID), in: &step)
            } else {
                self.tell(["type": "requestScreenShare"], in: &step)
            }
        case .pushLink(let url):
            guard !url.isEmpty else { return .refused("push_link needs a URL, such as \"https://example.com/help\"") }
            self.tell(["type": "url", "url": .string(url)], in: &step)
        case .sendFrame(let text):
            guard let bytes = Base64.decode(text) else { return .refused("send_frame takes base64 text with padding") }
            step.ask(.transmit(.topics(self.link.number), .binary(bytes)))
        case .watching(let command):
            guard self.isWatching, let screen = self.directory.screen else {
                return .refused("\(name) needs co-browsing; request it and expect \"cobrowse_active\" first")
            }
            do throws(CommandError) { return try self.perform(command, name: name, on: screen, in: &step) } catch {
                return .refused(error.message)
            }
        }
        return .done(.null)
    }

    private mutating func perform(
        _ command: WatchingCommand, name: String, on screen: Topic, in step: inout Step
    ) throws(CommandError) -> CommandOutcome {
        if !self.isActive, command.needsScreen {
            return .refused("the consumer shows nothing now, so \(name) is lost; expect \"cobrowse_active\" first")
        }
        switch command {
        case .leaveCobrowse:
            self.stopWatching(in: &step)
            self.send(TopicFrame(.leaveTopic, topic: screen.id, participant: self.directory.ownID), in: &step)
        case .zoom(let isOn):
            self.tell(["type": isOn ? "startZoom" : "endZoom"], in: &step)
            self.emit(.zoom, isOn ? "zoomStarted" : "zoomEnded", ["active": .bool(isOn)], in: &step)
        case .fillForm(let values): return self.fillForm(values, in: &step)
        case .pushDocument(let document): return self.push(document, in: &step)
        case .closeDocument(let id, let document):
            // A number is that of a document of its own first; without one the last is meant, its own before another.
            let isOther = document != nil || !self.documents.has(id)
            if isOther, let window = self.directory.ownDocument(document ?? id) {
                self.say(.windowClosed(.agent), on: window.id, in: &step)
                return .done(.null)
            }
            guard document == nil else { return .refused("the consumer shares no document \(document ?? 0)") }
            self.perform(try self.documents.close(id), in: &step)
        case .draw(let path, let color, let width, let opacity):
            let element = try Annotation.element(path: path, stroke: color, width: width, opacity: opacity)
            return self.say(.annotationAdded(element), on: .annotation, in: &step)
        case .clearAnnotations: return self.say(.annotationsSet(""), on: .annotation, in: &step)
        case .scroll(let direction): self.say(.scroll(direction ?? .down), on: screen.id, in: &step)
        case .touch(let touch, let place):
            let (x, y) = try self.screen.pixels(of: place, for: touch, by: name)
            if case .point = touch { return self.say(.cursorPing(x: x, y: y), on: .spotlight, in: &step) }
            for message in touch.messages(x: x, y: y) { self.say(message, on: screen.id, in: &step) }
        }
        return .done(.null)
    }

    private mutating func say(
        _ message: WindowMessage, on surface: DrawingPart.Surface, in step: inout Step
    ) -> CommandOutcome {
        guard !self.drawing.isFull else {
            return .refused("too much is drawn that the consumer has not come for; wait until it has")
        }
        self.draw(.said(message, on: surface), in: &step)
        return .done(.null)
    }

    private mutating func fillForm(_ values: JSONObject, in step: inout Step) -> CommandOutcome {
        guard let topic = self.directory.first(where: { $0.type == "input" }) else {
            return .notOffered("there is no form; expect \"form\" first")
        }
        do throws(AgentScreen.FormMismatch) {
            self.say(try self.screen.filled(with: values), on: topic.id, in: &step)
            return .done(.null)
        } catch {
            return .notOffered(error.text)
        }
    }

    private mutating func push(_ document: DocumentArguments, in step: inout Step) -> CommandOutcome {
        // While the consumer shows nothing the vendor's console refuses by itself.
        guard self.isActive else { return .refused("the consumer has paused; expect \"cobrowse_active\" first") }
        do throws(CommandError) {
            let pushed = try self.documents.push(document)
            self.perform(pushed.actions, in: &step)
            return .done(.integer(Int64(pushed.id)))
        } catch {
            return .refused(error.message)
        }
    }
}
