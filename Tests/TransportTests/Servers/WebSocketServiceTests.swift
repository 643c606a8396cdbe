import HTTPTypes
import Machines
import Testing
import Transport

@Suite("A WebSocket service on a real port", .timeLimit(.minutes(2)))
struct WebSocketServiceTests {
    private static let greeting = ClientBytes.handshake() + ClientBytes.text("hi")

    @Test("Who asks is accepted or refused, at once or later, and messages are any bytes both ways")
    func answers() throws {
        try WebSocketServicePlay.play { play in
            let (prompt, refused, patient) = (RawClient(), RawClient(), RawClient())
            play.onUpgradeRequest = { id, request in
                switch request.head.path {
                case "/now": play.service.accept(id, subprotocol: "chat")
                case "/no": play.service.refuse(id, with: Response(text: "not here", status: .forbidden))
                default: break
                }
            }
            play.onMessage = { id, message in
                guard case .binary(let bytes) = message else { return play.service.transmit(message, on: id) }
                play.service.transmit(.binary(bytes.reversed()), on: id)
            }
            play.then({
                play.connect(prompt, sending: ClientBytes.handshake("/now") + ClientBytes.frame(2, [0xFF, 0x00, 0x0D]))
                play.connect(refused, sending: ClientBytes.handshake("/no"))
                play.connect(patient, sending: ClientBytes.handshake("/later") + ClientBytes.text("ahead"))
            }) {
                prompt.received.suffix(5) == [0x82, 3, 0x0D, 0x00, 0xFF] && refused.text.hasSuffix("not here")
                    && play.asked.count == 3
            }
            play.then {
                #expect(prompt.text.hasPrefix("HTTP/1.1 101 "))
                #expect(prompt.text.lowercased().contains("sec-websocket-protocol: chat\r\n"))
                #expect(refused.text.hasPrefix("HTTP/1.1 403 "))
                #expect(patient.received.isEmpty && play.messages.count == 1)
            }
            play.then({
                for (id, request) in play.asked where request.head.path == "/later" {
                    // It is not open yet.
                    play.service.transmit(.text("early"), on: id)
                    play.service.accept(id)
                    // It has its answer.
                    play.service.accept(id)
                }
            }) { patient.text.hasSuffix("ahead") }
            play.then {
                #expect(patient.text.hasPrefix("HTTP/1.1 101 ") && !patient.text.contains("early"))
                #expect(patient.text.split(separator: "HTTP/1.1").count == 1)
                #expect(play.closures.isEmpty)
            }
        }
    }

    @Test("What one call brings about is told after it, never within")
    func order() throws {
        try WebSocketServicePlay.play { play in
            let (waiting, releasing) = (RawClient(), RawClient())
            var told: [String] = []
            play.onUpgradeRequest = { _, request in
                let path = request.head.path ?? ""
                told.append(path)
                if path == "/release", let first = play.asked.first {
                    play.service.accept(first.id)
                    told.append("accepted")
                }
            }
            play.onMessage = { _, message in told.append("\(message)") }
            play.then({ play.connect(waiting, sending: ClientBytes.handshake("/wait") + ClientBytes.text("ahead")) }) {
                told == ["/wait"]
            }
            play.then({ play.connect(releasing, sending: ClientBytes.handshake("/release")) }) { told.count == 4 }
            play.then { #expect(told == ["/wait", "/release", "accepted", "\(WebSocketMessage.text("ahead"))"]) }
        }
    }

    @Test(
        "Who asks for something else, asks wrongly or stalls is answered and told to nobody",
        arguments: [
            ("GET / HTTP/1.1\nHost: a\n\n", 426, "only WebSockets"),
            ("POST / HTTP/1.1\nHost: a\nUpgrade: websocket\nConnection: Upgrade\n\n", 400, "is a GET"),
            (
                "GET / HTTP/1.1\nHost: a\nUpgrade: websocket\nConnection: Upgrade\nSec-WebSocket-Version: 8\n\n", 426,
                "version 13"
            ),
            (
                "GET / HTTP/1.1\nHost: a\nUpgrade: websocket\nConnection: Upgrade\nSec-WebSocket-Version: 13\n"
                    + "Sec-WebSocket-Key: short\n\n", 400, "Sec-WebSocket-Key"
            ),
            ("GET / HTTP/1.1\nHost: a\nUpgrade: websocket\nConnec", 408, "not complete"),
            ("\u{82}\u{5}hello\n\n", 400, ""),
        ])
    func others(request: String, status: Int, text: String) throws {
        try WebSocketServicePlay.play(ServerDriverConfiguration(requestTimeout: .seconds(1))) { play in
            play.echoAll()
            let client = RawClient()
            play.then({ play.connect(client, sending: request.wire) }) {
                client.isOver && play.service.connectionCount == 0
            }
            play.then {
                #expect(client.text.hasPrefix("HTTP/1.1 \(status) ") && client.text.contains(text), "\(client.text)")
                #expect(play.asked.isEmpty && play.closures.isEmpty)
            }
        }
    }

    @Test(
        "Who breaks the protocol gets a close frame that says so and is told of as closed; others are served on",
        arguments: [
            ([0x81, 2, 0x68, 0x69], 1002), (ClientBytes.frame(3, []), 1002),
            (ClientBytes.frame(1, [0xC3, 0x28]), 1007),
            (ClientBytes.text("elevenbytes"), 1009), ([0x82, 0xFF, 0x7F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 1009),
        ] as [([UInt8], UInt16)])
    func violations(bytes: [UInt8], code: UInt16) throws {
        try WebSocketServicePlay.play(ServerDriverConfiguration(messageLimit: 10)) { play in
            play.echoAll()
            let (breaking, other) = (RawClient(), RawClient())
            play.then({ play.connect(breaking, sending: Self.greeting + bytes + ClientBytes.text("more")) }) {
                breaking.isOver && play.service.connectionCount == 0
            }
            play.then({ play.connect(other, sending: ClientBytes.handshake() + ClientBytes.text("tenletters")) }) {
                other.text.hasSuffix("tenletters")
            }
            play.then {
                let end = breaking.received.drop { $0 != 0x88 }
                #expect(end.dropFirst(2).prefix(2) == [UInt8(code >> 8), UInt8(code & 0xFF)])
                #expect(play.codes == [1006])
                #expect(play.closures.first?.closure.reason.hasPrefix("the client broke the protocol: ") == true)
                #expect(play.texts == [.text("hi"), .text("tenletters")])
            }
        }
    }

    @Test("A client that leaves is told of once, however it leaves and whether or not it was let in")
    func leaves() throws {
        try WebSocketServicePlay.play { play in
            let (closing, ending, dropping, unanswered) = (RawClient(), RawClient(), RawClient(), RawClient())
            let all = [closing, ending, dropping]
            play.echoAll()
            play.then({ for client in all { play.connect(client, sending: Self.greeting) } }) {
                all.allSatisfy { $0.text.hasSuffix("hi") }
            }
            play.then({ closing.stream?.write(ClientBytes.close(3001)) }) { play.codes == [3001] && closing.isOver }
            play.then({ ending.stream?.finish() }) { play.codes == [3001, 1006] && ending.isOver }
            play.then({ dropping.stream?.abort() }) { play.codes == [3001, 1006, 1006] }
            play.then({
                play.onUpgradeRequest = { _, _ in }
                play.connect(unanswered, sending: ClientBytes.handshake())
            }) { play.asked.count == 4 }
            play.then({ unanswered.stream?.close() }) { play.closures.count == 4 && play.service.connectionCount == 0 }
            play.then({
                for (id, _) in play.asked {
                    play.service.accept(id)
                    play.service.transmit(.text("late"), on: id)
                    play.service.close(id)
                    play.service.abort(id)
                }
                play.echoAll()
                play.connect(closing, sending: Self.greeting)
            }) { closing.text.hasSuffix("hi") && play.messages.count == 4 }
            play.then {
                #expect(Set(play.closures.map(\.id)).count == 4 && play.codes.last == 1006)
                #expect(unanswered.received.isEmpty)
            }
        }
    }

    @Test("A client that is asked to close is heard until it does, or is dropped when it does not in time")
    func closing() throws {
        try WebSocketServicePlay.play(ServerDriverConfiguration(closeTimeout: .milliseconds(500))) { play in
            let (polite, stubborn) = (RawClient(), RawClient())
            play.echoAll()
            play.then({ play.connect(polite, sending: Self.greeting) }) { polite.text.hasSuffix("hi") }
            play.then({ play.service.close(play.asked[0].id, code: 4000, reason: "enough") }) {
                polite.text.hasSuffix("enough")
            }
            play.then({ polite.stream?.write(ClientBytes.text("still") + ClientBytes.close(4001)) }) {
                play.closures.count == 1 && polite.isOver
            }
            play.then {
                #expect(polite.received.suffix(10) == [0x88, 8, 0x0F, 0xA0] + Array("enough".utf8))
                #expect(play.texts == [.text("hi"), .text("still")] && play.codes == [4001])
            }
            play.then({ play.connect(stubborn, sending: Self.greeting) }) { stubborn.text.hasSuffix("hi") }
            play.then({ play.service.close(play.asked[1].id) }) {
                play.closures.count == 2 && stubborn.isOver && play.service.connectionCount == 0
            }
            play.then {
                #expect(play.codes == [4001, 1006])
                #expect(play.closures.last?.closure.reason.contains("not answered within") == true)
            }
        }
    }

    @Test("A client that never reads is dropped by how much waits for it; others are served meanwhile")
    func deafClient() throws {
        // Longer than what the system takes in for a client that does not read.
        let answer = WebSocketMessage.binary([UInt8](repeating: 0x61, count: 32 << 20))
        try WebSocketServicePlay.play(sockets: SocketNetworkConfiguration(writeLimit: 1 << 20)) { play in
            let other = RawClient()
            play.echoAll()
            play.onMessage = { id, message in
                play.service.transmit(message == .text("all of it") ? answer : message, on: id)
            }
            play.then({ play.connectDeafClient(sending: ClientBytes.handshake() + ClientBytes.text("all of it")) }) {
                play.messages.count == 1
            }
            play.then({ play.connect(other, sending: Self.greeting) }) {
                other.text.hasSuffix("hi") && play.closures.count == 1 && play.service.connectionCount == 1
            }
            play.then {
                #expect(play.closures.first?.id == play.asked.first?.id)
                #expect(play.closures.first?.closure.reason.contains("does not read") == true)
            }
        }
    }

    @Test("A connection more than the limit is answered with 503; one that is dropped makes room and is not told of")
    func aborting() throws {
        try WebSocketServicePlay.play(ServerDriverConfiguration(connections: 1)) { play in
            let (first, second, third) = (RawClient(), RawClient(), RawClient())
            play.echoAll()
            play.then({ play.connect(first, sending: Self.greeting) }) { first.text.hasSuffix("hi") }
            play.then({ play.connect(second, sending: Self.greeting) }) { second.isOver }
            play.then({ play.service.abort(play.asked[0].id) }) { first.isOver && play.service.connectionCount == 0 }
            play.then({ play.connect(third, sending: Self.greeting) }) { third.text.hasSuffix("hi") }
            play.then {
                #expect(second.text.hasPrefix("HTTP/1.1 503 "))
                #expect(play.asked.count == 2 && play.closures.isEmpty)
            }
        }
    }

    @Test("One that is dropped is told of no more, nor is what it has sent ahead")
    func abortingAhead() throws {
        try WebSocketServicePlay.play { play in
            let (waiting, releasing) = (RawClient(), RawClient())
            play.onUpgradeRequest = { id, request in
                guard request.head.path == "/release", let first = play.asked.first else { return }
                play.service.accept(first.id)
                play.service.abort(first.id)
                play.service.accept(id)
            }
            play.then({ play.connect(waiting, sending: ClientBytes.handshake("/wait") + ClientBytes.text("ahead")) }) {
                play.asked.count == 1
            }
            play.then({
                play.connect(releasing, sending: ClientBytes.handshake("/release") + ClientBytes.text("open"))
            }) { !play.messages.isEmpty }
            play.then { #expect(play.texts == [.text("open")] && play.closures.isEmpty) }
        }
    }

    @Test("A service that is closed drops its clients and tells of nothing more")
    func closes() throws {
        try WebSocketServicePlay.play { play in
            let (open, last, late) = (RawClient(), RawClient(), RawClient())
            play.echoAll()
            play.then({ play.connect(open, sending: Self.greeting) }) { open.text.hasSuffix("hi") }
            play.then({
                play.onMessage = { _, _ in play.service.close() }
                play.connect(last, sending: Self.greeting + ClientBytes.text("more"))
            }) { open.isOver && last.isOver }
            play.then({ play.connect(late, sending: Self.greeting) }) { late.isOver }
            play.then {
                #expect(late.received.isEmpty)
                #expect(play.texts == [.text("hi"), .text("hi")] && play.closures.isEmpty && play.asked.count == 2)
                #expect(play.service.connectionCount == 0)
            }
        }
    }
}
