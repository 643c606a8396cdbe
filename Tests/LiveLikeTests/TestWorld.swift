import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import LiveLike

/// One simulated server and any number of members over a network without bytes, in virtual time.
///
/// What is in flight is delivered in order, or in an order that a seed shuffles between exchanges.
final class TestWorld {
    /// An observed event with its time.
    struct Observed {
        let at: Instant
        let event: ChatEvent
    }

    private enum Flight {
        case request(member: Int, ExchangeID, Request)
        case answer(member: Int, ExchangeID, Response)
        case lost(member: Int, ExchangeID)
    }

    private enum Owner: Hashable { case server, member(Int) }

    private(set) var now = Instant.start
    private(set) var members: [DrivenClient] = []
    private(set) var events: [[Observed]] = []
    private(set) var partyEvents: [(party: String, event: ChatEvent)] = []
    /// Whether events are kept; a count is enough for large rooms.
    var keepsEvents = true
    /// Called for each event of a member.
    var onEvent: ((Int, ChatEvent) -> Void)?
    /// Members whose requests go nowhere, as with a cable pulled.
    var unplugged: Set<Int> = []
    private(set) var requestLog: [String] = []
    private var server: DrivenServer
    private var flights: [Flight] = []
    private var flightHead = 0
    private var timers = TimerTable<Owner>()
    private var open: [ExchangeID: (member: Int, exchange: ExchangeID)] = [:]
    private var serverExchanges: [Int: [ExchangeID: ExchangeID]] = [:]
    private var exchangeCount: UInt64 = 0
    private var random: RandomSource
    private let shuffles: Bool
    private var draws = 0
    static let origin = "http://live.test:80"
    static let epoch: Int64 = 1_650_000_000_000

    init(server options: JSONObject = [:], seed: UInt64 = 1, shuffles: Bool = false) throws {
        let configuration = ServerConfiguration(origin: Self.origin, options: options, epochMilliseconds: Self.epoch)
        let makeServer = try #require(LiveLikeSystem.system.server.make)
        self.server = try makeServer(configuration)
        self.random = RandomSource(seed: seed)
        self.shuffles = shuffles
    }

    /// Adds a member that is not connected.
    @discardableResult
    func add(_ options: JSONObject = [:]) throws -> Int {
        let configuration = ClientConfiguration(origin: Self.origin, target: [:], options: options)
        self.members.append(try LiveLikeSystem.system.client.make(configuration))
        self.events.append([])
        return self.members.count - 1
    }

    /// Adds a member and waits until it is connected.
    func connected(_ options: JSONObject = [:], room: String = "lobby") throws -> Int {
        let member = try self.add(options)
        self.command(member, "connect", ["room": .string(room)])
        self.run(for: .seconds(5))
        return member
    }

    // MARK: Acting

    @discardableResult
    func command(_ member: Int, _ name: String, _ arguments: JSONObject = [:]) -> CommandOutcome {
        var step = self.clientStep()
        let outcome = self.members[member].perform(Command(name, arguments), in: &step)
        self.apply(step, of: member)
        return outcome
    }

    func tearDown(_ member: Int) {
        var step = self.clientStep()
        self.members[member].tearDown(in: &step)
        self.apply(step, of: member)
    }

    func input(_ member: Int, _ input: ClientInput) {
        var step = self.clientStep()
        self.members[member].handle(input, in: &step)
        self.apply(step, of: member)
    }

    @discardableResult
    func serve(_ name: String, _ arguments: JSONObject = [:], by party: String? = nil) -> CommandOutcome {
        var step = ServerStep(now: self.now, random: self.nextRandom())
        let outcome = self.server.perform(Command(name, arguments), by: party, in: &step)
        self.apply(step)
        return outcome
    }

    func serverInput(_ input: ServerInput) -> [ServerEffect] {
        var step = ServerStep(now: self.now, random: self.nextRandom())
        self.server.handle(input, in: &step)
        self.apply(step)
        return step.effects
    }

    var serverProperties: JSONObject { self.server.properties }

    // MARK: Time

    /// Delivers everything and fires timers until nothing is left before the end of the duration.
    func run(for duration: Duration = .zero) {
        let end = self.now + duration
        var budget = 5_000_000
        while budget > 0 {
            budget -= 1
            if self.deliverOne() { continue }
            guard let timer = self.timers.next(until: end) else { break }
            self.now = max(self.now, timer.due)
            switch timer.owner {
            case .server: _ = self.serverInput(.timerFired(timer.name))
            case .member(let member): self.input(member, .timerFired(timer.name))
            }
        }
        self.now = end
    }

    private func deliverOne() -> Bool {
        guard self.flightHead < self.flights.count else {
            self.flights.removeAll(keepingCapacity: true)
            self.flightHead = 0
            return false
        }
        if self.shuffles {
            self.flights.swapAt(
                self.flightHead, Int.random(in: self.flightHead..<self.flights.count, using: &self.random))
        }
        let flight = self.flights[self.flightHead]
        self.flightHead += 1
        switch flight {
        case .request(let member, let exchange, let request):
            guard let id = self.serverExchanges[member]?[exchange] else { return true }
            if self.unplugged.contains(member) {
                self.close(id)
                self.input(member, .exchangeFailed(exchange, TransportFailure(.cannotConnect, "no network")))
            } else {
                _ = self.serverInput(.requested(id, request))
            }
        case .answer(let member, let exchange, let response):
            self.input(member, .responded(exchange, response))
        case .lost(let member, let exchange):
            self.input(member, .exchangeFailed(exchange, TransportFailure(.connectionLost, "the connection ended")))
        }
        return true
    }

    // MARK: Effects

    private func clientStep() -> ClientStep { ClientStep(now: self.now, random: self.nextRandom()) }

    private func nextRandom() -> RandomSource {
        self.draws += 1
        return RandomSource(seed: UInt64(self.draws))
    }

    private func apply(_ step: ClientStep, of member: Int) {
        for effect in step.effects {
            switch effect {
            case .send(let exchange, let request):
                self.exchangeCount += 1
                let id = ExchangeID(self.exchangeCount)
                self.open[id] = (member, exchange)
                self.serverExchanges[member, default: [:]][exchange] = id
                if self.keepsEvents {
                    self.requestLog.append("\(request.head.method.rawValue) \(request.head.path ?? "")")
                }
                self.flights.append(.request(member: member, exchange, request))
            case .cancel(let exchange):
                guard let id = self.serverExchanges[member]?[exchange] else { continue }
                self.close(id)
                _ = self.serverInput(.requestAbandoned(id))
            case .setTimer(let name, let duration): self.timers.set(name, of: .member(member), due: self.now + duration)
            case .cancelTimer(let name): self.timers.cancel(name, of: .member(member))
            case .emit(let event):
                if self.keepsEvents { self.events[member].append(Observed(at: self.now, event: event)) }
                self.onEvent?(member, event)
            default: break
            }
        }
    }

    private func close(_ id: ExchangeID) {
        guard let place = self.open.removeValue(forKey: id) else { return }
        self.serverExchanges[place.member]?[place.exchange] = nil
    }

    private func apply(_ step: ServerStep) {
        for effect in step.effects {
            switch effect {
            case .respond(let id, let response):
                guard let place = self.open[id] else { continue }
                self.close(id)
                self.flights.append(.answer(member: place.member, place.exchange, response))
            case .drop(let id):
                guard let place = self.open[id] else { continue }
                self.close(id)
                self.flights.append(.lost(member: place.member, place.exchange))
            case .setTimer(let name, let duration): self.timers.set(name, of: .server, due: self.now + duration)
            case .cancelTimer(let name): self.timers.cancel(name, of: .server)
            case .emit(let party, let event): self.partyEvents.append((party, event))
            default: break
            }
        }
    }

    // MARK: Looking

    func events(_ member: Int, _ kind: EventKind) -> [ChatEvent] {
        self.events[member].map(\.event).filter { $0.kind == kind }
    }

    func forgetEvents() {
        for index in self.events.indices { self.events[index] = [] }
        self.requestLog = []
    }

    /// What others sent, as this member saw it arrive.
    func heard(_ member: Int) -> [String] {
        self.events(member, .message).filter { $0.fields["mine"] != true }.map { $0.fields["text"]?.string ?? "" }
    }

    func list(_ member: Int, room: String = "lobby") -> [JSONValue] {
        guard case .done(let value) = self.command(member, "messages", ["room": .string(room)]) else { return [] }
        return value.array ?? []
    }

    func identity(_ member: Int) -> JSONObject { self.members[member].identity }

    func profileID(_ member: Int) -> JSONValue { self.identity(member)["profile_id"] ?? .null }
}
