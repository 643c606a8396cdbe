import HTTPTypes
import Machines

/// What happened to the topic WebSocket.
enum LinkOutput: Hashable, Sendable {
    case connected(isFirst: Bool)
    /// The first connection failed; it is not tried again.
    case failedFirst(String)
    case disconnected(String)
    case willRetry(after: Duration, attempt: Int, of: Int)
    /// No automatic attempt is left.
    case exhausted(String)
    case frame(TopicFrame)
    /// The server sent what is no frame, or a frame whose payload cannot be read; the text says which.
    case unreadable(String)
}

/// The topic WebSocket of a session: opening, pinging, and opening again by the vendor's rules.
///
/// | state | input | → state | news |
/// |---|---|---|---|
/// | idle | `connectWanted` | opening | |
/// | opening, first | `opened` / `openFailed` or too late | open / idle | connected / failedFirst |
/// | open | `lost`, or silent for too long | waiting, lost or idle | disconnected, willRetry or exhausted |
/// | waiting, lost | the timer, or `reconnectWanted` | opening | |
/// | opening, later | `opened` / `openFailed` or too late | open / waiting, lost or idle | connected / disconnected and more |
/// | open | `received` | open | frame, unreadable or both |
/// | any | `closeWanted` | idle | |
struct TopicLink: Sendable {
    /// Whose rules count: the SDKs of iOS and web differ (*WebSocket Reconnection Control*; the vendor's web SDK).
    enum Rules: Sendable {
        case iOS
        /// The first loss brings no disconnected, and of n intervals only n − 1 are used.
        case web
    }

    /// What the connection is.
    enum State: String, CaseIterable, Hashable, Sendable {
        case idle
        case opening
        case open
        case waiting
        /// Lost with no automatic attempt left to wait for; only the script goes on.
        case lost
    }

    /// What happens to the connection, or is wanted of it.
    enum Input: Hashable, Sendable {
        /// Open the first connection; without a limit it may take for ever.
        case connectWanted(HTTPRequest, limit: Duration?)
        /// Open a lost connection again at once, as the vendor's connector does.
        case reconnectWanted(limit: Duration?)
        /// Send a ping and wait for the next one's time.
        case pingWanted
        /// End the connection for good.
        case closeWanted
        case opened
        case openFailed(String)
        case received(WebSocketMessage)
        case lost(code: UInt16)
        case timerFired(AssistTimer)
    }

    /// What is to be done; all of it is about the connection whose number is ``number`` then.
    enum Action: Hashable, Sendable {
        case open(HTTPRequest)
        case transmit([UInt8])
        case close
        case abort
        case setTimer(AssistTimer, Duration)
        case cancelTimer(AssistTimer)
        case report(LinkOutput)
    }

    private let rules: Rules
    private let intervals: [Duration]
    private let limits: [Duration]
    private(set) var state = State.idle
    /// Which connection it is, counted from 1.
    private(set) var number: UInt64
    private var request: HTTPRequest?
    private var hasBeenOpen = false
    /// How many automatic attempts have been announced since the connection was last good: open for iOS, and heard of
    /// for the web.
    private var attempt = 0
    private var silence = SilenceDeadline()

    /// Creates a link that is not connected.
    ///
    /// - Parameter former: The last connection of a link before this one; the numbers go on after it.
    init(rules: Rules, intervals: [Duration], limits: [Duration], after former: UInt64 = 0) {
        self.number = former
        self.rules = rules
        self.intervals = intervals
        self.limits = limits
    }

    var isOpen: Bool { self.state == .open }

    /// Whether there is a lost connection to open again.
    var canReconnect: Bool { self.hasBeenOpen && (self.state == .waiting || self.state == .lost) }

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

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [Action] {
        switch (input, self.state) {
        case (.connectWanted(let request, let limit), _):
            self.request = request
            self.hasBeenOpen = false
            self.attempt = 0
            return self.open(limit: limit)
        case (.reconnectWanted(let limit), _):
            guard self.canReconnect else { return [] }
            return [.cancelTimer(.retry)] + self.open(limit: limit)
        case (.pingWanted, _): return self.ping()
        case (.closeWanted, let state):
            self.state = .idle
            let ending: [Action] = state == .open ? [.close] : state == .opening ? [.abort] : []
            return ending + [.cancelTimer(.ping), .cancelTimer(.connectLimit), .cancelTimer(.retry)]
        case (.opened, .opening):
            let isFirst = !self.hasBeenOpen
            self.hasBeenOpen = true
            self.state = .open
            self.silence.heard()
            if self.rules == .iOS { self.attempt = 0 }
            return [
                .cancelTimer(.connectLimit), .setTimer(.ping, SilenceDeadline.interval),
                .report(.connected(isFirst: isFirst)),
            ]
        case (.openFailed(let reason), .opening): return self.failed(reason)
        case (.received(let message), .open):
            self.silence.heard()
            guard case .binary(let bytes) = message, let frame = TopicFrame(bytes) else {
                return [.report(.unreadable("the server sent something that is no frame of the topics"))]
            }
            if self.rules == .web { self.attempt = 0 }
            // Of a damaged list the rest may still be used.
            let complaint = frame.complaint.map { [Action.report(.unreadable("the server sent \($0)"))] } ?? []
            return complaint + [.report(.frame(frame))]
        case (.lost(let code), .open): return self.failed("the server closed the connection with \(code)")
        case (.timerFired(.connectLimit), .opening):
            return [.abort] + self.failed("the connection was not open in time")
        case (.timerFired(.retry), .waiting): return self.open(limit: self.limit(attempt: self.attempt - 1))
        case (.timerFired(.ping), .open):
            if let silence = self.silence.pingDue() { return [.abort] + self.failed(silence) }
            return self.ping()
        default: return []
        }
    }

    private mutating func open(limit: Duration?) -> [Action] {
        guard let request else { return [] }
        self.number += 1
        self.state = .opening
        return [.open(request)] + (limit.map { [.setTimer(.connectLimit, $0)] } ?? [])
    }

    private func ping() -> [Action] {
        let frame = self.isOpen ? [Action.transmit(TopicFrame(.ping, topic: 0).bytes)] : []
        return frame + [.setTimer(.ping, SilenceDeadline.interval)]
    }

    private func limit(attempt: Int) -> Duration? {
        guard self.rules == .iOS, let last = self.limits.last else { return nil }
        let limit = attempt < self.limits.count ? self.limits[max(attempt, 0)] : last
        return limit > .zero ? limit : nil
    }

    private mutating func failed(_ reason: String) -> [Action] {
        let ending: [Action] = [.cancelTimer(.ping), .cancelTimer(.connectLimit)]
        guard self.hasBeenOpen else {
            self.state = .idle
            return ending + [.report(.failedFirst(reason))]
        }
        let count = self.intervals.count
        switch self.rules {
        case .iOS:
            guard self.attempt < count else {
                // With an empty list the script alone decides; otherwise the last attempt was the end.
                self.state = count == 0 ? .lost : .idle
                let end: [Action] = count == 0 ? [] : [.report(.exhausted(reason))]
                return ending + [.report(.disconnected(reason))] + end
            }
            return ending + self.wait(after: [.report(.disconnected(reason))])
        case .web:
            let lost: [Action] = self.attempt == 0 ? [] : [.report(.disconnected(reason))]
            guard self.attempt + 1 < count else {
                self.state = .idle
                return ending + lost + [.report(.exhausted(reason))]
            }
            return ending + self.wait(after: lost)
        }
    }

    private mutating func wait(after news: [Action]) -> [Action] {
        let interval = self.intervals[self.attempt]
        self.attempt += 1
        self.state = .waiting
        let retry = LinkOutput.willRetry(after: interval, attempt: self.attempt, of: self.intervals.count)
        return [.setTimer(.retry, interval)] + news + [.report(retry)]
    }
}
