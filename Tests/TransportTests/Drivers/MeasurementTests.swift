import HTTPTypes
import Machines
import NIOCore
import Testing
import Transport

@Suite("What a client takes for its connections", .serialized)
struct MeasurementTests {
    @Test("is told step by step over sockets, and how often a connection is used again", arguments: Medium.allCases)
    func exchange(transport: Medium) throws {
        try DriverPair.play(transport) { pair in
            let measured = Measurements(of: pair.clientDriver)
            pair.server.react = { input in
                guard case .requested(let id, _) = input else { return [] }
                return [.respond(id, Response(text: "hello", status: .ok))]
            }
            for number in 1...2 {
                pair.client(.send(ExchangeID(UInt64(number)), Request(pair.head()))) {
                    pair.client.inputs.count == number
                }
            }
            pair.then {
                let times = measured.opened
                #expect(times.count == 1)
                #expect(times.first?.lookup == nil, "the address was given")
                #expect((times.first?.connect != nil) == !Medium.inMemory.contains(transport))
                #expect((times.first?.encryption != nil) == (transport == .encryptedSockets))
                #expect(measured.all.count { $0 == .reused } == 1)
                #expect(measured.all.count { if case .answered = $0 { true } else { false } } == 2)
            }
        }
    }

    @Test("is told with the status of each answer, and of a request without one", arguments: [false, true])
    func statuses(isStreamed: Bool) throws {
        try DriverPair.play(.memory) { pair in
            let measured = Measurements(of: pair.clientDriver)
            var statuses: [HTTPResponse.Status] = [.ok, .serviceUnavailable]
            pair.server.react = { input in
                guard case .requested(let id, _) = input, !statuses.isEmpty else { return [] }
                return [.respond(id, Response(text: "hello", status: statuses.removeFirst()))]
            }
            for number in 1...3 as ClosedRange<UInt64> {
                var request = Request(pair.head())
                request.timeLimit = .seconds(1)
                let id = ExchangeID(number)
                pair.client(isStreamed ? .stream(id, request) : .send(id, request)) {
                    switch pair.client.inputs.last {
                    case .responded(id, _)?, .responseEnded(id)?, .exchangeFailed(id, _)?: true
                    default: false
                    }
                }
            }
            pair.then {
                let answered = measured.all.compactMap {
                    if case .answered(let request) = $0 { request.status } else { nil }
                }
                #expect(answered == [200, 503])
                #expect(measured.all.count { $0 == .unanswered } == 1)
            }
        }
    }

    @Test("is told of a request that is given up by what its machine says, unless it has ended before")
    func givenUp() throws {
        try DriverPair.play(.memory) { pair in
            let measured = Measurements(of: pair.clientDriver)
            let head = HTTPResponse(status: .accepted, headerFields: [.contentType: "text/event-stream"])
            let end = Instant.start + .seconds(1)
            let outcomes: [ExchangeOutcome] = [.unwanted, .unanswered, .answered(end)]
            pair.server.react = { input in
                if case .requested(let id, _) = input { [.begin(id, head)] } else { [] }
            }
            for (place, outcome) in outcomes.enumerated() {
                let id = ExchangeID(UInt64(place))
                pair.client(.stream(id, Request(pair.head()))) { pair.client.inputs.count == place + 1 }
                pair.client(.cancel(id, as: outcome))
                // It is gone.
                pair.client(.cancel(id, as: .unanswered), .cancel(id, as: .answered(end)))
            }
            pair.then {
                let answered = measured.all.compactMap { if case .answered(let request) = $0 { request } else { nil } }
                #expect(answered.map(\.status) == [202] && answered.map(\.duration) == [.seconds(1)])
                #expect(measured.all.count { $0 == .unanswered } == 1)
            }
        }
    }

    @Test("is told for the upgrade of a WebSocket apart from its connection", arguments: Medium.allCases)
    func upgrade(transport: Medium) throws {
        var configuration = DriverPairConfiguration()
        configuration.latency = .milliseconds(20)
        try DriverPair.play(transport, configuration) { pair in
            let measured = Measurements(of: pair.clientDriver)
            pair.server.react = { input in
                guard case .upgradeRequested(let id, _) = input else { return [] }
                return [.accept(id, subprotocol: nil)]
            }
            pair.client(.open(ConnectionID(1), pair.head(isWebSocket: true), subprotocols: [], WebSocketOptions())) {
                pair.client.inputs.count == 1
            }
            pair.then {
                guard case .opened(let times)? = measured.all.first, case .upgraded(let upgrade)? = measured.all.last
                else {
                    Issue.record("\(measured.all)")
                    return
                }
                #expect((times.connect != nil) == !Medium.inMemory.contains(transport))
                // In memory it is the way there and back.
                if transport == .memory { #expect(upgrade == .milliseconds(40)) } else { #expect(upgrade > .zero) }
            }
        }
    }

    @Test("is told at the end of a compressed WebSocket in bytes of text and on the wire", arguments: [true, false])
    func compression(isAccepted: Bool) throws {
        try DriverPair.play(.memory) { pair in
            let measured = Measurements(of: pair.clientDriver)
            pair.server.react = { input in
                switch input {
                case .upgradeRequested(let id, _): [.accept(id, subprotocol: nil, compression: isAccepted)]
                case .received(let id, let message): [.transmit(id, message)]
                default: []
                }
            }
            let text = String(repeating: "the same again ", count: 100)
            pair.client(.open(ConnectionID(1), pair.head(isWebSocket: true), subprotocols: [], WebSocketOptions())) {
                pair.client.inputs.count == 1
            }
            pair.client(.transmit(ConnectionID(1), .text(text))) { pair.client.inputs.count == 2 }
            // Too short to be compressed.
            pair.client(.transmit(ConnectionID(1), .text("short"))) { pair.client.inputs.count == 3 }
            pair.client(.close(ConnectionID(1), code: 1000, reason: "")) { pair.client.inputs.count == 4 }
            pair.then {
                let volumes = measured.all.compactMap { if case .compressed(let volume) = $0 { volume } else { nil } }
                guard isAccepted else { return #expect(volumes.isEmpty) }
                #expect(volumes.map(\.text) == [Int64(2 * text.utf8.count)])
                #expect(volumes.allSatisfy { 2...(2 * 100) ~= $0.wire })
            }
        }
    }

    @Test("has a look-up of the name for each connection, or once", arguments: [false, true])
    func lookup(keeps: Bool) throws {
        try EventLoopThread.play { eventLoop, finish in
            let network = SocketNetwork(
                eventLoop: eventLoop, configuration: SocketNetworkConfiguration(keepsAddresses: keeps))
            let listener = try network.listen(on: .loopback, identity: nil)
            listener.onAccept = { _ in nil }
            let endpoint = Endpoint(host: "localhost", port: listener.endpoint.port)
            var found: [OpeningTimes] = []
            var openings: [Opening] = []
            func open() {
                guard found.count < 3 else {
                    #expect(found.map { $0.lookup != nil } == [true, !keeps, !keeps])
                    #expect(found.allSatisfy { $0.connect != nil && $0.encryption == nil })
                    listener.close()
                    return finish()
                }
                let opening = Opening()
                openings.append(opening)
                opening.onOpen = { times in
                    found.append(times)
                    eventLoop.assumeIsolated().execute { open() }
                }
                opening.stream = network.connect(to: endpoint, security: .plain, delegate: opening)
            }
            open()
        }
    }
}

/// What a client told of its connections.
private final class Measurements {
    private(set) var all: [ClientMeasurement] = []

    init(of driver: ClientDriver) {
        driver.onReport { if case .measured(let measurement) = $0 { self.all.append(measurement) } }
    }

    var opened: [OpeningTimes] {
        self.all.compactMap { if case .opened(let times) = $0 { times } else { nil } }
    }
}

/// Opens a connection and drops it.
private final class Opening: ByteStreamDelegate {
    var stream: (any ByteStream)?
    var onOpen: (OpeningTimes) -> Void = { _ in }

    func streamOpened() {
        guard let stream = self.stream else { return }
        stream.abort()
        self.onOpen(stream.openingTimes)
    }

    func streamReceived(_ bytes: Span<UInt8>) {}
    func streamReachedEnd() {}

    func streamClosed(_ failure: TransportFailure?) {
        Issue.record("\(failure.map { $0.message } ?? "closed")")
        self.onOpen(OpeningTimes())
    }
}
