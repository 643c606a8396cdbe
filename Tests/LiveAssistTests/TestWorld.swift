import Foundation
import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import LiveAssist

/// One simulated server and any number of consumers and agents.
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

    private let world: World

    var reachability: [Int: Reachability] = [:] {
        didSet {
            self.world.reachability = self.reachability.mapValues {
                switch $0 {
                case .reachable: .reachable
                case .refused: .refused
                case .silent: .silent
                }
            }
        }
    }

    static let origin = "http://assist.test:8080"

    init(server options: JSONObject = [:], seed: UInt64 = 1, shuffles: Bool = false) throws {
        let configuration = ServerConfiguration(origin: Self.origin, options: options, epochMilliseconds: 0)
        let makeServer = try #require(LiveAssistSystem.system.server.make)
        self.world = World(server: try makeServer(configuration), seed: seed, shuffles: shuffles)
    }

    @discardableResult
    func add(_ options: JSONObject = [:]) throws -> Int {
        let configuration = ClientConfiguration(origin: Self.origin, target: [:], options: options)
        return self.world.add(try LiveAssistSystem.system.client.make(configuration))
    }

    // MARK: Acting

    @discardableResult
    func command(_ actor: Int, _ name: String, _ arguments: JSONObject = [:]) -> CommandOutcome {
        self.world.perform(name, arguments, as: actor)
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
        let outcome = self.world.serve(name, arguments)
        self.run()
        return outcome
    }

    func input(_ actor: Int, _ input: ClientInput) { self.world.feed(input, to: actor) }

    func serverInput(_ input: ServerInput) { self.world.feed(input) }

    func tearDown(_ actor: Int) {
        self.world.tearDown(actor)
        self.run()
    }

    func run(for duration: Duration = .zero) { self.world.run(for: duration) }

    // MARK: Looking

    var now: Instant { self.world.now }

    var actors: [DrivenClient] { self.world.clients }

    var serverProperties: JSONObject { self.world.server.properties }

    var requests: [Request] { self.world.requests }

    var handshakes: [HTTPRequest] { self.world.handshakeHeads }

    /// Every binary message that reached an actor.
    var frames: [[[UInt8]]] {
        self.world.received.map { messages in
            messages.compactMap { if case .binary(let bytes) = $0 { bytes } else { nil } }
        }
    }

    /// The names of the timers of an actor.
    func timerNames(_ actor: Int) -> [String] { self.world.timerNames(of: .client(actor)) }

    var events: [[Observed]] { self.world.events.map { $0.map { Observed(at: $0.at, event: $0.event) } } }

    func events(_ actor: Int, _ kind: EventKind) -> [ChatEvent] { self.world.events(actor, kind) }

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

    func forgetEvents() { self.world.forgetEvents() }

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
