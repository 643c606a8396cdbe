import Foundation
import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import LiveAssist

/// One simulated server and any number of consumers and agents over a network without bytes, in virtual time.
///
/// Each connection keeps its order; a seed may shuffle which connection's turn it is.
final class TestWorld {
    /// An observed event with its time.
    struct Observed {
        let at: Instant
        let event: ChatEvent
    }

    /// What the network does to new connections of an actor.
    enum Reachability {
        case reachable
        /// Connections fail at once.
        case refused
        /// Connections hang without an answer.
        case silent
    }

    private enum Lane: Hashable {
        case exchange(ExchangeID)
        case toServer(ConnectionID)
        case toClient(ConnectionID)
    }

    private enum Owner: Hashable { case server, actor(Int) }

    private struct Place: Hashable {
        let actor: Int
        let connection: ConnectionID
    }

    private(set) var now = Instant.start
    private(set) var actors: [DrivenClient] = []
    private(set) var events: [[Observed]] = []
    /// Every binary message that reached an actor.
    private(set) var frames: [[[UInt8]]] = []
    private(set) var requests: [Request] = []
    private(set) var handshakes: [HTTPRequest] = []
    var reachability: [Int: Reachability] = [:]
    private var server: DrivenServer
    private var lanes: [(lane: Lane, deliver: () -> Void)] = []
    private var timers = TimerTable<Owner>()
    private var exchanges: [ExchangeID: (actor: Int, exchange: ExchangeID)] = [:]
    private var connections: [ConnectionID: Place] = [:]
    private var globalIDs: [Place: ConnectionID] = [:]
    private var open: Set<ConnectionID> = []
    private var counter: UInt64 = 0
    private var draws: UInt64 = 0
    private var random: RandomSource
    private let shuffles: Bool
    static let origin = "http://assist.test:8080"

    init(server options: JSONObject = [:], seed: UInt64 = 1, shuffles: Bool = false) throws {
        let configuration = ServerConfiguration(origin: Self.origin, options: options, epochMilliseconds: 0)
        let makeServer = try #require(LiveAssistSystem.system.server.make)
        self.server = try makeServer(configuration)
        self.random = RandomSource(seed: seed)
        self.shuffles = shuffles
    }

    @discardableResult
    func add(_ options: JSONObject = [:]) throws -> Int {
        let configuration = ClientConfiguration(origin: Self.origin, target: [:], options: options)
        self.actors.append(try LiveAssistSystem.system.client.make(configuration))
        self.events.append([])
        self.frames.append([])
        return self.actors.count - 1
    }

    // MARK: Acting

    @discardableResult
    func command(_ actor: Int, _ name: String, _ arguments: JSONObject = [:]) -> CommandOutcome {
        var step = self.clientStep()
        let outcome = self.actors[actor].perform(Command(name, arguments), in: &step)
        self.apply(step, of: actor)
        return outcome
    }

    /// Acts and lets everything happen that follows at once.
    @discardableResult
    func act(_ actor: Int, _ name: String, _ arguments: JSONObject = [:]) -> CommandOutcome {
        let outcome = self.command(actor, name, arguments)
        self.run()
        return outcome
    }

    @discardableResult
    func serve(_ name: String, _ arguments: JSONObject = [:]) -> CommandOutcome {
        var step = self.serverStep()
        let outcome = self.server.perform(Command(name, arguments), by: nil, in: &step)
        self.apply(step)
        self.run()
        return outcome
    }

    func input(_ actor: Int, _ input: ClientInput) {
        var step = self.clientStep()
        self.actors[actor].handle(input, in: &step)
        self.apply(step, of: actor)
    }

    func serverInput(_ input: ServerInput) {
        var step = self.serverStep()
        self.server.handle(input, in: &step)
        self.apply(step)
    }

    func tearDown(_ actor: Int) {
        var step = self.clientStep()
        self.actors[actor].tearDown(in: &step)
        self.apply(step, of: actor)
        self.run()
    }

    var serverProperties: JSONObject { self.server.properties }

    // MARK: Time

    func run(for duration: Duration = .zero) {
        let end = self.now + duration
        for _ in 0..<2_000_000 {
            if self.deliverOne() { continue }
            guard let timer = self.timers.next(until: end) else { break }
            self.now = max(self.now, timer.due)
            switch timer.owner {
            case .server: self.serverInput(.timerFired(timer.name))
            case .actor(let actor): self.input(actor, .timerFired(timer.name))
            }
        }
        self.now = end
    }

    /// The names of the timers of an actor.
    func timerNames(_ actor: Int) -> [String] { self.timers.names(of: .actor(actor)) }

    private func deliverOne() -> Bool {
        guard !self.lanes.isEmpty else { return false }
        var index = 0
        if self.shuffles {
            let lane = self.lanes[Int.random(in: 0..<self.lanes.count, using: &self.random)].lane
            index = self.lanes.firstIndex { $0.lane == lane } ?? 0
        }
        self.lanes.remove(at: index).deliver()
        return true
    }

    private func enqueue(_ lane: Lane, _ deliver: @escaping () -> Void) { self.lanes.append((lane, deliver)) }

    // MARK: Effects

    private func clientStep() -> ClientStep { ClientStep(now: self.now, random: self.nextRandom()) }
    private func serverStep() -> ServerStep { ServerStep(now: self.now, random: self.nextRandom()) }

    private func nextRandom() -> RandomSource {
        self.draws += 1
        return RandomSource(seed: self.draws)
    }

    private func apply(_ step: ClientStep, of actor: Int) {
        for effect in step.effects {
            switch effect {
            case .send(let exchange, let request): self.send(exchange, request, of: actor)
            case .cancel(let exchange):
                self.exchanges = self.exchanges.filter { $0.value.actor != actor || $0.value.exchange != exchange }
            case .open(let connection, let request, _, _): self.connect(connection, request, of: actor)
            case .transmit(let connection, let message):
                guard let id = self.globalIDs[Place(actor: actor, connection: connection)] else { continue }
                self.enqueue(.toServer(id)) {
                    if self.open.contains(id) { self.serverInput(.received(id, message)) }
                }
            case .close(let connection, let code, let reason):
                guard let id = self.globalIDs[Place(actor: actor, connection: connection)] else { continue }
                let closure = WebSocketClosure(code: code ?? 1005, reason: reason)
                self.enqueue(.toServer(id)) { self.end(id, closure, tellsServer: true, tellsClient: true) }
            case .abort(let connection):
                guard let id = self.globalIDs.removeValue(forKey: Place(actor: actor, connection: connection)) else {
                    continue
                }
                let closure = WebSocketClosure(code: 1006, reason: "aborted")
                self.enqueue(.toServer(id)) { self.end(id, closure, tellsServer: true, tellsClient: false) }
            case .setTimer(let name, let duration): self.timers.set(name, of: .actor(actor), due: self.now + duration)
            case .cancelTimer(let name): self.timers.cancel(name, of: .actor(actor))
            case .emit(let event): self.events[actor].append(Observed(at: self.now, event: event))
            case .stream, .openLink, .callScript: break
            }
        }
    }

    private func send(_ exchange: ExchangeID, _ request: Request, of actor: Int) {
        self.counter += 1
        let id = ExchangeID(self.counter)
        self.exchanges[id] = (actor, exchange)
        self.requests.append(request)
        self.enqueue(.exchange(id)) {
            switch self.reachability[actor] ?? .reachable {
            case .reachable: self.serverInput(.requested(id, request))
            case .refused:
                guard self.exchanges.removeValue(forKey: id) != nil else { return }
                self.input(actor, .exchangeFailed(exchange, TransportFailure(.cannotConnect, "no network")))
            case .silent: break
            }
        }
    }

    private func connect(_ connection: ConnectionID, _ request: HTTPRequest, of actor: Int) {
        self.counter += 1
        let id = ConnectionID(self.counter)
        let place = Place(actor: actor, connection: connection)
        self.connections[id] = place
        self.globalIDs[place] = id
        self.handshakes.append(request)
        self.enqueue(.toServer(id)) {
            guard self.globalIDs[place] == id else { return }
            switch self.reachability[actor] ?? .reachable {
            case .reachable: self.serverInput(.upgradeRequested(id, Request(request)))
            case .refused:
                self.input(actor, .openFailed(connection, TransportFailure(.cannotConnect, "no network")))
            case .silent: break
            }
        }
    }

    private func end(_ id: ConnectionID, _ closure: WebSocketClosure, tellsServer: Bool, tellsClient: Bool) {
        guard self.open.remove(id) != nil, let place = self.connections[id] else { return }
        if tellsServer { self.serverInput(.closed(id, closure)) }
        self.enqueue(.toClient(id)) {
            guard self.globalIDs[place] == id else { return }
            self.globalIDs[place] = nil
            if tellsClient { self.input(place.actor, .closed(place.connection, closure)) }
        }
    }

    private func apply(_ step: ServerStep) {
        for effect in step.effects {
            switch effect {
            case .respond(let id, let response):
                guard let place = self.exchanges.removeValue(forKey: id) else { continue }
                self.enqueue(.exchange(id)) { self.input(place.actor, .responded(place.exchange, response)) }
            case .accept(let id, let subprotocol, _):
                self.open.insert(id)
                self.toClient(id) { self.input($0.actor, .opened($0.connection, subprotocol: subprotocol)) }
            case .refuse(let id, let response):
                let failure = TransportFailure(.upgradeRefused, "refused", status: response.head.status.code)
                self.toClient(id) { self.input($0.actor, .openFailed($0.connection, failure)) }
            case .transmit(let id, let message):
                guard self.open.contains(id) else { continue }
                self.toClient(id) { place in
                    if case .binary(let bytes) = message { self.frames[place.actor].append(bytes) }
                    self.input(place.actor, .received(place.connection, message))
                }
            case .close(let id, let code, let reason):
                self.end(
                    id, WebSocketClosure(code: code ?? 1005, reason: reason), tellsServer: false, tellsClient: true)
            case .abort(let id):
                self.end(id, WebSocketClosure(code: 1006, reason: "dropped"), tellsServer: false, tellsClient: true)
            case .setTimer(let name, let duration): self.timers.set(name, of: .server, due: self.now + duration)
            case .cancelTimer(let name): self.timers.cancel(name, of: .server)
            default: break
            }
        }
    }

    private func toClient(_ id: ConnectionID, _ deliver: @escaping (Place) -> Void) {
        self.enqueue(.toClient(id)) {
            guard let place = self.connections[id], self.globalIDs[place] == id else { return }
            deliver(place)
        }
    }

    // MARK: Looking

    func events(_ actor: Int, _ kind: EventKind) -> [ChatEvent] {
        self.events[actor].map(\.event).filter { $0.kind == kind }
    }

    /// The kinds that an actor observed, those a scenario need not expect left out.
    func story(_ actor: Int) -> [String] {
        self.events[actor].map(\.event).filter { event in
            !LiveAssistSystem.system.noise.contains { $0.matches(event) }
        }.map(\.kind.rawValue)
    }

    /// The callbacks that an actor observed, in order.
    func callbacks(_ actor: Int) -> [String] {
        self.events[actor].compactMap { $0.event.fields["callback"]?.string }.filter { !$0.isEmpty }
    }

    func forgetEvents() {
        for index in self.events.indices { self.events[index] = [] }
    }

    func property(_ actor: Int, _ name: String) -> JSONValue? { self.actors[actor].properties[name] }

    /// Whether an actor ever received some text in a frame, or in several that make one snapshot.
    func received(_ actor: Int, _ text: String) -> Bool {
        let snapshots = self.frames[actor].compactMap { TopicFrame($0) }.reduce(into: [UInt8]()) { bytes, frame in
            guard frame.kind == .sendMessage else { return }
            if case .snapshotChunk(let part)? = WindowMessage(frame.payload) { bytes += part }
        }
        return (self.frames[actor] + [snapshots]).contains { Data($0).range(of: Data(text.utf8)) != nil }
    }

    // MARK: Common beginnings

    /// Adds a consumer who has started co-browsing only, in the session `room`.
    func consumer(_ options: JSONObject = [:]) throws -> Int {
        let consumer = try self.add(
            JSONObject([("agentCobrowseDelegate", true), ("connectionDelegate", true)]).merging(options))
        self.act(consumer, "start_support", ["configuration": ["correlationId": "room"]])
        return consumer
    }

    /// Adds an agent who is in the session `room`.
    func agent(_ options: JSONObject = [:]) throws -> Int {
        let agent = try self.add(JSONObject([("role", "agent")]).merging(options))
        self.act(agent, "join", ["correlation_id": "room"])
        return agent
    }

    /// Adds a consumer and an agent who watches its screen.
    func cobrowsing(
        consumer consumerOptions: JSONObject = [:], agent agentOptions: JSONObject = [:]
    ) throws -> (consumer: Int, agent: Int) {
        let consumer = try self.consumer(consumerOptions)
        let agent = try self.agent(agentOptions)
        self.act(agent, "request_cobrowse")
        self.act(consumer, "allow_cobrowse")
        return (consumer, agent)
    }
}
