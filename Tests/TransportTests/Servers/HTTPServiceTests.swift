import HTTPTypes
import Machines
import Testing
import Transport

@Suite("An HTTP service on a real port", .timeLimit(.minutes(2)))
struct HTTPServiceTests {
    private static let get = "GET / HTTP/1.1\nHost: a\n\n".wire

    @Test("Whole requests are told and answered at once or later, and bodies are any bytes both ways")
    func answers() throws {
        try HTTPServicePlay.play { play in
            let (prompt, patient) = (RawClient(), RawClient())
            let body: [UInt8] = [0xFF, 0x00, 0xC3, 0x0D]
            play.onRequest = { id, request in
                guard request.head.path == "/now" else { return }
                play.service.respond(to: id, with: Response(HTTPResponse(status: .ok), body: request.body.reversed()))
            }
            play.then({
                play.connect(
                    prompt,
                    sending: "POST /now HTTP/1.1\nHost: a\nContent-Length: 4\nConnection: close\n\n".wire + body)
                play.connect(patient, sending: "GET /later HTTP/1.1\nHost: a\n\n".wire)
            }) { prompt.isOver && play.requests.count == 2 }
            play.then {
                #expect(prompt.text.hasPrefix("HTTP/1.1 200 ") && Array(prompt.received.suffix(4)) == body.reversed())
                #expect(patient.received.isEmpty)
            }
            play.then({
                for (id, request) in play.requests where request.head.path == "/later" {
                    play.service.respond(to: id, with: Response(text: "patience", status: .accepted))
                    // It has its answer.
                    play.service.respond(to: id, with: Response(text: "again", status: .ok))
                }
            }) { patient.text.hasSuffix("patience") }
            play.then({ patient.stream?.write(Self.get) }) { play.requests.count == 3 }
            play.then {
                #expect(patient.text.hasPrefix("HTTP/1.1 202 ") && !patient.text.contains("again"))
                #expect(play.abandoned.isEmpty)
            }
        }
    }

    @Test("What one request brings of others is told after it, never within")
    func order() throws {
        try HTTPServicePlay.play { play in
            let (waiting, releasing) = (RawClient(), RawClient())
            var told: [String] = []
            play.onRequest = { id, request in
                let path = request.head.path ?? ""
                told.append(path)
                if path == "/release", let first = play.requests.first {
                    play.service.respond(to: first.id, with: Response(text: "go on", status: .ok))
                    told.append("released")
                }
            }
            let ahead = "GET /wait HTTP/1.1\nHost: a\n\nGET /next HTTP/1.1\nHost: a\n\n".wire
            play.then({ play.connect(waiting, sending: ahead) }) { told == ["/wait"] }
            play.then({ play.connect(releasing, sending: "GET /release HTTP/1.1\nHost: a\n\n".wire) }) {
                told.count == 4 && waiting.text.hasSuffix("go on")
            }
            play.then { #expect(told == ["/wait", "/release", "released", "/next"]) }
        }
    }

    @Test("Half a request is told to nobody: one that stalls gets 408, one that leaves takes its connection along")
    func halfRequest() throws {
        try HTTPServicePlay.play(ServerDriverConfiguration(requestTimeout: .seconds(1))) { play in
            let (stalling, leaving, silent) = (RawClient(), RawClient(), RawClient())
            let half = "POST / HTTP/1.1\nHost: a\nContent-Length: 10\n\nhalf".wire
            play.then({
                play.connect(stalling, sending: half)
                play.connect(leaving, sending: half)
                play.connect(silent, sending: [])
            }) { play.service.connectionCount == 3 }
            play.then({ leaving.stream?.finish() }) { leaving.isOver }
            play.then({}) { stalling.isOver && silent.isOver && play.service.connectionCount == 0 }
            play.then {
                #expect(stalling.text.hasPrefix("HTTP/1.1 408 "))
                #expect(leaving.text.isEmpty && silent.text.isEmpty)
                #expect(play.requests.isEmpty && play.abandoned.isEmpty)
            }
        }
    }

    @Test(
        "A request beyond a limit is refused with its status and told to nobody; one as long as the limit is told",
        arguments: [
            ("POST / HTTP/1.1\nHost: a\nContent-Length: 11\n\n", 413),
            ("POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n6\nabcdef\n5\nghijk\n0\n\n", 413),
            ("GET /\(String(repeating: "x", count: 100)) HTTP/1.1\nHost: a\n\n", 414),
            ("GET / HTTP/1.1\nHost: a\nX: \(String(repeating: "x", count: 200))\n\n", 431),
            ("POST / HTTP/1.1\nHost: a\nContent-Length: 10\nConnection: close\n\nabcdefghij", 200),
        ])
    func limits(request: String, status: Int) throws {
        let limits = HTTPLimits(startLine: 80, head: 160, body: 10)
        try HTTPServicePlay.play(ServerDriverConfiguration(limits: limits)) { play in
            play.answerAll()
            let client = RawClient()
            play.then({ play.connect(client, sending: request.wire) }) {
                client.isOver && play.service.connectionCount == 0
            }
            play.then {
                #expect(client.text.hasPrefix("HTTP/1.1 \(status) "), "\(client.text)")
                #expect(play.requests.count == (status == 200 ? 1 : 0))
            }
        }
    }

    @Test("A connection more than the limit is answered with 503, and has its place once another has gone")
    func connectionLimit() throws {
        try HTTPServicePlay.play(ServerDriverConfiguration(connections: 1)) { play in
            play.answerAll()
            let (first, second, third) = (RawClient(), RawClient(), RawClient())
            play.then({ play.connect(first, sending: []) }) { play.service.connectionCount == 1 }
            play.then({ play.connect(second, sending: Self.get) }) { second.isOver }
            play.then {
                #expect(second.text.hasPrefix("HTTP/1.1 503 "))
                #expect(!first.isOver && play.requests.isEmpty)
            }
            play.then({ first.stream?.close() }) { play.service.connectionCount == 0 }
            play.then({ play.connect(third, sending: Self.get) }) { third.text.hasSuffix("at /") }
        }
    }

    @Test(
        "A client that never reads is dropped, by how much waits for it or by the time; others are served meanwhile",
        arguments: [1 << 20, 64 << 20])
    func deafClient(writeLimit: Int) throws {
        // Longer than what the system takes in for a client that does not read.
        let answer = Response(HTTPResponse(status: .ok), body: [UInt8](repeating: 0x61, count: 32 << 20))
        // Either of the two limits ends it here; the other one would not within the time of a test.
        let patience: Duration = writeLimit < answer.body.count ? .seconds(60) : .milliseconds(500)
        let configuration = ServerDriverConfiguration(requestTimeout: patience, closeTimeout: patience)
        try HTTPServicePlay.play(configuration, sockets: SocketNetworkConfiguration(writeLimit: writeLimit)) { play in
            let other = RawClient()
            play.onRequest = { id, request in
                let isOther = request.head.path == "/other"
                play.service.respond(to: id, with: isOther ? Response(text: "served", status: .ok) : answer)
            }
            play.then({ play.connectDeafClient(sending: "GET /deaf HTTP/1.1\nHost: a\n\n".wire) }) {
                play.requests.count == 1
            }
            play.then({ play.connect(other, sending: "GET /other HTTP/1.1\nHost: a\nConnection: close\n\n".wire) }) {
                other.isOver && play.service.connectionCount == 0
            }
            play.then {
                #expect(other.text.hasSuffix("served"))
                #expect(play.paths == ["/deaf", "/other"])
                // It had its answer, as far as the service is concerned.
                #expect(play.abandoned.isEmpty)
            }
        }
    }

    @Test("A client that leaves before its answer is told of once, however it leaves", arguments: [true, false])
    func leaves(isOrderly: Bool) throws {
        try HTTPServicePlay.play { play in
            let (leaving, other) = (RawClient(), RawClient())
            play.then({ play.connect(leaving, sending: "GET /gone HTTP/1.1\nHost: a\n\n".wire) }) {
                play.requests.count == 1
            }
            play.then({ if isOrderly { leaving.stream?.close() } else { leaving.stream?.abort() } }) {
                play.abandoned.count == 1 && play.service.connectionCount == 0
            }
            play.then({
                for (id, _) in play.requests {
                    play.service.respond(to: id, with: Response(text: "late", status: .ok))
                }
                play.answerAll()
                play.connect(other, sending: Self.get)
            }) { other.text.hasSuffix("at /") }
            play.then {
                #expect(play.abandoned == play.requests.prefix(1).map(\.id))
                #expect(leaving.received.isEmpty)
            }
        }
    }

    @Test("Who asks for a WebSocket is refused with the answer that was given for that")
    func webSocket() throws {
        try HTTPServicePlay.play { play in
            let client = RawClient()
            play.then({ play.connect(client, sending: ClientBytes.handshake()) }) {
                client.text.hasSuffix("no WebSockets")
            }
            play.then {
                #expect(client.text.hasPrefix("HTTP/1.1 400 ") && play.requests.isEmpty)
            }
        }
    }

    @Test("A service that is closed drops its clients, tells of nothing more, and sends what was answered before")
    func closes() throws {
        try HTTPServicePlay.play { play in
            let (waiting, served, late) = (RawClient(), RawClient(), RawClient())
            play.then({ play.connect(waiting, sending: Self.get) }) { play.requests.count == 1 }
            play.onRequest = { id, request in
                guard request.head.path == "/last" else { return }
                play.service.respond(to: id, with: Response(text: "farewell", status: .ok))
                play.service.close()
            }
            play.then({ play.connect(served, sending: "GET /last HTTP/1.1\nHost: a\n\n".wire) }) {
                served.isOver && waiting.isOver
            }
            play.then({ play.connect(late, sending: Self.get) }) { late.isOver }
            play.then {
                #expect(served.text.hasSuffix("farewell"))
                #expect(waiting.received.isEmpty && late.received.isEmpty)
                #expect(play.paths == ["/", "/last"] && play.abandoned.isEmpty)
            }
        }
    }
}
