import JSON
import MachineKit
import Machines
import Testing

@testable import OracleAssistant

@Suite("The parts of a conversation go through their transition tables, and through nothing else")
struct ConversationPartTests {
    @Test("the skill")
    func skill() throws {
        typealias Input = TransitionWalk<SkillPart>.Input
        let table: JSONObject = [
            "states": [
                "start": ["say": "hello", "on": ["more": "more"]], "more": ["run": 1, "on": ["more": "start"]],
            ]
        ]
        func handle(_ input: SkillPart.Input) -> (inout SkillPart) -> Void { { _ = $0.handle(input, profile: [:]) } }
        func changes(_ options: JSONObject, givesAll: Bool = true) throws -> Set<StateChange> {
            TransitionWalk(
                SkillPart(try Skill(options), userID: "u"), state: \.state.rawValue,
                inputs: [
                    Input("received", act: handle(.received(ServerPartFixture.envelope("more")))),
                    Input("nextAsked", act: handle(.nextAsked)),
                    Input("entered with a function", act: handle(.entered("more", by: [:]))),
                    Input("entered", act: handle(.entered("start", by: [:]))),
                    Input("moved", act: handle(.moved(to: "start"))),
                    Input("returned", if: { $0.state == .busy }, act: handle(.returned(.success("words")))),
                    Input("sessionBegan", act: handle(.sessionBegan)),
                ]
            ).changes(givesAll: givesAll)
        }
        #expect(
            try changes(table) == [
                StateChange("idle", "nextAsked", "busy"), StateChange("idle", "entered with a function", "busy"),
                StateChange("busy", "returned", "idle"),
            ])
        #expect(try changes(["echo": true], givesAll: false) == [])
    }

    @Test("a skill says, looks for an agent and ends the session in this order, and a failed function says nothing")
    func answers() throws {
        var part = SkillPart(try Skill(["skill": 1]), userID: "u")
        _ = part.handle(.received(ServerPartFixture.envelope("hi")), profile: [:])
        let asked = part.handle(.nextAsked, profile: [:])
        #expect(asked.first == .reply(to: ServerPartFixture.envelope("hi")))
        let answer: JSONValue = ["messages": "bye", "agent": ["subject": "help"], "end_session": true]
        #expect(
            part.handle(.returned(.success(answer)), profile: [:]) == [
                .say(SkillAnswer("bye").parts), .requestAgent(["subject": "help"]), .endSession,
            ])
        _ = part.handle(.received(ServerPartFixture.envelope("again")), profile: [:])
        _ = part.handle(.nextAsked, profile: [:])
        #expect(part.handle(.returned(.failure(ScriptCallFailure("no"))), profile: [:]) == [])
    }

    @Test("a message for which there is no room while the skill is busy is told to be dropped")
    func fullSkill() throws {
        var part = SkillPart(try Skill(["skill": 1]), userID: "u")
        func receive() -> [ServerAction] { part.handle(.received(ServerPartFixture.envelope("hi")), profile: [:]) }
        for _ in 0..<ServerConversation.limit { #expect(receive().isEmpty) }
        guard case .say(let parts) = receive().first else {
            Issue.record("it is dropped without a word")
            return
        }
        #expect(parts.map { $0.payload["type"] } == ["error"])
        _ = part.handle(.nextAsked, profile: [:])
        #expect(receive().isEmpty)
    }

    @Test("the hand-over")
    func handover() {
        typealias Input = TransitionWalk<HandoverPart>.Input
        func handle(_ input: HandoverPart.Input) -> (inout HandoverPart) -> Void { { _ = $0.handle(input) } }
        func isTalking(_ part: HandoverPart) -> Bool { part.agent != nil }
        let request: JSONObject = ["on": ["rejected": "start"]]
        let walk = TransitionWalk(
            HandoverPart(userID: "u"),
            state: { (isTalking($0) ? "agent" : "skill") + ($0.isWaiting ? ", waiting" : "") },
            inputs: [
                Input("requested", act: handle(.requested(request, ChatEvent(.chatWaiting, [:])))),
                Input("accepted", act: handle(.accepted(by: "Ann", greeting: "Hello"))),
                Input("delayed", if: \.isWaiting, act: handle(.delayed(position: 1, text: nil))),
                Input("rejected", if: \.isWaiting, act: handle(.rejected(text: nil))),
                Input("unavailable", act: handle(.unavailable)),
                Input("sentAway", if: isTalking, act: handle(.sentAway)),
                Input("left", if: isTalking, act: handle(.left(text: nil, state: "start"))),
                Input("chosen", if: isTalking, act: handle(.chosen("rejected"))),
                Input("sessionEnds", act: handle(.sessionEnds)), Input("sessionBegan", act: handle(.sessionBegan)),
            ])
        var expected: Set<StateChange> = [
            StateChange("skill", "requested", "skill, waiting"), StateChange("agent", "requested", "agent, waiting"),
            StateChange("skill", "accepted", "agent"), StateChange("skill, waiting", "accepted", "agent"),
            StateChange("agent, waiting", "accepted", "agent"),
            StateChange("agent, waiting", "sessionBegan", "skill"), StateChange("agent", "sessionBegan", "skill"),
            StateChange("skill, waiting", "sessionBegan", "skill"),
        ]
        for input in ["rejected", "unavailable"] {
            expected.insert(StateChange("skill, waiting", input, "skill"))
            expected.insert(StateChange("agent, waiting", input, "agent"))
        }
        for input in ["sentAway", "left", "chosen", "sessionEnds"] {
            expected.insert(StateChange("agent", input, "skill"))
            expected.insert(StateChange("agent, waiting", input, "skill, waiting"))
        }
        #expect(walk.changes() == expected)
    }

    @Test("who waits is told to all agents, and to the agent alone where there is one already")
    func request() {
        var part = HandoverPart(userID: "u")
        let event = ChatEvent(.chatWaiting, ["user_id": "u"])
        #expect(part.handle(.requested([:], event)) == [.tellAgents(event)])
        _ = part.handle(.accepted(by: "Ann", greeting: nil))
        #expect(part.handle(.requested([:], event)) == [.perform(.emit(party: "Ann", event))])
    }

    @Test("the frames that are to be sent")
    func deliveries() {
        typealias Input = TransitionWalk<DeliveryPart>.Input
        func queue(_ delay: Duration) -> (inout DeliveryPart) -> Void {
            { _ = $0.handle(.queued(DeliveryPart.Delivery(frame: [:], delay: delay, endsSession: false))) }
        }
        let walk = TransitionWalk(
            DeliveryPart(userID: "u", limit: 2), state: { "\($0.count) waiting" },
            inputs: [
                Input("queued without a delay", act: queue(.zero)),
                Input("queued with a delay", act: queue(.seconds(1))), Input("due") { _ = $0.handle(.due) },
                Input("dropped") { _ = $0.handle(.dropped) },
            ])
        #expect(
            walk.changes() == [
                StateChange("1 waiting", "dropped", "0 waiting"), StateChange("2 waiting", "dropped", "0 waiting"),
                StateChange("0 waiting", "queued with a delay", "1 waiting"),
                StateChange("1 waiting", "queued with a delay", "2 waiting"),
                StateChange("1 waiting", "queued without a delay", "2 waiting"),
                StateChange("1 waiting", "due", "0 waiting"), StateChange("2 waiting", "due", "0 waiting"),
                StateChange("2 waiting", "due", "1 waiting"),
            ])
    }

    @Test("an error comes at once in the place of a frame for which there is no room")
    func fullDeliveries() {
        var part = DeliveryPart(userID: "u", limit: 1)
        let frame: JSONObject = ["messagePayload": ["type": "text", "text": "hi"], "msgId": "1"]
        let late = DeliveryPart.Delivery(frame: frame, delay: .seconds(1), endsSession: false)
        #expect(part.handle(.queued(late)).count == 1)
        guard case .deliver(let refusal) = part.handle(.queued(late)).first else {
            Issue.record("it is dropped without a word")
            return
        }
        #expect(refusal.frame["messagePayload"]?["type"] == "error")
        #expect(refusal.frame["msgId"] == "1")
        #expect(part.count == 1)
        #expect(part.handle(.due) == [.deliver(late)])
    }

    @Test("the long polls")
    func longPolls() {
        struct Walked {
            var part = LongPollPart(userID: "u")
            var polls = false
            var last: UInt64 = 0

            mutating func handle(_ input: LongPollPart.Input) { _ = self.part.handle(input) }
        }
        typealias Input = TransitionWalk<Walked>.Input
        let walk = TransitionWalk(
            Walked(), state: { $0.part.state == .idle ? "idle" : "held" },
            inputs: [
                Input("posted") {
                    $0.polls = true
                    $0.handle(.posted)
                },
                Input("joined") {
                    $0.polls = false
                    $0.handle(.joined)
                },
                Input("held") {
                    $0.last += 1
                    $0.handle(.held(ExchangeID($0.last)))
                },
                Input("sent, the client polls", if: \.polls) { $0.handle(.sent("words")) },
                Input("sent, the client has a WebSocket", if: { !$0.polls }) { $0.handle(.sent("words")) },
                Input("holdElapsed") { $0.handle(.holdElapsed) },
                Input("abandoned") { $0.handle(.abandoned(ExchangeID($0.last))) },
                Input("abandoned, another") { $0.handle(.abandoned(ExchangeID(1_000_000))) },
            ])
        #expect(
            walk.changes() == [
                StateChange("idle", "held", "held"), StateChange("held", "sent, the client polls", "idle"),
                StateChange("held", "holdElapsed", "idle"), StateChange("held", "abandoned", "idle"),
            ])
        var part = LongPollPart(userID: "u")
        _ = part.handle(.posted)
        _ = part.handle(.sent("words"))
        #expect(
            part.handle(.held(ExchangeID(1))) == [
                .setTimer(.poll("u"), LongPollPart.hold), .cancelTimer(.poll("u")),
                .respond(ExchangeID(1), Response(json: ["words"])),
            ])
        #expect(part.state == .idle)
    }

    @Test("the rate of messages")
    func rate() {
        struct Walked {
            var part = RateLimitPart()
            var seconds = 0
            var now: Instant { .start + .seconds(self.seconds) }
        }
        typealias Input = TransitionWalk<Walked>.Input
        let names = ["below the limit", "at the limit", "over it"]
        let walk = TransitionWalk(
            Walked(), state: { names[max(0, min($0.part.count(at: $0.now), 3) - 1)] },
            inputs: [
                Input("sent") { $0.part.handle(sentAt: $0.now) }, Input("a second passes") { $0.seconds += 1 },
            ])
        #expect(
            walk.changes() == [
                StateChange("below the limit", "sent", "at the limit"), StateChange("at the limit", "sent", "over it"),
                StateChange("at the limit", "a second passes", "below the limit"),
                StateChange("over it", "a second passes", "below the limit"),
            ])
        var part = RateLimitPart()
        let refused = (0..<4).map { _ in
            defer { part.handle(sentAt: .start) }
            return part.refusal(above: 2, at: .start) != nil
        }
        #expect(refused == [false, false, true, true])
        #expect(part.refusal(above: nil, at: .start) == nil)
        #expect(part.refusal(above: 2, at: .start + .seconds(1)) == nil)
    }
}
