import HTTPTypes
import Machines
import Testing
import Transport

@Suite("Links over TCP between a client and a server driver")
struct LinkTests {
    private static let link = ConnectionID(1)

    private static func configuration(besideHTTP: Bool) -> DriverPairConfiguration {
        var configuration = DriverPairConfiguration()
        configuration.server.links = ServerLinks(.lines(.lineFeed), besideHTTP: besideHTTP)
        return configuration
    }

    private static func open(_ pair: DriverPair, _ framing: LinkFraming = .lines(.lineFeed)) -> ClientEffect {
        .openLink(
            Self.link,
            LinkRequest(
                authority: "\(pair.serverDriver.endpoint)", isSecure: pair.isEncrypted, framing: framing))
    }

    @Test("messages go both ways, and either side's end is heard by the other", arguments: Medium.allCases)
    func conversation(transport: Medium) throws {
        try DriverPair.play(transport, Self.configuration(besideHTTP: false)) { pair in
            pair.server.react = { input in
                switch input {
                // The server speaks first.
                case .linkOpened(let id): [.transmit(id, .text("welcome"))]
                case .received(let id, .text(let text)): [.transmit(id, .text("you said \(text)"))]
                default: []
                }
            }
            pair.client(Self.open(pair)) { pair.client.inputs.count == 2 }
            pair.client(.transmit(Self.link, .text("hello"))) { pair.client.inputs.count == 3 }
            pair.client(.close(Self.link, code: nil, reason: "")) { pair.client.inputs.count == 4 }
            pair.then({}, until: { pair.server.inputs.count == 3 })
            pair.then {
                #expect(
                    pair.client.inputs == [
                        .opened(Self.link, subprotocol: nil), .received(Self.link, .text("welcome")),
                        .received(Self.link, .text("you said hello")),
                        .closed(Self.link, WebSocketClosure(code: 1000, reason: "")),
                    ])
                guard case .closed(_, let closure)? = pair.server.inputs.last else {
                    Issue.record("the server heard \(pair.server.inputs)")
                    return
                }
                #expect(closure == WebSocketClosure(code: 1000, reason: ""))
            }
        }
    }

    @Test(
        "the first bytes tell a link from a request",
        arguments: [Medium.memory, .memoryInSmallPieces, .sockets])
    func sorting(transport: Medium) throws {
        try DriverPair.play(transport, Self.configuration(besideHTTP: true)) { pair in
            pair.server.react = { input in
                switch input {
                case .requested(let id, _): [.respond(id, Response(text: "ok", status: .ok))]
                case .received(let id, .text(let text)): [.transmit(id, .text("heard \(text)"))]
                default: []
                }
            }
            let head = HTTPRequest(
                method: .get, scheme: pair.isEncrypted ? "https" : "http", authority: "\(pair.serverDriver.endpoint)",
                path: "/")
            pair.client(.send(ExchangeID(1), Request(head))) { pair.client.inputs.count == 1 }
            // It begins like the method of a request and is none.
            pair.client(Self.open(pair)) { pair.client.inputs.count == 2 }
            pair.client(.transmit(Self.link, .text("GETTING on"))) { pair.client.inputs.count == 3 }
            pair.then {
                guard case .responded(_, let response) = pair.client.inputs[0] else {
                    Issue.record("the request came to \(pair.client.inputs[0])")
                    return
                }
                #expect(response.body == Array("ok".utf8))
                #expect(pair.client.inputs[2] == .received(Self.link, .text("heard GETTING on")))
            }
        }
    }

    @Test("a connection that never says what it is, is dropped after the time for a request")
    func silence() throws {
        try DriverPair.play(.memory, Self.configuration(besideHTTP: true)) { pair in
            pair.client(Self.open(pair)) { pair.client.inputs.count == 2 }
            pair.then {
                #expect(pair.scheduler.now == .start + .seconds(60))
                #expect(pair.server.inputs == [])
                #expect(pair.serverDriver.connectionCount == 0)
            }
        }
    }

    @Test("an end in the middle of a message is no end in order, and told beside", arguments: Medium.inMemory)
    func cutOff(transport: Medium) throws {
        try DriverPair.play(transport, Self.configuration(besideHTTP: false)) { pair in
            var violations: [ServerViolation] = []
            pair.clientDriver.onReport { if case .violated(let violation) = $0 { violations.append(violation) } }
            pair.server.react = { input in
                if case .linkOpened(let id) = input {
                    [.transmitBytes(id, Array("half".utf8)), .close(id, code: nil, reason: "")]
                } else {
                    []
                }
            }
            pair.client(Self.open(pair)) { pair.client.inputs.count == 2 }
            pair.then {
                let what = "ended the link in the middle of a message, after 4 bytes of a line that has no end"
                let closure = WebSocketClosure(code: 1006, reason: "the server \(what)")
                #expect(pair.client.inputs.last == .closed(Self.link, closure))
                #expect(violations.map(\.reason) == [closure.reason])
                #expect(violations.first?.message.hasSuffix(" \(what)") == true)
            }
        }
    }

    @Test("a dropped link is heard by the other side as lost", arguments: Medium.inMemory)
    func dropped(transport: Medium) throws {
        try DriverPair.play(transport, Self.configuration(besideHTTP: false)) { pair in
            pair.client(Self.open(pair)) { pair.server.inputs.count == 1 && pair.client.inputs.count == 1 }
            pair.client(.abort(Self.link)) { pair.server.inputs.count == 2 }
            pair.then {
                guard case .closed(_, let closure)? = pair.server.inputs.last else {
                    Issue.record("the server heard \(pair.server.inputs)")
                    return
                }
                #expect(closure.code == 1006)
                #expect(pair.client.inputs.count == 1)
            }
        }
    }

    @Test("a place without a port or at port 0, and one where nobody listens, fail to open")
    func unreachable() throws {
        try DriverPair.play(.memory) { pair in
            pair.client(
                .openLink(
                    ConnectionID(1), LinkRequest(authority: "desk.test", isSecure: false, framing: .bytes)),
                .openLink(
                    ConnectionID(2), LinkRequest(authority: "desk.test:0", isSecure: false, framing: .bytes)),
                .openLink(
                    ConnectionID(3), LinkRequest(authority: "desk.test:1", isSecure: true, framing: .bytes))
            ) { pair.client.inputs.count == 3 }
            pair.then {
                var placeless = 0
                for input in pair.client.inputs {
                    guard case .openFailed(_, let failure) = input else {
                        Issue.record("it came to \(input)")
                        continue
                    }
                    #expect(failure.code == .cannotConnect)
                    if failure.message.hasSuffix("it must be a host and a port, host:port") { placeless += 1 }
                }
                #expect(placeless == 2)
                #expect(pair.clientDriver.isQuiet)
            }
        }
    }

    @Test("a server that does not end its direction is left after the time for closing")
    func noEnd() throws {
        try DriverPair.play(.memory, Self.configuration(besideHTTP: false)) { pair in
            let deaf = Peer()
            let listener = try pair.clientNetwork.listen(deaf)
            pair.client(
                .openLink(
                    Self.link, LinkRequest(authority: "\(listener.endpoint)", isSecure: false, framing: .bytes))
            ) { pair.client.inputs.count == 1 }
            pair.client(.close(Self.link, code: nil, reason: "")) { pair.client.inputs.count == 2 }
            pair.then {
                guard case .closed(_, let closure)? = pair.client.inputs.last else {
                    Issue.record("\(pair.client.inputs)")
                    return
                }
                #expect(closure.code == 1006)
                #expect(closure.reason.contains("within 5s"))
                listener.close()
            }
        }
    }
}
