import HTTPTypes
import JSON
import Machines
import Testing

@testable import Transport

@Suite("Tokens by OAuth 2.0")
struct OAuthTests {
    private static let all: [Medium] = [.memory, .memoryInSmallPieces, .sockets]

    /// A server that gives out tokens t1, t2, … and takes the last one only.
    private final class Desk {
        var forms: [[String: String]] = []
        var headers: [String?] = []
        var tokens: [String] = []
        var lifetime: Int64? = 3600
        var refuses = false

        /// What is answered instead of a token.
        var nonsense: Response?

        func react(_ input: ServerInput) -> [ServerEffect] {
            guard case .requested(let id, let request) = input else { return [] }
            guard request.head.path == "/token" else {
                self.tokens.append(request.head.headerFields[.authorization] ?? "-")
                let isGood = request.head.headerFields[.authorization] == "Bearer t\(self.forms.count)"
                return [.respond(id, Response(text: "in", status: isGood ? .ok : .unauthorized))]
            }
            let pairs = FormEncoding.decode(String(decoding: request.body, as: UTF8.self))
            self.forms.append(Dictionary(pairs, uniquingKeysWith: { $1 }))
            self.headers.append(request.head.headerFields[.authorization])
            if let nonsense = self.nonsense { return [.respond(id, nonsense)] }
            guard !self.refuses else {
                return [.respond(id, Response(json: ["error": "invalid_client"], status: .badRequest))]
            }
            var json: JSONObject = ["access_token": .string("t\(self.forms.count)"), "token_type": "Bearer"]
            json["expires_in"] = self.lifetime.map { .integer($0) }
            json["refresh_token"] = .string("r\(self.forms.count)")
            return [.respond(id, Response(json: .object(json)))]
        }
    }

    private static func request(_ pair: DriverPair, _ option: JSONObject) throws -> Request {
        let origin = "http://\(pair.serverDriver.endpoint)"
        let grant = try OAuthGrant(
            (["token_url": "/token", "client_id": "shop", "client_secret": "s e"] as JSONObject).merging(option),
            from: TargetAddress(origin: origin))
        let head = HTTPRequest(
            method: .get, scheme: "http", authority: "\(pair.serverDriver.endpoint)", path: "/chat")
        return Request(head, handling: RequestHandling(grant: grant))
    }

    private static func statuses(_ pair: DriverPair) -> [Int] {
        pair.client.inputs.map { if case .responded(_, let response) = $0 { response.head.status.code } else { 0 } }
    }

    @Test("a token is asked for once, however many requests wait for it", arguments: Self.all)
    func once(transport: Medium) throws {
        let desk = Desk()
        try DriverPair.play(transport) { pair in
            pair.server.react = desk.react
            let request = try Self.request(pair, ["scope": "chat read"])
            pair.client(.send(ExchangeID(1), request), .send(ExchangeID(2), request)) {
                pair.client.inputs.count == 2
            }
            pair.client(.send(ExchangeID(3), request)) { pair.client.inputs.count == 3 }
            pair.then {
                #expect(Self.statuses(pair) == [200, 200, 200])
                #expect(desk.forms == [["grant_type": "client_credentials", "scope": "chat read"]])
                #expect(desk.headers == ["Basic " + Base64.encode(Array("shop:s%20e".utf8))])
                #expect(desk.tokens == ["Bearer t1", "Bearer t1", "Bearer t1"])
            }
        }
    }

    @Test("a user's password goes along, and the secret into the form if that is wished")
    func password() throws {
        let desk = Desk()
        try DriverPair.play(.memory) { pair in
            pair.server.react = desk.react
            let request = try Self.request(
                pair, ["username": "ada", "password": "pw", "client_auth": "body"])
            pair.client(.send(ExchangeID(1), request)) { pair.client.inputs.count == 1 }
            pair.then {
                #expect(
                    desk.forms == [
                        [
                            "grant_type": "password", "username": "ada", "password": "pw", "client_id": "shop",
                            "client_secret": "s e",
                        ]
                    ])
                #expect(desk.headers == [nil])
            }
        }
    }

    @Test("an expired token is refreshed before it is used")
    func expiry() throws {
        let desk = Desk()
        desk.lifetime = 60
        try DriverPair.play(.memory) { pair in
            pair.server.react = desk.react
            let request = try Self.request(pair, [:])
            pair.client(.send(ExchangeID(1), request), .setTimer("later", .seconds(56))) {
                pair.client.inputs.count == 2
            }
            pair.client(.send(ExchangeID(2), request)) { pair.client.inputs.count == 3 }
            pair.then {
                #expect(desk.forms.map { $0["grant_type"] } == ["client_credentials", "refresh_token"])
                #expect(desk.forms.last?["refresh_token"] == "r1")
                #expect(desk.tokens == ["Bearer t1", "Bearer t2"])
            }
        }
    }

    @Test("a token that a server does not accept any more is replaced once; a second refusal is the answer")
    func rejection() throws {
        let desk = Desk()
        try DriverPair.play(.memory) { pair in
            pair.server.react = { input in
                if case .requested(let id, let request) = input, request.head.path == "/chat" {
                    desk.tokens.append(request.head.headerFields[.authorization] ?? "-")
                    return [.respond(id, Response(text: "no", status: .unauthorized))]
                }
                return desk.react(input)
            }
            pair.client(.send(ExchangeID(1), try Self.request(pair, [:]))) { pair.client.inputs.count == 1 }
            pair.then {
                #expect(Self.statuses(pair) == [401])
                #expect(desk.tokens == ["Bearer t1", "Bearer t2"])
            }
        }
    }

    @Test("a token that is refused fails all who wait for it, and the next request asks again")
    func refusal() throws {
        let desk = Desk()
        desk.refuses = true
        try DriverPair.play(.memory) { pair in
            pair.server.react = desk.react
            let request = try Self.request(pair, [:])
            pair.client(.send(ExchangeID(1), request), .send(ExchangeID(2), request)) {
                pair.client.inputs.count == 2
            }
            pair.then {
                for input in pair.client.inputs {
                    guard case .exchangeFailed(_, let failure) = input else {
                        Issue.record("it came to \(input)")
                        continue
                    }
                    #expect(failure.code == .authorizationFailed)
                    #expect(failure.message.contains("invalid_client"))
                }
                desk.refuses = false
            }
            pair.client(.send(ExchangeID(3), request)) { pair.client.inputs.count == 3 }
            pair.then { #expect(Self.statuses(pair).last == 200) }
        }
    }

    @Test(
        "what is no token is none, and says so",
        arguments: [
            Response(text: "<html>login</html>", status: .ok), Response(text: "", status: .ok),
            Response(json: ["access_token": ""]), Response(json: ["access_token": 7]),
            Response(json: ["access_token": "a\r\nX-Injected: 1"]), Response(json: ["access_token": "a b"]),
            Response(json: ["access_token": "good"], status: .internalServerError), Response(json: [1, 2]),
            Response(text: String(repeating: "[", count: 100_000), status: .ok),
        ])
    func nonsense(answer: Response) throws {
        for transport in [Medium.memory, .memoryInSmallPieces] {
            try Self.refusal(of: answer, over: transport) { failure, desk in
                #expect(failure.status == answer.head.status.code)
                #expect(desk.tokens == [])
            }
        }
    }

    /// Lets a client ask for a token that it does not get.
    ///
    /// - Parameters:
    ///   - answer: What the desk answers.
    ///   - look: Looks at what the client is told.
    private static func refusal(
        of answer: Response, over transport: Medium, _ look: @escaping (TransportFailure, Desk) -> Void
    ) throws {
        let desk = Desk()
        desk.nonsense = answer
        try DriverPair.play(transport) { pair in
            pair.server.react = desk.react
            pair.client(.send(ExchangeID(1), try Self.request(pair, [:]))) { pair.client.inputs.count == 1 }
            pair.then {
                guard case .exchangeFailed(_, let failure)? = pair.client.inputs.first else {
                    Issue.record("it came to \(pair.client.inputs)")
                    return
                }
                #expect(failure.code == .authorizationFailed)
                look(failure, desk)
            }
        }
    }

    @Test(
        "a message says what is wrong with an answer that should give a token",
        arguments: [
            (Response(text: "<html>log in</html>", status: .ok), ", whose body is no JSON object (text/plain"),
            (Response(json: [1]), ", whose body is no JSON object (application/json"),
            (Response(json: ["token_type": "Bearer"]), ", without an access_token"),
            (
                Response(json: ["error": "bad_code", "error_description": "The code has expired."]),
                ", without an access_token: The code has expired."
            ),
            (Response(json: ["error": "bad_code"]), ", without an access_token: bad_code"),
            (Response(json: ["access_token": 7]), ", whose access_token is no text of visible characters"),
            (Response(json: ["access_token": "t1"]), ", without a token_type, which is to be \"Bearer\""),
            (
                Response(json: ["access_token": "t1", "token_type": "mac"]),
                ", whose token_type is \"mac\", not \"Bearer\""
            ),
            (
                Response(json: ["access_token": "t1", "token_type": "Bearer", "expires_in": "soon"]),
                ", whose expires_in is no number of seconds: \"soon\""
            ),
        ])
    func told(answer: Response, problem: String) throws {
        try Self.refusal(of: answer, over: .memory) { failure, _ in
            let begin = "the request for a token was answered with 200 OK\(problem)"
            #expect(failure.message.hasPrefix(begin), "\(failure.message)")
        }
    }

    @Test("a lifetime in a text is one", arguments: [JSONValue.string("3600"), .null])
    func textLifetime(lifetime: JSONValue) throws {
        let desk = Desk()
        desk.nonsense = Response(json: ["access_token": "t1", "token_type": "BEARER", "expires_in": lifetime])
        try DriverPair.play(.memory) { pair in
            pair.server.react = desk.react
            pair.client(.send(ExchangeID(1), try Self.request(pair, [:]))) { pair.client.inputs.count == 1 }
            pair.then { #expect(desk.tokens == ["Bearer t1"]) }
        }
    }

    @Test(
        "a lifetime that cannot be is none",
        arguments: [-1, 0, 1e300, .infinity, 3_155_760_001] as [Double])
    func lifetimes(seconds: Double) throws {
        let desk = Desk()
        desk.nonsense = Response(json: ["access_token": "t1", "token_type": "bearer", "expires_in": .double(seconds)])
        try DriverPair.play(.memory) { pair in
            pair.server.react = desk.react
            pair.client(.send(ExchangeID(1), try Self.request(pair, [:]))) { pair.client.inputs.count == 1 }
            pair.then { #expect(desk.tokens == ["Bearer t1"]) }
        }
    }

    @Test("a desk that gives a token that nobody takes is not asked for ever")
    func useless() throws {
        let desk = Desk()
        desk.nonsense = Response(json: ["access_token": "useless", "token_type": "Bearer"])
        try DriverPair.play(.memory) { pair in
            pair.server.react = desk.react
            pair.client(.send(ExchangeID(1), try Self.request(pair, [:]))) { pair.client.inputs.count == 1 }
            pair.then {
                #expect(Self.statuses(pair) == [401])
                #expect(desk.tokens.count == 2)
            }
        }
    }

    @Test("a request that is canceled while it waits is never sent")
    func canceled() throws {
        let desk = Desk()
        try DriverPair.play(.memory) { pair in
            pair.server.react = desk.react
            pair.client(.send(ExchangeID(1), try Self.request(pair, [:])), .cancel(ExchangeID(1))) {
                pair.clientDriver.isQuiet && desk.forms.count == 1
            }
            pair.then {
                #expect(desk.tokens == [])
                #expect(pair.client.inputs == [])
            }
        }
    }
}
