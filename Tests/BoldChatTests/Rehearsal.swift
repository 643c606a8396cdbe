import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import BoldChat

/// One client and the simulated account back to back: effects of one side are inputs of the other, in virtual time.
///
/// Messages of one connection or exchange keep their order; everything else that is in flight at the same instant is
/// delivered in an order that a seed decides.
struct Rehearsal {
    /// What is on its way.
    private enum Delivery {
        case toServer(BoldChatServer.Input)
        case toClient(BoldChatClient.Input)
    }

    private struct Flight {
        let channel: String
        let delivery: Delivery
    }

    private enum Side { case client, server }

    var client: BoldChatClient
    var server: BoldChatServer
    private(set) var now = Instant.start
    private(set) var events: [ChatEvent] = []
    private(set) var agentEvents: [(party: String, event: ChatEvent)] = []
    /// The method of each REST call with its parameters, and of each socket call, in the order of sending.
    private(set) var calls: [(method: String, parameters: JSONObject)] = []
    private(set) var opened: [ConnectionID] = []
    /// The HTTP method of each poll.
    private(set) var pollMethods: [String] = []
    private var flights: [Flight] = []
    private var timers = TimerTable<Side>()
    private var serverTimers: [TimerName: BoldChatServer.Timer] = [:]
    private var clientTimersByName: [TimerName: BoldChatClient.Timer] = [:]
    private var shuffle: RandomSource?
    private var clientRandom: RandomSource
    private var serverRandom: RandomSource
    private var openConnections: Set<ConnectionID> = []
    /// Answers spoilt on the way: what the test returns replaces the response; nil loses it.
    var intercept: ((_ method: String, Response) -> Response?)?
    /// Sockets that cannot be opened.
    var refusesSockets = false

    static let epoch: Int64 = 1_700_000_000_000

    init(
        client options: JSONObject = [:], server account: JSONObject = [:], seed: UInt64 = 1, shuffled: Bool = false
    ) throws {
        let origin = "http://desk.test:80"
        self.server = try BoldChatServer(
            ServerConfiguration(origin: origin, options: account, epochMilliseconds: Self.epoch))
        self.client = try BoldChatClient(
            ClientConfiguration(
                origin: origin, target: self.server.properties, options: options, epochMilliseconds: Self.epoch))
        let random = RandomSource(seed: seed)
        self.clientRandom = random.derived(for: "client")
        self.serverRandom = random.derived(for: "server")
        self.shuffle = shuffled ? random.derived(for: "shuffle") : nil
    }

    // MARK: What a test does

    @discardableResult
    mutating func visitor(_ name: String, _ arguments: JSONObject = [:]) -> CommandOutcome {
        do throws(CommandRefusal) {
            let command = try BoldChatClient.commands.action(of: Command(name, arguments))
            var outcome = CommandOutcome.done(.null)
            self.stepClient { client, step in outcome = client.perform(command, in: &step) }
            return outcome
        } catch {
            return .refused(error.message)
        }
    }

    @discardableResult
    mutating func agent(_ party: String, _ name: String, _ arguments: JSONObject = [:]) -> CommandOutcome {
        self.serve(party, name, arguments)
    }

    @discardableResult
    mutating func desk(_ name: String, _ arguments: JSONObject = [:]) -> CommandOutcome {
        self.serve(nil, name, arguments)
    }

    /// Feeds the client something that the account did not send.
    mutating func feed(_ input: BoldChatClient.Input) {
        self.stepClient { client, step in client.handle(input, in: &step) }
    }

    /// Ends the scenario as the worker would.
    mutating func tearDown() { self.stepClient { client, step in client.tearDown(in: &step) } }

    private mutating func serve(_ party: String?, _ name: String, _ arguments: JSONObject) -> CommandOutcome {
        do throws(CommandRefusal) {
            let command = try BoldChatServer.commands(of: party).action(of: Command(name, arguments))
            var outcome = CommandOutcome.done(.null)
            self.stepServer { server, step in outcome = server.perform(command, by: party, in: &step) }
            return outcome
        } catch {
            return .refused(error.message)
        }
    }

    /// Delivers everything that is in flight now, without letting time pass.
    mutating func settle() {
        var rounds = 0
        while let flight = self.nextFlight(), rounds < 100_000 {
            rounds += 1
            switch flight.delivery {
            case .toServer(let input): self.stepServer { server, step in server.handle(input, in: &step) }
            case .toClient(let input): self.stepClient { client, step in client.handle(input, in: &step) }
            }
        }
    }

    /// Lets time pass.
    mutating func wait(_ duration: Duration) {
        let end = self.now + duration
        self.settle()
        while let timer = self.timers.next(until: end) {
            self.now = max(self.now, timer.due)
            switch timer.owner {
            case .client:
                guard let timer = self.clientTimersByName.removeValue(forKey: timer.name) else { continue }
                self.stepClient { client, step in client.handle(.timerFired(timer), in: &step) }
            case .server:
                guard let timer = self.serverTimers.removeValue(forKey: timer.name) else { continue }
                self.stepServer { server, step in server.handle(.timerFired(timer), in: &step) }
            }
            self.settle()
        }
        self.now = end
    }

    /// The events so far of a kind.
    func events(_ kind: EventKind) -> [ChatEvent] { self.events.filter { $0.kind == kind } }

    /// The kinds of the events so far that a scenario would have to expect.
    var story: [EventKind] {
        self.events.filter { event in !ClientVocabulary.noise.contains { $0.matches(event) } }.map(\.kind)
    }

    /// How often a method was called.
    func count(_ method: String) -> Int { self.calls.count { $0.method == method } }

    /// The parameters of the last call of a method.
    func last(_ method: String) -> JSONObject? { self.calls.last { $0.method == method }?.parameters }

    /// The names of the client's timers that run.
    var clientTimers: [String] { self.timers.names(of: .client) }

    /// Breaks the connections that are open, without a close frame.
    mutating func dropSockets() {
        for connection in self.openConnections.sorted(by: { $0.number < $1.number }) {
            self.openConnections.remove(connection)
            let closure = WebSocketClosure(code: 1006, reason: "dropped")
            self.fly("socket\(connection.number)", .toClient(.closed(connection, closure)))
            self.fly("socket\(connection.number)", .toServer(.closed(connection, closure)))
        }
    }

    // MARK: The world between the two

    private mutating func nextFlight() -> Flight? {
        guard !self.flights.isEmpty else { return nil }
        var place = 0
        if var random = self.shuffle {
            let candidate = Int.random(in: 0..<self.flights.count, using: &random)
            // Only the first in its channel may go.
            place = self.flights.firstIndex { $0.channel == self.flights[candidate].channel } ?? 0
            self.shuffle = random
        }
        return self.flights.remove(at: place)
    }

    private mutating func fly(_ channel: String, _ delivery: Delivery) {
        self.flights.append(Flight(channel: channel, delivery: delivery))
    }

    private mutating func stepClient(_ body: (inout BoldChatClient, inout BoldChatClient.Step) -> Void) {
        var step = BoldChatClient.Step(now: self.now, random: self.clientRandom)
        body(&self.client, &step)
        self.clientRandom = step.random
        for effect in step.effects { self.perform(effect) }
    }

    private mutating func stepServer(_ body: (inout BoldChatServer, inout BoldChatServer.Step) -> Void) {
        var step = BoldChatServer.Step(now: self.now, random: self.serverRandom)
        body(&self.server, &step)
        self.serverRandom = step.random
        for effect in step.effects { self.perform(effect) }
    }

    private var methods: [ExchangeID: String] = [:]
    private var canceled: Set<ExchangeID> = []

    private mutating func perform(_ effect: BoldChatClient.Effect) {
        switch effect {
        case .send(let exchange, let request):
            let path = request.head.path ?? ""
            let method = path.split(separator: "?")[0].split(separator: "/").last.map(String.init) ?? ""
            self.methods[exchange] = method
            if method == "poll" { self.pollMethods.append(request.head.method.rawValue) }
            let pairs = FormEncoding.decode(String(decoding: request.body, as: UTF8.self))
            self.calls.append((method, JSONObject(pairs.map { ($0.0, .string($0.1)) })))
            self.fly("exchange\(exchange.number)", .toServer(.requested(exchange, request)))
        case .cancel(let exchange):
            self.canceled.insert(exchange)
            self.flights.removeAll { $0.channel == "exchange\(exchange.number)" }
            self.fly("exchange\(exchange.number)", .toServer(.requestAbandoned(exchange)))
        case .open(let connection, let head, _, _):
            self.opened.append(connection)
            guard !self.refusesSockets else {
                let failure = TransportFailure(.cannotConnect, "blocked by the test")
                return self.fly("socket\(connection.number)", .toClient(.openFailed(connection, failure)))
            }
            self.openConnections.insert(connection)
            self.fly("socket\(connection.number)", .toServer(.upgradeRequested(connection, Request(head))))
        case .transmit(let connection, let message):
            guard self.openConnections.contains(connection) else { return }
            if case .call(let call)? = OSSFrame(message.bytes) { self.calls.append((call.method, call.params)) }
            self.fly("socket\(connection.number)", .toServer(.received(connection, message)))
        case .close(let connection, let code, let reason):
            guard self.openConnections.remove(connection) != nil else { return }
            let closure = WebSocketClosure(code: code ?? 1005, reason: reason)
            self.fly("socket\(connection.number)", .toServer(.closed(connection, closure)))
            self.fly("socket\(connection.number)", .toClient(.closed(connection, closure)))
        case .abort(let connection): self.openConnections.remove(connection)
        case .setTimer(let timer, let delay):
            self.clientTimersByName[TimerName(timer.description)] = timer
            self.timers.set(TimerName(timer.description), of: .client, due: self.now + delay)
        case .cancelTimer(let timer): self.timers.cancel(TimerName(timer.description), of: .client)
        case .emit(let event):
            self.events.append(event)
            #expect(ClientVocabulary.events.deviations(of: event).isEmpty)
        default: break
        }
    }

    private mutating func perform(_ effect: BoldChatServer.Effect) {
        switch effect {
        case .respond(let exchange, let response):
            guard !self.canceled.contains(exchange) else { return }
            let method = self.methods[exchange] ?? ""
            guard let intercept = self.intercept else {
                return self.fly("exchange\(exchange.number)", .toClient(.responded(exchange, response)))
            }
            if let changed = intercept(method, response) {
                self.fly("exchange\(exchange.number)", .toClient(.responded(exchange, changed)))
            }
        case .drop(let exchange):
            let failure = TransportFailure(.connectionLost, "dropped by the account")
            self.fly("exchange\(exchange.number)", .toClient(.exchangeFailed(exchange, failure)))
        case .accept(let connection, let subprotocol, _):
            self.fly("socket\(connection.number)", .toClient(.opened(connection, subprotocol: subprotocol)))
        case .refuse(let connection, let response):
            self.openConnections.remove(connection)
            let failure = TransportFailure(.upgradeRefused, "refused", status: response.head.status.code)
            self.fly("socket\(connection.number)", .toClient(.openFailed(connection, failure)))
        case .transmit(let connection, let message):
            guard self.openConnections.contains(connection) else { return }
            self.fly("socket\(connection.number)", .toClient(.received(connection, message)))
        case .close(let connection, let code, let reason):
            guard self.openConnections.remove(connection) != nil else { return }
            let closure = WebSocketClosure(code: code ?? 1005, reason: reason)
            self.fly("socket\(connection.number)", .toClient(.closed(connection, closure)))
            self.fly("socket\(connection.number)", .toServer(.closed(connection, closure)))
        case .abort(let connection):
            guard self.openConnections.remove(connection) != nil else { return }
            let closure = WebSocketClosure(code: 1006, reason: "dropped")
            self.fly("socket\(connection.number)", .toClient(.closed(connection, closure)))
        case .setTimer(let timer, let delay):
            self.serverTimers[TimerName(timer.description)] = timer
            self.timers.set(TimerName(timer.description), of: .server, due: self.now + delay)
        case .cancelTimer(let timer): self.timers.cancel(TimerName(timer.description), of: .server)
        case .emit(let party, let event):
            self.agentEvents.append((party, event))
            #expect(ServerVocabulary.agent.events.deviations(of: event).isEmpty)
        default: break
        }
    }
}
