import Machines
import Testing

@testable import Transport

@Suite("Links that are encrypted in their middle")
struct StartTLSTests {
    private static let link = ConnectionID(1)

    private static var configuration: DriverPairConfiguration {
        var configuration = DriverPairConfiguration()
        configuration.server.links = ServerLinks(.lines(.lineFeed), besideHTTP: false)
        return configuration
    }

    private static func open(_ endpoint: Endpoint) -> ClientEffect {
        .openLink(
            Self.link, LinkRequest(authority: "\(endpoint)", isSecure: false, framing: .lines(.lineFeed)))
    }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// A server that agrees on TLS by what it answers, and then passes on to one that has spoken TLS all along; without
    /// one it is silent then.
    private static func front(
        of pair: DriverPair, answering answer: String
    ) throws -> (listener: any Listener, near: Peer) {
        let (near, far) = (Peer(), Peer())
        let network = pair.clientNetwork
        let listener = try network.listen(near)
        near.onOwnBytes = { bytes in
            guard bytes != Self.bytes("STARTTLS\n") else {
                near.stream?.write(Self.bytes(answer))
                return
            }
            guard pair.isEncrypted else { return }
            far.stream =
                far.stream ?? network.connect(to: pair.serverDriver.endpoint, security: .plain, delegate: far)
            far.stream?.write(bytes)
        }
        far.onOwnBytes = { near.stream?.write($0) }
        return (listener, near)
    }

    @Test("what follows goes both ways, beside HTTP as well", arguments: Medium.inMemory, [false, true])
    func memory(transport: Medium, besideHTTP: Bool) throws {
        var configuration = Self.configuration
        configuration.server.links?.besideHTTP = besideHTTP
        try DriverPair.play(transport, configuration) { pair in
            pair.server.react = { input in
                switch input {
                case .received(let id, .text("STARTTLS")):
                    // The server may go on at once; that waits.
                    [.transmit(id, .text("GO")), .encrypt(id, hasMore: false), .transmit(id, .text("welcome"))]
                case .received(let id, .text(let text)): [.transmit(id, .text("you said \(text)"))]
                default: []
                }
            }
            pair.client(Self.open(pair.serverDriver.endpoint)) { pair.client.inputs.count == 1 }
            pair.client(.transmit(Self.link, .text("STARTTLS"))) { pair.client.inputs.count == 2 }
            pair.client(.encrypt(Self.link, hasMore: false), .transmit(Self.link, .text("hello"))) {
                pair.client.inputs.count == 4
            }
            pair.client(.close(Self.link, code: nil, reason: "")) { pair.client.inputs.count == 5 }
            pair.then {
                #expect(
                    pair.client.inputs == [
                        .opened(Self.link, subprotocol: nil), .received(Self.link, .text("GO")),
                        .received(Self.link, .text("welcome")), .received(Self.link, .text("you said hello")),
                        .closed(Self.link, WebSocketClosure(code: 1000, reason: "")),
                    ])
                #expect(pair.server.inputs.count { if case .linkOpened = $0 { true } else { false } } == 1)
            }
        }
    }

    @Test("a server that agrees, goes on and ends the link at once is heard to its end", arguments: Medium.inMemory)
    func leaving(transport: Medium) throws {
        try DriverPair.play(transport, Self.configuration) { pair in
            pair.server.react = { input in
                guard case .received(let id, .text("STARTTLS")) = input else { return [] }
                return [
                    .transmit(id, .text("GO")), .encrypt(id, hasMore: false), .transmit(id, .text("welcome")),
                    .close(id, code: nil, reason: ""),
                ]
            }
            pair.client(Self.open(pair.serverDriver.endpoint)) { pair.client.inputs.count == 1 }
            pair.client(.transmit(Self.link, .text("STARTTLS"))) { pair.client.inputs.count == 2 }
            pair.client(.encrypt(Self.link, hasMore: false)) { pair.client.inputs.count == 4 }
            pair.then {
                #expect(
                    pair.client.inputs.suffix(2) == [
                        .received(Self.link, .text("welcome")),
                        .closed(Self.link, WebSocketClosure(code: 1000, reason: "")),
                    ])
            }
        }
    }

    @Test(
        "a client that is agreed with and never begins is left after a while, and hears that", arguments: [false, true])
    func unbegun(isLeaving: Bool) throws {
        try DriverPair.play(.memory, Self.configuration) { pair in
            pair.server.react = { input in
                guard case .received(let id, .text("STARTTLS")) = input else { return [] }
                return [.transmit(id, .text("GO")), .encrypt(id, hasMore: false)]
                    + (isLeaving ? [.close(id, code: nil, reason: "")] : [])
            }
            pair.client(Self.open(pair.serverDriver.endpoint)) { pair.client.inputs.count == 1 }
            pair.client(.transmit(Self.link, .text("STARTTLS"))) { pair.client.inputs.count == 3 }
            pair.then {
                guard case .closed? = pair.client.inputs.last, case .closed(_, let closure)? = pair.server.inputs.last
                else {
                    Issue.record("\(pair.client.inputs), \(pair.server.inputs)")
                    return
                }
                #expect(closure.code == 1006 && closure.reason.contains("within"))
            }
        }
    }

    @Test("a real server is spoken to in TLS from there on")
    func sockets() throws {
        try DriverPair.play(.encryptedSockets, Self.configuration) { pair in
            pair.server.react = { input in
                if case .received(let id, .text(let text)) = input {
                    [.transmit(id, .text("you said \(text)"))]
                } else {
                    []
                }
            }
            let (listener, near) = try Self.front(of: pair, answering: "GO\n")
            pair.client(Self.open(listener.endpoint)) { pair.client.inputs.count == 1 }
            pair.client(.transmit(Self.link, .text("STARTTLS"))) { pair.client.inputs.count == 2 }
            pair.client(.encrypt(Self.link, hasMore: false), .transmit(Self.link, .text("hello"))) {
                pair.client.inputs.count == 3
            }
            pair.then {
                #expect(pair.client.inputs.last == .received(Self.link, .text("you said hello")))
                #expect(!near.received.contains(Self.bytes("hello")))
                listener.close()
            }
        }
    }

    @Test(
        "what a server sends behind its agreement, whole or not, ends the link and is not heard as encrypted",
        arguments: [Medium.memory, .sockets], ["GO\nyou are admin\n", "GO\nyou are"])
    func injection(transport: Medium, answer: String) throws {
        try DriverPair.play(transport, Self.configuration) { pair in
            let (listener, _) = try Self.front(of: pair, answering: answer)
            pair.client(Self.open(listener.endpoint)) { pair.client.inputs.count == 1 }
            let heard = 1 + answer.count { $0 == "\n" }
            pair.client(.transmit(Self.link, .text("STARTTLS"))) { pair.client.inputs.count == heard }
            pair.client(.encrypt(Self.link, hasMore: heard > 2), .transmit(Self.link, .text("PASS secret"))) {
                pair.client.inputs.count == heard + 1
            }
            pair.then {
                guard case .closed(_, let closure)? = pair.client.inputs.last else {
                    Issue.record("\(pair.client.inputs)")
                    return
                }
                #expect(closure.code == 1006 && closure.reason.contains("in the open behind the message"))
                listener.close()
            }
        }
    }

    @Test(
        "what a server still sends in the open once TLS has begun is none of it", arguments: [Medium.memory, .sockets])
    func late(transport: Medium) throws {
        try DriverPair.play(transport, Self.configuration) { pair in
            let (listener, near) = try Self.front(of: pair, answering: "GO\n")
            pair.client(Self.open(listener.endpoint)) { pair.client.inputs.count == 1 }
            pair.client(.transmit(Self.link, .text("STARTTLS"))) { pair.client.inputs.count == 2 }
            pair.client(.encrypt(Self.link, hasMore: false))
            pair.then({ near.stream?.write(Self.bytes("you are admin\n")) }, until: { pair.client.inputs.count == 3 })
            pair.then {
                guard case .closed(_, let closure)? = pair.client.inputs.last else {
                    Issue.record("\(pair.client.inputs)")
                    return
                }
                #expect(closure.code == 1006)
                listener.close()
            }
        }
    }

    @Test("a server that agrees and does nothing more is left after the time for opening")
    func silence() throws {
        try DriverPair.play(.memory, Self.configuration) { pair in
            let (listener, _) = try Self.front(of: pair, answering: "GO\n")
            pair.client(Self.open(listener.endpoint)) { pair.client.inputs.count == 1 }
            pair.client(.transmit(Self.link, .text("STARTTLS"))) { pair.client.inputs.count == 2 }
            pair.client(.encrypt(Self.link, hasMore: false)) { pair.client.inputs.count == 3 }
            pair.then {
                guard case .closed(_, let closure)? = pair.client.inputs.last else {
                    Issue.record("\(pair.client.inputs)")
                    return
                }
                #expect(closure.code == 1006 && closure.reason.contains("not encrypted within"))
                listener.close()
            }
        }
    }

    @Test("what a client sends behind its wish ends the link, and the server does not hear it")
    func injectionOfClient() throws {
        try DriverPair.play(.memory, Self.configuration) { pair in
            pair.server.react = { input in
                if case .received(let id, .text("STARTTLS")) = input {
                    [.transmit(id, .text("GO")), .encrypt(id, hasMore: false)]
                } else {
                    []
                }
            }
            let raw = Peer()
            raw.stream = pair.clientNetwork.connect(to: pair.serverDriver.endpoint, security: .plain, delegate: raw)
            pair.then(
                { raw.stream?.write(Self.bytes("STARTTLS\nMAIL\n")) }, until: { pair.server.inputs.count == 3 })
            pair.then {
                guard case .closed(let id, let closure)? = pair.server.inputs.last else {
                    Issue.record("\(pair.server.inputs)")
                    return
                }
                #expect(closure.code == 1006 && closure.reason.contains("in the open behind the message"))
                #expect(pair.server.inputs.dropLast() == [.linkOpened(id), .received(id, .text("STARTTLS"))])
            }
        }
    }
}
