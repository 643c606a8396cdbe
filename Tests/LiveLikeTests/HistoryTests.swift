import JSON
import MachineKit
import Machines
import Testing

@testable import LiveLike

@Suite("History")
struct HistoryTests {
    private func filledWorld(_ count: Int, _ options: JSONObject = [:]) throws -> TestWorld {
        let world = try TestWorld(server: options)
        for number in 0..<count {
            world.serve("say", ["text": .string("m\(number)")], by: "Mo")
            world.run(for: .milliseconds(5))
        }
        return world
    }

    @Test(
        "Pages of at most 25 are added before what is loaded until the start is reached", arguments: ["rest", "pubnub"])
    func pages(carriage: String) throws {
        let world = try self.filledWorld(60)
        let ada = try world.connected(["carriage": .string(carriage)])
        #expect(world.list(ada).map { $0["text"]?.string } == (35..<60).map { "m\($0)" })
        world.command(ada, "load_next_history")
        world.run(for: .seconds(1))
        let page = try #require(world.events(ada, .history).last)
        #expect(page.fields["count"] == 25)
        #expect(page.fields["messages"]?[0]?["text"] == "m10")
        #expect(page.fields["callback"] == "loadNextHistory")
        #expect(world.list(ada).first?["text"] == "m10")
        world.command(ada, "load_next_history")
        world.run(for: .seconds(1))
        #expect(world.events(ada, .history).last?.fields["count"] == 10)
        for _ in 0..<2 {
            world.command(ada, "load_next_history")
            world.run(for: .seconds(1))
            #expect(world.events(ada, .history).last?.fields["count"] == 0)
            #expect(world.events(ada, .history).last?.fields["end"] == true)
        }
        #expect(world.list(ada).map { $0["text"]?.string } == (0..<60).map { "m\($0)" })
        #expect(world.events(ada, .error).isEmpty)
    }

    @Test(
        "Of a page of history what the play head has not reached waits for it, own messages excepted",
        arguments: ["rest", "pubnub"], ["ios", "android"])
    func historyAhead(carriage: String, platform: String) throws {
        let world = try TestWorld()
        let bob = try world.connected()
        let options: JSONObject = ["carriage": .string(carriage), "platform": .string(platform)]
        let before = try world.connected(options)
        func say(_ text: String, at second: Int, as member: Int) {
            let time = JSONValue.string("2026-01-01T12:00:\(second + 10)Z")
            world.command(member, "say", ["text": .string(text), "program_date_time": time])
            world.run(for: .seconds(1))
        }
        say("early", at: 0, as: bob)
        say("late", at: 10, as: bob)
        say("own", at: 10, as: before)
        let token = try #require(world.identity(before)["access_token"])
        let ada = try world.add(options.merging(["access_token": token]))
        world.command(ada, "set_play_head", ["time": "2026-01-01T12:00:12Z"])
        world.command(ada, "connect", ["room": "lobby"])
        world.run(for: .seconds(3))
        func texts() -> [JSONValue?] { world.list(ada).map { $0["text"] } }
        #expect(texts() == ["early", "own"])
        #expect(world.events(ada, .history).first?.fields["count"] == 2)
        #expect(world.events(ada, .connected).first?.fields["messages"] == 2)
        #expect(world.events(ada, .message).isEmpty)
        world.run(for: .seconds(20))
        #expect(texts() == ["early", "late", "own"])
        #expect(world.heard(ada) == ["late"])
    }

    @Test("Of more than twenty messages of a page that wait on Android the oldest are part of the page")
    func fullQueue() throws {
        let world = try TestWorld()
        let bob = try world.connected()
        for number in 1...22 {
            let time: JSONValue = "2026-01-01T12:00:30Z"
            world.command(bob, "say", ["text": .string("m\(number)"), "program_date_time": time])
            world.run(for: .seconds(1))
        }
        let ada = try world.add(["platform": "android"])
        world.command(ada, "set_play_head", ["time": "2026-01-01T12:00:00Z"])
        world.command(ada, "connect", ["room": "lobby"])
        world.run(for: .seconds(1))
        #expect(world.events(ada, .history).first?.fields["messages"]?.array?.map { $0["text"] } == ["m1", "m2"])
        world.run(for: .seconds(40))
        #expect(world.heard(ada) == (3...22).map { "m\($0)" })
    }

    @Test("A second page while one is loading fails at once with concurrentLoadHistoryCalls")
    func concurrentCalls() throws {
        let world = try self.filledWorld(60)
        let ada = try world.connected()
        world.command(ada, "load_next_history")
        world.command(ada, "load_next_history")
        let error = try #require(world.events(ada, .error).first)
        #expect(error.fields["code"] == "concurrentLoadHistoryCalls")
        world.run(for: .seconds(1))
        #expect(world.events(ada, .history).count == 2)
        world.command(ada, "load_next_history")
        world.run(for: .seconds(1))
        #expect(world.events(ada, .history).count == 3)
    }

    @Test("Messages since a token, read or refused, do not end the loading of a page", arguments: [true, false])
    func otherPages(isRefused: Bool) throws {
        let world = try self.filledWorld(60, ["latency": 0.2])
        let ada = try world.connected()
        if isRefused { world.serve("fail_next", ["path": "/chatroom-messages/", "status": 503]) }
        let token = try #require(world.list(ada).last?["timetoken"])
        world.command(ada, "get_messages", ["since": token])
        world.run(for: .milliseconds(100))
        world.command(ada, "load_next_history")
        world.run(for: .milliseconds(150))
        #expect(world.events(ada, .completed).count == (isRefused ? 0 : 1))
        world.command(ada, "load_next_history")
        #expect(world.events(ada, .error).last?.fields["code"] == "concurrentLoadHistoryCalls")
        world.run(for: .seconds(1))
        #expect(world.events(ada, .history).count == 2)
    }

    @Test("A failed page can be asked for again")
    func failedPage() throws {
        let world = try self.filledWorld(30)
        let ada = try world.connected()
        world.serve("fail_next", ["path": "/chatroom-messages/", "status": 503])
        world.command(ada, "load_next_history")
        world.run(for: .seconds(1))
        #expect(world.events(ada, .error).first?.fields["callback"] == "loadNextHistory")
        world.command(ada, "load_next_history")
        world.run(for: .seconds(1))
        #expect(world.events(ada, .history).last?.fields["count"] == 5)
    }

    @Test("A deletion that comes later than its page takes the message out of it", arguments: ["rest", "pubnub"])
    func laterDeletion(carriage: String) throws {
        let world = try self.filledWorld(2)
        let id = try world.serve("say", ["text": "gone"], by: "Mo").value
        for number in 2..<40 {
            world.serve("say", ["text": .string("m\(number)")], by: "Mo")
            world.run(for: .milliseconds(5))
        }
        world.serve("delete_message", ["id": id], by: "Mo")
        let ada = try world.connected(["carriage": .string(carriage)])
        // The page holds the deletion and is a message shorter for it, though it is not the end.
        #expect(world.list(ada).count == 24)
        world.command(ada, "load_next_history")
        world.run(for: .seconds(1))
        #expect(world.list(ada).map { $0["text"]?.string } == (0..<40).map { "m\($0)" })
        #expect(world.events(ada, .history).last?.fields["count"] == 16)
    }

    @Test("A deletion that arrives while members watch leaves a placeholder")
    func liveDeletion() throws {
        let world = try self.filledWorld(3)
        let ada = try world.connected()
        let id = try #require(world.list(ada)[1]["id"])
        world.serve("delete_message", ["id": id], by: "Mo")
        world.run(for: .seconds(1))
        let deleted = try #require(world.events(ada, .messageDeleted).first)
        #expect(deleted.fields["id"] == id)
        #expect(deleted.fields["callback"] == "chatSession(_:didDeleteMessage:)")
        #expect(world.list(ada)[1]["deleted"] == true)
        #expect(world.list(ada)[1]["text"] == "")
    }

    @Test("Messages since a token exclude the token itself and are counted alike", arguments: ["rest", "pubnub"])
    func since(carriage: String) throws {
        let world = try self.filledWorld(10)
        let ada = try world.connected(["carriage": .string(carriage)])
        let token = try #require(world.list(ada)[5]["timetoken"])
        world.command(ada, "get_messages", ["since": token])
        world.command(ada, "get_message_count", ["since": token])
        world.run(for: .seconds(1))
        let answers = world.events(ada, .completed)
        #expect(answers.map { $0.fields["callback"] } == ["getMessages", "getMessageCount"])
        #expect(answers[0].fields["value"]?.array?.map { $0["text"] } == ["m6", "m7", "m8", "m9"])
        #expect(answers[1].fields["value"] == 4)
        #expect(world.list(ada).count == 10)
    }

    @Test("The service counts messages between two times")
    func serviceCount() throws {
        let world = try self.filledWorld(10)
        let ada = try world.connected()
        let list = world.list(ada)
        world.command(
            ada, "message_count", ["since": list[2]["published_at"] ?? "", "until": list[8]["published_at"] ?? ""])
        world.run(for: .seconds(1))
        #expect(world.events(ada, .completed).last?.fields["value"]?["count"] == 5)
    }

    @Test("The history of a members' room is closed to others and open to members")
    func privateHistory() throws {
        let world = try TestWorld(server: ["rooms": [["id": "club", "visibility": "members"]]])
        let ada = try world.connected(room: "club")
        #expect(world.events(ada, .error).first?.fields["code"] == "forbidden")
        let bob = try world.add()
        world.command(bob, "connect", ["room": "club"])
        world.run()
        #expect(world.events(bob, .connected).isEmpty)
    }
}
