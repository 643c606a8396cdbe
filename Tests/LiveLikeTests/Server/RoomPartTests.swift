import JSON
import MachineKit
import Machines
import Testing

@testable import LiveLike

@Suite("The parts of a room of the service go through their transition tables, and through nothing else")
struct RoomPartTests {
    @Test("the members")
    func members() {
        typealias Input = TransitionWalk<MembershipPart>.Input
        let user = ServerFixture.profile("user")
        func handle(_ input: MembershipPart.Input) -> (inout MembershipPart) -> Void {
            { part in
                var random = RandomSource(seed: 1)
                _ = part.handle(input, random: &random)
            }
        }
        func add(by actor: ServerProfile) -> MembershipPart.Input {
            .addAsked(user, by: actor, title: "Lobby", ServerFixture.moment)
        }
        let walk = TransitionWalk(
            MembershipPart(room: "lobby", creator: "host"),
            state: { "\($0.contains("user") ? "member" : "outside") of \($0.profiles.count)" },
            inputs: [
                Input("joined", act: handle(.joined("user"))), Input("addAsked by itself", act: handle(add(by: user))),
                Input("addAsked by somebody else", act: handle(add(by: ServerFixture.profile("host")))),
                Input("left", act: handle(.left("user"))),
            ])
        #expect(
            walk.changes() == [
                StateChange("outside of 1", "joined", "member of 2"),
                StateChange("outside of 1", "addAsked by itself", "member of 2"),
                StateChange("outside of 1", "addAsked by somebody else", "member of 2"),
                StateChange("member of 2", "left", "outside of 1"),
            ])
    }

    @Test("only a member whom somebody else has added is told")
    func added() {
        var random = RandomSource(seed: 1)
        let user = ServerFixture.profile("user")
        let host = ServerFixture.profile("host")
        for (actor, count) in [(user, 1), (host, 2)] {
            var part = MembershipPart(room: "lobby", creator: nil)
            let input = MembershipPart.Input.addAsked(user, by: actor, title: "Lobby", ServerFixture.moment)
            #expect(part.handle(input, random: &random).count == count)
            #expect(part.handle(input, random: &random) == [.answer(.error(409, "membership already exists."))])
        }
    }

    @Test("the mutes")
    func mutes() {
        typealias Input = TransitionWalk<MutePart>.Input
        func mute(_ muting: Muting, _ profile: String = "user") -> (inout MutePart) -> Void {
            { $0.handle(muting, profile) }
        }
        let walk = TransitionWalk(
            MutePart(),
            state: { part in
                let states = [part.isMuted("user") ? "muted" : nil, part.isShadowMuted("user") ? "shadow" : nil]
                return states.compactMap(\.self).joined(separator: ", ")
            },
            inputs: [
                Input("muted", act: mute(.mute)),
                Input("unmuted", act: mute(.unmute)),
                Input("shadowMuted", act: mute(.shadowMute)),
                Input("shadowUnmuted", act: mute(.shadowUnmute)),
                Input("muted, another", act: mute(.mute, "other")),
                Input("unmuted, another", act: mute(.unmute, "other")),
            ])
        #expect(
            walk.changes() == [
                StateChange("", "muted", "muted"), StateChange("muted", "unmuted", ""),
                StateChange("", "shadowMuted", "shadow"), StateChange("shadow", "shadowUnmuted", ""),
                StateChange("shadow", "muted", "muted, shadow"), StateChange("muted, shadow", "unmuted", "shadow"),
                StateChange("muted", "shadowMuted", "muted, shadow"),
                StateChange("muted, shadow", "shadowUnmuted", "muted"),
            ])
    }

    @Test("the throttle")
    func throttle() {
        struct Walked {
            var part = ThrottlePart()
            var now = Instant.start
            var sent = 0

            mutating func send(throttle: Duration) {
                let action = self.part.handle(sendAskedBy: "user", throttle: throttle, now: self.now)
                if action == .allow { self.sent += 1 }
            }
        }
        typealias Input = TransitionWalk<Walked>.Input
        let limit = Duration.seconds(5)
        let walk = TransitionWalk(
            Walked(),
            state: { $0.part.mustWait("user", throttle: limit, now: $0.now) ? "must wait" : "may send" },
            inputs: [
                Input("sendAsked") { $0.send(throttle: limit) },
                Input("sendAsked without a throttle") { $0.send(throttle: .zero) },
                Input("sendAsked of another") {
                    _ = $0.part.handle(sendAskedBy: "other", throttle: limit, now: $0.now)
                },
                Input("time passes") { $0.now = $0.now + limit },
            ])
        #expect(
            walk.changes() == [
                StateChange("may send", "sendAsked", "must wait"),
                StateChange("must wait", "time passes", "may send"),
            ])
        var walked = Walked()
        for _ in 0..<3 { walked.send(throttle: limit) }
        #expect(walked.sent == 1)
    }

    @Test("the pins")
    func pins() {
        typealias Input = TransitionWalk<PinPart>.Input
        func handle(_ part: inout PinPart, _ input: PinPart.Input) {
            var random = RandomSource(seed: UInt64(part.resources.count))
            _ = part.handle(input, ServerFixture.moment, random: &random)
        }
        func pin(isOnce: Bool) -> (inout PinPart) -> Void {
            { handle(&$0, .pinAsked(message: "m", payload: .null, by: "p", isOnce: isOnce)) }
        }
        let walk = TransitionWalk(
            PinPart(room: "lobby"), state: { $0.isPinned("m") ? "pinned \($0.resources.count)" : "free" },
            inputs: [
                Input("pinAsked over REST", act: pin(isOnce: true)),
                Input("pinAsked by a moderator", if: { $0.resources.count < 2 }, act: pin(isOnce: false)),
                Input("unpinAsked") { handle(&$0, .unpinAsked($0.resources.last?["id"]?.string ?? "?")) },
                Input("unpinAsked of an unknown id") { handle(&$0, .unpinAsked("?")) },
            ])
        var full = PinPart(room: "lobby", limit: 1)
        pin(isOnce: false)(&full)
        var random = RandomSource(seed: 1)
        let another = PinPart.Input.pinAsked(message: "n", payload: .null, by: "p", isOnce: false)
        #expect(
            full.handle(another, ServerFixture.moment, random: &random)
                == [.answer(.error(429, "Request was throttled."))])
        #expect(full.resources.count == 1)
        #expect(
            walk.changes() == [
                StateChange("free", "pinAsked over REST", "pinned 1"),
                StateChange("free", "pinAsked by a moderator", "pinned 1"),
                StateChange("pinned 1", "pinAsked by a moderator", "pinned 2"),
                StateChange("pinned 2", "unpinAsked", "pinned 1"), StateChange("pinned 1", "unpinAsked", "free"),
            ])
    }

    @Test("the index of messages")
    func messages() {
        struct Walked {
            var part = MessageIndexPart(room: "lobby", limit: 2)
            var ticks: Int64 = 1

            mutating func publish(_ id: String, parent: String? = nil) {
                self.ticks += 1
                let message = Publication.Message(id: id, room: "lobby", parent: parent)
                _ = self.part.handle(.published(message, TimeToken(ticks: self.ticks)))
            }
        }
        typealias Input = TransitionWalk<Walked>.Input
        let walk = TransitionWalk(
            Walked(), state: { $0.part.token(of: "M") == nil ? "unknown" : "known" },
            inputs: [
                Input("published", if: { $0.part.token(of: "m") == nil }) { $0.publish("m") },
                Input("published of many others") { walked in
                    for number in 0..<5 { walked.publish("other \(number)") }
                },
                Input("published of a reply") { $0.publish("reply", parent: "M") },
                Input("deleteAsked") { _ = $0.part.handle(.deleteAsked("m", isRemoved: true, nil)) },
            ])
        #expect(
            walk.changes() == [
                StateChange("unknown", "published", "known"),
                StateChange("known", "published of many others", "unknown"),
            ])
        var walked = Walked()
        walked.publish("reply", parent: "M")
        #expect(walked.part.replyCount(of: "m") == 1)
        #expect(walked.part.replyCount(of: "M") == 1)
        // Replies to what nobody knows are forgotten, also where the same id comes again and again.
        for number in 0..<4 { walked.publish("reply", parent: "other \(number)") }
        #expect(walked.part.replyCount(of: "m") == nil)
    }

    @Test("the deletion of a message is published, and removes it where that is asked")
    func deletion() throws {
        var pubNub = PubNubChannels(epochMilliseconds: 0)
        let event: JSONValue = ["event": "image-created", "payload": ["id": "m"]]
        _ = pubNub.publish(Publication(event, on: "chatroom.lobby"), key: "k", at: .start)
        let token = pubNub.lastToken
        let entry = try #require(pubNub.entry(on: "chatroom.lobby", at: token))
        var part = MessageIndexPart(room: "lobby")
        _ = part.handle(.published(Publication.Message(id: "m", room: "lobby", parent: nil), token))
        let payload: JSONObject = [
            "id": "m", "chat_room_id": "lobby", "pubnub_timetoken": .integer(token.ticks),
        ]
        let told: [ServiceAction] = [
            .publish(Publication(.imageDeleted, payload, on: "chatroom.lobby")), .answer(.noContent),
        ]
        #expect(part.handle(.deleteAsked("M", isRemoved: false, entry)) == told)
        #expect(
            part.handle(.deleteAsked("M", isRemoved: true, entry))
                == [.removeMessage(channel: "chatroom.lobby", token)] + told)
        #expect(part.handle(.deleteAsked("?", isRemoved: true, entry)) == [.answer(.error(404, "Not found."))])
    }
}
