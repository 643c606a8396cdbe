import JSON
import Machines

extension OracleClient {
    /// Takes in one message of the server, by whichever transport it came.
    mutating func received(_ text: String, _ value: JSONValue?, in step: inout Step) {
        guard let value else {
            self.ignored("it is not JSON", raw: .string(text), in: &step)
            return
        }
        switch ServerFrame(value) {
        case .pong: break
        case .suggestions(let texts):
            guard self.suggestionRequests > 0 else { return }
            self.suggestionRequests -= 1
            if self.suggestionRequests == 0 { step.ask(.cancelTimer(.suggestions)) }
            // The vendor's client shows the first five.
            self.emit(.suggestions, ["texts": .array(texts.prefix(5).map { .string($0) })], raw: value, in: &step)
        case .message(let envelope): self.received(envelope, in: &step)
        case .other: self.ignored("it has no messagePayload", raw: value, in: &step)
        }
    }

    private func ignored(_ reason: String, raw: JSONValue, in step: inout Step) {
        self.emit(.frame, ["ignored": .string(reason)], raw: raw, in: &step)
    }

    private mutating func received(_ envelope: Envelope, in step: inout Step) {
        let payload = envelope.payload
        if !self.isRepeatable(payload), !self.seen.insert(envelope.messageID ?? payload.content.json.description) {
            return
        }
        if let request = envelope.requestID, self.cancelled.contains(request) { return }
        if let thread = envelope.threadID { self.thread = thread }
        for effect in self.defaultResponses.stop() { step.ask(effect) }
        if envelope.source == .bot, payload.type?.isDisplayed ?? false { self.defaultResponses.hasSkillAnswered = true }
        self.defaultResponses.isWithAgent = envelope.source == .agent
        guard self.inbox.count < Self.waitingLimit else { return }
        self.inbox.append(envelope)
        self.showWaiting(in: &step)
    }

    /// The pieces of one text share a number, and states of typing have none of their own.
    private func isRepeatable(_ payload: Payload) -> Bool {
        switch payload {
        case .textStream, .status: true
        default: false
        }
    }

    /// Shows what has come, up to the next message that a delegate must see first.
    mutating func showWaiting(in step: inout Step) {
        while !self.isDisplaying, !self.inbox.isEmpty {
            let envelope = self.inbox.removeFirst()
            let payload = envelope.payload
            let isOffered = payload.type?.isDisplayed ?? false && payload.type != .textStream
            if isOffered, let function = self.settings.delegates.beforeDisplay {
                self.isDisplaying = true
                step.ask(.callScript(self.calls.begin(.display(envelope)), function, [envelope.json]))
                return
            }
            self.show(envelope, in: &step)
        }
    }

    /// A delegate has returned what is to be shown.
    mutating func displayDelegateReturned(
        _ envelope: Envelope, _ result: Result<JSONValue, ScriptCallFailure>, in step: inout Step
    ) {
        guard case .success(let value) = result else {
            self.show(envelope, in: &step)
            return
        }
        guard let returned = value.object, !returned.isEmpty else {
            // Dropped: nothing is shown, but the turn goes on.
            _ = self.people.take(envelope)
            self.turnWent(on: envelope, in: &step)
            return
        }
        var changed = envelope
        changed.members["messagePayload"] = .object(returned["messagePayload"]?.object ?? returned)
        let isValid = MessageValidation.problem(in: changed.payload) == nil
        self.show(isValid ? changed : envelope, in: &step)
    }

    private mutating func show(_ envelope: Envelope, in step: inout Step) {
        self.noticePeople(of: envelope, in: &step)
        switch envelope.payload {
        case .sessionClosed:
            self.sessionClosed(in: &step)
            return
        case .status(let status):
            self.showTyping(status.status == .responding, from: envelope.source == .agent ? .agent : .bot, in: &step)
            // A status without end of turn would show the indicator again, which the vendor's client does.
            if status.status == .responding { return }
        case .textStream(let piece):
            self.streamReceived(piece, envelope, in: &step)
            return
        case .command(let command):
            var fields: JSONObject = ["command": command.members["command"] ?? .null]
            fields["properties"] = command.members["properties"]
            self.emit(.command, fields, raw: envelope.json, in: &step)
        case .executeApplicationActionCommand(let command):
            var fields: JSONObject = ["command": "executeApplicationAction"]
            fields["action"] = command.action.map { .string($0) }
            fields["application"] = command.applicationName.map { .string($0) }
            fields["page"] = command.pageName.map { .string($0) }
            fields["properties"] = command.members["properties"]
            self.emit(.command, fields, raw: envelope.json, in: &step)
        case .updateApplicationContextCommand(let command):
            var fields: JSONObject = ["command": "updateApplicationContext"]
            fields["parameters"] = command.members["parameters"]
            self.emit(.command, fields, raw: envelope.json, in: &step)
        case .getDebugInfoCommand(let command):
            let types = command.infoTypes.map { JSONValue.string($0) }
            self.emit(
                .command, ["command": "getDebugInfo", "info_types": .array(types)], raw: envelope.json, in: &step)
        case .outboundEvent(let event):
            let fields: JSONObject = [
                "type": event.members["eventType"] ?? .null, "version": event.members["eventVersion"] ?? .null,
                "data": event.eventData ?? .null,
            ]
            self.emit(.skillEvent, fields, raw: envelope.json, in: &step)
        case .error(let error):
            self.append(envelope, in: &step)
            self.fail("SkillError", error.errorMessage ?? "", in: &step)
        case let payload:
            if payload.type?.isDisplayed ?? false {
                self.display(envelope, in: &step)
            } else {
                self.ignored("its payload has a type that is not shown", raw: envelope.json, in: &step)
            }
        }
        self.turnWent(on: envelope, in: &step)
    }

    private mutating func noticePeople(of envelope: Envelope, in step: inout Step) {
        guard let change = self.people.take(envelope) else { return }
        switch change {
        case .joined:
            self.emit(.agentJoined, ["agent": .object(self.people.details?.members ?? [:])], in: &step)
        case .left(let name):
            self.emit(.agentLeft, ["name": name.map { .string($0) } ?? .null], in: &step)
        }
    }

    /// After each message the indicator says whether more is to come.
    private mutating func turnWent(on envelope: Envelope, in step: inout Step) {
        self.showTyping(!envelope.endsTurn, from: envelope.source == .agent ? .agent : .bot, in: &step)
    }

    @discardableResult
    private mutating func append(_ envelope: Envelope, in step: inout Step) -> Int64 {
        let payload = envelope.payload
        if payload.content.channelExtensions.replacesMessage, let last = self.screen.editForm(),
            self.screen.replace(last.number, with: payload)
        {
            return last.number
        }
        if payload.content.channelExtensions.appendsMessage, let merged = self.merged(payload) { return merged }
        let origin: Screen.Origin = envelope.source == .agent ? .agent : .bot
        let date = self.epochMilliseconds(at: step.now)
        let number = self.screen.append(payload, from: origin, at: date, envelope: envelope.members)
        if !self.isExpanded, !self.settings.flag("enableHeadless") {
            self.unread += 1
            self.emit(.unreadChanged, ["count": .integer(Int64(self.unread))], in: &step)
        }
        return number
    }

    /// Adds a text to the bubble of the one before.
    private mutating func merged(_ payload: Payload) -> Int64? {
        guard case .text(let text) = payload, let last = self.screen.items.last, last.origin != .user,
            case .text(var before) = last.payload
        else { return nil }
        before.members["text"] = .string((before.words ?? "") + "\n" + (text.words ?? ""))
        return self.screen.replace(last.number, with: .text(before)) ? last.number : nil
    }

    private mutating func display(_ envelope: Envelope, in step: inout Step) {
        let payload = envelope.payload
        let number = self.append(envelope, in: &step)
        var fields: JSONObject = ["from": .string(envelope.source == .agent ? "agent" : "bot")]
        fields = fields.merging(MessageFields.fields(of: payload))
        fields["number"] = .integer(number)
        fields["id"] = envelope.messageID.map { .string($0) }
        fields["thread"] = envelope.threadID.map { .string($0) }
        fields["end_of_turn"] = .bool(envelope.endsTurn)
        if envelope.source == .agent { fields["agent"] = self.people.details?.name.map { .string($0) } }
        for (name, value) in self.timestampFields(in: &step) { fields[name] = value }
        fields["label"] = .string(AccessibilityLabels(strings: self.settings.strings).label(of: payload, isUser: false))
        self.emit(self.kind(of: payload, number: number, &fields), fields, raw: envelope.json, in: &step)
        self.readAloud(payload, in: &step)
    }

    /// Returns the kind of event for a message: by its mark if it stands for a step, else by its type.
    private func kind(of payload: Payload, number: Int64, _ fields: inout JSONObject) -> EventKind {
        var kind = EventKind.message
        if case .editForm(let form) = payload {
            fields["form"] = .object(MessageFields.editForm(form, number: number))
            kind = .form
        }
        guard let step = payload.content.channelExtensions.step, let name = step.name else { return kind }
        fields["position"] = step.position.map { .integer($0) }
        switch name {
        case .preChat: return .preChat
        case .queue: return .queue
        case .unavailable: return .unavailable
        case .postChat: return .postChat
        }
    }

    // MARK: Streams

    private mutating func streamReceived(
        _ piece: TextStreamPayload, _ envelope: Envelope, in step: inout Step
    ) {
        let isNew = self.stream == nil || (piece.streamID != nil && piece.streamID != self.stream?.id)
        if isNew {
            if let id = piece.streamID, id == self.endedStream, piece.state != .start { return }
            // A piece of a text that was given up comes too late.
            guard piece.state == .start || piece.state == .end || self.stream != nil else { return }
            self.stream = TextStream(id: piece.streamID, text: "", envelope: envelope)
            if !self.isExpanded, !self.settings.flag("enableHeadless") { self.unread += 1 }
        }
        guard var stream = self.stream else { return }
        let whole = piece.aggregateText ?? stream.text + (piece.words ?? "")
        stream.text = String(decoding: whole.utf8.prefix(TextStream.sizeLimit), as: UTF8.self)
        stream.envelope = envelope
        self.stream = stream
        var fields: JSONObject = ["state": piece.members["streamState"] ?? .null, "text": .string(stream.text)]
        fields["piece"] = piece.words.map { .string($0) }
        fields["id"] = piece.streamID.map { .string($0) }
        self.emit(.messageUpdated, fields, raw: envelope.json, in: &step)
        if piece.state == .end {
            self.endedStream = stream.id
            self.endStream(in: &step)
            self.turnWent(on: envelope, in: &step)
        } else {
            step.ask(.setTimer(.stream, TextStream.patience))
            self.turnWent(on: envelope, in: &step)
        }
    }

    private mutating func endStream(in step: inout Step) {
        guard let stream = self.stream else { return }
        self.stream = nil
        step.ask(.cancelTimer(.stream))
        var envelope = stream.envelope
        var payload = envelope.object("messagePayload") ?? [:]
        payload["type"] = "text"
        payload["text"] = .string(stream.text)
        for name in ["streamState", "aggregateText", "streamId"] { payload[name] = nil }
        envelope.members["messagePayload"] = .object(payload)
        self.display(envelope, in: &step)
    }

    /// Takes a text as it is when no piece has come for a while.
    mutating func freezeStream(in step: inout Step) {
        guard var stream = self.stream else { return }
        stream.envelope.members["endOfTurn"] = true
        self.endedStream = stream.id
        self.stream = stream
        self.endStream(in: &step)
        self.turnWent(on: stream.envelope, in: &step)
    }

    // MARK: Default responses

    /// Shows what the client says in place of the skill.
    mutating func showDefaultResponse(_ kind: DefaultResponses.Kind, in step: inout Step) {
        if kind == .sorry { self.showTyping(false, from: .bot, in: &step) }
        let text = self.words("odais_default_\(kind.rawValue)_message")
        let date = self.epochMilliseconds(at: step.now)
        let members: JSONObject = [
            "messagePayload": ["type": "text", "text": .string(text)], "userId": .string(self.address.userID),
            "msgId": .string("\(date)"), "source": "BOT",
        ]
        self.screen.append(Envelope(members: members).payload, from: .client, at: date, envelope: members)
        self.emit(.autoMessage, ["type": .string(kind.rawValue), "text": .string(text)], in: &step)
    }
}
