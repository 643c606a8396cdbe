import JSON
import Machines

/// The calls that the client makes, and where their answers go.
extension BoldChatClient {
    /// Starts a call of a REST method.
    @discardableResult
    mutating func call(
        _ purpose: CallPurpose, _ method: RESTMethod, _ parameters: [(String, String)], in step: inout Step
    ) -> UInt64 {
        let limit = purpose == .createChat ? self.settings.profile.creationLimit : .seconds(30)
        let request = ClientRequests.call(
            method.rawValue, parameters, to: self.settings.origin, key: self.settings.key)
        return self.calls.start(purpose, request, limit: limit, in: &step)
    }

    /// Starts a call that the chat asks for.
    mutating func callForChat(_ method: RESTMethod, in step: inout Step) {
        var parameters = [("ChatKey", self.record.chatKey ?? "")]
        switch method {
        case .startChat:
            parameters.append(("LastChatMessageID", String(self.chat?.lastChatMessageID ?? 0)))
        default: parameters.append(("ClientID", self.chat?.clientID ?? ""))
        }
        self.call(Self.purpose(of: method), method, parameters, in: &step)
    }

    /// What a call of the chat is for.
    static func purpose(of method: RESTMethod) -> CallPurpose {
        switch method {
        case .startChat: .startChat
        case .finishChat: .finishChat
        case .getUnavailableForm: .getUnavailableForm
        default: .unattended
        }
    }

    /// Starts a poll of the event stream.
    mutating func poll(_ url: String, in step: inout Step) {
        guard let address = WebAddress(webSocket: url) else {
            return self.feedLink(.pollFailed, in: &step)
        }
        let request = ClientRequests.poll(
            address, key: self.settings.key, usingGet: self.settings.profile.pollsWithGet)
        _ = self.calls.start(.poll, request, limit: nil, in: &step)
    }

    /// Sends a call of the event stream over REST.
    mutating func post(_ call: OutgoingCall, in step: inout Step) {
        let request = ClientRequests.call(
            call.method, ClientRequests.pairs(call.params), to: self.settings.origin, key: self.settings.key)
        _ = self.calls.start(.outgoing, request, limit: .seconds(30), in: &step)
    }

    /// Returns the call that sends a message.
    func outgoing(_ message: VisitorMessage) -> OutgoingCall {
        let params: JSONObject = [
            "ChatKey": .string(self.record.chatKey ?? ""), "ChatMessageID": .string(message.id),
            "Message": .string(message.text),
        ]
        return OutgoingCall(.message(message), method: .sendMessage, params: params)
    }

    /// Returns the call that tells whether the visitor types.
    func outgoing(_ isTyping: Bool) -> OutgoingCall {
        let params: JSONObject = [
            "ChatKey": .string(self.record.chatKey ?? ""), "IsTyping": .string(isTyping ? "true" : "false"),
        ]
        return OutgoingCall(.typing(isTyping), method: .visitorTyping, params: params)
    }

    /// Gives the outcome of a call to the part that waits for it.
    mutating func ended(_ ended: (purpose: CallPurpose, outcome: CallOutcome), in step: inout Step) {
        let outcome = ended.outcome
        switch ended.purpose {
        case .createChat: self.creationEnded(outcome, in: &step)
        case .submitPreChat: self.preChatEnded(outcome, in: &step)
        case .submitPostChat: self.submitEnded(.postChat, outcome, in: &step)
        case .submitUnavailable: self.submitEnded(.unavailable, outcome, in: &step)
        case .startChat:
            let answer = outcome.success
            self.feedChat(.startAnswered(answer.map { ChatConnection($0.members) }), in: &step)
        case .finishChat:
            if let answer = outcome.success { self.keepForm(.postChat, answer.form("PostChat", kind: .postChat)) }
            self.lastAnswer = outcome.answer?.body
            self.feedChat(.finishAnswered(isSuccess: outcome.success != nil), in: &step)
        case .getUnavailableForm:
            if let answer = outcome.success {
                self.keepForm(.unavailable, answer.form("UnavailableForm", kind: .unavailable))
                let reason = self.settings.profile.updatesMessages ? answer.unavailableReason : nil
                self.record.unavailableReason = reason ?? .unknown
                self.record.unavailableMessage = nil
            }
            self.lastAnswer = outcome.answer?.body
            self.feedChat(.unavailableFormAnswered(isSuccess: outcome.success != nil), in: &step)
        case .emailHistory: self.historyEnded(outcome, in: &step)
        case .changeLanguage(let language): self.languageEnded(language, outcome, in: &step)
        case .ping: self.pingEnded(outcome, in: &step)
        case .availability(let query): self.availabilityEnded(query, outcome, in: &step)
        case .poll: self.polled(outcome, in: &step)
        case .outgoing: self.feedLink(.postEnded(outcome.answer.map { OSSAnswer($0) }), in: &step)
        case .inquiry(let operation): self.inquiryEnded(operation, outcome, in: &step)
        case .resolveKey: self.keyResolved(outcome, in: &step)
        case .resumeChat: self.resumed(outcome, in: &step)
        case .file(let number, let stage): self.fileEnded(number, stage, outcome, in: &step)
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

    /// Keeps a form with the presets of the application filled in.
    mutating func keepForm(_ kind: FormKind, _ form: Form?) {
        var form = form
        if self.settings.profile.showsOnlyKnownFields {
            form?.fields.removeAll { !$0.isKnownType }
        } else {
            for index in form?.fields.indices ?? 0..<0 where form?.fields[index].type == .label {
                form?.fields[index].type = .text
            }
        }
        form?.preset(self.creation.external)
        self.record[kind] = form
    }
}

extension CallOutcome {
    /// The answer, if the server reports success.
    var success: RESTAnswer? {
        guard case .answered(let answer) = self, answer.isSuccess else { return nil }
        return answer
    }

    /// The answer, success or not.
    var answer: RESTAnswer? {
        if case .answered(let answer) = self { answer } else { nil }
    }

    /// What went wrong, if something did.
    var errorCode: ErrorCode {
        switch self {
        case .answered(let answer): ErrorCode(message: answer.message)
        case .failed(let code, _): code
        }
    }

    /// What the server said about it, or what is known of the failure.
    var message: String? {
        switch self {
        case .answered(let answer): answer.message
        case .failed(_, let detail): detail
        }
    }
}
