import JSON
import Machines

/// The view of the chat: the window, the messages in it with whatever can be done with them, and who speaks.
///
/// What is said at ``ChatWindowPart``, ``TypingIndicatorPart``, ``SpeakerPart``, ``TimestampPart``,
/// ``MessageActionPart``, ``EditFormPart`` and ``WebViewPart`` is done by those. Around them:
///
/// | messages | input | → messages | actions |
/// |---|---|---|---|
/// | any | `began`, messages are kept | those kept of the user | `initialized`; `history`, if there are any |
/// | any | `began` otherwise | unchanged | `initialized` |
/// | any | `userChanged` | those kept of the new user | all are read; `history`, if there are any |
/// | any | `shown` | one more, or the last one changed | counts it as unread; `message` |
/// | any | `failed` | the same | counts it as unread; `error` |
/// | any | `sent`, a message that is shown | one more | `message_sent`, `form_submitted` |
/// | any | `sent` otherwise | unchanged | the same |
/// | any | `said` | one more | `auto_message`; an apology hides the typing indicator |
/// | any | `popupOpened` | one more | `popup` |
/// | any | `answered`, `sent` a message that uses up actions | all past | |
/// | any | `cleared`, `destroyed`, `conversationEnded` | none | `messagesCleared` |
struct ViewPart: Sendable {
    /// What happens to the view.
    enum Input: Sendable {
        case began
        /// Another user than the one named takes over.
        case userChanged(from: String)
        case conversationEnded
        case destroyed
        case stopped
        /// A message of the server is about to be shown, or a delegate has dropped it.
        case received(Envelope)
        case dropped(Envelope)
        case shown(Envelope, isCounted: Bool)
        /// The skill tells of an error.
        case failed(Envelope, message: String)
        case sent(Outgoing, JSONObject)
        /// The client says something in place of the skill.
        case said(DefaultResponsesPart.Kind)
        case popupOpened(Payload)
        /// The user has answered by other means than a message.
        case answered
        case cleared
        case ageChanged
        case asked(ViewCommand)
        case window(ChatWindowPart.Input)
        case indicator(TypingIndicatorPart.Input, raw: JSONValue? = nil)
        case button(MessageActionPart.Input)
        case form(EditFormPart.Input)
        case link(WebViewPart.Input)
    }

    private let settings: ClientSettings
    private(set) var screen: Screen
    private(set) var window: ChatWindowPart
    private(set) var indicator: TypingIndicatorPart
    private(set) var speaker = SpeakerPart()
    private(set) var timestamps: TimestampPart
    private(set) var actions: MessageActionPart
    private var forms: EditFormPart
    private var webView: WebViewPart
    /// The user's picture.
    private(set) var personAvatar: String?

    /// Creates a view without messages.
    init(_ settings: ClientSettings) {
        self.settings = settings
        self.screen = Screen(limit: settings.count("messageCacheSizeLimit"))
        self.window = ChatWindowPart(settings)
        self.indicator = TypingIndicatorPart(settings)
        self.timestamps = TimestampPart(settings)
        self.actions = MessageActionPart(settings)
        self.forms = EditFormPart(settings)
        self.webView = WebViewPart(settings)
    }

    /// The page that is open within the chat.
    var page: JSONObject? { self.webView.page }

    /// Takes in what happened.
    mutating func handle(_ input: Input, _ moment: ClientMoment) -> [ClientAction] {
        switch input {
        case .began:
            return self.window.handle(.initialized) + [.emit(.initialized)] + self.showKept(of: moment.address.userID)
        case .userChanged(let former):
            self.keep(of: former)
            return self.speaker.handle(.conversationEnded) + self.window.handle(.allRead) + self.clear(moment)
                + self.showKept(of: moment.address.userID)
        case .conversationEnded:
            self.screen.forgetStored(of: moment.address.userID)
            return self.speaker.handle(.conversationEnded) + self.clear(moment)
        case .destroyed:
            self.keep(of: moment.address.userID)
            return self.clear(moment)
        case .stopped: return self.indicate(.stopped) + self.timestamps.handle(.stopped, at: moment.now)
        case .received(let envelope): return self.speaker.handle(.received(envelope))
        case .dropped(let envelope): return self.speaker.handle(.dropped(envelope))
        case .shown(let envelope, let isCounted): return self.show(envelope, isCounted: isCounted, moment)
        case .failed(let envelope, let message):
            return self.append(envelope, isCounted: false, moment).actions + [.fail("SkillError", message)]
        case .sent(let message, let members): return self.send(message, members, moment)
        case .said(let kind): return self.say(kind, moment)
        case .popupOpened(let content):
            let number = self.screen.append(content, from: .bot, at: moment.epochMilliseconds)
            return [MessageFields.popup(content, number: number)]
        case .answered:
            self.screen.markPast()
            return []
        case .cleared: return self.clear(moment)
        case .ageChanged: return self.timestamps.handle(.ageChanged, at: moment.now)
        case .asked(let command): return self.perform(command, moment)
        case .window(let input): return self.window.handle(input)
        case .indicator(let input, let raw): return self.indicate(input, raw: raw)
        case .button(let input): return self.actions.handle(input, on: self.screen, isConnected: moment.isOpen)
        case .form(let input): return self.forms.handle(input, on: self.screen, isConnected: moment.isOpen)
        case .link(let input): return self.webView.handle(input)
        }
    }

    private mutating func indicate(_ input: TypingIndicatorPart.Input, raw: JSONValue? = nil) -> [ClientAction] {
        self.indicator.handle(input, agentName: self.speaker.details?.name, raw: raw)
    }

    // MARK: Messages

    private mutating func show(_ envelope: Envelope, isCounted: Bool, _ moment: ClientMoment) -> [ClientAction] {
        let shown = self.append(envelope, isCounted: isCounted, moment)
        let aging = self.timestamps.handle(.shown, at: moment.now)
        let event = ReceivedMessage(envelope: envelope).shownEvent(
            number: shown.number, agentName: self.speaker.details?.name,
            times: self.timestamps.fields(ofMessageAt: moment.epochMilliseconds), strings: self.settings.strings)
        return shown.actions + aging + [event]
    }

    private mutating func append(
        _ envelope: Envelope, isCounted: Bool, _ moment: ClientMoment
    ) -> (number: Int64, actions: [ClientAction]) {
        let shown = self.screen.show(envelope, at: moment.epochMilliseconds)
        return (shown.number, shown.isNew ? self.window.handle(isCounted ? .streamShown : .messageShown) : [])
    }

    private mutating func send(_ message: Outgoing, _ members: JSONObject, _ moment: ClientMoment) -> [ClientAction] {
        var fields = MessageFields.fields(ofSent: message)
        var actions: [ClientAction] = []
        if message.usesUpActions { self.screen.markPast() }
        if message.isShown {
            let payload = Payload(members: message.payload)
            let number = self.screen.append(payload, from: .user, at: moment.epochMilliseconds, envelope: members)
            fields["number"] = .integer(number)
            actions = self.timestamps.handle(.shown, at: moment.now)
        }
        let kind: EventKind = message.kind == .form ? .formSubmitted : .messageSent
        return actions + [.emit(kind, fields, raw: .object(members))]
    }

    private mutating func say(_ kind: DefaultResponsesPart.Kind, _ moment: ClientMoment) -> [ClientAction] {
        let text = self.settings.words("odais_default_\(kind.rawValue)_message")
        let members: JSONObject = [
            "messagePayload": ["type": "text", "text": .string(text)],
            "userId": .string(moment.address.userID), "msgId": .string("\(moment.epochMilliseconds)"), "source": "BOT",
        ]
        self.screen.append(
            Envelope(members: members).payload, from: .client, at: moment.epochMilliseconds, envelope: members)
        return (kind == .sorry ? self.indicate(.hidden(.bot)) : [])
            + [.emit(.autoMessage, ["type": .string(kind.rawValue), "text": .string(text)])]
    }

    private mutating func clear(_ moment: ClientMoment) -> [ClientAction] {
        self.screen.clear()
        return self.webView.handle(.messagesCleared) + self.handle(.form(.messagesCleared), moment)
            + self.timestamps.handle(.messagesCleared, at: moment.now) + [.messagesCleared]
    }

    // MARK: Earlier lives

    /// Whether a user sees again what was said before.
    private var keepsMessages: Bool { self.settings.flag("displayPreviousMessages") }

    private mutating func keep(of user: String) {
        if self.keepsMessages { self.screen.store(of: user) }
    }

    private mutating func showKept(of user: String) -> [ClientAction] {
        guard self.keepsMessages, self.screen.restore(of: user) else { return [] }
        let messages = self.screen.items.map { item -> JSONValue in
            let origin: JSONObject = ["from": .string(item.origin.rawValue)]
            return .object(origin.merging(MessageFields.fields(of: item.payload)))
        }
        return [.emit(.history, ["messages": .array(messages), "count": .integer(Int64(messages.count))])]
    }

    /// The messages of a user as they went over the wire, with dates.
    func history(of user: String) -> JSONValue {
        let messages = self.screen.items.filter { !$0.isForgotten }.compactMap { item in
            item.envelope.map { JSONValue.object($0.merging(["date": .integer(item.date)])) }
        }
        return [
            "messages": .array(messages), "messagesCount": .integer(Int64(messages.count)),
            "unreadCount": .integer(self.window.unread), "userId": .string(user),
        ]
    }

    // MARK: Commands

    private mutating func perform(_ command: ViewCommand, _ moment: ClientMoment) -> [ClientAction] {
        switch command {
        case .openChat: return self.window.handle(.opened) + [.chatOpened]
        case .minimizeChat: return self.window.handle(.minimized)
        case .markAllRead: return self.window.handle(.allRead)
        case .clearMessages:
            guard self.settings.flag("enableClearMessage") else {
                let reason = "the view has no button to clear messages (enable_clear_message is false)"
                return [.answer(.refused(reason))]
            }
            return self.clear(moment)
        case .clearHistory(let clearsView):
            self.screen.clearHistory(of: moment.address.userID)
            return clearsView ? self.clear(moment) : []
        case .openLink(let url, let fails): return [.openLink(url, inWebview: nil, fails: fails)]
        case .closeLink: return self.webView.handle(.closed)
        case .setPlace(let latitude?, let longitude?, _):
            return self.handle(.button(.placeSet(.known(latitude: latitude, longitude: longitude))), moment)
        case .setPlace(_, _, let obstacle):
            return self.handle(.button(.placeSet(obstacle == .disabled ? .disabled : .denied)), moment)
        case .setPersonAvatar(let avatar): self.personAvatar = avatar
        case .setAgentDetails(let members): return self.speaker.handle(.detailsSet(members))
        }
        return []
    }
}
