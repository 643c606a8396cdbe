import HTTPTypes
import JSON
import Machines

/// The consumer's side of a support session, put together from its parts: short codes, session and call, the topic
/// WebSocket, the admission of agents, and co-browsing of a synthetic screen with its forms, drawings and documents.
///
/// It passes what comes in to the part that it is for, and does what the parts want done; what happens then is said at
/// ``SupportPart``, ``TopicLink``, ``ScreenPermissionPart``, ``CobrowsePart`` and the parts of the screen.
struct ConsumerClient: SessionMember {
    enum Keys: MachineKeys {
        typealias Timer = AssistTimer
        typealias Exchange = PendingRequest<ConsumerPurpose>
        typealias Connection = AssistConnection
    }

    private var support: SupportPart
    private var shortCodes = ShortCodePart()
    private var screenPermissions = ScreenPermissionPart()
    private var cobrowse = CobrowsePart()
    private var screen: ScreenPart
    private var annotations = AnnotationPart()
    private var form = FormPart()
    private var snapshot = SnapshotPart()
    private var remoteInput = RemoteInputPart()
    private var documents = DocumentPart()
    var link: TopicLink
    /// An application has its cookies put into the handshake, those of the server among them, by `useCookies`.
    let sendsCookies = false
    private(set) var directory = TopicDirectory()
    var pendingRequests = PendingRequests<ConsumerPurpose>()

    /// Creates a consumer who has not started support.
    init(_ configuration: ClientConfiguration) throws(ConfigurationError) {
        let base = configuration.target.merging(configuration.options)
        self.support = try SupportPart(configuration, base: base)
        self.link = Self.link(self.support.configuration, after: 0)
        var shown = Screen.empty
        if let value = base["screen"] {
            do throws(CommandError) { shown = try ScreenDescription.read(value) } catch {
                throw ConfigurationError(error.message)
            }
        }
        self.screen = ScreenPart(shown)
    }

    private static func link(_ configuration: SupportConfiguration, after former: UInt64) -> TopicLink {
        TopicLink(
            rules: .iOS, intervals: configuration.connection.retryIntervals,
            limits: configuration.connection.reconnectTimeouts,
            after: former)
    }

    var identity: JSONObject {
        var fields: JSONObject = ["role": "consumer", "correlation_id": .string(self.support.cid)]
        fields["session_token"] = self.support.token.isEmpty ? nil : .string(self.support.token)
        fields["participant"] = self.directory.ownID == 0 ? nil : .integer(Int64(self.directory.ownID))
        return fields
    }

    var properties: JSONObject {
        let agents = self.screenPermissions.agents.values.sorted { $0.id < $1.id }.map { agent in
            JSONValue.object(agent.fields.merging(["cobrowsing": .bool(agent.isCobrowsing)]))
        }
        let fields: JSONObject = [
            "role": "consumer", "state": .string(self.support.state.rawValue),
            "connection": .string(self.link.stateName), "correlation_id": .string(self.support.cid),
            "cobrowsing": .bool(self.cobrowse.isActive), "paused": .bool(self.cobrowse.isPaused),
            "agents": .array(agents), "documents": .integer(Int64(self.documents.documents.count)),
            "configuration": .object(self.support.configuration.values),
        ]
        return ClientPropertyVocabulary.complete(fields.merging(self.identity))
    }

    var absences: [EventKind: String] { EventVocabulary.consumerAbsences }

    var screenLines: [ScreenLine] { self.screen.screen.lines }

    var acceptsAnyCertificate: Bool { self.support.configuration.connection.acceptsSelfSigned }

    /// What the parts know of each other now.
    private var context: CobrowseContext {
        CobrowseContext(
            configuration: self.support.configuration, origin: self.support.origin,
            state: self.support.state,
            hasCall: self.support.hasCall, directory: self.directory, agents: self.screenPermissions.agents,
            screen: self.screen.screen, isActive: self.cobrowse.isActive,
            isPaused: self.cobrowse.isPaused,
            isZooming: self.cobrowse.isZooming)
    }

    // MARK: Inputs

    mutating func handle(_ input: Input, in step: inout Step) {
        switch input {
        case .responded(let request, let response):
            self.pendingRequests.end(request)
            self.support.cookies.keep(from: response)
            self.answered(request.purpose, response, in: &step)
        case .exchangeFailed(let request, let failure):
            self.pendingRequests.end(request)
            self.failed(request.purpose, failure.message, in: &step)
        case .openFailed(.gateway(let number), let failure):
            self.lead(.callOpenFailed(number, failure.message), in: &step)
        case .received(.gateway(let number), let message):
            self.lead(.callSaid(number, message), in: &step)
        case .closed(.gateway(let number), let closure):
            self.lead(.callClosed(number, closure.code), in: &step)
        case .timerFired(.sessionLimit): self.lead(.sessionTimedOut, in: &step)
        case .timerFired(.codeLimit): self.code(.timedOut, in: &step)
        case .timerFired(.screen): self.perform(self.screen.handle(.changeDue, self.context), in: &step)
        default:
            if case .closed(.topics(let number), let closure) = input {
                self.lead(.linkClosed(number, wasClean: closure.wasClean), in: &step)
            }
            self.passToLink(input, in: &step)
        }
    }

    mutating func tearDown(in step: inout Step) {
        self.lead(.tornDown, in: &step)
        self.closeLink(in: &step)
        self.perform(.cancelAll, in: &step)
        for timer: Timer in [.sessionLimit, .codeLimit, .screen] { step.ask(.cancelTimer(timer)) }
    }

    private mutating func answered(
        _ purpose: ConsumerPurpose, _ response: Response, in step: inout Step
    ) {
        switch purpose {
        case .createCode: self.code(.answered(response, code: nil), in: &step)
        case .redeemCode(let code): self.code(.answered(response, code: code), in: &step)
        case .session: self.lead(.sessionAnswered(response), in: &step)
        case .document(let key): self.document(.fetched(key, response), in: &step)
        case .farewell:
            let status = response.head.status
            // A session that the server no longer knows is over, too.
            guard status.kind != .successful, status.code != 404 else { return }
            self.lead(.farewellFailed("it answered \(status.code)"), in: &step)
        }
    }

    private mutating func failed(_ purpose: ConsumerPurpose, _ reason: String, in step: inout Step) {
        switch purpose {
        case .createCode, .redeemCode: self.code(.failed(reason), in: &step)
        case .session: self.lead(.sessionFailed(reason), in: &step)
        case .document(let key): self.document(.fetchFailed(key, reason), in: &step)
        case .farewell: self.lead(.farewellFailed(reason), in: &step)
        }
    }

    // MARK: Parts

    @discardableResult
    private mutating func lead(_ input: SupportPart.Input, in step: inout Step) -> CommandOutcome {
        self.perform(self.support.handle(input, self.link), in: &step)
    }

    private mutating func code(_ input: ShortCodePart.Input, in step: inout Step) {
        let auditName = self.support.configuration.session.auditName
        self.perform(
            self.shortCodes.handle(input, self.support.origin, auditName: auditName), in: &step)
    }

    @discardableResult
    private mutating func admit(_ input: ScreenPermissionPart.Input, in step: inout Step) -> CommandOutcome {
        self.perform(self.screenPermissions.handle(input, self.context), in: &step)
    }

    @discardableResult
    private mutating func document(_ input: DocumentPart.Input, in step: inout Step) -> CommandOutcome {
        self.perform(self.documents.handle(input, self.context), in: &step)
    }

    private mutating func annotate(_ input: AnnotationPart.Input, in step: inout Step) {
        self.perform(self.annotations.handle(input, isPaused: self.cobrowse.isPaused), in: &step)
    }

    // MARK: Actions

    /// Does what a part wants done, and returns what the script's method returns.
    @discardableResult
    private mutating func perform(_ actions: [ConsumerAction], in step: inout Step) -> CommandOutcome {
        var outcome = CommandOutcome.done(.null)
        for action in actions {
            if case .answer(let answer) = action { outcome = answer }
            self.perform(action, in: &step)
        }
        return outcome
    }

    private mutating func perform(_ action: ConsumerAction, in step: inout Step) {
        switch action {
        case .emit(let event): step.ask(.emit(event))
        case .setTimer(let timer, let delay): step.ask(.setTimer(timer, delay))
        case .cancelTimer(let timer): step.ask(.cancelTimer(timer))
        case .answer: break
        case .ask(let purpose, let request): self.ask(purpose, request, in: &step)
        case .cancelCodes: self.cancelAll(where: \.isAboutCode, in: &step)
        case .cancelSession: self.cancelAll(where: { $0 == .session }, in: &step)
        case .cancelAll: self.cancelAll(where: { $0 != .farewell }, in: &step)
        case .openCall(let number, let request):
            step.ask(.open(.gateway(number), request, subprotocols: []))
        case .closeCall(let number): step.ask(.close(.gateway(number), code: 1000, reason: ""))
        case .link(let input): self.perform(self.link.handle(input), in: &step)
        case .send(let frame): self.send(frame, in: &step)
        case .say(let message, let topic): self.say(message, on: topic, in: &step)
        case .tell(let message): self.tell(message, in: &step)
        case .leave:
            self.send(TopicFrame(.leaveTopic, topic: 0, participant: self.directory.ownID), in: &step)
        case .join(let topic):
            self.send(TopicFrame(.joinTopic, topic: topic, participant: self.directory.ownID), in: &step)
        case .setPermission(let permission, let agent, let topic):
            self.directory.setPermission(topic, of: agent, permission)
            let ownID = self.directory.ownID
            self.send(.permission(topic: topic, target: agent, permission, participant: ownID), in: &step)
        case .openScreenTopic:
            let metadata: JSONValue = [
                "type": "shared-window", "interactive": "true", "scrollable": "true",
            ]
            self.send(.openPrivate(parent: 0, metadata: metadata), in: &step)
        case .beginSession: self.beginSession(in: &step)
        case .endSession:
            self.admit(.sessionEnded, in: &step)
            self.perform(self.remoteInput.handle(.sessionEnded, self.context), in: &step)
        case .setActive(let isActive):
            self.perform(self.cobrowse.handle(.activeChanged(isActive), self.context), in: &step)
        case .readmit(let agent): self.admit(.readmitted(agent), in: &step)
        case .agentLeft(let agent):
            self.perform(self.remoteInput.handle(.agentLeft(agent), self.context), in: &step)
        case .sendPicture(let part):
            self.perform(self.screen.handle(.pictureAsked(of: part), self.context), in: &step)
        case .changed(let box, let delay):
            self.perform(self.screen.handle(.changed(box, after: delay), self.context), in: &step)
        case .forgetChange: self.perform(self.screen.handle(.changeForgotten, self.context), in: &step)
        case .clearAnnotations(let box): self.annotate(.screenChanged(box), in: &step)
        case .enter(let id, let value, let agent, let how):
            let input = ScreenPart.Input.entered(id, value: value, by: agent, how: how)
            self.perform(self.screen.handle(input, self.context), in: &step)
        case .updateForm: self.perform(self.form.handle(.updateAsked, self.context), in: &step)
        case .sendForm: self.perform(self.form.handle(.sendAsked, self.context), in: &step)
        case .forgetForm: self.perform(self.form.handle(.forgotten, self.context), in: &step)
        case .confirmForm(let topic):
            self.perform(self.form.handle(.confirmAsked(on: topic), self.context), in: &step)
        case .clicked(let item, let x, let y, let agent):
            self.perform(self.form.handle(.clicked(item, x: x, y: y, by: agent), self.context), in: &step)
        case .sendSnapshot: self.perform(self.snapshot.handle(.sendAsked, self.context), in: &step)
        case .leaveDocuments(let initiator, let isSilent):
            self.document(.sessionLeft(initiator, isSilent: isSilent), in: &step)
        }
    }

    private mutating func beginSession(in step: inout Step) {
        self.link = Self.link(self.support.configuration, after: self.link.number)
        self.directory = TopicDirectory()
        self.admit(.sessionBegan, in: &step)
        self.perform(self.cobrowse.handle(.sessionBegan, self.context), in: &step)
        self.annotate(.sessionBegan, in: &step)
        // The timer of a change that was still to be sent ended with the last session.
        self.perform(self.screen.handle(.changeForgotten, self.context), in: &step)
        self.perform(self.form.handle(.sessionBegan, self.context), in: &step)
        self.perform(self.snapshot.handle(.sessionBegan, self.context), in: &step)
        self.document(.sessionBegan, in: &step)
    }
}

// MARK: - What comes over the topic WebSocket

extension ConsumerClient {
    mutating func linkReported(_ news: LinkOutput, in step: inout Step) {
        guard case .frame(let frame) = news else {
            self.lead(.linkReported(news), in: &step)
            return
        }
        if frame.kind == .closeTopic, frame.topic == 0 {
            self.closeLink(in: &step)
            self.lead(.terminated(.assistTransportFailure, "the server closed the session"), in: &step)
            return
        }
        for news in self.directory.take(frame) { self.take(news, in: &step) }
    }

    private mutating func take(_ news: TopicChange, in step: inout Step) {
        switch news {
        case .listed(let topic): if topic == 0 { self.admit(.relisted, in: &step) }
        case .joined(topic: 0, let participant): self.admit(.joinedSession(participant), in: &step)
        case .joined(let topic, let participant):
            if topic == self.directory.screen?.id { self.admit(.joinedScreen(participant.id), in: &step) }
            // One who has just come in has not heard of the form yet.
            if self.directory.topics[topic]?.type == "input" { self.perform(.sendForm, in: &step) }
            if self.directory.topics[topic]?.type == "snapshot" { self.perform(.sendSnapshot, in: &step) }
            self.document(.joined(topic), in: &step)
        case .left(topic: 0, let participant): self.admit(.leftSession(participant.id), in: &step)
        case .left(let topic, let participant):
            if topic == self.directory.screen?.id { self.admit(.leftScreen(participant.id), in: &step) }
        case .opened(let topic): self.topicOpened(topic, in: &step)
        case .closed(let topic):
            if topic.isScreen { self.admit(.screenClosed, in: &step) }
            self.annotate(.topicClosed(topic.id), in: &step)
        case .permission(let topic, let source, let target, let permission):
            // An agent asks for itself; nobody can ask for another.
            guard topic == self.directory.screen?.id, permission == .requested, source == target else {
                return
            }
            self.admit(.requested(source), in: &step)
        case .misplaced(let complaint): self.complain("the server passed on", complaint, in: &step)
        case .message(let topic, let source, let bytes):
            guard let agent = self.screenPermissions.agents[source] else { return }
            self.received(bytes, on: topic, from: agent, in: &step)
        }
    }

    private mutating func topicOpened(_ topic: Topic, in step: inout Step) {
        guard topic.owner == self.directory.ownID else {
            // What an agent opens on the screen to draw or to point.
            guard topic.type == "annotation" || topic.type == "spotlight",
                topic.parent == self.directory.screen?.id
            else { return }
            return self.perform(.join(topic.id), in: &step)
        }
        if topic.isScreen {
            self.admit(.screenOpened(topic), in: &step)
            return
        }
        switch topic.type {
        case "input", "scrollbar", "snapshot":
            self.admit(.topicOpened(topic), in: &step)
            if topic.type == "input" { self.perform(.sendForm, in: &step) }
        case "shared-window": self.document(.topicOpened(topic), in: &step)
        default: break
        }
    }

    private mutating func received(
        _ bytes: [UInt8], on topic: UInt16, from agent: AgentRecord, in step: inout Step
    ) {
        do throws(WireComplaint) {
            guard topic != 0 else {
                // What is no JSON has been told already.
                guard let value = try? JSONReader.read(bytes, depth: 32) else { return }
                return self.take(try RootMessage(value, from: .agent), raw: value, from: agent, in: &step)
            }
            // Only those who watch may say anything about the screen.
            guard agent.isCobrowsing, let place = self.directory.topics[topic] else { return }
            self.take(try WindowMessage(bytes, on: place, from: .agent), on: place, from: agent, in: &step)
        } catch {
            self.complain("the agent sent", error, in: &step)
        }
    }

    /// Tells the script of what came and could not be used.
    private mutating func complain(_ who: String, _ complaint: WireComplaint, in step: inout Step) {
        self.perform(.fail(.assistTransportFailure, "\(who) \(complaint.text)"), in: &step)
    }

    private mutating func take(
        _ message: WindowMessage, on place: Topic, from agent: AgentRecord, in step: inout Step
    ) {
        switch (place.type, message) {
        case ("annotation", _): self.annotate(.drawn(message, on: place.id, by: agent.name), in: &step)
        case ("spotlight", .cursorPing(let x, let y)):
            self.annotate(.pointed(x: x, y: y, by: agent.name), in: &step)
        case ("input", .inputPopulated(let value)):
            self.perform(self.form.handle(.filled(value, by: agent), self.context), in: &step)
        case ("shared-window", _) where place.isScreen:
            self.document(.received(message, from: agent.id), in: &step)
            self.perform(
                self.remoteInput.handle(.received(message, from: agent), self.context), in: &step)
        case ("shared-window", .windowClosed): self.document(.windowClosed(place.id), in: &step)
        default: break
        }
    }

    private mutating func take(
        _ message: RootMessage, raw value: JSONValue, from agent: AgentRecord, in step: inout Step
    ) {
        switch message {
        case .link(let url):
            // A link needs no authorization, but while paused it is ignored.
            guard !self.cobrowse.isPaused else { return }
            let fields: JSONObject = ["url": .string(url), "agent": .string(agent.name)]
            guard PushedLink.canBeOpened(url) else {
                let reason = DocumentPart.reason(.connection, "the link is no URL that can be opened")
                return self.perform(
                    .emit(.documentError, "onError(_:reason:)", fields.merging(reason), raw: value), in: &step)
            }
            self.perform(.emit(.link, "", fields, raw: value), in: &step)
        case .requestScreenShare:
            // From agents who see no screen topic, which may be on its way to them: it is asked for all the same.
            self.admit(.requested(agent.id), in: &step)
        case .zoom(let isStart):
            let input = CobrowsePart.Input.zoomAsked(
                isStart, agent: agent.name, raw: value, hasDocument: self.documents.hasOpen)
            self.perform(self.cobrowse.handle(input, self.context), in: &step)
        case .rejectScreenShare, .consumerEndedSupport: break
        }
    }
}

// MARK: - Commands

extension ConsumerClient {
    static var commands: CommandSet<ConsumerCommand> { ConsumerVocabulary.commands }

    mutating func perform(_ command: ConsumerCommand, in step: inout Step) -> CommandOutcome {
        switch command {
        case .parseURL(let text):
            guard let server = ServerObject(text) else {
                return .refused("parse_url takes a host or a URL without a path, IPv6 in brackets")
            }
            return .done([
                "scheme": .string(server.scheme), "host": .string(server.host),
                "port": .integer(Int64(server.port)),
            ])
        case .createShortCode(let session): self.code(.createAsked(session: session), in: &step)
        case .redeemShortCode(let code): self.code(.redeemAsked(code: code), in: &step)
        case .setCookie(let name, let value):
            guard self.support.cookies.set(name, value) else {
                return .refused(
                    "a cookie has a name and a value of printable ASCII without ';'; at most 50 are kept")
            }
        case .startSupport(let options): return self.lead(.started(options), in: &step)
        case .showScreen(let value):
            do throws(CommandError) {
                let screen = try ScreenDescription.read(value)
                self.perform(self.screen.handle(.shown(screen), self.context), in: &step)
            } catch {
                return .refused(error.message)
            }
        case .change(let id, let value, let permission):
            let input = ScreenPart.Input.elementChanged(id, value: value, permission: permission)
            return self.perform(self.screen.handle(input, self.context), in: &step)
        case .screen: return .done(self.screen.screen.json)
        case .annotations: return .done(.array(self.annotations.annotations.map { .object($0.fields) }))
        // Outside a session these two do nothing, as with the vendor.
        case .pauseCobrowse: self.perform(self.cobrowse.handle(.pauseAsked, self.context), in: &step)
        case .resumeCobrowse: self.perform(self.cobrowse.handle(.resumeAsked, self.context), in: &step)
        case .shareDocument(let url, let data, let type):
            return self.document(.shareAsked(url: url, data: data, type: type), in: &step)
        case .active(let command, let name):
            guard self.support.state.isActive else {
                return .refused("\(name) needs started support; call start_support first")
            }
            return self.perform(command, in: &step)
        }
        return .done(.null)
    }

    private mutating func perform(_ command: ActiveConsumerCommand, in step: inout Step)
        -> CommandOutcome
    {
        switch command {
        case .endSupport: self.lead(.endAsked, in: &step)
        case .answerRequest(let isAllowed, let agent):
            return self.admit(.answered(isAllowed, agent: agent), in: &step)
        case .answerDocument(let isAccepted, let document):
            return self.document(.answered(isAccepted, key: document), in: &step)
        case .closeDocument(let id, let document):
            return self.document(.closeAsked(id: id, key: document), in: &step)
        case .takeSnapshot: self.perform(self.snapshot.handle(.taken, self.context), in: &step)
        case .moveMouse(let place):
            guard let topic = self.directory.screen, self.cobrowse.isActive else {
                return .refused("nobody watches; expect \"cobrowse_active\" first")
            }
            guard !self.cobrowse.isPaused else {
                return .refused("co-browsing is paused, so nobody sees the mouse; call resume_cobrowse first")
            }
            do throws(CommandError) {
                let (x, y) = try self.screen.screen.pixels(of: place, by: "move_mouse")
                self.say(.mouseMove(x: x, y: y), on: topic.id, in: &step)
            } catch {
                return .refused(error.message)
            }
        case .reconnect(let limit):
            guard self.link.canReconnect else {
                return .refused("reconnect needs a lost connection; expect \"disconnected\" first")
            }
            self.perform(self.link.handle(.reconnectWanted(limit: limit)), in: &step)
        case .terminate(let reason):
            self.closeLink(in: &step)
            self.lead(.terminated(.assistSupportEnded, reason ?? "the application gave up"), in: &step)
        }
        return .done(.null)
    }
}
