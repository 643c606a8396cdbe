import JSON
import MachineKit
import Machines
import Testing

@testable import LiveLike

@Suite("What the carrier brings is read as it stands, or the script hears why not")
struct DeliveryTests {
    /// A payload that is as it must be but for some members; null stands for one that is missing.
    private static func message(_ members: JSONObject = [:]) -> JSONObject {
        let whole: JSONObject = [
            "id": "m1", "chat_room_id": "lobby", "message": "hello", "sender_id": "u2", "sender_nickname": "Bee",
        ]
        return whole.merging(members)
    }

    private static func envelope(_ event: String, _ payload: JSONObject) -> JSONValue {
        ["event": .string(event), "payload": .object(payload)]
    }

    /// Publishes on a channel, where `*` stands for the member's profile, and says what the member observed.
    private func observed(_ envelope: JSONValue, on channel: String) throws -> [ChatEvent] {
        let world = try TestWorld()
        let ada = try world.connected()
        world.forgetEvents()
        let profile = try #require(world.profileID(ada).string)
        world.serve(
            "publish_raw",
            ["channel": .string(channel.replacing("*", with: profile)), "envelope": envelope])
        world.serve("say", ["text": "still there"], by: "Mo")
        world.run(for: .seconds(1))
        #expect(world.heard(ada).last == "still there")
        return world.events[ada].map(\.event).filter { $0.fields["text"] != "still there" }
    }

    @Test("what is published raw on a channel that nobody could hear is refused with what was meant")
    func strayChannel() throws {
        let world = try TestWorld()
        _ = try world.connected()
        for (channel, hint) in [
            ("lobby", "a room has chatroom.ID"), ("chatroom.loby", "did you mean \"chatroom.lobby\"?"),
            ("profile.nobody", "a member profile.ID"),
        ] {
            let outcome = world.serve("publish_raw", ["channel": .string(channel), "envelope": [:]])
            guard case .refused(let why) = outcome else {
                Issue.record("\(channel): \(outcome)")
                continue
            }
            #expect(why.hasPrefix("there is no channel \"\(channel)\"") && why.contains(hint), "\(why)")
        }
    }

    @Test(
        "a frame that cannot be read is an error that names what is wrong, and the loop goes on",
        arguments: [
            ("chatroom.lobby", "text", "failedToDecodePayload", "without an event"),
            ("chatroom.lobby", [], "failedToDecodePayload", "without an event"),
            ("chatroom.lobby", [:], "failedToDecodePayload", "without an event"),
            ("chatroom.lobby", ["event": 5, "payload": [:]], "failedToDecodePayload", "without an event"),
            ("chatroom.lobby", ["event": "message-created"], "missingPayload", "message-created"),
            ("chatroom.lobby", ["event": "message-created", "payload": "x"], "missingPayload", "message-created"),
            ("chatroom.lobby", Self.envelope("message-created", Self.message(["id": .null])), "", "has no id"),
            ("chatroom.lobby", Self.envelope("message-created", Self.message(["id": ""])), "", "id is"),
            (
                "chatroom.lobby", Self.envelope("message-created", Self.message(["sender_id": .null])), "",
                "no sender_id"
            ),
            ("chatroom.lobby", Self.envelope("message-created", Self.message(["message": .null])), "", "no message"),
            ("chatroom.lobby", Self.envelope("message-created", Self.message(["message": 5])), "", "is 5, not a text"),
            ("chatroom.lobby", Self.envelope("message-created", Self.message(["created_at": "today"])), "", "a time"),
            (
                "chatroom.lobby", Self.envelope("message-created", Self.message(["program_date_time": "noon"])), "",
                "a time"
            ),
            ("chatroom.lobby", Self.envelope("message-created", Self.message(["quote_message": "x"])), "", "an object"),
            (
                "chatroom.lobby", Self.envelope("message-created", Self.message(["reactions": ["love": "yes"]])), "",
                "reactions love"
            ),
            (
                "chatroom.lobby", Self.envelope("message-created", Self.message(["content_filter": 5])), "",
                "content_filter"
            ),
            ("chatroom.lobby", Self.envelope("image-created", Self.message()), "", "no image_url"),
            (
                "chatroom.lobby",
                Self.envelope("image-created", Self.message(["image_url": "http://a/b.png", "image_width": "wide"])),
                "",
                "a number"
            ),
            ("chatroom.lobby", Self.envelope("custom-message-created", Self.message()), "", "no custom_data"),
            ("chatroom.lobby", Self.envelope("message-deleted", [:]), "", "no id"),
            ("chatroom.control.lobby", Self.envelope("message-pinned", [:]), "", "no id"),
            ("chatroom.control.lobby", Self.envelope("message-unpinned", [:]), "", "no id"),
            ("chatroom.control.lobby", Self.envelope("chatroom-updated", ["title": 5]), "", "title is 5"),
            ("profile.*", Self.envelope("chat-room-add", [:]), "", "no chat_room_id"),
            ("profile.*", Self.envelope("chat-room-invite", ["id": "i"]), "", "no chat_room_id"),
            ("profile.*", Self.envelope("block-profile", [:]), "", "no blocked_profile_id"),
        ] as [(String, JSONValue, String, String)])
    func unreadable(channel: String, envelope: JSONValue, code: String, words: String) throws {
        let events = try self.observed(envelope, on: channel)
        #expect(events.map(\.kind) == [.error])
        let error = try #require(events.first)
        #expect(error.fields["code"]?.string == (code.isEmpty ? "failedToDecodePayload" : code))
        #expect(error.fields["message"]?.string?.contains(words) == true, "\(error.fields)")
        #expect(error.fields["callback"] == "")
        #expect(error.raw?["d"] == envelope)
    }

    @Test(
        "what is for another room or profile is an error, and changes nothing",
        arguments: [
            ("chatroom.lobby", Self.envelope("message-created", Self.message(["chat_room_id": "elsewhere"]))),
            ("chatroom.lobby", Self.envelope("message-deleted", ["id": "m1", "chat_room_id": "elsewhere"])),
            ("chatroom.control.lobby", Self.envelope("message-pinned", ["id": "p", "chat_room_id": "elsewhere"])),
            ("chatroom.control.lobby", Self.envelope("chatroom-updated", ["id": "elsewhere", "title": "Not ours"])),
            ("profile.*", Self.envelope("message-created", Self.message())),
            (
                "chatroom.lobby",
                Self.envelope("chat-room-add", ["chat_room_id": "r", "sender_nickname": "Bee", "sender_id": "u2"])
            ),
            (
                "profile.*",
                Self.envelope(
                    "chat-room-invite",
                    [
                        "id": "i", "status": "pending", "chat_room_id": "r", "invited_by": ["nickname": "Bee"],
                        "invited_profile_id": "eve",
                    ])
            ),
            (
                "profile.*",
                Self.envelope("block-profile", ["blocked_profile_id": "u2", "blocked_by_profile_id": "eve"])
            ),
        ] as [(String, JSONValue)])
    func foreign(channel: String, envelope: JSONValue) throws {
        let events = try self.observed(envelope, on: channel)
        #expect(events.map(\.kind) == [.error])
        #expect(events.first?.fields["code"] == "notForThisMember")
    }

    @Test("the ids of a room are the same in upper case, and members nobody knows are no error")
    func tolerated() throws {
        let payload = Self.message(["chat_room_id": "LOBBY", "brand_new": [1], "sender_nickname": .null])
        let events = try self.observed(Self.envelope("message-created", payload), on: "chatroom.lobby")
        #expect(events.map(\.kind) == [.message])
        #expect(events.first?.fields["text"] == "hello")
        #expect(events.first?.fields["from"] == nil)
    }

    @Test("what a quoted message does not say is absent from the quote")
    func sparseQuote() throws {
        let payload = Self.message(["quote_message": .object(Self.quoted)])
        let events = try self.observed(Self.envelope("message-created", payload), on: "chatroom.lobby")
        #expect(events.map(\.kind) == [.message])
        #expect(events.first?.fields["quote"] == ["id": "m0", "text": "hi", "blocked": false])
    }

    /// A message that names no sender; the service writes null where a message has no image.
    private static let quoted: JSONObject = [
        "id": "m0", "message": "hi", "sender_id": "u3", "sender_nickname": .null, "image_url": .null,
    ]

    @Test(
        "who adds or invites the member may have no nickname",
        arguments: [
            (.memberAdded, Self.envelope("chat-room-add", ["chat_room_id": "r", "sender_id": "u2"]), nil),
            (
                .memberAdded,
                Self.envelope("chat-room-add", ["chat_room_id": "r", "sender_id": "u2", "sender_nickname": .null]), nil
            ),
            (
                .memberAdded,
                Self.envelope("chat-room-add", ["chat_room_id": "r", "sender_id": "u2", "sender_nickname": "Bee"]),
                "Bee"
            ),
            (.invitation, Self.invitation(from: [:]), nil),
            (.invitation, Self.invitation(from: ["nickname": .null]), nil),
            (.invitation, Self.invitation(from: ["nickname": "Bee"]), "Bee"),
        ] as [(EventKind, JSONValue, JSONValue?)])
    func nameless(kind: EventKind, envelope: JSONValue, name: JSONValue?) throws {
        let events = try self.observed(envelope, on: "profile.*")
        #expect(events.map(\.kind) == [kind])
        #expect(events.first?.fields["room"] == "r")
        #expect(events.first?.fields["by"] == name)
    }

    private static func invitation(from inviter: JSONObject) -> JSONValue {
        Self.envelope(
            "chat-room-invite",
            ["id": "i", "status": "pending", "chat_room_id": "r", "invited_by": .object(inviter)])
    }

    @Test("an event that nobody knows is seen, and need not be expected")
    func ignored() throws {
        let envelope = Self.envelope("message-sparkled", ["id": "m1"])
        let events = try self.observed(envelope, on: "chatroom.lobby")
        #expect(events.map(\.kind) == [.frame])
        let frame = try #require(events.first)
        #expect(frame.fields["ignored"] == "an unknown event message-sparkled")
        #expect(frame.raw?["d"] == envelope)
        #expect(LiveLikeSystem.system.noise.contains { $0.matches(frame) })
    }

    private static func listener(_ room: String? = "lobby") -> Delivery.Listener {
        Delivery.Listener(
            profile: "p", profileChannel: "profile.p", room: room, channels: ["chatroom.lobby", "profile.p"])
    }

    private static func problem(of item: JSONValue) -> FrameProblem? {
        do throws(FrameProblem) {
            _ = try Delivery(SubscribeReply.Item(item), for: Self.listener())
            return nil
        } catch { return error }
    }

    private static let action: JSONObject = [
        "messageTimetoken": "1", "type": "rc", "value": "heart", "actionTimetoken": "2",
    ]

    @Test(
        "an item that is none is an error, and one of another kind is ignored",
        arguments: [
            (5, "failedToDecodePayload"), (["d": [:]], "failedToDecodePayload"),
            (["c": "chatroom.lobby"], "failedToDecodePayload"),
            (["c": "chatroom.lobby", "e": "x", "d": [:]], "failedToDecodePayload"),
            (
                ["c": "chatroom.lobby", "p": ["t": "now"], "d": Self.envelope("message-created", Self.message())],
                "failedToDecodePayload"
            ),
            (["c": "chatroom.other", "d": Self.envelope("message-created", Self.message())], "notForThisMember"),
            (["c": "", "d": Self.envelope("message-created", Self.message())], "failedToDecodePayload"),
            (["c": "chatroom.lobby", "e": 1, "d": "a signal"], nil), (["c": "chatroom.lobby", "e": -1], nil),
            (["c": "chatroom.lobby", "e": 3, "d": ["event": "added", "data": ["type": "seen"]]], nil),
            (["c": "chatroom.lobby", "e": 3, "d": ["event": "added"]], "failedToDecodePayload"),
            (
                ["c": "chatroom.lobby", "e": 3, "i": "u", "d": ["event": "kept", "data": .object(Self.action)]],
                "failedToDecodePayload"
            ),
            (
                ["c": "chatroom.lobby", "e": 3, "d": ["event": "added", "data": .object(Self.action)]],
                "failedToDecodePayload"
            ),
            (["c": "profile.p", "d": Self.envelope("unblock-profile", ["id": "the block's"])], nil),
        ] as [(JSONValue, String?)])
    func items(item: JSONValue, code: String?) throws {
        switch try #require(Self.problem(of: item)) {
        case .error(let error): #expect(error.code == code)
        case .ignored: #expect(code == nil)
        }
    }

    @Test("an answer of the loop without a list, or of too many messages, is none")
    func replies() {
        func reply(_ items: JSONValue?) -> SubscribeReply? {
            var value: JSONObject = ["t": ["t": "1", "r": 1]]
            value["m"] = items
            return SubscribeReply(JSONWriter.write(.object(value)))
        }
        #expect(reply([5, [:]])?.items.count == 2)
        #expect(reply(nil) == nil)
        #expect(reply("x") == nil)
        #expect(reply(.array(Array(repeating: 1, count: SubscribeReply.messageLimit + 1))) == nil)
    }

    @Test(
        "what this client sent need not be expected; another message in its name must be",
        arguments: ["rest", "pubnub"])
    func forged(carriage: String) throws {
        let world = try TestWorld()
        let ada = try world.connected(["nickname": "Ada", "carriage": .string(carriage)])
        let own = try #require(try world.command(ada, "say", ["text": "hi"]).value.string)
        world.command(ada, "send_custom", ["data": "{}"])
        world.run(for: .seconds(1))
        func isNoise(_ event: ChatEvent) -> Bool { LiveLikeSystem.system.noise.contains { $0.matches(event) } }
        let sent = world.events(ada, .message)
        #expect(sent.map { $0.fields["type"] } == ["text", "custom"])
        #expect(sent.allSatisfy(isNoise))
        world.forgetEvents()
        for (event, members) in [
            ("message-created", ["id": "again", "client_message_id": .string(own)]),
            ("message-created", ["id": "never", "client_message_id": "never"]),
            ("custom-message-created", ["id": "custom", "custom_data": "{}"]),
        ] as [(String, JSONObject)] {
            let payload = Self.message(members).merging(["sender_id": world.profileID(ada)])
            world.serve("publish_raw", ["channel": "chatroom.lobby", "envelope": Self.envelope(event, payload)])
        }
        world.run(for: .seconds(1))
        let forged = world.events(ada, .message)
        #expect(forged.map { $0.fields["id"] } == ["again", "never", "custom"])
        #expect(forged.allSatisfy { $0.fields["mine"] == true && !isNoise($0) })
    }

    @Test("a filtered message has the masked name of its sender")
    func maskedName() throws {
        let world = try TestWorld()
        let ada = try world.connected(["includeFilteredChatMessages": true])
        let payload = Self.message([
            "message": "you fool", "filtered_message": "you ****", "filtered_sender_nickname": "****",
            "content_filter": ["filtered"],
        ])
        world.serve(
            "publish_raw", ["channel": "chatroom.lobby", "envelope": Self.envelope("message-created", payload)])
        world.run(for: .seconds(1))
        let message = try #require(world.events(ada, .message).last)
        #expect(message.fields["text"] == "you ****")
        #expect(message.fields["from"] == "****")
    }
}
