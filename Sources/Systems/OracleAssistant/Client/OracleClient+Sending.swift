import JSON
import Machines

extension OracleClient {
    /// Sends a message, by way of the delegates; one after the other.
    mutating func send(_ message: Outgoing, in step: inout Step) {
        guard !self.isSending else {
            if self.outbox.count < Self.waitingLimit { self.outbox.append(message) }
            return
        }
        guard self.connection.status == .open else {
            self.fail("ConnectionNone", "The message was not sent, for the client is not connected.", in: &step)
            return
        }
        if self.stream != nil, message.isTurn {
            self.fail("StreamInProgress", "The message was not sent, for a text is still coming in.", in: &step)
            return
        }
        let delegates = self.settings.delegates
        switch message.kind {
        case .visible, .form:
            if let function = delegates.beforeSend {
                self.isSending = true
                let argument = JSONValue.object([
                    "messagePayload": .object(message.payload), "userId": .string(self.address.userID),
                ])
                step.ask(.callScript(self.calls.begin(.send(message)), function, [argument]))
                return
            }
        case .postback(let action):
            if let function = delegates.beforeSendPostback {
                self.isSending = true
                step.ask(.callScript(self.calls.begin(.send(message)), function, [.object(action)]))
                return
            }
        case .hidden, .event, .close: break
        }
        self.finishSending(message, in: &step)
    }

    /// A delegate has returned what is to be sent.
    private mutating func delegateReturned(
        _ message: Outgoing, _ value: JSONValue, in step: inout Step
    ) {
        guard let returned = value.object, !returned.isEmpty else { return }
        var changed = message
        if case .postback(let original) = message.kind {
            let action = returned
            guard let postback = action["postback"], !postback.isNull else {
                self.finishSending(message, in: &step)
                return
            }
            changed.payload["postback"] = postback
            changed.payload["text"] = action["label"] ?? original["label"]
        } else {
            changed.payload = returned["messagePayload"]?.object ?? returned
        }
        // What a delegate returned wrongly is not used; the vendor's clients send the original then.
        let isValid = MessageValidation.problem(in: Payload(members: changed.payload)) == nil
        self.finishSending(isValid ? changed : message, in: &step)
    }

    private mutating func finishSending(_ message: Outgoing, in step: inout Step) {
        let payload = Payload(members: message.payload)
        // The rules have none for requests of completions; the client makes those itself.
        if payload.type != .suggest, let problem = MessageValidation.problem(in: payload) {
            self.fail("MessageInvalid", "The message was not sent: \(problem).", in: &step)
            return
        }
        var members: JSONObject = [
            "messagePayload": .object(message.payload), "userId": .string(self.address.userID),
            "sdkMetadata": .object(self.metadata.merging(message.metadata)),
        ]
        if let thread = self.thread { members["threadId"] = .string(thread) }
        if self.settings.flag("enableCancelResponse"), message.isTurn {
            let digits = (0..<5).map { _ in "\(Int.random(in: 0...9, using: &step.random))" }.joined()
            let request = "wsreq/\(self.epochMilliseconds(at: step.now))-\(digits)"
            members["requestId"] = .string(request)
            self.lastRequestID = request
        }
        guard self.transmit(.object(members), in: &step) else {
            self.fail("ConnectionNone", "The message was not sent, for the client is not connected.", in: &step)
            return
        }
        self.sent(message, payload, members, in: &step)
    }

    private mutating func sent(
        _ message: Outgoing, _ payload: Payload, _ members: JSONObject, in step: inout Step
    ) {
        var fields = MessageFields.fields(of: payload)
        if case .postback(let postback) = payload {
            fields["text"] = postback.words.map { .string($0) }
            fields["postback"] = postback.postback
        }
        if case .formSubmission(let submission) = payload {
            fields["values"] = .object(submission.submittedFields ?? [:])
        }
        fields["hidden"] = .bool(!message.isShown)
        if message.usesUpActions { self.screen.markPast() }
        if message.isShown {
            let date = self.epochMilliseconds(at: step.now)
            fields["number"] = .integer(self.screen.append(payload, from: .user, at: date, envelope: members))
            self.restartTimestamp(in: &step)
        }
        let kind: EventKind = message.kind == .form ? .formSubmitted : .messageSent
        self.emit(kind, fields, raw: .object(members), in: &step)
        guard message.isTurn else { return }
        self.hasSpoken = true
        for effect in self.defaultResponses.messageSent(at: step.now) { step.ask(effect) }
        if self.people.agent == nil { self.showTyping(true, from: .bot, timesOut: true, in: &step) }
    }

    /// A function of the script has come back.
    mutating func scriptReturned(
        _ call: ScriptCallID, _ result: Result<JSONValue, ScriptCallFailure>, in step: inout Step
    ) {
        guard let continuation = self.calls.end(call) else { return }
        switch (continuation, result) {
        case (.token, .success(let value)): self.tokenArrived(value.string ?? "", in: &step)
        case (.token, .failure): self.tokenRefused(.absent, in: &step)
        case (.display(let envelope), let result):
            self.isDisplaying = false
            self.displayDelegateReturned(envelope, result, in: &step)
            self.showWaiting(in: &step)
        case (.send(let message), let result):
            self.isSending = false
            switch result {
            case .success(let value): self.delegateReturned(message, value, in: &step)
            case .failure: self.finishSending(message, in: &step)
            }
            while !self.isSending, !self.outbox.isEmpty { self.send(self.outbox.removeFirst(), in: &step) }
        case (.endConversation(let message), let result):
            self.endDelegateReturned(message, result, in: &step)
        case (.isSpeaking, .success(true)): self.stopSpeech(in: &step)
        case (.isSpeaking, _): break
        case (.speaking(let text), _):
            self.emit(.speechSpoken, ["text": .string(text), "service": "script"], in: &step)
        case (.fallingSilent, _): self.emit(.speechStopped, in: &step)
        }
    }

    // MARK: Typing

    /// Tells the agent what the user does at the keyboard.
    mutating func sendTyping(_ outcome: TypingThrottle.Outcome, in step: inout Step) {
        for effect in outcome.effects { step.ask(effect) }
        if let (status, text) = outcome.status { self.sendStatus(status, text: text, in: &step) }
    }

    /// Sends whether the user types, unconditionally.
    mutating func sendStatus(_ status: StatusPayload.Status, text: String, in step: inout Step) {
        let payload = StatusPayload.user(status, text: text)
        let members: JSONObject = ["messagePayload": payload.json, "userId": .string(self.address.userID)]
        guard self.transmit(.object(members), in: &step) else { return }
        self.emit(
            .typingSent, ["active": .bool(status == .responding), "text": .string(text)], raw: .object(members),
            in: &step)
    }

    /// Shows or hides that an answer is coming.
    ///
    /// - Parameter timesOut: Whether the indicator goes away by itself after a while.
    mutating func showTyping(
        _ isActive: Bool, from origin: Screen.Origin, timesOut: Bool = false, in step: inout Step
    ) {
        guard self.settings.flag("showTypingStatus") || origin == .agent else { return }
        if isActive, timesOut {
            step.ask(.setTimer(.indicator, self.settings.span("typingStatusTimeout")))
        } else {
            step.ask(.cancelTimer(.indicator))
        }
        guard self.indicator.isActive != isActive else { return }
        self.indicator.isActive = isActive
        if isActive { self.indicator.origin = origin }
        var person: JSONObject = ["type": .string(self.indicator.origin.rawValue)]
        if self.indicator.origin == .agent { person["name"] = self.people.details?.name.map { .string($0) } }
        self.emit(.typing, ["active": .bool(isActive), "person": .object(person)], in: &step)
    }
}
