import JSON
import MachineKit
import Machines
import Testing

@testable import LiveLike

@Suite("The calls of a member go through their transition table, and through nothing else")
struct CallPartTests {
    @Test("the neighbours of a page")
    func pages() throws {
        typealias Input = TransitionWalk<CallPart>.Input
        let origin = try #require(WebAddress("http://live.test"))
        let options = try ClientOptions(ClientConfiguration(origin: "http://live.test", target: [:], options: [:]))
        let session = SessionPart(options, origin: origin)
        let profile = try ProfileResource(["id": "p", "chat_room_memberships_url": "http://live.test/memberships/"])
        let bare = try ProfileResource(["id": "p"])
        let call = PendingCall("getUserChatRoomMemberships", .page)
        func isKnown(_ part: CallPart, _ page: ListPage) -> Bool {
            var copy = part
            return copy.begin(.myRooms(page), profile, session).contains { if case .ask = $0 { true } else { false } }
        }
        func answered(_ name: String, _ page: JSONValue) -> Input {
            Input(name) { _ = $0.answered(call, JSONWriter.write(page)) }
        }
        let walk = TransitionWalk(
            CallPart(),
            state: { part in
                let known = [ListPage.next, .previous].filter { isKnown(part, $0) }.map(\.rawValue)
                return known.isEmpty ? "none" : known.joined(separator: ", ")
            },
            inputs: [
                Input("a call") { _ = $0.begin(.myRooms(nil), profile, session) },
                Input("a call without a URL") { _ = $0.begin(.myRooms(nil), bare, session) },
                Input("the next page") { _ = $0.begin(.myRooms(.next), profile, session) },
                answered("answered with the first page", ["next": "http://live.test/2", "results": []]),
                answered("answered with the last page", ["previous": "http://live.test/1", "results": []]),
                answered("answered with the only page", ["results": []]),
                Input("answered with something else") { _ = $0.answered(call, [1]) },
            ])
        #expect(
            walk.changes() == [
                StateChange("none", "answered with the first page", "next"),
                StateChange("previous", "answered with the first page", "next"),
                StateChange("none", "answered with the last page", "previous"),
                StateChange("next", "answered with the last page", "previous"),
                StateChange("next", "answered with the only page", "none"),
                StateChange("previous", "answered with the only page", "none"),
            ])
    }
}
