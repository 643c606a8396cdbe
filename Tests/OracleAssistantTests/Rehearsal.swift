import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import OracleAssistant

/// A client and a simulated server back to back in virtual time: effects of one become inputs of the other.
///
/// Messages arrive one millisecond after they were sent, in order. Functions of the "script" are closures by number.
final class Rehearsal {
    struct Observed {
        let at: Duration
        let event: ChatEvent
    }

    private enum Happening {
        case client(ClientInput)
        case server(ServerInput)
        case clientTimer(TimerName, Int)
        case serverTimer(TimerName, Int)
    }

    private struct Entry {
        let at: Instant
        let order: Int
        let happening: Happening
    }

    var client: KeyedClientAdapter<OracleClient>
    var server: KeyedServerAdapter<OracleServer>
    private(set) var now = Instant.start
    private(set) var events: [Observed] = []
    private(set) var agentEvents: [(String, ChatEvent)] = []
    /// What the client sent over its WebSocket, as JSON.
    private(set) var sent: [JSONValue] = []
    private(set) var opened: [(at: Duration, HTTPRequest)] = []
    private(set) var requests: [Request] = []
    var functions: [Int64: ([JSONValue]) -> Result<JSONValue, ScriptCallFailure>] = [:]
    /// How opening sockets ends in place of reaching the server.
    var openFailure: TransportFailure?
    private var clientRandom = RandomSource(seed: 1)
    private var serverRandom = RandomSource(seed: 2)
    private var queue: [Entry] = []
    private var order = 0
    private var clientTimers: [TimerName: Int] = [:]
    private var serverTimers: [TimerName: Int] = [:]
    private var live: Set<ConnectionID> = []
    private let delay = Duration.milliseconds(1)

    static let origin = "http://oda.test"
    static let epoch: Int64 = 1_700_000_000_000

    init(server serverOptions: JSONObject = [:], client clientOptions: JSONObject = [:]) throws {
        self.server = KeyedServerAdapter(
            try OracleServer(
                ServerConfiguration(origin: Self.origin, options: serverOptions, epochMilliseconds: Self.epoch)))
        self.client = KeyedClientAdapter(
            try OracleClient(
                ClientConfiguration(
                    origin: Self.origin, target: self.server.properties, options: clientOptions,
                    epochMilliseconds: Self.epoch)))
    }

    // MARK: Driving

    @discardableResult
    func `do`(_ name: String, _ arguments: JSONObject = [:]) -> CommandOutcome {
        var step = ClientStep(now: self.now, random: self.clientRandom)
        let outcome = self.client.perform(Command(name, arguments), in: &step)
        self.clientRandom = step.random
        self.carryOut(step.effects)
        return outcome
    }

    @discardableResult
    func serve(_ name: String, _ arguments: JSONObject = [:], by party: String? = nil) -> CommandOutcome {
        var step = ServerStep(now: self.now, random: self.serverRandom)
        let outcome = self.server.perform(Command(name, arguments), by: party, in: &step)
        self.serverRandom = step.random
        self.carryOut(step.effects)
        return outcome
    }

    /// Does something that answers, and returns the answer.
    func read(_ name: String, _ arguments: JSONObject = [:]) throws -> JSONValue {
        guard case .done(let value) = self.do(name, arguments) else { throw ConfigurationError("\(name) was refused") }
        return value
    }

    /// Asks the server for something and returns the answer.
    func readServer(_ name: String, _ arguments: JSONObject = [:]) throws -> JSONValue {
        guard case .done(let value) = self.serve(name, arguments) else {
            throw ConfigurationError("\(name) was refused")
        }
        return value
    }

    /// Lets time pass.
    func run(_ duration: Duration) {
        let end = self.now + duration
        while let index = self.nextIndex, self.queue[index].at <= end {
            let entry = self.queue.remove(at: index)
            self.now = max(self.now, entry.at)
            self.take(entry.happening)
        }
        self.now = end
    }

    /// Connects and waits until the first messages are through.
    func connect() {
        self.do("connect")
        self.run(.milliseconds(100))
    }

    func tearDown() {
        var step = ClientStep(now: self.now, random: self.clientRandom)
        self.client.tearDown(in: &step)
        self.carryOut(step.effects)
    }

    /// Whether the client has a timer that will run out.
    var hasClientTimers: Bool { !self.clientTimers.isEmpty }

    private var nextIndex: Int? {
        self.queue.indices.min { (self.queue[$0].at, self.queue[$0].order) < (self.queue[$1].at, self.queue[$1].order) }
    }

    private func take(_ happening: Happening) {
        switch happening {
        case .client(let input): self.feedClient(input)
        case .server(let input): self.feedServer(input)
        case .clientTimer(let name, let number):
            guard self.clientTimers[name] == number else { return }
            self.clientTimers[name] = nil
            self.feedClient(.timerFired(name))
        case .serverTimer(let name, let number):
            guard self.serverTimers[name] == number else { return }
            self.serverTimers[name] = nil
            self.feedServer(.timerFired(name))
        }
    }

    func feedClient(_ input: ClientInput) {
        var step = ClientStep(now: self.now, random: self.clientRandom)
        self.client.handle(input, in: &step)
        self.clientRandom = step.random
        self.carryOut(step.effects)
    }

    func feedServer(_ input: ServerInput) {
        var step = ServerStep(now: self.now, random: self.serverRandom)
        self.server.handle(input, in: &step)
        self.serverRandom = step.random
        self.carryOut(step.effects)
    }

    private func later(_ delay: Duration, _ happening: Happening) {
        self.order += 1
        self.queue.append(Entry(at: self.now + delay, order: self.order, happening: happening))
    }

    private func carryOut(_ effects: [ClientEffect]) {
        for effect in effects {
            switch effect {
            case .send(let exchange, let request), .stream(let exchange, let request):
                self.requests.append(request)
                self.later(self.delay, .server(.requested(exchange, request)))
            case .cancel(let exchange): self.later(self.delay, .server(.requestAbandoned(exchange)))
            case .open(let connection, let request, _, _):
                self.opened.append((self.now - .start, request))
                if let failure = self.openFailure {
                    self.later(self.delay, .client(.openFailed(connection, failure)))
                } else {
                    self.later(self.delay, .server(.upgradeRequested(connection, Request(request))))
                }
            case .transmit(let connection, let message):
                if case .text(let text) = message { self.sent.append((try? JSONReader.read(text)) ?? .string(text)) }
                self.later(self.delay, .server(.received(connection, message)))
            case .close(let connection, let code, let reason):
                guard self.live.remove(connection) != nil else { continue }
                let closure = WebSocketClosure(code: code ?? 1005, reason: reason)
                self.later(self.delay, .server(.closed(connection, closure)))
                self.later(self.delay + self.delay, .client(.closed(connection, closure)))
            case .abort(let connection):
                self.live.remove(connection)
                self.later(self.delay, .server(.closed(connection, WebSocketClosure(code: 1006, reason: "gone"))))
            case .setTimer(let name, let duration):
                self.order += 1
                self.clientTimers[name] = self.order
                self.later(duration, .clientTimer(name, self.order))
            case .cancelTimer(let name): self.clientTimers[name] = nil
            case .callScript(let call, let function, let arguments):
                let result = self.functions[function.number]?(arguments) ?? .failure(ScriptCallFailure("no function"))
                self.later(.zero, .client(.scriptReturned(call, result)))
            case .openLink: Issue.record("the chat is spoken over WebSocket alone")
            case .emit(let event):
                #expect(ClientVocabulary.events.deviations(of: event).isEmpty)
                self.events.append(Observed(at: self.now - .start, event: event))
            }
        }
    }

    private func carryOut(_ effects: [ServerEffect]) {
        for effect in effects {
            switch effect {
            case .respond(let exchange, let response): self.later(self.delay, .client(.responded(exchange, response)))
            case .drop(let exchange):
                self.later(self.delay, .client(.exchangeFailed(exchange, TransportFailure(.connectionLost, "gone"))))
            case .accept(let connection, let subprotocol, _):
                self.live.insert(connection)
                self.later(self.delay, .client(.opened(connection, subprotocol: subprotocol)))
            case .refuse(let connection, let response):
                let failure = TransportFailure(.upgradeRefused, "refused", status: response.head.status.code)
                self.later(self.delay, .client(.openFailed(connection, failure)))
            case .transmit(let connection, let message):
                if self.live.contains(connection) { self.later(self.delay, .client(.received(connection, message))) }
            case .close(let connection, let code, let reason):
                self.live.remove(connection)
                let closure = WebSocketClosure(code: code ?? 1005, reason: reason)
                self.later(self.delay, .client(.closed(connection, closure)))
                self.later(self.delay + self.delay, .server(.closed(connection, closure)))
            case .abort(let connection):
                self.live.remove(connection)
                let closure = WebSocketClosure(code: 1006, reason: "gone")
                self.later(self.delay, .client(.closed(connection, closure)))
                self.later(self.delay, .server(.closed(connection, closure)))
            case .setTimer(let name, let duration):
                self.order += 1
                self.serverTimers[name] = self.order
                self.later(duration, .serverTimer(name, self.order))
            case .cancelTimer(let name): self.serverTimers[name] = nil
            case .callScript(let call, let function, let arguments):
                let result = self.functions[function.number]?(arguments) ?? .failure(ScriptCallFailure("no function"))
                self.later(.zero, .server(.scriptReturned(call, result)))
            case .emit(let party, let event):
                #expect(ServerVocabulary.agent.events.deviations(of: event).isEmpty)
                self.agentEvents.append((party, event))
            case .begin, .write, .end, .transmitBytes: break
            }
        }
    }

    // MARK: Looking

    /// The events of a kind.
    func all(_ kind: EventKind) -> [ChatEvent] { self.events.map(\.event).filter { $0.kind == kind } }

    /// The last event of a kind.
    func last(_ kind: EventKind) -> ChatEvent? { self.all(kind).last }

    /// The words of all messages shown.
    var texts: [String] { self.all(.message).compactMap { $0.fields["text"]?.string } }

    /// The states of the connection, in order.
    var statuses: [String] { self.all(.linkChanged).compactMap { $0.fields["status"]?.string } }

    /// Forgets what was observed and sent.
    func forget() {
        self.events = []
        self.sent = []
        self.opened = []
        self.requests = []
    }

    /// The names of the payloads that the client sent.
    var sentTypes: [String] {
        self.sent.map { value in
            value["messagePayload"]?["type"]?.string ?? value["state"]?["type"]?.string
                ?? (value["profile"] == nil ? "?" : "profile")
        }
    }
}
