import JSON
import MachineKit
import Machines
import Testing

@testable import LiveAssist

@Suite("The topic engine goes through its transition tables, and through nothing else")
struct TopicEnginePartTests {
    private static let owner = ConnectionID(1)
    private static let other = ConnectionID(2)
    private static let again = ConnectionID(3)
    private static let cid = "assist-1"

    private static func join(_ connection: ConnectionID, _ token: String) -> TopicEnginePart.Input {
        .joinAsked(connection, cid: Self.cid, token: token, metadata: ["role": .string(token)])
    }

    private static func frame(_ frame: TopicFrame, from connection: ConnectionID) -> TopicEnginePart.Input {
        .received(connection, .binary(frame.bytes))
    }

    private static func number(_ connection: ConnectionID, _ part: TopicEnginePart) -> UInt16 {
        part[Self.cid]?.member(at: connection)?.id ?? 0
    }

    @Test("the participants")
    func participants() {
        typealias Input = TransitionWalk<TopicEnginePart>.Input
        let walk = TransitionWalk(
            TopicEnginePart(grace: .seconds(60)),
            state: { part in
                part.has(Self.owner) ? "inside" : part.has(Self.again) ? "inside under another connection" : "outside"
            },
            inputs: [
                Input("opened") { _ = $0.handle(.opened(Self.cid, uui: nil)) },
                Input("joinAsked", if: { !$0.has(Self.owner) }) { _ = $0.handle(Self.join(Self.owner, "owner")) },
                Input("joinAsked by another", if: { !$0.has(Self.other) }) {
                    _ = $0.handle(Self.join(Self.other, "other"))
                },
                Input("joinAsked with its token", if: { $0.has(Self.owner) }) {
                    _ = $0.handle(Self.join(Self.again, "owner"))
                },
                Input("received that it leaves") {
                    _ = $0.handle(Self.frame(TopicFrame(.leaveTopic, topic: 0), from: Self.owner))
                },
                Input("received otherwise") {
                    _ = $0.handle(Self.frame(TopicFrame(.sendMessage, topic: 0), from: Self.owner))
                },
                Input("received no frame") { _ = $0.handle(.received(Self.owner, .text("?"))) },
                Input("lost") { _ = $0.handle(.lost(Self.owner)) },
                Input("lost, the other connection") { _ = $0.handle(.lost(Self.again)) },
                Input("ended") { _ = $0.handle(.ended(Self.cid)) },
            ])
        #expect(
            walk.changes() == [
                StateChange("outside", "joinAsked", "inside"),
                StateChange("inside under another connection", "joinAsked", "inside"),
                StateChange("inside", "joinAsked with its token", "inside under another connection"),
                StateChange("inside", "received that it leaves", "outside"), StateChange("inside", "lost", "outside"),
                StateChange("inside under another connection", "lost, the other connection", "outside"),
                StateChange("inside", "ended", "outside"),
                StateChange("inside under another connection", "ended", "outside"),
            ])
    }

    @Test("a topic")
    func topics() {
        struct Walked {
            var part = TopicEnginePart(grace: .seconds(60))
            var grace: UInt64?

            mutating func handle(_ input: TopicEnginePart.Input) {
                for action in self.part.handle(input) {
                    if case .perform(.setTimer(.grace(let number), _)) = action { self.grace = number }
                }
            }
        }
        typealias Input = TransitionWalk<Walked>.Input
        func topic(_ walked: Walked) -> AssistSession.Topic? { walked.part[Self.cid]?.topics.values.first }
        func isOrphaned(_ walked: Walked) -> Bool {
            topic(walked).map { walked.part[Self.cid]?.member($0.owner) == nil } ?? false
        }
        func close(from connection: ConnectionID) -> (inout Walked) -> Void {
            { walked in
                let frame = TopicFrame(.closeTopic, topic: topic(walked)?.id ?? 0)
                walked.handle(Self.frame(frame, from: connection))
            }
        }
        // Another participant is always there, so that the session does not go with its topics.
        var start = Walked()
        start.handle(Self.join(Self.other, "other"))
        start.handle(Self.join(Self.owner, "owner"))
        let walk = TransitionWalk(
            start, state: { topic($0) == nil ? "none" : isOrphaned($0) ? "orphaned" : "open" },
            inputs: [
                Input("received that it is opened", if: { topic($0) == nil }) {
                    $0.handle(Self.frame(.openPrivate(parent: 0, metadata: [:]), from: Self.owner))
                },
                Input("received from its owner that it is closed", act: close(from: Self.owner)),
                Input("received from another that it is closed", act: close(from: Self.other)),
                Input("joinAsked by its owner", if: { !$0.part.has(Self.owner) }) {
                    $0.handle(Self.join(Self.owner, "owner"))
                },
                Input("lost, its owner") { $0.handle(.lost(Self.owner)) },
                Input("graceOver", if: isOrphaned) { if let grace = $0.grace { $0.handle(.graceOver(grace)) } },
            ])
        #expect(
            walk.changes() == [
                StateChange("none", "received that it is opened", "open"),
                StateChange("open", "received from its owner that it is closed", "none"),
                StateChange("open", "lost, its owner", "orphaned"),
                StateChange("orphaned", "joinAsked by its owner", "open"),
                StateChange("orphaned", "graceOver", "none"),
            ])
    }

    @Test("a private topic is entered by those whom its owner allows, and by nobody else")
    func permission() {
        var part = TopicEnginePart(grace: .seconds(60))
        _ = part.handle(Self.join(Self.owner, "owner"))
        _ = part.handle(Self.join(Self.other, "other"))
        _ = part.handle(Self.frame(.openPrivate(parent: 0, metadata: [:]), from: Self.owner))
        let other = Self.number(Self.other, part)
        let enter = Self.frame(TopicFrame(.joinTopic, topic: 1), from: Self.other)
        #expect(part.handle(enter) == [.ignore])
        let allow = Self.frame(.permission(topic: 1, target: other, .allowed), from: Self.owner)
        #expect(part.handle(Self.frame(.permission(topic: 1, target: other, .allowed), from: Self.other)) == [.ignore])
        #expect(part.handle(allow).count == 1)
        #expect(!part.handle(enter).contains(.ignore))
        #expect(part[Self.cid]?.topics[1]?.members.contains(other) == true)
    }

    @Test("permissions of a new topic are for those who are there")
    func permissionsOfNobody() {
        var part = TopicEnginePart(grace: .seconds(60))
        _ = part.handle(Self.join(Self.owner, "owner"))
        _ = part.handle(Self.join(Self.other, "other"))
        let other = Self.number(Self.other, part)
        var payload: [UInt8] = []
        let targets = [other, 999, 1000]
        payload.append(unsigned: UInt16(targets.count))
        for target in targets {
            payload.append(unsigned: target)
            payload.append(unsigned: TopicPermission.allowed.rawValue)
        }
        let frame = TopicFrame(.openPrivateTopic, topic: 0, payload: payload + Array("{}".utf8))
        let actions = part.handle(Self.frame(frame, from: Self.owner))
        #expect(part[Self.cid]?.topics[1]?.permissions == [other: .allowed])
        #expect(actions.count { $0 == .ignore } == 1)
        #expect(actions.count == 3)
    }

    @Test(
        "topics are gone through as deep as clients nest them, each before those below it", .timeLimit(.minutes(1)))
    func deepTopics() {
        var session = AssistSession(cid: Self.cid)
        func add(below parent: UInt16) {
            session.add(
                AssistSession.Topic(
                    id: session.nextTopic(), parent: parent, owner: 1, ownerToken: "owner", metadata: [:],
                    isPrivate: false))
        }
        let last = UInt16(AssistSession.topicLimit)
        for parent in 0..<(last - 2) { add(below: parent) }
        add(below: 1)
        add(below: 0)
        #expect(session.tree(1) == Array(1..<last))
        #expect(session.below(1).map(\.id) == [2, last - 1] && session.below(0).map(\.id) == [1, last])
        session.removeTree(2)
        #expect(session.topics.keys.sorted() == [1, last - 1, last] && session.tree(1) == [1, last - 1])
        session.removeTree(1)
        #expect(session.below(0).map(\.id) == [last] && session.below(1).isEmpty)
    }

    @Test("all topics of an owner who stays away go with the grace, and those of others stay")
    func grace() {
        var part = TopicEnginePart(grace: .seconds(60))
        _ = part.handle(Self.join(Self.owner, "owner"))
        _ = part.handle(Self.join(Self.other, "other"))
        for parent in [0, 1, 0] as [UInt16] {
            _ = part.handle(Self.frame(TopicFrame(.openTopic, topic: parent, json: [:]), from: Self.owner))
        }
        _ = part.handle(Self.frame(TopicFrame(.openTopic, topic: 0, json: [:]), from: Self.other))
        #expect(part[Self.cid]?.topics.count == 4)
        _ = part.handle(.lost(Self.owner))
        _ = part.handle(.graceOver(1))
        #expect(part[Self.cid]?.below(0).map(\.id) == [4] && part[Self.cid]?.topics.count == 1)
    }
}
