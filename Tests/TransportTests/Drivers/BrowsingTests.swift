import Compression
import HTTPTypes
import JSON
import Machines
import Testing

@testable import Transport

@Suite("What a client driver does as browsers do")
struct BrowsingTests {
    private static let all: [Medium] = [.memory, .memoryInSmallPieces, .sockets]

    /// A server of a few pages: a login that sets cookies and redirects, pages that show what was sent, a loop, a bomb.
    private static func serve(_ pair: DriverPair) {
        pair.server.react = { input in
            guard case .requested(let id, let request) = input else { return [] }
            var response = Response(text: Self.shown(request), status: .ok)
            switch (request.head.path ?? "").prefix(while: { $0 != "?" }) {
            case "/login":
                response = Response(text: "off you go", status: .found)
                response.head.headerFields[.location] = "home"
                response.head.headerFields[values: .setCookie] = [
                    "sid=s1; Path=/; HttpOnly", "theme=dark", "x=1; Max-Age=0",
                ]
            case "/loop":
                response = Response(text: "", status: .temporaryRedirect)
                response.head.headerFields[.location] = "/loop"
            case "/away":
                response = Response(text: "", status: .found)
                response.head.headerFields[.location] = "http://elsewhere.test/"
            case "/zipped":
                response.body = CompressionFormat.gzip.compress(Array("zipped".utf8))
                response.head.headerFields[.contentEncoding] = "gzip"
            case "/coded":
                response = Response(text: "plain", status: .ok)
                response.head.headerFields[.contentEncoding] = "br"
            case "/bomb":
                response.body = CompressionFormat.gzip.compress(Array(repeating: 0, count: 40 << 20))
                response.head.headerFields[.contentEncoding] = "gzip"
            default: break
            }
            return [.respond(id, response)]
        }
    }

    private static func shown(_ request: Request) -> String {
        let fields = request.head.headerFields
        return [
            request.head.method.rawValue, fields[.cookie] ?? "-", fields[.acceptEncoding] ?? "-",
            String(decoding: request.body, as: UTF8.self),
        ].joined(separator: "|")
    }

    private static func request(
        _ pair: DriverPair, _ path: String, _ method: HTTPRequest.Method = .get, body: String = "",
        timeLimit: Duration? = nil, handling: RequestHandling = RequestHandling()
    ) -> Request {
        Request(
            HTTPRequest(
                method: method, scheme: pair.isEncrypted ? "https" : "http", authority: "\(pair.serverDriver.endpoint)",
                path: path),
            body: Array(body.utf8), timeLimit: timeLimit, handling: handling)
    }

    private static func bodies(_ pair: DriverPair) -> [String] {
        pair.client.inputs.map { input in
            switch input {
            case .responded(_, let response):
                "\(response.head.status.code) \(String(decoding: response.body, as: UTF8.self))"
            case .exchangeFailed(_, let failure): "\(failure.code.rawValue): \(failure.message)"
            default: "\(input)"
            }
        }
    }

    @Test("a login sets cookies, its redirect is followed, and the cookies go where they belong", arguments: Self.all)
    func login(transport: Medium) throws {
        try DriverPair.play(transport) { pair in
            Self.serve(pair)
            pair.client(.send(ExchangeID(1), Self.request(pair, "/login", .post, body: "user=ada"))) {
                pair.client.inputs.count == 1
            }
            pair.client(
                .send(ExchangeID(2), Self.request(pair, "/", handling: RequestHandling(usesCookies: false)))
            ) { pair.client.inputs.count == 2 }
            pair.client(
                .send(
                    ExchangeID(3),
                    Self.request(pair, "/", .put, body: "x", handling: RequestHandling(takesCompressed: false)))
            ) { pair.client.inputs.count == 3 }
            pair.then {
                #expect(
                    Self.bodies(pair) == [
                        "200 GET|sid=s1; theme=dark|gzip, deflate|", "200 GET|-|gzip, deflate|",
                        "200 PUT|sid=s1; theme=dark|-|x",
                    ])
                let names = pair.clientDriver.properties["cookies"]?.array?.compactMap { $0["name"]?.string }
                #expect(names == ["sid", "theme"])
            }
        }
    }

    @Test("redirects that are not followed are the answer, or a failure that says why", arguments: Self.all)
    func notFollowed(transport: Medium) throws {
        try DriverPair.play(transport) { pair in
            Self.serve(pair)
            pair.client(
                .send(ExchangeID(1), Self.request(pair, "/login", handling: RequestHandling(redirectLimit: 0)))
            ) { pair.client.inputs.count == 1 }
            pair.client(.send(ExchangeID(2), Self.request(pair, "/loop"))) { pair.client.inputs.count == 2 }
            pair.client(.send(ExchangeID(3), Self.request(pair, "/away"))) { pair.client.inputs.count == 3 }
            pair.then {
                let bodies = Self.bodies(pair)
                #expect(bodies[0] == "302 off you go")
                #expect(bodies[1].hasPrefix("redirect_refused: the server redirects in a loop: after 10 redirects"))
                #expect(bodies[2].contains("add it to the target's settings in repartee.lua"))
                #expect(pair.clientDriver.isQuiet)
            }
        }
    }

    @Test("compressed answers are read, whole and streamed, and a bomb ends as a failure", arguments: Self.all)
    func compressed(transport: Medium) throws {
        var configuration = DriverPairConfiguration()
        configuration.client.bounds.limits.body = 1 << 20
        try DriverPair.play(transport, configuration) { pair in
            Self.serve(pair)
            pair.client(.send(ExchangeID(1), Self.request(pair, "/zipped"))) { pair.client.inputs.count == 1 }
            pair.client(.send(ExchangeID(2), Self.request(pair, "/bomb"))) { pair.client.inputs.count == 2 }
            pair.client(.stream(ExchangeID(3), Self.request(pair, "/zipped"))) {
                pair.client.inputs.last == .responseEnded(ExchangeID(3))
            }
            pair.then {
                let bodies = Self.bodies(pair)
                #expect(bodies[0] == "200 zipped")
                #expect(bodies[1].contains("its gzip body becomes longer than 1048576 bytes"))
                let streamed = pair.client.inputs.flatMap { input in
                    if case .bodyReceived(ExchangeID(3), let bytes) = input { bytes } else { [] as [UInt8] }
                }
                #expect(streamed == Array("zipped".utf8))
            }
        }
    }

    @Test("a body in a coding that was not asked for cannot be read, unless a header of the request asks for it")
    func unaskedCoding() throws {
        try DriverPair.play(.memory) { pair in
            Self.serve(pair)
            pair.client(.send(ExchangeID(1), Self.request(pair, "/coded"))) { pair.client.inputs.count == 1 }
            var asking = Self.request(pair, "/coded")
            asking.head.headerFields[.acceptEncoding] = "br"
            pair.client(.send(ExchangeID(2), asking)) { pair.client.inputs.count == 2 }
            let plain = Self.request(pair, "/coded", handling: RequestHandling(takesCompressed: false))
            pair.client(.send(ExchangeID(3), plain)) { pair.client.inputs.count == 3 }
            pair.then {
                let bodies = Self.bodies(pair)
                let problem = "its body says to be in \"br\", where gzip or deflate was asked for"
                #expect(bodies[0].hasPrefix("malformed: ") && bodies[0].hasSuffix(problem), "\(bodies[0])")
                #expect(bodies.dropFirst() == ["200 plain", "200 plain"])
            }
        }
    }

    @Test("a machine that gives a stream up in the middle of a bomb hears no more of it")
    func abandonedBomb() throws {
        try DriverPair.play(.memory) { pair in
            Self.serve(pair)
            pair.client.react = { input in
                if case .bodyReceived(let id, _) = input { [.cancel(id)] } else { [] }
            }
            pair.client(.stream(ExchangeID(1), Self.request(pair, "/bomb"))) { pair.clientDriver.isQuiet }
            pair.then { #expect(pair.client.inputs.count == 2) }
        }
    }

    @Test("the time of redirects counts for the time limit of their request")
    func timeLimit() throws {
        var configuration = DriverPairConfiguration()
        configuration.latency = .seconds(1)
        try DriverPair.play(.memory, configuration) { pair in
            Self.serve(pair)
            pair.client(.send(ExchangeID(1), Self.request(pair, "/loop", timeLimit: .seconds(7)))) {
                pair.client.inputs.count == 1
            }
            pair.then {
                #expect(Self.bodies(pair).first?.hasPrefix("timed_out") == true)
                #expect(pair.scheduler.now == .start + .seconds(7))
            }
        }
    }

    @Test("cookies go with the handshake of a WebSocket, and those of its answer are kept", arguments: Self.all)
    func handshake(transport: Medium) throws {
        try DriverPair.play(transport) { pair in
            Self.serve(pair)
            let serve = pair.server.react
            var cookies: String?
            pair.server.react = { input in
                guard case .upgradeRequested(let id, let request) = input else { return serve(input) }
                cookies = request.head.headerFields[.cookie]
                return [.accept(id, subprotocol: nil)]
            }
            pair.client(.send(ExchangeID(1), Self.request(pair, "/login"))) { pair.client.inputs.count == 1 }
            let head = HTTPRequest(
                method: .get, scheme: pair.isEncrypted ? "wss" : "ws", authority: "\(pair.serverDriver.endpoint)",
                path: "/socket")
            pair.client(.open(ConnectionID(1), head, subprotocols: [])) { pair.client.inputs.count == 2 }
            pair.then { #expect(cookies == "sid=s1; theme=dark") }
        }
    }
}
