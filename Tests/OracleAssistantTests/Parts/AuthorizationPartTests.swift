import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import OracleAssistant

@Suite("The requests that go out with a token go through their transition table")
struct AuthorizationPartTests {
    private static let exchange = OracleKeys.Exchange.upload(1)

    private static func request(token: String?) -> Request {
        var head = HTTPRequest(method: .post, scheme: "https", authority: "a.test", path: "/")
        if let token { head.headerFields[.authorization] = "Bearer \(token)" }
        return Request(head)
    }

    private static let refused = Result<Response, TransportFailure>.success(
        Response(error: "no", .unauthorized))

    private func part() throws -> AuthorizationPart {
        let options: JSONObject = ["channel_id": "c", "token_fixture": ["secret": "s"]]
        return AuthorizationPart(
            try ClientSettings(ClientConfiguration(origin: "https://a.test", target: [:], options: options)))
    }

    @Test("a request")
    func request() throws {
        typealias Input = TransitionWalk<AuthorizationPart>.Input
        /// Told apart by what follows next; a request that was repeated is told like one that is over.
        func state(_ part: AuthorizationPart) -> String {
            var copy = part
            if !copy.handle(.tokenCame(nil), token: nil).isEmpty { return "waiting" }
            copy = part
            let actions = copy.handle(.answered(Self.exchange, Self.refused), token: "t")
            return actions == [.askForToken(forgetting: true)] ? "sent" : "over"
        }
        func asked(_ name: String, with own: String?, token: String?) -> Input {
            Input(name, if: { state($0) == "over" }) {
                _ = $0.handle(.asked(Self.exchange, Self.request(token: own)), token: token)
            }
        }
        func input(_ name: String, if isPossible: String, _ input: AuthorizationPart.Input) -> Input {
            Input(name, if: { state($0) == isPossible }) { _ = $0.handle(input, token: "t") }
        }
        let walk = TransitionWalk(
            try self.part(), state: state,
            inputs: [
                asked("asked without a token", with: nil, token: nil), asked("asked, good", with: "old", token: "t"),
                asked("asked otherwise", with: "old", token: nil),
                input("tokenCame", if: "waiting", .tokenCame("t")),
                input("tokenCame with none", if: "waiting", .tokenCame(nil)),
                input("answered 401", if: "sent", .answered(Self.exchange, Self.refused)),
                input("answered otherwise", if: "sent", .answered(Self.exchange, .success(Response(json: [:])))),
                Input("abandoned") { _ = $0.handle(.abandoned(Self.exchange), token: nil) },
                Input("abandoned, another one") { _ = $0.handle(.abandoned(.upload(2)), token: nil) },
                Input("stopped") { _ = $0.handle(.stopped, token: nil) },
            ])
        #expect(
            walk.changes() == [
                StateChange("over", "asked, good", "sent"), StateChange("over", "asked otherwise", "waiting"),
                StateChange("waiting", "tokenCame", "sent"), StateChange("waiting", "tokenCame", "over"),
                StateChange("waiting", "tokenCame with none", "over"), StateChange("sent", "answered 401", "waiting"),
                StateChange("sent", "answered otherwise", "over"), StateChange("waiting", "stopped", "over"),
                StateChange("sent", "stopped", "over"), StateChange("waiting", "abandoned", "over"),
                StateChange("sent", "abandoned", "over"),
            ])
    }

    @Test("without a token a request goes out as it is, and with a good one at once")
    func sent() throws {
        var part = try self.part()
        let bare = Self.request(token: nil)
        #expect(part.handle(.asked(Self.exchange, bare), token: nil) == [.release(Self.exchange, bare)])
        #expect(
            part.handle(.asked(Self.exchange, Self.request(token: "old")), token: "new")
                == [.release(Self.exchange, Self.request(token: "new"))])
    }

    @Test("a request waits for a token, and is answered with 401 if none can be had")
    func waiting() throws {
        var part = try self.part()
        let old = Self.request(token: "old")
        #expect(part.handle(.asked(Self.exchange, old), token: nil) == [.askForToken(forgetting: false)])
        #expect(
            part.handle(.tokenCame("new"), token: "new") == [.release(Self.exchange, Self.request(token: "new"))])
        _ = part.handle(.asked(.voices(1), old), token: nil)
        let told = part.handle(.tokenCame(nil), token: nil)
        guard case .answered(.voices(1), .success(let response))? = told.first else {
            Issue.record("nobody is told")
            return
        }
        #expect(response.head.status == .unauthorized)
    }

    @Test("a 401 is asked for once more with a new token, and then told")
    func repeated() throws {
        var part = try self.part()
        _ = part.handle(.asked(Self.exchange, Self.request(token: "old")), token: "old")
        #expect(part.handle(.answered(Self.exchange, Self.refused), token: "old") == [.askForToken(forgetting: true)])
        #expect(
            part.handle(.tokenCame("new"), token: "new") == [.release(Self.exchange, Self.request(token: "new"))])
        #expect(
            part.handle(.answered(Self.exchange, Self.refused), token: "new")
                == [.answered(Self.exchange, Self.refused)])
    }

    @Test("a recording proves whose it is when there is a token; what waited is forgotten at the end")
    func recordings() throws {
        var part = try self.part()
        #expect(part.handle(.proofAsked(recording: 3), token: "t") == [.beginRecording(3, token: "t")])
        #expect(part.handle(.proofAsked(recording: 4), token: nil) == [.askForToken(forgetting: false)])
        #expect(part.handle(.tokenCame("t"), token: "t") == [.beginRecording(4, token: "t")])
        _ = part.handle(.proofAsked(recording: 5), token: nil)
        #expect(part.handle(.stopped, token: nil).isEmpty)
        #expect(part.handle(.tokenCame("t"), token: "t").isEmpty)
    }
}
