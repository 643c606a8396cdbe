import HTTPTypes
import JSON
import Machines

/// The simulated service: REST interface and message carrier under one origin, moderators played by scripts.
///
/// Requests are answered at once or, for a subscribe, when there is something to say. `latency` and `loss` change when
/// and whether an answer goes out; the carrier's log makes sure that a lost answer loses no message.
struct LiveLikeServer: ServerMachine {
    /// Its timers.
    enum Timer: MachineTimer {
        /// The request that has waited longest on the message carrier is due.
        case hold
        /// A late answer is due.
        case answer(UInt64)

        var description: String {
            switch self {
            case .hold: "hold"
            case .answer(let number): "answer-\(number)"
            }
        }
    }

    static let subscribeKey = "sub-c-repartee"
    static let publishKey = "pub-c-repartee"
    /// At most this many profiles, rooms, invitations, rules and reports of each kind; defined here.
    static let recordLimit = 100_000

    /// A failure that a script has prepared.
    struct Failure: Sendable {
        let path: String
        /// The HTTP status, or zero to drop the connection.
        let status: Int
        let detail: String
        var count: Int64
    }

    var options: ServerOptions
    let base: String
    let authority: String
    let epochMilliseconds: Int64
    var carrier: Carrier
    var profiles: [String: ServerProfile] = [:]
    var profileIDsByToken: [String: String] = [:]
    var partyProfiles: [String: String] = [:]
    var watchers: [String] = []
    var rooms: [String: ServerRoom] = [:]
    var roomOrder: [String] = []
    var invitations: [JSONObject] = []
    var rules: [JSONObject] = []
    var reports: [JSONObject] = []
    var globallyMuted: Set<String> = []
    var globallyShadowMuted: Set<String> = []
    var failures: [Failure] = []
    var messageCount: Int64 = 0
    private var delayed: [UInt64: (exchange: ExchangeID, response: Response)] = [:]
    private var delayedCount: UInt64 = 0
    private var holdTimer: Instant?

    /// Creates a service with the rooms of its options.
    init(_ configuration: ServerConfiguration) throws(ConfigurationError) {
        self.options = try ServerOptions(configuration.options)
        guard let origin = WebAddress(configuration.origin) else {
            throw ConfigurationError("\"\(configuration.origin)\" is no URL; write http://host:port")
        }
        self.base = "\(origin.scheme)://\(origin.authority)/api/v1"
        self.authority = origin.authority
        self.epochMilliseconds = configuration.epochMilliseconds
        self.carrier = Carrier(epochMilliseconds: configuration.epochMilliseconds)
        for options in self.options.rooms {
            guard let id = options["id"]?.string, !id.isEmpty else {
                throw ConfigurationError("each room needs an id; write { id = \"lobby\", title = \"Lobby\" }")
            }
            self.addRoom(id: id, options, creator: nil, at: .start)
        }
    }

    var properties: JSONObject {
        [
            "rooms": .array(self.roomOrder.map { .string($0) }), "profiles": .integer(Int64(self.profiles.count)),
            "subscribers": .integer(Int64(self.carrier.waitingCount)), "messages": .integer(self.messageCount),
        ]
    }

    mutating func handle(_ input: Input, in step: inout Step) {
        switch input {
        case .requested(let exchange, let request): self.requested(exchange, request, in: &step)
        case .upgradeRequested(let connection, _):
            step.ask(.refuse(connection, Response(text: "This service has no WebSocket.\n", status: .notFound)))
        case .requestAbandoned(let exchange):
            self.carrier.abandon(exchange)
            self.armHold(in: &step)
        case .timerFired(.hold):
            self.holdTimer = nil
            let due = self.carrier.takeDue(at: step.now)
            for exchange in due.answers { self.answer(exchange, due.response, in: &step) }
            self.armHold(in: &step)
        case .timerFired(.answer(let number)):
            guard let delayed = self.delayed.removeValue(forKey: number) else { return }
            step.ask(.respond(delayed.exchange, delayed.response))
        case .linkOpened, .received, .closed, .scriptReturned: break
        }
    }

    private mutating func requested(_ exchange: ExchangeID, _ request: Request, in step: inout Step) {
        let target = RequestTarget(request)
        if let failure = self.preparedFailure(for: target.path) {
            if failure.status == 0 { return step.ask(.drop(exchange)) }
            return self.answer(exchange, Self.error(failure.status, failure.detail), in: &step)
        }
        switch target.segments.first {
        case "api": self.answerService(exchange, target, request, in: &step)
        case "v1", "v2", "v3", "publish", "time": self.answerCarrier(exchange, target, request, in: &step)
        default: self.answer(exchange, Self.error(404, "Not found."), in: &step)
        }
    }

    private mutating func preparedFailure(for path: String) -> Failure? {
        guard let index = self.failures.firstIndex(where: { path.contains($0.path) }) else { return nil }
        self.failures[index].count -= 1
        let failure = self.failures[index]
        if failure.count <= 0 { self.failures.remove(at: index) }
        return failure
    }

    // MARK: Answering

    /// Sends an answer, late or not at all as the options say.
    mutating func answer(_ exchange: ExchangeID, _ response: Response, in step: inout Step) {
        if self.options.loss > 0, Double.random(in: 0..<1, using: &step.random) < self.options.loss {
            return step.ask(.drop(exchange))
        }
        guard self.options.latency > .zero || self.options.jitter > .zero else {
            return step.ask(.respond(exchange, response))
        }
        var delay = self.options.latency
        if self.options.jitter > .zero {
            let extra = Int64.random(in: 0...self.options.jitter.clampedNanoseconds, using: &step.random)
            delay += .nanoseconds(extra)
        }
        self.delayedCount += 1
        self.delayed[self.delayedCount] = (exchange, response)
        step.ask(.setTimer(.answer(self.delayedCount), delay))
    }

    /// Keeps one timer for the request that has waited longest.
    mutating func armHold(in step: inout Step) {
        let due = self.carrier.nextDue
        // A timer that fires too early finds nothing due and is set again; so it is only ever moved forward by firing.
        guard let due, self.holdTimer == nil else { return }
        self.holdTimer = due
        step.ask(.setTimer(.hold, max(due - step.now, .zero)))
    }

    /// Publishes on a channel and answers those who wait for it.
    @discardableResult
    mutating func publish(
        _ data: JSONValue, type: Int64 = 0, on channel: String, by publisher: String = "server",
        senderID: String = "server", filter: String = "", visibleOnlyTo: String? = nil, in step: inout Step
    ) -> TimeToken {
        let result = self.carrier.publish(
            data, type: type, on: channel, by: publisher, senderID: senderID, filter: filter,
            visibleOnlyTo: visibleOnlyTo, key: Self.subscribeKey, at: step.now)
        for exchange in result.answers { self.answer(exchange, result.response, in: &step) }
        return result.token
    }

    /// An error in the form of the service.
    static func error(_ status: Int, _ detail: String) -> Response {
        Response(json: ["detail": .string(detail)], status: .init(code: status))
    }

    /// A list that fits one page.
    static func list(_ results: [JSONValue]) -> Response {
        Response(json: [
            "count": .integer(Int64(results.count)), "next": nil, "previous": nil, "results": .array(results),
        ])
    }

    /// The time stamp of an instant.
    func timestamp(_ now: Instant) -> String { ServiceTime.text(ticks: self.carrier.token(at: now).ticks) }
}
