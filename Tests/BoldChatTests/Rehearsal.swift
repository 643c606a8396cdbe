import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import BoldChat

/// One client and the simulated account back to back.
struct Rehearsal {
    private typealias CarriedClient = KeyedClientAdapter<BoldChatClient>
    private typealias CarriedServer = KeyedServerAdapter<BoldChatServer>

    private var world: World

    /// Answers spoilt on the way: what the test returns replaces the response; nil loses it.
    var intercept: ((_ method: String, Response) -> Response?)? {
        didSet {
            self.world.intercept = self.intercept.map { intercept in
                { request, response in intercept(Self.method(of: request), response) }
            }
        }
    }

    /// Sockets that cannot be opened.
    var refusesSockets = false {
        didSet { self.world.handshakes = self.refusesSockets ? .refused : .reachable }
    }

    static let epoch: Int64 = 1_700_000_000_000

    init(
        client options: JSONObject = [:], server account: JSONObject = [:], seed: UInt64 = 1, shuffled: Bool = false
    ) throws {
        let origin = "http://desk.test:80"
        let server = try BoldChatServer(
            ServerConfiguration(origin: origin, options: account, epochMilliseconds: Self.epoch))
        let client = try BoldChatClient(
            ClientConfiguration(
                origin: origin, target: server.properties, options: options, epochMilliseconds: Self.epoch))
        self.world = World(server: CarriedServer(server), seed: seed, shuffles: shuffled)
        self.world.add(CarriedClient(client))
        let absences = client.absences
        self.world.onEvent = { _, event in
            #expect(ClientVocabulary.events.deviations(of: event).isEmpty && absences[event.kind] == nil)
        }
        self.world.onPartyEvent = { _, event in
            #expect(ServerVocabulary.agent.events.deviations(of: event).isEmpty)
        }
    }

    var client: BoldChatClient { self.world.client(0, as: CarriedClient.self).machine }

    var server: BoldChatServer {
        get { self.world.server(as: CarriedServer.self).machine }
        set { self.world.server = CarriedServer(newValue) }
    }

    /// Returns a rehearsal at the same point, which goes on by itself.
    func copy() -> Rehearsal {
        var copy = self
        copy.world = self.world.copy()
        return copy
    }

    // MARK: What a test does

    @discardableResult
    mutating func visitor(_ name: String, _ arguments: JSONObject = [:]) -> CommandOutcome {
        self.world.perform(name, arguments, as: 0)
    }

    @discardableResult
    mutating func agent(_ party: String, _ name: String, _ arguments: JSONObject = [:]) -> CommandOutcome {
        self.world.serve(name, arguments, by: party)
    }

    @discardableResult
    mutating func desk(_ name: String, _ arguments: JSONObject = [:]) -> CommandOutcome {
        self.world.serve(name, arguments)
    }

    /// Feeds the client something that the account did not send.
    mutating func feed(_ input: ClientInput) { self.world.feed(input, to: 0) }

    /// Ends the scenario as the worker would.
    mutating func tearDown() { self.world.tearDown(0) }

    /// Delivers everything that is in flight now, without letting time pass.
    mutating func settle() { self.world.settle() }

    /// Lets time pass.
    mutating func wait(_ duration: Duration) { self.world.run(for: duration) }

    /// Breaks the connections that are open, without a close frame.
    mutating func dropSockets() { self.world.dropConnections() }

    // MARK: Looking

    var events: [ChatEvent] { self.world.events[0].map(\.event) }

    var agentEvents: [(party: String, event: ChatEvent)] { self.world.partyEvents }

    /// The events so far of a kind.
    func events(_ kind: EventKind) -> [ChatEvent] { self.world.events(0, kind) }

    /// The kinds of the events so far that a scenario would have to expect.
    var story: [EventKind] {
        self.events.filter { event in !ClientVocabulary.noise.contains { $0.matches(event) } }.map(\.kind)
    }

    /// The method of each REST call with its parameters, and of each socket call, in the order of sending.
    var calls: [(method: String, parameters: JSONObject)] {
        self.world.sent.compactMap { sent in
            switch sent.content {
            case .request(let request):
                let pairs = FormEncoding.decode(String(decoding: request.body, as: UTF8.self))
                return (Self.method(of: request), JSONObject(pairs.map { ($0.0, .string($0.1)) }))
            case .message(let message):
                guard case .call(let call)? = OSSFrame(message) else { return nil }
                return (call.method, call.params)
            case .handshake: return nil
            }
        }
    }

    private static func method(of request: Request) -> String {
        (request.head.path ?? "").split(separator: "?")[0].split(separator: "/").last.map(String.init) ?? ""
    }

    /// How often a method was called.
    func count(_ method: String) -> Int { self.calls.count { $0.method == method } }

    /// The parameters of the last call of a method.
    func last(_ method: String) -> JSONObject? { self.calls.last { $0.method == method }?.parameters }

    /// The sockets that were asked for.
    var opened: [HTTPRequest] { self.world.handshakeHeads }

    /// The HTTP method of each poll.
    var pollMethods: [String] {
        self.world.requests.filter { Self.method(of: $0) == "poll" }.map(\.head.method.rawValue)
    }

    /// The names of the client's timers that run.
    var clientTimers: [String] { self.world.timerNames(of: .client(0)) }
}
