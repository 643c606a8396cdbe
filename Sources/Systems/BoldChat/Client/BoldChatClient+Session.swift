import JSON
import Machines

/// The session: creation, forms, the end of the chat.
extension BoldChatClient {
    // MARK: Creation

    /// Begins a chat session.
    mutating func create(_ options: CreationOptions, in step: inout Step) -> CommandOutcome {
        if let email = options.external["email"], !self.settings.profile.rules.isEmail(email) {
            self.fail(.invalidEmail, .account, operation: "create_chat", in: &step)
            return .done(.null)
        }
        if let phone = options.external["phone"], !self.settings.profile.rules.isPhone(phone) {
            self.fail(.invalidPhone, .account, operation: "create_chat", in: &step)
            return .done(.null)
        }
        guard self.feedSession(.createRequested).verdict == .send else {
            return .refused(
                "a chat session is under way (\(self.session.state.rawValue)); end it with end_session() first")
        }
        self.creation = options
        self.record = SessionRecord()
        self.screen = ScreenState()
        self.record.language = options.language
        self.record.visitorID = options.visitorID
        self.chat = nil
        var parameters = [
            ("VisitorID", options.visitorID), ("Language", options.language), ("IncludeBrandingValues", "true"),
            ("IncludeLayeredBrandingValues", "true"), ("SkipPreChat", options.skipsPreChat ? "true" : "false"),
            ("IncludeChatWindowSettings", "true"),
        ]
        if let secured = options.secured { parameters.append(("Secured", secured)) }
        if let url = options.customURL { parameters.append(("CustomUrl", url)) }
        if !options.external.isEmpty {
            let values = options.external.sorted { $0.key < $1.key }
            parameters.append(("Data", ClientRequests.data(values.map { (key: $0.key, value: $0.value) })))
        }
        return .done(.integer(Int64(self.call(.createChat, .createChat, parameters, in: &step))))
    }

    /// Takes in the answer of `createChat`.
    mutating func creationEnded(_ outcome: CallOutcome, in step: inout Step) {
        guard !self.isTornDown else {
            // The scenario ended while the account was creating the chat; it must not stay behind.
            guard let key = outcome.success?.members.text("ChatKey") else { return }
            self.call(.unattended, .pingChat, [("ChatKey", key), ("Closed", "true")], in: &step)
            return
        }
        guard let answer = outcome.success else {
            _ = self.feedSession(.creationAnswered(.failure))
            self.screen.error = outcome.message ?? outcome.errorCode.summary
            return self.fail(outcome, .account, operation: "create_chat", in: &step)
        }
        let members = answer.members
        self.record.chatID = members.text("ChatID")
        self.record.chatKey = members.text("ChatKey")
        self.record.visitorID = members.text("VisitorID") ?? self.record.visitorID
        self.record.language = members.text("Language") ?? self.record.language
        self.record.branding = answer.brandings ?? [:]
        self.record.windowSettings = members["ChatWindowSettings"]?.object ?? [:]
        var created: JSONObject = self.identity
        created["language"] = .string(self.record.language)
        self.emit(ChatEvent(.sessionCreated, created, raw: answer.body), in: &step)
        self.startPinging(in: &step)
        if answer.unavailableReason != nil {
            let result = self.unavailable(answer)
            self.apply(self.feedSession(.creationAnswered(result)), answer, in: &step)
        } else if let form = answer.form("PreChat", kind: .preChat) {
            self.keepForm(.preChat, form)
            _ = self.feedSession(.creationAnswered(.preChat))
            self.emitForm(.preChat, .preChat, raw: answer.body, in: &step)
        } else {
            _ = self.feedSession(.creationAnswered(.success))
            self.startChat(answer, afterPreChat: false, in: &step)
        }
    }

    // MARK: Forms

    /// Checks a form's values and sends them.
    mutating func submit(_ kind: FormKind, _ values: [String: String], in step: inout Step) -> CommandOutcome {
        let form = self.record[kind] ?? Form(kind: kind, fields: [])
        if kind == .unavailable, self.session.state == .unavailableForm, self.settings.profile.closesOnEmptyMail,
            form.completed(with: values).count < form.fields.count
        {
            // The browser window sends a whole message or none.
            self.endSession(in: &step)
            self.emit(ChatEvent(.ended, ["reason": "unavailable"]), in: &step)
            return .done(.null)
        }
        let faults = self.settings.profile.rules.faults(in: form, values: values)
        switch self.feedSession(.submitRequested(kind, isValid: faults.isEmpty)).verdict {
        case .wrongState:
            self.fail(.wrongState, .session, operation: kind.submitCommand, in: &step)
            return .done(.null)
        case .invalidForm:
            self.emit(ClientEvents.invalidForm(kind, faults), in: &step)
            return .done(.null)
        case .send: break
        case .ignore, .report: return .done(.null)
        }
        let completed = form.completed(with: values)
        self.record.sent[kind] = completed
        var parameters = [("ChatKey", self.record.chatKey ?? "")]
        let number: UInt64
        switch kind {
        case .preChat:
            self.record.departmentID = completed.first { $0.key == "department" }?.value
            parameters.append(("Data", ClientRequests.data(completed)))
            number = self.call(.submitPreChat, .submitPreChat, parameters, in: &step)
        case .postChat:
            parameters.append(("Data", ClientRequests.data(completed)))
            number = self.call(.submitPostChat, .submitPostChat, parameters, in: &step)
        case .unavailable:
            let names = [("email", "From"), ("subject", "Subject"), ("body", "Body")]
            for (key, name) in names {
                if let value = completed.first(where: { $0.key == key })?.value { parameters.append((name, value)) }
            }
            number = self.call(.submitUnavailable, .submitUnavailableEmail, parameters, in: &step)
        }
        return .done(.integer(Int64(number)))
    }

    /// Takes in the answer of `submitPreChat`.
    mutating func preChatEnded(_ outcome: CallOutcome, in step: inout Step) {
        guard let answer = outcome.success else {
            guard self.feedSession(.submitAnswered(.preChat, .failure)).verdict != .ignore else { return }
            return self.fail(outcome, .session, operation: "submit_pre_chat", in: &step)
        }
        if answer.unavailableReason != nil {
            let result = self.unavailable(answer)
            let decision = self.feedSession(.submitAnswered(.preChat, result))
            if decision.verdict != .ignore { self.apply(decision, answer, in: &step) }
        } else if self.settings.profile == .html, let form = answer.form("PreChat", kind: .preChat) {
            guard self.feedSession(.submitAnswered(.preChat, .preChat)).verdict != .ignore else { return }
            self.keepForm(.preChat, form)
            self.emitForm(.preChat, .preChat, raw: answer.body, in: &step)
        } else if self.feedSession(.submitAnswered(.preChat, .success)).startsChat {
            self.startChat(answer, afterPreChat: true, in: &step)
        }
    }

    /// Takes in the answer of `submitPostChat` or `submitUnavailableEmail`.
    mutating func submitEnded(_ kind: FormKind, _ outcome: CallOutcome, in step: inout Step) {
        guard let answer = outcome.success else {
            guard self.feedSession(.submitAnswered(kind, .failure)).verdict != .ignore else { return }
            return self.fail(outcome, .session, operation: kind.submitCommand, in: &step)
        }
        if kind == .postChat, self.settings.profile == .html, let form = answer.form("PostChat", kind: .postChat) {
            guard self.feedSession(.submitAnswered(.postChat, .postChat)).verdict != .ignore else { return }
            self.keepForm(.postChat, form)
            return self.emitForm(.postChat, .postChat, self.endFields, raw: answer.body, in: &step)
        }
        let decision = self.feedSession(.submitAnswered(kind, .success))
        guard decision.verdict != .ignore else { return }
        self.emit(ChatEvent(.formSubmitted, ["form": .string(kind.rawValue)], raw: answer.body), in: &step)
        self.conclude(decision, in: &step)
    }

    // MARK: Chat

    private mutating func startChat(_ answer: RESTAnswer, afterPreChat: Bool, in step: inout Step) {
        let chat = ChatStateMachine(
            ChatConnection(answer.members), profile: self.settings.profile, quirks: self.settings.quirks)
        self.chat = chat
        let fields = self.identity.merging(["after_pre_chat": .bool(afterPreChat)])
        self.emit(ChatEvent(.chatStarted, fields, raw: answer.body), in: &step)
        self.feedChat(.started, in: &step)
    }

    /// Takes in that the chat is over; the session goes on with the post-chat form, if there is one.
    ///
    /// - Parameter time: When, as the server says; the client's own time if the server said nothing.
    mutating func chatFinished(_ reason: EndReason, time: String?, in step: inout Step) {
        let time = time ?? self.time(at: step.now)
        self.record.chatEnd = (reason, time)
        if !self.settings.quirks.contains(.endReasonUnassigned) { self.record.endReason = reason }
        let raw = self.takeLastAnswer()
        let decision = self.feedSession(.chatFinished(hasPostChat: self.record[.postChat] != nil))
        guard decision.verdict == .report else { return }
        guard decision.ends else {
            return self.emitForm(.postChat, .postChat, self.endFields, raw: raw, in: &step)
        }
        self.conclude(decision, raw: raw, in: &step)
    }

    /// Why and when the chat ended, as events say it.
    private var endFields: JSONObject {
        var fields: JSONObject = ["reason": .string((self.record.chatEnd?.reason ?? .undefined).rawValue)]
        if let time = self.record.chatEnd?.time { fields["time"] = .string(time) }
        return fields
    }

    private func time(at now: Instant) -> String {
        Timestamp.text(epochMilliseconds: self.settings.epochMilliseconds &+ now.nanoseconds / 1_000_000)
    }

    /// Takes in that the visitor left the queue.
    mutating func chatUnavailable(in step: inout Step) {
        let raw = self.takeLastAnswer()
        let decision = self.feedSession(.chatUnavailable(hasForm: self.record[.unavailable] != nil))
        guard decision.verdict == .report else { return }
        self.emitUnavailable(raw: raw, in: &step)
        self.conclude(decision, in: &step)
    }

    /// Takes in that the chat has failed.
    mutating func chatFailed(_ code: ErrorCode, in step: inout Step) {
        let raw = self.takeLastAnswer()
        let operation: String
        switch code {
        case .chatStartFailed: operation = "start_chat"
        case .chatFinishFailed: operation = "finish"
        case .unavailableFormFailed: operation = "cancel_chat"
        default: operation = "connect"
        }
        self.screen.error = code.summary
        let decision = self.feedSession(.chatFailed)
        self.emit(ClientEvents.error(code, .chat, operation: operation, raw: raw), in: &step)
        self.conclude(decision, in: &step)
    }

    // MARK: Reporting

    private mutating func takeLastAnswer() -> JSONValue? {
        defer { self.lastAnswer = nil }
        return self.lastAnswer
    }

    /// Keeps why no chat is possible, and the form for it.
    private mutating func unavailable(_ answer: RESTAnswer) -> SessionStateMachine.Answer {
        self.record.unavailableReason = answer.unavailableReason
        self.record.unavailableMessage = answer.message
        self.keepForm(.unavailable, answer.form("UnavailableForm", kind: .unavailable))
        return self.record[.unavailable] == nil ? .unavailable : .unavailableWithForm
    }

    private mutating func apply(
        _ decision: SessionStateMachine.Decision, _ answer: RESTAnswer, in step: inout Step
    ) {
        self.emitUnavailable(raw: answer.body, in: &step)
        self.conclude(decision, in: &step)
    }

    private mutating func emitUnavailable(raw: JSONValue?, in step: inout Step) {
        var fields: JSONObject = ["reason": .string((self.record.unavailableReason ?? .unknown).rawValue)]
        if let message = self.record.unavailableMessage { fields["message"] = .string(message) }
        if let form = self.record[.unavailable] { fields["form"] = form.scriptValue(branding: self.record.branding) }
        self.emit(ChatEvent(.unavailable, fields, raw: raw), in: &step)
    }

    private mutating func emitForm(
        _ kind: FormKind, _ event: EventKind, _ extra: JSONObject = [:], raw: JSONValue?, in step: inout Step
    ) {
        var fields = extra
        if let form = self.record[kind] { fields["form"] = form.scriptValue(branding: self.record.branding) }
        self.emit(ChatEvent(event, fields, raw: raw), in: &step)
    }

    /// Does what is due when a session ends by itself.
    mutating func conclude(
        _ decision: SessionStateMachine.Decision, raw: JSONValue? = nil, in step: inout Step
    ) {
        if decision.ends {
            var fields: JSONObject = [:]
            if let end = self.record.chatEnd {
                fields["reason"] = .string(end.reason.rawValue)
                if let time = end.time { fields["time"] = .string(time) }
            } else {
                fields["reason"] = self.record.unavailableReason == nil ? "error" : "unavailable"
            }
            self.emit(ChatEvent(.ended, fields, raw: raw), in: &step)
        }
        if decision.closes { self.stopPinging(sayingClosed: true, in: &step) }
    }

    /// Ends the session at once; the vendor's client reports nothing more of it.
    mutating func endSession(in step: inout Step) {
        let wasInPreChat = self.session.state == .preChatForm
        let decision = self.feedSession(.finishRequested)
        guard decision.verdict == .send else { return }
        self.screen.error = nil
        // A chat that is being created must be known to be closed, and what closes one must arrive.
        let kept: [CallPurpose] =
            self.isTornDown ? [.createChat, .closedPing, .unattended] : [.closedPing, .unattended]
        self.calls.cancelAll({ !kept.contains($0) }, in: &step)
        if self.settings.profile == .html, wasInPreChat, let key = self.record.chatKey {
            self.call(.unattended, .cancelPreChat, [("ChatKey", key)], in: &step)
        }
        if decision.finishesChat, let chat = self.chat {
            step.ask(.cancelTimer(.answer))
            self.feedLink(.stopped, in: &step)
            let parameters = [("ChatKey", self.record.chatKey ?? ""), ("ClientID", chat.clientID)]
            self.call(.unattended, .finishChat, parameters, in: &step)
        }
        self.chat = nil
        self.stopPinging(sayingClosed: decision.closes, in: &step)
    }

    /// Reports an error that the vendor's client gives through a callback.
    mutating func fail(
        _ code: ErrorCode, _ domain: ErrorDomain, operation: String, in step: inout Step
    ) {
        self.emit(ClientEvents.error(code, domain, operation: operation), in: &step)
    }

    /// Reports that a call has not succeeded.
    mutating func fail(
        _ outcome: CallOutcome, _ domain: ErrorDomain, operation: String, in step: inout Step
    ) {
        self.emit(
            ClientEvents.error(
                outcome.errorCode, domain, operation: operation, message: outcome.message, raw: outcome.answer?.body),
            in: &step)
    }
}
