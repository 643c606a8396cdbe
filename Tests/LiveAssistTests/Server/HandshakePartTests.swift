import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import LiveAssist

@Suite("The handshakes go through their transition table, and through nothing else")
struct HandshakePartTests {
    private static let client = ConnectionID(1)

    /// A part beside a token of an agent for one session, with the clock.
    private struct Walked {
        var part = HandshakePart()
        var tokens = SessionTokens(life: .seconds(60))
        var seconds: Int64 = 0
        let token: String

        init(_ metadata: JSONObject = ["username": "ann"]) {
            var random = RandomSource(seed: 1)
            let token = self.tokens.make(metadata, allowedTopic: "room", cid: nil, at: .start, random: &random)
            self.token = token ?? "none"
        }

        mutating func ask(_ path: String, _ query: String = "") -> [AssistServerAction] {
            let head = HTTPRequest(
                method: .get, scheme: "http", authority: "assist.test", path: "\(path)?sessionId=\(self.token)\(query)",
                headerFields: [.cookie: "a=1"])
            return self.part.handle(
                .asked(HandshakePartTests.client, head), self.tokens, at: .start + .seconds(self.seconds))
        }

        mutating func refuse(_ count: Int64, _ status: Int = 503) {
            _ = self.part.handle(.refusalsSet(count: count, status: status), self.tokens, at: .start)
        }
    }

    private static let topics = (path: "/assistserver/topic", query: "&topic=room&appkey=room")

    /// The status that a handshake is refused with; nil if it is not.
    private static func status(_ actions: [AssistServerAction]) -> Int? {
        guard case .perform(.refuse(Self.client, let response)) = actions.first else { return nil }
        return response.head.status.code
    }

    @Test("what the script refuses")
    func refusals() {
        typealias Input = TransitionWalk<Walked>.Input
        let walk = TransitionWalk(
            Walked(), state: \.part.state.rawValue,
            inputs: [
                Input("asked for the topics") { _ = $0.ask(Self.topics.path, Self.topics.query) },
                Input("asked for calls") { _ = $0.ask("/gateway/call", "&cid=room") },
                Input("asked for the desk") { _ = $0.ask("/gateway/agent") },
                Input("refusalsSet to some") { $0.refuse(1) }, Input("refusalsSet to none") { $0.refuse(0) },
            ])
        #expect(
            walk.changes() == [
                StateChange("open", "refusalsSet to some", "refusing"),
                StateChange("refusing", "asked for the topics", "open"),
                StateChange("refusing", "refusalsSet to none", "open"),
            ])
        var walked = Walked()
        walked.refuse(2, 429)
        #expect(Self.status(walked.ask(Self.topics.path, Self.topics.query)) == 429)
        walked.refuse(1, 0)
        #expect(walked.ask(Self.topics.path, Self.topics.query).isEmpty)
        #expect(walked.part.last.isEmpty)
    }

    @Test("a token opens the session that it was made for, and no other")
    func topics() {
        var walked = Walked()
        #expect(
            walked.ask(Self.topics.path, Self.topics.query) == [
                .join(Self.client, cid: "room", token: walked.token, metadata: ["username": "ann"])
            ])
        #expect(
            walked.part.last == ["path": "/assistserver/topic", "cookie": "a=1", "metadata": ["username": "ann"]])
        for query in ["&topic=hall&appkey=hall", "&topic=room&appkey=hall", "&topic=&appkey=", ""] {
            #expect(Self.status(walked.ask(Self.topics.path, query)) == 403, "\(query)")
        }
        walked.seconds = 60
        #expect(Self.status(walked.ask(Self.topics.path, Self.topics.query)) == 403)
    }

    @Test("calls take a token of their session, the desk one of an agent")
    func gateway() {
        var walked = Walked()
        guard case .placeCall(Self.client, let query) = walked.ask("/gateway/call", "&cid=room&destination=ann").first
        else {
            Issue.record("the call is not placed")
            return
        }
        #expect(query["destination"] == "ann")
        #expect(walked.ask("/gateway/agent") == [.goOnDuty(Self.client, agent: "ann")])
        #expect(Self.status(walked.ask("/gateway/call", "&cid=hall")) == 403)
        #expect(Self.status(walked.ask("/gateway/call")) == 403)
        var consumer = Walked([:])
        #expect(Self.status(consumer.ask("/gateway/agent")) == 403)
        #expect(Self.status(consumer.ask("/elsewhere")) == 404)
        walked.seconds = 60
        #expect(Self.status(walked.ask("/gateway/call", "&cid=room")) == 403)
        #expect(Self.status(walked.ask("/gateway/agent")) == 403)
    }
}
