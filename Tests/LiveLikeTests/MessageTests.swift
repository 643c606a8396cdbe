import JSON
import MachineKit
import Machines
import Testing

@testable import LiveLike

@Suite("Messages of a room")
struct MessageTests {
    @Test(
        "An own message is shown at once and merged with answer and echo, whichever comes first",
        arguments: ["answer_first", "echo_first"], ["ios", "android"])
    func echoMerge(order: String, platform: String) throws {
        let world = try TestWorld(server: ["echo_order": .string(order)])
        let ada = try world.connected(["platform": .string(platform)])
        let bob = try world.connected()
        guard case .done(let local) = world.command(ada, "say", ["text": "hi"]) else {
            Issue.record("say was refused")
            return
        }
        #expect(world.events(ada, .message).count == 1)
        #expect(world.list(ada).map { $0["id"] } == [local])
        world.run(for: .seconds(1))
        #expect(world.events(ada, .message).count == 1)
        let sent = try #require(world.events(ada, .messageSent).first)
        #expect(sent.fields["client_message_id"] == local)
        #expect(sent.fields["callback"] == "sendMessage")
        let list = world.list(ada)
        #expect(list.map { $0["id"] } == [sent.fields["id"]])
        #expect(list[0]["timetoken"] != "0")
        #expect(sent.fields["sender_id"] != nil && sent.fields["sender_id"] == list[0]["sender_id"])
        #expect(sent.fields["from"] != nil && sent.fields["from"] == list[0]["from"])
        #expect(sent.fields["published_at"] != nil)
        #expect(world.heard(bob) == ["hi"])
    }

    @Test(
        "With the discarding of echoes off an own message comes a second time",
        arguments: ["answer_first", "echo_first"])
    func keepsEcho(order: String) throws {
        let world = try TestWorld(server: ["echo_order": .string(order)])
        let ada = try world.connected(["allowDiscardOwnPublishedMessageInSubscription": false])
        world.command(ada, "say", ["text": "hi"])
        world.run(for: .seconds(1))
        #expect(world.events(ada, .message).count == 2)
        #expect(world.list(ada).count == 1)
    }

    @Test("Without the own echo the new-message callback is for others only")
    func noOwnEcho() throws {
        let world = try TestWorld()
        let ada = try world.connected(["echo_own": false])
        world.command(ada, "say", ["text": "hi"])
        world.run(for: .seconds(1))
        #expect(world.events(ada, .message).isEmpty)
        #expect(world.list(ada).count == 1)
    }

    @Test("Messages published straight to the carrier reach members of both ways", arguments: ["ios", "android"])
    func directPublish(platform: String) throws {
        let world = try TestWorld()
        let ada = try world.connected(["carriage": "pubnub", "platform": .string(platform)])
        let bob = try world.connected()
        let id = try world.command(ada, "say", ["text": "hi"]).value
        world.run(for: .seconds(1))
        #expect(world.heard(bob) == ["hi"])
        // The id of a message that was published directly is the sender's own.
        #expect(world.events(bob, .message).first?.fields["id"] == id)
        #expect(world.events(ada, .message).count == 1)
        let later = try world.connected(["carriage": "pubnub"])
        #expect(world.list(later).map { $0["text"] } == ["hi"])
    }

    @Test("Sending is strictly one at a time with 100 ms between")
    func sendsInOrder() throws {
        let world = try TestWorld(server: ["latency": 0.05])
        let ada = try world.connected()
        let bob = try world.connected()
        let start = world.now
        for number in 1...5 { world.command(ada, "say", ["text": .string("m\(number)")]) }
        world.run(for: .seconds(10))
        #expect(world.heard(bob) == (1...5).map { "m\($0)" })
        let times = world.events[ada].filter { $0.event.kind == .messageSent }.map { $0.at - start }
        #expect(times == (0..<5).map { .milliseconds(50 + 150 * $0) })
    }

    @Test("An empty text is refused by the client itself")
    func emptyText() throws {
        let world = try TestWorld()
        let ada = try world.connected()
        world.command(ada, "say", ["text": ""])
        world.run(for: .seconds(1))
        let error = try #require(world.events(ada, .error).first)
        #expect(error.fields["message"]?.string?.hasPrefix("Message cannot be empty") == true)
        #expect(!world.requestLog.contains { $0.hasPrefix("POST /api/v1/chatroom-messages/") })
    }

    @Test("An image by URL and an image by its bytes arrive with their size")
    func images() throws {
        let world = try TestWorld()
        let ada = try world.connected()
        let bob = try world.connected()
        world.command(ada, "send_image", ["url": "https://img.test/cat.png", "width": 320, "height": 200])
        world.command(ada, "send_image", ["data": "iVBORw0KGgo="])
        let local = try #require(world.events(ada, .message).last)
        #expect(local.fields["image_url"]?.string?.hasPrefix("mock:") == true)
        world.run(for: .seconds(1))
        let images = world.events(bob, .message)
        #expect(images.map { $0.fields["type"] } == ["image", "image"])
        #expect(images[0].fields["image_url"] == "https://img.test/cat.png")
        #expect(images[0].fields["width"] == 320)
        #expect(images[1].fields["width"] == 100)
        let uploaded = try #require(world.events(ada, .attachmentUploaded).first)
        #expect(images[1].fields["image_url"] == uploaded.fields["url"])
        #expect(world.list(ada).map { $0["image_url"] } == images.map { $0.fields["image_url"] })
    }

    @Test("Answers to an upload that say nothing have the SDK's error names")
    func uploadErrors() throws {
        let world = try TestWorld()
        let ada = try world.connected()
        world.serve("fail_next", ["path": "/upload/", "status": 500])
        world.command(ada, "send_image", ["data": "iVBORw0KGgo="])
        world.run(for: .seconds(1))
        #expect(world.events(ada, .error).first?.fields["code"] == "internalServerError")
        #expect(world.list(ada).first?["failed"] == true)
    }

    @Test("A custom message carries any text and raises the same callback")
    func customMessages() throws {
        let world = try TestWorld()
        let ada = try world.connected()
        let bob = try world.connected()
        world.command(ada, "send_custom", ["data": "{\"score\":3}"])
        world.run(for: .seconds(1))
        let heard = try #require(world.events(bob, .message).first)
        #expect(heard.fields["type"] == "custom")
        #expect(heard.fields["custom_data"] == "{\"score\":3}")
        #expect(heard.fields["callback"] == "chatSession(_:didRecieveNewMessage:)")
        let sent = try #require(world.events(ada, .messageSent).first)
        #expect(sent.fields["type"] == "custom")
        #expect(sent.fields["sender_id"] == heard.fields["sender_id"])
        #expect(sent.fields["from"] == heard.fields["from"])
        #expect(sent.fields["published_at"] != nil)
    }

    @Test("A custom message that fails is told by the callback it was sent with, is in no list, and can be sent again")
    func failedCustomMessages() throws {
        let world = try TestWorld()
        let ada = try world.connected()
        let bob = try world.connected()
        world.serve("fail_next", ["path": "/custom-messages", "status": 500])
        world.command(ada, "send_custom", ["data": "{}"])
        world.run(for: .seconds(1))
        let error = try #require(world.events(ada, .error).first)
        #expect(error.fields["code"] == "internalServerError" && error.fields["status"] == 500)
        #expect(error.fields["callback"] == "sendCustomMessage" && error.fields["room"] == "lobby")
        #expect(world.events(bob, .message).isEmpty && world.list(ada).isEmpty)
        world.command(ada, "send_custom", ["data": "{\"again\":true}"])
        world.run(for: .seconds(1))
        #expect(world.events(bob, .message).map { $0.fields["custom_data"] } == ["{\"again\":true}"])
        #expect(world.events(ada, .error).count == 1)
    }

    @Test("A quote carries its message one level deep, and a reply belongs to its thread")
    func quotesAndThreads() throws {
        let world = try TestWorld()
        let ada = try world.connected()
        let bob = try world.connected()
        world.command(ada, "say", ["text": "first"])
        world.run(for: .seconds(1))
        let first = try #require(world.events(bob, .message).last?.fields["id"])
        world.command(bob, "quote", ["id": first, "text": "second"])
        world.run(for: .seconds(1))
        let second = try #require(world.events(ada, .message).last)
        #expect(second.fields["quote"]?["text"] == "first")
        world.command(ada, "quote", ["id": second.fields["id"] ?? "", "text": "third"])
        world.command(ada, "reply", ["id": first, "text": "in the thread"])
        world.run(for: .seconds(1))
        let third = try #require(world.events(bob, .message).dropLast().last)
        #expect(third.fields["quote"]?["text"] == "second")
        #expect(third.fields["quote"]?["quote"] == nil)
        let reply = try #require(world.events(bob, .message).last)
        #expect(reply.fields["parent_id"] == first)
        guard case .refused(let why) = world.command(bob, "reply", ["id": reply.fields["id"] ?? "", "text": "x"]) else {
            Issue.record("a reply to a reply must be refused")
            return
        }
        #expect(why.contains("do not nest"))
        world.command(bob, "get_replies", ["id": first])
        world.run(for: .seconds(1))
        let replies = try #require(world.events(bob, .completed).last)
        #expect(replies.fields["value"]?.array?.map { $0["text"] } == ["in the thread"])
    }

    @Test(
        "What a sender's application says beside a message comes with it until it is deleted",
        arguments: ["rest", "pubnub"])
    func metadata(carriage: String) throws {
        let world = try TestWorld()
        let ada = try world.connected(["carriage": .string(carriage)])
        let bob = try world.connected()
        let metadata: JSONValue = ["role": "vip", "seats": [1, 2]]
        world.command(ada, "say", ["text": "hi", "metadata": metadata])
        world.command(ada, "send_image", ["url": "https://img.test/cat.png", "metadata": metadata])
        #expect(world.list(ada).map { $0["metadata"] } == [metadata, metadata])
        world.command(ada, "say", ["text": "plain", "metadata": [:]])
        world.run(for: .seconds(1))
        #expect(world.events(bob, .message).map { $0.fields["metadata"] } == [metadata, metadata, nil])
        #expect(world.list(ada).map { $0["metadata"] } == [metadata, metadata, nil])
        world.serve("delete_message", ["id": world.list(bob)[0]["id"] ?? .null], by: "Mo")
        world.run(for: .seconds(1))
        #expect(world.list(bob).map { $0["metadata"] } == [nil, metadata, nil])
    }

    @Test("An image quotes a message that is loaded, uploaded or not", arguments: ["rest", "pubnub"])
    func quotingImages(carriage: String) throws {
        let world = try TestWorld()
        let ada = try world.connected()
        let bob = try world.connected(["carriage": .string(carriage)])
        world.command(ada, "say", ["text": "first"])
        world.run(for: .seconds(1))
        let first = try #require(world.events(bob, .message).last?.fields["id"])
        world.command(bob, "send_image", ["url": "https://img.test/cat.png", "quoted": first])
        world.command(bob, "send_image", ["data": "iVBORw0KGgo=", "quoted": first])
        guard case .refused(let why) = world.command(bob, "send_image", ["url": "https://a.test/b", "quoted": "no"])
        else {
            Issue.record("a message that is not loaded is quoted")
            return
        }
        #expect(why.contains("no message \"no\" is loaded"))
        world.run(for: .seconds(1))
        let images = world.events(ada, .message).filter { $0.fields["type"] == "image" }
        #expect(images.map { $0.fields["quote"]?["id"] } == [first, first])
        #expect(images.allSatisfy { $0.fields["quote"]?["text"] == "first" })
        #expect(world.list(bob).suffix(2).map { $0["quote"]?["id"] } == [first, first])
    }

    @Test("Replies are counted, whichever way they are sent", arguments: ["rest", "pubnub"])
    func replyCounts(carriage: String) throws {
        let world = try TestWorld()
        let ada = try world.connected(["carriage": .string(carriage)])
        world.serve("say", ["text": "first"], by: "Mo")
        world.run(for: .seconds(1))
        let first = try #require(world.events(ada, .message).last?.fields["id"])
        for _ in 0..<2 { world.command(ada, "reply", ["id": first, "text": "in the thread"]) }
        world.run(for: .seconds(1))
        let later = try world.connected()
        #expect(world.list(later).first?["replies"] == 2)
    }

    @Test("The message list is ascending by publish time and read by id")
    func listOrder() throws {
        let world = try TestWorld()
        let ada = try world.connected()
        for number in 1...4 {
            world.serve("say", ["text": .string("m\(number)")], by: "Mo")
            world.run(for: .milliseconds(10))
        }
        world.command(ada, "say", ["text": "mine"])
        world.serve("say", ["text": "m5"], by: "Mo")
        world.run(for: .seconds(1))
        let list = world.list(ada)
        let tokens = list.compactMap { $0["timetoken"]?.string.flatMap { TimeToken($0)?.ticks } }
        #expect(tokens == tokens.sorted() && tokens.count == 6)
        let id = try #require(list[2]["id"])
        #expect(world.command(ada, "message", ["id": id]) == .done(list[2]))
        #expect(world.command(ada, "message", ["id": "nothing"]) == .done(.null))
    }

    @Test("A message delivered again is shown once")
    func noDuplicates() throws {
        let world = try TestWorld()
        let ada = try world.connected()
        let payload: JSONValue = ["id": "M-1", "message": "hello", "sender_id": "x"]
        for _ in 0..<3 {
            world.serve(
                "publish_raw",
                ["channel": "chatroom.lobby", "envelope": ["event": "message-created", "payload": payload]])
            world.run(for: .seconds(1))
        }
        #expect(world.heard(ada) == ["hello"])
        #expect(world.events(ada, .message).first?.fields["id"] == "m-1")
    }

    @Test("A message that has left the list is not shown again either")
    func noLateDuplicates() throws {
        let world = try TestWorld()
        let ada = try world.connected(["message_limit": 4])
        for id in ["m-1", "m-2", "m-3", "m-4", "m-5", "m-6", "m-1"] {
            let payload: JSONValue = ["id": .string(id), "message": .string(id), "sender_id": "x"]
            world.serve(
                "publish_raw",
                ["channel": "chatroom.lobby", "envelope": ["event": "message-created", "payload": payload]])
            world.run(for: .seconds(1))
        }
        #expect(world.heard(ada) == ["m-1", "m-2", "m-3", "m-4", "m-5", "m-6"])
        #expect(world.list(ada).count == 4)
    }

    @Test("Stickers are shortcodes, and a text of one shortcode is a big sticker")
    func stickers() throws {
        #expect(MessageFields.shortcodes(in: "well :clap: done :+1: 10:30") == ["clap", "+1"])
        #expect(MessageFields.shortcodes(in: "::").isEmpty)
        let world = try TestWorld()
        let ada = try world.connected()
        world.serve("say", ["text": ":smile:"], by: "Mo")
        world.run(for: .seconds(1))
        #expect(world.events(ada, .message).first?.fields["big_sticker"] == true)
        world.command(ada, "sticker_packs")
        world.run(for: .seconds(1))
        let pack = world.events(ada, .completed).last?.fields["value"]?[0]
        #expect(pack?["stickers"]?[0]?["shortcode"] == "smile")
    }

    @Test("The avatar goes out only when avatars are displayed", arguments: [true, false])
    func avatars(isShown: Bool) throws {
        let world = try TestWorld()
        let ada = try world.connected(["shouldDisplayAvatar": .bool(isShown)])
        let bob = try world.connected()
        world.command(ada, "set_avatar", ["url": "https://img.test/ada.png"])
        world.command(ada, "say", ["text": "hi"])
        world.run(for: .seconds(1))
        #expect(world.events(bob, .message).first?.fields["avatar"] == (isShown ? "https://img.test/ada.png" : nil))
    }

    @Test("Messages ahead of the play head wait for it; own ones and those without a time do not")
    func spoilers() throws {
        let world = try TestWorld()
        let ada = try world.connected()
        let bob = try world.connected()
        world.command(bob, "set_play_head", ["time": "2026-01-01T12:00:00Z"])
        world.command(ada, "say", ["text": "later", "program_date_time": "2026-01-01T12:00:10Z"])
        world.command(ada, "say", ["text": "earlier", "program_date_time": "2026-01-01T11:00:00.000+00:00"])
        world.command(ada, "say", ["text": "timeless"])
        world.run(for: .seconds(2))
        #expect(world.heard(bob) == ["earlier", "timeless"])
        #expect(world.list(bob).count == 2)
        world.run(for: .seconds(10))
        #expect(world.heard(bob) == ["earlier", "timeless", "later"])
        #expect(world.list(bob).map { $0["text"] } == ["later", "earlier", "timeless"])
    }

    @Test("Of more messages ahead of the play head than a list holds the older ones are released")
    func manySpoilers() throws {
        let world = try TestWorld()
        let ada = try world.connected()
        let bob = try world.connected(["message_limit": 2])
        world.command(bob, "set_play_head", ["time": "2026-01-01T12:00:00Z"])
        for text in ["one", "two", "three"] {
            world.command(ada, "say", ["text": .string(text), "program_date_time": "2026-01-01T13:00:00Z"])
        }
        world.run(for: .seconds(2))
        #expect(world.heard(bob) == ["one"])
    }

    @Test("A message that was refused stays where it was, and later ones come after it")
    func refusedMessageKeepsItsPlace() throws {
        let world = try TestWorld(server: ["rooms": [["id": "lobby", "chat_message_throttle_seconds": 5]]])
        let (ada, bob) = (try world.connected(), try world.connected())
        for (member, text) in [(ada, "one"), (ada, "refused"), (bob, "two"), (bob, "refused too")] {
            world.command(member, "say", ["text": .string(text)])
            world.run(for: .seconds(1))
        }
        world.run(for: .seconds(5))
        world.command(ada, "say", ["text": "three"])
        world.run(for: .seconds(1))
        #expect(world.list(ada).map { $0["text"] } == ["one", "refused", "two", "three"])
        #expect(world.list(bob).map { $0["text"] } == ["one", "two", "refused too", "three"])
    }
    @Test("A message that was refused before the echo of the one before it came stays behind that one")
    func refusedBeforeEcho() throws {
        let sender: JSONObject = ["sender_id": "p", "message": "x"]
        func message(_ id: String, at ticks: Int64?) throws -> ChatMessage {
            let time = ticks.map { JSONObject([("pubnub_timetoken", JSONValue.integer($0))]) } ?? [:]
            let fields = sender.merging(["id": .string(id)]).merging(time)
            return try ChatMessage(.messageCreated, fields, timeToken: nil)
        }
        var list = MessageList(limit: 10)
        list.insert(try message("local", at: nil))
        list.replace("local", by: try message("one", at: 100))
        for id in ["refused", "refused too"] {
            list.insert(try message(id, at: nil))
            list.update(id) { $0.isFailed = true }
            list.settle(id)
        }
        list.insert(try message("another", at: 105))
        list.replace("one", by: try message("one", at: 110))
        list.insert(try message("two", at: 120))
        #expect(list.messages.map(\.id) == ["another", "one", "refused", "refused too", "two"])
        #expect(list["refused too"]?.isFailed == true)
    }
}
