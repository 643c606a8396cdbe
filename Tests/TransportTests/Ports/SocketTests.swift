import HTTPTypes
import Machines
import Testing
import Transport

@Suite("WebSockets between a client port and a server port", .serialized)
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

    @Test("Messages go both ways and the close handshake ends it", arguments: Carrier.allCases)
    func conversation(carrier: Carrier) throws {
        try Stage.play(carrier) { stage in
            stage.server.react = Self.echo
            let long = WebSocketMessage.binary([UInt8](repeating: 7, count: 5000))
            stage.client(.open(Self.id, stage.head(isWebSocket: true), subprotocols: ["a", "b"])) {
                stage.client.inputs.count == 2
            }
            stage.client(.transmit(Self.id, .text("grüß dich")), .transmit(Self.id, long)) {
                stage.client.inputs.count == 4
            }
            stage.client(.close(Self.id, code: 4001, reason: "bye")) {
                stage.client.inputs.count == 5 && stage.server.inputs.count == 4
            }
            stage.then {
                let closure = WebSocketClosure(code: 4001, reason: "bye")
                #expect(
                    stage.client.inputs == [
                        .opened(Self.id, subprotocol: "b"), .received(Self.id, .text("welcome")),
                        .received(Self.id, .text("grüß dich")), .received(Self.id, long),
                        .closed(Self.id, WebSocketClosure(code: 4001, reason: "")),
                    ])
                guard case .closed(_, closure)? = stage.server.inputs.last else {
                    Issue.record("\(stage.server.inputs)")
                    return
                }
                #expect(stage.clientPort.isQuiet && stage.serverPort.isQuiet)
            }
            stage.then({}) { stage.serverPort.connectionCount == 0 }
        }
    }

    @Test("The server can close, and can vanish without a close frame", arguments: Carrier.allCases)
    func serverEnds(carrier: Carrier) throws {
        try Stage.play(carrier) { stage in
            stage.server.react = { input in
                switch input {
                case .received(let id, .text("close")): [.close(id, code: 1001, reason: "going")]
                case .received(let id, _): [.abort(id)]
                default: Self.echo(input)
                }
            }
            for (number, text) in [(1, "close"), (2, "vanish")] as [(UInt64, String)] {
                let id = ConnectionID(number)
                stage.client(.open(id, stage.head(isWebSocket: true), subprotocols: [])) {
                    stage.client.inputs.last == .received(id, .text("welcome"))
                }
                stage.client(.transmit(id, .text(text))) {
                    if case .closed(id, _)? = stage.client.inputs.last { true } else { false }
                }
                stage.then {
                    guard case .closed(id, let closure)? = stage.client.inputs.last else { return }
                    #expect(closure.code == (number == 1 ? 1001 : 1006))
                    #expect(stage.clientPort.isQuiet)
                }
            }
        }
    }

    @Test(
        "A client that aborts is a closure with 1006 to the server, and hears nothing itself",
        arguments: Carrier.allCases)
    func clientAborts(carrier: Carrier) throws {
        try Stage.play(carrier) { stage in
            stage.server.react = Self.echo
            stage.client(.open(Self.id, stage.head(isWebSocket: true), subprotocols: [])) {
                stage.client.inputs.count == 2
            }
            stage.client(.abort(Self.id)) { stage.server.inputs.count == 2 }
            stage.then {
                guard case .closed(_, let closure)? = stage.server.inputs.last else {
                    Issue.record("\(stage.server.inputs)")
                    return
                }
                #expect(closure.code == 1006 && !closure.reason.isEmpty)
                #expect(stage.client.inputs.count == 2)
                #expect(stage.clientPort.isQuiet && stage.serverPort.isQuiet)
            }
        }
    }

    @Test(
        "A client that is closed as soon as the server has closed still answers the close frame",
        arguments: Carrier.allCases)
    func answerOfClosedPort(carrier: Carrier) throws {
        try Stage.play(carrier) { stage in
            stage.server.react = Self.echo
            stage.client(.open(Self.id, stage.head(isWebSocket: true), subprotocols: [])) {
                stage.client.inputs.count == 2
            }
            stage.client.react = { input in
                if case .closed = input { [.emit(ChatEvent(.disconnected))] } else { [] }
            }
            stage.onEvent = { stage.clientPort.close() }
            stage.then({
                guard case .upgradeRequested(let id, _)? = stage.server.inputs.first else { return }
                stage.server.onCommand = [.close(id, code: 1001, reason: "")]
                _ = stage.serverPort.perform(Command("go"), by: nil)
            }) { stage.server.inputs.count == 2 }
            stage.then {
                guard case .closed(_, let closure)? = stage.server.inputs.last else { return }
                #expect(closure.code == 1001)
                stage.onEvent = {}
            }
        }
    }

    @Test("A refused handshake tells the status", arguments: Carrier.allCases)
    func refused(carrier: Carrier) throws {
        try Stage.play(carrier) { stage in
            stage.server.react = { input in
                guard case .upgradeRequested(let id, _) = input else { return [] }
                return [.refuse(id, Response(text: "no", status: .forbidden))]
            }
            stage.client(.open(Self.id, stage.head(isWebSocket: true), subprotocols: [])) {
                stage.client.inputs.count == 1
            }
            stage.then {
                guard case .openFailed(_, let failure)? = stage.client.inputs.first else {
                    Issue.record("\(stage.client.inputs)")
                    return
                }
                #expect(failure.code == .upgradeRefused && failure.status == 403)
            }
        }
    }

    @Test("A server that breaks the protocol ends the connection with 1006 and the reason", arguments: Carrier.allCases)
    func brokenServer(carrier: Carrier) throws {
        try Stage.play(carrier) { stage in
            stage.server.react = { input in
                guard case .upgradeRequested(let id, _) = input else { return [] }
                return [.accept(id, subprotocol: nil), .transmitBytes(id, [0xA1, 0x00])]
            }
            stage.client(.open(Self.id, stage.head(isWebSocket: true), subprotocols: [])) {
                stage.client.inputs.count == 2 && stage.server.inputs.count == 2
            }
            stage.then {
                let reason = "the server broke the protocol: a reserved bit is set"
                #expect(stage.client.inputs.last == .closed(Self.id, WebSocketClosure(code: 1006, reason: reason)))
                guard case .closed(_, let closure)? = stage.server.inputs.last else { return }
                #expect(closure.code == 1002)
            }
        }
    }

    @Test("A message over the limit ends the connection", arguments: [Carrier.memory, .sockets])
    func messageLimit(carrier: Carrier) throws {
        var configuration = StageConfiguration()
        configuration.server.messageLimit = 1000
        try Stage.play(carrier, configuration) { stage in
            stage.server.react = Self.echo
            stage.client(.open(Self.id, stage.head(isWebSocket: true), subprotocols: [])) {
                stage.client.inputs.count == 2
            }
            stage.client(.transmit(Self.id, .text(String(repeating: "a", count: 1001)))) {
                stage.client.inputs.count == 3
            }
            stage.then {
                guard case .closed(_, let closure)? = stage.client.inputs.last else { return }
                #expect(closure.code == 1009)
            }
        }
    }

    @Test("A close frame that is not answered ends in time with 1006", arguments: Carrier.inMemory)
    func unansweredClose(carrier: Carrier) throws {
        try Stage.play(carrier) { stage in
            // The bytes of a whole frame announce a longer one, so the server's codec never sees the close frame.
            let silent = SilentServer(stage)
            stage.then({ silent.start() })
            stage.then({
                stage.client.onCommand = [.open(Self.id, silent.head, subprotocols: [])]
                _ = stage.clientPort.perform(Command("go"))
            }) { stage.client.inputs.count == 1 }
            stage.client(.close(Self.id, code: 1000, reason: "")) { stage.client.inputs.count == 2 }
            stage.then {
                let reason = "the close frame was not answered within 5s"
                #expect(stage.client.inputs.last == .closed(Self.id, WebSocketClosure(code: 1006, reason: reason)))
                silent.stop()
            }
        }
    }

    @Test("A WebSocket that does not open in time fails", arguments: Carrier.inMemory)
    func unansweredHandshake(carrier: Carrier) throws {
        try Stage.play(carrier) { stage in
            stage.client(.open(Self.id, stage.head(isWebSocket: true), subprotocols: [])) {
                stage.client.inputs.count == 1 && stage.server.inputs.count == 2
            }
            stage.then { #expect(stage.client.failureCode == .timedOut) }
        }
    }

    @Test("Closing before it is open is a closure", arguments: Carrier.inMemory)
    func earlyClose(carrier: Carrier) throws {
        try Stage.play(carrier) { stage in
            stage.client(
                .open(Self.id, stage.head(isWebSocket: true), subprotocols: []),
                .close(Self.id, code: 1000, reason: "")
            ) { stage.client.inputs.count == 1 }
            stage.then {
                guard case .closed(_, let closure)? = stage.client.inputs.last else {
                    Issue.record("\(stage.client.inputs)")
                    return
                }
                #expect(closure.code == 1006)
            }
        }
    }
}

/// A server that accepts one WebSocket and never answers anything.
private final class SilentServer: ByteStreamDelegate {
    private let stage: Stage
    private var listener: (any Listener)?
    private var stream: (any ByteStream)?
    private var parser = HTTPRequestParser()

    init(_ stage: Stage) { self.stage = stage }

    var head: HTTPRequest {
        HTTPRequest(
            method: .get, scheme: "ws", authority: "\(self.listener?.endpoint ?? .loopback)", path: "/")
    }

    func start() {
        self.listener = try? self.stage.clientNetwork.listen(on: .loopback, identity: nil)
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
            guard case .head(let head) = part, case .upgrade(let key, _) = WebSocketHandshake.examine(head) else {
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
