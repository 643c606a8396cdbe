import JSON
import Machines

/// The client's connection to the event stream: a WebSocket, or long polling when that cannot be had.
///
/// | in | event | to | then |
/// |---|---|---|---|
/// | idle | started | webSocketConnecting | open, inactivity timer |
/// | idle | started, to do without a WebSocket | longPollConnecting | poll, inactivity timer |
/// | webSocketConnecting | `connect` arrives | webSocketConnected | greet with the last message id, flush |
/// | webSocketConnecting, never connected | failure or close, fewer than 6 | – | open again at once |
/// | webSocketConnecting, never connected | the 6th failure, or inactivity | longPollConnecting | poll |
/// | webSocket…, connected before | failure | – | open again in 5 s |
/// | webSocketConnected | clean close, `reconnect`, `redirect` | webSocketConnecting | open again at once |
/// | longPoll… | a batch with `reconnect` | longPollConnected | poll again at once, flush over REST |
/// | longPoll… | a batch without `reconnect` | longPollConnected | poll again in 5 s, flush over REST |
/// | longPollConnecting | failure or inactivity | error | failed (−303) |
/// | longPollConnected | failure | – | poll again in 5 s |
/// | longPollConnected | a call over REST fails | – | call again in 5 s |
/// | webSocket… | `heartbeat` | – | acknowledge, inactivity timer |
/// | any connected, browser window | silence for 15 s, the socket is lost | – | disturbed, until it is heard again |
/// | any | a call to send, when too many wait | – | refuse it |
/// | webSocket… | a frame that cannot be read | – | report |
/// | any connected | an event that cannot be read, or that nobody knows (``EventExamination``) | – | report |
/// | webSocket… | an answer to no call | – | report |
/// | any, connected before | inactivity | idle | ended: timeout |
/// | any | `closed` | idle | ended: closed |
/// | any | `updateChat` with an end | idle | ended: that reason |
/// | any | `reset` | idle | reset |
/// | any | stopped | idle | close |
/// | any | suspended / resumed | – | stop the timers / start them, and what became due meanwhile |
///
/// Two waits are defined here so that a server that accepts and drops at the same instant cannot stop time: a
/// connection that lasted no time is opened again only after 5 s, and a poll that was answered at once with nothing
/// waits 1 s.
struct LinkStateMachine: Sendable {
    /// The states, with the vendor's names.
    enum State: String, CaseIterable, Sendable {
        case idle = "Idle"
        case webSocketConnecting = "WebSocketConnecting"
        case webSocketConnected = "WebSocketConnected"
        case longPollConnecting = "LongPollConnecting"
        case longPollConnected = "LongPollConnected"
        case error = "Error"
    }

    /// The timers of a link.
    enum Timer: String, CaseIterable, Sendable {
        case inactivity, reconnect, poll, outgoing, silence
    }

    /// Why a link ended for good.
    enum End: Hashable, Sendable {
        case timeout
        case closed
        case reported(EndedReason, time: String)
    }

    /// What happens to a link.
    enum Input: Hashable, Sendable {
        case started
        case opened(ConnectionID)
        case openFailed(ConnectionID)
        case received(ConnectionID, OSSFrame)
        /// A message that is no frame arrived.
        case unreadable(ConnectionID, WebSocketMessage)
        case closed(ConnectionID, wasClean: Bool)
        case pollAnswered([OSSFrame])
        case pollFailed
        /// A call over REST was answered; nil if there was no answer.
        case postEnded(OSSAnswer?)
        case timerFired(Timer)
        case send(OutgoingCall)
        case suspended
        case resumed
        case stopped
    }

    /// What is to be done.
    enum Action: Hashable, Sendable {
        case open(ConnectionID, url: String)
        case close(ConnectionID)
        case transmit(ConnectionID, JSONValue)
        case poll(url: String)
        case post(OutgoingCall)
        case cancelPoll
        case setTimer(Timer, Duration)
        case cancelTimer(Timer)
        /// The link is up for the first time.
        case connected
        /// No heartbeat came for long, or the connection was lost.
        case disturbed
        /// The server was heard again after that.
        case recovered
        case event(OSSCall)
        case unreadable(WebSocketMessage)
        /// An event that the client does not act on, for what is wrong with it.
        case misread(OSSCall, Misreading)
        /// A frame that no client reacts to: the event's name, unless it is an answer, and why.
        case ignored(method: String?, reason: String, raw: JSONValue?)
        case answered(OutgoingCall, isSuccess: Bool, raw: JSONValue?)
        /// There is no room for a call; it is not sent.
        case refused(OutgoingCall)
        case reset
        case ended(End)
        case failed
    }

    /// The present state.
    private(set) var state: State = .idle
    /// The id of the last frame that had one; what a new connection starts after.
    private(set) var lastMessageID: Int64 = 0
    private var connection: ConnectionID?
    private var webSocketURL: String
    private var longPollURL: String
    private let clientTimeout: Duration?
    private let heartbeatSilence: Duration?
    private let startsWithLongPoll: Bool
    private let countsForeignIDs: Bool
    private let examinesAnswers: Bool
    private let examination: EventExamination
    private var nextConnection: UInt64
    private var failures = 0
    private var hasConnected = false
    /// Whether the browser window would say that it connects again.
    private(set) var isDisturbed = false
    private var openedAt = Instant.start
    private var lastActivity = Instant.start
    private var pollStartedAt = Instant.start
    private var isSuspended = false
    private var isWaiting = false
    private var outbox = LinkOutbox()

    /// The first connection is tried six times: once, and five times again.
    static let firstAttempts = 6
    /// The wait before a lost connection is opened again.
    static let reconnectDelay: Duration = .seconds(5)
    /// The wait after a poll that was answered at once with nothing; defined here.
    static let idlePollDelay: Duration = .seconds(1)

    /// Creates a link that is not started.
    ///
    /// - Parameters:
    ///   - connection: Where the stream is.
    ///   - chatID: The number of the chat, if the account has said it.
    ///   - startsWithLongPoll: Whether to do without a WebSocket.
    ///   - firstConnection: The number of the first WebSocket connection.
    init(
        _ connection: ChatConnection, chatID: String? = nil, profile: Profile, quirks: Quirks,
        startsWithLongPoll: Bool = false, firstConnection: UInt64
    ) {
        self.webSocketURL = connection.webSocketURL
        self.longPollURL = connection.longPollURL
        self.clientTimeout = connection.clientTimeout ?? profile.link.clientTimeout
        self.heartbeatSilence = profile.link.heartbeatSilence
        self.startsWithLongPoll = startsWithLongPoll
        self.countsForeignIDs = quirks.contains(.foreignMessageIDs)
        self.examinesAnswers = !quirks.contains(.unexaminedAnswers)
        self.examination = EventExamination(chatID: chatID, knowsExtras: profile.knowsExtras)
        self.nextConnection = firstConnection
    }

    /// The number that the next connection gets; carried on to the next link of the same client.
    var connectionNumber: UInt64 { self.nextConnection }

    /// Whether the link is a long poll.
    var isLongPoll: Bool { self.state == .longPollConnecting || self.state == .longPollConnected }

    /// Takes in what happened.
    ///
    /// - Parameters:
    ///   - now: The instant of the input.
    ///   - random: For the ids of calls.
    mutating func handle(_ input: Input, now: Instant, random: inout RandomSource) -> [Action] {
        switch input {
        case .started: return self.started(now)
        case .send(let call):
            guard self.outbox.add(call) else { return [.refused(call)] }
            return self.flush(&random)
        case .stopped: return self.end(.idle)
        case .suspended:
            guard !self.isSuspended else { return [] }
            self.isSuspended = true
            self.lastActivity = now
            return Timer.allCases.map { .cancelTimer($0) }
        case .resumed: return self.resumed(now)
        case .opened(let id):
            guard id == self.connection, self.state == .webSocketConnecting else { return [] }
            self.openedAt = now
            return self.active(now)
        case .openFailed(let id), .closed(let id, wasClean: false):
            guard id == self.connection else { return [] }
            self.connection = nil
            return self.lost(now, isClean: false)
        case .closed(let id, wasClean: true):
            guard id == self.connection else { return [] }
            self.connection = nil
            return self.lost(now, isClean: true)
        case .received(let id, let frame):
            guard id == self.connection else { return [] }
            return self.received(frame, now: now, random: &random)
        case .unreadable(let id, let message): return id == self.connection ? [.unreadable(message)] : []
        case .pollAnswered(let frames): return self.pollAnswered(frames, now: now, random: &random)
        case .pollFailed:
            switch self.state {
            case .longPollConnecting: return self.end(.error) + [.failed]
            case .longPollConnected:
                self.isWaiting = true
                guard !self.isSuspended else { return [] }
                return [.setTimer(.poll, Self.reconnectDelay)]
            default: return []
            }
        case .postEnded(let answer):
            guard self.isLongPoll else { return [] }
            if let answer { return self.answered(self.outbox.posted(), answer, &random) }
            return self.outbox.postFailed() ? [.setTimer(.outgoing, Self.reconnectDelay)] : []
        case .timerFired(let timer): return self.timerFired(timer, now: now, random: &random)
        }
    }

    // MARK: Connecting

    private mutating func started(_ now: Instant) -> [Action] {
        guard self.state == .idle else { return [] }
        self.lastActivity = now
        let begin = self.startsWithLongPoll ? self.startPolling(now) : self.open()
        return self.active(now) + begin
    }

    private mutating func open() -> [Action] {
        self.state = .webSocketConnecting
        self.isWaiting = false
        let id = ConnectionID(self.nextConnection)
        self.nextConnection += 1
        self.connection = id
        return [.cancelTimer(.reconnect), .open(id, url: self.webSocketURL)]
    }

    private mutating func startPolling(_ now: Instant) -> [Action] {
        self.state = .longPollConnecting
        return self.poll(now)
    }

    private mutating func poll(_ now: Instant) -> [Action] {
        self.isWaiting = false
        self.pollStartedAt = now
        return [.poll(url: self.longPollURL + String(self.lastMessageID))]
    }

    private mutating func lost(_ now: Instant, isClean: Bool) -> [Action] {
        self.outbox.requeue()
        var actions: [Action] = []
        if self.isSuspended {
            self.state = .webSocketConnecting
            self.isWaiting = true
            return []
        }
        if self.hasConnected {
            if self.state == .webSocketConnected { actions += self.disturb() }
            self.state = .webSocketConnecting
            if isClean, now > self.openedAt { return actions + self.open() }
            self.isWaiting = true
            return actions + [.setTimer(.reconnect, Self.reconnectDelay)]
        }
        self.failures += 1
        return actions + (self.failures < Self.firstAttempts ? self.open() : self.startPolling(now))
    }

    /// Closes the socket and opens the next one.
    private mutating func reopen(_ now: Instant) -> [Action] {
        var actions: [Action] = []
        if let connection = self.connection { actions.append(.close(connection)) }
        self.connection = nil
        return actions + self.lost(now, isClean: true)
    }

    /// Restarts the inactivity timer.
    private mutating func active(_ now: Instant) -> [Action] {
        self.lastActivity = now
        guard let timeout = self.clientTimeout, !self.isSuspended else { return [] }
        return [.setTimer(.inactivity, timeout)]
    }

    private mutating func end(_ state: State) -> [Action] {
        var actions: [Action] = []
        if let connection = self.connection { actions.append(.close(connection)) }
        if self.isLongPoll { actions.append(.cancelPoll) }
        self.connection = nil
        self.state = state
        self.outbox.forget()
        return actions + Timer.allCases.map { .cancelTimer($0) }
    }

    // MARK: Timers, suspension

    private mutating func timerFired(_ timer: Timer, now: Instant, random: inout RandomSource) -> [Action] {
        guard !self.isSuspended else { return [] }
        switch (timer, self.state) {
        case (_, .idle), (_, .error): return []
        case (.inactivity, _):
            if self.hasConnected { return self.end(.idle) + [.ended(.timeout)] }
            if self.isLongPoll { return self.end(.error) + [.failed] }
            let close = self.connection.map { [Action.close($0)] } ?? []
            self.connection = nil
            return close + self.active(now) + self.startPolling(now)
        case (.reconnect, .webSocketConnecting): return self.isWaiting ? self.open() : []
        case (.poll, .longPollConnected): return self.isWaiting ? self.poll(now) : []
        case (.outgoing, .longPollConnected):
            self.outbox.retry()
            return self.flush(&random)
        case (.silence, _): return self.disturb()
        default: return []
        }
    }

    private mutating func disturb() -> [Action] {
        guard self.heartbeatSilence != nil, !self.isDisturbed else { return [] }
        self.isDisturbed = true
        return [.disturbed]
    }

    private mutating func resumed(_ now: Instant) -> [Action] {
        guard self.isSuspended else { return [] }
        self.isSuspended = false
        guard self.state != .idle, self.state != .error else { return [] }
        var actions: [Action] = []
        if let timeout = self.clientTimeout {
            let passed = now - self.lastActivity
            if passed > timeout { return self.end(.idle) + [.ended(.timeout)] }
            actions.append(.setTimer(.inactivity, timeout - passed))
        }
        if let silence = self.heartbeatSilence, self.hasConnected { actions.append(.setTimer(.silence, silence)) }
        guard self.isWaiting else { return actions }
        return actions + (self.isLongPoll ? self.poll(now) : self.open())
    }

    // MARK: Receiving

    private mutating func received(_ frame: OSSFrame, now: Instant, random: inout RandomSource) -> [Action] {
        if self.isSuspended { self.lastActivity = now }
        switch frame {
        case .answer(let answer):
            if self.countsForeignIDs { self.lastMessageID = answer.number ?? self.lastMessageID }
            guard let sent = self.outbox.answered(answer.text) else {
                return [.ignored(method: nil, reason: "it answers no call that waits for an answer", raw: answer.raw)]
            }
            return self.answered(sent, answer, &random)
        case .call(let call):
            self.lastMessageID = call.number ?? self.lastMessageID
            if let refusal = self.refusal(of: call) { return [refusal] }
            switch call.method {
            case "connect":
                guard self.state == .webSocketConnecting else { return [] }
                self.state = .webSocketConnected
                self.outbox.greetFirst()
                return self.connectedAgain() + self.flush(&random)
            case "heartbeat":
                self.outbox.acknowledge(call.id)
                return self.active(now) + self.heard() + self.flush(&random)
            case "redirect":
                self.webSocketURL = call.params.text("WebSocketURL") ?? self.webSocketURL
                return self.reopen(now)
            case "reconnect": return self.active(now) + self.reopen(now)
            default: return self.chatEvent(call)
            }
        }
    }

    /// What is to be told of an event that the client does not act on; nil if it does.
    private func refusal(of call: OSSCall) -> Action? {
        switch self.examination.verdict(on: call) {
        case .taken: nil
        case .unreadable(let problem): .misread(call, problem)
        case .ignored(let reason): .ignored(method: call.method, reason: reason, raw: call.raw)
        }
    }

    /// What is the same over a socket and in a batch.
    private mutating func chatEvent(_ call: OSSCall) -> [Action] {
        switch call.method {
        case "reset": return self.end(.idle) + [.reset]
        case "closed": return self.end(.idle) + [.ended(.closed)]
        case "updateChat":
            guard let values = call.params["Values"]?.object, let time = values.text("Ended"),
                values.time("Ended") != nil, let reason = values.text("EndedReason")
            else {
                guard EventExamination.hasHalfEnd(call) else { return [.event(call)] }
                let reason = "an end without a time and a reason is none"
                return [.event(call), .ignored(method: call.method, reason: reason, raw: call.raw)]
            }
            // The link closes itself before the chat hears of its end.
            let ended = End.reported(EndedReason(rawValue: reason) ?? .unknown, time: time)
            return self.end(.idle) + [.event(call), .ended(ended)]
        default: return [.event(call)]
        }
    }

    private mutating func connectedAgain() -> [Action] {
        let isFirst = !self.hasConnected
        self.hasConnected = true
        return (isFirst ? [.connected] : []) + self.heard()
    }

    /// A sign of life for clients that watch for silence.
    private mutating func heard() -> [Action] {
        guard let silence = self.heartbeatSilence else { return [] }
        defer { self.isDisturbed = false }
        return (self.isDisturbed ? [.recovered] : []) + [.setTimer(.silence, silence)]
    }

    private mutating func pollAnswered(
        _ frames: [OSSFrame], now: Instant, random: inout RandomSource
    ) -> [Action] {
        guard self.isLongPoll else { return [] }
        var actions = self.active(now)
        let isFirst = self.state == .longPollConnecting
        self.state = .longPollConnected
        if isFirst { actions += self.connectedAgain() }
        var pollsAgain = false
        var isEmpty = true
        for case .call(let call) in frames {
            self.lastMessageID = call.number ?? self.lastMessageID
            if let refusal = self.refusal(of: call) {
                actions.append(refusal)
                continue
            }
            switch call.method {
            case "reconnect": pollsAgain = true
            case "redirect":
                self.longPollURL =
                    call.params.text("LongPollURL") ?? call.params.text("WebSocketURL") ?? self.longPollURL
            // A poll knows neither; a server does not send them there.
            case "connect", "heartbeat": break
            default:
                isEmpty = false
                actions += self.chatEvent(call)
                guard self.isLongPoll else { return actions }
            }
        }
        if pollsAgain, !(isEmpty && now <= self.pollStartedAt) {
            actions += self.poll(now)
        } else {
            self.isWaiting = true
            actions.append(.setTimer(.poll, pollsAgain ? Self.idlePollDelay : Self.reconnectDelay))
        }
        return actions + self.flush(&random)
    }

    // MARK: Sending

    /// Sends what may be sent.
    private mutating func flush(_ random: inout RandomSource) -> [Action] {
        if self.state == .longPollConnected { return self.outbox.nextPost().map { [.post($0)] } ?? [] }
        guard self.state == .webSocketConnected, let connection = self.connection else { return [] }
        return self.outbox.nextFrames(after: self.lastMessageID, random: &random).map { .transmit(connection, $0) }
    }

    /// Tells of the answer to a call, if it belongs to one, and sends what waited for it.
    ///
    /// An answer is an answer, and what it says counts only for those who look.
    private mutating func answered(
        _ call: OutgoingCall?, _ answer: OSSAnswer, _ random: inout RandomSource
    ) -> [Action] {
        guard let call else { return [] }
        let isSuccess = !self.examinesAnswers || answer.isSuccess
        return [.answered(call, isSuccess: isSuccess, raw: answer.raw)] + self.flush(&random)
    }
}
