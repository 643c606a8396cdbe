import JSON
import MachineKit
import Machines
import Testing

@testable import LiveAssist

@Suite("The permission of agents to see the screen")
struct ScreenPermissionPartTests {
    @Test("goes through its table, and through nothing else")
    func table() throws {
        typealias Input = TransitionWalk<ScreenPermissionPart>.Input
        let options: JSONObject = ["agentCobrowseDelegate": true]
        let context = try CobrowseFixture.context(options)
        let bare = try CobrowseFixture.context(options, topics: [])
        func state(_ part: ScreenPermissionPart) -> String {
            guard let agent = part.agents[2] else { return "absent" }
            if agent.isCobrowsing { return "watching" }
            return agent.isAllowed ? "admitted" : part.isApproved(2) ? "approved" : "present"
        }
        func input(
            _ name: String, if isPossible: @escaping (ScreenPermissionPart) -> Bool = { _ in true },
            in place: CobrowseContext? = nil, _ input: ScreenPermissionPart.Input
        ) -> Input {
            Input(name, if: isPossible) { _ = $0.handle(input, place ?? context) }
        }
        let topic = try #require(context.directory.screen)
        let walk = TransitionWalk(
            ScreenPermissionPart(), state: state,
            inputs: [
                input(
                    "joinedSession", if: { state($0) == "absent" },
                    .joinedSession(CobrowseFixture.participant)),
                input("leftSession", .leftSession(2)), input("requested", .requested(2)),
                input("answered yes", .answered(true, agent: nil)),
                input(
                    "answered yes without a topic", if: { state($0) == "present" }, in: bare,
                    .answered(true, agent: nil)),
                input("answered no", .answered(false, agent: nil)), input("joinedScreen", .joinedScreen(2)),
                input("leftScreen", .leftScreen(2)), input("screenOpened", .screenOpened(topic)),
                input("screenClosed", .screenClosed), input("readmitted", .readmitted(2)),
                input("topicOpened", .topicOpened(topic)), input("relisted", .relisted),
                input("sessionBegan", .sessionBegan), input("sessionEnded", .sessionEnded),
            ])
        let present = ["present", "approved", "admitted", "watching"]
        var expected: Set = [
            StateChange("absent", "joinedSession", "present"),
            StateChange("absent", "joinedSession", "approved"),
            StateChange("present", "answered yes", "admitted"),
            StateChange("approved", "answered yes", "admitted"),
            StateChange("present", "answered yes without a topic", "approved"),
            StateChange("approved", "requested", "admitted"),
            StateChange("approved", "readmitted", "admitted"),
            StateChange("approved", "answered no", "present"),
            StateChange("admitted", "answered no", "present"),
            StateChange("watching", "answered no", "present"),
            StateChange("admitted", "joinedScreen", "watching"),
            StateChange("admitted", "leftScreen", "present"),
            StateChange("watching", "leftScreen", "present"),
            StateChange("watching", "screenClosed", "present"),
        ]
        for state in present {
            for end in ["leftSession", "sessionBegan", "sessionEnded"] {
                expected.insert(StateChange(state, end, "absent"))
            }
        }
        #expect(walk.changes(steps: 40_000) == expected)
    }

    @Test("a request that comes while there is no screen topic is one, and a refusal of it is told")
    func requestWithoutTopic() throws {
        let options: JSONObject = ["agentCobrowseDelegate": true]
        let bare = try CobrowseFixture.context(options, topics: [])
        var part = ScreenPermissionPart()
        _ = part.handle(.joinedSession(CobrowseFixture.participant), bare)
        let asked = part.handle(.requested(2), bare)
        #expect(asked.count == 1)
        #expect(part.handle(.answered(false, agent: nil), bare) == [.tell(["type": "rejectScreenShare"])])
        // The topic was there and is gone: it is opened again, once for the request.
        let topic = try #require(try CobrowseFixture.context(options).directory.screen)
        _ = part.handle(.screenOpened(topic), bare)
        #expect(part.handle(.requested(2), bare) == [.openScreenTopic] + asked)
    }

    @Test("an agent who is let in without a permission is sent away, and sees nothing")
    func intruder() throws {
        var part = ScreenPermissionPart()
        let context = try CobrowseFixture.context()
        _ = part.handle(.joinedSession(CobrowseFixture.participant), context)
        let actions = part.handle(.joinedScreen(2), context)
        #expect(actions == [.setPermission(.denied, of: 2, on: 10)])
    }
}
