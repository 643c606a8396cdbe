import JSON
import Machines

/// A session from its creation to its end: what it knows, its forms, and the calls that lead it on.
///
/// Which input is possible in which state, and what becomes of the state, is said at ``SessionStateMachine``.
///
/// | input | the machine hears | actions |
/// |---|---|---|
/// | `createAsked` | create | `createChat` |
/// | `created` | createChat answered | `session_created`; the form, the reason why no chat is possible, or the chat |
/// | `submitAsked` | submit | the form's method, `form_invalid` or `error` |
/// | `submitted` | the form answered | `form_submitted` and the end, the next page, or the chat |
/// | `callCanceled` | create or submit canceled | |
/// | `finishAnswered`, `unavailableFormAnswered` | – | keeps the form |
/// | `chatFinished`, `chatUnavailable`, `chatFailed` | the same | the form, the reason or `error`; the end |
/// | `transcriptAsked`, `transcriptAnswered` | – / transcript refused | `emailChatHistory` / `transcript_requested` |
/// | `languageAsked`, `languageAnswered` | – | `changeLanguage` / `language_changed` |
/// | `reloadAsked`, `keyResolved`, `resumed` | chat finished, if it cannot go on | the way back into the chat |
/// | `endAsked` | finish session | drops what is under way, finishes the chat, tells the server |
struct SessionPart: Sendable {
    /// What happens to a session.
    enum Input: Sendable {
        case createAsked(CreationOptions)
        case created(CallOutcome)
        case submitAsked(FormKind, [String: String])
        case submitted(FormKind, CallOutcome)
        /// A call was dropped without an outcome.
        case callCanceled(CallPurpose)
        case finishAnswered(CallOutcome)
        case unavailableFormAnswered(CallOutcome)
        /// The time is the server's; the client's own if the server said nothing.
        case chatFinished(EndReason, time: String?)
        case chatUnavailable
        case chatFailed(ErrorCode)
        case transcriptAsked(address: String)
        case transcriptAnswered(CallOutcome)
        case languageAsked(String)
        case languageAnswered(String, CallOutcome)
        case reloadAsked
        /// Whether the chat can go on, and the id of the last message that was seen.
        case keyResolved(CallOutcome, lastMessageID: Int64)
        case resumed(CallOutcome)
        case endAsked
    }

    private let settings: ClientSettings
    private var machine: SessionStateMachine
    /// What is known of the session.
    private(set) var record = SessionRecord()
    /// The language that was asked for before there was a session, for the next one.
    private(set) var wishedLanguage: String?
    /// Presets for the fields of forms.
    private var presets: [String: String]
    /// How the call that ended the chat went, until the event that reports it takes it.
    private var lastOutcome: CallOutcome?

    /// Creates a session that has not begun.
    init(_ settings: ClientSettings) {
        self.settings = settings
        self.machine = SessionStateMachine(quirks: settings.quirks)
        self.presets = settings.creation.external
        self.record.language = settings.creation.language
        self.record.visitorID = settings.creation.visitorID
    }

    /// The present state.
    var state: SessionStateMachine.State { self.machine.state }

    private var profile: Profile { self.settings.profile }

    /// Takes in what happened.
    ///
    /// - Parameter isTornDown: Whether the scenario has ended, so that a chat must not stay behind.
    mutating func handle(_ input: Input, at now: Instant, isTornDown: Bool) -> [ClientAction] {
        switch input {
        case .createAsked(let options): return self.create(options)
        case .created(let outcome): return isTornDown ? Self.leftBehind(outcome) : self.created(outcome)
        case .submitAsked(let kind, let values): return self.submit(kind, values)
        case .submitted(.preChat, let outcome): return self.preChatSubmitted(outcome)
        case .submitted(let kind, let outcome): return self.submitted(kind, outcome)
        case .callCanceled(let purpose): self.canceled(purpose)
        case .finishAnswered(let outcome):
            if let answer = outcome.success { self.keep(.postChat, answer.form("PostChat", kind: .postChat)) }
            self.lastOutcome = outcome
        case .unavailableFormAnswered(let outcome):
            if let answer = outcome.success { self.leftQueue(answer) }
            self.lastOutcome = outcome
        case .chatFinished(let reason, let time): return self.chatFinished(reason, time: time ?? self.time(at: now))
        case .chatUnavailable: return self.chatUnavailable()
        case .chatFailed(let code): return self.chatFailed(code)
        case .transcriptAsked(let address): return self.askTranscript(address)
        case .transcriptAnswered(let outcome): return self.transcriptAnswered(outcome)
        case .languageAsked(let language): return self.askLanguage(language)
        case .languageAnswered(let language, let outcome): return self.languageAnswered(language, outcome)
        case .reloadAsked: return self.reload()
        case .keyResolved(let outcome, let last): return self.keyResolved(outcome, lastMessageID: last)
        case .resumed(let outcome): return self.resumed(outcome)
        case .endAsked: return self.end()
        }
        return []
    }

    private mutating func keep(_ kind: FormKind, _ form: Form?) {
        self.record.keep(kind, form, profile: self.profile, presets: self.presets)
    }

    private func time(at now: Instant) -> String {
        Timestamp.text(epochMilliseconds: now.onWallClock(startingAt: self.settings.epochMilliseconds))
    }

    private mutating func canceled(_ purpose: CallPurpose) {
        switch purpose {
        case .createChat: _ = self.machine.handle(.creationCanceled)
        case .submit(let kind): _ = self.machine.handle(.submitCanceled(kind))
        default: break
        }
    }

    // MARK: Creation

    /// Presets of the survey that the vendor demands as numbers, of stars.
    private static let ratings = ["overall", "knowledge", "responsiveness", "professionalism"]

    private mutating func create(_ options: CreationOptions) -> [ClientAction] {
        if let email = options.external["email"], !self.profile.forms.rules.isEmail(email) {
            return [.fail(.invalidEmail, .account, operation: "create_chat")]
        }
        if let phone = options.external["phone"], !self.profile.forms.rules.isPhone(phone) {
            return [.fail(.invalidPhone, .account, operation: "create_chat")]
        }
        let ratings = Self.ratings.compactMap { name in options.external[name].map { (name, stars: $0) } }
        if let (name, stars) = ratings.first(where: { !FormRules.stars.contains($0.stars) }) {
            let refusal = "the preset '\(name)' is a number of stars from 1 to 5, such as 4; it was \"\(stars)\""
            return [.answer(.refused(refusal))]
        }
        if let mistake = FormKeys.mistake(inPresets: options.external.keys) { return [.answer(.refused(mistake))] }
        guard self.machine.handle(.createRequested).verdict == .send else {
            let refusal = "a chat session is under way (\(self.state.rawValue)); end it with end_session() first"
            return [.answer(.refused(refusal))]
        }
        self.presets = options.external
        self.wishedLanguage = nil
        self.record = SessionRecord()
        self.record.language = options.language
        self.record.visitorID = options.visitorID
        self.record.customURL = options.customURL
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
        return [.beginSession, .call(.createChat, .createChat, parameters)]
    }

    /// The scenario ended while the account was creating the chat; it must not stay behind.
    private static func leftBehind(_ outcome: CallOutcome) -> [ClientAction] {
        guard let key = outcome.answer?.members.text("ChatKey") else { return [] }
        return [.call(.unattended, .pingChat, [("ChatKey", key), ("Closed", "true")])]
    }

    private mutating func created(_ outcome: CallOutcome) -> [ClientAction] {
        guard let answer = outcome.success else {
            _ = self.machine.handle(.creationAnswered(.failure))
            return [
                .showError(outcome.message ?? outcome.errorCode.summary),
                .fail(outcome, .account, operation: "create_chat"),
            ]
        }
        let members = answer.members
        self.record.chatID = members.text("ChatID")
        self.record.chatKey = members.text("ChatKey")
        self.record.visitorID = members.text("VisitorID") ?? self.record.visitorID
        self.record.language = members.text("Language") ?? self.record.language
        self.record.branding = answer.brandings ?? [:]
        self.record.windowSettings = members["ChatWindowSettings"]?.object ?? [:]
        let fields = self.record.identity.merging(["language": .string(self.record.language)])
        let begun: [ClientAction] = [.emit(.sessionCreated, fields, raw: answer.body), .startPinging]
        if answer.unavailableReason != nil {
            let result = self.unavailable(answer)
            return begun + self.apply(self.machine.handle(.creationAnswered(result)), answer)
        } else if let form = self.preChatForm(of: answer) {
            self.keep(.preChat, form)
            _ = self.machine.handle(.creationAnswered(.preChat))
            return begun + [.emit(.preChat, self.record.formField(.preChat), raw: answer.body)]
        }
        _ = self.machine.handle(.creationAnswered(.success))
        return begun + self.startChat(answer, afterPreChat: false)
    }

    /// The pre-chat form that an answer asks for; to the browser window that is one without fields as well.
    private func preChatForm(of answer: RESTAnswer) -> Form? {
        answer.form("PreChat", kind: .preChat)
            ?? (self.profile.forms.comeInPages ? Form(kind: .preChat, wire: answer.members["PreChat"]) : nil)
    }

    private func startChat(_ answer: RESTAnswer, afterPreChat: Bool) -> [ClientAction] {
        let fields = self.record.identity.merging(["after_pre_chat": .bool(afterPreChat)])
        return [
            .enterChat(ChatConnection(answer.members), isResumed: false),
            .emit(.chatStarted, fields, raw: answer.body), .chat(.started),
        ]
    }

    // MARK: Forms

    private mutating func submit(_ kind: FormKind, _ values: [String: String]) -> [ClientAction] {
        let form = self.record[kind] ?? Form(kind: kind, fields: [])
        if kind == .unavailable, self.state == .unavailableForm, self.profile.forms.closeOnEmptyMail,
            form.completed(with: values).count < form.fields.count
        {
            // The browser window sends a whole message or none.
            return self.end() + [.emit(.ended, ["reason": "unavailable"])]
        }
        let faults = self.profile.forms.rules.faults(in: form, values: values)
        switch self.machine.handle(.submitRequested(kind, isValid: faults.isEmpty)).verdict {
        case .wrongState: return [.fail(.wrongState, .session, operation: kind.submitCommand)]
        case .invalidForm: return [.perform(.emit(ClientEvents.invalidForm(kind, faults)))]
        case .ignore, .report: return []
        case .send: return [self.sending(kind, form.completed(with: values))]
        }
    }

    private mutating func sending(_ kind: FormKind, _ values: [(key: String, value: String)]) -> ClientAction {
        self.record.sent[kind] = values
        var parameters = [("ChatKey", self.record.chatKey ?? "")]
        switch kind {
        case .preChat:
            self.record.departmentID = values.first { $0.key == "department" }?.value
            parameters.append(("Data", ClientRequests.data(values)))
            return .call(.submit(kind), .submitPreChat, parameters)
        case .postChat:
            parameters.append(("Data", ClientRequests.data(values)))
            return .call(.submit(kind), .submitPostChat, parameters)
        case .unavailable:
            for (key, name) in FormKeys.mail {
                if let value = values.first(where: { $0.key == key })?.value { parameters.append((name, value)) }
            }
            return .call(.submit(kind), .submitUnavailableEmail, parameters)
        }
    }

    private mutating func preChatSubmitted(_ outcome: CallOutcome) -> [ClientAction] {
        guard let answer = outcome.success else {
            guard self.machine.handle(.submitAnswered(.preChat, .failure)).verdict != .ignore else { return [] }
            return [.fail(outcome, .session, operation: FormKind.preChat.submitCommand)]
        }
        // A language that was chosen in the form is that of the session from now on.
        if let language = answer.members.text("Language") { self.record.language = language }
        self.record.branding = answer.brandings ?? self.record.branding
        if answer.unavailableReason != nil {
            let result = self.unavailable(answer)
            let output = self.machine.handle(.submitAnswered(.preChat, result))
            return output.verdict == .ignore ? [] : self.apply(output, answer)
        } else if self.profile.forms.comeInPages, let form = self.preChatForm(of: answer) {
            guard self.machine.handle(.submitAnswered(.preChat, .preChat)).verdict != .ignore else { return [] }
            self.keep(.preChat, form)
            return [.emit(.preChat, self.record.formField(.preChat), raw: answer.body)]
        }
        return self.machine.handle(.submitAnswered(.preChat, .success)).startsChat
            ? self.startChat(answer, afterPreChat: true) : []
    }

    private mutating func submitted(_ kind: FormKind, _ outcome: CallOutcome) -> [ClientAction] {
        guard let answer = outcome.success else {
            guard self.machine.handle(.submitAnswered(kind, .failure)).verdict != .ignore else { return [] }
            return [.fail(outcome, .session, operation: kind.submitCommand)]
        }
        if kind == .postChat, self.profile.forms.comeInPages, let form = answer.form("PostChat", kind: .postChat) {
            guard self.machine.handle(.submitAnswered(.postChat, .postChat)).verdict != .ignore else { return [] }
            self.keep(.postChat, form)
            return [self.postChatForm(raw: answer.body)]
        }
        let output = self.machine.handle(.submitAnswered(kind, .success))
        guard output.verdict != .ignore else { return [] }
        let event = ClientAction.emit(.formSubmitted, ["form": .string(kind.rawValue)], raw: answer.body)
        return [event] + self.conclude(output)
    }

    private func postChatForm(raw: JSONValue?) -> ClientAction {
        .emit(.postChat, self.record.endFields.merging(self.record.formField(.postChat)), raw: raw)
    }

    // MARK: The end of the chat

    private mutating func chatFinished(_ reason: EndReason, time: String) -> [ClientAction] {
        self.record.chatEnd = (reason, time)
        if !self.settings.quirks.contains(.endReasonUnassigned) { self.record.endReason = reason }
        let raw = self.takeLastOutcome()?.answer?.body
        let output = self.machine.handle(.chatFinished(hasPostChat: self.record[.postChat] != nil))
        guard output.verdict == .report else { return [] }
        return output.ends ? self.conclude(output, raw: raw) : [self.postChatForm(raw: raw)]
    }

    private mutating func leftQueue(_ answer: RESTAnswer) {
        self.keep(.unavailable, answer.form("UnavailableForm", kind: .unavailable))
        let reason = self.profile.session.readsReasonAfterQueue ? answer.unavailableReason : nil
        self.record.unavailableReason = reason ?? .unknown
        self.record.unavailableMessage = nil
    }

    private mutating func chatUnavailable() -> [ClientAction] {
        let raw = self.takeLastOutcome()?.answer?.body
        let output = self.machine.handle(.chatUnavailable(hasForm: self.record[.unavailable] != nil))
        guard output.verdict == .report else { return [] }
        return [.emit(.unavailable, self.record.unavailability, raw: raw)] + self.conclude(output)
    }

    private mutating func chatFailed(_ code: ErrorCode) -> [ClientAction] {
        let outcome = self.takeLastOutcome()
        let operation =
            switch code {
            case .chatStartFailed: "start_chat"
            case .chatFinishFailed: "finish"
            case .unavailableFormFailed: "cancel_chat"
            default: "connect"
            }
        // What the vendor's client says of a failure is its code alone; of an answer that it cannot read, also why.
        let message: String? =
            if case .unreadable(_, let detail)? = outcome { "\(code.summary), for \(detail)" } else { nil }
        let output = self.machine.handle(.chatFailed)
        return [
            .showError(code.summary),
            .fail(code, .chat, operation: operation, message: message, raw: outcome?.answer?.body),
        ] + self.conclude(output)
    }

    private mutating func takeLastOutcome() -> CallOutcome? {
        defer { self.lastOutcome = nil }
        return self.lastOutcome
    }

    /// Keeps why no chat is possible, and the form for it.
    private mutating func unavailable(_ answer: RESTAnswer) -> SessionStateMachine.Answer {
        self.record.unavailableReason = answer.unavailableReason
        self.record.unavailableMessage = answer.message
        self.keep(.unavailable, answer.form("UnavailableForm", kind: .unavailable))
        return self.record[.unavailable] == nil ? .unavailable : .unavailableWithForm
    }

    private func apply(_ output: SessionStateMachine.Output, _ answer: RESTAnswer) -> [ClientAction] {
        [.emit(.unavailable, self.record.unavailability, raw: answer.body)] + self.conclude(output)
    }

    /// Does what is due when a session ends by itself.
    private func conclude(_ output: SessionStateMachine.Output, raw: JSONValue? = nil) -> [ClientAction] {
        var actions: [ClientAction] = []
        if output.ends { actions.append(.emit(.ended, self.record.conclusion, raw: raw)) }
        if output.closes { actions.append(.stopPinging(sayingClosed: true)) }
        return actions
    }

    /// Ends the session at once; the vendor's client reports nothing more of it.
    private mutating func end() -> [ClientAction] {
        let wasInPreChat = self.state == .preChatForm
        let output = self.machine.handle(.finishRequested)
        guard output.verdict == .send else { return [] }
        var actions: [ClientAction] = [.showError(nil), .cancelCalls(.session)]
        if self.profile.session.cancelsPreChat, wasInPreChat, let key = self.record.chatKey {
            actions.append(.call(.unattended, .cancelPreChat, [("ChatKey", key)]))
        }
        actions.append(.leaveChat(finishes: output.finishesChat))
        actions.append(.stopPinging(sayingClosed: output.closes))
        // What is called on the way out has no number for the script.
        return actions + [.answerNothing]
    }

    // MARK: Transcript and language

    private func askTranscript(_ address: String) -> [ClientAction] {
        guard self.profile.forms.rules.isEmail(address) else {
            return [.fail(.invalidEmail, .session, operation: "email_history")]
        }
        let isTime = self.profile.session.transcriptStates?.contains(self.state) ?? true
        guard let key = self.record.chatKey, isTime else {
            return [.fail(.wrongState, .session, operation: "email_history")]
        }
        return [.call(.emailHistory, .emailChatHistory, [("ChatKey", key), ("EmailAddress", address)])]
    }

    private mutating func transcriptAnswered(_ outcome: CallOutcome) -> [ClientAction] {
        if let answer = outcome.success { return [.emit(.transcriptRequested, raw: answer.body)] }
        if case .answered = outcome { _ = self.machine.handle(.historyFailed) }
        return [.fail(outcome, .session, operation: "email_history")]
    }

    private mutating func askLanguage(_ language: String) -> [ClientAction] {
        guard !language.isEmpty, language != self.record.language else { return [] }
        guard self.state != .idle || !self.profile.session.changesLanguageAnywhere else {
            self.record.language = language
            self.wishedLanguage = language
            return []
        }
        guard self.profile.session.changesLanguageAnywhere || self.state == .preChatForm, let key = self.record.chatKey
        else {
            return [.fail(.wrongState, .session, operation: "change_language")]
        }
        return [.call(.changeLanguage(language), .changeLanguage, [("ChatKey", key), ("Language", language)])]
    }

    private mutating func languageAnswered(_ language: String, _ outcome: CallOutcome) -> [ClientAction] {
        guard let answer = outcome.success else {
            if self.settings.quirks.contains(.languageFailureClearsBranding), outcome.answer != nil {
                self.record.language = ""
                self.record.branding = [:]
            }
            return [.fail(outcome, .session, operation: "change_language")]
        }
        self.record.language = answer.members.text("Language") ?? language
        self.record.branding = answer.brandings ?? self.record.branding
        if let departments = answer.members["Departments"]?.object { self.record.take(departments: departments) }
        var fields: JSONObject = ["language": .string(self.record.language)]
        if self.state == .preChatForm { fields = fields.merging(self.record.formField(.preChat)) }
        return [.emit(.languageChanged, fields, raw: answer.body)]
    }

    // MARK: Reload

    /// Loads the page again: the window forgets everything but its key and its messages, and comes back.
    private func reload() -> [ClientAction] {
        guard self.profile.session.isPage else {
            let refusal = "only the browser window can be loaded again; give the actor profile = \"html\""
            return [.answer(.refused(refusal))]
        }
        guard self.state == .chatting, let key = self.record.chatKey else {
            return [.answer(.refused("there is no chat to come back to: expect \"chat_started\" before reload()"))]
        }
        return [
            .cancelCalls(.all), .perform(.cancelTimer(.answer)), .link(.stopped),
            .call(.resolveKey, .resolveChatKey, [("ChatKey", key)]), .answerNothing,
        ]
    }

    private mutating func keyResolved(_ outcome: CallOutcome, lastMessageID: Int64) -> [ClientAction] {
        guard let answer = outcome.success else { return [.fail(outcome, .session, operation: "reload")] }
        guard answer.members.truth("Startable"), !answer.members.truth("Ended") else {
            let output = self.machine.handle(.chatFinished(hasPostChat: false))
            self.record.chatEnd = (.undefined, nil)
            return self.conclude(output, raw: answer.body)
        }
        let parameters = [
            ("ChatKey", answer.members.text("ChatKey") ?? self.record.chatKey ?? ""),
            // The window says −1 where the iOS engine says 0.
            ("LastChatMessageID", String(lastMessageID == 0 ? -1 : lastMessageID)), ("IncludeBrandingValues", "true"),
        ]
        return [.call(.resumeChat, .startChat, parameters)]
    }

    private mutating func resumed(_ outcome: CallOutcome) -> [ClientAction] {
        guard let answer = outcome.success else {
            return [
                .fail(
                    .chatStartFailed, .chat, operation: "reload", message: outcome.message, raw: outcome.answer?.body)
            ]
        }
        self.record.branding = answer.brandings ?? self.record.branding
        let fields = self.record.identity.merging(["after_pre_chat": false])
        return [
            .enterChat(ChatConnection(answer.members), isResumed: true),
            .emit(.chatStarted, fields, raw: answer.body), .startPinging, .chat(.started),
        ]
    }
}
