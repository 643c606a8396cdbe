/// The states and rules of a chat session, without its data.
///
/// | in | event | to | then |
/// |---|---|---|---|
/// | idle, finished | create | creatingChat | send |
/// | creatingChat | answer: unavailable with form | unavailableForm | report |
/// | creatingChat | answer: unavailable without form | finished | report, ping closed, end |
/// | creatingChat | answer: pre-chat | preChatForm | report |
/// | creatingChat | answer: started | chatting | start chat |
/// | creatingChat | failure, cancel | idle | report, – |
/// | a form's state | submit, valid | sending that form | send |
/// | a form's state | submit, not valid | – | reject −204 |
/// | sending that form | submit | – | ignore |
/// | any other | submit | – | reject −203 |
/// | sendingPreChatInfo | answer: unavailable with / without form | unavailableForm / finished | report |
/// | sendingPreChatInfo | success | chatting | start chat |
/// | sendingPreChatInfo, sendingPostChatInfo | answer: the next page of the form | that form's state | report |
/// | sendingPostChatInfo, sendingUnavailableInfo | success | finished | report, ping closed, end |
/// | sending a form | failure, cancel | that form's state | report, – |
/// | chatting | chat finished with / without post-chat | postChatForm / finished | report |
/// | chatting | chat unavailable with / without form | unavailableForm / finished | report |
/// | chatting | chat error | – (quirk; else finished) | report |
/// | any | transcript refused | postChatForm (quirk; else –) | report |
/// | idle, finished | finish session | finished | – |
/// | any other | finish session | finished | cancel calls, finish chat if chatting, ping closed |
///
/// Answers in a state that does not wait for them are ignored: they raced with a cancel.
struct SessionStateMachine: Sendable {
    /// The states, with the vendor's names.
    enum State: String, CaseIterable, Sendable {
        case idle = "Idle"
        case creatingChat = "CreatingChat"
        case preChatForm = "PreChatForm"
        case sendingPreChatInfo = "SendingPreChatInfo"
        case chatting = "Chatting"
        case postChatForm = "PostChatForm"
        case sendingPostChatInfo = "SendingPostChatInfo"
        case unavailableForm = "UnavailableForm"
        case sendingUnavailableInfo = "SendingUnavailableInfo"
        case finished = "Finished"
    }

    /// What a call that leads the session on answered.
    enum Answer: CaseIterable, Sendable {
        case unavailableWithForm, unavailable, preChat, postChat, success, failure
    }

    /// What happens to a session.
    enum Input: Hashable, Sendable {
        case createRequested
        case creationAnswered(Answer)
        case creationCanceled
        case submitRequested(FormKind, isValid: Bool)
        case submitAnswered(FormKind, Answer)
        case submitCanceled(FormKind)
        case chatFinished(hasPostChat: Bool)
        case chatUnavailable(hasForm: Bool)
        case chatFailed
        case historyFailed
        case finishRequested
    }

    /// What is to be done about it, at most one per axis.
    struct Output: Hashable, Sendable {
        /// What becomes of the request or answer itself.
        enum Verdict: Hashable, Sendable {
            /// Nothing happens, nobody is told.
            case ignore
            /// The call is sent.
            case send
            /// The script is told what was answered.
            case report
            /// The script is told that the call is not possible now (−203).
            case wrongState
            /// The script is told which fields are wrong (−204).
            case invalidForm
        }

        var verdict: Verdict
        var startsChat = false
        /// The server is told that the session is closed.
        var closes = false
        /// The script is told that the conversation has ended.
        var ends = false
        var finishesChat = false

        fileprivate static let ignore = Output(verdict: .ignore)
        fileprivate static let report = Output(verdict: .report)
        fileprivate static let over = Output(verdict: .report, closes: true, ends: true)
    }

    /// The present state.
    private(set) var state: State = .idle
    private let historyFailureMovesState: Bool
    private let chatErrorKeepsSession: Bool

    /// Creates a session that has no chat.
    init(quirks: Quirks = .vendor) {
        self.historyFailureMovesState = quirks.contains(.historyFailureMovesState)
        self.chatErrorKeepsSession = quirks.contains(.chatErrorKeepsSession)
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> Output {
        switch input {
        case .createRequested:
            guard self.state == .idle || self.state == .finished else { return .ignore }
            return self.move(to: .creatingChat, Output(verdict: .send))
        case .creationAnswered(let answer):
            guard self.state == .creatingChat else { return .ignore }
            return self.answered(answer, onFailure: .idle)
        case .creationCanceled:
            guard self.state == .creatingChat else { return .ignore }
            return self.move(to: .idle, .ignore)
        case .submitRequested(let form, let isValid): return self.submitRequested(form, isValid: isValid)
        case .submitAnswered(let form, let answer):
            guard self.state == Self.sending(form) else { return .ignore }
            if answer == .success, form != .preChat { return self.move(to: .finished, .over) }
            return self.answered(answer, onFailure: Self.showing(form))
        case .submitCanceled(let form):
            guard self.state == Self.sending(form) else { return .ignore }
            return self.move(to: Self.showing(form), .ignore)
        case .chatFinished(let hasPostChat):
            guard self.state == .chatting else { return .ignore }
            return hasPostChat ? self.move(to: .postChatForm, .report) : self.move(to: .finished, .over)
        case .chatUnavailable(let hasForm):
            guard self.state == .chatting else { return .ignore }
            return hasForm ? self.move(to: .unavailableForm, .report) : self.move(to: .finished, .over)
        case .chatFailed:
            guard self.state == .chatting else { return .ignore }
            return self.chatErrorKeepsSession ? .report : self.move(to: .finished, .over)
        case .historyFailed:
            return self.historyFailureMovesState ? self.move(to: .postChatForm, .report) : .report
        case .finishRequested:
            let wasChatting = self.state == .chatting
            let isNew = self.state == .idle || self.state == .finished
            return self.move(
                to: .finished,
                Output(verdict: isNew ? .ignore : .send, closes: !isNew, finishesChat: wasChatting))
        }
    }

    private mutating func move(to state: State, _ output: Output) -> Output {
        self.state = state
        return output
    }

    private mutating func answered(_ answer: Answer, onFailure failed: State) -> Output {
        switch answer {
        case .unavailableWithForm: self.move(to: .unavailableForm, .report)
        case .unavailable: self.move(to: .finished, .over)
        case .preChat: self.move(to: .preChatForm, .report)
        case .postChat: self.move(to: .postChatForm, .report)
        case .success: self.move(to: .chatting, Output(verdict: .report, startsChat: true))
        case .failure: self.move(to: failed, .report)
        }
    }

    private mutating func submitRequested(_ form: FormKind, isValid: Bool) -> Output {
        if self.state == Self.sending(form) { return .ignore }
        guard self.state == Self.showing(form) else { return Output(verdict: .wrongState) }
        guard isValid else { return Output(verdict: .invalidForm) }
        return self.move(to: Self.sending(form), Output(verdict: .send))
    }

    private static func showing(_ form: FormKind) -> State {
        switch form {
        case .preChat: .preChatForm
        case .postChat: .postChatForm
        case .unavailable: .unavailableForm
        }
    }

    private static func sending(_ form: FormKind) -> State {
        switch form {
        case .preChat: .sendingPreChatInfo
        case .postChat: .sendingPostChatInfo
        case .unavailable: .sendingUnavailableInfo
        }
    }
}
