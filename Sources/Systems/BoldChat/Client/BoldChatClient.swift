import HTTPTypes
import JSON
import Machines

/// The visitor's client: session, chat, event stream, calls and pings as one value.
///
/// The parts are machines of their own (``SessionStateMachine``, ``ChatStateMachine``, ``LinkStateMachine``,
/// ``CallBook``); this type feeds them and turns what they decide into effects.
struct BoldChatClient: ClientMachine {
    /// What it has under way.
    enum Keys: MachineKeys {
        enum Timer: MachineTimer {
            /// A call takes too long.
            case callLimit(UInt64)
            /// A call is made again.
            case callRetry(UInt64)
            case link(LinkStateMachine.Timer)
            /// A visitor has waited too long for an answer.
            case answer
            /// A ping is due.
            case ping

            var description: String {
                switch self {
                case .callLimit(let number): "call.limit.\(number)"
                case .callRetry(let number): "call.retry.\(number)"
                case .link(let timer): "link.\(timer.rawValue)"
                case .answer: "chat.answer"
                case .ping: "session.ping"
                }
            }
        }

        typealias Exchange = ExchangeID
        typealias Connection = ConnectionID
    }

    /// What the client is made from.
    let settings: ClientSettings
    /// The REST calls under way.
    var calls: CallBook
    /// The session's state.
    var session: SessionStateMachine
    /// What is known of the session.
    var record = SessionRecord()
    /// What the session was created with.
    var creation: CreationOptions
    /// The chat, from its start on.
    var chat: ChatStateMachine?
    /// The event stream of the chat.
    var link: LinkStateMachine?
    /// The answers about availability that are still good.
    var availability = AvailabilityCache()
    /// When the next ping is due.
    var pings = PingSchedule()
    /// The files on their way.
    var files = FileTransfer()
    /// What was done on the screen.
    var screen = ScreenState()
    /// Whether the client is in the background.
    var isSuspended = false
    /// Whether the scenario has ended, so that nobody is told anything more.
    var isTornDown = false
    /// The answer that ended the chat, until the event that reports it takes it.
    var lastAnswer: JSONValue?
    /// What the machines have gone through since somebody looked; nil as long as nobody wants to know.
    var trace: [Transition]?
    private var nextConnection: UInt64 = 1

    /// Creates a client that has no session.
    init(_ configuration: ClientConfiguration) throws(ConfigurationError) {
        self.settings = try ClientSettings(configuration)
        self.creation = self.settings.creation
        self.calls = CallBook(
            policy: self.settings.profile.retries,
            bodyResetsRetries: self.settings.quirks.contains(.bodyResetsRetries))
        self.session = SessionStateMachine(quirks: self.settings.quirks)
        self.record.language = self.creation.language
        self.record.visitorID = self.creation.visitorID
    }

    // MARK: Inputs

    mutating func handle(_ input: Input, in step: inout Step) {
        switch input {
        case .responded(let exchange, let response):
            if let news = self.calls.responded(exchange, response, in: &step) { self.heard(news, in: &step) }
        case .exchangeFailed(let exchange, let failure):
            if let news = self.calls.exchangeFailed(exchange, failure, in: &step) { self.heard(news, in: &step) }
        case .opened(let connection, _): self.feedLink(.opened(connection), in: &step)
        case .openFailed(let connection, _): self.feedLink(.openFailed(connection), in: &step)
        case .received(let connection, let message):
            let frame = OSSFrame(message.bytes)
            self.feedLink(frame.map { .received(connection, $0) } ?? .unreadable(connection, message), in: &step)
        case .closed(let connection, let closure):
            self.feedLink(.closed(connection, wasClean: closure.wasClean), in: &step)
        case .timerFired(let timer): self.timerFired(timer, in: &step)
        case .responseBegan, .bodyReceived, .responseEnded, .scriptReturned: break
        }
    }

    private mutating func timerFired(_ timer: Timer, in step: inout Step) {
        switch timer {
        case .callLimit(let number):
            if let news = self.calls.limitFired(number, in: &step) { self.heard(news, in: &step) }
        case .callRetry(let number):
            if let news = self.calls.retryFired(number, in: &step) { self.heard(news, in: &step) }
        case .link(let timer): self.feedLink(.timerFired(timer), in: &step)
        case .answer: self.feedChat(.answerTimerFired, in: &step)
        case .ping: self.ping(in: &step)
        }
    }

    private mutating func heard(_ news: CallBook.News, in step: inout Step) {
        switch news {
        case .ended(let purpose, let outcome): self.ended((purpose, outcome), in: &step)
        case .repeated(let repetition): self.emit(ClientEvents.repeated(repetition), in: &step)
        }
    }

    // MARK: Session, chat and link

    /// Feeds the session.
    mutating func feedSession(_ input: SessionStateMachine.Input) -> SessionStateMachine.Decision {
        let before = self.session.state
        let decision = self.session.handle(input)
        self.trace?.append(
            Transition(
                .session, from: before.rawValue, on: input.label, to: self.session.state.rawValue,
                isAnswered: decision.verdict != .ignore))
        return decision
    }

    /// Feeds the chat and does what it decides.
    mutating func feedChat(_ input: ChatStateMachine.Input, in step: inout Step) {
        guard let before = self.chat?.state else { return }
        let isLongPoll = self.link?.isLongPoll ?? false
        let actions = self.chat?.handle(input, isLongPoll: isLongPoll) ?? []
        self.trace?.append(
            Transition(
                .chat, from: before.rawValue, on: input.label, to: self.chat?.state.rawValue ?? "",
                isAnswered: !actions.isEmpty))
        for action in actions { self.perform(action, in: &step) }
    }

    private mutating func perform(_ action: ChatStateMachine.Action, in step: inout Step) {
        switch action {
        case .startLink(let connection):
            self.feedLink(.stopped, in: &step)
            self.nextConnection = max(self.nextConnection, self.link?.connectionNumber ?? 1)
            self.link = LinkStateMachine(
                connection, profile: self.settings.profile, quirks: self.settings.quirks,
                startsWithLongPoll: self.settings.startsWithLongPoll, firstConnection: self.nextConnection)
            if self.isSuspended { self.feedLink(.suspended, in: &step) }
            self.feedLink(.started, in: &step)
        case .stopLink: self.feedLink(.stopped, in: &step)
        case .say(let message): self.feedLink(.send(self.outgoing(message)), in: &step)
        case .type(let isTyping): self.feedLink(.send(self.outgoing(isTyping)), in: &step)
        case .call(let method): self.callForChat(method, in: &step)
        case .cancelCall(let method):
            self.calls.cancelAll({ $0 == Self.purpose(of: method) }, in: &step)
        case .setAnswerTimer(let limit): step.ask(.setTimer(.answer, limit))
        case .cancelAnswerTimer: step.ask(.cancelTimer(.answer))
        case .emit(let event): self.emit(event, in: &step)
        case .finished(let reason, let time): self.chatFinished(reason, time: time, in: &step)
        case .unavailable: self.chatUnavailable(in: &step)
        case .failed(let code): self.chatFailed(code, in: &step)
        }
    }

    /// Feeds the event stream and does what it decides.
    mutating func feedLink(_ input: LinkStateMachine.Input, in step: inout Step) {
        guard let before = self.link?.state else { return }
        let actions = self.link?.handle(input, now: step.now, random: &step.random) ?? []
        self.trace?.append(
            Transition(
                .link, from: before.rawValue, on: input.label, to: self.link?.state.rawValue ?? "",
                isAnswered: !actions.isEmpty))
        for action in actions { self.perform(action, in: &step) }
    }

    private mutating func perform(_ action: LinkStateMachine.Action, in step: inout Step) {
        switch action {
        case .open(let connection, let url): self.open(connection, url: url, in: &step)
        case .close(let connection): step.ask(.close(connection, code: 1000, reason: ""))
        case .transmit(let connection, let frame): step.ask(.transmit(connection, .binary(JSONWriter.write(frame))))
        case .poll(let url): self.poll(url, in: &step)
        case .post(let call): self.post(call, in: &step)
        case .cancelPoll: self.calls.cancelAll({ $0 == .poll || $0 == .outgoing }, in: &step)
        case .setTimer(let timer, let delay): step.ask(.setTimer(.link(timer), delay))
        case .cancelTimer(let timer): step.ask(.cancelTimer(.link(timer)))
        case .connected: self.feedChat(.linkConnected, in: &step)
        case .disturbed: self.emit(ChatEvent(.disconnected), in: &step)
        case .recovered: self.emit(ChatEvent(.reconnected), in: &step)
        case .event(let call): self.feedChat(.eventReceived(call), in: &step)
        case .unreadable(let message):
            self.emit(ClientEvents.unreadable("\(Excerpt.of(message.bytes)) over the socket"), in: &step)
        case .answered(let call, let isSuccess, let raw):
            self.feedChat(.callAnswered(call.meaning, isSuccess: isSuccess, raw: raw), in: &step)
        case .reset: self.feedChat(.linkReset, in: &step)
        case .ended(let end, let raw): self.feedChat(.linkEnded(end, raw: raw), in: &step)
        case .failed: self.feedChat(.linkFailed, in: &step)
        }
    }

    private mutating func open(_ connection: ConnectionID, url: String, in step: inout Step) {
        guard let address = WebAddress(webSocket: url) else {
            return self.feedLink(.openFailed(connection), in: &step)
        }
        let request = address.webSocket(headerFields: [
            .userAgent: ClientRequests.userAgent, .authorization: "Basic " + self.settings.key.authorization,
        ])
        step.ask(.open(connection, request, subprotocols: []))
    }

    // MARK: What others see

    /// Tells the script; nothing more once its scenario has ended.
    mutating func emit(_ event: ChatEvent, in step: inout Step) {
        if !self.isTornDown { step.ask(.emit(event)) }
    }

    var identity: JSONObject {
        var identity: JSONObject = [:]
        if !self.record.visitorID.isEmpty { identity["visitor_id"] = .string(self.record.visitorID) }
        if let key = self.record.chatKey { identity["chat_key"] = .string(key) }
        if let id = self.record.chatID { identity["chat_id"] = .string(id) }
        return identity
    }

    var properties: JSONObject { ClientProperties.read(self) }

    var screenLines: [ScreenLine] { ScreenModel(self)?.lines ?? [] }

    mutating func tearDown(in step: inout Step) {
        self.isTornDown = true
        if self.isSuspended { self.resume(in: &step) }
        // What only the script wanted to know is dropped; what ends the conversation on the server goes on.
        self.calls.cancelAll({ ![.createChat, .closedPing, .unattended].contains($0) }, in: &step)
        self.endSession(in: &step)
    }
}
