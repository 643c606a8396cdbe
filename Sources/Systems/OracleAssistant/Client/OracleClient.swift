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
    private var view: ViewPart
    private var typing: TypingStatusPart
    private var defaultResponses: DefaultResponsesPart
    private var autocomplete: AutocompletePart
    private var languages: LanguagePart
    private var attachments: AttachmentPart
    private var recognition: RecognitionPart
    private var synthesis: SynthesisPart
    /// The functions of the script that have not come back.
    private var calls = Numbered<ScriptContinuation>()
    /// The thread that is shown.
    private var thread: String?

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
        self.view = ViewPart(settings)
        self.typing = TypingStatusPart(settings)
        self.defaultResponses = DefaultResponsesPart(settings)
        self.autocomplete = AutocompletePart(settings)
        self.languages = LanguagePart(settings)
        self.attachments = AttachmentPart(settings)
        self.recognition = RecognitionPart(settings)
        self.synthesis = SynthesisPart(settings)
        self.thread = settings.text("threadId")
    }

    var identity: JSONObject {
        ["user_id": .string(self.connection.address.userID), "channel_id": .string(self.connection.address.channelID)]
    }

    var properties: JSONObject {
        [
            "status": .string(self.connection.status.rawValue),
            "user_id": .string(self.connection.address.userID),
            "channel_id": .string(self.connection.address.channelID), "polling": .bool(self.connection.isPolling),
            "typing": .bool(self.view.indicator.isShown), "unread": .integer(self.view.window.unread),
            "language": self.languages.tag, "input": .string(self.typing.input),
            "thread": self.thread.map { .string($0) } ?? .null,
            "agent": self.view.speaker.details?.name.map { .string($0) } ?? .null,
            "messages": .integer(Int64(self.view.screen.items.count)), "expanded": .bool(self.view.window.isExpanded),
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
        case .typing:
            self.perform(self.typing.handle(.silenceElapsed(isWanted: self.tellsTyping), at: step.now), in: &step)
        case .indicator: self.show(.indicator(.timedOut), in: &step)
        case .stream: self.perform(self.stream.handle(.silenceElapsed), in: &step)
        case .age: self.show(.ageChanged, in: &step)
        case .sound: self.perform(self.recognition.handle(.pieceDue), in: &step)
        case .suggestions: self.perform(self.autocomplete.handle(.timedOut), in: &step)
        }
    }

    private mutating func scriptReturned(
        _ call: ScriptCallID, _ result: Result<JSONValue, ScriptCallFailure>, in step: inout Step
    ) {
        switch self.calls.take(call.number) {
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

    @discardableResult
    private mutating func connect(_ input: ConnectionPart.Input, in step: inout Step) -> CommandOutcome {
        let user = self.connection.address.userID
        let actions = self.connection.handle(input, at: step.now, random: &step.random)
        // Nobody is shown what another user has said, or waits for the answer.
        if !user.isEmpty, user != self.connection.address.userID {
            self.perform(self.session.handle(.userChanged), in: &step)
            self.perform(self.defaultResponses.handle(.connectionClosed, at: step.now), in: &step)
            self.show(.userChanged(from: user), in: &step)
        }
        return self.perform(actions, in: &step)
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

    @discardableResult
    private mutating func show(_ input: ViewPart.Input, in step: inout Step) -> CommandOutcome {
        self.perform(self.view.handle(input, self.moment(step)), in: &step)
    }

    @discardableResult
    private mutating func attach(_ input: AttachmentPart.Input, in step: inout Step) -> CommandOutcome {
        self.perform(self.attachments.handle(input, random: &step.random), in: &step)
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
            step.ask(.callScript(ScriptCallID(self.calls.add(continuation)), function, arguments))
        case .answer: break
        case .begin: self.begin(in: &step)
        case .destroy: self.destroy(in: &step)
        case .connect:
            self.perform(self.session.handle(.connectAsked), in: &step)
            self.show(.window(.connectAsked), in: &step)
            self.connect(.connectAsked, in: &step)
        case .disconnect: self.connect(.sessionClosed, in: &step)
        case .connectionClosed(let code, let message):
            self.perform(self.defaultResponses.handle(.connectionClosed, at: step.now), in: &step)
            self.perform(self.end.handle(.connectionClosed(code: code, message: message)), in: &step)
        case .conversationEnded: self.clearConversation(in: &step)
        case .stopRecording: self.perform(self.recognition.handle(.stopped), in: &step)
        case .transmit(let members): self.connect(.written(members), in: &step)
        case .send(let message): self.post(.queued(message), in: &step)
        case .sent(let message, let members): self.sent(message, members, in: &step)
        case .dropAnswers(let request): self.perform(self.inbox.handle(.responseCanceled(request: request)), in: &step)
        case .sendStatus(let status, let text):
            self.perform(TypingStatusPart.message(status, text: text, self.moment(step)), in: &step)
        case .sendFirstMessages:
            let input = SessionPart.Input.firstMessagesDue(isExpanded: self.view.window.isExpanded, isOpen: self.isOpen)
            self.perform(self.session.handle(input), in: &step)
        case .announceLanguage: self.perform(self.languages.handle(.sessionBegan), in: &step)
        case .receive(let text, let value): self.receive(text, value, in: &step)
        case .received(let envelope):
            if let thread = envelope.threadID, !envelope.isForWidget { self.thread = thread }
            self.perform(self.defaultResponses.handle(.received(envelope), at: step.now), in: &step)
        case .show(let envelope):
            self.show(.received(envelope), in: &step)
            let received = ReceivedMessage(envelope: envelope)
            self.perform(received.actions(for: self.connection.address.userID), in: &step)
        case .drop(let envelope):
            self.show(.dropped(envelope), in: &step)
            self.perform(.turnWent(envelope), in: &step)
        case .showNext: self.perform(self.inbox.handle(.nextAsked), in: &step)
        case .receiveStream(let piece, let envelope):
            self.perform(self.stream.handle(.received(piece, envelope)), in: &step)
        case .streamBegan: self.show(.window(.streamBegan), in: &step)
        case .display(let envelope, let isCounted):
            self.show(.shown(envelope, isCounted: isCounted), in: &step)
            self.voice(.messageShown(envelope.payload), in: &step)
        case .showError(let envelope, let message): self.show(.failed(envelope, message: message), in: &step)
        case .turnWent(let envelope):
            if envelope.endsTurn { self.post(.turnEnded(request: envelope.requestID), in: &step) }
            self.perform(.showTyping(!envelope.endsTurn, from: ReceivedMessage(envelope: envelope).origin), in: &step)
        case .showTyping(let isActive, let origin, let raw):
            self.show(.indicator(isActive ? .shown(origin, timesOut: false) : .hidden(origin), raw: raw), in: &step)
        case .sessionClosed:
            self.show(.window(.sessionEnded), in: &step)
            self.perform(self.end.handle(.sessionClosed), in: &step)
        case .say(let kind): self.show(.said(kind), in: &step)
        case .clearMessages: self.show(.cleared, in: &step)
        case .messagesCleared: self.perform(self.defaultResponses.handle(.messagesCleared, at: step.now), in: &step)
        case .chatOpened: self.perform(self.session.handle(.chatOpened), in: &step)
        case .markPast: self.show(.answered, in: &step)
        case .showPopup(let content): self.show(.popupOpened(content), in: &step)
        case .openLink(let url, let inWebview, let fails):
            let target = self.attachments.downloadURL(url, token: self.connection.token)
            self.show(.link(.linkOpened(url, inWebview: inWebview, fails: fails, target: target)), in: &step)
        case .submitForm(let number, let action): self.show(.form(.submitted([:], number: number, action)), in: &step)
        case .placeText(let text): self.perform(self.typing.handle(.placed(text), at: step.now), in: &step)
        case .silence: self.voice(.recordingBegan, in: &step)
        }
    }

    // MARK: Life

    private mutating func begin(in step: inout Step) {
        self.perform(self.session.handle(.initialized), in: &step)
        self.show(.began, in: &step)
    }

    private mutating func destroy(in step: inout Step) {
        self.perform(self.end.handle(.destroyed), in: &step)
        self.connect(.destroyed, in: &step)
        self.stopEverything(in: &step)
        self.connect(.disconnectAsked, in: &step)
        self.show(.destroyed, in: &step)
        self.perform(.emit(.destroyed), in: &step)
    }

    private mutating func clearConversation(in step: inout Step) {
        self.perform(self.session.handle(.ended), in: &step)
        self.show(.conversationEnded, in: &step)
        self.stopEverything(in: &step)
    }

    /// Cancels what would go on by itself: recordings, uploads, timers.
    private mutating func stopEverything(in step: inout Step) {
        self.attach(.stopped, in: &step)
        self.perform(self.recognition.handle(.stopped), in: &step)
        self.voice(.stopped, in: &step)
        self.perform(self.defaultResponses.handle(.stopped, at: step.now), in: &step)
        self.perform(self.typing.handle(.stopped, at: step.now), in: &step)
        self.show(.stopped, in: &step)
        self.perform(self.stream.handle(.stopped), in: &step)
        self.perform(self.autocomplete.handle(.stopped), in: &step)
        self.perform(self.inbox.handle(.stopped), in: &step)
        self.post(.stopped, in: &step)
        self.calls.removeAll()
        self.authorize(.stopped, in: &step)
        self.connect(.tokenCallDropped, in: &step)
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

    private mutating func sent(_ message: Outgoing, _ members: JSONObject, in step: inout Step) {
        self.show(.sent(message, members), in: &step)
        guard message.isTurn else { return }
        self.perform(self.session.handle(.spoken), in: &step)
        self.perform(self.defaultResponses.handle(.messageSent, at: step.now), in: &step)
        // While the client speaks in place of the skill, its apology ends the indicator.
        guard !self.view.speaker.isAgent else { return }
        self.show(.indicator(.shown(.bot, timesOut: !self.defaultResponses.isWaiting)), in: &step)
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
                case .view(let command): return self.show(.asked(command), in: &step)
                case .device(let command): return try self.perform(command, in: &step)
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
            return self.connect(.channelGiven(options), in: &step)
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
            self.perform(self.typing.handle(.textSent(isWanted: self.tellsTyping), at: step.now), in: &step)
        case .send(let value):
            self.perform(try SendArgument(value).actions(self.settings, isOpen: self.isOpen), in: &step)
        case .sendEvent(let event): self.post(.queued(.event(event)), in: &step)
        case .updateContext(let context, let more): self.post(.queued(.context(context, more: more)), in: &step)
        case .setProfile(let profile):
            let message = self.settings.profileMessage(["profile": .object(profile)])
            self.perform(self.isOpen ? .transmit(message) : SendArgument.profileNotSent, in: &step)
        case .sendLocation(let latitude, let longitude, let title):
            self.show(.button(.locationSent(latitude: latitude, longitude: longitude, title: title)), in: &step)
        case .tap(let label, let options): return self.show(.button(.tapped(label, options ?? [:])), in: &step)
        case .rate(let stars): return self.show(.button(.rated(stars: stars)), in: &step)
        case .submitForm(let values, let id): return self.show(.form(.submitted(values, number: id, nil)), in: &step)
        case .changeField(let key, let value): return self.show(.form(.changed(key: key, value)), in: &step)
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

    /// Whether the view tells that the user types: only an agent, and only if it may.
    private var tellsTyping: Bool {
        self.settings.flag("enableSendTypingStatus") && self.view.speaker.isAgent && self.isOpen
    }

    private mutating func enterText(_ text: String, in step: inout Step) {
        self.perform(self.typing.handle(.inputChanged(text, isWanted: self.tellsTyping), at: step.now), in: &step)
        guard self.autocomplete.isEnabled, AutocompletePart.isEnough(text), self.isOpen else { return }
        self.perform(self.autocomplete.handle(.asked(text, self.moment(step))), in: &step)
    }

    private mutating func perform(
        _ command: DeviceCommand, in step: inout Step
    ) throws(CommandError) -> CommandOutcome {
        switch command {
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
        case .screen: return .done(self.shownView.fields)
        case .screenHTML: return .done(.string(ScreenHTML(settings: self.settings).draw(self.shownView.fields)))
        case .history: return .done(self.view.history(of: self.connection.address.userID))
        case .setting(let name): return .done(try self.settings.value(ofSetting: name))
        case .string(let key, let value): return .done(.string(try self.settings.words(ofKey: key, value)))
        case .agentDetails: return .done(self.view.speaker.details.map { .object($0.members) } ?? .null)
        case .shareMenu: return .done(self.attachments.menuFields)
        case .isRecording: return .done(.bool(self.recognition.isRecording))
        case .isSpeaking: return .done(.bool(self.synthesis.isSpeaking))
        case .languageMenu: return .done(self.languages.menu)
        case .downloadURL(let url):
            return .done(.string(self.attachments.downloadURL(url, token: self.connection.token)))
        }
    }

    private var shownView: ChatView {
        ChatView(
            settings: self.settings, status: self.connection.status, view: self.view, input: self.typing.input,
            isRecording: self.recognition.isRecording, isMuted: self.synthesis.isMuted,
            shareMenu: self.attachments.menuFields)
    }
}
