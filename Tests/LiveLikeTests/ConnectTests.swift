import JSON
import Machines
import Testing

@testable import LiveLike

@Suite("Connecting a member")
struct ConnectTests {
    @Test("A member connects: application, profile, room, subscribe, history, in this order")
    func bootstrapOrder() throws {
        let world = try TestWorld()
        let ada = try world.connected()
        #expect(world.events(ada, .connected).count == 1)
        let calls = world.requestLog.prefix(5).map { String($0.prefix { $0 != "?" }) }
        #expect(
            calls == [
                "GET /api/v1/applications/repartee/", "POST /api/v1/profile/", "GET /api/v1/chat-rooms/lobby/",
                "GET /v2/subscribe/sub-c-repartee/chatroom.control.lobby,chatroom.lobby,profile."
                    + (world.profileID(ada).string ?? "") + "/0",
                "GET /v2/subscribe/sub-c-repartee/chatroom.control.lobby,chatroom.lobby,profile."
                    + (world.profileID(ada).string ?? "") + "/0",
            ])
        #expect(
            world.requestLog.contains { $0.hasPrefix("GET /api/v1/chatroom-messages/?chat_room_id=lobby&page_size=25") }
        )
        let connected = try #require(world.events(ada, .connected).first?.fields)
        #expect(connected["title"] == "Lobby")
        #expect(!connected.names.contains("custom_data"), "the room has none")
    }

    @Test("On Android the chat channel follows the control channel after 500 ms, and the callback 2 s later")
    func androidPauses() throws {
        let world = try TestWorld()
        let start = world.now
        let ada = try world.connected(["platform": "android"])
        let channels = world.requestLog.filter { $0.hasPrefix("GET /v2/subscribe/") }.map { request in
            request.split(separator: "/")[4].split(separator: ",").map { $0.prefix { $0 != "-" } }
        }
        let control = "chatroom.control.lobby"
        #expect(channels.first?.first == control[...] && channels.first?.contains("chatroom.lobby") == false)
        #expect(channels.last?.starts(with: [control[...], "chatroom.lobby"]) == true)
        #expect(world.events[ada].filter { $0.event.kind == .history }.map { $0.at - start } == [.milliseconds(500)])
        #expect(
            world.events[ada].filter { $0.event.kind == .connected }.map { $0.at - start } == [.milliseconds(2_500)])
        // Who ends the session meanwhile hears nothing of the pauses any more.
        let bob = try world.add(["platform": "android"])
        world.command(bob, "connect", ["room": "lobby"])
        world.run(for: .milliseconds(600))
        #expect(world.timers(of: bob).contains("connecting-lobby"))
        world.command(bob, "disconnect", ["room": "lobby"])
        #expect(world.timers(of: bob).isEmpty)
        world.run(for: .seconds(5))
        #expect(world.events(bob, .connected).isEmpty)
        // What is said before the callback stands in the list, and raises nothing.
        let eve = try world.add(["platform": "android"])
        world.command(eve, "connect", ["room": "lobby"])
        world.run(for: .seconds(1))
        world.serve("say", ["text": "early"], by: "Mo")
        world.run(for: .seconds(5))
        #expect(world.events(eve, .connected).count == 1 && world.events(eve, .message).isEmpty)
        #expect(world.list(eve).map { $0["text"] } == ["early"])
    }

    @Test("An empty history is a success and no error")
    func emptyHistory() throws {
        let world = try TestWorld()
        let ada = try world.connected()
        #expect(world.events(ada, .history).first?.fields["count"] == 0)
        #expect(world.events(ada, .error).isEmpty)
    }

    @Test("A stored token restores the profile instead of making a new one")
    func restoresProfile() throws {
        let world = try TestWorld()
        let ada = try world.connected()
        let token = try #require(world.identity(ada)["access_token"])
        let again = try world.connected(["access_token": token])
        #expect(world.identity(again)["profile_id"] == world.identity(ada)["profile_id"])
        #expect(world.events(again, .sessionCreated).first?.fields["restored"] == true)
    }

    @Test("A room that does not exist fails with notFound404 and leaves the client usable")
    func missingRoom() throws {
        let world = try TestWorld()
        let ada = try world.connected(room: "nowhere")
        let error = try #require(world.events(ada, .error).first)
        #expect(error.fields["code"] == "notFound404")
        #expect(error.fields["callback"] == "connectChatRoom")
        world.command(ada, "connect", ["room": "lobby"])
        world.run(for: .seconds(1))
        #expect(world.events(ada, .connected).count == 1)
    }

    @Test(
        "Error statuses have the names of the iOS SDK",
        arguments: [
            (401, "unauthorized"), (403, "forbidden"), (404, "notFound404"), (422, "badRequest"),
            (503, "internalServerError"),
        ])
    func errorNames(status: Int, code: String) throws {
        let world = try TestWorld()
        world.serve("fail_next", ["path": "/applications/", "status": .integer(Int64(status))])
        let ada = try world.connected()
        #expect(world.events(ada, .error).first?.fields["code"] == .string(code))
        #expect(world.events(ada, .connected).isEmpty)
    }

    @Test("A room that joins while the first name is on its way is asked for and connected once")
    func joiningWhileNamed() throws {
        let world = try TestWorld(server: ["latency": 0.2, "rooms": [["id": "red"], ["id": "blue"]]])
        let ada = try world.add(["nickname": "Ada"])
        world.command(ada, "connect", ["room": "red"])
        world.run(for: .milliseconds(500))
        #expect(world.events(ada, .sessionCreated).count == 1)
        #expect(world.identity(ada)["nickname"] != "Ada")
        world.command(ada, "connect", ["room": "blue"])
        world.run(for: .seconds(5))
        for room in ["red", "blue"] {
            #expect(world.requestLog.filter { $0.hasPrefix("GET /api/v1/chat-rooms/\(room)/") }.count == 1)
            #expect(world.events(ada, .connected).filter { $0.fields["room"] == .string(room) }.count == 1)
        }
        #expect(world.identity(ada)["nickname"] == "Ada")
    }

    @Test("Several rooms share one subscribe loop")
    func severalRooms() throws {
        let world = try TestWorld(server: ["rooms": [["id": "red"], ["id": "blue"]]])
        let ada = try world.connected(room: "red")
        world.command(ada, "connect", ["room": "blue"])
        world.run(for: .seconds(1))
        #expect(world.events(ada, .connected).count == 2)
        #expect(world.serverProperties["subscribers"] == 1)
        world.serve("say", ["text": "in red", "room": "red"], by: "Mo")
        world.serve("say", ["text": "in blue", "room": "blue"], by: "Mo")
        world.run(for: .seconds(1))
        #expect(world.heard(ada) == ["in red", "in blue"])
        #expect(world.events(ada, .message).map { $0.fields["room"] } == ["red", "blue"])
    }

    @Test("A second room does not lose what the first one gets meanwhile")
    func noLossWhileConnecting() throws {
        let world = try TestWorld(server: ["rooms": [["id": "red"], ["id": "blue"]], "latency": 0.1])
        let ada = try world.connected(room: "red")
        world.command(ada, "connect", ["room": "blue"])
        for number in 1...20 {
            world.serve("say", ["text": .string("m\(number)"), "room": "red"], by: "Mo")
            world.run(for: .milliseconds(30))
        }
        world.run(for: .seconds(5))
        #expect(world.heard(ada) == (1...20).map { "m\($0)" })
    }

    @Test("A session that ends stops its room and not the others")
    func disconnects() throws {
        let world = try TestWorld(server: ["rooms": [["id": "red"], ["id": "blue"]]])
        let ada = try world.connected(room: "red")
        world.command(ada, "connect", ["room": "blue"])
        world.run(for: .seconds(1))
        world.command(ada, "disconnect", ["room": "red"])
        world.run(for: .seconds(1))
        world.serve("say", ["text": "in red", "room": "red"], by: "Mo")
        world.serve("say", ["text": "in blue", "room": "blue"], by: "Mo")
        world.run(for: .seconds(1))
        #expect(world.heard(ada) == ["in blue"])
        world.command(ada, "disconnect", ["room": "blue"])
        world.run(for: .seconds(1))
        #expect(world.serverProperties["subscribers"] == 0)
        #expect(world.requestLog.contains { $0.contains("/leave") })
    }

    @Test("Tearing down leaves nothing waiting on the server")
    func tearsDown() throws {
        let world = try TestWorld()
        let ada = try world.connected()
        let before = world.events[ada].count
        world.tearDown(ada)
        world.run(for: .seconds(1))
        #expect(world.serverProperties["subscribers"] == 0)
        #expect(world.events[ada].count == before)
    }

    @Test("A denied subscription fails the connection and does not try again")
    func accessDenied() throws {
        let world = try TestWorld()
        world.serve("fail_next", ["path": "/v2/subscribe", "status": 403])
        let ada = try world.connected()
        #expect(world.events(ada, .error).map { $0.fields["code"] } == ["accessDenied", "accessDenied"])
        let asked = world.requestLog.count { $0.contains("/v2/subscribe") }
        world.run(for: .seconds(1000))
        #expect(asked == 1)
        #expect(world.requestLog.count { $0.contains("/v2/subscribe") } == 1)
    }

    @Test("An application without a publish key only receives")
    func receiveOnly() throws {
        let world = try TestWorld(server: ["publish_key": false])
        let ada = try world.connected(["carriage": "pubnub"])
        world.serve("say", ["text": "hello"], by: "Mo")
        world.command(ada, "say", ["text": "me too"])
        world.run(for: .seconds(1))
        #expect(world.heard(ada) == ["hello"])
        #expect(world.events(ada, .error).first?.fields["code"] == "sendMessageFailedAccessDenied")
    }

    @Test(
        "A name has 1 to 20 characters",
        arguments: [("", false), ("Ada", true), (String(repeating: "x", count: 21), false)])
    func displayName(name: String, isAccepted: Bool) throws {
        let world = try TestWorld()
        let ada = try world.connected()
        world.command(ada, "set_display_name", ["name": .string(name)])
        world.run(for: .seconds(1))
        #expect(world.events(ada, .error).first?.fields["code"] == (isAccepted ? nil : "invalidNameLength"))
        #expect((world.identity(ada)["nickname"] == .string(name)) == isAccepted)
    }

    @Test(
        "Who connects to a room hears nothing of it before the room is connected, and nothing at all if it stays closed"
    )
    func silentUntilConnected() throws {
        let world = try TestWorld(server: [
            "rooms": [["id": "lobby"], ["id": "club", "visibility": "members"], ["id": "stand"]]
        ])
        let eve = try world.connected()
        for room in ["club", "stand"] {
            world.serve("say", ["text": .string("in the \(room)"), "room": .string(room)], by: "Mo")
        }
        world.serve("update_room", ["fields": ["title": "Club"], "room": "club"], by: "Mo")
        world.run(for: .seconds(1))
        for room in ["club", "stand"] { world.command(eve, "connect", ["room": .string(room)]) }
        world.run(for: .seconds(1))
        #expect(world.events(eve, .error).map { $0.fields["room"] } == ["club"])
        #expect(world.heard(eve).isEmpty)
        #expect(world.events(eve, .roomUpdated).isEmpty)
        // What came meanwhile is in the list all the same.
        #expect(world.events(eve, .connected).last?.fields["messages"] == 1)
        #expect(world.list(eve, room: "stand").map { $0["text"] } == ["in the stand"])
        world.serve("say", ["text": "now", "room": "stand"], by: "Mo")
        world.run(for: .seconds(1))
        #expect(world.heard(eve) == ["now"])
    }

    @Test("A token gate names its tokens, and its wallets alone are let in")
    func tokenGates() throws {
        let gate: JSONValue = ["contract_address": "0xA", "network_type": "ethereum"]
        let world = try TestWorld(server: ["rooms": [["id": "lobby", "token_gates": [gate], "wallets": ["0x1"]]]])
        let ada = try world.connected()
        for wallet in ["0x1", "0x2"] { world.command(ada, "token_gate", ["wallet": .string(wallet)]) }
        world.command(ada, "room_info", ["room": "lobby"])
        world.run(for: .seconds(1))
        let answers = world.events(ada, .completed).compactMap { $0.fields["value"] }
        #expect(answers.compactMap { $0["access"] } == ["allowed", "disallowed"])
        #expect(answers.last?["token_gates"] == [gate])
    }

    @Test("On Android each of the last 100 closed sessions says that it is; where none is named the last one does")
    func closedSessions() throws {
        let ids = (1...101).map { "r\($0)" }
        let world = try TestWorld(server: ["rooms": .array(ids.map { ["id": .string($0)] })])
        let ada = try world.add(["platform": "android"])
        for id in ids {
            world.command(ada, "connect", ["room": .string(id)])
            world.run(for: .seconds(1))
            world.command(ada, "disconnect", ["room": .string(id)])
        }
        world.command(ada, "say", ["text": "hi"])
        for id in ["r2", "r101"] { world.command(ada, "say", ["text": "hi", "room": .string(id)]) }
        let errors = world.events(ada, .error).map(\.fields)
        #expect(errors.map { $0["room"] } == ["r101", "r2", "r101"])
        #expect(errors.allSatisfy { $0["code"] == "sessionClosed" })
        for id in ["r1", "never"] {
            guard case .refused = world.command(ada, "say", ["text": "hi", "room": .string(id)]) else {
                Issue.record("the room \(id) counts as closed")
                continue
            }
        }
    }
}
