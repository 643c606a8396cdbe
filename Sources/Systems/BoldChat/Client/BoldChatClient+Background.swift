import JSON
import Machines

/// What runs beside the conversation: pings, availability, transcripts, language.
extension BoldChatClient {
    // MARK: Pings

    /// Starts telling the server that the session lives.
    mutating func startPinging(in step: inout Step) {
        self.pings = PingSchedule(isRunning: true)
        if self.settings.profile.pingsAtOnce {
            self.ping(in: &step)
        } else {
            step.ask(.setTimer(.ping, Profile.pingInterval))
        }
    }

    /// Sends a ping and plans the next one.
    mutating func ping(in step: inout Step) {
        guard self.pings.isRunning, !self.isSuspended, self.calls.number(for: .ping) == nil else { return }
        let parameters = [("ChatKey", self.record.chatKey ?? ""), ("Closed", "false")]
        self.call(.ping, .pingChat, parameters, in: &step)
        step.ask(.setTimer(.ping, Profile.pingInterval))
    }

    /// Takes in the answer of a ping.
    mutating func pingEnded(_ outcome: CallOutcome, in step: inout Step) {
        guard self.pings.isRunning else { return }
        guard let answer = outcome.success else {
            self.pings.failures += 1
            if let limit = self.settings.profile.pingFailureLimit, self.pings.failures >= limit {
                return self.stopPinging(sayingClosed: false, in: &step)
            }
            return step.ask(.setTimer(.ping, self.settings.profile.pingDelayAfterFailure))
        }
        self.pings.failures = 0
        if self.pings.isRunning { step.ask(.setTimer(.ping, Profile.pingInterval)) }
        let wasAvailable = self.record.isRecaptureAvailable
        self.record.isRecaptureAvailable = answer.members.truth("Recapture")
        guard self.record.isRecaptureAvailable, !wasAvailable else { return }
        guard [.chatting, .unavailableForm, .sendingUnavailableInfo].contains(self.session.state) else { return }
        self.emit(ChatEvent(.recapture, raw: answer.body), in: &step)
    }

    /// Stops pinging, and tells the server so where the vendor's client does.
    mutating func stopPinging(sayingClosed: Bool, in step: inout Step) {
        let wasRunning = self.pings.isRunning
        self.pings.isRunning = false
        step.ask(.cancelTimer(.ping))
        self.calls.cancelAll({ $0 == .ping }, in: &step)
        guard sayingClosed, wasRunning, self.settings.profile.pingsClosed, let key = self.record.chatKey else { return }
        self.call(.closedPing, .pingChat, [("ChatKey", key), ("Closed", "true")], in: &step)
    }

    // MARK: Availability

    /// Asks whether a chat is possible, without creating one.
    mutating func checkAvailability(
        _ query: AvailabilityQuery, in step: inout Step
    ) -> CommandOutcome {
        let purpose = CallPurpose.availability(query)
        if self.settings.profile.remembersAvailability {
            if let event = self.availability.event(for: query, at: step.now) {
                self.emit(event, in: &step)
                return .done(.null)
            }
            if let number = self.calls.number(for: purpose) {
                self.availability.waiting[query, default: []].append(number)
                return .done(.integer(Int64(number)))
            }
        }
        var parameters: [(String, String)] = []
        if !query.visitorID.isEmpty {
            parameters.append((self.settings.profile == .html ? "VisitorId" : "VisitorID", query.visitorID))
        }
        if let department = query.departmentID { parameters.append(("DepartmentID", department)) }
        let number = self.call(purpose, .getChatAvailability, parameters, in: &step)
        if self.settings.profile.remembersAvailability { self.availability.waiting[query] = [number] }
        return .done(.integer(Int64(number)))
    }

    /// Takes in the answer of `getChatAvailability`; every request that waits for it is answered.
    mutating func availabilityEnded(
        _ query: AvailabilityQuery, _ outcome: CallOutcome, in step: inout Step
    ) {
        let requests = self.availability.waiting.removeValue(forKey: query)?.count ?? 1
        let event: ChatEvent
        switch outcome {
        case .answered(let answer) where answer.isSuccess && answer.members.truth("Available"):
            event = ChatEvent(.available, raw: answer.body)
        case .answered(let answer) where answer.isSuccess:
            let reason = answer.unavailableReason ?? .unknown
            event = ChatEvent(.unavailable, ["reason": .string(reason.rawValue)], raw: answer.body)
        case .answered(let answer):
            let code = ErrorCode(availabilityMessage: answer.message)
            event = ClientEvents.error(
                code, .availability, operation: "check_availability", message: answer.message, raw: answer.body)
        case .failed(let code, let detail):
            event = ClientEvents.error(code, .availability, operation: "check_availability", message: detail)
        }
        // A failure of the network says nothing about the account, so it is not kept.
        if case .answered = outcome, self.settings.profile.remembersAvailability {
            self.availability.keep(event, for: query, at: step.now)
        }
        for _ in 0..<requests { self.emit(event, in: &step) }
    }

    // MARK: Transcript and language

    /// Asks for the transcript by e-mail at the end of the chat.
    mutating func emailHistory(_ address: String, in step: inout Step) -> CommandOutcome {
        guard self.settings.profile.rules.isEmail(address) else {
            self.fail(.invalidEmail, .session, operation: "email_history", in: &step)
            return .done(.null)
        }
        let isAllowed: Bool
        if self.settings.profile == .html {
            let states: [SessionStateMachine.State] = [.chatting, .postChatForm, .sendingPostChatInfo, .finished]
            isAllowed = states.contains(self.session.state)
        } else {
            isAllowed = true
        }
        guard let key = self.record.chatKey, isAllowed else {
            self.fail(.wrongState, .session, operation: "email_history", in: &step)
            return .done(.null)
        }
        let parameters = [("ChatKey", key), ("EmailAddress", address)]
        return .done(.integer(Int64(self.call(.emailHistory, .emailChatHistory, parameters, in: &step))))
    }

    /// Takes in the answer of `emailChatHistory`.
    mutating func historyEnded(_ outcome: CallOutcome, in step: inout Step) {
        if let answer = outcome.success {
            return self.emit(ChatEvent(.transcriptRequested, raw: answer.body), in: &step)
        }
        if case .answered = outcome { _ = self.feedSession(.historyFailed) }
        self.fail(outcome, .session, operation: "email_history", in: &step)
    }

    /// Changes the language of the session.
    mutating func changeLanguage(_ language: String, in step: inout Step) -> CommandOutcome {
        guard !language.isEmpty, language != self.record.language else { return .done(.null) }
        if self.session.state == .idle {
            self.record.language = language
            self.creation.language = language
            return .done(.null)
        }
        guard self.settings.profile.changesLanguageAnywhere || self.session.state == .preChatForm,
            let key = self.record.chatKey
        else {
            self.fail(.wrongState, .session, operation: "change_language", in: &step)
            return .done(.null)
        }
        let parameters = [("ChatKey", key), ("Language", language)]
        return .done(.integer(Int64(self.call(.changeLanguage(language), .changeLanguage, parameters, in: &step))))
    }

    /// Takes in the answer of `changeLanguage`.
    mutating func languageEnded(_ language: String, _ outcome: CallOutcome, in step: inout Step) {
        guard let answer = outcome.success else {
            if self.settings.quirks.contains(.languageFailureClearsBranding), outcome.answer != nil {
                self.record.language = ""
                self.record.branding = [:]
            }
            return self.fail(outcome, .session, operation: "change_language", in: &step)
        }
        self.record.language = answer.members.text("Language") ?? language
        self.record.branding = answer.brandings ?? self.record.branding
        if let departments = answer.members["Departments"]?.object, var form = self.record[.preChat] {
            for index in form.fields.indices where form.fields[index].key == departments.text("Key") {
                form.fields[index].options = departments["Options"]?.array?.compactMap(FormOption.init(wire:)) ?? []
                form.fields[index].showsDepartmentStatus = departments.truth("ShowDepartmentStatus")
            }
            self.record[.preChat] = form
        }
        var fields: JSONObject = ["language": .string(self.record.language)]
        if self.session.state == .preChatForm, let form = self.record[.preChat] {
            fields["form"] = form.scriptValue(branding: self.record.branding)
        }
        self.emit(ChatEvent(.languageChanged, fields, raw: answer.body), in: &step)
    }

    // MARK: Suspension

    /// Stops timers and holds back what would be reported, as an application in the background does.
    mutating func suspend(in step: inout Step) {
        guard !self.isSuspended else { return }
        self.isSuspended = true
        self.calls.suspend(in: &step)
        self.feedLink(.suspended, in: &step)
        self.feedChat(.suspended, in: &step)
        step.ask(.cancelTimer(.ping))
    }

    /// Goes on after ``suspend(in:)``.
    mutating func resume(in step: inout Step) {
        guard self.isSuspended else { return }
        self.isSuspended = false
        for ended in self.calls.resume(in: &step) { self.ended(ended, in: &step) }
        self.feedLink(.resumed, in: &step)
        self.feedChat(.resumed, in: &step)
        self.ping(in: &step)
    }
}
