import JSON
import Machines

/// A chat from its connection data to its end.
///
/// | in | event | to | then |
/// |---|---|---|---|
/// | chatStarted | started | ossStarting | start link |
/// | idle, chatStarting, chatStarted | say, typing | – | keep for later |
/// | ossStarting, ossStarted | say, typing | – | hand to the link |
/// | any other | say | – | report −203: the chat has ended |
/// | any, suspended | say, typing | – | report that it is dropped |
/// | finished, error | typing, cancel | – | report −203 |
/// | finished | finish | – | report −203 |
/// | any other | typing | – | drop silently |
/// | ossStarting | link connected | ossStarted | report the first time, answer timer, send what was kept |
/// | ossStarting, finish wished before a reset | link connected | sendingVisitorMessagesBeforeFinishing | the same |
/// | chatStarting | finish | finishing | cancel `startChat`, call `finishChat` |
/// | idle, error | finish | finished | report |
/// | chatStarted, ossStarting | finish | finished; window: finishing | close link, report; window: `finishChat` |
/// | ossStarted | finish, messages unanswered | sendingVisitorMessagesBeforeFinishing | – |
/// | ossStarted | finish | finishing | call `finishChat` |
/// | sendingVisitorMessagesBeforeFinishing | last message answered or refused | finishing | call `finishChat` |
/// | finishing, finishingUpdateArrived | answer: success | finished | close link, report |
/// | finishing, finishingUpdateArrived | answer: failure | error | close link, −301 |
/// | ossStarted | operator's end (window: also the event `finishChat`) | finishingUpdateArrived | call `finishChat` |
/// | ossStarted, window | the same | – | report; messages that are unanswered do not hold up finish any more |
/// | sendingVisitorMessagesBeforeFinishing | operator's end | – (quirk; else finishingUpdateArrived) | – (call) |
/// | ossStarted, sendingVisitorMessagesBeforeFinishing | visitor's end | the same | the same |
/// | finishing | any end but the operator's, time-out, closed | finishingUpdateArrived | – |
/// | a live state | an end by nobody, time-out, closed | finishingUpdateArrived | call `finishChat`, reason timeout |
/// | a live state, chatStarting | cancel, answer timer | gettingUnavailableForm | close link, `getUnavailableForm` |
/// | gettingUnavailableForm | answer: success / failure | finished / error | report / −302 |
/// | a live state | link reset | chatStarting | call `startChat`; a wish to finish is kept |
/// | ossStarted, window | the event `startChat` | chatStarting | the same |
/// | chatStarting | answer: success / failure | ossStarting / error | start link / −300 |
/// | a live state | link failed | error | −303 |
/// | any | suspended / resumed | – | stop the answer timer / start it again while it counts |
///
/// Live states are chatStarted, ossStarting, ossStarted and sendingVisitorMessagesBeforeFinishing. The window is the
/// browser window (``Profile/html``); where it is not named, all clients do the same.
struct ChatStateMachine: Sendable {
    /// The states, with the vendor's names.
    enum State: String, CaseIterable, Sendable {
        case idle = "Idle"
        case error = "Error"
        case chatStarting = "ChatStarting"
        case chatStarted = "ChatStarted"
        case ossStarting = "OSSStarting"
        case ossStarted = "OSSStarted"
        case sendingVisitorMessagesBeforeFinishing = "SendingVisitorMessagesBeforeFinishing"
        case finishing = "Finishing"
        case finishingUpdateArrived = "FinishingUpdateArrived"
        case gettingUnavailableForm = "GettingUnavailableForm"
        case finished = "Finished"
    }

    /// What happens to a chat.
    enum Input: Hashable, Sendable {
        case started
        case say(VisitorMessage)
        case typing(Bool)
        case finishRequested
        case cancelRequested
        case answerTimerFired
        case linkConnected
        case callAnswered(OutgoingCall.Meaning, isSuccess: Bool, raw: JSONValue?)
        /// The link has no room for a call.
        case callRefused(OutgoingCall.Meaning)
        case eventReceived(OSSCall)
        case linkEnded(LinkStateMachine.End)
        case linkReset
        case linkFailed
        /// `startChat` was answered; nil if it failed.
        case startAnswered(ChatConnection?)
        case finishAnswered(isSuccess: Bool)
        case unavailableFormAnswered(isSuccess: Bool)
        case suspended
        case resumed
    }

    /// What is to be done.
    enum Action: Hashable, Sendable {
        case startLink(ChatConnection)
        case stopLink
        case say(VisitorMessage)
        case type(Bool)
        case call(RESTMethod)
        case cancelCall(RESTMethod)
        case setAnswerTimer(Duration)
        case cancelAnswerTimer
        case emit(ChatEvent)
        /// The chat is over; the post-chat form, if any, is in the answer of `finishChat`.
        case finished(EndReason, time: String?)
        case unavailable
        case failed(ErrorCode)
    }

    /// The present state.
    private(set) var state: State = .chatStarted
    private var connection: ChatConnection
    private let profile: Profile
    private let quirks: Quirks
    private var isSuspended = false
    /// Said before there was a link to hand it to.
    private var kept: [VisitorMessage] = []
    private var keptTyping: Bool?
    /// Handed to the link and not answered yet.
    private var unanswered: [VisitorMessage] = []
    private var hasReportedConnect = false
    /// Whether the visitor wished to finish when the server reset the chat.
    private var finishesAfterReset = false
    private var reason: EndReason = .visitor
    private var endTime: String?
    /// The browser window shows that the operator has ended the chat and waits for the visitor.
    private var isEndedByOperator = false
    /// What is known of the chat.
    private(set) var conversation: Conversation
    private var hasReportedAccept = false

    /// Messages kept for later; more are refused, defined here.
    static let keptLimit = 10_000

    /// Creates a chat that has its connection data and is not started.
    ///
    /// - Parameter conversation: What is known already, for a page that was loaded again.
    init(_ connection: ChatConnection, profile: Profile, quirks: Quirks, conversation: Conversation = Conversation()) {
        self.conversation = conversation
        self.hasReportedAccept = conversation.isAnswered
        self.connection = connection
        self.profile = profile
        self.quirks = quirks
    }

    /// The client's name for this visit.
    var clientID: String { self.connection.clientID }

    private var isLive: Bool {
        [.chatStarted, .ossStarting, .ossStarted, .sendingVisitorMessagesBeforeFinishing].contains(self.state)
    }

    /// Takes in what happened.
    ///
    /// - Parameter isLongPoll: Whether the link is a long poll, which does not report acceptance.
    mutating func handle(_ input: Input, isLongPoll: Bool = false) -> [Action] {
        switch input {
        case .started:
            guard self.state == .chatStarted else { return [] }
            return self.startLink()
        case .say(let message): return self.say(message)
        case .typing(let isTyping): return self.type(isTyping)
        case .finishRequested: return self.finishRequested()
        case .cancelRequested: return self.isOver ? [Self.tooLate("cancel_chat")] : self.cancel()
        case .answerTimerFired: return self.cancel()
        case .linkConnected: return self.connected()
        case .callAnswered(let meaning, let isSuccess, let raw): return self.answered(meaning, isSuccess, raw)
        case .callRefused(let meaning): return self.refused(meaning)
        case .eventReceived(let call): return self.received(call, isLongPoll: isLongPoll)
        case .linkEnded(let end): return self.linkEnded(end)
        case .linkReset:
            guard self.isLive else { return [] }
            // The vendor does not say what becomes of a wish to finish; that it outlives the reset is defined here.
            self.finishesAfterReset = self.state == .sendingVisitorMessagesBeforeFinishing
            self.state = .chatStarting
            self.kept = self.unanswered + self.kept
            self.unanswered = []
            return [.call(.startChat)]
        case .linkFailed: return self.isLive ? self.fail(.eventStreamFailed) : []
        case .startAnswered(let connection):
            guard self.state == .chatStarting else { return [] }
            guard let connection else { return self.fail(.chatStartFailed) }
            self.connection = connection
            return self.startLink()
        case .finishAnswered(let isSuccess):
            guard self.state == .finishing || self.state == .finishingUpdateArrived else { return [] }
            guard isSuccess else { return self.fail(.chatFinishFailed) }
            self.state = .finished
            return [.stopLink, .finished(self.reason, time: self.endTime)]
        case .unavailableFormAnswered(let isSuccess):
            guard self.state == .gettingUnavailableForm else { return [] }
            guard isSuccess else { return self.fail(.unavailableFormFailed) }
            self.state = .finished
            return [.unavailable]
        case .suspended:
            self.isSuspended = true
            return [.cancelAnswerTimer]
        case .resumed:
            self.isSuspended = false
            return self.state == .ossStarted && !self.conversation.hasOperatorMessage ? self.answerTimer() : []
        }
    }

    // MARK: Commands

    private mutating func say(_ message: VisitorMessage) -> [Action] {
        guard !self.isSuspended else { return [Self.inBackground("say")] }
        switch self.state {
        case .idle, .chatStarting, .chatStarted:
            guard self.kept.count < Self.keptLimit else { return [Self.full("say")] }
            self.kept.append(message)
            return []
        case .ossStarting, .ossStarted:
            guard self.unanswered.count < Self.keptLimit else { return [Self.full("say")] }
            self.unanswered.append(message)
            return [.say(message)]
        default:
            return [Self.tooLate("say")]
        }
    }

    /// Whether nothing more comes of this chat.
    private var isOver: Bool { self.state == .finished || self.state == .error }

    /// What becomes of a call that comes too late: the vendor's engine drops it without a word, but a scenario must
    /// hear that nothing answers it.
    private static func tooLate(_ operation: String) -> Action {
        .emit(ClientEvents.error(.wrongState, .session, operation: operation))
    }

    /// What becomes of a call of a client in the background, which the vendor's engine drops without a word.
    private static func inBackground(_ operation: String) -> Action {
        let reason = "the client is in the background, where it sends nothing; resume() first"
        return .emit(ChatEvent(.callIgnored, ["call": .string(operation), "message": .string(reason)]))
    }

    /// What becomes of a call for which there is no room.
    private static func full(_ operation: String) -> Action {
        let message = "too many calls wait for the server; expect the answers to the former ones first"
        return .emit(ClientEvents.error(.unknown, .chat, operation: operation, message: message))
    }

    private mutating func type(_ isTyping: Bool) -> [Action] {
        guard !self.isSuspended else { return [Self.inBackground("typing")] }
        switch self.state {
        case .idle, .chatStarting, .chatStarted:
            self.keptTyping = isTyping
            return []
        case .ossStarting, .ossStarted: return [.type(isTyping)]
        default: return self.isOver ? [Self.tooLate("typing")] : []
        }
    }

    private mutating func finishRequested() -> [Action] {
        if self.isLive, !self.isEndedByOperator { self.reason = .visitor }
        switch self.state {
        case .chatStarting:
            self.state = .finishing
            return [.cancelCall(.startChat), .cancelAnswerTimer, .call(.finishChat)]
        case .chatStarted, .ossStarting:
            guard !self.profile.finishesBeforeConnect else { return self.finishOnServer(.finishing) }
            self.state = .finished
            return [.stopLink, .cancelAnswerTimer, .finished(.visitor, time: nil)]
        case .idle, .error:
            self.state = .finished
            return [.finished(.visitor, time: nil)]
        case .ossStarted:
            guard self.unanswered.isEmpty || self.isEndedByOperator else {
                self.state = .sendingVisitorMessagesBeforeFinishing
                return [.cancelAnswerTimer]
            }
            return self.finishOnServer(.finishing)
        case .finished: return [Self.tooLate("finish")]
        default: return []
        }
    }

    private mutating func finishOnServer(_ state: State) -> [Action] {
        self.state = state
        return [.cancelAnswerTimer, .call(.finishChat)]
    }

    private mutating func cancel() -> [Action] {
        guard self.isLive || self.state == .chatStarting else { return [] }
        self.state = .gettingUnavailableForm
        return [.cancelAnswerTimer, .cancelCall(.startChat), .stopLink, .call(.getUnavailableForm)]
    }

    // MARK: Link

    private mutating func startLink() -> [Action] {
        self.state = .ossStarting
        return [.startLink(self.connection)]
    }

    private mutating func connected() -> [Action] {
        guard self.state == .ossStarting else { return [] }
        self.state = .ossStarted
        var actions: [Action] = []
        if !self.hasReportedConnect {
            self.hasReportedConnect = true
            actions.append(.emit(ChatEvent(.connected)))
        }
        if !self.conversation.hasOperatorMessage { actions += self.answerTimer() }
        if let typing = self.keptTyping { actions.append(.type(typing)) }
        self.keptTyping = nil
        actions += self.kept.map { .say($0) }
        self.unanswered += self.kept
        self.kept = []
        if self.finishesAfterReset {
            self.finishesAfterReset = false
            actions += self.finishRequested()
        }
        return actions
    }

    private func answerTimer() -> [Action] {
        guard let timeout = self.connection.answerTimeout, !self.isSuspended else { return [] }
        return [.setAnswerTimer(timeout)]
    }

    private mutating func answered(
        _ meaning: OutgoingCall.Meaning, _ isSuccess: Bool, _ raw: JSONValue?
    ) -> [Action] {
        switch meaning {
        case .connect: return []
        case .other(let method):
            return isSuccess ? [] : [.emit(ClientEvents.refused(raw, operation: method))]
        case .typing(let isTyping):
            let sent = ChatEvent(.typingSent, ["active": .bool(isTyping)], raw: raw)
            return [.emit(isSuccess ? sent : ClientEvents.refused(raw, operation: "typing"))]
        case .message(let message):
            let fields: JSONObject = ["id": .string(message.id), "text": .string(message.text)]
            let event =
                isSuccess
                ? ChatEvent(.messageSent, fields, raw: raw)
                : ClientEvents.refused(raw, operation: "say")
            return [.emit(event)] + self.settle(message)
        }
    }

    private mutating func refused(_ meaning: OutgoingCall.Meaning) -> [Action] {
        switch meaning {
        case .connect: []
        case .other(let method): [Self.full(method)]
        case .typing: [Self.full("typing")]
        case .message(let message): [Self.full("say")] + self.settle(message)
        }
    }

    /// Stops waiting for a message; whoever wished to finish waited for the last one.
    private mutating func settle(_ message: VisitorMessage) -> [Action] {
        self.unanswered.removeAll { $0.id == message.id }
        guard self.state == .sendingVisitorMessagesBeforeFinishing, self.unanswered.isEmpty else { return [] }
        return self.finishOnServer(.finishing)
    }

    private mutating func linkEnded(_ end: LinkStateMachine.End) -> [Action] {
        switch end {
        case .reported(.operator, let time):
            self.endTime = time
            switch self.state {
            case .ossStarted:
                self.reason = .operator
                return self.finishAfterOperator()
            case .sendingVisitorMessagesBeforeFinishing where !self.quirks.contains(.endWhileSendingHangs):
                self.reason = .operator
                return self.finishOnServer(.finishingUpdateArrived)
            default:
                self.reason = .operator
                return []
            }
        case .reported(.visitor, let time):
            self.endTime = time
            switch self.state {
            case .finishing:
                self.state = .finishingUpdateArrived
                return []
            case .ossStarted where !self.quirks.contains(.foreignVisitorEndIgnored),
                .sendingVisitorMessagesBeforeFinishing where !self.quirks.contains(.foreignVisitorEndIgnored):
                self.reason = .visitor
                return self.finishOnServer(.finishingUpdateArrived)
            default: return []
            }
        case .reported(_, let time):
            self.endTime = time
            return self.timedOut()
        case .timeout, .closed: return self.timedOut()
        }
    }

    /// The iOS engine finishes by itself; the browser window waits until the visitor confirms.
    private mutating func finishAfterOperator() -> [Action] {
        guard !self.profile.finishesAfterOperator else { return self.finishOnServer(.finishingUpdateArrived) }
        self.isEndedByOperator = true
        return [.cancelAnswerTimer, .emit(ChatEvent(.chatEnded, ["reason": "operator"]))]
    }

    private mutating func timedOut() -> [Action] {
        switch self.state {
        case .finishing:
            self.state = .finishingUpdateArrived
            return []
        case _ where self.isLive:
            self.reason = .timeout
            return self.finishOnServer(.finishingUpdateArrived)
        default: return []
        }
    }

    private mutating func fail(_ code: ErrorCode) -> [Action] {
        self.state = .error
        return [.cancelAnswerTimer, .stopLink, .failed(code)]
    }

    // MARK: Events

    private mutating func received(_ call: OSSCall, isLongPoll: Bool) -> [Action] {
        guard self.isLive || self.state == .finishing || self.state == .finishingUpdateArrived else { return [] }
        if !self.profile.finishesAfterOperator, self.state == .ossStarted {
            // Two events that only the browser window knows.
            if call.method == "finishChat", !self.isEndedByOperator {
                self.reason = .operator
                return self.finishAfterOperator()
            }
            if call.method == "startChat" { return self.handle(.linkReset) }
        }
        var actions: [Action] = []
        if call.method == "updateChat", let values = call.params["Values"]?.object, values.text("Answered") != nil {
            actions += self.accepted(call, isLongPoll: isLongPoll)
        }
        let hadOperatorMessage = self.conversation.hasOperatorMessage
        actions += self.conversation.receive(call, profile: self.profile).map { .emit($0) }
        if !hadOperatorMessage, self.conversation.hasOperatorMessage { actions.append(.cancelAnswerTimer) }
        return actions
    }

    private mutating func accepted(_ call: OSSCall, isLongPoll: Bool) -> [Action] {
        guard !(isLongPoll && self.quirks.contains(.longPollNeverAccepts)) else { return [] }
        let timer: [Action] = self.profile.acceptStopsAnswerTimer ? [.cancelAnswerTimer] : []
        self.conversation.isAnswered = true
        guard !self.hasReportedAccept, !self.conversation.hasOperatorMessage else { return timer }
        self.hasReportedAccept = true
        return timer + [.emit(ChatEvent(.accepted, raw: call.raw))]
    }

    /// The id of the last message seen, for `startChat`; zero if there was none.
    var lastChatMessageID: Int64 { self.conversation.lastMessageID }
}
