import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import LiveLike

/// One simulated server and any number of members.
final class TestWorld {
    /// An observed event with its time.
    struct Observed {
        let at: Instant
        let event: ChatEvent
    }

    private let world: World

    /// Whether events are kept; a count is enough for large rooms.
    var keepsEvents: Bool {
        get { self.world.keepsLog }
        set { self.world.keepsLog = newValue }
    }

    /// Called for each event of a member.
    var onEvent: ((Int, ChatEvent) -> Void)? {
        get { self.world.onEvent }
        set { self.world.onEvent = newValue }
    }

    /// Members whose requests go nowhere, as with a cable pulled.
    var unplugged: Set<Int> = [] {
        didSet { self.world.reachability = Dictionary(uniqueKeysWithValues: self.unplugged.map { ($0, .refused) }) }
    }

    static let origin = "http://live.test:80"
    static let epoch: Int64 = 1_650_000_000_000

    init(server options: JSONObject = [:], seed: UInt64 = 1, shuffles: Bool = false) throws {
        let configuration = ServerConfiguration(origin: Self.origin, options: options, epochMilliseconds: Self.epoch)
        let makeServer = try #require(LiveLikeSystem.system.server.make)
        self.world = World(server: try makeServer(configuration), seed: seed, shuffles: shuffles)
    }

    /// Adds a member that is not connected.
    @discardableResult
    func add(_ options: JSONObject = [:]) throws -> Int {
        let configuration = ClientConfiguration(origin: Self.origin, target: [:], options: options)
        return self.world.add(try LiveLikeSystem.system.client.make(configuration))
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
        self.world.perform(name, arguments, as: member)
    }

    /// The names of the timers that a member has set.
    func timers(of member: Int) -> [String] { self.world.timerNames(of: .client(member)) }

    func tearDown(_ member: Int) { self.world.tearDown(member) }

    func input(_ member: Int, _ input: ClientInput) { self.world.feed(input, to: member) }

    @discardableResult
    func serve(_ name: String, _ arguments: JSONObject = [:], by party: String? = nil) -> CommandOutcome {
        self.world.serve(name, arguments, by: party)
    }

    func serverInput(_ input: ServerInput) -> [ServerEffect] { self.world.feed(input) }

    /// Delivers everything and fires timers until nothing is left before the end of the duration.
    func run(for duration: Duration = .zero) { self.world.run(for: duration) }

    // MARK: Looking

    var now: Instant { self.world.now }

    var members: [DrivenClient] { self.world.clients }

    var serverProperties: JSONObject { self.world.server.properties }

    var partyEvents: [(party: String, event: ChatEvent)] { self.world.partyEvents }

    /// Method and path of each request.
    var requestLog: [String] {
        self.world.requests.map { "\($0.head.method.rawValue) \($0.head.path ?? "")" }
    }

    var events: [[Observed]] { self.world.events.map { $0.map { Observed(at: $0.at, event: $0.event) } } }

    func events(_ member: Int, _ kind: EventKind) -> [ChatEvent] { self.world.events(member, kind) }

    func forgetEvents() {
        self.world.forgetEvents()
        self.world.forgetSent()
    }

    /// What others sent, as this member saw it arrive.
    func heard(_ member: Int) -> [String] {
        self.events(member, .message).filter { $0.fields["mine"] != true }.map { $0.fields["text"]?.string ?? "" }
    }

    func list(_ member: Int, room: String = "lobby") -> [JSONValue] {
        let outcome = self.command(member, "messages", ["room": .string(room)])
        guard case .done(let value) = outcome, let messages = value.array else {
            Issue.record("there is no list of messages: \(outcome)")
            return []
        }
        return messages
    }

    func identity(_ member: Int) -> JSONObject { self.world.clients[member].identity }

    func profileID(_ member: Int) -> JSONValue { self.identity(member)["profile_id"] ?? .null }
}
