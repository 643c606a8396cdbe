import HTTPTypes
import Machines
import Testing
import Transport

@Suite("HTTP exchanges between a client driver and a server driver", .serialized)
struct ExchangeTests {
    @Test("A request arrives whole and so does its answer", arguments: Medium.allCases)
    func exchange(transport: Medium) throws {
        try DriverPair.play(transport) { pair in
            pair.server.react = { input in
                guard case .requested(let id, let request) = input else { return [] }
                return [
                    .respond(id, Response(text: "echo " + String(decoding: request.body, as: UTF8.self), status: .ok))
                ]
            }
            let request = Request(pair.head(.post, "/say?x=1"), body: Array("hello".utf8))
            pair.client(.send(ExchangeID(1), request)) { pair.client.inputs.count == 1 }
            pair.then {
                guard case .responded(ExchangeID(1), let response)? = pair.client.inputs.first,
                    case .requested(_, let received)? = pair.server.inputs.first
                else {
                    Issue.record("\(pair.client.inputs) \(pair.server.inputs)")
                    return
                }
                #expect(String(decoding: response.body, as: UTF8.self) == "echo hello")
                #expect(received.head.method == .post)
                #expect(received.head.path == "/say?x=1")
                #expect(received.head.authority == "\(pair.serverDriver.endpoint)")
                #expect(pair.clientDriver.isQuiet && pair.serverDriver.isQuiet)
            }
        }
    }

    @Test("An answer that nobody asked for is not taken for that of the next request")
    func unaskedAnswer() throws {
        try DriverPair.play(.memory) { pair in
            let listener = try pair.clientNetwork.listen(on: .loopback, identity: nil)
            var connections = 0
            listener.onAccept = { stream in
                connections += 1
                let number = connections
                let peer = Peer()
                peer.stream = stream
                var isFirst = true
                peer.onBytes = { stream in
                    guard isFirst else { return }
                    isFirst = false
                    let asked = "HTTP/1.1 200 OK\nContent-Length: 1\n\n\(number)"
                    stream.write((asked + "HTTP/1.1 200 OK\nContent-Length: 6\n\nforged").wire)
                }
                peer.onEnd = { $0.close() }
                return peer
            }
            let head = HTTPRequest(method: .get, scheme: "http", authority: "\(listener.endpoint)", path: "/")
            // The second request goes out as soon as the first has its answer, when the forged one is there already.
            pair.client.react = { input in
                if case .responded(ExchangeID(1), _) = input { [.send(ExchangeID(2), Request(head))] } else { [] }
            }
            pair.client(.send(ExchangeID(1), Request(head))) { pair.client.inputs.count == 2 }
            pair.then {
                let bodies = pair.client.inputs.map { input in
                    if case .responded(_, let response) = input {
                        String(decoding: response.body, as: UTF8.self)
                    } else {
                        ""
                    }
                }
                #expect(bodies == ["1", "2"])
            }
        }
    }

    @Test("A host that is not allowed is not connected to, neither for a request nor for a WebSocket")
    func hosts() throws {
        var configuration = DriverPairConfiguration()
        configuration.client.hosts = AllowedHosts(origin: "http://bot.test", friends: ["friend.test"])
        try DriverPair.play(.memory, configuration) { pair in
            func head(_ scheme: String, _ authority: String) -> HTTPRequest {
                HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/")
            }
            pair.client(
                .send(ExchangeID(1), Request(head("http", "elsewhere.test"))),
                .open(ConnectionID(1), head("ws", "elsewhere.test:80"), subprotocols: []),
                .send(ExchangeID(2), Request(head("http", "friend.test"))), .send(ExchangeID(3), Request(pair.head()))
            ) { pair.client.inputs.count == 3 && pair.server.inputs.count == 1 }
            pair.then {
                let codes = pair.client.inputs.compactMap { input in
                    switch input {
                    case .exchangeFailed(_, let failure), .openFailed(_, let failure): failure
                    default: nil
                    }
                }
                // Nobody listens at the friend's, which is why that attempt fails; it was made.
                #expect(codes.map(\.code) == [.hostRefused, .hostRefused, .cannotConnect])
                #expect(codes[0].message.contains("settings = { hosts = { \"elsewhere.test\" } }"))
            }
        }
    }

    @Test(
        "Exchanges one after another use one connection, exchanges at once use several",
        arguments: Medium.allCases)
    func keptConnections(transport: Medium) throws {
        try DriverPair.play(transport) { pair in
            pair.server.react = { input in
                guard case .requested(let id, let request) = input, request.head.path != "/wait" else { return [] }
                return [.respond(id, Response(text: "a", status: .ok))]
            }
            for number in 1...3 as ClosedRange<UInt64> {
                pair.client(.send(ExchangeID(number), Request(pair.head()))) {
                    pair.client.inputs.count == Int(number)
                }
            }
            pair.then { #expect(pair.serverDriver.connectionCount == 1) }
            pair.client(
                .send(ExchangeID(4), Request(pair.head(.get, "/wait"))), .send(ExchangeID(5), Request(pair.head()))
            ) { pair.client.inputs.count == 4 && pair.server.inputs.count == 5 }
            pair.then {
                #expect(pair.serverDriver.connectionCount == 2)
                #expect(!pair.clientDriver.isQuiet && !pair.serverDriver.isQuiet)
            }
            pair.client(.cancel(ExchangeID(4))) { pair.server.inputs.count == 6 }
            pair.then {
                guard case .requestAbandoned? = pair.server.inputs.last else {
                    Issue.record("the server did not hear that the request was abandoned")
                    return
                }
                #expect(pair.client.inputs.count == 4)
                #expect(pair.clientDriver.isQuiet && pair.serverDriver.isQuiet)
            }
        }
    }

    @Test("A streamed answer arrives in pieces, in order", arguments: Medium.allCases)
    func streaming(transport: Medium) throws {
        try DriverPair.play(transport) { pair in
            var exchange: ExchangeID?
            pair.server.react = { input in
                if case .requested(let id, _) = input { exchange = id }
                guard let exchange else { return [] }
                return [
                    .begin(exchange, HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"])),
                    .write(exchange, Array("data: 1\n\n".utf8)),
                ]
            }
            func body() -> [UInt8] {
                pair.client.inputs.flatMap { input in
                    if case .bodyReceived(_, let bytes) = input { bytes } else { [] as [UInt8] }
                }
            }
            pair.client(.stream(ExchangeID(1), Request(pair.head()))) { body().count == 9 }
            pair.then({
                pair.server.onCommand = exchange.map { [.write($0, Array("data: 2\n\n".utf8)), .end($0)] } ?? []
                _ = pair.serverDriver.perform(Command("go"), by: nil)
            }) { pair.client.inputs.last == .responseEnded(ExchangeID(1)) }
            pair.then {
                #expect(body() == Array("data: 1\n\ndata: 2\n\n".utf8))
                guard case .responseBegan(_, let head)? = pair.client.inputs.first else {
                    Issue.record("the head did not come first")
                    return
                }
                #expect(head.headerFields[.contentType] == "text/event-stream")
                #expect(pair.clientDriver.isQuiet && pair.serverDriver.isQuiet)
            }
        }
    }

    @Test(
        "A streamed answer ends as its head says: in chunks, by its length or with the connection",
        arguments: Medium.allCases, [[:], [.contentLength: "10"], [.connection: "close"]] as [HTTPFields])
    func framing(transport: Medium, fields: HTTPFields) throws {
        try DriverPair.play(transport) { pair in
            pair.server.react = { input in
                guard case .requested(let id, _) = input else { return [] }
                // What is more than the length is left out.
                let rest = Array(fields[.contentLength] == nil ? "fghij".utf8 : "fghij, and more".utf8)
                return [
                    .begin(id, HTTPResponse(status: .ok, headerFields: fields)), .write(id, Array("abcde".utf8)),
                    .write(id, rest), .end(id),
                ]
            }
            for number in 1...2 as ClosedRange<UInt64> {
                pair.client(.stream(ExchangeID(number), Request(pair.head(.post)))) {
                    pair.client.inputs.last == .responseEnded(ExchangeID(number))
                }
            }
            pair.then {
                let body = pair.client.inputs.flatMap { input in
                    if case .bodyReceived(_, let bytes) = input { bytes } else { [] as [UInt8] }
                }
                #expect(body == Array("abcdefghijabcdefghij".utf8))
                #expect(pair.clientDriver.isQuiet && pair.serverDriver.isQuiet)
            }
        }
    }

    @Test("A body that ends before its length fails the exchange", arguments: Medium.allCases)
    func shortBody(transport: Medium) throws {
        try DriverPair.play(transport) { pair in
            pair.server.react = { input in
                guard case .requested(let id, _) = input else { return [] }
                let head = HTTPResponse(status: .ok, headerFields: [.contentLength: "10"])
                return [.begin(id, head), .write(id, Array("abcde".utf8)), .end(id)]
            }
            pair.client(.stream(ExchangeID(1), Request(pair.head(.post)))) {
                pair.client.failureCode == .connectionLost
            }
        }
    }

    @Test("A server that drops the connection fails the exchange", arguments: Medium.allCases)
    func dropped(transport: Medium) throws {
        try DriverPair.play(transport) { pair in
            pair.server.react = { input in
                if case .requested(let id, _) = input { [.drop(id)] } else { [] }
            }
            pair.client(.send(ExchangeID(1), Request(pair.head(.post)))) { pair.client.inputs.count == 1 }
            pair.then { #expect(pair.client.failureCode == .connectionLost) }
        }
    }

    @Test("A connection to where nobody listens fails with what to do", arguments: Medium.allCases)
    func refused(transport: Medium) throws {
        try DriverPair.play(transport) { pair in
            let head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:1", path: "/")
            pair.client(.send(ExchangeID(1), Request(head))) { pair.client.inputs.count == 1 }
            pair.client(.open(ConnectionID(1), head, subprotocols: [])) { pair.client.inputs.count == 2 }
            pair.then {
                guard case .exchangeFailed(_, let failure)? = pair.client.inputs.first else {
                    Issue.record("\(pair.client.inputs)")
                    return
                }
                #expect(failure.code == .cannotConnect)
                #expect(failure.message.contains("nothing listens on 127.0.0.1:1"))
                guard case .openFailed(_, let failure)? = pair.client.inputs.last else {
                    Issue.record("\(pair.client.inputs)")
                    return
                }
                #expect(failure.code == .cannotConnect)
            }
        }
    }

    @Test("A request without a usable URL fails at once and the machine goes on", arguments: ["ftp", nil] as [String?])
    func unusableURL(scheme: String?) throws {
        try DriverPair.play(.memory) { pair in
            let head = HTTPRequest(method: .get, scheme: scheme, authority: "desk.test", path: "/")
            let nowhere = HTTPRequest(method: .get, scheme: "http", authority: "desk.test:99999", path: "/")
            pair.client(.send(ExchangeID(1), Request(head)), .send(ExchangeID(2), Request(nowhere))) {
                pair.client.inputs.count == 2
            }
            pair.then { #expect(pair.client.failureCode == .cannotConnect) }
        }
    }

    @Test("An exchange that is not answered in time fails, in virtual time", arguments: Medium.inMemory)
    func timeLimit(transport: Medium) throws {
        try DriverPair.play(transport) { pair in
            pair.client(.send(ExchangeID(1), Request(pair.head()))) { pair.client.inputs.count == 1 }
            pair.then {
                #expect(pair.client.failureCode == .timedOut)
                #expect(pair.scheduler.now == Instant.start + .seconds(120))
            }
        }
    }

    @Test("A client that does not complete its request is sent away", arguments: Medium.inMemory)
    func slowRequest(transport: Medium) throws {
        try DriverPair.play(transport) { pair in
            let raw = RawClient()
            pair.then({ raw.connect(pair, sending: "GET / HTTP/1.1\nHo".wire) }) {
                raw.isOver && pair.serverDriver.connectionCount == 0
            }
            pair.then { #expect(raw.text.hasPrefix("HTTP/1.1 408 ")) }
            let idle = RawClient()
            pair.then({ idle.connect(pair, sending: []) }) { idle.isOver }
            pair.then {
                #expect(idle.text.isEmpty)
                #expect(pair.server.inputs.isEmpty)
            }
        }
    }

    @Test("A connection that was used is left when it has been idle for a minute, whoever came in between")
    func idleBesideYounger() throws {
        try DriverPair.play(.memory) { pair in
            pair.server.react = { input in
                if case .requested(let id, _) = input { [.respond(id, Response(text: "a", status: .ok))] } else { [] }
            }
            let used = RawClient()
            let younger = RawClient()
            pair.then({
                used.connect(pair, sending: [])
                pair.scheduler.schedule(after: .seconds(5)) {
                    used.stream?.write("GET / HTTP/1.1\nHost: a\n\n".wire)
                }
                pair.scheduler.schedule(after: .seconds(55)) { younger.connect(pair, sending: []) }
            }) { used.isOver }
            pair.then {
                #expect(used.text.hasPrefix("HTTP/1.1 200 ") && !younger.isOver)
                #expect(pair.scheduler.now == Instant.start + .seconds(65))
            }
            pair.then({}) { younger.isOver }
            pair.then { #expect(pair.scheduler.now == Instant.start + .seconds(115)) }
        }
    }

    @Test(
        "A bad request is answered with its status and the connection ended",
        arguments: Medium.allCases.filter { $0 != .encryptedSockets },
        [
            ("GET / HTTP/1.1\nHost : a\n\n", 400), ("GET / HTTP/1.1\nHost: a\nContent-Length: 99999999999\n\n", 413),
            ("GET / HTTP/3.0\nHost: a\n\n", 505),
            ("GET / HTTP/1.1\nHost: a\nUpgrade: websocket\nConnection: upgrade\nConnection: close\n\n", 426),
        ])
    func badRequest(transport: Medium, request: (text: String, status: Int)) throws {
        try DriverPair.play(transport) { pair in
            let raw = RawClient()
            pair.then({ raw.connect(pair, sending: request.text.wire) }) { raw.isOver }
            pair.then {
                #expect(raw.text.hasPrefix("HTTP/1.1 \(request.status) "))
                #expect(pair.server.inputs.isEmpty)
            }
        }
    }

    @Test(
        "Requests sent ahead are answered in order",
        arguments: Medium.allCases.filter { $0 != .encryptedSockets })
    func pipelining(transport: Medium) throws {
        try DriverPair.play(transport) { pair in
            pair.server.react = { input in
                guard case .requested(let id, let request) = input else { return [] }
                let answer = Response(text: request.head.path ?? "", status: .ok)
                guard request.head.path == "/1" else { return [.respond(id, answer)] }
                pair.scheduler.schedule(after: .milliseconds(5)) {
                    pair.server.onCommand = [.respond(id, answer)]
                    _ = pair.serverDriver.perform(Command("go"), by: nil)
                }
                return []
            }
            let raw = RawClient()
            let requests = (1...3).map { "GET /\($0) HTTP/1.1\nHost: a\n\($0 == 3 ? "Connection: close\n" : "")\n" }
            pair.then({ raw.connect(pair, sending: requests.joined().wire) }) { raw.isOver }
            pair.then {
                let places = ["/1", "/2", "/3"].compactMap { raw.text.firstRange(of: $0)?.lowerBound }
                #expect(places.count == 3)
                #expect(places == places.sorted())
            }
        }
    }

    @Test(
        "A client that sends too much ahead is dropped",
        arguments: [Medium.memory, .memoryInSmallPieces, .sockets])
    func aheadLimit(transport: Medium) throws {
        var configuration = DriverPairConfiguration()
        configuration.server.aheadLimit = 100
        try DriverPair.play(transport, configuration) { pair in
            let raw = RawClient()
            let request = "GET / HTTP/1.1\nHost: a\n\n".wire
            pair.then({ raw.connect(pair, sending: request + [UInt8](repeating: 0x61, count: 101)) }) {
                raw.isOver && pair.server.inputs.count == 2
            }
            pair.then {
                guard case .requestAbandoned? = pair.server.inputs.last else {
                    Issue.record("\(pair.server.inputs)")
                    return
                }
                #expect(pair.serverDriver.connectionCount == 0)
            }
        }
    }

    @Test("Kept connections are bounded in number and in age", arguments: Medium.inMemory)
    func keptConnectionLimits(transport: Medium) throws {
        var configuration = DriverPairConfiguration()
        configuration.client.bounds.idleConnections = 2
        configuration.client.bounds.idleTimeout = .seconds(10)
        try DriverPair.play(transport, configuration) { pair in
            pair.server.react = { input in
                if case .requested(let id, _) = input { [.respond(id, Response(text: "a", status: .ok))] } else { [] }
            }
            let requests = (1...5 as ClosedRange<UInt64>).map {
                ClientEffect.send(ExchangeID($0), Request(pair.head()))
            }
            pair.then({
                pair.client.onCommand = requests
                _ = pair.clientDriver.perform(Command("go"))
            }) { pair.client.inputs.count == 5 && pair.serverDriver.connectionCount == 2 }
            pair.client(.setTimer("later", .seconds(11))) { pair.client.inputs.count == 6 }
            pair.client(.send(ExchangeID(6), Request(pair.head()))) {
                pair.client.inputs.count == 7 && pair.serverDriver.connectionCount == 1
            }
        }
    }

    @Test("More connections than the limit are answered with 503", arguments: [Medium.memory, .sockets])
    func connectionLimit(transport: Medium) throws {
        var configuration = DriverPairConfiguration()
        configuration.server.connections = 1
        try DriverPair.play(transport, configuration) { pair in
            let (first, second) = (RawClient(), RawClient())
            pair.then({ first.connect(pair, sending: []) }) { pair.serverDriver.connectionCount == 1 }
            pair.then({ second.connect(pair, sending: []) }) { second.isOver }
            pair.then {
                #expect(second.text.hasPrefix("HTTP/1.1 503 "))
                #expect(!first.isOver)
            }
        }
    }

    @Test(
        "A request that has a time limit of its own is neither cut short nor kept longer",
        arguments: Medium.inMemory)
    func ownTimeLimit(transport: Medium) throws {
        var configuration = DriverPairConfiguration()
        configuration.client.bounds.exchangeTimeout = .seconds(10)
        try DriverPair.play(transport, configuration) { pair in
            pair.client(.send(ExchangeID(1), Request(pair.head(), timeLimit: .seconds(50)))) {
                pair.client.inputs.count == 1
            }
            pair.then {
                #expect(pair.client.failureCode == .timedOut)
                #expect(pair.scheduler.now.nanoseconds / 1_000_000_000 == 50)
            }
            pair.client(.send(ExchangeID(2), Request(pair.head()))) { pair.client.inputs.count == 2 }
            pair.then { #expect(pair.scheduler.now.nanoseconds / 1_000_000_000 == 60) }
        }
    }

    /// Plays a server by hand that answers the first request and then ends the connection as a test says.
    private func play(
        _ transport: Medium, second request: HTTPRequest.Method, delay: Duration = .zero,
        end: @escaping (any ByteStream) -> Void,
        check: @escaping (DriverPair, _ connections: Int, _ repetitions: [String]) -> Void
    ) throws {
        try DriverPair.play(transport) { pair in
            var (repetitions, measured) = ([String](), 0)
            pair.clientDriver.onReport { report in
                switch report {
                case .repeated(let text): repetitions.append(text)
                case .measured(.repeated): measured += 1
                default: break
                }
            }
            let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na".utf8)
            var connections = 0
            let listener = try pair.clientNetwork.listen(on: .loopback, identity: nil)
            listener.onAccept = { stream in
                connections += 1
                let (peer, isFirst) = (Peer(), connections == 1)
                var requests = 0
                peer.stream = stream
                peer.onBytes = { stream in
                    guard peer.received.suffix(4) == Array("\r\n\r\n".utf8)[...] else { return }
                    requests += 1
                    guard isFirst, requests == 2 else { return stream.write(answer) }
                    pair.scheduler.schedule(after: delay) { end(stream) }
                }
                peer.onEnd = { $0.close() }
                return peer
            }
            func head(_ method: HTTPRequest.Method) -> HTTPRequest {
                HTTPRequest(method: method, scheme: "http", authority: "\(listener.endpoint)", path: "/")
            }
            pair.client(.send(ExchangeID(1), Request(head(.get)))) { pair.client.inputs.count == 1 }
            pair.client(.send(ExchangeID(2), Request(head(request)))) { pair.client.inputs.count == 2 }
            pair.then {
                #expect(measured == repetitions.count)
                check(pair, connections, repetitions)
                listener.close()
            }
        }
    }

    private static let plain: [Medium] = [.memory, .memoryInSmallPieces, .sockets, .socketsInSmallPieces]

    @Test(
        "A kept connection that the server has ended does not fail the next harmless request, and is told of",
        arguments: Self.plain)
    func staleConnection(transport: Medium) throws {
        try self.play(transport, second: .get, end: { $0.close() }) { pair, connections, repetitions in
            guard case .responded(ExchangeID(2), _)? = pair.client.inputs.last else {
                Issue.record("\(pair.client.inputs)")
                return
            }
            #expect(connections == 2)
            #expect(repetitions.count == 1)
            #expect(
                repetitions.first?.hasPrefix("GET / is sent again on another connection, for ") == true
                    && repetitions.first?.hasSuffix(" ended the kept connection without an answer") == true)
        }
    }

    @Test("A request that may do harm is not sent twice", arguments: Self.plain)
    func harmfulRequest(transport: Medium) throws {
        try self.play(transport, second: .post, end: { $0.close() }) { pair, connections, repetitions in
            #expect(pair.client.failureCode == .connectionLost)
            #expect(connections == 1 && repetitions.isEmpty)
        }
    }

    @Test("A server that drops a kept connection is no secret, however harmless the request", arguments: Self.plain)
    func droppedConnection(transport: Medium) throws {
        try self.play(transport, second: .get, end: { $0.abort() }) { pair, connections, repetitions in
            #expect(pair.client.failureCode == .connectionLost)
            #expect(connections == 1 && repetitions.isEmpty)
        }
    }

    @Test(
        "A connection that ends while a request has long been waiting is no secret", arguments: Medium.inMemory)
    func endedWait(transport: Medium) throws {
        try self.play(transport, second: .get, delay: .seconds(2), end: { $0.close() }) {
            pair, connections, repetitions in
            #expect(pair.client.failureCode == .connectionLost)
            #expect(connections == 1 && repetitions.isEmpty)
        }
    }

    @Test(
        "A request that the simulated server drops fails on a kept connection too", arguments: Medium.allCases)
    func droppedByServerPort(transport: Medium) throws {
        try DriverPair.play(transport) { pair in
            pair.server.react = { input in
                guard case .requested(let id, let request) = input else { return [] }
                return request.head.path == "/drop" ? [.drop(id)] : [.respond(id, Response(text: "a", status: .ok))]
            }
            pair.client(.send(ExchangeID(1), Request(pair.head()))) { pair.client.inputs.count == 1 }
            pair.client(.send(ExchangeID(2), Request(pair.head(.get, "/drop")))) { pair.client.inputs.count == 2 }
            pair.then { #expect(pair.client.failureCode == .connectionLost) }
        }
    }
}

extension Script<ClientInput, ClientEffect> {
    /// Why the last thing failed.
    var failureCode: TransportFailure.Code? {
        switch self.inputs.last {
        case .exchangeFailed(_, let failure), .openFailed(_, let failure): failure.code
        default: nil
        }
    }
}
