import HTTPTypes
import JSON
import Machines

/// The visitor's client, put together from its parts: session, chat, event stream, calls and what runs beside them.
///
/// It passes what comes in to the part that it is for, and does what the parts want done; what happens then is said at
/// the parts. A conversation goes through ``SessionPart``, ``ChatStateMachine`` and ``LinkStateMachine``; every
/// question to the server, and its answer, through ``PendingCalls``.
struct BoldChatClient: ClientMachine {
    typealias Keys = ClientKeys

    private let settings: ClientSettings
    private var calls: PendingCalls
    private var session: SessionPart
    /// The chat, from its start on.
    private var chat: ChatStateMachine?
    /// The event stream of the chat.
    private var link: LinkStateMachine?
    private var availability: AvailabilityPart
    private var pings: PingPart
    private var files: FilePart
    private var screen = ScreenPart()
    /// Whether the client is in the background.
    private var isSuspended = false
    /// Whether the scenario has ended, so that nobody is told anything more.
    private var isTornDown = false

    /// Creates a client that has no session.
    init(_ configuration: ClientConfiguration) throws(ConfigurationError) {
        let settings = try ClientSettings(configuration)
        self.settings = settings
        self.calls = PendingCalls(
            policy: settings.profile.retries, bodyResetsRetries: settings.quirks.contains(.bodyResetsRetries))
        self.session = SessionPart(settings)
        self.availability = AvailabilityPart(settings.profile)
        self.pings = PingPart(settings.profile)
        self.files = FilePart(settings)
    }

    var identity: JSONObject { self.session.record.identity }

    var properties: JSONObject { ClientProperties.read(self.view) }

    var absences: [EventKind: String] { self.settings.profile.absences }

    var screenLines: [ScreenLine] { ScreenModel(self.view)?.lines ?? [] }

    /// The client as a person or a script sees it.
    var view: ClientView {
        ClientView(
            settings: self.settings, state: self.session.state, record: self.session.record, chat: self.chat,
            link: self.link, screen: self.screen, isRecaptureAvailable: self.pings.isRecaptureAvailable,
            isCalling: self.calls.contains(where: \.hidesView))
    }

    // MARK: Inputs

    mutating func handle(_ input: Input, in step: inout Step) {
        switch input {
        case .responded(let exchange, let response):
            self.perform(self.calls.handle(.responded(exchange, response)), in: &step)
        case .exchangeFailed(let exchange, let failure):
            self.perform(self.calls.handle(.exchangeFailed(exchange, failure)), in: &step)
        case .opened(let connection, _): self.feedLink(.opened(connection), in: &step)
        case .openFailed(let connection, _): self.feedLink(.openFailed(connection), in: &step)
        case .received(let connection, let message):
            let frame = OSSFrame(message)
            self.feedLink(frame.map { .received(connection, $0) } ?? .unreadable(connection, message), in: &step)
        case .closed(let connection, let closure):
            self.feedLink(.closed(connection, wasClean: closure.wasClean), in: &step)
        case .timerFired(let timer): self.timerFired(timer, in: &step)
        case .responseBegan, .bodyReceived, .responseEnded, .scriptReturned: break
        }
    }

    private mutating func timerFired(_ timer: Timer, in step: inout Step) {
        switch timer {
        case .callLimit(let number): self.perform(self.calls.handle(.limitPassed(number)), in: &step)
        case .callRetry(let number): self.perform(self.calls.handle(.retryDue(number)), in: &step)
        case .link(let timer): self.feedLink(.timerFired(timer), in: &step)
        case .answer: self.feedChat(.answerTimerFired, in: &step)
        case .ping: self.perform(self.pings.handle(.due(self.pingMoment)), in: &step)
        }
    }

    mutating func tearDown(in step: inout Step) {
        self.isTornDown = true
        if self.isSuspended { self.resume(in: &step) }
        // What only the script wanted to know is dropped; what ends the conversation on the server goes on.
        self.cancelCalls({ ![.createChat, .closedPing, .unattended].contains($0) }, in: &step)
        self.lead(.endAsked, in: &step)
    }

    // MARK: Calls

    private mutating func perform(_ actions: [PendingCalls.Action], in step: inout Step) {
        for action in actions {
            switch action {
            case .perform(let effect): step.ask(effect)
            case .end(let purpose, let outcome): self.ended(purpose, outcome, in: &step)
            case .tell(let repetition): self.emit(ClientEvents.repeated(repetition), in: &step)
            }
        }
    }

    /// Makes a call, and returns its number.
    @discardableResult
    private mutating func start(
        _ purpose: CallPurpose, _ request: Request, limit: Duration?, in step: inout Step
    ) -> CommandOutcome {
        let number = self.calls.nextNumber
        self.perform(self.calls.handle(.started(purpose, request, limit: limit)), in: &step)
        return .done(.integer(Int64(number)))
    }

    private mutating func cancelCalls(_ areMeant: @escaping (CallPurpose) -> Bool, in step: inout Step) {
        self.perform(self.calls.handle(.allCanceled(areMeant)), in: &step)
    }

    /// Gives the outcome of a call to the part that waits for it.
    private mutating func ended(_ purpose: CallPurpose, _ outcome: CallOutcome, in step: inout Step) {
        switch purpose {
        case .createChat: self.lead(.created(outcome), in: &step)
        case .submit(let kind): self.lead(.submitted(kind, outcome), in: &step)
        case .startChat:
            self.feedChat(.startAnswered(outcome.success.map { ChatConnection($0.members) }), in: &step)
        case .finishChat:
            self.lead(.finishAnswered(outcome), in: &step)
            self.feedChat(.finishAnswered(isSuccess: outcome.success != nil), in: &step)
        case .getUnavailableForm:
            self.lead(.unavailableFormAnswered(outcome), in: &step)
            self.feedChat(.unavailableFormAnswered(isSuccess: outcome.success != nil), in: &step)
        case .emailHistory: self.lead(.transcriptAnswered(outcome), in: &step)
        case .changeLanguage(let language): self.lead(.languageAnswered(language, outcome), in: &step)
        case .ping: self.perform(self.pings.handle(.answered(outcome, self.pingMoment)), in: &step)
        case .availability(let query):
            self.perform(self.availability.handle(.answered(query, outcome), at: step.now), in: &step)
        case .poll: self.polled(outcome, in: &step)
        case .outgoing: self.feedLink(.postEnded(outcome.answer.map { OSSAnswer($0) }), in: &step)
        case .inquiry(let operation): self.perform(Self.answered(operation, outcome), in: &step)
        case .resolveKey:
            self.lead(.keyResolved(outcome, lastMessageID: self.chat?.lastChatMessageID ?? 0), in: &step)
        case .resumeChat: self.lead(.resumed(outcome), in: &step)
        case .file(let number):
            self.perform(self.files.handle(.answered(number, outcome), random: &step.random), in: &step)
        case .closedPing, .unattended: break
        }
    }

    private mutating func polled(_ outcome: CallOutcome, in step: inout Step) {
        guard let answer = outcome.answer, answer.httpStatus < 400, let elements = answer.body.array else {
            return self.feedLink(.pollFailed, in: &step)
        }
        for element in elements where OSSFrame(element) == nil {
            let text = Excerpt.of(Array(element.description.utf8))
            self.emit(ClientEvents.unreadable("\(text) in a poll", raw: element), in: &step)
        }
        self.feedLink(.pollAnswered(elements.compactMap { OSSFrame($0) }), in: &step)
    }

    /// The answer to a question, as the event of its own that it is.
    private static func answered(_ operation: String, _ outcome: CallOutcome) -> [ClientAction] {
        guard let answer = outcome.success else { return [.fail(outcome, .session, operation: operation)] }
        var members = answer.members
        members["Status"] = nil
        let fields: JSONObject = ["operation": .string(operation), "value": .object(members)]
        return [.emit(.completed, fields, raw: answer.body)]
    }

    @discardableResult
    private mutating func call(
        _ purpose: CallPurpose, _ method: RESTMethod, _ parameters: [(String, String)], in step: inout Step
    ) -> CommandOutcome {
        let limit = purpose == .createChat ? self.settings.profile.creationLimit : .seconds(30)
        var request = ClientRequests.call(
            method.rawValue, parameters, to: self.settings.origin, key: self.settings.key)
        if purpose == .createChat {
            IdempotencyKey(call: self.calls.nextNumber, of: step.random).mark(&request)
        }
        return self.start(purpose, request, limit: limit, in: &step)
    }

    /// Drops a request; nothing more is reported of it.
    private mutating func cancelRequest(_ request: Int64, in step: inout Step) -> CommandOutcome {
        guard let number = UInt64(exactly: request) else { return .done(false) }
        let withdrawal = self.availability.handle(.withdrawn(number), at: step.now)
        guard withdrawal.isEmpty else { return self.perform(withdrawal, in: &step) }
        guard let purpose = self.calls.purpose(of: number) else { return .done(false) }
        self.perform(self.calls.handle(.canceled(number)), in: &step)
        switch purpose {
        case .availability(let query):
            self.perform(self.availability.handle(.canceled(query), at: step.now), in: &step)
        case .file(let number): self.perform(self.files.handle(.canceled(number), random: &step.random), in: &step)
        default: self.lead(.callCanceled(purpose), in: &step)
        }
        return .done(true)
    }

    // MARK: Parts

    @discardableResult
    private mutating func lead(_ input: SessionPart.Input, in step: inout Step) -> CommandOutcome {
        self.perform(self.session.handle(input, at: step.now, isTornDown: self.isTornDown), in: &step)
    }

    private var pingMoment: PingPart.Moment {
        PingPart.Moment(
            chatKey: self.session.record.chatKey, session: self.session.state, isSuspended: self.isSuspended,
            isUnderWay: self.calls.number(for: .ping) != nil)
    }

    /// Feeds the chat and does what it decides.
    private mutating func feedChat(_ input: ChatStateMachine.Input, in step: inout Step) {
        let isLongPoll = self.link?.isLongPoll ?? false
        for action in self.chat?.handle(input, isLongPoll: isLongPoll) ?? [] {
            switch action {
            case .startLink(let connection): self.startLink(connection, in: &step)
            case .stopLink: self.feedLink(.stopped, in: &step)
            case .say(let message):
                self.feedLink(.send(OutgoingCall(message, chatKey: self.session.record.chatKey ?? "")), in: &step)
            case .type(let isTyping):
                self.feedLink(.send(OutgoingCall(isTyping, chatKey: self.session.record.chatKey ?? "")), in: &step)
            case .call(let method):
                let tail =
                    method == .startChat
                    ? ("LastChatMessageID", String(self.chat?.lastChatMessageID ?? 0))
                    : ("ClientID", self.chat?.clientID ?? "")
                let parameters = [("ChatKey", self.session.record.chatKey ?? ""), tail]
                self.call(CallPurpose(chat: method), method, parameters, in: &step)
            case .cancelCall(let method): self.cancelCalls({ $0 == CallPurpose(chat: method) }, in: &step)
            case .setAnswerTimer(let limit): step.ask(.setTimer(.answer, limit))
            case .cancelAnswerTimer: step.ask(.cancelTimer(.answer))
            case .emit(let event): self.emit(event, in: &step)
            case .finished(let reason, let time): self.lead(.chatFinished(reason, time: time), in: &step)
            case .unavailable: self.lead(.chatUnavailable, in: &step)
            case .failed(let code): self.lead(.chatFailed(code), in: &step)
            }
        }
    }

    /// Feeds the event stream and does what it decides.
    private mutating func feedLink(_ input: LinkStateMachine.Input, in step: inout Step) {
        for action in self.link?.handle(input, now: step.now, random: &step.random) ?? [] {
            switch action {
            case .open(let connection, let url): self.open(connection, url: url, in: &step)
            case .close(let connection): step.ask(.close(connection, code: 1000, reason: ""))
            case .transmit(let connection, let frame): step.ask(.transmit(connection, .binary(JSONWriter.write(frame))))
            case .poll(let url): self.poll(url, in: &step)
            case .post(let call): self.post(call, in: &step)
            case .cancelPoll: self.cancelCalls({ $0 == .poll || $0 == .outgoing }, in: &step)
            case .setTimer(let timer, let delay): step.ask(.setTimer(.link(timer), delay))
            case .cancelTimer(let timer): step.ask(.cancelTimer(.link(timer)))
            case .connected: self.feedChat(.linkConnected, in: &step)
            case .disturbed: self.emit(ChatEvent(.disconnected), in: &step)
            case .recovered: self.emit(ChatEvent(.reconnected), in: &step)
            case .event(let call): self.feedChat(.eventReceived(call), in: &step)
            case .unreadable(let message):
                self.emit(ClientEvents.unreadable("\(Excerpt.of(message.bytes)) over the socket"), in: &step)
            case .misread(let call, let problem):
                self.emit(ClientEvents.unreadable("\(call.method), for \(problem.text)", raw: call.raw), in: &step)
            case .ignored(let method, let reason, let raw):
                self.emit(ClientEvents.ignored(event: method, because: reason, raw: raw), in: &step)
            case .answered(let call, let isSuccess, let raw):
                self.feedChat(.callAnswered(call.meaning, isSuccess: isSuccess, raw: raw), in: &step)
            case .refused(let call): self.feedChat(.callRefused(call.meaning), in: &step)
            case .reset: self.feedChat(.linkReset, in: &step)
            case .ended(let end): self.feedChat(.linkEnded(end), in: &step)
            case .failed: self.feedChat(.linkFailed, in: &step)
            }
        }
    }

    // MARK: Actions

    /// Does what a part wants done, and returns what the script's method returns.
    @discardableResult
    private mutating func perform(_ actions: [ClientAction], in step: inout Step) -> CommandOutcome {
        var outcome = CommandOutcome.done(.null)
        for action in actions {
            switch action {
            case .perform(.emit(let event)): self.emit(event, in: &step)
            case .perform(let effect): step.ask(effect)
            case .answer(let answer): outcome = answer
            case .command(let command): outcome = self.perform(command, in: &step)
            case .call(let purpose, let method, let parameters):
                outcome = self.call(purpose, method, parameters, in: &step)
            case .send(let purpose, let request):
                outcome = self.start(purpose, request, limit: .seconds(30), in: &step)
            case .cancelCalls(let selection): self.cancelCalls(selection, in: &step)
            case .beginSession:
                self.screen = ScreenPart()
                self.chat = nil
                self.perform(self.pings.handle(.sessionBegan), in: &step)
            case .submit(let kind, let values): outcome = self.lead(.submitAsked(kind, values), in: &step)
            case .startPinging: self.perform(self.pings.handle(.started(self.pingMoment)), in: &step)
            case .stopPinging(let sayingClosed):
                let key = self.session.record.chatKey
                self.perform(self.pings.handle(.stopped(sayingClosed: sayingClosed, chatKey: key)), in: &step)
            case .showError(let text): self.perform(self.screen.handle(.errorShown(text), of: self.view), in: &step)
            case .enterChat(let connection, let isResumed):
                self.chat = ChatStateMachine(
                    connection, profile: self.settings.profile, quirks: self.settings.quirks,
                    conversation: (isResumed ? self.chat?.conversation : nil) ?? Conversation())
            case .leaveChat(let finishes): self.leaveChat(finishes: finishes, in: &step)
            case .chat(let input): self.feedChat(input, in: &step)
            case .link(let input): self.feedLink(input, in: &step)
            }
        }
        return outcome
    }

    private mutating func cancelCalls(_ selection: CallSelection, in step: inout Step) {
        switch selection {
        case .all: self.cancelCalls({ _ in true }, in: &step)
        case .pings: self.cancelCalls({ $0 == .ping }, in: &step)
        case .session:
            // A chat that is being created must be known to be closed, and what closes one must arrive.
            let kept: [CallPurpose] =
                self.isTornDown ? [.createChat, .closedPing, .unattended] : [.closedPing, .unattended]
            self.cancelCalls({ !kept.contains($0) }, in: &step)
        }
    }

    private mutating func leaveChat(finishes: Bool, in step: inout Step) {
        if finishes, let chat = self.chat {
            step.ask(.cancelTimer(.answer))
            self.feedLink(.stopped, in: &step)
            let parameters = [("ChatKey", self.session.record.chatKey ?? ""), ("ClientID", chat.clientID)]
            self.call(.unattended, .finishChat, parameters, in: &step)
        }
        self.chat = nil
    }

    /// Tells the script; nothing more once its scenario has ended.
    private mutating func emit(_ event: ChatEvent, in step: inout Step) {
        if !self.isTornDown { step.ask(.emit(event)) }
    }

    private mutating func startLink(_ connection: ChatConnection, in step: inout Step) {
        self.feedLink(.stopped, in: &step)
        self.link = LinkStateMachine(
            connection, chatID: self.session.record.chatID, profile: self.settings.profile,
            quirks: self.settings.quirks, startsWithLongPoll: self.settings.startsWithLongPoll,
            firstConnection: self.link?.connectionNumber ?? 1)
        if self.isSuspended { self.feedLink(.suspended, in: &step) }
        self.feedLink(.started, in: &step)
    }

    private mutating func open(_ connection: ConnectionID, url: String, in step: inout Step) {
        guard let address = WebAddress(webSocket: url) else {
            return self.feedLink(.openFailed(connection), in: &step)
        }
        let request = ClientRequests.socket(address, key: self.settings.key)
        step.ask(.open(connection, request, subprotocols: []))
    }

    private mutating func poll(_ url: String, in step: inout Step) {
        guard let address = WebAddress(webSocket: url) else {
            return self.feedLink(.pollFailed, in: &step)
        }
        let request = ClientRequests.poll(
            address, key: self.settings.key, usingGet: self.settings.profile.link.pollsWithGet)
        self.start(.poll, request, limit: nil, in: &step)
    }

    /// Sends a call of the event stream over REST.
    private mutating func post(_ call: OutgoingCall, in step: inout Step) {
        let request = ClientRequests.call(
            call.method, ClientRequests.pairs(call.params), to: self.settings.origin, key: self.settings.key)
        self.start(.outgoing, request, limit: .seconds(30), in: &step)
    }

    // MARK: Suspension

    /// Stops timers and holds back what would be reported, as an application in the background does.
    private mutating func suspend(in step: inout Step) {
        guard !self.isSuspended else { return }
        self.isSuspended = true
        self.perform(self.calls.handle(.suspended), in: &step)
        self.feedLink(.suspended, in: &step)
        self.feedChat(.suspended, in: &step)
        self.perform(self.pings.handle(.suspended), in: &step)
    }

    private mutating func resume(in step: inout Step) {
        guard self.isSuspended else { return }
        self.isSuspended = false
        self.perform(self.calls.handle(.resumed), in: &step)
        self.feedLink(.resumed, in: &step)
        self.feedChat(.resumed, in: &step)
        self.perform(self.pings.handle(.due(self.pingMoment)), in: &step)
    }
}

// MARK: - Commands

extension BoldChatClient {
    static var commands: CommandSet<VisitorCommand> { ClientVocabulary.commands }

    mutating func perform(_ command: VisitorCommand, in step: inout Step) -> CommandOutcome {
        switch command {
        case .createChat(let options):
            var base = self.settings.creation
            if let language = self.session.wishedLanguage { base.language = language }
            let options = CreationOptions(options ?? [:], over: base)
            return self.isSuspended ? .done(.null) : self.lead(.createAsked(options), in: &step)
        case .submit(let kind, let values):
            if let form = self.session.record[kind],
                let mistake = FormKeys.mistake(in: values.names, of: "the \(kind.rawValue) form", on: form)
            {
                return .refused(mistake)
            }
            return self.lead(.submitAsked(kind, CreationOptions.texts(values)), in: &step)
        case .say(let text):
            guard self.chat != nil else { return Self.noChat("say") }
            let message = VisitorMessage(id: step.random.decimalDigits(19), text: text)
            self.feedChat(.say(message), in: &step)
            return .done(.string(message.id))
        case .typing(let isActive):
            guard self.chat != nil else { return Self.noChat("typing") }
            self.feedChat(.typing(isActive), in: &step)
        case .finish:
            guard self.chat != nil else { return Self.noChat("finish") }
            self.feedChat(.finishRequested, in: &step)
        case .cancelChat:
            guard self.chat != nil else { return Self.noChat("cancel_chat") }
            self.feedChat(.cancelRequested, in: &step)
        case .emailHistory(let address): return self.lead(.transcriptAsked(address: address), in: &step)
        case .changeLanguage(let language): return self.lead(.languageAsked(language), in: &step)
        case .checkAvailability(let options): return self.checkAvailability(options ?? [:], in: &step)
        case .cancelRequest(let number): return self.cancelRequest(number, in: &step)
        case .suspend: self.suspend(in: &step)
        case .resume: self.resume(in: &step)
        case .sendFile(let name, let content, let type):
            let file = FilePart.ChosenFile(name: name, mediaType: type ?? "text/plain", content: content)
            return self.perform(self.files.handle(.chosen(file, self.visit), random: &step.random), in: &step)
        case .answerInvitation(let method, let id): return self.answerInvitation(method, id: id, in: &step)
        case .reload: return self.lead(.reloadAsked, in: &step)
        case .ask(let method, let operation, let extra):
            if let extra, let refusal = self.refusingExtras(extra) { return refusal }
            let parameters = self.session.record.chatKey.map { [("ChatKey", $0)] } ?? []
            return self.call(.inquiry(operation), method, parameters, in: &step)
        case .press(let control, let value):
            return self.perform(self.screen.handle(.pressed(control, value), of: self.view), in: &step)
        case .type(let control, let text):
            return self.perform(self.screen.handle(.typed(control, text), of: self.view), in: &step)
        case .screenHTML: return .done(.string(ScreenModel(self.view).map { ScreenHTML.draw($0.value) } ?? ""))
        case .endSession: if !self.isSuspended { self.lead(.endAsked, in: &step) }
        }
        return .done(.null)
    }

    private static func noChat(_ method: String) -> CommandOutcome {
        .refused("there is no chat yet: expect \"chat_started\" before \(method)()")
    }

    private mutating func checkAvailability(_ options: JSONObject, in step: inout Step) -> CommandOutcome {
        let query = AvailabilityQuery(
            visitorID: options.text("visitor_id") ?? self.session.record.visitorID,
            departmentID: options.text("department_id"))
        let input = AvailabilityPart.Input.asked(
            query, underWay: self.calls.number(for: .availability(query)), next: self.calls.nextNumber)
        return self.perform(self.availability.handle(input, at: step.now), in: &step)
    }

    private var visit: FilePart.Visit {
        FilePart.Visit(
            isChatting: self.chat != nil && self.session.state == .chatting,
            settings: self.session.record.windowSettings, chatID: self.session.record.chatID ?? "",
            personID: self.session.record.visitorID, clientID: self.chat?.clientID ?? "")
    }

    /// Answers an invitation, over the event stream; that of the last one unless an id is given.
    private mutating func answerInvitation(
        _ method: RESTMethod, id: String?, in step: inout Step
    ) -> CommandOutcome {
        let what = "invitations to browse together, remote control and video"
        if let refusal = self.refusingExtras(what) { return refusal }
        guard let chat = self.chat, self.session.state == .chatting else {
            return self.perform([.fail(.wrongState, .session, operation: method.rawValue)], in: &step)
        }
        let call = OutgoingCall(
            answering: method, id: id, of: chat, chatKey: self.session.record.chatKey ?? "")
        self.feedLink(.send(call), in: &step)
        return .done(.null)
    }

    /// Returns the refusal of a client that does not know what only the browser window knows.
    private func refusingExtras(_ what: String) -> CommandOutcome? {
        guard !self.settings.profile.knowsExtras else { return nil }
        return .refused("only the browser window knows \(what); give the actor profile = \"html\"")
    }
}
