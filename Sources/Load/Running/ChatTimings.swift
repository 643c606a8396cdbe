import Machines

/// The times that every chat system has, read off what one actor does and observes.
///
/// | metric | from | to |
/// |---|---|---|
/// | connect | the first command | connected, initialized or session_created, whichever comes first |
/// | pre_chat | the first command | pre_chat |
/// | queue | queue | accepted or agent_joined |
/// | first_response | accepted or agent_joined, else chat_started | the first message that is not the actor's own |
/// | acknowledgement | a text is sent | message_sent, or what the actor's system or its option `ledger` says |
/// | reconnect | disconnected or reconnecting | reconnected or connected |
///
/// Where nothing tells that somebody else has come, the first response is one to the actor's own first text.
struct ChatTimings {
    @Packed private var begin: Instant?
    @Packed private var waitsSince: Instant?
    @Packed private var startedAt: Instant?
    @Packed private var acceptedAt: Instant?
    @Packed private var firstTextAt: Instant?
    @Packed private var lostAt: Instant?
    private var texts = SentTexts()
    private var isConnected = false
    private var hasSeenForm = false
    private var isAnswered = false
    /// Whether the actor's system declares `message_sent`, which then acknowledges its texts as a rule.
    var isUsual = false

    /// Takes note of a command.
    mutating func commanded(at now: Instant) {
        if self.begin == nil { self.begin = now }
    }

    /// Takes note of a text that a command sends.
    ///
    /// - Parameters:
    ///   - number: The number of its envelope; nil if it has none.
    ///   - isDue: Whether its acknowledgement is declared, and not only measured where it comes.
    /// - Returns: Whether its acknowledgement will be told from others.
    mutating func sends(_ text: String, number: UInt32?, isDue: Bool = false, at now: Instant) -> Bool {
        if self.firstTextAt == nil { self.firstTextAt = now }
        return self.texts.add(text, number: number, isDue: isDue, at: now)
    }

    /// Forgets a text that could not be sent, for which no acknowledgement and no response comes.
    ///
    /// - Parameter wasKept: What ``sends(_:number:isDue:at:)`` returned for it.
    mutating func takeBack(number: UInt32?, sentAt instant: Instant, wasKept: Bool) {
        self.texts.takeBack(number: number, sentAt: instant, wasKept: wasKept)
        if self.firstTextAt == instant { self.firstTextAt = nil }
    }

    /// Takes note of an event that acknowledges a text.
    ///
    /// - Parameters:
    ///   - number: The number of the envelope of the actor's own text that it carries; nil if it carries none.
    ///   - note: Gets the time since the text was sent, if that is known.
    mutating func acknowledged(_ number: UInt32?, at now: Instant, _ note: (BuiltInMetric, Duration) -> Void) {
        if let sentAt = self.texts.acknowledge(number) { note(.acknowledgement, now - sentAt) }
    }

    /// How many texts have not been acknowledged although that is declared.
    var unacknowledgedCount: Int { self.texts.unacknowledgedCount }

    /// Returns how many texts have not been acknowledged for sure, of those for which that is not declared.
    func missingCount(at now: Instant) -> Int { self.texts.missingCount(at: now) }

    /// Returns whether a text quotes a text of the actor, whose envelope it carries, and so answers it.
    func isQuoted(_ number: UInt32, by text: String) -> Bool {
        self.texts.isQuoted(number, by: text)
    }

    /// Takes note of an event.
    ///
    /// - Parameters:
    ///   - isOwn: Whether it is a message of the actor itself.
    ///   - countsFromText: Whether a first response is one to the actor's own first text.
    ///   - note: Gets each time that is complete now.
    mutating func observed(
        _ kind: EventKind, isOwn: Bool, countsFromText: Bool = false, at now: Instant,
        _ note: (BuiltInMetric, Duration) -> Void
    ) {
        switch kind {
        case .connected, .initialized, .sessionCreated, .reconnected:
            if let lostAt = self.lostAt, kind != .sessionCreated {
                note(.reconnect, now - lostAt)
                self.lostAt = nil
            } else if !self.isConnected, let begin = self.begin {
                note(.connect, now - begin)
            }
            self.isConnected = true
        case .disconnected, .reconnecting: if self.lostAt == nil, self.isConnected { self.lostAt = now }
        case .preChat:
            if !self.hasSeenForm, let begin = self.begin { note(.preChat, now - begin) }
            self.hasSeenForm = true
        case .queue: if self.waitsSince == nil { self.waitsSince = now }
        // A chat may start long before somebody comes: BoldChat's does, and waits in the queue then.
        case .chatStarted: if self.startedAt == nil { self.startedAt = now }
        case .accepted, .agentJoined:
            if let since = self.waitsSince {
                note(.queue, now - since)
                self.waitsSince = nil
            }
            if self.acceptedAt == nil { self.acceptedAt = now }
        case .message, .autoMessage:
            let begin = countsFromText ? self.firstTextAt : self.acceptedAt ?? self.startedAt
            guard !isOwn, !self.isAnswered, let begin else { return }
            self.isAnswered = true
            note(.firstResponse, now - begin)
        default: break
        }
    }
}
