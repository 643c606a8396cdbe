import HTTPTypes
import Machines
import Testing
import Transport

@Suite("WebSockets between a client driver and a server driver", .serialized)
struct SocketTests {
    /// A server that accepts the last sub-protocol offered and echoes messages.
    private static func echo(_ input: ServerInput) -> [ServerEffect] {
        switch input {
        case .upgradeRequested(let id, let request):
            let offered = request.head.headerFields[.secWebSocketProtocol]?.split(separator: " ").last
            return [.accept(id, subprotocol: offered.map(String.init)), .transmit(id, .text("welcome"))]
        case .received(let id, let message): return [.transmit(id, message)]
        default: return []
        }
    }

    private static let id = ConnectionID(1)

    @Test("Messages go both ways and the close handshake ends it", arguments: Medium.allCases)
    func conversation(transport: Medium) throws {
        try DriverPair.play(transport) { pair in
            pair.server.react = Self.echo
            let long = WebSocketMessage.binary([UInt8](repeating: 7, count: 5000))
            pair.client(.open(Self.id, pair.head(isWebSocket: true), subprotocols: ["a", "b"])) {
                pair.client.inputs.count == 2
            }
            pair.client(.transmit(Self.id, .text("grüß dich")), .transmit(Self.id, long)) {
                pair.client.inputs.count == 4
            }
            pair.client(.close(Self.id, code: 4001, reason: "bye")) {
                pair.client.inputs.count == 5 && pair.server.inputs.count == 4
            }
            pair.then {
                let closure = WebSocketClosure(code: 4001, reason: "bye")
                #expect(
                    pair.client.inputs == [
                        .opened(Self.id, subprotocol: "b"), .received(Self.id, .text("welcome")),
                        .received(Self.id, .text("grüß dich")), .received(Self.id, long),
                        .closed(Self.id, WebSocketClosure(code: 4001, reason: "")),
                    ])
                guard case .closed(_, closure)? = pair.server.inputs.last else {
                    Issue.record("\(pair.server.inputs)")
                    return
                }
                #expect(pair.clientDriver.isQuiet && pair.serverDriver.isQuiet)
            }
            pair.then({}) { pair.serverDriver.connectionCount == 0 }
        }
    }

    @Test("The server can close, and can vanish without a close frame", arguments: Medium.allCases)
    func serverEnds(transport: Medium) throws {
        try DriverPair.play(transport) { pair in
            pair.server.react = { input in
                switch input {
                case .received(let id, .text("close")): [.close(id, code: 1001, reason: "going")]
                case .received(let id, _): [.abort(id)]
                default: Self.echo(input)
                }
            }
            for (number, text) in [(1, "close"), (2, "vanish")] as [(UInt64, String)] {
                let id = ConnectionID(number)
                pair.client(.open(id, pair.head(isWebSocket: true), subprotocols: [])) {
                    pair.client.inputs.last == .received(id, .text("welcome"))
                }
                pair.client(.transmit(id, .text(text))) {
                    if case .closed(id, _)? = pair.client.inputs.last { true } else { false }
                }
                pair.then {
                    guard case .closed(id, let closure)? = pair.client.inputs.last else {
                        Issue.record("\(pair.client.inputs)")
                        return
                    }
                    #expect(closure.code == (number == 1 ? 1001 : 1006))
                    #expect(pair.clientDriver.isQuiet)
                }
            }
        }
    }

    @Test(
        "A client that aborts is a closure with 1006 to the server, and hears nothing itself",
        arguments: Medium.allCases)
    func clientAborts(transport: Medium) throws {
        try DriverPair.play(transport) { pair in
            pair.server.react = Self.echo
            pair.client(.open(Self.id, pair.head(isWebSocket: true), subprotocols: [])) {
                pair.client.inputs.count == 2
            }
            pair.client(.abort(Self.id)) { pair.server.inputs.count == 2 }
            pair.then {
                guard case .closed(_, let closure)? = pair.server.inputs.last else {
                    Issue.record("\(pair.server.inputs)")
                    return
                }
                #expect(closure.code == 1006 && !closure.reason.isEmpty)
                #expect(pair.client.inputs.count == 2)
                #expect(pair.clientDriver.isQuiet && pair.serverDriver.isQuiet)
            }
        }
    }

    @Test(
        "A client that is closed as soon as the server has closed still answers the close frame",
        arguments: Medium.allCases)
    func answerOfClosedPort(transport: Medium) throws {
        try DriverPair.play(transport) { pair in
            pair.server.react = Self.echo
            pair.client(.open(Self.id, pair.head(isWebSocket: true), subprotocols: [])) {
                pair.client.inputs.count == 2
            }
            pair.client.react = { input in
                if case .closed = input { [.emit(ChatEvent(.disconnected))] } else { [] }
            }
            pair.onEvent = { pair.clientDriver.close() }
            pair.then({
                guard case .upgradeRequested(let id, _)? = pair.server.inputs.first else {
                    Issue.record("\(pair.server.inputs)")
                    return
                }
                pair.server.onCommand = [.close(id, code: 1001, reason: "")]
                _ = pair.serverDriver.perform(Command("go"), by: nil)
            }) { pair.server.inputs.count == 2 }
            pair.then {
                guard case .closed(_, let closure)? = pair.server.inputs.last else {
                    Issue.record("\(pair.server.inputs)")
                    return
                }
                #expect(closure.code == 1001)
                pair.onEvent = {}
            }
        }
    }

    @Test("A refused handshake tells the status", arguments: Medium.allCases)
    func refused(transport: Medium) throws {
        try DriverPair.play(transport) { pair in
            pair.server.react = { input in
                guard case .upgradeRequested(let id, _) = input else { return [] }
                return [.refuse(id, Response(text: "no", status: .forbidden))]
            }
            pair.client(.open(Self.id, pair.head(isWebSocket: true), subprotocols: [])) {
                pair.client.inputs.count == 1
            }
            pair.then {
                guard case .openFailed(_, let failure)? = pair.client.inputs.first else {
                    Issue.record("\(pair.client.inputs)")
                    return
                }
                #expect(failure.code == .upgradeRefused && failure.status == 403)
            }
        }
    }

    @Test(
        "A server that breaks the protocol ends the connection with 1006 and the reason, and is told beside",
        arguments: Medium.allCases)
    func brokenServer(transport: Medium) throws {
        try DriverPair.play(transport) { pair in
            var violations: [ServerViolation] = []
            pair.clientDriver.onReport { if case .violated(let violation) = $0 { violations.append(violation) } }
            pair.server.react = { input in
                guard case .upgradeRequested(let id, _) = input else { return [] }
                return [.accept(id, subprotocol: nil), .transmitBytes(id, [0xA1, 0x00])]
            }
            pair.client(.open(Self.id, pair.head(isWebSocket: true), subprotocols: [])) {
                pair.client.inputs.count == 2 && pair.server.inputs.count == 2
            }
            pair.then {
                let reason = "the server broke the protocol: a reserved bit is set"
                #expect(pair.client.inputs.last == .closed(Self.id, WebSocketClosure(code: 1006, reason: reason)))
                let message = "\(pair.serverDriver.endpoint) broke the protocol: a reserved bit is set"
                #expect(violations.map(\.message) == [message] && violations.map(\.reason) == [reason])
                guard case .closed(_, let closure)? = pair.server.inputs.last else {
                    Issue.record("\(pair.server.inputs)")
                    return
                }
                #expect(closure.code == 1002)
            }
        }
    }

    @Test(
        "Data behind a server's close frame, and a message that it breaks off, are told beside the end",
        arguments: [Medium.memory, .memoryInSmallPieces, .sockets, .socketsInSmallPieces],
        [
            ([0x88, 0x02, 0x03, 0xE8, 0x81, 0x02, 0x68, 0x69], "data behind its close frame"),
            (
                [0x01, 0x02, 0x68, 0x69, 0x88, 0x02, 0x03, 0xE8],
                "a close frame within a message that it had not sent whole"
            ),
            ([0x01, 0x01, 0x68, 0x80, 0x01, 0x69, 0x88, 0x02, 0x03, 0xE8, 0x8A, 0x00], nil),
        ] as [(bytes: [UInt8], violation: String?)])
    func dataBehindClose(transport: Medium, sent: (bytes: [UInt8], violation: String?)) throws {
        try DriverPair.play(transport) { pair in
            var violations: [ServerViolation] = []
            pair.clientDriver.onReport { if case .violated(let violation) = $0 { violations.append(violation) } }
            pair.server.react = { input in
                guard case .upgradeRequested(let id, _) = input else { return [] }
                return [.accept(id, subprotocol: nil), .transmitBytes(id, sent.bytes)]
            }
            let closed = ClientInput.closed(Self.id, WebSocketClosure(code: 1000, reason: ""))
            pair.client(.open(Self.id, pair.head(isWebSocket: true), subprotocols: [])) {
                pair.client.inputs.last == closed
            }
            let count = sent.violation == nil ? 3 : 2
            pair.client(.setTimer("later", .milliseconds(100))) { pair.client.inputs.count == count + 1 }
            pair.then {
                let server = pair.serverDriver.endpoint
                #expect(violations.map(\.message) == (sent.violation.map { ["\(server) sent \($0)"] } ?? []))
            }
        }
    }

    @Test("Of data behind a server's close frame, however much it is, the beginning is kept")
    func muchBehindClose() throws {
        let data = [0x81] + [UInt8](repeating: 0x61, count: 999)
        try DriverPair.play(.memory) { pair in
            var shown: [[UInt8]] = []
            pair.clientDriver.onReport { if case .violated(let violation) = $0 { shown.append(violation.bytes) } }
            pair.server.react = { input in
                guard case .upgradeRequested(let id, _) = input else { return [] }
                return [.accept(id, subprotocol: nil), .transmitBytes(id, [0x88, 0x02, 0x03, 0xE8] + data)]
            }
            pair.client(.open(Self.id, pair.head(isWebSocket: true), subprotocols: [])) {
                pair.client.inputs.count == 2
            }
            pair.client(.setTimer("later", .milliseconds(100))) { pair.client.inputs.count == 3 }
            pair.then { #expect(shown == [Array(data.prefix(200))]) }
        }
    }

    @Test("A message over the limit ends the connection", arguments: [Medium.memory, .sockets])
    func messageLimit(transport: Medium) throws {
        var configuration = DriverPairConfiguration()
        configuration.server.messageLimit = 1000
        try DriverPair.play(transport, configuration) { pair in
            pair.server.react = Self.echo
            pair.client(.open(Self.id, pair.head(isWebSocket: true), subprotocols: [])) {
                pair.client.inputs.count == 2
            }
            pair.client(.transmit(Self.id, .text(String(repeating: "a", count: 1001)))) {
                pair.client.inputs.count == 3
            }
            pair.then {
                guard case .closed(_, let closure)? = pair.client.inputs.last else {
                    Issue.record("\(pair.client.inputs)")
                    return
                }
                #expect(closure.code == 1009)
            }
        }
    }

    @Test("A close frame that is not answered ends in time with 1006", arguments: Medium.inMemory)
    func unansweredClose(transport: Medium) throws {
        try DriverPair.play(transport) { pair in
            // The bytes of a whole frame announce a longer one, so the server's codec never sees the close frame.
            let silent = SilentServer(pair)
            pair.then({ silent.start() })
            pair.then({
                pair.client.onCommand = [.open(Self.id, silent.head, subprotocols: [])]
                _ = pair.clientDriver.perform(Command("go"))
            }) { pair.client.inputs.count == 1 }
            pair.client(.close(Self.id, code: 1000, reason: "")) { pair.client.inputs.count == 2 }
            pair.then {
                let reason = "the close frame was not answered within 5s"
                #expect(pair.client.inputs.last == .closed(Self.id, WebSocketClosure(code: 1006, reason: reason)))
                silent.stop()
            }
        }
    }

    @Test("A WebSocket that does not open in time fails", arguments: Medium.inMemory)
    func unansweredHandshake(transport: Medium) throws {
        try DriverPair.play(transport) { pair in
            pair.client(.open(Self.id, pair.head(isWebSocket: true), subprotocols: [])) {
                pair.client.inputs.count == 1 && pair.server.inputs.count == 2
            }
            pair.then { #expect(pair.client.failureCode == .timedOut) }
        }
    }

    @Test("Closing before it is open is a closure", arguments: Medium.inMemory)
    func earlyClose(transport: Medium) throws {
        try DriverPair.play(transport) { pair in
            pair.client(
                .open(Self.id, pair.head(isWebSocket: true), subprotocols: []),
                .close(Self.id, code: 1000, reason: "")
            ) { pair.client.inputs.count == 1 }
            pair.then {
                guard case .closed(_, let closure)? = pair.client.inputs.last else {
                    Issue.record("\(pair.client.inputs)")
                    return
                }
                #expect(closure.code == 1006)
            }
        }
    }
}

/// A server that accepts one WebSocket and never answers anything.
private final class SilentServer: ByteStreamDelegate {
    private let pair: DriverPair
    private var listener: (any Listener)?
    private var stream: (any ByteStream)?
    private var parser = HTTPRequestParser()

    init(_ pair: DriverPair) { self.pair = pair }

    var head: HTTPRequest {
        HTTPRequest(
            method: .get, scheme: "ws", authority: "\(self.listener?.endpoint ?? .loopback)", path: "/")
    }

    func start() {
        self.listener = try? self.pair.clientNetwork.listen(on: .loopback, identity: nil)
        self.listener?.onAccept = { stream in
            self.stream = stream
            return self
        }
    }

    func stop() {
        self.listener?.close()
        self.stream?.abort()
    }

    func streamOpened() {}

    func streamReceived(_ bytes: Span<UInt8>) {
        var offset = 0
        while offset < bytes.count, let part = try? self.parser.next(bytes, at: &offset) {
            guard case .head(let head) = part, case .upgrade(let key) = WebSocketHandshake.examine(head) else {
                continue
            }
            let response = WebSocketHandshake.response(key: key, subprotocol: nil)
            let fields = response.headerFields.map { "\($0.name): \($0.value)\r\n" }.joined()
            self.stream?.write(Array("HTTP/1.1 101 Switching Protocols\r\n\(fields)\r\n".utf8))
        }
    }

    func streamReachedEnd() {}
    func streamClosed(_ failure: TransportFailure?) {}
}
