import Machines

/// How one generation of the vendor's client behaves where the generations differ; values, not code paths.
struct Profile: Hashable, Sendable {
    /// The name in scripts.
    let name: String

    /// How the client shows and checks forms.
    let forms: FormHabits

    /// How the client tells the server that the session lives.
    let pings: PingHabits

    /// How calls are repeated.
    let retries: RetryPolicy

    /// How long `createChat` may take.
    let creationLimit: Duration

    /// What the client does with the messages of others.
    let messages: MessageHabits

    /// What an application or a person can do with the session.
    let session: SessionHabits

    /// Whether the client finishes the chat by itself when an operator has ended it.
    let finishesAfterOperator: Bool

    /// Whether ending a chat that is not connected yet is told to the server.
    let finishesBeforeConnect: Bool

    /// How the client keeps to the event stream.
    let link: LinkHabits

    /// Whether being accepted stops the answer timer; else only an operator's message does.
    let acceptStopsAnswerTimer: Bool

    /// How the client asks whether a chat is possible.
    let availability: AvailabilityHabits

    /// Whether the client knows co-browse, remote control, video and the estimated wait; to others they are unknown.
    let knowsExtras: Bool

    /// The vendor's mistakes that this generation makes unless a script switches them off.
    ///
    /// All of them were found in the source of the iOS engine; none is known of the window.
    let quirks: Set<Quirk>

    /// What the generation never tells, by the events, each as the beginning of a sentence.
    let absences: [EventKind: String]

    /// The interval between two pings, the same in all generations.
    static let pingInterval: Duration = .seconds(30)

    /// The engine of the vendor's iOS SDK.
    static let ios = Profile(
        name: "ios",
        forms: FormHabits(rules: .strict, showOnlyKnownFields: false, closeOnEmptyMail: false, comeInPages: false),
        pings: PingHabits(
            areSentAtOnce: true, delayAfterFailure: .seconds(30), failureLimit: nil, tellClosed: true),
        retries: .immediate, creationLimit: .seconds(30),
        messages: MessageHabits(areUpdated: false, openPages: false),
        session: SessionHabits(
            changesLanguageAnywhere: true, cancelsPreChat: false, readsReasonAfterQueue: false, transcriptStates: nil,
            isPage: false),
        finishesAfterOperator: true, finishesBeforeConnect: false,
        link: LinkHabits(heartbeatSilence: nil, clientTimeout: nil, pollsWithGet: false),
        acceptStopsAnswerTimer: false,
        availability: AvailabilityHabits(areAnswersKept: true, visitorParameter: "VisitorID"), knowsExtras: false,
        quirks: Set(Quirk.allCases), absences: Self.eventsOfTheWindow)

    /// Why only the browser window tells of what it alone knows.
    private static let eventsOfTheWindow = Dictionary(
        uniqueKeysWithValues: [
            .chatEnded, .cobrowseEnded, .cobrowseRequested, .disconnected, .linkOpened, .messageUpdated, .reconnected,
            .remoteControl, .videoChanged,
        ].map { (kind: EventKind) in
            (kind, "\(kind) is an event of the browser window only, a visitor with profile = \"html\"")
        })

    /// The vendor's browser window.
    static let html = Profile(
        name: "html",
        forms: FormHabits(rules: .lenient, showOnlyKnownFields: true, closeOnEmptyMail: true, comeInPages: true),
        pings: PingHabits(
            areSentAtOnce: false, delayAfterFailure: .seconds(5), failureLimit: 50, tellClosed: false),
        retries: .scanned, creationLimit: .seconds(15), messages: MessageHabits(areUpdated: true, openPages: true),
        session: SessionHabits(
            changesLanguageAnywhere: false, cancelsPreChat: true, readsReasonAfterQueue: true,
            transcriptStates: [.chatting, .postChatForm, .sendingPostChatInfo, .finished], isPage: true),
        finishesAfterOperator: false, finishesBeforeConnect: true,
        link: LinkHabits(heartbeatSilence: .seconds(15), clientTimeout: .seconds(300), pollsWithGet: true),
        acceptStopsAnswerTimer: true,
        availability: AvailabilityHabits(areAnswersKept: false, visitorParameter: "VisitorId"), knowsExtras: true,
        quirks: [], absences: [:])

    /// All profiles.
    static let all = [Profile.ios, .html]
}

/// How a client shows and checks forms.
struct FormHabits: Hashable, Sendable {
    /// How they are checked.
    let rules: FormRules
    /// Whether fields of unknown types are left out and label fields are only shown; else both are text fields.
    let showOnlyKnownFields: Bool
    /// Whether an unavailable form with an empty field just closes the window; else it is checked like others.
    let closeOnEmptyMail: Bool
    /// Whether a form can be answered with its next page, and a pre-chat form without fields is one; else the first
    /// page is all there is, and a form without fields is none.
    let comeInPages: Bool
}

/// What a client does with the messages of others.
struct MessageHabits: Hashable, Sendable {
    /// Whether an event for a known message changes it; else the first one wins.
    let areUpdated: Bool
    /// Whether the pages that an operator pushes in a message are opened.
    let openPages: Bool
}

/// What an application or a person can do with a session.
struct SessionHabits: Hashable, Sendable {
    /// Whether the language can be changed in any state; else only while the pre-chat form is shown.
    let changesLanguageAnywhere: Bool
    /// Whether leaving the pre-chat form is told to the server with `cancelPreChat`.
    let cancelsPreChat: Bool
    /// Whether the reason that comes with the form for those who leave the queue counts; else it is unknown.
    let readsReasonAfterQueue: Bool
    /// The states in which the transcript can be asked for; nil for any in which the chat has a key.
    let transcriptStates: Set<SessionStateMachine.State>?
    /// Whether the client is a page in a browser, which can be loaded again and names its state in words of its own.
    let isPage: Bool
}

/// How a client asks whether a chat is possible.
struct AvailabilityHabits: Hashable, Sendable {
    /// Whether answers are kept for a minute and one call answers all requests of the same time.
    let areAnswersKept: Bool
    /// How the parameter is spelled that names the visitor.
    let visitorParameter: String
}

/// How a client keeps to the event stream.
struct LinkHabits: Hashable, Sendable {
    /// After how long without a heartbeat the connection counts as disturbed; nil if the client does not care.
    let heartbeatSilence: Duration?
    /// The client time-out if the server names none; nil for no limit.
    let clientTimeout: Duration?
    /// Whether a poll is a GET, as the vendor documents it; the iOS engine sends a POST without a body.
    let pollsWithGet: Bool
}

/// How a client tells the server that the session lives.
struct PingHabits: Hashable, Sendable {
    /// Whether a chat's first ping is sent at once; else after the first interval.
    let areSentAtOnce: Bool
    /// How long after a failed ping the next one is sent.
    let delayAfterFailure: Duration
    /// After how many failed pings in a row the client stops pinging; nil for never.
    let failureLimit: Int?
    /// Whether the end of the session is told to the server with `Closed=true`.
    let tellClosed: Bool
}

/// How a call is repeated when it fails.
enum RetryPolicy: Hashable, Sendable {
    /// At once, up to 15 times, within 30 seconds (iOS engine).
    case immediate
    /// Once, 15 seconds after the first try (browser window); see ``PendingCalls/scannedWaits``.
    case scanned
}
