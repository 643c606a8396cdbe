/// What an actor can observe: the name by which scripts and reports know a kind of event.
///
/// The kinds that several systems share are declared here, which makes them one vocabulary; a system declares its own
/// in its folder, and says in its ``ChatSystem/events`` which kinds it emits and with which fields. Scripts may only
/// name kinds that a system declares there.
///
/// Every event is compared with every expectation, so each kind carries a hash of its name, worked out once. Measured
/// in an optimized build against an enumeration: a comparison takes 0.25 ns as there (2.8 ns if names were compared), a
/// look-up in a set 17 ns (there 18), and a `switch` over three kinds 8 ns (there 0.6).
public struct EventKind: RawRepresentable, Sendable {
    /// The name, in snake case.
    public let rawValue: String

    /// A hash of the name that is the same in every process.
    private let digest: UInt64

    /// Creates a kind from its name; whether a system emits such events is for its vocabulary to say.
    public init(rawValue: String) {
        self.rawValue = rawValue
        self.digest = FNV1a.hash64(rawValue.utf8)
    }

    /// Creates a kind from its name.
    public init(_ name: String) { self.init(rawValue: name) }
}

extension EventKind: Hashable {
    public static func == (left: EventKind, right: EventKind) -> Bool {
        left.digest == right.digest && left.rawValue == right.rawValue
    }

    // The operator that all types with raw values have would compare the names.
    public static func != (left: EventKind, right: EventKind) -> Bool { !(left == right) }

    public func hash(into hasher: inout Hasher) { hasher.combine(self.digest) }
}

extension EventKind: CustomStringConvertible {
    public var description: String { self.rawValue }
}

// The kinds that several systems share, or that are measured whichever system emits them.
extension EventKind {
    // Connection
    /// The client has reached its conversation, or a plain connection is open: texts can be sent.
    public static let connected = EventKind("connected")
    /// The connection has ended or is lost; where `reconnecting` follows, the client goes on by itself.
    public static let disconnected = EventKind("disconnected")
    /// The connection is lost, and the client tries again by itself.
    public static let reconnecting = EventKind("reconnecting")
    /// A connection that was lost is back.
    public static let reconnected = EventKind("reconnected")
    /// The state of the connection has changed, as the vendor's client calls it (ODA: `onStatusChange`).
    public static let linkChanged = EventKind("link_changed")
    /// The client was started and may be told to connect (ODA: `onInitialize`).
    public static let initialized = EventKind("initialized")

    // Session
    /// The server has made a session or knows who asks; comes before what says how it goes on.
    public static let sessionCreated = EventKind("session_created")
    /// A form is to be filled in before the chat begins.
    public static let preChat = EventKind("pre_chat")
    /// Nobody is there: no chat is possible, or one that waited will not begin.
    public static let unavailable = EventKind("unavailable")
    /// The chat exists at the server; whoever is to answer need not be there yet.
    public static let chatStarted = EventKind("chat_started")
    /// The chat is over, and a form or a rating is asked for.
    public static let postChat = EventKind("post_chat")
    /// The language of the conversation has changed.
    public static let languageChanged = EventKind("language_changed")
    /// The session is over for good, by whichever side.
    public static let ended = EventKind("ended")
    /// Something failed that the client tells of: `code` and `message` say what. Unexpected, it fails a scenario.
    public static let error = EventKind("error")

    // Waiting
    /// The place of a client that waits, or a text that tells of it; comes again when it changes.
    public static let queue = EventKind("queue")
    /// A person has accepted a client that waited.
    public static let accepted = EventKind("accepted")
    /// A text that no person wrote: of the server while somebody waits, or of the client for a silent skill.
    public static let autoMessage = EventKind("auto_message")

    // People
    /// A person on the other side is seen for the first time.
    public static let agentJoined = EventKind("agent_joined")
    /// A person has left the conversation, which may go on with others or with a bot.
    public static let agentLeft = EventKind("agent_left")
    /// The other side types or has stopped; for a bot, whether its answer is awaited.
    public static let typing = EventKind("typing")
    /// The server has taken, or was told, that this side types or has stopped.
    public static let typingSent = EventKind("typing_sent")

    // Content
    /// A message is there to be read; in some systems the client's own ones, too.
    public static let message = EventKind("message")
    /// The server has taken a text of the client, or where servers do not say so, it went out.
    public static let messageSent = EventKind("message_sent")
    /// A message that was there has changed: its text grew or was replaced, or a reaction came or went.
    public static let messageUpdated = EventKind("message_updated")
    /// A message that was there has been deleted.
    public static let messageDeleted = EventKind("message_deleted")
    /// Earlier messages were loaded or are shown again.
    public static let history = EventKind("history")
    /// A file has arrived at the server.
    public static let attachmentUploaded = EventKind("attachment_uploaded")
    /// A form is shown, other than the ones before and after a chat.
    public static let form = EventKind("form")

    // Forms
    /// A form was not sent, because its values are not what it asks for.
    public static let formInvalid = EventKind("form_invalid")
    /// A form went out, or the server has taken it.
    public static let formSubmitted = EventKind("form_submitted")
    /// The server has taken the address to which the transcript is to go.
    public static let transcriptRequested = EventKind("transcript_requested")

    // Screen
    /// The number of unread messages has changed.
    public static let unreadChanged = EventKind("unread_changed")
    /// A page was opened: a link that the user followed, or one that the other side has pushed.
    public static let linkOpened = EventKind("link_opened")
    /// A button did something in the application or on the device, not in the conversation.
    public static let actionPerformed = EventKind("action_performed")

    // Desk: what the agent's side of a conversation sees
    /// Somebody waits for an agent, or was given to this one.
    public static let chatWaiting = EventKind("chat_waiting")
    /// A chat is over, or one that waited; some clients have to finish it yet.
    public static let chatEnded = EventKind("chat_ended")

    // Plain frames and answers
    /// A whole message came over a plain connection, or one that no client of the vendor reads.
    public static let frame = EventKind("frame")
    /// A plain HTTP request has its whole answer.
    public static let response = EventKind("response")
    /// A server refused for now: status 429, or 503 with `Retry-After`.
    public static let rateLimited = EventKind("rate_limited")

    // Streamed answers
    /// The head of an answer came whose body comes in pieces.
    public static let streamStarted = EventKind("stream_started")
    /// A piece of a streamed answer came that has text.
    public static let token = EventKind("token")
    /// A piece of a streamed answer came that adds no text.
    public static let chunk = EventKind("chunk")
    /// A streamed answer has ended.
    public static let streamEnded = EventKind("stream_ended")
    /// How many tokens an answer of a language model took, and how long the first one.
    public static let usage = EventKind("usage")

    // What a script on the other side is asked
    /// An order came in place of a text: of a skill to its client, or of a client to whoever plays the server.
    public static let command = EventKind("command")
    /// A request arrived at a server that a script plays; it waits for the answer.
    public static let request = EventKind("request")

    // The answer to a call that only asks
    /// A call that only asks is answered, or something that took its time is done; the fields say what.
    public static let completed = EventKind("completed")

    // Co-browsing
    /// An agent asks to see the screen.
    public static let cobrowseRequested = EventKind("cobrowse_requested")
    /// The one whose screen it is has refused to show it.
    public static let cobrowseRejected = EventKind("cobrowse_rejected")
    /// The screen is seen by an agent, or, where the fields say so, no longer.
    public static let cobrowseActive = EventKind("cobrowse_active")
}
