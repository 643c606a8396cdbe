import JSON
import Machines

extension OracleClient {
    mutating func perform(_ command: Command, in step: inout ClientStep) -> CommandOutcome {
        let arguments = command.arguments
        if command.name == "initialize" {
            guard self.life != .ready else { return .refused("the client is initialized already; call destroy first") }
            self.initialize(in: &step)
            self.connect(in: &step)
            return .done(.null)
        }
        guard self.life != .destroyed else {
            return .refused("\(command.name) does nothing after destroy; call initialize first")
        }
        if let outcome = self.performReading(command) { return outcome }
        if let outcome = self.performLife(command.name, arguments, in: &step) { return outcome }
        if let outcome = self.performConversation(command.name, arguments, in: &step) { return outcome }
        if let outcome = self.performView(command.name, arguments, in: &step) { return outcome }
        return .refused("\(command.name) is not a method of an Oracle client")
    }

    // MARK: Life

    private mutating func performLife(
        _ name: String, _ arguments: JSONObject, in step: inout ClientStep
    ) -> CommandOutcome? {
        switch name {
        case "connect":
            if self.life == .created { self.initialize(in: &step) }
            if let options = arguments["options"]?.object, !options.isEmpty {
                return self.connect(with: options, in: &step)
            }
            self.connect(in: &step)
        case "disconnect":
            self.connectsAfterClose = false
            for effect in self.speech.stop() + self.voices.stop() { step.ask(effect) }
            self.perform(self.connection.disconnect(), in: &step)
        case "destroy": self.destroy(in: &step)
        case "go_offline":
            self.isOnline = false
            self.perform(self.connection.disconnect(), in: &step)
        case "go_online":
            self.isOnline = true
            if self.life == .ready { self.connect(in: &step) }
        case "end_chat": self.endChat(in: &step)
        case "close_chat":
            guard self.settings.flag("enableEndConversation") else {
                return .refused("the view has no button to end the conversation (enable_end_conversation is false)")
            }
            if arguments["confirm"]?.bool ?? true { self.endChat(in: &step) }
            return .done(
                .object([
                    "title": .string(self.words("end_conversation_alert_title")),
                    "message": .string(self.words("end_conversation_alert_message")),
                    "yes": .string(self.words("end_conversation_action_yes")),
                    "no": .string(self.words("end_conversation_alert_no")),
                ]))
        default: return nil
        }
        return .done(.null)
    }

    /// Connects with another channel, user or server; everything else stays as it is.
    private mutating func connect(with options: JSONObject, in step: inout ClientStep) -> CommandOutcome {
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

    private mutating func performConversation(
        _ name: String, _ arguments: JSONObject, in step: inout ClientStep
    ) -> CommandOutcome? {
        switch name {
        case "say":
            let text = arguments["text"]?.string ?? ""
            self.send(Outgoing(["type": "text", "text": .string(text)], kind: .visible), in: &step)
            self.inputCleared(in: &step)
        case "send": return self.send(arguments["message"] ?? .null, in: &step)
        case "send_event":
            var payload: JSONObject = [
                "type": "inboundEvent", "eventType": arguments["type"] ?? .null,
                "eventVersion": arguments["version"] ?? "1.0", "eventData": arguments["data"] ?? .object([:]),
            ]
            payload["contextProperties"] = arguments["context"]
            self.send(Outgoing(payload, kind: .event), in: &step)
        case "update_context":
            var payload: JSONObject = ["type": "updateApplicationContextCommand", "source": "chatWindow"]
            payload["context"] = arguments["context"]
            for (member, value) in arguments["more"]?.object ?? [:] { payload[member] = value }
            self.send(Outgoing(payload, kind: .event), in: &step)
        case "set_profile":
            guard let profile = arguments["profile"]?.object else { return .refused("set_profile takes a table") }
            guard self.connection.status == .open else {
                self.fail("ConnectionNone", "The profile was not sent, for the client is not connected.", in: &step)
                break
            }
            self.sendProfile(["profile": .object(profile)], in: &step)
        case "send_location":
            self.sendLocation(
                arguments["latitude"]?.double ?? .nan, arguments["longitude"]?.double ?? .nan,
                title: arguments["title"]?.string, rounds: false, in: &step)
        case "tap": return self.tap(arguments, in: &step)
        case "rate": return self.rate(arguments["stars"]?.integer ?? 0, in: &step)
        case "submit_form":
            return self.submitForm(
                arguments["values"]?.object ?? [:], number: arguments["number"]?.integer, in: &step)
        case "change_field":
            return self.changeField(arguments["key"]?.string ?? "", arguments["value"] ?? .null, in: &step)
        case "upload": return self.upload(arguments["file"]?.object ?? [:], in: &step)
        case "suggest": self.suggest(arguments["query"]?.string ?? "", in: &step)
        case "cancel_response":
            guard let request = self.lastRequestID else {
                return .refused("cancel_response needs enable_cancel_response and a message that was sent")
            }
            self.cancelled.insert(request)
            self.showTyping(false, from: .bot, in: &step)
        case "enter_text": self.enterText(arguments["text"]?.string ?? "", in: &step)
        case "send_typing_status":
            let isActive = arguments["active"]?.bool ?? true
            guard self.connection.status == .open else {
                self.fail("ConnectionNone", "The status was not sent, for the client is not connected.", in: &step)
                break
            }
            self.sendStatus(
                isActive ? .responding : .listening, text: arguments["text"]?.string ?? "...", in: &step)
        case "set_language": self.setLanguage(arguments["language"]?.string, in: &step)
        default: return nil
        }
        return .done(.null)
    }

    /// The input field is empty after its text was sent.
    private mutating func inputCleared(in step: inout ClientStep) {
        self.sendTyping(self.typing.inputChanged(to: "", at: step.now), in: &step)
    }

    private mutating func enterText(_ text: String, in step: inout ClientStep) {
        let outcome = self.typing.inputChanged(to: text, at: step.now)
        // The view tells only an agent, and only if it may.
        let isWanted = self.settings.flag("enableSendTypingStatus") && self.people.agent != nil
        if isWanted, self.connection.status == .open { self.sendTyping(outcome, in: &step) }
        if self.settings.flag("enableAutocomplete"), text.count >= 3, self.connection.status == .open {
            self.suggest(text, in: &step)
        }
    }

    /// Sends what a script made: a text, a payload, a whole message or an action.
    private mutating func send(_ value: JSONValue, in step: inout ClientStep) -> CommandOutcome {
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
        _ latitude: Double, _ longitude: Double, title: String?, rounds: Bool, in step: inout ClientStep
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
