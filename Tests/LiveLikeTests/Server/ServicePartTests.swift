import JSON
import MachineKit
import Machines
import Testing

@testable import LiveLike

@Suite("The parts behind the REST interface go through their transition tables, and through nothing else")
struct ServicePartTests {
    @Test("the profiles")
    func profiles() throws {
        typealias Input = TransitionWalk<Walked>.Input
        struct Walked {
            var part = ProfilePart(limit: 2)
            var random = RandomSource(seed: 1)
            var user: ServerProfile? { self.part.profile(of: "user") }
            var other: ServerProfile? { self.part.profile(of: "other") }

            mutating func handle(_ input: ProfilePart.Input) {
                _ = self.part.handle(input, ServerFixture.moment, random: &self.random)
            }
        }
        /// What the user asks for, once both have a profile.
        func asked(_ name: String, _ input: @escaping (ServerProfile, String) -> ProfilePart.Input) -> Input {
            Input(name, if: { $0.user != nil && $0.other != nil }) { walked in
                guard let user = walked.user, let other = walked.other else {
                    Issue.record("\(name) was given too early")
                    return
                }
                walked.handle(input(user, other.id))
            }
        }
        let walk = TransitionWalk(
            Walked(), state: { $0.user.map { $0.blocks.isEmpty ? "known" : "blocking" } ?? "unknown" },
            inputs: [
                Input("partyActed") { $0.handle(.partyActed("user")) },
                Input("partyActed of another") { $0.handle(.partyActed("other")) },
                Input("createAsked") { $0.handle(.createAsked) },
                asked("renameAsked") { user, _ in .renameAsked("Ada", by: user.id) },
                asked("blockAsked of another") { .blockAsked(of: $1, by: $0) },
                asked("blockAsked of itself") { user, _ in .blockAsked(of: user.id, by: user) },
                asked("blockAsked of nobody") { user, _ in .blockAsked(of: nil, by: user) },
                asked("unblockAsked") { .unblockAsked(of: $1, by: $0) },
                asked("unblockAsked of nobody") { user, _ in .unblockAsked(of: "?", by: user) },
            ])
        #expect(
            walk.changes() == [
                StateChange("unknown", "partyActed", "known"),
                StateChange("known", "blockAsked of another", "blocking"),
                StateChange("blocking", "unblockAsked", "known"),
            ])
    }

    @Test("a profile blocks another one once, and never itself")
    func blocks() throws {
        var part = ProfilePart(limit: 2)
        var random = RandomSource(seed: 1)
        for party in ["user", "other"] { _ = part.handle(.partyActed(party), ServerFixture.moment, random: &random) }
        func block(_ id: String) throws -> [ServiceAction] {
            let user = try #require(part.profile(of: "user"))
            return part.handle(.blockAsked(of: id, by: user), ServerFixture.moment, random: &random)
        }
        let user = try #require(part.profile(of: "user")).id
        let other = try #require(part.profile(of: "other")).id
        #expect(try block(user) == [.answer(.error(409, "A profile cannot block itself."))])
        #expect(try block(other).count == 2)
        #expect(try block(other) == [.answer(.error(409, "The profile is blocked already."))])
        #expect(part.profile(of: "user")?.blocks.map(\.profile) == [other])
    }

    @Test("no profile is made beyond the limit")
    func profileLimit() {
        var part = ProfilePart(limit: 1)
        var random = RandomSource(seed: 1)
        _ = part.handle(.createAsked, ServerFixture.moment, random: &random)
        let refused = part.handle(.createAsked, ServerFixture.moment, random: &random)
        #expect(refused == [.answer(.error(429, "Request was throttled."))])
        #expect(part.count == 1)
    }

    @Test("the rooms")
    func rooms() {
        typealias Input = TransitionWalk<Walked>.Input
        struct Walked {
            var part = RoomListPart(clientID: nil, limit: 2)
            var random = RandomSource(seed: 1)

            mutating func handle(_ input: RoomListPart.Input) {
                _ = self.part.handle(input, ServerFixture.moment, random: &self.random)
            }
        }
        let walk = TransitionWalk(
            Walked(), state: { "\($0.part["lobby"] == nil ? "none" : "open"), \($0.part.order.count) rooms" },
            inputs: [
                Input("created", if: { $0.part["lobby"] == nil }) { $0.handle(.created("lobby", [:])) },
                Input("createAsked") { $0.handle(.createAsked([:], by: "p")) },
                Input("changed") { $0.handle(.changed("lobby", ["title": "Hall"])) },
                Input("deleteAsked", if: { $0.part["lobby"] != nil }) { $0.handle(.deleteAsked("lobby")) },
            ])
        #expect(
            walk.changes() == [
                StateChange("none, 0 rooms", "created", "open, 1 rooms"),
                StateChange("none, 1 rooms", "created", "open, 2 rooms"),
                StateChange("none, 2 rooms", "created", "open, 3 rooms"),
                StateChange("none, 0 rooms", "createAsked", "none, 1 rooms"),
                StateChange("none, 1 rooms", "createAsked", "none, 2 rooms"),
                StateChange("open, 1 rooms", "createAsked", "open, 2 rooms"),
                StateChange("open, 1 rooms", "deleteAsked", "none, 0 rooms"),
                StateChange("open, 2 rooms", "deleteAsked", "none, 1 rooms"),
                StateChange("open, 3 rooms", "deleteAsked", "none, 2 rooms"),
            ])
    }

    @Test("the invitations")
    func invitations() {
        typealias Input = TransitionWalk<Walked>.Input
        struct Walked {
            var part = InvitationPart(limit: 1)
            var random = RandomSource(seed: 1)
            var id: String?

            mutating func handle(_ input: InvitationPart.Input) {
                let actions = self.part.handle(input, ServerFixture.moment, random: &self.random)
                if case .answer(let answer) = actions.last { self.id = answer.id?.string ?? self.id }
            }
        }
        let guest = ServerFixture.profile("guest")
        let host = ServerFixture.profile("host")
        let walk = TransitionWalk(
            Walked(), state: { walked in walked.id.flatMap { walked.part.status(of: $0) } ?? "none" },
            inputs: [
                Input("inviteAsked", if: { $0.id == nil }) {
                    $0.handle(.inviteAsked(guest, room: ServerFixture.room(), by: host))
                },
                Input("answered accepted") { $0.handle(.answered($0.id, status: "accepted", by: guest)) },
                Input("answered rejected") { $0.handle(.answered($0.id, status: "rejected", by: guest)) },
                Input("answered otherwise") { $0.handle(.answered($0.id, status: "maybe", by: guest)) },
                Input("answered by somebody else") { $0.handle(.answered($0.id, status: "accepted", by: host)) },
                Input("answered of nothing") { $0.handle(.answered("?", status: "accepted", by: guest)) },
            ])
        #expect(
            walk.changes() == [
                StateChange("none", "inviteAsked", "pending"),
                StateChange("pending", "answered accepted", "accepted"),
                StateChange("pending", "answered rejected", "rejected"),
                StateChange("rejected", "answered accepted", "accepted"),
                StateChange("accepted", "answered rejected", "rejected"),
            ])
    }

    @Test("an accepted invitation makes its profile a member, a rejected one does not")
    func acceptance() throws {
        for (status, joins) in [("accepted", true), ("rejected", false)] {
            var part = InvitationPart()
            var random = RandomSource(seed: 1)
            let guest = ServerFixture.profile("guest")
            let invited = part.handle(
                .inviteAsked(guest, room: ServerFixture.room(), by: ServerFixture.profile("host")),
                ServerFixture.moment, random: &random)
            guard case .answer(let answer) = invited.last else { throw ExpectedAnswer() }
            let actions = part.handle(
                .answered(answer.id?.string, status: status, by: guest), ServerFixture.moment, random: &random)
            #expect(actions.contains(.join(room: "lobby", profile: "guest")) == joins)
        }
    }

    private struct ExpectedAnswer: Error {}

    @Test("the access rules")
    func rules() {
        typealias Input = TransitionWalk<Walked>.Input
        struct Walked {
            var part = AccessRulePart()
            var random = RandomSource(seed: 1)
            var mutes: [ServiceAction] = []

            mutating func handle(_ input: AccessRulePart.Input) {
                self.mutes += self.part.handle(input, random: &self.random).filter { action in
                    if case .mute = action { true } else { false }
                }
            }
        }
        func add(_ body: JSONObject) -> (inout Walked) -> Void { { $0.handle(.addAsked(body)) } }
        let walk = TransitionWalk(
            Walked(), state: { $0.part.resources.isEmpty ? "without a rule" : "ruled" },
            inputs: [
                Input(
                    "addAsked", if: { $0.part.resources.isEmpty },
                    act: add(["profile_id": "p", "directive": "allow-read"])),
                Input("addAsked with another directive", act: add(["profile_id": "p", "directive": "deny"])),
                Input("addAsked for nobody", act: add(["directive": "allow-read"])),
                Input("removeAsked") { $0.handle(.removeAsked($0.part.resources.last?["id"]?.string)) },
                Input("removeAsked of an unknown id") { $0.handle(.removeAsked("?")) },
            ])
        #expect(
            walk.changes() == [
                StateChange("without a rule", "addAsked", "ruled"),
                StateChange("ruled", "removeAsked", "without a rule"),
            ])
        var full = Walked(part: AccessRulePart(limit: 1))
        for _ in 0..<2 { full.handle(.addAsked(["profile_id": "p", "directive": "allow-read"])) }
        #expect(full.part.resources.count == 1 && full.mutes.count == 1)
        var walked = Walked()
        walked.handle(.addAsked(["profile_id": "p", "directive": "allow-read", "chat_room_id": "lobby"]))
        walked.handle(.removeAsked(walked.part.resources.last?["id"]?.string))
        #expect(
            walked.mutes
                == [Muting.mute, .unmute].map { .mute($0, profile: "p", room: "lobby") })
        // Who is under two rules speaks again when both are gone; one for another room is no matter here.
        var twice = Walked()
        for room in ["lobby", "attic", "lobby"] {
            twice.handle(.addAsked(["profile_id": "p", "directive": "allow-read", "chat_room_id": .string(room)]))
        }
        twice.mutes = []
        twice.handle(.removeAsked(twice.part.resources[0]["id"]?.string))
        #expect(twice.mutes.isEmpty)
        twice.handle(.removeAsked(twice.part.resources[1]["id"]?.string))
        #expect(twice.mutes == [.mute(.unmute, profile: "p", room: "lobby")])
    }

    @Test("a message that several reported is listed once, and goes with all its reports")
    func reportedMessages() {
        var part = ReportPart()
        var random = RandomSource(seed: 1)
        for (message, room, reporter) in [("m", "lobby", "p"), ("n", "attic", "p"), ("m", "lobby", "q")] {
            let body: JSONObject = ["message_id": .string(message), "message": .string("text of \(message)")]
            _ = part.handle(.reported(body, room: room, by: reporter, ServerFixture.moment), random: &random)
        }
        #expect(part.resources().count == 3 && part.resources(in: "lobby").count == 2)
        let messages = part.messages()
        #expect(messages.map { $0["id"] } == ["m", "n"])
        #expect(messages.map { $0["message"] } == ["text of m", "text of n"])
        #expect(messages.map { $0["status"] } == ["pending", "pending"] && messages[0]["reported_by_id"] == nil)
        #expect(part.messages(in: "attic").map { $0["id"] } == ["n"])
        #expect(part.handle(.messageDismissed("m"), random: &random) == [.answer(.noContent)])
        #expect(part.resources().map { $0["message_id"] } == ["n"])
        #expect(part.handle(.messageDismissed("m"), random: &random) == [.answer(.error(404, "Not found."))])
    }

    @Test("the reports")
    func reports() {
        typealias Input = TransitionWalk<Walked>.Input
        struct Walked {
            var part = ReportPart(limit: 1)
            var random = RandomSource(seed: 1)

            mutating func handle(_ input: ReportPart.Input) -> [ServiceAction] {
                self.part.handle(input, random: &self.random)
            }
        }
        func report(_ body: JSONObject) -> ReportPart.Input {
            .reported(body, room: "lobby", by: "p", ServerFixture.moment)
        }
        let walk = TransitionWalk(
            Walked(), state: { "\($0.part.resources().count) pending" },
            inputs: [
                Input("watched") { _ = $0.handle(.watched(by: "agent")) },
                Input("reported") { _ = $0.handle(report(["message_id": "m"])) },
                Input("reported without a message") { _ = $0.handle(report([:])) },
                Input("dismissed") { _ = $0.handle(.dismissed($0.part.resources().last?["id"]?.string)) },
                Input("dismissed of an unknown id") { _ = $0.handle(.dismissed("?")) },
                Input("messageDismissed") { _ = $0.handle(.messageDismissed("m")) },
                Input("messageDismissed of an unknown id") { _ = $0.handle(.messageDismissed("?")) },
            ])
        // At the limit of one, a second report is refused.
        #expect(
            walk.changes() == [
                StateChange("0 pending", "reported", "1 pending"), StateChange("1 pending", "dismissed", "0 pending"),
                StateChange("1 pending", "messageDismissed", "0 pending"),
            ])
        var walked = Walked()
        for _ in 0..<2 { #expect(walked.handle(.watched(by: "agent")).isEmpty) }
        let told = walked.handle(report(["message_id": "m"]))
        #expect(told.count == 2)
        guard case .perform(.emit(_, let event))? = told.first else {
            Issue.record("the agent is told")
            return
        }
        // What was not reported is null in the answer and absent in the event: null is true in Lua.
        #expect(Set(event.fields.names).isDisjoint(with: ["message", "profile_id", "nickname"]))
        #expect(walked.part.resources().last?["message"] == .null)
    }
}
