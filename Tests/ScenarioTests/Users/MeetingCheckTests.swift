import JSON
import Testing

@testable import Scenario

@Suite("Meetings for which nobody would come")
struct MeetingCheckTests {
    private static func user(_ room: String?, size: Int = 3, mostUsers: Int? = nil) -> UserContext {
        UserContext(
            number: 1, iteration: 0, seed: 1, members: [:],
            coordinationRoom: room.map { UserContext.CoordinationRoom(name: $0, size: size) }, mostUsers: mostUsers)
    }

    @Test("who has no room may meet everybody")
    func free() {
        let check = MeetingCheck()
        #expect(check.refusal(of: "barrier", "a", count: 1000, for: Self.user(nil)) == nil)
        #expect(check.refusal(of: "barrier", "a", count: 3, for: Self.user("r-1")) == nil)
    }

    @Test("a barrier may be for as many users as the run has at once, and not for more")
    func mostUsers() {
        let check = MeetingCheck()
        #expect(check.refusal(of: "barrier", "a", count: 2, for: Self.user(nil, mostUsers: 2)) == nil)
        let refusal = check.refusal(of: "barrier", "a", count: 3, for: Self.user(nil, mostUsers: 2))
        #expect(refusal?.contains("the run has 2 users at once at most") == true)
    }

    @Test("a barrier may be for all of a room, and not for more", arguments: [(3, false), (4, true)])
    func count(count: Int, isRefused: Bool) {
        let refusal = MeetingCheck().refusal(of: "barrier", "a", count: count, for: Self.user("r-1"))
        #expect((refusal != nil) == isRefused)
    }

    @Test("a name belongs to the room that used it first, for barriers and mailboxes apart")
    func names() {
        let check = MeetingCheck()
        #expect(check.refusal(of: "mailbox.send", "a", for: Self.user("r-1")) == nil)
        #expect(check.refusal(of: "mailbox.receive", "a", for: Self.user("r-1")) == nil)
        #expect(
            check.refusal(of: "mailbox.receive", "a", for: Self.user("r-2"))?.contains("r-1 and r-2") == true)
        #expect(check.refusal(of: "barrier", "a", count: 2, for: Self.user("r-2")) == nil)
    }
}
