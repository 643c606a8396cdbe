public import HTTPTypes
public import JSON
public import Machines

/// One simulated server and any number of clients in virtual time, without bytes between them: what one side asks for
/// happens to the other.
///
/// A connection keeps its order in each direction, and so does an exchange. Everything else that arrives at the same
/// instant does so in the order of sending, or in one that a seed decides. What arrives at an instant comes before the
/// timers of that instant.
public final class World {
    /// An event and when a client saw it.
    public struct Observed: Sendable {
        public let at: Instant
        public let event: ChatEvent
    }

    /// Something that a client has sent.
    public struct Sent: Sendable {
        /// What it is.
        public enum Content: Sendable {
            case request(Request)
            /// The head of a handshake.
            case handshake(HTTPRequest)
            case message(WebSocketMessage)
        }

        public let client: Int
        public let at: Instant
        public let content: Content
    }

    /// What becomes of requests and handshakes on their way to the server.
    public enum Reachability: Sendable {
        case reachable
        case failing(TransportFailure)
        /// They hang without an answer.
        case silent

        /// Nobody listens.
        public static let refused = Reachability.failing(TransportFailure(.cannotConnect, "no network"))
    }

    /// Who has timers and calls functions of the script.
    public enum Side: Hashable, Sendable { case server, client(Int) }

    /// A call of a function of the script that nobody has answered.
    public struct ScriptCall: Sendable {
        public let side: Side
        public let id: ScriptCallID
        public let arguments: [JSONValue]
    }

    /// What keeps its order.
    private enum Lane: Hashable {
        case exchange(ExchangeID)
        case toServer(ConnectionID)
        case toClient(ConnectionID)
        case script(Side)
    }

    private struct Flight {
        let at: Instant
        let lane: Lane
        let deliver: (World) -> Void
    }

    private struct Exchange {
        let client: Int
        /// As the client calls it.
        let id: ExchangeID
        let request: Request
        let isStreamed: Bool
        /// Whether the server is done with it; a client that cancels it then is not heard of.
        var isAnswered = false
    }

    private struct Place: Hashable {
        let client: Int
        /// As the client calls it.
        let id: ConnectionID
    }

    /// The simulated server.
    public var server: DrivenServer
    /// The clients, by their numbers.
    public private(set) var clients: [DrivenClient] = []
    /// The time.
    public private(set) var now = Instant.start
    /// What each client has observed.
    public private(set) var events: [[Observed]] = []
    /// What each client has received over its connections.
    public private(set) var received: [[WebSocketMessage]] = []
    /// What parties of the server have observed.
    public private(set) var partyEvents: [(party: String, event: ChatEvent)] = []
    /// What clients have sent, in order.
    public private(set) var sent: [Sent] = []
    /// The calls of functions that ``script`` has not answered.
    public private(set) var calls: [ScriptCall] = []

    /// Whether what was sent and observed is kept; in large rooms ``onEvent`` is enough.
    public var keepsLog = true
    /// What becomes of what clients send, by their numbers.
    public var reachability: [Int: Reachability] = [:]
    /// What becomes of all handshakes.
    public var handshakes = Reachability.reachable
    /// Called for each event of a client.
    public var onEvent: ((Int, ChatEvent) -> Void)?
    /// Called for each event of a party.
    public var onPartyEvent: ((String, ChatEvent) -> Void)?
    /// Changes a whole answer on its way; nil loses it.
    public var intercept: ((Request, Response) -> Response?)?
    /// The functions of the script; nil leaves a call without an answer.
    public var script: ((ScriptFunction, [JSONValue]) -> Result<JSONValue, ScriptCallFailure>?)?

    private let delay: Duration
    private let shuffles: Bool
    private let longestPiece: Int?
    private var seeds: RandomSource
    private var random: RandomSource
    private var serverRandom: RandomSource
    private var clientRandoms: [RandomSource] = []
    private var timers = TimerTable<Side>()
    /// In the order of arrival; those before ``head`` have arrived.
    private var flights: [Flight] = []
    private var head = 0
    private var count: UInt64 = 0
    private var exchanges: [ExchangeID: Exchange] = [:]
    private var exchangeIDs: [Int: [ExchangeID: ExchangeID]] = [:]
    private var connections: [ConnectionID: Place] = [:]
    private var connectionIDs: [Place: ConnectionID] = [:]
    private var open: Set<ConnectionID> = []

    /// Creates a world without clients.
    ///
    /// - Parameters:
    ///   - seed: The seed of all randomness.
    ///   - shuffles: Whether the seed decides what arrives first of what arrives at the same instant.
    ///   - delay: How long everything is on its way.
    ///   - longestPiece: How many bytes of a streamed body arrive at once at most; nil if they arrive as they were
    ///     sent.
    public init(
        server: DrivenServer, seed: UInt64 = 1, shuffles: Bool = false, delay: Duration = .zero,
        longestPiece: Int? = nil
    ) {
        self.server = server
        self.shuffles = shuffles
        self.delay = delay
        self.longestPiece = longestPiece
        self.seeds = RandomSource(seed: seed)
        self.random = self.seeds.derived(for: "world")
        self.serverRandom = self.seeds.derived(for: "server")
    }

    /// Adds a client.
    ///
    /// - Returns: Its number.
    @discardableResult
    public func add(_ client: DrivenClient) -> Int {
        self.clients.append(client)
        self.clientRandoms.append(self.seeds.derived(for: "client \(self.clients.count)"))
        self.events.append([])
        self.received.append([])
        return self.clients.count - 1
    }

    /// Returns a world in the same state, in which a test can try what it does not want to have happened.
    public func copy() -> World {
        let copy = World(
            server: self.server, shuffles: self.shuffles, delay: self.delay, longestPiece: self.longestPiece)
        copy.clients = self.clients
        copy.now = self.now
        copy.events = self.events
        copy.received = self.received
        copy.partyEvents = self.partyEvents
        copy.sent = self.sent
        copy.calls = self.calls
        copy.keepsLog = self.keepsLog
        copy.reachability = self.reachability
        copy.handshakes = self.handshakes
        copy.onEvent = self.onEvent
        copy.onPartyEvent = self.onPartyEvent
        copy.intercept = self.intercept
        copy.script = self.script
        copy.seeds = self.seeds
        copy.random = self.random
        copy.serverRandom = self.serverRandom
        copy.clientRandoms = self.clientRandoms
        copy.timers = self.timers
        copy.flights = self.flights
        copy.head = self.head
        copy.count = self.count
        copy.exchanges = self.exchanges
        copy.exchangeIDs = self.exchangeIDs
        copy.connections = self.connections
        copy.connectionIDs = self.connectionIDs
        copy.open = self.open
        return copy
    }

    // MARK: What a test does

    /// Lets a client do something.
    @discardableResult
    public func perform(_ name: String, _ arguments: JSONObject = [:], as client: Int) -> CommandOutcome {
        var step = ClientStep(now: self.now, random: self.clientRandoms[client])
        let outcome = self.clients[client].perform(Command(name, arguments), in: &step)
        self.apply(step, of: client)
        return outcome
    }

    /// Lets the server, or one of its parties, do something.
    @discardableResult
    public func serve(_ name: String, _ arguments: JSONObject = [:], by party: String? = nil) -> CommandOutcome {
        var step = ServerStep(now: self.now, random: self.serverRandom)
        let outcome = self.server.perform(Command(name, arguments), by: party, in: &step)
        self.apply(step)
        return outcome
    }

    /// Feeds a client something that the server need not have sent.
    public func feed(_ input: ClientInput, to client: Int) {
        var step = ClientStep(now: self.now, random: self.clientRandoms[client])
        self.clients[client].handle(input, in: &step)
        self.apply(step, of: client)
    }

    /// Feeds the server something that no client need have sent.
    ///
    /// - Returns: What it asked for.
    @discardableResult
    public func feed(_ input: ServerInput) -> [ServerEffect] {
        var step = ServerStep(now: self.now, random: self.serverRandom)
        self.server.handle(input, in: &step)
        self.apply(step)
        return step.effects
    }

    /// Ends the scenario for a client, as the worker would.
    public func tearDown(_ client: Int) {
        var step = ClientStep(now: self.now, random: self.clientRandoms[client])
        self.clients[client].tearDown(in: &step)
        self.apply(step, of: client)
    }

    /// Breaks all open connections, without a close frame.
    public func dropConnections() {
        let closure = WebSocketClosure(code: 1006, reason: "dropped")
        for id in self.open.sorted(by: { $0.number < $1.number }) {
            self.open.remove(id)
            self.fly(.toServer(id)) { world in world.feed(.closed(id, closure)) }
            self.tellClient(of: id, closure)
        }
    }

    /// Forgets what clients have observed so far.
    public func forgetEvents() {
        for client in self.events.indices { self.events[client] = [] }
    }

    /// Forgets what clients have sent so far.
    public func forgetSent() { self.sent = [] }

    // MARK: Time

    /// Lets arrive what does so now, and what follows from it, without a timer running out.
    public func settle() {
        for _ in 0..<100_000 { if !self.deliverNext(until: self.now) { return } }
    }

    /// Lets time pass.
    public func run(for duration: Duration = .zero) {
        let end = self.now + duration
        for _ in 0..<5_000_000 {
            if self.deliverNext(until: self.now) { continue }
            let arrival = self.flights.indices.contains(self.head) ? self.flights[self.head].at : nil
            if let due = self.timers.nextDue, due <= end, arrival.map({ due < $0 }) ?? true {
                guard let timer = self.timers.next(until: end) else { break }
                self.now = max(self.now, timer.due)
                switch timer.owner {
                case .server: self.feed(.timerFired(timer.name))
                case .client(let client): self.feed(.timerFired(timer.name), to: client)
                }
            } else if !self.deliverNext(until: end) {
                break
            }
        }
        self.now = end
    }

    /// The names of the timers that a side has set, sorted.
    public func timerNames(of side: Side) -> [String] { self.timers.names(of: side) }

    private func fly(_ lane: Lane, after delay: Duration? = nil, _ deliver: @escaping (World) -> Void) {
        let flight = Flight(at: self.now + (delay ?? self.delay), lane: lane, deliver: deliver)
        var place = self.flights.count
        while place > self.head, self.flights[place - 1].at > flight.at { place -= 1 }
        self.flights.insert(flight, at: place)
    }

    private func deliverNext(until end: Instant) -> Bool {
        guard self.head < self.flights.count, self.flights[self.head].at <= end else { return false }
        let flight: Flight
        if self.shuffles {
            let at = self.flights[self.head].at
            let last = self.flights.lastIndex { $0.at == at } ?? self.head
            let lane = self.flights[Int.random(in: self.head...last, using: &self.random)].lane
            // Only the first of its lane may go.
            let place = self.flights[self.head...last].firstIndex { $0.lane == lane } ?? self.head
            flight = self.flights.remove(at: place)
        } else {
            flight = self.flights[self.head]
            self.head += 1
        }
        if self.head == self.flights.count || self.head > 10_000 {
            self.flights.removeFirst(self.head)
            self.head = 0
        }
        self.now = max(self.now, flight.at)
        flight.deliver(self)
        return true
    }

    // MARK: What clients ask for

    private func apply(_ step: ClientStep, of client: Int) {
        self.clientRandoms[client] = step.random
        for effect in step.effects {
            switch effect {
            case .send(let exchange, let request): self.send(request, as: exchange, of: client, isStreamed: false)
            case .stream(let exchange, let request): self.send(request, as: exchange, of: client, isStreamed: true)
            case .cancel(let exchange, _): self.cancel(exchange, of: client)
            case .open(let connection, let head, _, _): self.connect(head, as: connection, of: client)
            case .openLink, .encrypt: preconditionFailure("no system here speaks over bare links")
            case .transmit(let connection, let message):
                guard let id = self.connectionIDs[Place(client: client, id: connection)] else { continue }
                self.log(.message(message), of: client)
                self.fly(.toServer(id)) { world in if world.open.contains(id) { world.feed(.received(id, message)) } }
            case .close(let connection, let code, let reason):
                guard let id = self.connectionIDs[Place(client: client, id: connection)] else { continue }
                let closure = WebSocketClosure(code: code ?? 1005, reason: reason)
                self.fly(.toServer(id)) { world in
                    guard world.open.remove(id) != nil else { return }
                    world.feed(.closed(id, closure))
                    world.tellClient(of: id, closure)
                }
            case .abort(let connection):
                guard let id = self.connectionIDs.removeValue(forKey: Place(client: client, id: connection)) else {
                    continue
                }
                let closure = WebSocketClosure(code: 1006, reason: "aborted")
                self.fly(.toServer(id)) { world in if world.open.remove(id) != nil { world.feed(.closed(id, closure)) }
                }
            case .setTimer(let name, let delay): self.timers.set(name, of: .client(client), due: self.now + delay)
            case .cancelTimer(let name): self.timers.cancel(name, of: .client(client))
            case .callScript(let call, let function, let arguments):
                self.call(function, call, arguments, of: .client(client)) { world, result in
                    world.feed(.scriptReturned(call, result), to: client)
                }
            case .emit(let event):
                if self.keepsLog { self.events[client].append(Observed(at: self.now, event: event)) }
                self.onEvent?(client, event)
            }
        }
    }

    private func log(_ content: Sent.Content, of client: Int) {
        if self.keepsLog { self.sent.append(Sent(client: client, at: self.now, content: content)) }
    }

    private func send(_ request: Request, as exchange: ExchangeID, of client: Int, isStreamed: Bool) {
        self.log(.request(request), of: client)
        self.count += 1
        let id = ExchangeID(self.count)
        self.exchanges[id] = Exchange(client: client, id: exchange, request: request, isStreamed: isStreamed)
        self.exchangeIDs[client, default: [:]][exchange] = id
        self.fly(.exchange(id)) { world in
            guard world.exchanges[id] != nil else { return }
            switch world.reachability[client] ?? .reachable {
            case .reachable: world.feed(.requested(id, request))
            case .failing(let failure): world.end(id, .exchangeFailed(exchange, failure))
            case .silent: break
            }
        }
    }

    private func cancel(_ exchange: ExchangeID, of client: Int) {
        guard let id = self.exchangeIDs[client]?.removeValue(forKey: exchange) else { return }
        let isAnswered = self.exchanges.removeValue(forKey: id)?.isAnswered ?? true
        if !isAnswered { self.fly(.exchange(id)) { world in world.feed(.requestAbandoned(id)) } }
    }

    private func connect(_ head: HTTPRequest, as connection: ConnectionID, of client: Int) {
        self.log(.handshake(head), of: client)
        self.count += 1
        let id = ConnectionID(self.count)
        let place = Place(client: client, id: connection)
        self.connections[id] = place
        self.connectionIDs[place] = id
        self.fly(.toServer(id)) { world in
            // It may have been aborted meanwhile.
            guard world.connectionIDs[place] == id else { return }
            switch (world.reachability[client] ?? .reachable, world.handshakes) {
            case (.reachable, .reachable): world.feed(.upgradeRequested(id, Request(head)))
            case (.failing(let failure), _), (.reachable, .failing(let failure)):
                world.feed(.openFailed(connection, failure), to: client)
            case (.silent, _), (_, .silent): break
            }
        }
    }

    private func call(
        _ function: ScriptFunction, _ id: ScriptCallID, _ arguments: [JSONValue], of side: Side,
        answer: @escaping (World, Result<JSONValue, ScriptCallFailure>) -> Void
    ) {
        guard let result = self.script?(function, arguments) else {
            return self.calls.append(ScriptCall(side: side, id: id, arguments: arguments))
        }
        self.fly(.script(side), after: .zero) { world in answer(world, result) }
    }

    // MARK: What the server asks for

    private func apply(_ step: ServerStep) {
        self.serverRandom = step.random
        for effect in step.effects {
            switch effect {
            case .respond(let id, let response): self.respond(id, response)
            case .begin(let id, let head): self.stream(id) { .responseBegan($0, head) }
            case .write(let id, let bytes): self.deliver(bytes, id)
            case .end(let id): self.finish(id) { .responseEnded($0) }
            case .drop(let id):
                let failure = TransportFailure(.connectionLost, "dropped by the server")
                self.finish(id) { .exchangeFailed($0, failure) }
            case .accept(let id, let subprotocol, _):
                self.open.insert(id)
                self.toClient(id) { .opened($0, subprotocol: subprotocol) }
            case .refuse(let id, let response):
                let failure = TransportFailure(.upgradeRefused, "refused", status: response.head.status.code)
                self.toClient(id) { .openFailed($0, failure) }
            case .transmit(let id, let message):
                guard self.open.contains(id) else { continue }
                self.toClient(id) { .received($0, message) }
            case .close(let id, let code, let reason):
                guard self.open.remove(id) != nil else { continue }
                let closure = WebSocketClosure(code: code ?? 1005, reason: reason)
                self.fly(.toServer(id)) { world in world.feed(.closed(id, closure)) }
                self.tellClient(of: id, closure)
            case .abort(let id):
                guard self.open.remove(id) != nil else { continue }
                self.tellClient(of: id, WebSocketClosure(code: 1006, reason: "dropped"))
            case .setTimer(let name, let delay): self.timers.set(name, of: .server, due: self.now + delay)
            case .cancelTimer(let name): self.timers.cancel(name, of: .server)
            case .callScript(let call, let function, let arguments):
                self.call(function, call, arguments, of: .server) { world, result in
                    world.feed(.scriptReturned(call, result))
                }
            case .emit(let party, let event):
                self.partyEvents.append((party, event))
                self.onPartyEvent?(party, event)
            // Bytes past the codec have no meaning where there is no codec, and links are none of its.
            case .transmitBytes, .encrypt: break
            }
        }
    }

    private func respond(_ id: ExchangeID, _ response: Response) {
        guard let exchange = self.exchanges[id] else { return }
        guard !exchange.isStreamed else {
            self.stream(id) { .responseBegan($0, response.head) }
            self.deliver(response.body, id)
            return self.finish(id) { .responseEnded($0) }
        }
        guard let intercept = self.intercept else { return self.finish(id) { .responded($0, response) } }
        guard let changed = intercept(exchange.request, response) else {
            self.exchanges[id]?.isAnswered = true
            return
        }
        self.finish(id) { .responded($0, changed) }
    }

    private func deliver(_ bytes: [UInt8], _ id: ExchangeID) {
        guard let longest = self.longestPiece else { return self.stream(id) { .bodyReceived($0, bytes) } }
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(Int.random(in: 1...longest, using: &self.random)))
            self.stream(id) { .bodyReceived($0, piece) }
            rest = rest.dropFirst(piece.count)
        }
    }

    private func stream(_ id: ExchangeID, _ input: @escaping (ExchangeID) -> ClientInput) {
        self.fly(.exchange(id)) { world in
            if let exchange = world.exchanges[id] { world.feed(input(exchange.id), to: exchange.client) }
        }
    }

    private func finish(_ id: ExchangeID, _ input: @escaping (ExchangeID) -> ClientInput) {
        guard self.exchanges[id] != nil else { return }
        self.exchanges[id]?.isAnswered = true
        self.fly(.exchange(id)) { world in
            if let exchange = world.exchanges[id] { world.end(id, input(exchange.id)) }
        }
    }

    private func end(_ id: ExchangeID, _ input: ClientInput) {
        guard let exchange = self.exchanges.removeValue(forKey: id) else { return }
        self.exchangeIDs[exchange.client]?[exchange.id] = nil
        self.feed(input, to: exchange.client)
    }

    private func toClient(_ id: ConnectionID, _ input: @escaping (ConnectionID) -> ClientInput) {
        self.fly(.toClient(id)) { world in
            guard let place = world.connections[id], world.connectionIDs[place] == id else { return }
            let input = input(place.id)
            if case .received(_, let message) = input, world.keepsLog { world.received[place.client].append(message) }
            world.feed(input, to: place.client)
        }
    }

    private func tellClient(of id: ConnectionID, _ closure: WebSocketClosure) {
        self.fly(.toClient(id)) { world in
            guard let place = world.connections[id], world.connectionIDs[place] == id else { return }
            world.connectionIDs[place] = nil
            world.feed(.closed(place.id, closure), to: place.client)
        }
    }
}
