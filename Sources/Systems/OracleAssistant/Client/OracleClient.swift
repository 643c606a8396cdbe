import HTTPTypes
import JSON
import Machines

/// A client of an Oracle channel: connection, conversation and everything a chat view would do, without the view.
///
/// The connection has its own machine, ``ConnectionStateMachine``; the rest of the life of a client is
///
/// | state | command | → state | events |
/// |---|---|---|---|
/// | created, destroyed | `initialize` | ready | `initialized`, then as `connect` |
/// | created | `connect` | ready | `initialized`, then as `connect` |
/// | ready | `connect`, `disconnect`, … | ready | `link_changed` and what follows |
/// | ready | `destroy` | destroyed | `destroyed` |
/// | destroyed | anything but `initialize` | destroyed | refused |
struct OracleClient: ClientMachine {
    typealias Keys = OracleKeys

    /// Where in its life a client is.
    enum Life: String { case created, ready, destroyed }

    /// What the client was made from.
    let configuration: ClientConfiguration
    /// Its configuration, read and checked.
    let settings: ClientSettings
    /// Where in its life it is.
    var life = Life.created
    /// The conversation; the user is empty until one is known.
    var address: ChannelAddress
    /// The connection to the chat server.
    var connection: ConnectionStateMachine
    /// The tokens of an authenticated channel.
    var tokens: TokenCache
    /// What a view would show.
    var screen: Screen
    /// Who speaks on the other side.
    var people = People()
    /// What the client says in place of a silent skill.
    var defaultResponses: DefaultResponses
    /// What is typed, and what an agent learns of it.
    var typing: TypingThrottle
    /// Whether an answer is awaited on the screen.
    var indicator = TypingIndicator()
    /// The languages that can be chosen.
    var languages: MultiLanguage
    /// The language that was chosen; nil for detection.
    var language: String?
    /// Which files can be sent.
    var shareMenu: ShareMenu
    /// The recording that goes on.
    var speech: SpeechState
    /// What is read aloud.
    var voices: SpeechSynthesis
    /// The text that is coming in pieces.
    var stream: TextStream?
    /// The files that are being uploaded.
    var uploads: [UInt64: Upload] = [:]
    /// How many files have been uploaded.
    private var uploadCount: UInt64 = 0
    /// The functions of the script that have not come back.
    var calls = ScriptCalls()
    /// Values entered in forms that were not submitted yet, by the number of the message.
    var drafts: [Int64: JSONObject] = [:]
    /// Messages that wait to be shown while a delegate looks at one.
    var inbox: [Envelope] = []
    /// Whether a delegate looks at a message of the server.
    var isDisplaying = false
    /// Messages that wait to be sent while a delegate looks at one.
    var outbox: [Outgoing] = []
    /// Whether a delegate looks at a message of the user.
    var isSending = false
    /// The numbers of messages that came, to drop those that come twice.
    var seen = RecentNames(limit: 2000)
    /// The requests whose answers are dropped.
    var cancelled: Set<String> = []
    /// The request that was sent last.
    var lastRequestID: String?
    /// How many requests of completions are not answered.
    var suggestionRequests = 0
    /// Whether the first messages of the session are still to be sent.
    var needsFirstMessages = true
    /// Whether the chat is open.
    var isExpanded: Bool
    /// Whether the device has a network.
    var isOnline = true
    /// Whether the user is ending the conversation.
    var isEnding = false
    /// Whether opening the chat connects, for the conversation has ended.
    var connectsOnOpening = false
    /// Whether the session is over once the connection is closed.
    var endsAfterClose = false
    /// Whether the connection is to be opened again once it is closed.
    var connectsAfterClose = false
    /// Whether the user has said anything in this session.
    var hasSpoken = false
    /// The stream that ended last, or was taken as it was, of which pieces that come late or twice are ignored.
    var endedStream: String?
    /// How many messages came while the chat was closed.
    var unread = 0
    /// The thread that is shown.
    var thread: String?
    /// The page that is open within the chat.
    var page: JSONObject?
    /// Where the device is.
    var place: DevicePlace = .unset
    /// The user's picture.
    var personAvatar: String?
    /// The messages that outlive the life of the client.
    var stored: [Screen.Item] = []
    /// The age of the latest message in words, where ages are shown.
    var latestAge: String?
    /// When the latest message was shown.
    var latestShown: Instant?
    /// The day of the latest message, counted from 1970.
    var lastShownDay: Int64?

    /// At most this many messages wait for a function of the script.
    static let waitingLimit = 1000

    /// Creates a client that is not connected.
    init(_ configuration: ClientConfiguration) throws(ConfigurationError) {
        let settings = try ClientSettings(configuration)
        self.configuration = configuration
        self.settings = settings
        self.address = settings.address
        self.connection = ConnectionStateMachine(ConnectionSettings(settings, address: settings.address))
        self.tokens = TokenCache(settings.tokenSource)
        self.screen = Screen(limit: settings.count("messageCacheSizeLimit"))
        self.defaultResponses = DefaultResponses(settings)
        self.typing = TypingThrottle(settings)
        self.languages = MultiLanguage(settings)
        self.language = self.languages.primary
        self.shareMenu = ShareMenu(settings.values["sharePopupConfiguration"])
        self.speech = SpeechState(settings)
        self.voices = SpeechSynthesis(settings)
        self.isExpanded = settings.flag("openChatOnLoad")
        self.thread = settings.word("threadId")
    }

    var identity: JSONObject {
        ["user_id": .string(self.address.userID), "channel_id": .string(self.address.channelID)]
    }

    mutating func handle(_ input: Input, in step: inout Step) {
        switch input {
        case .opened(.chat(let number), _):
            self.perform(self.connection.socketOpened(number), in: &step)
        case .opened(.recognition(let number), _):
            if self.speech.opened(number) { self.recordingBegan(in: &step) }
        case .openFailed(.chat(let number), let failure):
            self.perform(self.connection.socketFailed(number, failure), in: &step)
        case .openFailed(.recognition(let number), let failure):
            guard self.speech.owns(number) else { return }
            self.recordingFailed(code: "RecognitionNoWebServer", message: failure.message, in: &step)
        case .received(.chat(let number), let message):
            self.perform(self.connection.messageReceived(number, message), in: &step)
        case .received(.recognition(let number), let message):
            if self.speech.owns(number) { self.speechReceived(message, in: &step) }
        case .closed(.chat(let number), let closure):
            self.perform(self.connection.socketClosed(number, closure), in: &step)
        case .closed(.recognition(let number), let closure):
            if self.speech.owns(number) { self.speechClosed(closure, in: &step) }
        case .responded(let exchange, let response):
            self.answered(exchange, .success(response), in: &step)
        case .exchangeFailed(let exchange, let failure):
            self.answered(exchange, .failure(failure), in: &step)
        case .timerFired(let timer): self.timerFired(timer, in: &step)
        case .scriptReturned(let call, let result): self.scriptReturned(call, result, in: &step)
        case .responseBegan, .bodyReceived, .responseEnded: break
        }
    }

    private mutating func answered(
        _ exchange: Keys.Exchange, _ result: Result<Response, TransportFailure>, in step: inout Step
    ) {
        switch (exchange, result) {
        case (.connection(let number), .success(let response)):
            self.perform(self.connection.responded(number, response), in: &step)
        case (.connection(let number), .failure(let failure)):
            self.perform(self.connection.exchangeFailed(number, failure), in: &step)
        case (.upload(let number), _):
            guard let upload = self.uploads.removeValue(forKey: number) else { return }
            self.uploadAnswered(upload, result, in: &step)
        case (.voices(let number), _): self.voicesAnswered(number, result, in: &step)
        }
    }

    private mutating func timerFired(_ timer: Timer, in step: inout Step) {
        switch timer {
        case .connection(let timer): self.perform(self.connection.timerFired(timer), in: &step)
        case .defaultResponse(let kind):
            let outcome = self.defaultResponses.timerFired(kind, at: step.now)
            for effect in outcome.effects { step.ask(effect) }
            if let kind = outcome.kind { self.showDefaultResponse(kind, in: &step) }
        case .typing: self.sendTyping(self.typing.fellSilent(), in: &step)
        case .indicator: self.showTyping(false, from: .bot, in: &step)
        case .stream: self.freezeStream(in: &step)
        case .age: self.updateTimestamp(in: &step)
        case .sound: self.streamAudio(in: &step)
        case .suggestions: self.suggestionsTimedOut(in: &step)
        }
    }

    mutating func tearDown(in step: inout Step) {
        self.stopEverything(in: &step)
        // The script is gone, so only what must happen outside is done; the session ends unless nothing was said in it.
        if self.hasSpoken, !self.isEnding {
            let frame: JSONObject = [
                "messagePayload": ["type": "closeSession"], "userId": .string(self.address.userID),
            ]
            for case .perform(let effect) in self.connection.send(JSONValue.object(frame).description) ?? [] {
                step.ask(effect)
            }
        }
        for case .perform(let effect) in self.connection.disconnect() { step.ask(effect) }
    }

    // MARK: Shared by all parts

    /// Returns the number of the next upload.
    mutating func nextUpload() -> UInt64 {
        self.uploadCount += 1
        return self.uploadCount
    }

    /// Returns the wall-clock time in milliseconds since 1970 UTC.
    func epochMilliseconds(at now: Instant) -> Int64 {
        self.configuration.epochMilliseconds.addingReportingOverflow(now.nanoseconds / 1_000_000).partialValue
    }

    /// Tells the script of something.
    func emit(
        _ kind: EventKind, _ fields: JSONObject = [:], raw: JSONValue? = nil, in step: inout Step
    ) {
        step.ask(.emit(ChatEvent(kind, fields, raw: raw)))
    }

    /// Tells the script of what the vendor's client would report through an error.
    func fail(_ code: String, _ message: String, _ more: JSONObject = [:], in step: inout Step) {
        self.emit(
            .error, (["code": .string(code), "message": .string(message)] as JSONObject).merging(more), in: &step)
    }

    /// Returns a text of the client's table.
    func words(_ key: String, _ value: String? = nil) -> String { self.settings.strings.text(key, value) }

    /// Cancels what would go on by itself: recordings, uploads, timers.
    mutating func stopEverything(in step: inout Step) {
        for number in self.uploads.keys.sorted() { step.ask(.cancel(.upload(number))) }
        self.uploads = [:]
        for effect in self.speech.stop() + self.voices.stop() { step.ask(effect) }
        for effect in self.defaultResponses.stop() { step.ask(effect) }
        for timer: Timer in [.typing, .indicator, .stream, .age, .suggestions] {
            step.ask(.cancelTimer(timer))
        }
        self.stream = nil
        self.inbox = []
        self.outbox = []
        self.isDisplaying = false
        self.isSending = false
        self.calls = ScriptCalls(after: self.calls)
    }
}
