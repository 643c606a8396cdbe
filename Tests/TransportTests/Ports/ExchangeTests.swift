import HTTPTypes
import Machines
import Testing
import Transport

@Suite("HTTP exchanges between a client port and a server port", .serialized)
struct ExchangeTests {
    @Test("A request arrives whole and so does its answer", arguments: Carrier.allCases)
    func exchange(carrier: Carrier) throws {
        try Stage.play(carrier) { stage in
            stage.server.react = { input in
                guard case .requested(let id, let request) = input else { return [] }
                return [
                    .respond(id, Response(text: "echo " + String(decoding: request.body, as: UTF8.self), status: .ok))
                ]
            }
            let request = Request(stage.head(.post, "/say?x=1"), body: Array("hello".utf8))
            stage.client(.send(ExchangeID(1), request)) { stage.client.inputs.count == 1 }
            stage.then {
                guard case .responded(ExchangeID(1), let response)? = stage.client.inputs.first,
                    case .requested(_, let received)? = stage.server.inputs.first
                else {
                    Issue.record("\(stage.client.inputs) \(stage.server.inputs)")
                    return
                }
                #expect(String(decoding: response.body, as: UTF8.self) == "echo hello")
                #expect(received.head.method == .post)
                #expect(received.head.path == "/say?x=1")
                #expect(received.head.authority == "\(stage.serverPort.endpoint)")
                #expect(stage.clientPort.isQuiet && stage.serverPort.isQuiet)
            }
        }
    }

    @Test("An answer that nobody asked for is not taken for that of the next request")
    func unaskedAnswer() throws {
        try Stage.play(.memory) { stage in
            let listener = try stage.clientNetwork.listen(on: .loopback, identity: nil)
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
            stage.client.react = { input in
                if case .responded(ExchangeID(1), _) = input { [.send(ExchangeID(2), Request(head))] } else { [] }
            }
            stage.client(.send(ExchangeID(1), Request(head))) { stage.client.inputs.count == 2 }
            stage.then {
                let bodies = stage.client.inputs.map { input in
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
        var configuration = StageConfiguration()
        configuration.client.hosts = AllowedHosts(origin: "http://bot.test", friends: ["friend.test"])
        try Stage.play(.memory, configuration) { stage in
            func head(_ scheme: String, _ authority: String) -> HTTPRequest {
                HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/")
            }
            stage.client(
                .send(ExchangeID(1), Request(head("http", "elsewhere.test"))),
                .open(ConnectionID(1), head("ws", "elsewhere.test:80"), subprotocols: []),
                .send(ExchangeID(2), Request(head("http", "friend.test"))), .send(ExchangeID(3), Request(stage.head()))
            ) { stage.client.inputs.count == 3 && stage.server.inputs.count == 1 }
            stage.then {
                let codes = stage.client.inputs.compactMap { input in
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

    @Test("Exchanges one after another use one connection, exchanges at once use several", arguments: Carrier.allCases)
    func keptConnections(carrier: Carrier) throws {
        try Stage.play(carrier) { stage in
            stage.server.react = { input in
                guard case .requested(let id, let request) = input, request.head.path != "/wait" else { return [] }
                return [.respond(id, Response(text: "a", status: .ok))]
            }
            for number in 1...3 as ClosedRange<UInt64> {
                stage.client(.send(ExchangeID(number), Request(stage.head()))) {
                    stage.client.inputs.count == Int(number)
                }
            }
            stage.then { #expect(stage.serverPort.connectionCount == 1) }
            stage.client(
                .send(ExchangeID(4), Request(stage.head(.get, "/wait"))), .send(ExchangeID(5), Request(stage.head()))
            ) { stage.client.inputs.count == 4 && stage.server.inputs.count == 5 }
            stage.then {
                #expect(stage.serverPort.connectionCount == 2)
                #expect(!stage.clientPort.isQuiet && !stage.serverPort.isQuiet)
            }
            stage.client(.cancel(ExchangeID(4))) { stage.server.inputs.count == 6 }
            stage.then {
                guard case .requestAbandoned? = stage.server.inputs.last else {
                    Issue.record("the server did not hear that the request was abandoned")
                    return
                }
                #expect(stage.client.inputs.count == 4)
                #expect(stage.clientPort.isQuiet && stage.serverPort.isQuiet)
            }
        }
    }

    @Test("A streamed answer arrives in pieces, in order", arguments: Carrier.allCases)
    func streaming(carrier: Carrier) throws {
        try Stage.play(carrier) { stage in
            var exchange: ExchangeID?
            stage.server.react = { input in
                if case .requested(let id, _) = input { exchange = id }
                guard let exchange else { return [] }
                return [
                    .begin(exchange, HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"])),
                    .write(exchange, Array("data: 1\n\n".utf8)),
                ]
            }
            func body() -> [UInt8] {
                stage.client.inputs.flatMap { input in
                    if case .bodyReceived(_, let bytes) = input { bytes } else { [] as [UInt8] }
                }
            }
            stage.client(.stream(ExchangeID(1), Request(stage.head()))) { body().count == 9 }
            stage.then({
                stage.server.onCommand = exchange.map { [.write($0, Array("data: 2\n\n".utf8)), .end($0)] } ?? []
                _ = stage.serverPort.perform(Command("go"), by: nil)
            }) { stage.client.inputs.last == .responseEnded(ExchangeID(1)) }
            stage.then {
                #expect(body() == Array("data: 1\n\ndata: 2\n\n".utf8))
                guard case .responseBegan(_, let head)? = stage.client.inputs.first else {
                    Issue.record("the head did not come first")
                    return
                }
                #expect(head.headerFields[.contentType] == "text/event-stream")
                #expect(stage.clientPort.isQuiet && stage.serverPort.isQuiet)
            }
        }
    }

    @Test(
        "A streamed answer ends as its head says: in chunks, by its length or with the connection",
        arguments: Carrier.allCases, [[:], [.contentLength: "10"], [.connection: "close"]] as [HTTPFields])
    func framing(carrier: Carrier, fields: HTTPFields) throws {
        try Stage.play(carrier) { stage in
            stage.server.react = { input in
                guard case .requested(let id, _) = input else { return [] }
                // What is more than the length is left out.
                let rest = Array(fields[.contentLength] == nil ? "fghij".utf8 : "fghij, and more".utf8)
                return [
                    .begin(id, HTTPResponse(status: .ok, headerFields: fields)), .write(id, Array("abcde".utf8)),
                    .write(id, rest), .end(id),
                ]
            }
            for number in 1...2 as ClosedRange<UInt64> {
                stage.client(.stream(ExchangeID(number), Request(stage.head(.post)))) {
                    stage.client.inputs.last == .responseEnded(ExchangeID(number))
                }
            }
            stage.then {
                let body = stage.client.inputs.flatMap { input in
                    if case .bodyReceived(_, let bytes) = input { bytes } else { [] as [UInt8] }
                }
                #expect(body == Array("abcdefghijabcdefghij".utf8))
                #expect(stage.clientPort.isQuiet && stage.serverPort.isQuiet)
            }
        }
    }

    @Test("A body that ends before its length fails the exchange", arguments: Carrier.allCases)
    func shortBody(carrier: Carrier) throws {
        try Stage.play(carrier) { stage in
            stage.server.react = { input in
                guard case .requested(let id, _) = input else { return [] }
                let head = HTTPResponse(status: .ok, headerFields: [.contentLength: "10"])
                return [.begin(id, head), .write(id, Array("abcde".utf8)), .end(id)]
            }
            stage.client(.stream(ExchangeID(1), Request(stage.head(.post)))) {
                stage.client.failureCode == .connectionLost
            }
        }
    }

    @Test("A server that drops the connection fails the exchange", arguments: Carrier.allCases)
    func dropped(carrier: Carrier) throws {
        try Stage.play(carrier) { stage in
            stage.server.react = { input in
                if case .requested(let id, _) = input { [.drop(id)] } else { [] }
            }
            stage.client(.send(ExchangeID(1), Request(stage.head(.post)))) { stage.client.inputs.count == 1 }
            stage.then { #expect(stage.client.failureCode == .connectionLost) }
        }
    }

    @Test("A connection to where nobody listens fails with what to do", arguments: Carrier.allCases)
    func refused(carrier: Carrier) throws {
        try Stage.play(carrier) { stage in
            let head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:1", path: "/")
            stage.client(.send(ExchangeID(1), Request(head))) { stage.client.inputs.count == 1 }
            stage.client(.open(ConnectionID(1), head, subprotocols: [])) { stage.client.inputs.count == 2 }
            stage.then {
                guard case .exchangeFailed(_, let failure)? = stage.client.inputs.first else {
                    Issue.record("\(stage.client.inputs)")
                    return
                }
                #expect(failure.code == .cannotConnect)
                #expect(failure.message.contains("nothing listens on 127.0.0.1:1"))
                guard case .openFailed(_, let failure)? = stage.client.inputs.last else {
                    Issue.record("\(stage.client.inputs)")
                    return
                }
                #expect(failure.code == .cannotConnect)
            }
        }
    }

    @Test("A request without a usable URL fails at once and the machine goes on", arguments: ["ftp", nil] as [String?])
    func unusableURL(scheme: String?) throws {
        try Stage.play(.memory) { stage in
            let head = HTTPRequest(method: .get, scheme: scheme, authority: "desk.test", path: "/")
            let nowhere = HTTPRequest(method: .get, scheme: "http", authority: "desk.test:99999", path: "/")
            stage.client(.send(ExchangeID(1), Request(head)), .send(ExchangeID(2), Request(nowhere))) {
                stage.client.inputs.count == 2
            }
            stage.then { #expect(stage.client.failureCode == .cannotConnect) }
        }
    }

    @Test("An exchange that is not answered in time fails, in virtual time", arguments: Carrier.inMemory)
    func timeLimit(carrier: Carrier) throws {
        try Stage.play(carrier) { stage in
            stage.client(.send(ExchangeID(1), Request(stage.head()))) { stage.client.inputs.count == 1 }
            stage.then {
                #expect(stage.client.failureCode == .timedOut)
                #expect(stage.scheduler.now == Instant.start + .seconds(120))
            }
        }
    }

    @Test("A client that does not complete its request is sent away", arguments: Carrier.inMemory)
    func slowRequest(carrier: Carrier) throws {
        try Stage.play(carrier) { stage in
            let raw = RawClient()
            stage.then({ raw.connect(stage, sending: "GET / HTTP/1.1\nHo".wire) }) {
                raw.isOver && stage.serverPort.connectionCount == 0
            }
            stage.then { #expect(raw.text.hasPrefix("HTTP/1.1 408 ")) }
            let idle = RawClient()
            stage.then({ idle.connect(stage, sending: []) }) { idle.isOver }
            stage.then {
                #expect(idle.text.isEmpty)
                #expect(stage.server.inputs.isEmpty)
            }
        }
    }

    @Test(
        "A bad request is answered with its status and the connection ended",
        arguments: Carrier.allCases.filter { $0 != .encryptedSockets },
        [
            ("GET / HTTP/1.1\nHost : a\n\n", 400), ("GET / HTTP/1.1\nHost: a\nContent-Length: 99999999999\n\n", 413),
            ("GET / HTTP/3.0\nHost: a\n\n", 505),
            ("GET / HTTP/1.1\nHost: a\nUpgrade: websocket\nConnection: upgrade\nConnection: close\n\n", 426),
        ])
    func badRequest(carrier: Carrier, request: (text: String, status: Int)) throws {
        try Stage.play(carrier) { stage in
            let raw = RawClient()
            stage.then({ raw.connect(stage, sending: request.text.wire) }) { raw.isOver }
            stage.then {
                #expect(raw.text.hasPrefix("HTTP/1.1 \(request.status) "))
                #expect(stage.server.inputs.isEmpty)
            }
        }
    }

    @Test("Requests sent ahead are answered in order", arguments: Carrier.allCases.filter { $0 != .encryptedSockets })
    func pipelining(carrier: Carrier) throws {
        try Stage.play(carrier) { stage in
            stage.server.react = { input in
                guard case .requested(let id, let request) = input else { return [] }
                let answer = Response(text: request.head.path ?? "", status: .ok)
                guard request.head.path == "/1" else { return [.respond(id, answer)] }
                stage.scheduler.schedule(after: .milliseconds(5)) {
                    stage.server.onCommand = [.respond(id, answer)]
                    _ = stage.serverPort.perform(Command("go"), by: nil)
                }
                return []
            }
            let raw = RawClient()
            let requests = (1...3).map { "GET /\($0) HTTP/1.1\nHost: a\n\($0 == 3 ? "Connection: close\n" : "")\n" }
            stage.then({ raw.connect(stage, sending: requests.joined().wire) }) { raw.isOver }
            stage.then {
                let places = ["/1", "/2", "/3"].compactMap { raw.text.firstRange(of: $0)?.lowerBound }
                #expect(places.count == 3)
                #expect(places == places.sorted())
            }
        }
    }

    @Test("A client that sends too much ahead is dropped", arguments: [Carrier.memory, .memoryInSmallPieces, .sockets])
    func aheadLimit(carrier: Carrier) throws {
        var configuration = StageConfiguration()
        configuration.server.aheadLimit = 100
        try Stage.play(carrier, configuration) { stage in
            let raw = RawClient()
            let request = "GET / HTTP/1.1\nHost: a\n\n".wire
            stage.then({ raw.connect(stage, sending: request + [UInt8](repeating: 0x61, count: 101)) }) {
                raw.isOver && stage.server.inputs.count == 2
            }
            stage.then {
                guard case .requestAbandoned? = stage.server.inputs.last else {
                    Issue.record("\(stage.server.inputs)")
                    return
                }
                #expect(stage.serverPort.connectionCount == 0)
            }
        }
    }

    @Test("Kept connections are bounded in number and in age", arguments: Carrier.inMemory)
    func keptConnectionLimits(carrier: Carrier) throws {
        var configuration = StageConfiguration()
        configuration.client.idleConnections = 2
        configuration.client.idleTimeout = .seconds(10)
        try Stage.play(carrier, configuration) { stage in
            stage.server.react = { input in
                if case .requested(let id, _) = input { [.respond(id, Response(text: "a", status: .ok))] } else { [] }
            }
            let requests = (1...5 as ClosedRange<UInt64>).map {
                ClientEffect.send(ExchangeID($0), Request(stage.head()))
            }
            stage.then({
                stage.client.onCommand = requests
                _ = stage.clientPort.perform(Command("go"))
            }) { stage.client.inputs.count == 5 && stage.serverPort.connectionCount == 2 }
            stage.client(.setTimer("later", .seconds(11))) { stage.client.inputs.count == 6 }
            stage.client(.send(ExchangeID(6), Request(stage.head()))) {
                stage.client.inputs.count == 7 && stage.serverPort.connectionCount == 1
            }
        }
    }

    @Test("More connections than the limit are answered with 503", arguments: [Carrier.memory, .sockets])
    func connectionLimit(carrier: Carrier) throws {
        var configuration = StageConfiguration()
        configuration.server.connections = 1
        try Stage.play(carrier, configuration) { stage in
            let (first, second) = (RawClient(), RawClient())
            stage.then({ first.connect(stage, sending: []) }) { stage.serverPort.connectionCount == 1 }
            stage.then({ second.connect(stage, sending: []) }) { second.isOver }
            stage.then {
                #expect(second.text.hasPrefix("HTTP/1.1 503 "))
                #expect(!first.isOver)
            }
        }
    }

    @Test(
        "A request that has a time limit of its own is neither cut short nor kept longer", arguments: Carrier.inMemory)
    func ownTimeLimit(carrier: Carrier) throws {
        var configuration = StageConfiguration()
        configuration.client.exchangeTimeout = .seconds(10)
        try Stage.play(carrier, configuration) { stage in
            stage.client(.send(ExchangeID(1), Request(stage.head(), timeLimit: .seconds(50)))) {
                stage.client.inputs.count == 1
            }
            stage.then {
                #expect(stage.client.failureCode == .timedOut)
                #expect(stage.scheduler.now.nanoseconds / 1_000_000_000 == 50)
            }
            stage.client(.send(ExchangeID(2), Request(stage.head()))) { stage.client.inputs.count == 2 }
            stage.then { #expect(stage.scheduler.now.nanoseconds / 1_000_000_000 == 60) }
        }
    }

    /// Plays a server by hand that answers the first request and then ends the connection as a test says.
    private func play(
        _ carrier: Carrier, second request: HTTPRequest.Method, delay: Duration = .zero,
        end: @escaping (any ByteStream) -> Void, check: @escaping (Stage, _ connections: Int) -> Void
    ) throws {
        try Stage.play(carrier) { stage in
            let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na".utf8)
            var connections = 0
            let listener = try stage.clientNetwork.listen(on: .loopback, identity: nil)
            listener.onAccept = { stream in
                connections += 1
                let (peer, isFirst) = (Peer(), connections == 1)
                var requests = 0
                peer.stream = stream
                peer.onBytes = { stream in
                    guard peer.received.suffix(4) == Array("\r\n\r\n".utf8)[...] else { return }
                    requests += 1
                    guard isFirst, requests == 2 else { return stream.write(answer) }
                    stage.scheduler.schedule(after: delay) { end(stream) }
                }
                peer.onEnd = { $0.close() }
                return peer
            }
            func head(_ method: HTTPRequest.Method) -> HTTPRequest {
                HTTPRequest(method: method, scheme: "http", authority: "\(listener.endpoint)", path: "/")
            }
            stage.client(.send(ExchangeID(1), Request(head(.get)))) { stage.client.inputs.count == 1 }
            stage.client(.send(ExchangeID(2), Request(head(request)))) { stage.client.inputs.count == 2 }
            stage.then {
                check(stage, connections)
                listener.close()
            }
        }
    }

    private static let plain: [Carrier] = [.memory, .memoryInSmallPieces, .sockets, .socketsInSmallPieces]

    @Test("A kept connection that the server has ended does not fail the next harmless request", arguments: Self.plain)
    func staleConnection(carrier: Carrier) throws {
        try self.play(carrier, second: .get, end: { $0.close() }) { stage, connections in
            guard case .responded(ExchangeID(2), _)? = stage.client.inputs.last else {
                Issue.record("\(stage.client.inputs)")
                return
            }
            #expect(connections == 2)
        }
    }

    @Test("A request that may do harm is not sent twice", arguments: Self.plain)
    func harmfulRequest(carrier: Carrier) throws {
        try self.play(carrier, second: .post, end: { $0.close() }) { stage, connections in
            #expect(stage.client.failureCode == .connectionLost)
            #expect(connections == 1)
        }
    }

    @Test("A server that drops a kept connection is no secret, however harmless the request", arguments: Self.plain)
    func droppedConnection(carrier: Carrier) throws {
        try self.play(carrier, second: .get, end: { $0.abort() }) { stage, connections in
            #expect(stage.client.failureCode == .connectionLost)
            #expect(connections == 1)
        }
    }

    @Test("A connection that ends while a request has long been waiting is no secret", arguments: Carrier.inMemory)
    func endedWait(carrier: Carrier) throws {
        try self.play(carrier, second: .get, delay: .seconds(2), end: { $0.close() }) { stage, connections in
            #expect(stage.client.failureCode == .connectionLost)
            #expect(connections == 1)
        }
    }

    @Test("A request that the simulated server drops fails on a kept connection too", arguments: Carrier.allCases)
    func droppedByServerPort(carrier: Carrier) throws {
        try Stage.play(carrier) { stage in
            stage.server.react = { input in
                guard case .requested(let id, let request) = input else { return [] }
                return request.head.path == "/drop" ? [.drop(id)] : [.respond(id, Response(text: "a", status: .ok))]
            }
            stage.client(.send(ExchangeID(1), Request(stage.head()))) { stage.client.inputs.count == 1 }
            stage.client(.send(ExchangeID(2), Request(stage.head(.get, "/drop")))) { stage.client.inputs.count == 2 }
            stage.then { #expect(stage.client.failureCode == .connectionLost) }
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
