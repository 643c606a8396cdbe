import JSON
import MachineKit
import Machines
import Testing

@testable import LiveLike

@Suite("Vocabulary")
struct VocabularyTests {
    private let system = LiveLikeSystem.system

    @Test(
        "Every callback of the vendor is an event that the system declares", arguments: Callback.iOS + Callback.android)
    func callbacks(callback: Callback) {
        #expect(self.system.events.contains { $0.kind == callback.kind })
    }

    @Test("The misspelt callbacks keep the vendor's spelling")
    func spelling() {
        #expect(Platform.iOS.callback(for: .message) == "chatSession(_:didRecieveNewMessage:)")
        #expect(Platform.iOS.callback(for: .roomUpdated) == "chatSession(_:didRecieveRoomUpdate:)")
        #expect(Platform.android.callback(for: .messageUnpinned) == "onUnPinMessage")
    }

    @Test("Names are declared once")
    func uniqueNames() {
        for names in [
            self.system.client.methods.map(\.name), self.system.client.options.map(\.name),
            self.system.server.methods.map(\.name), self.system.server.options.map(\.name),
            self.system.parties.flatMap(\.methods).map(\.name), self.system.events.map(\.kind.rawValue),
        ] {
            #expect(Set(names).count == names.count)
        }
    }

    @Test(
        "Every declared method of a member is known to the machine",
        arguments: LiveLikeSystem.system.client.methods.map(\.name))
    func knownMethods(name: String) throws {
        let world = try TestWorld()
        let ada = try world.connected()
        #expect(!world.command(ada, name).isUnknownMethod(name))
        #expect(world.command(ada, "invented").isUnknownMethod("invented"))
    }

    @Test("Every declared method of server and moderator is known to the machine")
    func knownServerMethods() throws {
        let world = try TestWorld()
        for (methods, party) in [(self.system.server.methods, nil), (self.system.parties[0].methods, "Mo")] {
            for method in methods {
                #expect(!world.serve(method.name, by: party).isUnknownMethod(method.name), "\(method.name)")
            }
            #expect(world.serve("invented", by: party).isUnknownMethod("invented"))
        }
    }

    @Test("Every event of a busy room has only declared fields")
    func declaredFields() throws {
        let world = try TestWorld(server: ["filtered_words": ["darn"]])
        let ada = try world.connected(["nickname": "Ada"])
        let bob = try world.connected(["includeFilteredChatMessages": true, "carriage": "pubnub"])
        world.serve("update_room", ["fields": ["content_filter": "ai"]], by: "Mo")
        for text in ["hello www.example.com", ":smile:", "darn"] {
            world.command(ada, "say", ["text": .string(text)])
            world.run(for: .seconds(1))
        }
        let id = world.list(ada)[0]["id"] ?? ""
        for (name, arguments) in [
            ("react", ["id": id, "reaction": "heart"]), ("quote", ["id": id, "text": "q"]),
            ("reply", ["id": id, "text": "r"]),
            ("send_image", ["data": "AAAA"]), ("send_custom", ["data": "x"]), ("load_next_history", [:]),
            ("delete_message", ["id": id]), ("say", ["text": ""]), ("server_time", [:]), ("reaction_packs", [:]),
            ("token_gate", ["wallet": "0x1"]), ("room_info", ["room": "lobby"]),
        ] as [(String, JSONObject)] {
            world.command(ada, name, arguments)
            world.run(for: .seconds(1))
        }
        for envelope in ["text", ["event": "unheard-of"]] as [JSONValue] {
            world.serve("publish_raw", ["channel": "chatroom.lobby", "envelope": envelope])
        }
        world.serve("drop_subscribers")
        world.run(for: .seconds(5))
        #expect(world.events(ada, .error).count == 2 && world.events(ada, .frame).count == 1)
        world.command(bob, "disconnect")
        for member in [ada, bob] {
            for event in world.events[member].map(\.event) {
                #expect(self.system.events.deviations(of: event).isEmpty)
            }
        }
    }

    @Test("A report tells whose message it is, and has only declared fields")
    func declaredReport() throws {
        let world = try TestWorld()
        let ada = try world.connected(["nickname": "Ada"])
        let ben = try world.connected(["nickname": "Ben"])
        world.serve("watch", by: "Mo")
        world.command(ada, "say", ["text": "Buy my watches"])
        world.run(for: .seconds(1))
        world.command(ben, "report_message", ["id": world.list(ben)[0]["id"] ?? ""])
        world.run(for: .seconds(1))
        let report = try #require(world.partyEvents.last?.event)
        #expect(report.fields["nickname"] == "Ada")
        #expect(report.fields["profile_id"] == world.profileID(ada))
        #expect(self.system.parties[0].events.deviations(of: report).isEmpty)
    }

    @Test(
        "Options that cannot be used say what to do",
        arguments: [
            ["messageHistoryLimit": 101], ["messageHistoryLimit": 0], ["messageHistoryLimit": 9, "page_size": 9],
            ["page_size": 26], ["page_size": 0], ["chatMessageUrlPatterns": "["], ["message_limit": 0],
        ] as [JSONObject])
    func badOptions(options: JSONObject) {
        #expect(throws: ConfigurationError.self) {
            try LiveLikeClient(ClientConfiguration(origin: TestWorld.origin, target: [:], options: options))
        }
    }

    @Test("What the product has not is said in words, and is no event that it has")
    func absences() {
        #expect(!self.system.absences.isEmpty)
        for (kind, absence) in self.system.absences {
            #expect(absence.hasPrefix("LiveLike has no"))
            #expect(!self.system.events.contains { $0.kind == kind })
        }
    }
}
