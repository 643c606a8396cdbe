import HTTPTypes
import JSON
import Machines

/// The one subscribe loop of a member: which channels it listens to, from which token on, and what interrupts it.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | stopped | `channelsChanged` | asking | the time limit; subscribes |
/// | asking | `channelsChanged` | asking | drops the request; subscribes |
/// | waiting | `channelsChanged`, `retryDue` | asking | subscribes |
/// | asking | `answered` with something new | asking | `reconnected` if it was lost; subscribes, delivers, confirms |
/// | asking | `answered` at once with nothing new | waiting | the retry timer |
/// | asking | `answered` with 403 | denied | ends the time limit; denies |
/// | asking | another answer, `failed` | waiting | `disconnected` if it is the first, `reconnecting`; the retry timer |
/// | asking | `limitDue` in time | asking | the time limit |
/// | asking | `limitDue` after the limit | waiting | drops the request; as `failed` |
/// | denied | `channelsChanged` | asking | the time limit; subscribes |
/// | asking, waiting | `paused` | paused | drops the request, or the retry timer |
/// | paused | `channelsChanged` | paused | |
/// | paused | `resumed` | asking | the time limit; subscribes from the last token on |
/// | any other than stopped | `ended` | stopped | says goodbye |
struct SubscribePart: Sendable {
    /// What the loop is doing.
    enum State: String, CaseIterable, Sendable {
        case stopped
        /// A request is under way.
        case asking
        /// The time before another try passes.
        case waiting
        /// The server denies access; the loop does not try again (defined here: no storm of retries).
        case denied
        /// The script has paused it.
        case paused
    }

    /// What happens to the loop.
    enum Input: Sendable {
        case channelsChanged([String], subscribeKey: String, parameters: [(String, String)])
        case answered(Response)
        case failed(SDKError)
        case retryDue
        case limitDue
        case paused
        case resumed
        /// There is nothing to listen to any more.
        case ended
    }

    /// After this long without an answer a request of the loop counts as lost (PubNub's SDKs allow 310 s).
    static let limit = Duration.seconds(310)

    private let options: ClientOptions
    private(set) var state = State.stopped
    private(set) var channels: [String] = []
    /// Channels whose subscription an answer has confirmed.
    private var confirmed: Set<String> = []
    private var timeToken = TimeToken.zero
    private var region: Int64 = 0
    private var failures = 0
    /// Whether the next request only makes the channels known: it is answered at once, and the token stays.
    private var isHandshake = true
    private var askedAt = Instant.start
    private var prefix = ""
    private var suffix = ""

    /// Creates a loop that listens to nothing.
    init(_ options: ClientOptions) {
        self.options = options
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input, now: Instant) -> [MemberAction] {
        switch input {
        case .channelsChanged(let channels, let key, let parameters):
            self.change(channels: channels, subscribeKey: key, parameters: parameters)
            guard self.state != .paused else { return [] }
            return self.interrupted() + self.ask(now)
        case .answered(let response): return self.answered(response, now: now)
        case .failed(let error): return self.failed(error)
        case .retryDue: return self.ask(now)
        case .limitDue: return self.limitDue(now)
        case .paused:
            guard self.state == .asking || self.state == .waiting else { return [] }
            let actions = self.interrupted() + [.cancelTimer(.subscribeLimit)]
            self.state = .paused
            return actions
        case .resumed:
            guard self.state == .paused else { return [] }
            return [.setTimer(.subscribeLimit, Self.limit)] + self.ask(now)
        case .ended:
            guard self.state != .stopped else { return [] }
            let actions = self.interrupted() + [.cancelTimer(.subscribeLimit), .leave(channels: self.channels)]
            self.state = .stopped
            self.failures = 0
            return actions
        }
    }

    // MARK: Asking

    /// Sets the channels and remembers the parts of the path that stay the same from one request to the next.
    private mutating func change(channels: [String], subscribeKey: String, parameters: [(String, String)]) {
        self.channels = channels
        self.confirmed.formIntersection(channels)
        let list = channels.map(FormEncoding.percentEncode).joined(separator: ",")
        self.prefix = "/v2/subscribe/\(FormEncoding.percentEncode(subscribeKey))/\(list)/0?tt="
        self.suffix = "&" + FormEncoding.encode(parameters)
        self.isHandshake = true
    }

    /// The path of the next request.
    private var path: String {
        guard !self.isHandshake else { return self.prefix + TimeToken.zero.text + self.suffix }
        let region = self.region == 0 ? "" : "&tr=\(self.region)"
        return self.prefix + self.timeToken.text + region + self.suffix
    }

    private mutating func ask(_ now: Instant) -> [MemberAction] {
        guard !self.channels.isEmpty else { return [] }
        // In all other states the timer runs, or whoever asks has set it.
        let isUntimed = self.state == .stopped || self.state == .denied
        self.state = .asking
        self.askedAt = now
        return (isUntimed ? [.setTimer(.subscribeLimit, Self.limit)] : []) + [.subscribe(path: self.path)]
    }

    /// Drops what the loop is waiting for.
    private func interrupted() -> [MemberAction] {
        switch self.state {
        case .asking: [.cancelSubscription]
        case .waiting: [.cancelTimer(.subscribeRetry)]
        case .stopped, .denied, .paused: []
        }
    }

    // MARK: Answers

    private mutating func answered(_ response: Response, now: Instant) -> [MemberAction] {
        if response.head.status.code == 403 { return self.denied(response) }
        guard response.head.status.kind == .successful else {
            return self.failed(SDKError(response, on: self.options.platform))
        }
        guard let reply = SubscribeReply(response.body) else {
            let problem = Misreading("it is no JSON with t.t and a list m of at most \(SubscribeReply.messageLimit)")
            return self.failed(.unreadable("the answer of the subscribe loop", problem))
        }
        let isIdle = reply.items.isEmpty && !self.isHandshake && reply.timeToken <= self.timeToken
        let isBack = self.failures > 0
        self.failures = 0
        // The tokens of a loop never go back.
        if self.isHandshake ? self.timeToken == .zero : reply.timeToken > self.timeToken {
            self.timeToken = reply.timeToken
            self.region = reply.region
        }
        self.isHandshake = false
        if self.confirmed.count != self.channels.count { self.confirmed = Set(self.channels) }
        var actions: [MemberAction] = []
        if isBack {
            let fields: JSONObject = ["channels": .integer(Int64(self.channels.count))]
            actions.append(.emit(MemberEvent(.reconnected, fields, callback: "CONNECTED")))
        }
        if isIdle, now == self.askedAt {
            // A server that answers at once with nothing new would make the loop spin; it waits as after a failure.
            self.state = .waiting
            actions.append(.setTimer(.subscribeRetry, self.options.retryPause.interval))
        } else {
            actions += self.ask(now)
        }
        return actions + [.deliver(reply.items), .confirm(self.confirmed)]
    }

    /// Waits before the loop tries again.
    ///
    /// The next request asks for the current token, which is answered at once, so that a client in a silent room knows
    /// that it is back; what it missed comes with the request after it, from the former token on. The order is defined
    /// here.
    private mutating func failed(_ error: SDKError) -> [MemberAction] {
        let isFirst = self.failures == 0
        self.failures += 1
        self.isHandshake = true
        self.state = .waiting
        let delay = self.options.retryPause.length(afterFailure: self.failures)
        var actions: [MemberAction] = []
        if isFirst {
            let fields: JSONObject = ["reason": .string(error.message)]
            actions.append(.emit(MemberEvent(.disconnected, fields, callback: "DISCONNECTED")))
        }
        let fields: JSONObject = [
            "attempt": .integer(Int64(self.failures)), "in": .double(delay.scriptSeconds),
        ]
        actions.append(.emit(MemberEvent(.reconnecting, fields, callback: "reconnect")))
        actions.append(.setTimer(.subscribeRetry, delay))
        return actions
    }

    private mutating func denied(_ response: Response) -> [MemberAction] {
        self.state = .denied
        let error = SDKError(
            "accessDenied", "Access Denied: \(SDKError(response, on: self.options.platform).message)", status: 403)
        return [.cancelTimer(.subscribeLimit), .deny(error)]
    }

    /// Gives up a request that the carrier has not answered in time.
    private mutating func limitDue(_ now: Instant) -> [MemberAction] {
        let passed = now - self.askedAt
        var actions: [MemberAction] = []
        if self.state == .asking, passed >= Self.limit {
            actions.append(.cancelSubscription)
            actions += self.failed(SDKError("invalidResponse", "the carrier did not answer in time"))
        }
        guard self.state == .asking || self.state == .waiting else { return actions }
        let rest = Self.limit - passed
        return actions + [.setTimer(.subscribeLimit, rest > .zero ? rest : Self.limit)]
    }
}
