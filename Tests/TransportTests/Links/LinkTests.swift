import HTTPTypes
import Machines
import Testing
import Transport

@Suite("Links over TCP between a client and a server port")
struct LinkTests {
    private static let link = ConnectionID(1)

    private static func configuration(besideHTTP: Bool) -> StageConfiguration {
        var configuration = StageConfiguration()
        configuration.server.links = ServerLinks(.lines(.lineFeed), besideHTTP: besideHTTP)
        return configuration
    }

    private static func open(_ stage: Stage, _ framing: LinkFraming = .lines(.lineFeed)) -> ClientEffect {
        .openLink(
            Self.link,
            LinkRequest(
                authority: "\(stage.serverPort.endpoint)", isSecure: stage.isEncrypted, framing: framing))
    }

    @Test("messages go both ways, and either side's end is heard by the other", arguments: Carrier.allCases)
    func conversation(carrier: Carrier) throws {
        try Stage.play(carrier, Self.configuration(besideHTTP: false)) { stage in
            stage.server.react = { input in
                switch input {
                // The server speaks first.
                case .linkOpened(let id): [.transmit(id, .text("welcome"))]
                case .received(let id, .text(let text)): [.transmit(id, .text("you said \(text)"))]
                default: []
                }
            }
            stage.client(Self.open(stage)) { stage.client.inputs.count == 2 }
            stage.client(.transmit(Self.link, .text("hello"))) { stage.client.inputs.count == 3 }
            stage.client(.close(Self.link, code: nil, reason: "")) { stage.client.inputs.count == 4 }
            stage.then({}, until: { stage.server.inputs.count == 3 })
            stage.then {
                #expect(
                    stage.client.inputs == [
                        .opened(Self.link, subprotocol: nil), .received(Self.link, .text("welcome")),
                        .received(Self.link, .text("you said hello")),
                        .closed(Self.link, WebSocketClosure(code: 1000, reason: "")),
                    ])
                guard case .closed(_, let closure)? = stage.server.inputs.last else {
                    Issue.record("the server heard \(stage.server.inputs)")
                    return
                }
                #expect(closure == WebSocketClosure(code: 1000, reason: ""))
            }
        }
    }

    @Test("the first bytes tell a link from a request", arguments: [Carrier.memory, .memoryInSmallPieces, .sockets])
    func sorting(carrier: Carrier) throws {
        try Stage.play(carrier, Self.configuration(besideHTTP: true)) { stage in
            stage.server.react = { input in
                switch input {
                case .requested(let id, _): [.respond(id, Response(text: "ok", status: .ok))]
                case .received(let id, .text(let text)): [.transmit(id, .text("heard \(text)"))]
                default: []
                }
            }
            let head = HTTPRequest(
                method: .get, scheme: stage.isEncrypted ? "https" : "http", authority: "\(stage.serverPort.endpoint)",
                path: "/")
            stage.client(.send(ExchangeID(1), Request(head))) { stage.client.inputs.count == 1 }
            // It begins like the method of a request and is none.
            stage.client(Self.open(stage)) { stage.client.inputs.count == 2 }
            stage.client(.transmit(Self.link, .text("GETTING on"))) { stage.client.inputs.count == 3 }
            stage.then {
                guard case .responded(_, let response) = stage.client.inputs[0] else {
                    Issue.record("the request came to \(stage.client.inputs[0])")
                    return
                }
                #expect(response.body == Array("ok".utf8))
                #expect(stage.client.inputs[2] == .received(Self.link, .text("heard GETTING on")))
            }
        }
    }

    @Test("a connection that never says what it is, is dropped after the time for a request")
    func silence() throws {
        try Stage.play(.memory, Self.configuration(besideHTTP: true)) { stage in
            stage.client(Self.open(stage)) { stage.client.inputs.count == 2 }
            stage.then {
                #expect(stage.scheduler.now == .start + .seconds(60))
                #expect(stage.server.inputs == [])
                #expect(stage.serverPort.connectionCount == 0)
            }
        }
    }

    @Test("an end in the middle of a message is no end in order", arguments: Carrier.inMemory)
    func cutOff(carrier: Carrier) throws {
        try Stage.play(carrier, Self.configuration(besideHTTP: false)) { stage in
            stage.server.react = { input in
                if case .linkOpened(let id) = input {
                    [.transmitBytes(id, Array("half".utf8)), .close(id, code: nil, reason: "")]
                } else {
                    []
                }
            }
            stage.client(Self.open(stage)) { stage.client.inputs.count == 2 }
            stage.then {
                #expect(
                    stage.client.inputs.last
                        == .closed(
                            Self.link,
                            WebSocketClosure(
                                code: 1006, reason: "the server ended the link in the middle of a message")))
            }
        }
    }

    @Test("a dropped link is heard by the other side as lost", arguments: Carrier.inMemory)
    func dropped(carrier: Carrier) throws {
        try Stage.play(carrier, Self.configuration(besideHTTP: false)) { stage in
            stage.client(Self.open(stage)) { stage.server.inputs.count == 1 && stage.client.inputs.count == 1 }
            stage.client(.abort(Self.link)) { stage.server.inputs.count == 2 }
            stage.then {
                guard case .closed(_, let closure)? = stage.server.inputs.last else {
                    Issue.record("the server heard \(stage.server.inputs)")
                    return
                }
                #expect(closure.code == 1006)
                #expect(stage.client.inputs.count == 1)
            }
        }
    }

    @Test("a place without a port, and one where nobody listens, fail to open")
    func unreachable() throws {
        try Stage.play(.memory) { stage in
            stage.client(
                .openLink(
                    ConnectionID(1), LinkRequest(authority: "desk.test", isSecure: false, framing: .bytes)),
                .openLink(
                    ConnectionID(2), LinkRequest(authority: "desk.test:1", isSecure: true, framing: .bytes))
            ) { stage.client.inputs.count == 2 }
            stage.then {
                for input in stage.client.inputs {
                    guard case .openFailed(_, let failure) = input else {
                        Issue.record("it came to \(input)")
                        continue
                    }
                    #expect(failure.code == .cannotConnect)
                }
                #expect(stage.clientPort.isQuiet)
            }
        }
    }

    @Test("a server that does not end its direction is left after the time for closing")
    func noEnd() throws {
        try Stage.play(.memory, Self.configuration(besideHTTP: false)) { stage in
            let deaf = Peer()
            let listener = try stage.clientNetwork.listen(deaf)
            stage.client(
                .openLink(
                    Self.link, LinkRequest(authority: "\(listener.endpoint)", isSecure: false, framing: .bytes))
            ) { stage.client.inputs.count == 1 }
            stage.client(.close(Self.link, code: nil, reason: "")) { stage.client.inputs.count == 2 }
            stage.then {
                guard case .closed(_, let closure)? = stage.client.inputs.last else { return }
                #expect(closure.code == 1006)
                #expect(closure.reason.contains("within 5s"))
                listener.close()
            }
        }
    }
}
