import HTTPTypes
import JSON
import MachineKit
import Machines

@testable import PlainHTTP

/// One client and one server back to back.
struct TestWorld {
    private typealias CarriedClient = KeyedClientAdapter<PlainHTTPClient>
    private typealias CarriedServer = KeyedServerAdapter<PlainHTTPServer>

    private let world: World

    init(
        client: JSONObject = [:], server: JSONObject = [:], seed: UInt64 = 1, longestPiece: Int? = nil
    ) throws {
        let server = try PlainHTTPServer(
            ServerConfiguration(origin: "http://bot.test", options: server, epochMilliseconds: 0))
        let client = try PlainHTTPClient(
            ClientConfiguration(origin: "http://bot.test", target: [:], options: client, epochMilliseconds: 0))
        self.world = World(server: CarriedServer(server), seed: seed, longestPiece: longestPiece)
        self.world.add(CarriedClient(client))
    }

    // MARK: What a test does

    @discardableResult
    mutating func act(_ name: String, _ arguments: JSONObject = [:]) -> CommandOutcome {
        self.world.perform(name, arguments, as: 0)
    }

    @discardableResult
    mutating func serve(_ name: String, _ arguments: JSONObject = [:], by party: String? = "peer") -> CommandOutcome {
        self.world.serve(name, arguments, by: party)
    }

    mutating func feed(client input: ClientInput) { self.world.feed(input, to: 0) }

    mutating func feed(server input: ServerInput) { self.world.feed(input) }

    mutating func tearDown() { self.world.tearDown(0) }

    /// Lets everything happen that is due within a time.
    mutating func run(for duration: Duration = .seconds(600)) { self.world.run(for: duration) }

    // MARK: Looking

    var client: KeyedClientAdapter<PlainHTTPClient> { self.world.client(0, as: CarriedClient.self) }

    var server: KeyedServerAdapter<PlainHTTPServer> { self.world.server(as: CarriedServer.self) }

    var events: [ChatEvent] { self.world.events[0].map(\.event) }

    var peerEvents: [ChatEvent] { self.world.partyEvents.map(\.event) }

    /// The calls of the handler that were not answered.
    var calls: [(id: ScriptCallID, arguments: [JSONValue])] { self.world.calls.map { ($0.id, $0.arguments) } }

    /// The kinds of the client's events.
    var kinds: [EventKind] { self.events.map(\.kind) }

    /// The client's events of a kind.
    func events(_ kind: EventKind) -> [JSONObject] { self.world.events(0, kind).map(\.fields) }
}
