import HTTPTypes
import Machines

/// The one subscribe loop of a client: which channels it listens to and from which token on.
///
/// | state | input | → state |
/// |---|---|---|
/// | stopped | `changed` with channels | handshake |
/// | handshake, listening | answer | listening |
/// | handshake, listening | failure | waiting |
/// | waiting | timer | handshake |
/// | any | access denied | denied |
/// | any | `changed` without channels | stopped |
struct SubscribeLoop: Sendable {
    /// What the loop is doing.
    enum State: Hashable, Sendable {
        case stopped
        /// A request is under way.
        case asking(ExchangeID)
        /// The time before another try passes.
        case waiting
        /// The server denies access; the loop does not try again (defined here: no storm of retries).
        case denied
    }

    private(set) var state = State.stopped
    private(set) var channels: [String] = []
    private(set) var timeToken = TimeToken.zero
    private(set) var region: Int64 = 0
    private(set) var failures = 0
    /// Channels whose subscription an answer has confirmed.
    private(set) var confirmed: Set<String> = []
    /// Whether the next request only makes the channels known: it is answered at once, and a token of before stays.
    private(set) var isHandshake = true
    private var prefix = ""
    private var suffix = ""

    /// Sets the channels and remembers the parts of the path that stay the same from one request to the next.
    mutating func change(channels: [String], subscribeKey: String, parameters: [(String, String)]) {
        self.channels = channels
        self.confirmed.formIntersection(channels)
        let list = channels.map(FormEncoding.percentEncode).joined(separator: ",")
        self.prefix = "/v2/subscribe/\(FormEncoding.percentEncode(subscribeKey))/\(list)/0?tt="
        self.suffix = "&" + FormEncoding.encode(parameters)
        self.isHandshake = true
    }

    /// The path of the next request.
    var path: String {
        guard !self.isHandshake else { return self.prefix + TimeToken.zero.text + self.suffix }
        let region = self.region == 0 ? "" : "&tr=\(self.region)"
        return self.prefix + self.timeToken.text + region + self.suffix
    }

    /// Notes that a request is under way.
    mutating func asked(_ exchange: ExchangeID) { self.state = .asking(exchange) }

    /// Takes an answer; the tokens of a loop never go back.
    ///
    /// - Returns: Whether the loop had been interrupted and is back.
    mutating func answered(_ reply: SubscribeReply) -> Bool {
        let isBack = self.failures > 0
        self.failures = 0
        if self.isHandshake ? self.timeToken == .zero : reply.timeToken > self.timeToken {
            self.timeToken = reply.timeToken
            self.region = reply.region
        }
        self.isHandshake = false
        if self.confirmed.count != self.channels.count { self.confirmed = Set(self.channels) }
        return isBack
    }

    /// Notes a failure; a timer runs until the next try.
    ///
    /// That one asks for the current token, which is answered at once, so that a client in a silent room knows that it is
    /// back; what it missed comes with the request after it, from the former token on. The order is defined here.
    mutating func failed() {
        self.failures += 1
        self.isHandshake = true
        self.state = .waiting
    }

    /// Notes that the next request waits for a timer.
    mutating func paused() { self.state = .waiting }

    /// Notes that the server lets this client not listen.
    mutating func denied() { self.state = .denied }

    /// Notes that there is nothing to listen to.
    mutating func stopped() {
        self.state = .stopped
        self.failures = 0
    }
}
