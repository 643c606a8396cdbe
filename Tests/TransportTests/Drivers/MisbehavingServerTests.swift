import HTTPTypes
import Machines
import Testing
import Transport

@Suite("A client driver and a server that misbehaves", .serialized)
struct MisbehavingServerTests {
    /// What a server does instead of answering properly.
    struct Misbehavior: Sendable, CustomTestStringConvertible {
        enum Ending: Sendable {
            case stay
            case close
            case abort
        }

        let testDescription: String
        let bytes: [UInt8]
        var ending = Ending.stay
        /// Nil where an exchange has an answer.
        let exchange: TransportFailure.Code?
        let handshake: TransportFailure.Code
    }

    private static let carriers: [Medium] = [.memory, .memoryInSmallPieces, .sockets, .socketsInSmallPieces]

    private static let misbehaviors: [Misbehavior] = [
        .init(
            testDescription: "closes at once", bytes: [], ending: .close, exchange: .connectionLost,
            handshake: .connectionLost),
        .init(
            testDescription: "drops at once", bytes: [], ending: .abort, exchange: .connectionLost,
            handshake: .connectionLost),
        .init(
            testDescription: "sends garbage", bytes: [0, 255, 13, 10, 13, 10], exchange: .malformed,
            handshake: .malformed),
        .init(
            testDescription: "speaks another protocol", bytes: "SSH-2.0-OpenSSH_9.2\n\n".wire, exchange: .malformed,
            handshake: .malformed),
        .init(
            testDescription: "speaks another protocol and waits", bytes: "SSH-2.0-OpenSSH_9.2\n".wire,
            exchange: .malformed, handshake: .malformed),
        .init(
            testDescription: "sends half a head and closes", bytes: "HTTP/1.1 200 OK\nContent-Le".wire, ending: .close,
            exchange: .connectionLost, handshake: .connectionLost),
        .init(
            testDescription: "sends half a body and closes", bytes: "HTTP/1.1 200 OK\nContent-Length: 9\n\nhalf".wire,
            ending: .close, exchange: .connectionLost, handshake: .upgradeRefused),
        .init(
            testDescription: "sends a head without end",
            bytes: Array("HTTP/1.1 200 OK\r\nX: ".utf8) + [UInt8](repeating: 0x61, count: 70_000),
            exchange: .malformed, handshake: .malformed),
        .init(
            testDescription: "announces an immense body",
            bytes: "HTTP/1.1 200 OK\nContent-Length: 99999999999\n\n".wire,
            exchange: .malformed, handshake: .upgradeRefused),
        .init(
            // An unasked switch of protocols is an answer like any other.
            testDescription: "accepts with a wrong proof",
            bytes: """
                HTTP/1.1 101 Switching Protocols
                Upgrade: websocket
                Connection: Upgrade
                Sec-WebSocket-Accept: wrong


                """.wire, ending: .close, exchange: nil, handshake: .malformed),
    ]

    @Test("What is no HTTP is told at once, and how it begins")
    func anotherProtocol() throws {
        try DriverPair.play(.memory) { pair in
            let banner = Misbehavior(
                testDescription: "banner", bytes: "SSH-2.0-OpenSSH_9.2\n".wire, exchange: .malformed,
                handshake: .malformed)
            let authority = try Self.listen(pair, banner)
            let head = HTTPRequest(method: .post, scheme: "http", authority: authority, path: "/")
            pair.client(.send(ExchangeID(1), Request(head))) { pair.client.inputs.count == 1 }
            pair.client(.open(ConnectionID(1), head, subprotocols: [])) { pair.client.inputs.count == 2 }
            pair.then {
                let messages = pair.client.inputs.compactMap { input in
                    switch input {
                    case .exchangeFailed(_, let failure), .openFailed(_, let failure): failure.message
                    default: nil
                    }
                }
                #expect(
                    messages.count == 2 && messages.allSatisfy { $0.hasSuffix(" begins with \"SSH-2.0-OpenSSH_9.2\"") },
                    "\(messages)")
                #expect(pair.scheduler.now - .start < .seconds(1))
            }
        }
    }

    @Test("Exchanges and handshakes end in the right failure", arguments: carriers, misbehaviors)
    func failures(transport: Medium, misbehavior: Misbehavior) throws {
        try DriverPair.play(transport) { pair in
            let authority = try Self.listen(pair, misbehavior)
            let head = HTTPRequest(method: .post, scheme: "http", authority: authority, path: "/")
            pair.client(.send(ExchangeID(1), Request(head))) { pair.client.inputs.count == 1 }
            pair.then {
                #expect(pair.client.failureCode == misbehavior.exchange)
            }
            pair.client(.open(ConnectionID(1), head, subprotocols: [])) { pair.client.inputs.count == 2 }
            pair.then {
                #expect(pair.client.failureCode == misbehavior.handshake)
                #expect(pair.clientDriver.isQuiet)
            }
        }
    }

    @Test(
        "An end before the answer to a handshake lacks no close frame, for there is no WebSocket", arguments: carriers)
    func unanswered(transport: Medium) throws {
        try DriverPair.play(transport) { pair in
            let authority = try Self.listen(pair, Self.misbehaviors[0])
            let head = HTTPRequest(method: .get, scheme: "http", authority: authority, path: "/")
            pair.client(.open(ConnectionID(1), head, subprotocols: [])) { pair.client.inputs.count == 1 }
            pair.then {
                guard case .openFailed(_, let failure)? = pair.client.inputs.last else {
                    Issue.record("\(pair.client.inputs)")
                    return
                }
                #expect(failure.code == .connectionLost && !failure.message.contains("close frame"), "\(failure)")
            }
        }
    }

    @Test("A server that never answers is given up in time, in virtual time", arguments: Medium.inMemory)
    func silence(transport: Medium) throws {
        try DriverPair.play(transport) { pair in
            let silent = Misbehavior(
                testDescription: "never answers", bytes: [], exchange: .timedOut, handshake: .timedOut)
            let head = HTTPRequest(
                method: .get, scheme: "http", authority: try Self.listen(pair, silent), path: "/")
            pair.client(.open(ConnectionID(1), head, subprotocols: [])) { pair.client.inputs.count == 1 }
            pair.then { #expect(pair.scheduler.now == Instant.start + .seconds(30)) }
            pair.client(.send(ExchangeID(1), Request(head))) { pair.client.inputs.count == 2 }
            pair.then {
                #expect(pair.client.failureCode == .timedOut)
                #expect(pair.scheduler.now == Instant.start + .seconds(150))
            }
        }
    }

    /// Aborts a WebSocket soon after its client has it open: what is not sent yet is lost with the connection.
    private static func abort(_ id: ConnectionID, onceOpenIn pair: DriverPair) {
        let isOpen = !pair.client.inputs.isEmpty
        pair.scheduler.schedule(after: .milliseconds(20)) {
            guard isOpen else { return Self.abort(id, onceOpenIn: pair) }
            pair.server.onCommand = [.abort(id)]
            _ = pair.serverDriver.perform(Command("go"), by: nil)
        }
    }

    @Test(
        "Frames that break the protocol or break off end an open WebSocket with 1006", arguments: carriers,
        [
            ([0x81, 0x7F, 0, 0, 0, 1, 0, 0, 0, 0], false), ([0x81, 0x05, 0x48, 0x65], true), ([0xFF, 0xFF], false),
            ([0x81, 0x02, 0xC3, 0x28], false), ([0x88, 0x01, 0x03], false), ([], true),
        ] as [([UInt8], Bool)])
    func frames(transport: Medium, frame: (bytes: [UInt8], drops: Bool)) throws {
        try DriverPair.play(transport) { pair in
            pair.server.react = { input in
                guard case .upgradeRequested(let id, _) = input else { return [] }
                let effects: [ServerEffect] = [.accept(id, subprotocol: nil), .transmitBytes(id, frame.bytes)]
                guard frame.drops else { return effects }
                Self.abort(id, onceOpenIn: pair)
                return effects
            }
            pair.client(.open(ConnectionID(1), pair.head(isWebSocket: true), subprotocols: [])) {
                pair.client.inputs.count == 2
            }
            pair.then {
                guard case .closed(_, let closure)? = pair.client.inputs.last else {
                    Issue.record("\(pair.client.inputs)")
                    return
                }
                #expect(closure.code == 1006 && !closure.reason.isEmpty)
                #expect(pair.clientDriver.isQuiet)
            }
        }
    }

    @Test("Random bytes from a server always end in a defined state", arguments: 0..<30)
    func fuzz(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let starts = ["", "HTTP/1.1 200 OK\n", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n", "HTTP/1.1 101 A\n\n"]
        let bytes = (starts.randomElement(using: &random) ?? "").wire + random.bytes(300)
        let misbehavior = Misbehavior(
            testDescription: "fuzz", bytes: bytes, ending: .close, exchange: .malformed, handshake: .malformed)
        try DriverPair.play(.memoryInSmallPieces) { pair in
            let head = HTTPRequest(
                method: .get, scheme: "http", authority: try Self.listen(pair, misbehavior), path: "/")
            pair.client(
                .send(ExchangeID(1), Request(head)), .stream(ExchangeID(2), Request(head)),
                .open(ConnectionID(1), head, subprotocols: [])
            ) { pair.clientDriver.isQuiet }
            pair.then { #expect(pair.client.inputs.count >= 3) }
        }
    }

    /// Opens a listener whose connections misbehave when the first bytes arrive.
    private static func listen(_ pair: DriverPair, _ misbehavior: Misbehavior) throws -> String {
        let listener = try pair.clientNetwork.listen(on: .loopback, identity: nil)
        listener.onAccept = { stream in
            let peer = Peer()
            peer.stream = stream
            var isFirst = true
            peer.onBytes = { stream in
                guard isFirst else { return }
                isFirst = false
                stream.write(misbehavior.bytes)
                switch misbehavior.ending {
                case .stay: break
                case .close: stream.close()
                case .abort: stream.abort()
                }
            }
            peer.onEnd = { $0.close() }
            return peer
        }
        return "\(listener.endpoint)"
    }
}
