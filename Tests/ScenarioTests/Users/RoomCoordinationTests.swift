import JSON
import Testing

@testable import Scenario

@Suite("Meetings within rooms, in parts of a run")
struct RoomCoordinationTests {
    private static func user(_ room: String?, size: Int = 3) -> UserContext {
        UserContext(
            number: 1, iteration: 0, seed: 1, members: [:],
            coordinationRoom: room.map { UserContext.CoordinationRoom(name: $0, size: size) })
    }

    @Test("who has no room may meet everybody")
    func free() {
        let coordination = RoomCoordination()
        #expect(coordination.refusal(of: "barrier", "a", count: 1000, for: Self.user(nil)) == nil)
        #expect(coordination.refusal(of: "barrier", "a", count: 3, for: Self.user("r-1")) == nil)
    }

    @Test("a barrier may be for all of a room, and not for more", arguments: [(3, false), (4, true)])
    func count(count: Int, isRefused: Bool) {
        let refusal = RoomCoordination().refusal(of: "barrier", "a", count: count, for: Self.user("r-1"))
        #expect((refusal != nil) == isRefused)
    }

    @Test("a name belongs to the room that used it first, for barriers and mailboxes apart")
    func names() {
        let coordination = RoomCoordination()
        #expect(coordination.refusal(of: "mailbox.send", "a", for: Self.user("r-1")) == nil)
        #expect(coordination.refusal(of: "mailbox.receive", "a", for: Self.user("r-1")) == nil)
        #expect(
            coordination.refusal(of: "mailbox.receive", "a", for: Self.user("r-2"))?.contains("r-1 and r-2") == true)
        #expect(coordination.refusal(of: "barrier", "a", count: 2, for: Self.user("r-2")) == nil)
    }
}
