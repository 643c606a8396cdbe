import HTTPTypes
import Machines

/// What happened to the topic WebSocket.
enum LinkNews: Hashable, Sendable {
    case connected(isFirst: Bool)
    /// The first connection failed; it is not tried again.
    case failedFirst(String)
    case disconnected(String)
    case willRetry(after: Duration, attempt: Int, of: Int)
    /// No automatic attempt is left.
    case exhausted(String)
    case frame(TopicFrame)
}

/// The topic WebSocket of a session: opening, pinging, and opening again by the vendor's rules.
///
/// | state | input | → state | news |
/// |---|---|---|---|
/// | idle | `connect` | opening | |
/// | opening, first | opened / failed or too late | open / idle | connected / failedFirst |
/// | open | closed, or silent for 10 s | waiting or lost | disconnected, willRetry |
/// | waiting | timer, or `reconnect` | opening | |
/// | opening, later | opened / failed or too late | open / waiting, lost or idle | connected / disconnected and more |
/// | any | `close` | idle | |
struct TopicLink: Sendable {
    /// Whose rules count: the SDKs of iOS and web differ (*WebSocket Reconnection Control*; the vendor's web SDK).
    enum Rules: Sendable {
        case iOS
        /// The first loss brings no disconnected, and of n intervals only n − 1 are used.
        case web
    }

    private enum State: Hashable, Sendable {
        case idle
        case opening
        case open
        case waiting
        /// Lost with no automatic attempt left to wait for; only the script goes on.
        case lost
    }

    /// How often the client pings, and after how long a silence the connection counts as lost.
    static let pingInterval = Duration.seconds(10)
    private static let pingTimer: TimerName = "ping"
    private static let limitTimer: TimerName = "connect-limit"
    private static let retryTimer: TimerName = "retry"

    let rules: Rules
    let intervals: [Duration]
    let limits: [Duration]
    private var state = State.idle
    private(set) var connection: ConnectionID
    private var request: HTTPRequest?
    private var hasBeenOpen = false
    /// How many automatic attempts have been announced since the connection was last good.
    private var attempt = 0
    private var hasHeard = false
    private var losses = 0

    /// Creates a link that is not connected.
    ///
    /// - Parameter former: The last connection of a link before this one; the numbers go on after it.
    init(rules: Rules, intervals: [Duration], limits: [Duration], after former: ConnectionID = ConnectionID(0)) {
        self.connection = former
        self.rules = rules
        self.intervals = intervals
        self.limits = limits
    }

    var isOpen: Bool { self.state == .open }
    var isIdle: Bool { self.state == .idle }

    /// The word for the state in properties.
    var stateName: String {
        switch self.state {
        case .idle: "idle"
        case .opening: self.hasBeenOpen ? "reconnecting" : "connecting"
        case .open: "open"
        case .waiting: "reconnecting"
        case .lost: "lost"
        }
    }

    /// Opens the first connection.
    ///
    /// - Parameter limit: How long it may take; nil for no limit.
    mutating func connect(_ request: HTTPRequest, limit: Duration?, in step: inout ClientStep) {
        self.request = request
        self.hasBeenOpen = false
        self.attempt = 0
        self.losses = 0
        self.open(limit: limit, in: &step)
    }

    /// Opens a lost connection again at once, as the vendor's connector does.
    ///
    /// - Returns: False if there is nothing to reconnect.
    mutating func reconnect(limit: Duration?, in step: inout ClientStep) -> Bool {
        guard self.hasBeenOpen, self.state == .waiting || self.state == .lost else { return false }
        step.ask(.cancelTimer(Self.retryTimer))
        self.open(limit: limit, in: &step)
        return true
    }

    private mutating func open(limit: Duration?, in step: inout ClientStep) {
        guard let request else { return }
        self.connection = ConnectionID(self.connection.number + 1)
        self.state = .opening
        // The limit of the SDK, if there is one, is counted here.
        step.ask(.open(self.connection, request, subprotocols: [], WebSocketOptions(timeLimit: .none)))
        if let limit { step.ask(.setTimer(Self.limitTimer, limit)) }
    }

    /// Sends a frame; without an open connection it is dropped.
    func send(_ frame: TopicFrame, in step: inout ClientStep) {
        guard self.isOpen else { return }
        step.ask(.transmit(self.connection, .binary(frame.bytes)))
    }

    /// Ends the connection for good.
    mutating func close(in step: inout ClientStep) {
        switch self.state {
        case .open: step.ask(.close(self.connection, code: 1000, reason: ""))
        case .opening: step.ask(.abort(self.connection))
        case .idle, .waiting, .lost: break
        }
        for timer in [Self.pingTimer, Self.limitTimer, Self.retryTimer] { step.ask(.cancelTimer(timer)) }
        self.state = .idle
    }

    /// Takes what happened to the WebSocket or its timers.
    mutating func handle(_ input: ClientInput, in step: inout ClientStep) -> [LinkNews] {
        switch input {
        case .opened(self.connection, _) where self.state == .opening:
            step.ask(.cancelTimer(Self.limitTimer))
            let isFirst = !self.hasBeenOpen
            self.hasBeenOpen = true
            self.state = .open
            self.hasHeard = true
            self.attempt = 0
            step.ask(.setTimer(Self.pingTimer, Self.pingInterval))
            return [.connected(isFirst: isFirst)]
        case .openFailed(self.connection, let failure) where self.state == .opening:
            return self.failed(failure.message, in: &step)
        case .received(self.connection, let message) where self.isOpen:
            self.hasHeard = true
            guard case .binary(let bytes) = message, let frame = TopicFrame(bytes) else { return [] }
            return [.frame(frame)]
        case .closed(self.connection, let closure) where self.isOpen:
            return self.failed("the server closed the connection with \(closure.code)", in: &step)
        case .timerFired(Self.limitTimer) where self.state == .opening:
            step.ask(.abort(self.connection))
            return self.failed("the connection was not open in time", in: &step)
        case .timerFired(Self.retryTimer) where self.state == .waiting:
            self.open(limit: self.limit(attempt: self.attempt - 1), in: &step)
            return []
        case .timerFired(Self.pingTimer) where self.isOpen:
            guard self.hasHeard else {
                step.ask(.abort(self.connection))
                return self.failed("the server was silent for 10 s", in: &step)
            }
            self.hasHeard = false
            self.ping(in: &step)
            return []
        default: return []
        }
    }

    /// Sends a ping and waits for the next one's time.
    func ping(in step: inout ClientStep) {
        self.send(TopicFrame(.ping, topic: 0), in: &step)
        step.ask(.setTimer(Self.pingTimer, Self.pingInterval))
    }

    private func limit(attempt: Int) -> Duration? {
        guard self.rules == .iOS, let last = self.limits.last else { return nil }
        let limit = attempt < self.limits.count ? self.limits[max(attempt, 0)] : last
        return limit > .zero ? limit : nil
    }

    private mutating func failed(_ reason: String, in step: inout ClientStep) -> [LinkNews] {
        for timer in [Self.pingTimer, Self.limitTimer] { step.ask(.cancelTimer(timer)) }
        guard self.hasBeenOpen else {
            self.state = .idle
            return [.failedFirst(reason)]
        }
        self.losses += 1
        let count = self.intervals.count
        switch self.rules {
        case .iOS:
            guard self.attempt < count else {
                // With an empty list the script alone decides; otherwise the last attempt was the end.
                self.state = count == 0 ? .lost : .idle
                return count == 0 ? [.disconnected(reason)] : [.disconnected(reason), .exhausted(reason)]
            }
            return [.disconnected(reason), self.wait(in: &step)]
        case .web:
            let lost: [LinkNews] = self.attempt == 0 ? [] : [.disconnected(reason)]
            guard self.attempt + 1 < count else {
                self.state = .idle
                return lost + [.exhausted(reason)]
            }
            return lost + [self.wait(in: &step)]
        }
    }

    private mutating func wait(in step: inout ClientStep) -> LinkNews {
        let interval = self.intervals[self.attempt]
        self.attempt += 1
        self.state = .waiting
        step.ask(.setTimer(Self.retryTimer, interval))
        return .willRetry(after: interval, attempt: self.attempt, of: self.intervals.count)
    }
}
