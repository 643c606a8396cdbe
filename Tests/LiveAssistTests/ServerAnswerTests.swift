import HTTPTypes
import JSON
import Machines
import Testing

@testable import LiveAssist

@Suite("An answer that lacks what it is for says which request and which member")
struct ServerAnswerTests {
    private static let page = Response(text: "<html>", status: .ok)

    /// The code and the message of the errors among some actions.
    private static func failures(_ actions: [ConsumerAction]) -> [String] {
        actions.compactMap { action in
            guard case .emit(let event) = action, event.kind == .error else { return nil }
            return "\(event.fields["code"] ?? .null) \(event.fields["message"]?.string ?? "")"
        }
    }

    @Test(
        "A session is made by an answer with its address and its token, and is the one that was asked for",
        arguments: [
            (Response(json: ["address": "room"]), "POST /assistserver/consumer cannot be read: it has no token"),
            (Response(json: ["address": "room", "token": ""]), "its token is not a text that a URL takes"),
            (Response(json: ["address": "room", "token": "a b"]), "its token is not a text that a URL takes"),
            (Response(json: ["address": 5, "token": "t"]), "its address is not a text"),
            (Response(json: ["address": "else", "token": "t"]), "the session \"else\", and \"room\" was asked for"),
            (Self.page, "POST /assistserver/consumer cannot be read: it is no JSON"),
            (Response(text: "no", status: .forbidden), "refused POST /assistserver/consumer with 403"),
        ])
    func session(answer: Response, message: String) throws {
        let client = ClientConfiguration(origin: CobrowseFixture.origin, target: [:], options: [:])
        let link = TopicLink(rules: .iOS, intervals: [], limits: [])
        var part = try SupportPart(client, base: ["correlationId": "room"])
        _ = part.handle(.started(nil), link)
        let failures = Self.failures(part.handle(.sessionAnswered(answer), link))
        #expect(failures.count == 1 && failures.first?.hasPrefix("30101 ") == true)
        #expect(failures.first?.contains(message) == true, "\(failures)")
        #expect(part.state == .idle && part.cid.isEmpty && part.token.isEmpty)
    }

    @Test("Without a correlation id of its own a consumer takes the session that the server makes")
    func anySession() throws {
        let client = ClientConfiguration(origin: CobrowseFixture.origin, target: [:], options: [:])
        let link = TopicLink(rules: .iOS, intervals: [], limits: [])
        var part = try SupportPart(client, base: ["destination": "sales"])
        _ = part.handle(.started(nil), link)
        let answer = Response(json: ["address": "else", "token": "t", "scaleFactor": 2])
        #expect(Self.failures(part.handle(.sessionAnswered(answer), link)).isEmpty)
        #expect(part.cid == "else" && part.state == .calling)
    }

    @Test(
        "A short code is made by an answer that has one, and redeemed by one with its session and token",
        arguments: [
            (nil, Response(json: [:]), "PUT /assistserver/shortcode/create cannot be read: it has no shortCode"),
            (nil, Response(json: ["shortCode": 5]), "its shortCode is not a text"),
            (nil, Response(json: ["shortCode": .null]), "it has no shortCode"),
            (nil, Self.page, "PUT /assistserver/shortcode/create cannot be read: it is no JSON"),
            (
                "1", Response(json: ["cid": "room"]),
                "GET /assistserver/shortcode/consumer cannot be read: it has no session-token"
            ),
            ("1", Response(json: ["cid": 5, "session-token": "t"]), "its cid is not a text"),
            ("1", Response(json: ["cid": "", "session-token": "t"]), "its cid is not a text with something in it"),
            ("1", Response(text: "", status: .gone), "refused GET /assistserver/shortcode/consumer with 410"),
        ] as [(String?, Response, String)])
    func shortCode(redeemed: String?, answer: Response, message: String) throws {
        let client = ClientConfiguration(origin: CobrowseFixture.origin, target: [:], options: [:])
        let origin = try Origin(client, server: "")
        var part = ShortCodePart()
        let actions = part.handle(.answered(answer, code: redeemed), origin, auditName: "")
        #expect(actions.count == 2)
        #expect(Self.failures(actions).first?.hasPrefix("30101 ") == true)
        #expect(Self.failures(actions).first?.contains(message) == true, "\(actions)")
    }

    @Test(
        "An agent whose log-in, short code or token is answered with nothing is told, and is where it was",
        arguments: [
            ("log_in", ["username": "ann"], [:], 1, "POST /assistserver/agent cannot be read: it has no token"),
            ("join", ["short_code": "1"], ["cid": 5], 6, "shortcode/agent cannot be read: its cid is not a text"),
            (
                "join", ["short_code": "1"], ["cid": "c", "session-token": 1], 6,
                "shortcode/agent cannot be read: its session-token is not a text"
            ),
            (
                "join", ["correlation_id": "c"], [:], 6,
                "POST /gateway/sessions/session cannot be read: it has no sessionid"
            ),
        ] as [(String, JSONObject, JSONValue, JSONValue, String)])
    func agent(
        method: String, arguments: JSONObject, answer: JSONValue, code: JSONValue, message: String
    ) throws {
        let configuration = ClientConfiguration(origin: "http://assist.test", target: [:], options: ["role": "agent"])
        var agent = KeyedClientAdapter(try AgentClient(configuration))
        var step = ClientStep(now: .start, random: RandomSource(seed: 1))
        _ = agent.perform(Command(method, arguments), in: &step)
        guard case .send(let exchange, _)? = step.effects.first else {
            Issue.record("nobody was asked: \(step.effects)")
            return
        }
        step = ClientStep(now: .start, random: RandomSource(seed: 1))
        agent.handle(.responded(exchange, Response(json: answer)), in: &step)
        let errors = step.effects.compactMap { effect -> ChatEvent? in
            guard case .emit(let event) = effect, event.kind == .error else { return nil }
            return event
        }
        #expect(errors.map { $0.fields["code"] } == [code])
        #expect(errors.first?.fields["message"]?.string?.contains(message) == true, "\(errors)")
        #expect(step.effects.count == 1 && agent.properties["state"] == "idle")
    }
}
