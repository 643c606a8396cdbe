import JSON
import MachineKit
import Machines
import Testing

@testable import LiveLike

@Suite("Reactions, moderation, pins and people")
struct ModerationTests {
    @Test(
        "A reaction is applied from the answer, its own echo ignored, and others see it", arguments: ["rest", "pubnub"])
    func reactions(carriage: String) throws {
        let world = try TestWorld()
        let ada = try world.connected(["carriage": .string(carriage)])
        let bob = try world.connected(["carriage": .string(carriage)])
        world.serve("say", ["text": "react to me"], by: "Mo")
        world.run(for: .seconds(1))
        let id = try #require(world.events(ada, .message).first?.fields["id"])
        world.command(ada, "react", ["id": id, "reaction": "heart"])
        world.run(for: .seconds(1))
        #expect(world.events(ada, .messageUpdated).count == 1)
        #expect(world.events(bob, .messageUpdated).first?.fields["reaction"] == "heart")
        // A change takes the old reaction away first.
        world.command(ada, "react", ["id": id, "reaction": "clap"])
        world.run(for: .seconds(1))
        #expect(world.events(bob, .messageUpdated).map { $0.fields["added"] } == [true, false, true])
        #expect(world.list(bob)[0]["reactions"] == [["id": "clap", "by": world.profileID(ada)]])
        let late = try world.connected(["carriage": .string(carriage)])
        #expect(world.list(late)[0]["reactions"] == [["id": "clap", "by": world.profileID(ada)]])
        world.command(ada, "unreact", ["id": id])
        world.run(for: .seconds(1))
        #expect(world.list(bob)[0]["reactions"] == nil)
        world.command(ada, "unreact", ["id": id])
        #expect(world.events(ada, .error).last?.fields["code"] == "foundNoAction")
    }

    @Test("Where the service lists its reactions, it takes no others")
    func listedReactions() throws {
        let world = try TestWorld(server: ["reactions": ["like"]])
        let ada = try world.connected()
        world.serve("say", ["text": "hello"], by: "Mo")
        world.run(for: .seconds(1))
        let id = world.list(ada)[0]["id"] ?? ""
        world.command(ada, "react", ["id": id, "reaction": "lkie"])
        world.run(for: .seconds(1))
        #expect(world.events(ada, .error).first?.fields["code"] == "failedToSendMessageAction")
        #expect(world.list(ada)[0]["reactions"] == nil)
        world.command(ada, "react", ["id": id, "reaction": "like"])
        world.run(for: .seconds(1))
        #expect(world.list(ada)[0]["reactions"] == [["id": "like", "by": world.profileID(ada)]])
    }

    @Test(
        "What a member or the service cannot mean is refused",
        arguments: [
            ("say", ["text": "hi", "program_date_time": "yesterday"]),
            ("send_custom", ["data": "x", "program_date_time": "yesterday"]),
            ("send_image", ["url": "https://a.example/b.png", "width": -1]),
            ("send_image", ["url": "https://a.example/b.png", "height": 1e308]),
            ("create_room", ["options": ["chat_message_throttle_seconds": -1]]),
        ] as [(String, JSONObject)])
    func meaningless(name: String, arguments: JSONObject) throws {
        let world = try TestWorld()
        let ada = try world.connected()
        let count = world.requestLog.count
        guard case .refused = world.command(ada, name, arguments) else {
            Issue.record("\(name) has nothing to send")
            return
        }
        #expect(world.requestLog.count == count)
        for (name, arguments) in [
            ("create_room", ["id": ""]), ("create_room", ["options": ["chat_message_throttle_seconds": -1]]),
            ("fail_next", ["path": ""]), ("fail_next", ["path": "/mesages"]),
        ] as [(String, JSONObject)] {
            guard case .refused = world.serve(name, arguments) else {
                Issue.record("\(name) makes no sense of \(arguments)")
                return
            }
        }
        #expect(world.serverProperties["rooms"] == ["lobby"])
    }

    @Test(
        "Refused reactions have the SDK's error names",
        arguments: [(409, "messageActionAlreadyAdded"), (403, "failedToSendMessageAction")])
    func reactionErrors(status: Int, code: String) throws {
        let world = try TestWorld()
        let ada = try world.connected()
        world.serve("say", ["text": "hello"], by: "Mo")
        world.run(for: .seconds(1))
        world.serve("fail_next", ["path": "/v1/message-actions", "status": .integer(Int64(status))])
        world.command(ada, "react", ["id": world.list(ada)[0]["id"] ?? "", "reaction": "heart"])
        world.run(for: .seconds(1))
        #expect(world.events(ada, .error).first?.fields["code"] == .string(code))
        world.command(ada, "react", ["id": "unknown", "reaction": "heart"])
        #expect(world.events(ada, .error).last?.fields["code"] == "failedToFindPubSubID")
    }

    @Test(
        "A muted member is told so and cannot send, by either way", arguments: ["rest", "pubnub"], ["ios", "android"])
    func mute(carriage: String, platform: String) throws {
        let world = try TestWorld()
        let ada = try world.connected(["carriage": .string(carriage), "platform": .string(platform)])
        let bob = try world.connected()
        world.serve("mute", ["member": .object(world.identity(ada)), "room": "lobby"], by: "Mo")
        world.command(ada, "muted_status")
        world.command(ada, "say", ["text": "hi"])
        world.run(for: .seconds(1))
        #expect(world.events(ada, .completed).last?.fields["value"]?["is_muted"] == true)
        let error = try #require(world.events(ada, .error).first)
        #expect(
            error.fields["code"] == (platform == "ios" ? "sendMessageFailedAccessDenied" : "DENIED_MESSAGE_PUBLISH"))
        #expect(error.fields["callback"] == (platform == "ios" ? "sendMessage" : "onErrorMessage"))
        #expect(world.list(ada).first?["failed"] == true)
        #expect(world.heard(bob).isEmpty)
        world.serve("unmute", ["member": .object(world.identity(ada)), "room": "lobby"], by: "Mo")
        world.command(ada, "say", ["text": "back"])
        world.run(for: .seconds(1))
        #expect(world.heard(bob) == ["back"])
    }

    @Test("A shadow-muted member notices nothing and nobody else hears anything", arguments: [true, false])
    func shadowMute(everywhere: Bool) throws {
        let world = try TestWorld()
        let ada = try world.connected()
        let bob = try world.connected(["includeFilteredChatMessages": true])
        var arguments: JSONObject = ["member": .object(world.identity(ada))]
        if !everywhere { arguments["room"] = "lobby" }
        world.serve("shadow_mute", arguments, by: "Mo")
        world.command(ada, "say", ["text": "hi"])
        world.run(for: .seconds(1))
        #expect(world.events(ada, .error).isEmpty)
        #expect(world.events(ada, .messageSent).count == 1)
        #expect(world.heard(bob).isEmpty)
        let late = try world.connected()
        #expect(world.list(late).isEmpty)
        world.serve("shadow_unmute", arguments, by: "Mo")
        world.command(ada, "say", ["text": "heard again"])
        world.run(for: .seconds(1))
        #expect(world.heard(bob) == ["heard again"])
    }

    @Test("Filtered messages are hidden from others, or masked for those who ask", arguments: ["ios", "android"])
    func filters(platform: String) throws {
        let world = try TestWorld(server: [
            "rooms": [["id": "lobby", "content_filter": "filtered"]], "filtered_words": ["darn"],
        ])
        let ada = try world.connected(["platform": .string(platform)])
        let bob = try world.connected(["platform": .string(platform)])
        let eve = try world.connected(["platform": .string(platform), "includeFilteredChatMessages": true])
        world.command(ada, "say", ["text": "Darn it"])
        world.run(for: .seconds(1))
        world.command(ada, "say", ["text": "sorry"])
        world.run(for: .seconds(1))
        #expect(world.heard(bob) == ["sorry"])
        #expect(world.heard(eve) == ["**** it", "sorry"])
        #expect(world.list(ada).map { $0["text"] } == ["Darn it", "sorry"])
    }

    @Test("A throttled member gets 429 and may send again when the time has passed")
    func throttle() throws {
        let world = try TestWorld(server: ["rooms": [["id": "lobby", "chat_message_throttle_seconds": 5]]])
        let ada = try world.connected()
        world.command(ada, "say", ["text": "one"])
        world.command(ada, "say", ["text": "two"])
        world.run(for: .seconds(6))
        #expect(world.events(ada, .error).map { $0.fields["status"] } == [429])
        world.command(ada, "say", ["text": "three"])
        world.run(for: .seconds(1))
        #expect(world.events(ada, .messageSent).count == 2)
    }

    @Test("A member deletes its own messages and nobody else's")
    func deletion() throws {
        let world = try TestWorld()
        let ada = try world.connected()
        let bob = try world.connected()
        world.command(ada, "say", ["text": "oops"])
        world.run(for: .seconds(1))
        let id = try #require(world.events(bob, .message).first?.fields["id"])
        world.command(bob, "delete_message", ["id": id])
        world.run(for: .seconds(1))
        #expect(world.events(bob, .error).first?.fields["code"] == "forbidden")
        world.command(ada, "delete_message", ["id": id])
        world.run(for: .seconds(1))
        #expect(world.events(ada, .messageDeleted).count == 1)
        #expect(world.events(bob, .messageDeleted).count == 1)
        let late = try world.connected()
        #expect(world.list(late).isEmpty)
    }

    @Test("Reports reach the moderator who watches; a room without a reporter says so")
    func reports() throws {
        let world = try TestWorld(server: ["rooms": [["id": "lobby"], ["id": "quiet", "reports": false]]])
        let ada = try world.connected()
        world.serve("watch", by: "Mo")
        world.serve("say", ["text": "rude", "room": "lobby"], by: "Troll")
        world.run(for: .seconds(1))
        world.command(ada, "report_message", ["id": world.list(ada)[0]["id"] ?? ""])
        world.run(for: .seconds(1))
        let report = try #require(world.partyEvents.first)
        #expect(report.party == "Mo")
        #expect(report.event.fields["message"] == "rude")
        let open = try world.serve("reports", by: "Mo").value
        #expect(open.array?.count == 1)
        world.serve("dismiss_report", ["id": report.event.fields["id"] ?? ""], by: "Mo")
        #expect(world.serve("reports", by: "Mo") == .done([]))
        let bob = try world.connected(room: "quiet")
        world.serve("say", ["text": "rude", "room": "quiet"], by: "Troll")
        world.run(for: .seconds(1))
        world.command(bob, "report_message", ["id": world.list(bob, room: "quiet")[0]["id"] ?? ""])
        #expect(world.events(bob, .error).last?.fields["code"] == "failedDueToMissingMessageReporter")
        world.command(bob, "report_message", ["id": "unknown"])
        #expect(world.events(bob, .error).last?.fields["code"] == "failedToFindReportedChatMessage")
    }

    @Test("A blocked sender vanishes from new messages, history and quotes until the block ends")
    func blocks() throws {
        let world = try TestWorld()
        let ada = try world.connected()
        let bob = try world.connected()
        let eve = try world.connected()
        world.command(bob, "say", ["text": "before"])
        world.run(for: .seconds(1))
        world.command(ada, "block", ["profile": world.profileID(bob)])
        world.run(for: .seconds(1))
        #expect(world.events(ada, .profileBlocked).first?.fields["profile_id"] == world.profileID(bob))
        world.command(bob, "say", ["text": "hidden"])
        world.run(for: .seconds(1))
        #expect(world.heard(ada) == ["before"])
        #expect(world.list(ada).isEmpty)
        world.command(eve, "quote", ["id": world.list(eve).last?["id"] ?? "", "text": "he said"])
        world.run(for: .seconds(1))
        #expect(world.events(ada, .message).last?.fields["quote"]?["blocked"] == true)
        let again = try world.connected(["access_token": world.identity(ada)["access_token"] ?? ""])
        #expect(world.list(again).map { $0["text"] } == ["he said"])
        world.command(ada, "unblock", ["profile": world.profileID(bob)])
        world.run(for: .seconds(1))
        world.command(bob, "say", ["text": "heard"])
        world.run(for: .seconds(1))
        #expect(world.heard(ada).last == "heard")
        guard case .refused = world.command(ada, "block", ["profile": world.profileID(ada)]) else {
            Issue.record("a member must not block itself")
            return
        }
    }

    @Test(
        "What a sender said before it was blocked is hidden meanwhile, and what waits for the play head never comes",
        arguments: [true, false])
    func blockedBefore(isToldByCarrier: Bool) throws {
        let world = try TestWorld()
        let ada = try world.connected()
        let bob = try world.connected()
        let eve = try world.connected()
        world.command(ada, "set_play_head", ["time": "2022-04-15T05:20:00Z"])
        for sender in [bob, eve] {
            world.command(sender, "say", ["text": "now"])
            world.run(for: .seconds(1))
            world.command(sender, "say", ["text": "later", "program_date_time": "2022-04-15T05:20:30Z"])
            world.run(for: .seconds(1))
        }
        func tell(_ command: String) {
            guard isToldByCarrier else { return _ = world.command(ada, command, ["profile": world.profileID(bob)]) }
            let payload: JSONValue = [
                "id": "b", "blocked_profile_id": world.profileID(bob), "blocked_by_profile_id": world.profileID(ada),
            ]
            let channel = "profile.\(world.profileID(ada).string ?? "")"
            let envelope: JSONValue = ["event": .string("\(command)-profile"), "payload": payload]
            world.serve("publish_raw", ["channel": .string(channel), "envelope": envelope])
        }
        tell("block")
        world.run(for: .seconds(1))
        #expect(world.list(ada).map { $0["sender_id"] } == [world.profileID(eve)])
        world.run(for: .seconds(60))
        #expect(world.heard(ada) == ["now", "now", "later"])
        #expect(world.list(ada).map { $0["sender_id"] } == [world.profileID(eve), world.profileID(eve)])
        #expect(world.members[ada].properties["rooms"]?[0]?["messages"] == 2)
        #expect(world.events(ada, .message).last?.fields["sender_id"] == world.profileID(eve))
        let id = world.list(bob)[0]["id"] ?? ""
        #expect(try world.command(ada, "message", ["id": id]).value == .null)
        tell("unblock")
        world.run(for: .seconds(1))
        #expect(world.list(ada).map { $0["text"] } == ["now", "now", "later"], "what was there is there again")
    }

    @Test("Only who may pin takes pins away")
    func unpinning() throws {
        let world = try TestWorld()
        let ada = try world.connected()
        world.serve("say", ["text": "pin me"], by: "Mo")
        world.run(for: .seconds(1))
        let pin = try world.serve("pin", ["id": world.list(ada)[0]["id"] ?? ""], by: "Mo").value
        world.command(ada, "unpin", ["pin": pin])
        world.run(for: .seconds(1))
        #expect(world.events(ada, .error).map { $0.fields["status"] } == [403])
        #expect(world.events(ada, .messageUnpinned).isEmpty)
        world.serve("unpin", ["id": pin], by: "Mo")
        world.run(for: .seconds(1))
        #expect(world.events(ada, .messageUnpinned).count == 1)
    }

    @Test("Pins and room updates reach every member with the vendor's callbacks", arguments: [Platform.iOS, .android])
    func pinsAndUpdates(platform: Platform) throws {
        let world = try TestWorld()
        let ada = try world.connected(["platform": .string(platform.rawValue)])
        world.serve("say", ["text": "pin me"], by: "Mo")
        world.run(for: .seconds(1))
        let id = world.list(ada)[0]["id"] ?? ""
        let pin = try world.serve("pin", ["id": id], by: "Mo").value
        world.serve("update_room", ["fields": ["title": "New title", "custom_data": "x"]], by: "Mo")
        world.run(for: .seconds(1))
        world.command(ada, "pinned_messages", ["ordering": "-pinned_at"])
        world.run(for: .seconds(1))
        #expect(world.events(ada, .completed).last?.fields["value"]?[0]?["message_id"] == id)
        world.serve("unpin", ["id": pin], by: "Mo")
        world.run(for: .seconds(1))
        #expect(world.events(ada, .messagePinned).first?.fields["pin"]?["message_id"] == id)
        #expect(world.events(ada, .messageUnpinned).first?.fields["pin_id"] == pin)
        #expect(world.events(ada, .roomUpdated).first?.fields["title"] == "New title")
        for kind: EventKind in [.messagePinned, .messageUnpinned, .roomUpdated] {
            #expect(world.events(ada, kind).first?.fields["callback"] == .string(platform.callback(for: kind)))
        }
        // Only a producer or the room's creator pins.
        world.command(ada, "pin", ["id": id])
        world.run(for: .seconds(1))
        #expect(world.events(ada, .error).last?.fields["code"] == "forbidden")
    }

    @Test("The creator of a room pins in it, and a second pin of the same message is refused")
    func creatorPins() throws {
        let world = try TestWorld()
        let ada = try world.connected()
        world.command(ada, "create_room", ["options": ["title": "Mine"]])
        world.run(for: .seconds(1))
        let resource = try #require(world.events(ada, .completed).last?.fields["value"])
        // The iOS helper sends everyone where the service's default is members.
        #expect(resource["visibility"] == "everyone")
        let room = try #require(resource["id"]?.string)
        world.command(ada, "connect", ["room": .string(room)])
        world.run(for: .seconds(1))
        world.command(ada, "say", ["text": "hi", "room": .string(room)])
        world.run(for: .seconds(1))
        let id = world.list(ada, room: room)[0]["id"] ?? ""
        for _ in 0..<2 {
            world.command(ada, "pin", ["id": id, "room": .string(room)])
            world.run(for: .seconds(1))
        }
        #expect(world.events(ada, .messagePinned).count == 1)
        #expect(world.events(ada, .error).last?.fields["status"] == 409)
    }

    @Test("Members join, leave, add and invite each other")
    func people() throws {
        let world = try TestWorld()
        let ada = try world.connected()
        let bob = try world.connected()
        world.command(ada, "add_member", ["profile": world.profileID(bob)])
        world.run(for: .seconds(1))
        #expect(world.events(ada, .error).last?.fields["code"] == "forbidden")
        world.command(ada, "join")
        world.run(for: .seconds(1))
        world.command(ada, "add_member", ["profile": world.profileID(bob)])
        world.run(for: .seconds(1))
        #expect(world.events(bob, .memberAdded).first?.fields["room"] == "lobby")
        world.command(ada, "join")
        world.run(for: .seconds(1))
        #expect(world.events(ada, .error).last?.fields["status"] == 409)
        world.command(ada, "members")
        world.command(ada, "members", ["page": "next"])
        world.run(for: .seconds(1))
        let pages = world.events(ada, .completed).filter { $0.fields["callback"] == "getChatRoomMemberships" }
        #expect(pages.map { $0.fields["value"]?.array?.count } == [0, 2])
        world.command(bob, "leave")
        world.run(for: .seconds(1))
        world.command(bob, "my_rooms")
        world.run(for: .seconds(1))
        #expect(world.events(bob, .completed).last?.fields["value"] == [])
        world.command(ada, "invite", ["profile": world.profileID(bob)])
        world.run(for: .seconds(1))
        let invitation = try #require(world.events(bob, .invitation).first)
        #expect(invitation.fields["status"] == "pending")
        world.command(bob, "answer_invitation", ["id": invitation.fields["id"] ?? ""])
        world.run(for: .seconds(1))
        world.command(ada, "invitations", ["direction": "sent", "status": "accepted"])
        world.run(for: .seconds(1))
        #expect(world.events(ada, .completed).last?.fields["value"]?.array?.count == 1)
    }

    @Test(
        "What the product has not is refused in clear words", arguments: MemberVocabulary.absentFeatures.keys.sorted())
    func absentFeatures(name: String) throws {
        let world = try TestWorld()
        let ada = try world.connected()
        guard case .refused(let why) = world.command(ada, name) else {
            Issue.record("\(name) must be refused")
            return
        }
        #expect(why.hasPrefix("LiveLike has no "))
    }
}
