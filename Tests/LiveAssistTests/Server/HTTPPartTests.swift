import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import LiveAssist

@Suite("The short codes and tokens go through their transition tables, and through nothing else")
struct HTTPPartTests {
    /// A part with the clock and what it answered last.
    private struct Walked {
        var part: HTTPPart
        var random = RandomSource(seed: 1)
        var seconds: Int64 = 0
        var last: JSONValue?
        var status = 0
        var code: String?
        var token: String?
        private let engine = TopicEnginePart(grace: .zero)

        init(
            _ access: AssistServer.Access = .enabled, agents: [String: String] = [:],
            tokenLimit: Int = AssistServer.recordLimit
        ) {
            self.part = HTTPPart(access, life: .seconds(3600), agents: agents, tokenLimit: tokenLimit)
        }

        var now: Instant { .start + .seconds(self.seconds) }

        mutating func handle(_ input: HTTPPart.Input) -> [AssistServerAction] {
            let actions = self.part.handle(input, self.engine, at: self.now, random: &self.random)
            if case .answer(let response) = actions.last {
                self.status = response.head.status.code
                self.last = try? JSONReader.read(response.body)
            }
            return actions
        }

        @discardableResult
        mutating func request(
            _ method: HTTPRequest.Method, _ path: String, _ body: String = "", _ fields: HTTPFields = [:]
        ) -> [AssistServerAction] {
            let head = HTTPRequest(
                method: method, scheme: "http", authority: "assist.test", path: path, headerFields: fields)
            return self.handle(.requested(Request(head, body: Array(body.utf8))))
        }

        mutating func redeem(by role: String) {
            self.request(.get, "/assistserver/shortcode/\(role)?appkey=\(self.code ?? "")")
        }
    }

    @Test("a token for which there is no room is not made, and opens no session; one that is over makes room")
    func tokenLimit() {
        var walked = Walked(tokenLimit: 3)
        let logIn = "username=ada&password="
        for _ in 0..<2 { walked.request(.post, "/assistserver/agent", logIn) }
        #expect(walked.status == 200)
        let session = #"{"additionalAttributes":{"AED2.allowedTopic":".*"}}"#
        func refusals() -> [[AssistServerAction]] {
            [
                walked.request(.put, "/assistserver/shortcode/create"),
                walked.request(.post, "/assistserver/agent", logIn),
                walked.request(.post, "/assistserver/agent", logIn),
                walked.request(.post, "/assistserver/consumer", "type=create"),
                walked.request(.post, "/gateway/sessions/session", session),
                walked.request(.put, "/assistserver/shortcode/create"),
            ]
        }
        let statuses = refusals().map { actions -> Int? in
            guard actions.count == 1, case .answer(let response) = actions[0] else { return nil }
            return response.head.status.code
        }
        // The code takes back the one token for which there was room.
        #expect(statuses == [503, 200, 503, 503, 503, 503])
        walked.seconds = 3600
        walked.request(.put, "/assistserver/shortcode/create")
        #expect(walked.status == 200)
    }

    @Test("a short code is for a session with a name of at most 256 bytes")
    func names() {
        for (count, status) in [(0, 400), (1, 200), (256, 200), (257, 400)] {
            var walked = Walked()
            walked.request(.put, "/assistserver/shortcode/create?cid=" + String(repeating: "x", count: count))
            #expect(walked.status == status)
        }
    }

    @Test("a short code")
    func codes() {
        typealias Input = TransitionWalk<Walked>.Input
        func hasCode(_ walked: Walked) -> Bool { walked.code != nil }
        let walk = TransitionWalk(
            Walked(),
            state: { walked in
                let code = walked.code.flatMap { walked.part.codes[$0] }
                return code.map { $0.isOver(at: walked.now) ? "over" : "alive" } ?? "none"
            },
            inputs: [
                Input("requested a code", if: { $0.code == nil }) {
                    $0.request(.put, "/assistserver/shortcode/create")
                    $0.code = $0.last?["shortCode"]?.string
                },
                Input("requested by both", if: hasCode) {
                    $0.redeem(by: "consumer")
                    $0.redeem(by: "agent")
                },
                Input("requested by the consumer", if: hasCode) { $0.redeem(by: "consumer") },
                Input("its life has passed", if: hasCode) { $0.seconds += 300 },
                Input("codesExpired") { _ = $0.handle(.codesExpired) },
            ])
        #expect(
            walk.changes() == [
                StateChange("none", "requested a code", "alive"), StateChange("alive", "requested by both", "over"),
                StateChange("alive", "its life has passed", "over"), StateChange("alive", "codesExpired", "over"),
            ])
        var walked = Walked()
        walked.redeem(by: "agent")
        #expect(walked.status == 404)
        walked.request(.put, "/assistserver/shortcode/create")
        walked.code = walked.last?["shortCode"]?.string
        walked.seconds = 300
        walked.redeem(by: "agent")
        #expect(walked.status == 410)
    }

    @Test("a token")
    func tokens() throws {
        typealias Input = TransitionWalk<Walked>.Input
        let field = try #require(HTTPField.Name("X-Token"))
        let walk = TransitionWalk(
            Walked(), state: { $0.part.tokens.find($0.token, at: $0.now) == nil ? "none" : "valid" },
            inputs: [
                Input("requested a session", if: { $0.token == nil }) {
                    $0.request(.post, "/assistserver/consumer", "type=create")
                    $0.token = $0.last?["token"]?.string
                },
                Input("requested a log-in", if: { $0.token == nil }) {
                    $0.request(.post, "/assistserver/agent", "username=ann")
                    $0.token = $0.last?["token"]?.string
                },
                Input("requested nothing that is there") { $0.request(.get, "/nothing") },
                Input("requested the end of its session", if: { $0.token != nil }) {
                    $0.request(.delete, "/assistserver/consumer", "", [field: $0.token ?? ""])
                },
                Input("its life has passed") { $0.seconds += 3600 },
            ])
        #expect(
            walk.changes() == [
                StateChange("none", "requested a session", "valid"), StateChange("none", "requested a log-in", "valid"),
                StateChange("valid", "requested the end of its session", "none"),
                StateChange("valid", "its life has passed", "none"),
            ])
    }

    @Test("a form that has two fields of one name is refused by that name, and opens nothing")
    func doubleFields() {
        var walked = Walked()
        let actions = walked.request(.post, "/assistserver/consumer", "type=create&username=a&username=b")
        #expect(actions.count == 1 && walked.status == 400)
        #expect(walked.last?.description.contains("username") == true)
        walked.request(.post, "/assistserver/agent", "username=ada&password=x&password=y")
        #expect(walked.status == 400)
        walked.request(.post, "/assistserver/agent", "username=ada&password=x")
        #expect(walked.status == 200)
    }

    @Test("user-to-user information counts in trusted mode alone, and nobody comes in where access is disabled")
    func access() {
        for (access, uui) in [(AssistServer.Access.trusted, "0a0b" as String?), (.enabled, nil)] {
            var walked = Walked(access)
            let actions = walked.request(.post, "/assistserver/consumer", "type=create&username=room&uui=0a0b")
            #expect(actions.first == .openSession("room", uui: uui))
        }
        var closed = Walked(.disabled)
        #expect(closed.request(.post, "/assistserver/consumer", "type=create").count == 1)
        #expect(closed.status == 403)
        _ = closed.handle(.accessSet(.enabled))
        closed.request(.post, "/assistserver/consumer", "type=create")
        #expect(closed.status == 200)
    }

    @Test("an agent whose password is wrong gets no token")
    func logIn() {
        var walked = Walked(agents: ["ann": "secret"])
        walked.request(.post, "/assistserver/agent", "username=ann&password=wrong")
        #expect(walked.status == 401)
        walked.request(.post, "/assistserver/agent", "username=ann&password=secret")
        #expect(walked.status == 200)
    }
}
