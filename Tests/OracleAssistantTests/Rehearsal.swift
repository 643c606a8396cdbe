import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import OracleAssistant

/// A client and a simulated server back to back, a millisecond apart. Functions of the "script" are closures by number.
final class Rehearsal {
    struct Observed {
        let at: Duration
        let event: ChatEvent
    }

    private typealias CarriedServer = KeyedServerAdapter<OracleServer>

    private let world: World
    var functions: [Int64: ([JSONValue]) -> Result<JSONValue, ScriptCallFailure>] = [:]

    /// How opening sockets ends in place of reaching the server.
    var openFailure: TransportFailure? {
        didSet { self.world.handshakes = self.openFailure.map { .failing($0) } ?? .reachable }
    }

    static let origin = "http://oda.test"
    static let epoch: Int64 = 1_700_000_000_000

    init(server serverOptions: JSONObject = [:], client clientOptions: JSONObject = [:]) throws {
        let server = CarriedServer(
            try OracleServer(
                ServerConfiguration(origin: Self.origin, options: serverOptions, epochMilliseconds: Self.epoch)))
        let client = try OracleClient(
            ClientConfiguration(
                origin: Self.origin, target: server.properties, options: clientOptions, epochMilliseconds: Self.epoch))
        self.world = World(server: server, delay: .milliseconds(1))
        self.world.add(KeyedClientAdapter(client))
        self.world.onEvent = { _, event in #expect(ClientEventVocabulary.events.deviations(of: event).isEmpty) }
        self.world.onPartyEvent = { _, event in
            #expect(ServerVocabulary.agent.events.deviations(of: event).isEmpty)
        }
        self.world.script = { [unowned self] function, arguments in
            self.functions[function.number]?(arguments) ?? .failure(ScriptCallFailure("no function"))
        }
    }

    var client: KeyedClientAdapter<OracleClient> {
        self.world.client(0, as: KeyedClientAdapter<OracleClient>.self)
    }

    var server: KeyedServerAdapter<OracleServer> {
        get { self.world.server(as: CarriedServer.self) }
        set { self.world.server = newValue }
    }

    var now: Instant { self.world.now }

    // MARK: Driving

    @discardableResult
    func `do`(_ name: String, _ arguments: JSONObject = [:]) -> CommandOutcome {
        self.world.perform(name, arguments, as: 0)
    }

    @discardableResult
    func serve(_ name: String, _ arguments: JSONObject = [:], by party: String? = nil) -> CommandOutcome {
        self.world.serve(name, arguments, by: party)
    }

    /// Does something that answers, and returns the answer.
    func read(_ name: String, _ arguments: JSONObject = [:]) throws -> JSONValue {
        try self.do(name, arguments).value
    }

    /// Asks the server for something and returns the answer.
    func readServer(_ name: String, _ arguments: JSONObject = [:]) throws -> JSONValue {
        try self.serve(name, arguments).value
    }

    /// Lets time pass.
    func run(_ duration: Duration) { self.world.run(for: duration) }

    /// Connects and waits until the first messages are through.
    func connect() {
        self.do("connect")
        self.run(.milliseconds(100))
    }

    func tearDown() { self.world.tearDown(0) }

    func feedClient(_ input: ClientInput) { self.world.feed(input, to: 0) }

    func feedServer(_ input: ServerInput) { self.world.feed(input) }

    // MARK: Looking

    var events: [Observed] { self.world.events[0].map { Observed(at: $0.at - .start, event: $0.event) } }

    var agentEvents: [(party: String, event: ChatEvent)] { self.world.partyEvents }

    /// What the client sent over its WebSocket, as JSON.
    var sent: [JSONValue] {
        self.world.sent.compactMap { sent in
            guard case .message(.text(let text)) = sent.content else { return nil }
            return (try? JSONReader.read(text)) ?? .string(text)
        }
    }

    var opened: [(at: Duration, HTTPRequest)] {
        self.world.sent.compactMap { sent in
            guard case .handshake(let head) = sent.content else { return nil }
            return (sent.at - .start, head)
        }
    }

    var requests: [Request] { self.world.requests }

    /// Whether the client has a timer that will run out.
    var hasClientTimers: Bool { !self.world.timerNames(of: .client(0)).isEmpty }

    /// The events of a kind.
    func all(_ kind: EventKind) -> [ChatEvent] { self.world.events(0, kind) }

    /// The last event of a kind.
    func last(_ kind: EventKind) -> ChatEvent? { self.all(kind).last }

    /// The words of all messages shown.
    var texts: [String] { self.all(.message).compactMap { $0.fields["text"]?.string } }

    /// The states of the connection, in order.
    var statuses: [String] { self.all(.linkChanged).compactMap { $0.fields["status"]?.string } }

    /// Forgets what was observed and sent.
    func forget() {
        self.world.forgetEvents()
        self.world.forgetSent()
    }

    /// The names of the payloads that the client sent.
    var sentTypes: [String] {
        self.sent.map { value in
            value["messagePayload"]?["type"]?.string ?? value["state"]?["type"]?.string
                ?? (value["profile"] == nil ? "?" : "profile")
        }
    }
}
