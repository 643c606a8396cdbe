import JSON
import Machines

extension OracleClient {
    static var commands: CommandSet<ClientCommand> { ClientVocabulary.commands }

    mutating func perform(_ command: ClientCommand, in step: inout Step) -> CommandOutcome {
        switch command {
        case .initialize:
            guard self.life != .ready else {
                return .refused("the client is initialized already; call destroy first")
            }
            self.initialize(in: &step)
            self.connect(in: &step)
            return .done(.null)
        case .living(let command, let name):
            guard self.life != .destroyed else {
                return .refused("\(name) does nothing after destroy; call initialize first")
            }
            switch command {
            case .life(let command): return self.perform(command, in: &step)
            case .conversation(let command): return self.perform(command, in: &step)
            case .view(let command): return self.perform(command, in: &step)
            case .read(let command): return self.read(command)
            }
        }
    }

    // MARK: Life

    private mutating func perform(_ command: LifeCommand, in step: inout Step) -> CommandOutcome {
        switch command {
        case .connect(let options):
            if self.life == .created { self.initialize(in: &step) }
            if let options, !options.isEmpty { return self.connect(with: options, in: &step) }
            self.connect(in: &step)
        case .disconnect:
            self.connectsAfterClose = false
            for effect in self.speech.stop() + self.voices.stop() { step.ask(effect) }
            self.perform(self.connection.disconnect(), in: &step)
        case .destroy: self.destroy(in: &step)
        case .goOffline:
            self.isOnline = false
            self.perform(self.connection.disconnect(), in: &step)
        case .goOnline:
            self.isOnline = true
            if self.life == .ready { self.connect(in: &step) }
        case .endChat: self.endChat(in: &step)
        case .closeChat(let isConfirmed):
            guard self.settings.flag("enableEndConversation") else {
                return .refused("the view has no button to end the conversation (enable_end_conversation is false)")
            }
            if isConfirmed { self.endChat(in: &step) }
            return .done(
                .object([
                    "title": .string(self.words("end_conversation_alert_title")),
                    "message": .string(self.words("end_conversation_alert_message")),
                    "yes": .string(self.words("end_conversation_action_yes")),
                    "no": .string(self.words("end_conversation_alert_no")),
                ]))
        }
        return .done(.null)
    }

    /// Connects with another channel, user or server; everything else stays as it is.
    private mutating func connect(with options: JSONObject, in step: inout Step) -> CommandOutcome {
        let own = self.configuration.options
        var merged = own.merging(options)
        // A new channel without a token is one that demands none.
        if options["channel_id"] != nil, options["token"] == nil, options["auth_token"] == nil {
            for name in ["token", "auth_token", "token_provider", "token_fixture", "client_auth_enabled"] {
                merged[name] = options[name]
            }
        }
        let configuration = ClientConfiguration(
            origin: self.configuration.origin, target: self.configuration.target, options: merged,
            epochMilliseconds: self.configuration.epochMilliseconds)
        let settings: ClientSettings
        do throws(ConfigurationError) { settings = try ClientSettings(configuration) } catch {
            return .refused(error.message)
        }
        var address = settings.address
        if address.userID.isEmpty { address.userID = self.address.userID }
        let new = ConnectionSettings(settings, address: address)
        let isSame = new == self.connection.settings && !new.needsToken
        if isSame || self.connection.status == .closed {
            self.address = address
            self.tokens = TokenCache(settings.tokenSource)
            if !isSame { self.connection = ConnectionStateMachine(new, after: self.connection) }
            self.connect(in: &step)
            return .done(.null)
        }
        self.address = address
        self.tokens = TokenCache(settings.tokenSource)
        self.perform(self.connection.restart(with: new), in: &step)
        return .done(.null)
    }

    // MARK: Conversation

    private mutating func perform(_ command: ConversationCommand, in step: inout Step)
        -> CommandOutcome
    {
        switch command {
        case .say(let text):
            self.send(Outgoing(["type": "text", "text": .string(text)], kind: .visible), in: &step)
            self.inputCleared(in: &step)
        case .send(let message): return self.send(message, in: &step)
        case .sendEvent(let event):
            var payload: JSONObject = [
                "type": "inboundEvent", "eventType": .string(event.type),
                "eventVersion": .string(event.version ?? "1.0"), "eventData": event.data ?? .object([:]),
            ]
            payload["contextProperties"] = event.context
            self.send(Outgoing(payload, kind: .event), in: &step)
        case .updateContext(let context, let more):
            var payload: JSONObject = [
                "type": "updateApplicationContextCommand", "source": "chatWindow",
                "context": .string(context),
            ]
            for (member, value) in more ?? [:] { payload[member] = value }
            self.send(Outgoing(payload, kind: .event), in: &step)
        case .setProfile(let profile):
            guard self.connection.status == .open else {
                self.fail("ConnectionNone", "The profile was not sent, for the client is not connected.", in: &step)
                break
            }
            self.sendProfile(["profile": .object(profile)], in: &step)
        case .sendLocation(let latitude, let longitude, let title):
            self.sendLocation(latitude, longitude, title: title, rounds: false, in: &step)
        case .tap(let label, let options): return self.tap(label, options ?? [:], in: &step)
        case .rate(let stars): return self.rate(stars, in: &step)
        case .submitForm(let values, let number):
            return self.submitForm(values, number: number, in: &step)
        case .changeField(let key, let value): return self.changeField(key, value, in: &step)
        case .upload(let file): return self.upload(file, in: &step)
        case .suggest(let query): self.suggest(query, in: &step)
        case .cancelResponse:
            guard let request = self.lastRequestID else {
                return .refused("cancel_response needs enable_cancel_response and a message that was sent")
            }
            self.cancelled.insert(request)
            self.showTyping(false, from: .bot, in: &step)
        case .enterText(let text): self.enterText(text, in: &step)
        case .sendTypingStatus(let isActive, let text):
            guard self.connection.status == .open else {
                self.fail("ConnectionNone", "The status was not sent, for the client is not connected.", in: &step)
                break
            }
            self.sendStatus(isActive ? .responding : .listening, text: text ?? "...", in: &step)
        case .setLanguage(let language): self.setLanguage(language, in: &step)
        }
        return .done(.null)
    }

    /// The input field is empty after its text was sent.
    private mutating func inputCleared(in step: inout Step) {
        self.sendTyping(self.typing.inputChanged(to: "", at: step.now), in: &step)
    }

    private mutating func enterText(_ text: String, in step: inout Step) {
        let outcome = self.typing.inputChanged(to: text, at: step.now)
        // The view tells only an agent, and only if it may.
        let isWanted = self.settings.flag("enableSendTypingStatus") && self.people.agent != nil
        if isWanted, self.connection.status == .open { self.sendTyping(outcome, in: &step) }
        if self.settings.flag("enableAutocomplete"), text.count >= 3, self.connection.status == .open {
            self.suggest(text, in: &step)
        }
    }

    /// Sends what a script made: a text, a payload, a whole message or an action.
    private mutating func send(_ value: JSONValue, in step: inout Step) -> CommandOutcome {
        if let text = value.string {
            self.send(Outgoing(["type": "text", "text": .string(text)], kind: .visible), in: &step)
            return .done(.null)
        }
        guard let members = value.object else {
            return .refused("send takes a text, a payload such as { type = \"text\", text = \"…\" } or a message")
        }
        if members["profile"] != nil || members["type"] == nil && members["messagePayload"] == nil {
            guard members["profile"]?.object != nil else {
                self.fail("ProfileInvalid", "A message without payload needs a table profile.", in: &step)
                return .done(.null)
            }
            if !self.transmit(.object(members.merging(["sdkMetadata": .object(self.metadata)])), in: &step) {
                self.fail("ConnectionNone", "The profile was not sent, for the client is not connected.", in: &step)
            }
            return .done(.null)
        }
        let payload = members["messagePayload"]?.object ?? members
        if payload["type"]?.string == "postback", payload["text"] == nil, let label = payload["label"] {
            var message = payload
            message["label"] = nil
            message["text"] = label
            self.send(Outgoing(message, kind: .postback(action: payload)), in: &step)
            return .done(.null)
        }
        let kind: Outgoing.Kind =
            switch Payload(members: payload).type {
            case .postback: .postback(action: payload)
            case .formSubmission: .form
            case .inboundEvent, .updateApplicationContextCommand, .status: .event
            case .closeSession: .close
            default: .visible
            }
        self.send(Outgoing(payload, kind: kind), in: &step)
        return .done(.null)
    }

    /// Sends a place.
    ///
    /// - Parameter rounds: Whether the coordinates come from the device and are rounded to five decimals.
    mutating func sendLocation(
        _ latitude: Double, _ longitude: Double, title: String?, rounds: Bool, in step: inout Step
    ) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
            self.fail("LocationInvalid", "Latitudes go from -90 to 90, longitudes from -180 to 180.", in: &step)
            return
        }
        func rounded(_ value: Double) -> JSONValue { .double(rounds ? (value * 100_000).rounded() / 100_000 : value) }
        var location: JSONObject = ["latitude": rounded(latitude), "longitude": rounded(longitude)]
        location["title"] = title.map { .string($0) }
        self.send(Outgoing(["type": "location", "location": .object(location)], kind: .visible), in: &step)
    }
}
