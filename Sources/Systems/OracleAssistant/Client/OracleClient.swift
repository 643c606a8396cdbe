import HTTPTypes
import JSON
import Machines

/// A client of an Oracle channel, put together from its parts: connection, conversation and everything a chat view
/// would do, without the view.
///
/// It passes what comes in to the part that it is for, and does what the parts want done; what happens then is said at
/// the parts. A whole life goes through ``LifeCyclePart``, ``ConnectionPart``, ``SessionPart`` and
/// ``EndConversationPart``; a message of the user through ``OutboxPart``, one of the server through ``InboxPart``.
struct OracleClient: ClientMachine {
    typealias Keys = OracleKeys

    private let settings: ClientSettings
    private var lifeCycle = LifeCyclePart()
    private var connection: ConnectionPart
    private var authorization: AuthorizationPart
    private var session: SessionPart
    private var end: EndConversationPart
    private var outbox: OutboxPart
    private var inbox: InboxPart
    private var stream = TextStreamPart()
    private var screen: Screen
    private var window: ChatWindowPart
    private var timestamps: TimestampPart
    private var speaker = SpeakerPart()
    private var indicator: TypingIndicatorPart
    private var typing: TypingStatusPart
    private var defaultResponses: DefaultResponsesPart
    private var autocomplete: AutocompletePart
    private var languages: LanguagePart
    private var actions: MessageActionPart
    private var forms: EditFormPart
    private var webView: WebViewPart
    private var attachments: AttachmentPart
    private var recognition: RecognitionPart
    private var synthesis: SynthesisPart
    /// The functions of the script that have not come back.
    private var calls = ScriptCalls()
    /// The thread that is shown.
    private var thread: String?
    /// The user's picture.
    private var personAvatar: String?

    /// Creates a client that is not connected.
    init(_ configuration: ClientConfiguration) throws(ConfigurationError) {
        let settings = try ClientSettings(configuration)
        self.settings = settings
        self.connection = ConnectionPart(configuration, settings)
        self.authorization = AuthorizationPart(settings)
        self.session = SessionPart(settings)
        self.end = EndConversationPart(settings)
        self.outbox = OutboxPart(settings)
        self.inbox = InboxPart(settings)
        self.screen = Screen(limit: settings.count("messageCacheSizeLimit"))
        self.window = ChatWindowPart(settings)
        self.timestamps = TimestampPart(settings)
        self.indicator = TypingIndicatorPart(settings)
        self.typing = TypingStatusPart(settings)
        self.defaultResponses = DefaultResponsesPart(settings)
        self.autocomplete = AutocompletePart(settings)
        self.languages = LanguagePart(settings)
        self.actions = MessageActionPart(settings)
        self.forms = EditFormPart(settings)
        self.webView = WebViewPart(settings)
        self.attachments = AttachmentPart(settings)
        self.recognition = RecognitionPart(settings)
        self.synthesis = SynthesisPart(settings)
        self.thread = settings.word("threadId")
    }

    var identity: JSONObject {
        ["user_id": .string(self.connection.address.userID), "channel_id": .string(self.connection.address.channelID)]
    }

    var properties: JSONObject {
        [
            "status": .string(self.connection.status.rawValue),
            "user_id": .string(self.connection.address.userID),
            "channel_id": .string(self.connection.address.channelID), "polling": .bool(self.connection.isPolling),
            "typing": .bool(self.indicator.isShown), "unread": .integer(self.window.unread),
            "language": self.languages.tag, "input": .string(self.typing.input),
            "thread": self.thread.map { .string($0) } ?? .null,
            "agent": self.speaker.details?.name.map { .string($0) } ?? .null,
            "messages": .integer(Int64(self.screen.items.count)), "expanded": .bool(self.window.isExpanded),
        ]
    }

    /// Whether messages can be sent.
    private var isOpen: Bool { self.connection.status == .open }

    /// What the parts must know of each other at an instant.
    private func moment(_ step: Step) -> ClientMoment {
        ClientMoment(
            now: step.now, epochMilliseconds: self.connection.epochMilliseconds(at: step.now),
            address: self.connection.address, status: self.connection.status, isPolling: self.connection.isPolling,
            isStreaming: self.stream.isReceiving, token: self.connection.token, thread: self.thread)
    }

    // MARK: Inputs

    mutating func handle(_ input: Input, in step: inout Step) {
        switch input {
        case .opened(.chat(let number), _): self.connect(.opened(number), in: &step)
        case .openFailed(.chat(let number), let failure): self.connect(.openFailed(number, failure), in: &step)
        case .received(.chat(let number), let message): self.connect(.received(number, message), in: &step)
        case .closed(.chat(let number), let closure): self.connect(.closed(number, closure), in: &step)
        case .opened(.recognition(let number), _): self.authorize(.proofAsked(recording: number), in: &step)
        case .openFailed(.recognition(let number), let failure):
            self.perform(self.recognition.handle(.openFailed(number, failure)), in: &step)
        case .received(.recognition(let number), let message):
            self.perform(self.recognition.handle(.received(number, message)), in: &step)
        case .closed(.recognition(let number), let closure):
            self.perform(self.recognition.handle(.closed(number, closure)), in: &step)
        case .responded(let exchange, let response):
            self.authorize(.answered(exchange, .success(response)), in: &step)
        case .exchangeFailed(let exchange, let failure):
            self.authorize(.answered(exchange, .failure(failure)), in: &step)
        case .timerFired(let timer): self.timerFired(timer, in: &step)
        case .scriptReturned(let call, let result): self.scriptReturned(call, result, in: &step)
        case .responseBegan, .bodyReceived, .responseEnded: break
        }
    }

    private mutating func timerFired(_ timer: Timer, in step: inout Step) {
        switch timer {
        case .connection(let timer): self.connect(.timerFired(timer), in: &step)
        case .defaultResponse(let kind):
            self.perform(self.defaultResponses.handle(.timerFired(kind), at: step.now), in: &step)
        case .typing: self.perform(self.typing.handle(.silenceElapsed, at: step.now), in: &step)
        case .indicator: self.indicate(.timedOut, in: &step)
        case .stream: self.perform(self.stream.handle(.silenceElapsed), in: &step)
        case .age: self.perform(self.timestamps.handle(.ageChanged, at: step.now), in: &step)
        case .sound: self.perform(self.recognition.handle(.pieceDue), in: &step)
        case .suggestions: self.perform(self.autocomplete.handle(.timedOut), in: &step)
        }
    }

    private mutating func scriptReturned(
        _ call: ScriptCallID, _ result: Result<JSONValue, ScriptCallFailure>, in step: inout Step
    ) {
        switch self.calls.end(call) {
        case .token: self.connect(.tokenReturned(result), in: &step)
        case .display(let envelope): self.perform(self.inbox.handle(.delegateReturned(envelope, result)), in: &step)
        case .send(let message): self.post(.delegateReturned(message, result), in: &step)
        case .endConversation(let message):
            self.perform(self.end.handle(.delegateReturned(message, result)), in: &step)
        case .speech(let call): self.voice(.scriptReturned(call, result), in: &step)
        case nil: break
        }
    }

    mutating func tearDown(in step: inout Step) {
        self.stopEverything(in: &step)
        // The script is gone, so only what must happen outside is done; the session ends unless nothing was said in it.
        let closesSession = self.session.hasSpoken && !self.end.isAskedFor
        for effect in self.connection.tearDown(closesSession: closesSession) { step.ask(effect) }
    }

    // MARK: Parts

    private mutating func connect(_ input: ConnectionPart.Input, in step: inout Step) {
        self.perform(self.connection.handle(input, at: step.now, random: &step.random), in: &step)
    }

    private mutating func authorize(_ input: AuthorizationPart.Input, in step: inout Step) {
        self.perform(self.authorization.handle(input, token: self.connection.token(at: step.now)), in: &step)
    }

    @discardableResult
    private mutating func post(_ input: OutboxPart.Input, in step: inout Step) -> CommandOutcome {
        let moment = self.moment(step)
        return self.perform(self.outbox.handle(input, moment, random: &step.random), in: &step)
    }

    private mutating func voice(_ input: SynthesisPart.Input, in step: inout Step) {
        let moment = self.moment(step)
        self.perform(self.synthesis.handle(input, moment), in: &step)
    }

    private mutating func indicate(_ input: TypingIndicatorPart.Input, raw: JSONValue? = nil, in step: inout Step) {
        self.perform(self.indicator.handle(input, agentName: self.speaker.details?.name, raw: raw), in: &step)
    }

    @discardableResult
    private mutating func attach(_ input: AttachmentPart.Input, in step: inout Step) -> CommandOutcome {
        self.perform(self.attachments.handle(input, random: &step.random), in: &step)
    }

    @discardableResult
    private mutating func act(_ input: MessageActionPart.Input, in step: inout Step) -> CommandOutcome {
        self.perform(self.actions.handle(input, on: self.screen, isConnected: self.isOpen), in: &step)
    }

    @discardableResult
    private mutating func fill(_ input: EditFormPart.Input, in step: inout Step) -> CommandOutcome {
        self.perform(self.forms.handle(input, on: self.screen, isConnected: self.isOpen), in: &step)
    }

    @discardableResult
    private mutating func openLink(
        _ url: String, inWebview: Bool?, fails: Bool, in step: inout Step
    ) -> CommandOutcome {
        let target = self.attachments.downloadURL(url, token: self.connection.token)
        let input = WebViewPart.Input.linkOpened(url, inWebview: inWebview, fails: fails, target: target)
        return self.perform(self.webView.handle(input), in: &step)
    }

    // MARK: Actions

    /// Does what a part wants done, and returns what the script's method returns.
    @discardableResult
    private mutating func perform(_ actions: [ClientAction], in step: inout Step) -> CommandOutcome {
        var outcome = CommandOutcome.done(.null)
        for action in actions {
            if case .answer(let answer) = action { outcome = answer }
            self.perform(action, in: &step)
        }
        return outcome
    }

    private mutating func perform(_ action: ClientAction, in step: inout Step) {
        switch action {
        case .perform(.send(let exchange, let request)): self.authorize(.asked(exchange, request), in: &step)
        case .perform(let effect):
            if case .cancel(let exchange, _) = effect { self.authorize(.abandoned(exchange), in: &step) }
            step.ask(effect)
        case .tokenCame(let token): self.authorize(.tokenCame(token), in: &step)
        case .askForToken(let forgetting): self.connect(.tokenNeeded(forgetting: forgetting), in: &step)
        case .release(let exchange, let request): step.ask(.send(exchange, request))
        case .answered(.connection(let number), let result): self.connect(.answered(number, result), in: &step)
        case .answered(.upload(let number), let result): self.attach(.answered(number, result), in: &step)
        case .answered(.voices(let number), let result): self.voice(.answered(number, result), in: &step)
        case .beginRecording(let number, let token):
            self.perform(self.recognition.handle(.opened(number, token: token)), in: &step)
        case .call(let continuation, let function, let arguments):
            step.ask(.callScript(self.calls.begin(continuation), function, arguments))
        case .answer: break
        case .begin: self.begin(in: &step)
        case .destroy: self.destroy(in: &step)
        case .connect:
            self.perform(self.session.handle(.connectAsked), in: &step)
            self.perform(self.window.handle(.connectAsked), in: &step)
            self.connect(.connectAsked, in: &step)
        case .disconnect: self.connect(.sessionClosed, in: &step)
        case .connectionClosed(let code, let message):
            self.perform(self.end.handle(.connectionClosed(code: code, message: message)), in: &step)
        case .conversationEnded: self.clearConversation(in: &step)
        case .stopRecording: self.perform(self.recognition.handle(.stopped), in: &step)
        case .transmit(let members): self.connect(.written(members), in: &step)
        case .send(let message): self.post(.queued(message), in: &step)
        case .sent(let message, let members): self.sent(message, members, in: &step)
        case .dropAnswers(let request): self.perform(self.inbox.handle(.responseCanceled(request: request)), in: &step)
        case .sendStatus(let status, let text): self.sendStatus(status, text: text, in: &step)
        case .sendFirstMessages:
            let input = SessionPart.Input.firstMessagesDue(isExpanded: self.window.isExpanded, isOpen: self.isOpen)
            self.perform(self.session.handle(input), in: &step)
        case .announceLanguage: self.perform(self.languages.handle(.sessionBegan), in: &step)
        case .receive(let text, let value): self.receive(text, value, in: &step)
        case .received(let envelope):
            if let thread = envelope.threadID, !envelope.isForWidget { self.thread = thread }
            self.perform(self.defaultResponses.handle(.received(envelope), at: step.now), in: &step)
        case .show(let envelope):
            self.perform(self.speaker.handle(.received(envelope)), in: &step)
            let received = ReceivedMessage(envelope: envelope)
            self.perform(received.actions(for: self.connection.address.userID), in: &step)
        case .drop(let envelope):
            self.perform(self.speaker.handle(.dropped(envelope)), in: &step)
            self.perform(.turnWent(envelope), in: &step)
        case .showNext: self.perform(self.inbox.handle(.nextAsked), in: &step)
        case .receiveStream(let piece, let envelope):
            self.perform(self.stream.handle(.received(piece, envelope)), in: &step)
        case .streamBegan: self.perform(self.window.handle(.streamBegan), in: &step)
        case .display(let envelope, let isCounted): self.display(envelope, isCounted: isCounted, in: &step)
        case .showError(let envelope, let message):
            self.append(envelope, in: &step)
            self.perform(.fail("SkillError", message), in: &step)
        case .turnWent(let envelope):
            if envelope.endsTurn { self.post(.turnEnded(request: envelope.requestID), in: &step) }
            self.perform(.showTyping(!envelope.endsTurn, from: ReceivedMessage(envelope: envelope).origin), in: &step)
        case .showTyping(let isActive, let origin, let raw):
            self.indicate(isActive ? .shown(origin, timesOut: false) : .hidden(origin), raw: raw, in: &step)
        case .sessionClosed:
            self.perform(self.window.handle(.sessionEnded), in: &step)
            self.perform(self.end.handle(.sessionClosed), in: &step)
        case .say(let kind): self.say(kind, in: &step)
        case .clearMessages: self.clearMessages(in: &step)
        case .markPast: self.screen.markPast()
        case .showPopup(let content):
            let date = self.connection.epochMilliseconds(at: step.now)
            let number = self.screen.append(content, from: .bot, at: date)
            self.perform(MessageFields.popup(content, number: number), in: &step)
        case .openLink(let url, let inWebview): self.openLink(url, inWebview: inWebview, fails: false, in: &step)
        case .submitForm(let number, let action): self.fill(.submitted([:], number: number, action), in: &step)
        case .placeText(let text): self.perform(self.typing.handle(.placed(text), at: step.now), in: &step)
        case .silence: self.voice(.recordingBegan, in: &step)
        }
    }

    // MARK: Life

    private mutating func begin(in step: inout Step) {
        self.perform(self.session.handle(.initialized), in: &step)
        self.perform(self.window.handle(.initialized), in: &step)
        self.perform(.emit(.initialized), in: &step)
        guard self.settings.flag("displayPreviousMessages"), self.screen.restore() else { return }
        let messages = self.screen.items.map { item -> JSONValue in
            let origin: JSONObject = ["from": .string(item.origin.rawValue)]
            return .object(origin.merging(MessageFields.fields(of: item.payload)))
        }
        let fields: JSONObject = ["messages": .array(messages), "count": .integer(Int64(messages.count))]
        self.perform(.emit(.history, fields), in: &step)
    }

    private mutating func destroy(in step: inout Step) {
        self.perform(self.end.handle(.destroyed), in: &step)
        self.connect(.destroyed, in: &step)
        self.stopEverything(in: &step)
        self.screen.store()
        self.connect(.disconnectAsked, in: &step)
        self.clearMessages(in: &step)
        self.perform(.emit(.destroyed), in: &step)
    }

    private mutating func clearConversation(in step: inout Step) {
        self.perform(self.session.handle(.ended), in: &step)
        self.perform(self.speaker.handle(.conversationEnded), in: &step)
        self.screen.forgetStored()
        self.clearMessages(in: &step)
        self.stopEverything(in: &step)
    }

    /// Cancels what would go on by itself: recordings, uploads, timers.
    private mutating func stopEverything(in step: inout Step) {
        self.attach(.stopped, in: &step)
        self.perform(self.recognition.handle(.stopped), in: &step)
        self.voice(.stopped, in: &step)
        self.perform(self.defaultResponses.handle(.stopped, at: step.now), in: &step)
        self.perform(self.typing.handle(.stopped, at: step.now), in: &step)
        self.indicate(.stopped, in: &step)
        self.perform(self.stream.handle(.stopped), in: &step)
        self.perform(self.timestamps.handle(.stopped, at: step.now), in: &step)
        self.perform(self.autocomplete.handle(.stopped), in: &step)
        self.perform(self.inbox.handle(.stopped), in: &step)
        self.post(.stopped, in: &step)
        self.calls = ScriptCalls(after: self.calls)
        self.authorize(.stopped, in: &step)
        self.connect(.tokenCallDropped, in: &step)
    }

    private mutating func clearMessages(in step: inout Step) {
        self.screen.clear()
        self.perform(self.webView.handle(.messagesCleared), in: &step)
        self.fill(.messagesCleared, in: &step)
        self.perform(self.defaultResponses.handle(.messagesCleared, at: step.now), in: &step)
        self.perform(self.timestamps.handle(.messagesCleared, at: step.now), in: &step)
    }

    // MARK: Messages

    /// Takes in one message of the server, by whichever transport it came.
    private mutating func receive(_ text: String, _ value: JSONValue?, in step: inout Step) {
        switch value.map(ServerFrame.init) {
        case .pong: break
        case .suggestions(let texts):
            self.perform(self.autocomplete.handle(.arrived(texts, raw: value ?? .null)), in: &step)
        case .message(let envelope): self.perform(self.inbox.handle(.received(envelope)), in: &step)
        case .other(let value):
            self.perform(ReceivedMessage.ignored("it has no messagePayload", raw: value), in: &step)
        case nil: self.perform(ReceivedMessage.ignored("it is not JSON", raw: .string(text)), in: &step)
        }
    }

    private mutating func display(_ envelope: Envelope, isCounted: Bool, in step: inout Step) {
        let number = self.append(envelope, isCounted: isCounted, in: &step)
        self.perform(self.timestamps.handle(.shown, at: step.now), in: &step)
        let times = self.timestamps.fields(ofMessageAt: self.connection.epochMilliseconds(at: step.now))
        let event = ReceivedMessage(envelope: envelope).shownEvent(
            number: number, agentName: self.speaker.details?.name, times: times, strings: self.settings.strings)
        self.perform(event, in: &step)
        self.voice(.messageShown(envelope.payload), in: &step)
    }

    @discardableResult
    private mutating func append(_ envelope: Envelope, isCounted: Bool = false, in step: inout Step) -> Int64 {
        let shown = self.screen.show(envelope, at: self.connection.epochMilliseconds(at: step.now))
        if shown.isNew { self.perform(self.window.handle(isCounted ? .streamShown : .messageShown), in: &step) }
        return shown.number
    }

    private mutating func sent(_ message: Outgoing, _ members: JSONObject, in step: inout Step) {
        var fields = MessageFields.fields(ofSent: message)
        if message.usesUpActions { self.screen.markPast() }
        if message.isShown {
            let date = self.connection.epochMilliseconds(at: step.now)
            let payload = Payload(members: message.payload)
            fields["number"] = .integer(self.screen.append(payload, from: .user, at: date, envelope: members))
            self.perform(self.timestamps.handle(.shown, at: step.now), in: &step)
        }
        let kind: EventKind = message.kind == .form ? .formSubmitted : .messageSent
        self.perform(.emit(kind, fields, raw: .object(members)), in: &step)
        guard message.isTurn else { return }
        self.perform(self.session.handle(.spoken), in: &step)
        self.perform(self.defaultResponses.handle(.messageSent, at: step.now), in: &step)
        // While the client speaks in place of the skill, its apology ends the indicator.
        if !self.speaker.isAgent { self.indicate(.shown(.bot, timesOut: !self.defaultResponses.isWaiting), in: &step) }
    }

    private mutating func sendStatus(_ status: StatusPayload.Status, text: String, in step: inout Step) {
        guard self.isOpen else { return }
        let members: JSONObject = [
            "messagePayload": StatusPayload.user(status, text: text).json,
            "userId": .string(self.connection.address.userID),
        ]
        self.perform(.transmit(members), in: &step)
        let fields: JSONObject = ["active": .bool(status == .responding), "text": .string(text)]
        self.perform(.emit(.typingSent, fields, raw: .object(members)), in: &step)
    }

    /// Shows what the client says in place of the skill.
    private mutating func say(_ kind: DefaultResponsesPart.Kind, in step: inout Step) {
        if kind == .sorry { self.perform(.showTyping(false, from: .bot), in: &step) }
        let text = self.settings.words("odais_default_\(kind.rawValue)_message")
        let date = self.connection.epochMilliseconds(at: step.now)
        let members: JSONObject = [
            "messagePayload": ["type": "text", "text": .string(text)],
            "userId": .string(self.connection.address.userID), "msgId": .string("\(date)"), "source": "BOT",
        ]
        self.screen.append(Envelope(members: members).payload, from: .client, at: date, envelope: members)
        self.perform(.emit(.autoMessage, ["type": .string(kind.rawValue), "text": .string(text)]), in: &step)
    }
}

// MARK: - Commands

extension OracleClient {
    static var commands: CommandSet<ClientCommand> { ClientVocabulary.commands }

    mutating func perform(_ command: ClientCommand, in step: inout Step) -> CommandOutcome {
        switch command {
        case .initialize: return self.perform(self.lifeCycle.handle(.initializeAsked), in: &step)
        case .living(let command, let name):
            guard self.lifeCycle.state != .destroyed else {
                return .refused("\(name) does nothing after destroy; call initialize first")
            }
            do throws(CommandError) {
                switch command {
                case .life(let command): return self.perform(command, in: &step)
                case .conversation(let command): return try self.perform(command, in: &step)
                case .view(let command): return try self.perform(command, in: &step)
                case .read(let command): return try self.read(command)
                }
            } catch {
                return .refused(error.message)
            }
        }
    }

    private mutating func perform(_ command: LifeCommand, in step: inout Step) -> CommandOutcome {
        switch command {
        case .connect(let options):
            self.perform(self.lifeCycle.handle(.connectAsked), in: &step)
            guard let options, !options.isEmpty else { return self.perform([.connect], in: &step) }
            let actions = self.connection.handle(.channelGiven(options), at: step.now, random: &step.random)
            return self.perform(actions, in: &step)
        case .disconnect:
            self.perform(self.recognition.handle(.stopped), in: &step)
            self.voice(.stopped, in: &step)
            self.perform(self.autocomplete.handle(.stopped), in: &step)
            self.attach(.connectionGivenUp, in: &step)
            self.connect(.disconnectAsked, in: &step)
        case .destroy: self.perform(self.lifeCycle.handle(.destroyAsked), in: &step)
        case .goOffline:
            self.attach(.connectionGivenUp, in: &step)
            self.connect(.wentOffline, in: &step)
        case .goOnline: self.connect(.wentOnline(isReady: self.lifeCycle.state == .ready), in: &step)
        case .endChat: self.perform(self.end.handle(.endAsked(self.moment(step))), in: &step)
        case .closeChat(let isConfirmed):
            guard self.settings.flag("enableEndConversation") else {
                return .refused("the view has no button to end the conversation (enable_end_conversation is false)")
            }
            if isConfirmed { self.perform(self.end.handle(.endAsked(self.moment(step))), in: &step) }
            return .done(self.end.question)
        }
        return .done(.null)
    }

    private mutating func perform(
        _ command: ConversationCommand, in step: inout Step
    ) throws(CommandError) -> CommandOutcome {
        switch command {
        case .say(let text):
            self.post(.queued(.text(text)), in: &step)
            self.perform(self.typing.handle(.textSent, at: step.now), in: &step)
        case .send(let value):
            self.perform(try SendArgument(value).actions(self.settings, isOpen: self.isOpen), in: &step)
        case .sendEvent(let event): self.post(.queued(.event(event)), in: &step)
        case .updateContext(let context, let more): self.post(.queued(.context(context, more: more)), in: &step)
        case .setProfile(let profile):
            let message = self.settings.profileMessage(["profile": .object(profile)])
            self.perform(self.isOpen ? .transmit(message) : SendArgument.profileNotSent, in: &step)
        case .sendLocation(let latitude, let longitude, let title):
            self.act(.locationSent(latitude: latitude, longitude: longitude, title: title), in: &step)
        case .tap(let label, let options): return self.act(.tapped(label, options ?? [:]), in: &step)
        case .rate(let stars): return self.act(.rated(stars: stars), in: &step)
        case .submitForm(let values, let number): return self.fill(.submitted(values, number: number, nil), in: &step)
        case .changeField(let key, let value): return self.fill(.changed(key: key, value), in: &step)
        case .upload(let file): return self.attach(.chosen(try ChosenFile(file), self.moment(step)), in: &step)
        case .suggest(let query): self.perform(self.autocomplete.handle(.asked(query, self.moment(step))), in: &step)
        case .cancelResponse: return self.post(.cancelAsked, in: &step)
        case .enterText(let text): self.enterText(text, in: &step)
        case .sendTypingStatus(let isActive, let text):
            let status = ClientAction.sendStatus(isActive ? .responding : .listening, text: text ?? "...")
            self.perform(self.isOpen ? status : SendArgument.statusNotSent, in: &step)
        case .setLanguage(let language):
            self.perform(self.languages.handle(.chosen(language, isOpen: self.isOpen)), in: &step)
        }
        return .done(.null)
    }

    private mutating func enterText(_ text: String, in step: inout Step) {
        // The view tells only an agent, and only if it may.
        let isWanted = self.settings.flag("enableSendTypingStatus") && self.speaker.isAgent && self.isOpen
        self.perform(self.typing.handle(.inputChanged(text, isWanted: isWanted), at: step.now), in: &step)
        guard self.autocomplete.isEnabled, AutocompletePart.isEnough(text), self.isOpen else { return }
        self.perform(self.autocomplete.handle(.asked(text, self.moment(step))), in: &step)
    }

    private mutating func perform(
        _ command: ViewCommand, in step: inout Step
    ) throws(CommandError) -> CommandOutcome {
        switch command {
        case .openChat:
            self.perform(self.window.handle(.opened), in: &step)
            self.perform(self.session.handle(.chatOpened), in: &step)
        case .minimizeChat: self.perform(self.window.handle(.minimized), in: &step)
        case .markAllRead: self.perform(self.window.handle(.allRead), in: &step)
        case .clearMessages:
            guard self.settings.flag("enableClearMessage") else {
                return .refused("the view has no button to clear messages (enable_clear_message is false)")
            }
            self.clearMessages(in: &step)
        case .clearHistory(let clearsView):
            self.screen.forgetStored()
            if clearsView { self.clearMessages(in: &step) }
        case .openLink(let url, let fails): return self.openLink(url, inWebview: nil, fails: fails, in: &step)
        case .closeLink: return self.perform(self.webView.handle(.closed), in: &step)
        case .setPlace(let latitude?, let longitude?, _):
            self.act(.placeSet(.known(latitude: latitude, longitude: longitude)), in: &step)
        case .setPlace(_, _, let obstacle): self.act(.placeSet(obstacle == .disabled ? .disabled : .denied), in: &step)
        case .setPersonAvatar(let avatar): self.personAvatar = avatar
        case .setAgentDetails(let members): return self.perform(self.speaker.handle(.detailsSet(members)), in: &step)
        case .setShareMenu(let value): return self.attach(.menuSet(value), in: &step)
        case .startRecording(let sound):
            let recording = try Recording(script: sound ?? [:])
            let isPermitted = sound?["permission"]?.bool ?? true
            let input = RecognitionPart.Input.started(recording, isPermitted: isPermitted, self.moment(step))
            self.perform(self.recognition.handle(input), in: &step)
        case .stopRecording: return self.perform(self.recognition.handle(.finishAsked), in: &step)
        case .setSpeechLocale(let locale): self.perform(self.recognition.handle(.localeSet(locale)), in: &step)
        case .speak(let text): self.voice(.speakAsked(text), in: &step)
        case .stopSpeech: self.voice(.stopAsked, in: &step)
        case .mute(let isMuted): self.voice(.muted(isMuted), in: &step)
        }
        return .done(.null)
    }

    private func read(_ command: ReadCommand) throws(CommandError) -> CommandOutcome {
        switch command {
        case .screen: return .done(self.view.fields)
        case .screenHTML: return .done(.string(ScreenHTML(settings: self.settings).draw(self.view.fields)))
        case .history:
            let messages = self.screen.items.compactMap { item in
                item.envelope.map { JSONValue.object($0.merging(["date": .integer(item.date)])) }
            }
            return .done([
                "messages": .array(messages), "messagesCount": .integer(Int64(messages.count)),
                "unreadCount": .integer(self.window.unread), "userId": .string(self.connection.address.userID),
            ])
        case .setting(let name): return .done(try self.settings.value(ofSetting: name))
        case .string(let key, let value): return .done(.string(try self.settings.words(ofKey: key, value)))
        case .agentDetails: return .done(self.speaker.details.map { .object($0.members) } ?? .null)
        case .shareMenu: return .done(self.attachments.menuFields)
        case .isRecording: return .done(.bool(self.recognition.isRecording))
        case .isSpeaking: return .done(.bool(self.synthesis.isSpeaking))
        case .languageMenu: return .done(self.languages.menu)
        case .downloadURL(let url):
            return .done(.string(self.attachments.downloadURL(url, token: self.connection.token)))
        }
    }

    private var view: ChatView {
        ChatView(
            settings: self.settings, status: self.connection.status, screen: self.screen,
            timestamps: self.timestamps, actions: self.actions, agent: self.speaker.details,
            personAvatar: self.personAvatar, isTyping: self.indicator.isShown, input: self.typing.input,
            isRecording: self.recognition.isRecording, isMuted: self.synthesis.isMuted,
            shareMenu: self.attachments.menuFields, page: self.webView.page)
    }
}
