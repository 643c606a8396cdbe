import HTTPTypes
import JSON
import Machines

@testable import PlainHTTP

/// One client and one server back to back in virtual time, without a network between them.
struct TestWorld {
    /// What is to happen to one of both.
    private enum Input {
        case client(ClientInput)
        case server(ServerInput)
    }

    private struct Due {
        let at: Instant
        let order: Int
        let input: Input
        /// Whose timer it is, to be replaced or forgotten by its name.
        var timer: (isClient: Bool, name: TimerName)?
    }

    private(set) var now = Instant.start
    private(set) var client: KeyedClientAdapter<HTTPClient>
    private(set) var server: KeyedServerAdapter<HTTPServer>
    private(set) var events: [ChatEvent] = []
    private(set) var peerEvents: [ChatEvent] = []
    /// The calls of the handler that were not answered.
    private(set) var calls: [(id: ScriptCallID, arguments: [JSONValue])] = []
    private var queue: [Due] = []
    private var count = 0
    private var random: RandomSource
    /// How long the pieces are in which bodies arrive, at most; nil if they arrive as they were sent.
    private let longestPiece: Int?

    init(
        client: JSONObject = [:], server: JSONObject = [:], seed: UInt64 = 1, longestPiece: Int? = nil
    ) throws {
        self.client = KeyedClientAdapter(
            try HTTPClient(
                ClientConfiguration(origin: "http://bot.test", target: [:], options: client, epochMilliseconds: 0)))
        self.server = KeyedServerAdapter(
            try HTTPServer(ServerConfiguration(origin: "http://bot.test", options: server, epochMilliseconds: 0)))
        self.random = RandomSource(seed: seed)
        self.longestPiece = longestPiece
    }

    /// The kinds of the client's events.
    var kinds: [EventKind] { self.events.map(\.kind) }

    /// The client's events of a kind.
    func events(_ kind: EventKind) -> [JSONObject] { self.events.filter { $0.kind == kind }.map(\.fields) }

    // MARK: What a test does

    @discardableResult
    mutating func act(_ name: String, _ arguments: JSONObject = [:]) -> CommandOutcome {
        var step = ClientStep(now: self.now, random: self.random)
        let outcome = self.client.perform(Command(name, arguments), in: &step)
        self.perform(step.effects)
        return outcome
    }

    @discardableResult
    mutating func serve(_ name: String, _ arguments: JSONObject = [:], by party: String? = "peer") -> CommandOutcome {
        var step = ServerStep(now: self.now, random: self.random)
        let outcome = self.server.perform(Command(name, arguments), by: party, in: &step)
        self.perform(step.effects)
        return outcome
    }

    mutating func feed(client input: ClientInput) {
        var step = ClientStep(now: self.now, random: self.random)
        self.client.handle(input, in: &step)
        self.perform(step.effects)
    }

    mutating func feed(server input: ServerInput) {
        var step = ServerStep(now: self.now, random: self.random)
        self.server.handle(input, in: &step)
        self.perform(step.effects)
    }

    mutating func tearDown() {
        var step = ClientStep(now: self.now, random: self.random)
        self.client.tearDown(in: &step)
        self.perform(step.effects)
    }

    /// Lets everything happen that is due within a time.
    mutating func run(for duration: Duration = .seconds(600)) {
        let end = self.now + duration
        while let next = self.queue.min(by: { ($0.at, $0.order) < ($1.at, $1.order) }), next.at <= end {
            self.queue.removeAll { $0.order == next.order }
            self.now = max(self.now, next.at)
            switch next.input {
            case .client(let input): self.feed(client: input)
            case .server(let input): self.feed(server: input)
            }
        }
    }

    // MARK: Effects

    private mutating func later(
        _ input: Input, _ delay: Duration = .zero, timer: (isClient: Bool, name: TimerName)? = nil
    ) {
        self.count += 1
        self.queue.append(Due(at: self.now + delay, order: self.count, input: input, timer: timer))
    }

    private mutating func forget(_ timer: TimerName, isClient: Bool) {
        self.queue.removeAll { $0.timer.map { $0.name == timer && $0.isClient == isClient } ?? false }
    }

    private mutating func perform(_ effects: [ClientEffect]) {
        for effect in effects {
            switch effect {
            case .stream(let id, let request): self.later(.server(.requested(id, request)))
            case .cancel(let id):
                self.queue.removeAll { due in
                    if case .client(let input) = due.input { input.exchange == id } else { false }
                }
                self.later(.server(.requestAbandoned(id)))
            case .setTimer(let name, let delay):
                self.forget(name, isClient: true)
                self.later(.client(.timerFired(name)), delay, timer: (true, name))
            case .cancelTimer(let name): self.forget(name, isClient: true)
            case .emit(let event): self.events.append(event)
            default: preconditionFailure("a plain HTTP client does not ask for \(effect)")
            }
        }
    }

    private mutating func perform(_ effects: [ServerEffect]) {
        for effect in effects {
            switch effect {
            case .respond(let id, let response):
                self.later(.client(.responseBegan(id, response.head)))
                self.deliver(response.body, id)
                self.later(.client(.responseEnded(id)))
            case .begin(let id, let head): self.later(.client(.responseBegan(id, head)))
            case .write(let id, let bytes): self.deliver(bytes, id)
            case .end(let id): self.later(.client(.responseEnded(id)))
            case .drop(let id):
                self.later(.client(.exchangeFailed(id, TransportFailure(.connectionLost, "the server hung up"))))
            case .setTimer(let name, let delay):
                self.forget(name, isClient: false)
                self.later(.server(.timerFired(name)), delay, timer: (false, name))
            case .cancelTimer(let name): self.forget(name, isClient: false)
            case .callScript(let id, _, let arguments): self.calls.append((id, arguments))
            case .emit(_, let event): self.peerEvents.append(event)
            default: preconditionFailure("a plain HTTP server does not ask for \(effect)")
            }
        }
    }

    private mutating func deliver(_ bytes: [UInt8], _ id: ExchangeID) {
        guard let longest = self.longestPiece else { return self.later(.client(.bodyReceived(id, bytes))) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let length = Int.random(in: 1...longest, using: &self.random)
            self.later(.client(.bodyReceived(id, Array(rest.prefix(length)))))
            rest = rest.dropFirst(length)
        }
    }
}

extension ClientInput {
    fileprivate var exchange: ExchangeID? {
        switch self {
        case .responseBegan(let id, _), .bodyReceived(let id, _), .responseEnded(let id), .exchangeFailed(let id, _): id
        default: nil
        }
    }
}
