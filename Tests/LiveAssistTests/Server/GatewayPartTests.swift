import JSON
import MachineKit
import Machines
import Testing

@testable import LiveAssist

@Suite("The gateway of calls and the late frames go through their transition tables, and through nothing else")
struct GatewayPartTests {
    private static let caller = ConnectionID(1)
    private static let agent = ConnectionID(2)
    private static let busy = ConnectionID(3)

    private static func call(from connection: ConnectionID, to destination: String = "ann") -> GatewayPart.Input {
        .callAsked(connection, ["cid": "assist-1", "destination": destination])
    }

    private static func said(_ action: String, call: Int64, by connection: ConnectionID) -> GatewayPart.Input {
        let value: JSONValue = ["call": .integer(call), "action": .string(action)]
        return .said(connection, .text(value.description))
    }

    @Test("a call to an agent on duty")
    func agentCall() {
        struct Walked {
            var part = GatewayPart(.answer, ringLimit: .seconds(30))
            var call: Int64 = 0

            mutating func place() {
                self.call += 1
                _ = self.part.handle(GatewayPartTests.call(from: GatewayPartTests.caller))
            }

            mutating func say(_ action: String) {
                _ = self.part.handle(
                    GatewayPartTests.said(action, call: self.call, by: GatewayPartTests.agent))
            }
        }
        typealias Input = TransitionWalk<Walked>.Input
        func isOpen(_ walked: Walked) -> Bool { walked.part.latest != nil }
        var start = Walked()
        _ = start.part.handle(.dutyAsked(Self.agent, agent: "ann"))
        let walk = TransitionWalk(
            start, state: { $0.part.latest?.rawValue ?? "none" },
            inputs: [
                Input("callAsked", if: { !isOpen($0) }) { $0.place() },
                Input("said answer") { $0.say("answer") }, Input("said reject") { $0.say("reject") },
                Input("said hang_up") { $0.say("hang_up") }, Input("said otherwise") { $0.say("sing") },
                Input("said by another") {
                    _ = $0.part.handle(Self.said("hang_up", call: $0.call, by: Self.busy))
                },
                Input("ringOver") { _ = $0.part.handle(.ringOver($0.call)) },
                Input("closed of the caller") { _ = $0.part.handle(.closed(Self.caller)) },
                Input("closed of another") { _ = $0.part.handle(.closed(Self.busy)) },
                Input("statusSet") { _ = $0.part.handle(.statusSet(.alerting, nil)) },
            ])
        var expected: Set<StateChange> = [
            StateChange("none", "callAsked", "ringing"), StateChange("ringing", "said answer", "inCall"),
            StateChange("ringing", "said reject", "none"), StateChange("ringing", "statusSet", "alerting"),
            StateChange("inCall", "statusSet", "alerting"), StateChange("ringing", "ringOver", "none"),
            StateChange("alerting", "ringOver", "none"),
        ]
        for state in ["ringing", "inCall", "alerting"] {
            expected.insert(StateChange(state, "said hang_up", "none"))
            expected.insert(StateChange(state, "closed of the caller", "none"))
        }
        #expect(walk.changes() == expected)
    }

    @Test("a call to an agent who is busy waits until the agent is free")
    func queue() {
        var part = GatewayPart(.answer, ringLimit: .seconds(30))
        _ = part.handle(.dutyAsked(Self.agent, agent: "ann"))
        _ = part.handle(Self.call(from: Self.busy))
        _ = part.handle(Self.call(from: Self.caller))
        #expect(part.latest == .queued)
        let freed = part.handle(Self.said("hang_up", call: 1, by: Self.agent))
        #expect(part.latest == .ringing)
        let offered = freed.contains { action in
            if case .offer(let call, _, Self.agent) = action { call["call"] == 2 } else { false }
        }
        #expect(offered)
    }

    @Test("a call to nobody on duty goes as the server's option says", arguments: GatewayPart.Answer.allCases)
    func options(answer: GatewayPart.Answer) {
        var part = GatewayPart(answer, ringLimit: .seconds(30))
        let said = part.handle(Self.call(from: Self.caller, to: "nobody")).compactMap { action -> String? in
            guard case .perform(.transmit(_, .text(let text))) = action else { return nil }
            return (try? JSONReader.read(text))?["status"]?.string
        }
        let expected: [GatewayPart.Answer: [CallStatus]] = [
            .answer: [.setup, .alerting, .ringing, .mediaPending, .inCall], .busy: [.setup, .busy],
            .notFound: [.setup, .notFound], .fail: [.setup, .error], .timeout: [.setup, .alerting, .ringing],
            .script: [.setup, .alerting, .ringing],
        ]
        #expect(said == expected[answer]?.map(\.rawValue))
    }

    @Test("the late frames")
    func lateFrames() {
        struct Walked {
            var part = LateFramePart(latency: .zero)
            var engine = TopicEnginePart(grace: .zero)
            var waiting: [UInt64] = []

            mutating func handle(_ input: LateFramePart.Input) {
                for effect in self.part.handle(input) {
                    if case .setTimer(.frame(let number), _) = effect { self.waiting.append(number) }
                }
            }
        }
        typealias Input = TransitionWalk<Walked>.Input
        func send(_ latency: Duration) -> (inout Walked) -> Void {
            { walked in
                walked.handle(.latencySet(latency))
                walked.handle(.sent(TopicFrame(.pong, topic: 0), to: Self.agent))
            }
        }
        let walk = TransitionWalk(
            Walked(), state: { $0.part.delayed.isEmpty ? "prompt" : "late" },
            inputs: [
                Input("sent without latency", act: send(.zero)),
                Input("sent with latency", if: { $0.waiting.isEmpty }, act: send(.seconds(1))),
                Input("due", if: { !$0.waiting.isEmpty }) { $0.handle(.due($0.waiting.removeLast(), $0.engine)) },
                Input("due of nothing") { $0.handle(.due(1_000_000, $0.engine)) },
            ])
        #expect(
            walk.changes() == [
                StateChange("prompt", "sent with latency", "late"), StateChange("late", "due", "prompt"),
            ])
    }

    @Test("a late frame goes out only to who is there still")
    func goneConnection() {
        var engine = TopicEnginePart(grace: .zero)
        _ = engine.handle(.joinAsked(Self.agent, cid: "assist-1", token: "t", metadata: [:]))
        for isThere in [true, false] {
            if !isThere { _ = engine.handle(.lost(Self.agent)) }
            var part = LateFramePart(latency: .seconds(1))
            #expect(
                part.handle(.sent(TopicFrame(.pong, topic: 0), to: Self.agent)) == [.setTimer(.frame(1), .seconds(1))])
            #expect(part.handle(.due(1, engine)).isEmpty == !isThere)
        }
    }
}
