import JSON
import Machines

extension OracleClient {
    // MARK: End

    /// Begins to end the conversation; does nothing when not connected, as the vendor's client does.
    mutating func endChat(in step: inout Step) {
        guard self.connection.status == .open, !self.isEnding else { return }
        self.isEnding = true
        self.emit(.beforeEnd, in: &step)
        let message: JSONObject = ["type": "closeSession"]
        if let function = self.settings.delegates.beforeEndConversation {
            let argument = JSONValue.object([
                "messagePayload": .object(message), "userId": .string(self.address.userID),
            ])
            step.ask(.callScript(self.calls.begin(.endConversation(message)), function, [argument]))
            return
        }
        self.send(Outgoing(message, kind: .close), in: &step)
    }

    /// The script's function has said whether the conversation may end.
    mutating func endDelegateReturned(
        _ message: JSONObject, _ result: Result<JSONValue, ScriptCallFailure>, in step: inout Step
    ) {
        let mayEnd =
            switch result {
            case .success(.null), .success(.bool(false)): false
            default: true
            }
        guard mayEnd else {
            self.isEnding = false
            return
        }
        self.send(Outgoing(message, kind: .close), in: &step)
    }

    /// The server has ended the session, asked or not: the chat closes, disconnects and forgets.
    mutating func sessionClosed(in step: inout Step) {
        self.isExpanded = self.settings.flag("openChatOnLoad")
        self.endsAfterClose = true
        self.perform(self.connection.disconnect(), in: &step)
    }

    /// The connection is closed after the session ended.
    mutating func conversationEnded(in step: inout Step) {
        let reason = self.isEnding ? "user" : "server"
        self.isEnding = false
        self.needsFirstMessages = true
        self.connectsOnOpening = true
        self.hasSpoken = false
        self.people = People()
        self.stored = []
        self.clear(in: &step)
        self.stopEverything(in: &step)
        self.showTyping(false, from: .bot, in: &step)
        self.emit(.ended, ["reason": .string(reason)], in: &step)
    }

    /// Clears the messages on the screen.
    mutating func clear(in step: inout Step) {
        self.screen.clear()
        self.page = nil
        self.drafts = [:]
        self.defaultResponses.hasSkillAnswered = false
        self.latestShown = nil
        self.latestAge = nil
        self.lastShownDay = nil
        step.ask(.cancelTimer(.age))
    }

    /// Closes everything; only `initialize` works afterwards.
    mutating func destroy(in step: inout Step) {
        self.endsAfterClose = false
        self.connectsAfterClose = false
        self.stopEverything(in: &step)
        self.stored = self.screen.items
        self.perform(self.connection.disconnect(), in: &step)
        self.clear(in: &step)
        self.life = .destroyed
        self.emit(.destroyed, in: &step)
    }

    /// Begins the life of a client.
    mutating func initialize(in step: inout Step) {
        self.life = .ready
        self.connectsOnOpening = false
        self.needsFirstMessages = true
        self.isExpanded = self.settings.flag("openChatOnLoad")
        self.emit(.initialized, in: &step)
        guard self.settings.flag("displayPreviousMessages"), !self.stored.isEmpty else { return }
        self.screen.restore(self.stored)
        let messages = self.screen.items.map { item -> JSONValue in
            let origin: JSONObject = ["from": .string(item.origin.rawValue)]
            return .object(origin.merging(MessageFields.fields(of: item.payload)))
        }
        self.emit(
            .history, ["messages": .array(messages), "count": .integer(Int64(messages.count))], in: &step)
    }

    // MARK: Languages

    /// Changes the language of the chat and begins the conversation anew.
    mutating func setLanguage(_ tag: String?, in step: inout Step) {
        guard self.connection.status == .open else {
            self.fail("ConnectionNone", "The language can be set only while connected.", in: &step)
            return
        }
        self.language = self.languages.resolve(tag)
        self.clear(in: &step)
        self.sendLanguage(in: &step)
        self.emit(
            .languageChanged,
            [
                "language": self.language.map { .string($0) } ?? .null,
                "label": .string(self.languages.label(of: self.language)),
            ], in: &step)
    }

    // MARK: Timestamps

    private var datePattern: DatePattern {
        DatePattern(text: self.settings.word("timestampFormat") ?? "")
    }

    private var isRelative: Bool { self.settings.word("timestampMode") == "relative" }

    /// Returns the absolute time of a message in words.
    func timestamp(epochMilliseconds: Int64) -> String {
        self.datePattern.format(
            epochMilliseconds: epochMilliseconds, offset: self.settings.values["timeZoneOffset"]?.integer ?? 0)
    }

    /// The day of a message for the user, counted from 1970.
    private func day(epochMilliseconds: Int64) -> Int64 {
        let offset = self.settings.values["timeZoneOffset"]?.integer ?? 0
        return (epochMilliseconds / 60_000).addingReportingOverflow(offset).partialValue / 1440
    }

    /// Returns what stands at a message on the screen about when it came: its time; or, where ages are shown, the age
    /// of the latest one and the time above the first one of each day.
    func screenTimes(of item: Screen.Item, after previous: Screen.Item?, isLatest: Bool) -> JSONObject {
        guard self.settings.flag("enableTimestamp") else { return [:] }
        let time = JSONValue.string(self.timestamp(epochMilliseconds: item.date))
        guard self.isRelative else { return ["time": time] }
        var fields = JSONObject()
        let isFirst = previous.map { self.day(epochMilliseconds: $0.date) != self.day(epochMilliseconds: item.date) }
        if isFirst ?? true { fields["day"] = time }
        if isLatest { fields["time"] = self.latestAge.map { .string($0) } }
        return fields
    }

    /// A message was shown: it carries the age from now on.
    mutating func restartTimestamp(in step: inout Step) {
        guard self.settings.flag("enableTimestamp"), self.isRelative else { return }
        self.latestShown = step.now
        self.latestAge = self.words("odais_timestamp_now")
        step.ask(.setTimer(.age, RelativeTimestamp.untilChange(age: .zero)))
    }

    /// Returns the fields by which a new message says when it came.
    mutating func timestampFields(in step: inout Step) -> JSONObject {
        guard self.settings.flag("enableTimestamp") else { return [:] }
        let date = self.epochMilliseconds(at: step.now)
        guard self.isRelative else { return ["timestamp": .string(self.timestamp(epochMilliseconds: date))] }
        self.restartTimestamp(in: &step)
        var fields: JSONObject = ["timestamp": .string(self.words("odais_timestamp_now"))]
        let day = self.day(epochMilliseconds: date)
        if day != self.lastShownDay {
            self.lastShownDay = day
            fields["timestamp_header"] = .string(self.timestamp(epochMilliseconds: date))
        }
        return fields
    }

    /// The words for the age of the latest message change.
    mutating func updateTimestamp(in step: inout Step) {
        guard let latest = self.latestShown else { return }
        let age = step.now - latest
        let text = RelativeTimestamp.text(age: age, strings: self.settings.strings)
        self.latestAge = text
        self.emit(
            .timestampChanged,
            [
                "text": .string(text),
                "age": .double(Double(age.clampedNanoseconds) / 1e9),
            ], in: &step)
        step.ask(.setTimer(.age, RelativeTimestamp.untilChange(age: age)))
    }

    // MARK: Completions

    /// Asks for completions of what the user has typed.
    mutating func suggest(_ query: String, in step: inout Step) {
        guard self.settings.flag("enableAutocomplete") else {
            self.fail("SuggestionsInvalidRequest", "Completions are switched off (enable_autocomplete).", in: &step)
            return
        }
        guard !query.isEmpty else {
            self.fail("SuggestionsEmptyRequest", "There is nothing to complete.", in: &step)
            return
        }
        guard query.count >= 3 else {
            self.fail("SuggestionsInvalidRequest", "Completions are asked for from three characters on.", in: &step)
            return
        }
        guard !self.connection.isPolling else { return }
        let payload: JSONObject = ["type": "suggest", "query": .string(query), "threshold": 30]
        let members: JSONObject = ["messagePayload": .object(payload), "userId": .string(self.address.userID)]
        guard self.transmit(.object(members), in: &step) else {
            self.fail("ConnectionNone", "Completions can be asked for only while connected.", in: &step)
            return
        }
        self.suggestionRequests += 1
        step.ask(.setTimer(.suggestions, .seconds(10)))
    }

    /// No completions came in time.
    mutating func suggestionsTimedOut(in step: inout Step) {
        self.suggestionRequests = 0
        self.fail("SuggestionsTimeout", "The server sent no completions within ten seconds.", in: &step)
    }
}
