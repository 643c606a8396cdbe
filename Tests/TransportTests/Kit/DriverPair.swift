import Certificates
import HTTPTypes
import Machines
import NIOCore
import NIOPosix
import Testing

@testable import Transport

/// What carries the bytes in a test.
enum Medium: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case memory
    case memoryInSmallPieces
    case sockets
    case socketsInSmallPieces
    case encryptedSockets

    static let inMemory: [Medium] = [.memory, .memoryInSmallPieces]

    var testDescription: String { self.rawValue }
}

/// One client and one server on one carrier, and the steps of a test that plays on it.
///
/// In memory the steps run in virtual time. Over sockets the test's own thread becomes the event loop, and a step that
/// does not come true within seconds fails the test.
final class DriverPair {
    let client = ClientScript()
    let server = ServerScript()
    let scheduler: any Scheduler
    let clientNetwork: any Network
    let clientDriver: ClientDriver
    let serverDriver: ServerDriver
    private(set) var events: [ChatEvent] = []
    var onEvent: () -> Void = {}
    private let steps = TestSteps()
    let isEncrypted: Bool

    private init(
        scheduler: any Scheduler, clientNetwork: any Network, serverNetwork: any Network, identity: ServerIdentity?,
        configuration: DriverPairConfiguration
    ) throws {
        self.scheduler = scheduler
        self.clientNetwork = clientNetwork
        self.isEncrypted = identity != nil
        let heard = EventLog()
        var clientConfiguration = configuration.client
        clientConfiguration.trust = TrustPolicy(verification: .none)
        self.clientDriver = ClientDriver(
            machine: ScriptedClient(script: self.client), label: "client", network: clientNetwork, scheduler: scheduler,
            random: RandomSource(seed: 1), configuration: clientConfiguration, observer: configuration.observer,
            callScript: { _, _, _ in }, emit: { heard.take($0) })
        self.serverDriver = ServerDriver(
            machine: ScriptedServer(script: self.server), label: "server",
            listener: try serverNetwork.listen(on: .loopback, identity: identity), scheduler: scheduler,
            random: RandomSource(seed: 2), configuration: configuration.server, observer: configuration.observer,
            callScript: { _, _, _ in }, emit: { _, _ in })
        heard.take = { [unowned self] in
            self.events.append($0)
            self.onEvent()
        }
    }

    /// Where the server is, for requests.
    func head(_ method: HTTPRequest.Method = .get, _ path: String = "/", isWebSocket: Bool = false) -> HTTPRequest {
        let scheme = isWebSocket ? (self.isEncrypted ? "wss" : "ws") : (self.isEncrypted ? "https" : "http")
        return HTTPRequest(method: method, scheme: scheme, authority: "\(self.serverDriver.endpoint)", path: path)
    }

    /// Adds a step: something is done, and then something comes true.
    func then(
        location: SourceLocation = #_sourceLocation, _ act: @escaping () -> Void,
        until isDone: @escaping () -> Bool = { true }
    ) {
        self.steps.add(location: location, act, until: isDone)
    }

    /// Adds a step in which the client asks for effects.
    func client(
        location: SourceLocation = #_sourceLocation, _ effects: ClientEffect...,
        until isDone: @escaping () -> Bool = { true }
    ) {
        self.then(
            location: location,
            {
                self.client.onCommand = effects
                _ = self.clientDriver.perform(Command("go"))
            }, until: isDone)
    }

    /// Adds a step in which the server asks for effects.
    func server(
        location: SourceLocation = #_sourceLocation, _ effects: ServerEffect...,
        until isDone: @escaping () -> Bool = { true }
    ) {
        self.then(
            location: location,
            {
                self.server.onCommand = effects
                _ = self.serverDriver.perform(Command("go"), by: nil)
            }, until: isDone)
    }

    // MARK: Playing

    /// Plays a test on a carrier.
    static func play(
        _ transport: Medium, _ configuration: DriverPairConfiguration = DriverPairConfiguration(),
        _ prepare: @escaping (DriverPair) throws -> Void
    ) throws {
        switch transport {
        case .memory, .memoryInSmallPieces:
            let scheduler = VirtualScheduler()
            let memory = MemoryNetwork(scheduler: scheduler, latency: configuration.latency)
            let network = transport == .memory ? memory : Self.inPieces(memory, scheduler)
            let pair = try DriverPair(
                scheduler: scheduler, clientNetwork: network, serverNetwork: network, identity: nil,
                configuration: configuration)
            try prepare(pair)
            pair.steps.play(on: scheduler)
            pair.end()
            scheduler.run()
        case .sockets, .socketsInSmallPieces, .encryptedSockets:
            try EventLoopThread.play { eventLoop, finish in
                let scheduler = EventLoopScheduler(eventLoop: eventLoop)
                let sockets = SocketNetwork(eventLoop: eventLoop)
                let network = transport == .socketsInSmallPieces ? Self.inPieces(sockets, scheduler) : sockets
                let pair = try DriverPair(
                    scheduler: scheduler, clientNetwork: network, serverNetwork: network,
                    identity: transport == .encryptedSockets ? Certificates.identity : nil, configuration: configuration
                )
                try prepare(pair)
                pair.steps.play(on: scheduler) {
                    pair.end()
                    finish()
                }
            }
        }
    }

    private func end() {
        self.clientDriver.close()
        self.serverDriver.close()
        // The steps hold the pair, and a test may look whether all of it is released.
        self.steps.removeAll()
        self.onEvent = {}
    }

    private static func inPieces(_ base: any Network, _ scheduler: any Scheduler) -> any Network {
        FaultyNetwork(base: base, plan: .dripFeed(), scheduler: scheduler, seed: 5)
    }
}

/// How a pair is set up.
struct DriverPairConfiguration {
    var client = ClientDriverConfiguration()
    var server = ServerDriverConfiguration()
    var latency = Duration.zero
    var observer: (any WireObserver)?
}

private final class EventLog {
    var take: (ChatEvent) -> Void = { _ in }
}
