import JSON
import MachineKit
import Machines
import Testing

@testable import LiveLike

/// The vendor's *Chat Session* page, if it lies beside the package.
enum SeedPage {
    static let text = SharedMaterial.page("004")

    /// The configuration properties that the page sets or names.
    static let properties: [String] = {
        let text = Self.text ?? ""
        let set = text.matches(of: /config\.([A-Za-z]+) =/).map { String($0.1) }
        let initial = text.matches(of: /ChatSessionConfig\(([A-Za-z]+):/).map { String($0.1) }
        return Set(set + initial).sorted()
    }()

    /// The calls that the page makes on a session.
    static let calls: [String] = {
        let found = (Self.text ?? "").matches(of: /chatSession\.([a-zA-Z]+)\(?/).map { String($0.1) }
        return Set(found + ["connectChatRoom"]).sorted()
    }()
}

/// The facts are what the page says, where it can be looked up.
@Suite(
    "Facts of the vendor's page", .enabled(if: SeedPage.text != nil, "the vendor's page is not beside the package"))
struct SeedPageFactTests {
    @Test("Properties, calls, defaults and figures are the page's")
    func facts() throws {
        #expect(SeedPage.properties == LiveLikeFacts.properties)
        #expect(SeedPage.calls == LiveLikeFacts.calls)
        let page = try #require(SeedPage.text)
        #expect(page.contains("The value is set to true by default") == LiveLikeFacts.findsLinks)
        let said = try #require(page.firstMatch(of: /maximum page size is ([0-9]+)/))
        #expect(Int(said.1) == LiveLikeFacts.pageLimit)
        #expect(page.contains(LiveLikeFacts.messageCallback))
    }
}

@Suite("The vendor's page")
struct SeedPageTests {
    private static let methods = [
        "connectChatRoom": "connect", "sendMessage": "say", "sendCustomMessage": "send_custom",
        "loadNextHistory": "load_next_history",
    ]

    @Test("Every configuration property of the page is an option of a member", arguments: LiveLikeFacts.properties)
    func everyPropertyIsAnOption(property: String) {
        #expect(LiveLikeSystem.system.client.options.contains { $0.name == property && $0.isOptional })
    }

    @Test("Every call of the page is a method of a member", arguments: LiveLikeFacts.calls)
    func everyCallIsAMethod(call: String) throws {
        let method = try #require(Self.methods[call])
        #expect(LiveLikeSystem.system.client.methods.contains { $0.name == method })
    }

    @Test("Both spellings of the room id connect to the room", arguments: ["roomID", "roomId"])
    func roomID(property: String) throws {
        let world = try TestWorld()
        let ada = try world.add([property: "lobby"])
        world.command(ada, "connect")
        world.run(for: .seconds(1))
        #expect(world.events(ada, .connected).first?.fields["room"] == "lobby")
    }

    @Test("Links are on by default and can be turned off")
    func linksByDefault() throws {
        for (options, count) in [([:], LiveLikeFacts.findsLinks ? 1 : 0), (["enableChatMessageURLs": false], 0)]
            as [(JSONObject, Int)]
        {
            let world = try TestWorld()
            let ada = try world.connected(options)
            world.serve("say", ["text": "see https://example.org"], by: "Mo")
            world.run(for: .seconds(1))
            #expect((world.events(ada, .message).first?.fields["links"]?.array ?? []).count == count)
        }
    }

    @Test("A pattern decides what is a link")
    func pattern() throws {
        let world = try TestWorld()
        let ada = try world.connected(["chatMessageUrlPatterns": "#[a-z]+"])
        world.serve("say", ["text": "https://example.org #fun"], by: "Mo")
        world.run(for: .seconds(1))
        #expect(world.events(ada, .message).first?.fields["links"]?[0]?["text"] == "#fun")
    }

    @Test("The page's largest page of history is the client's")
    func pageSize() {
        #expect(ClientOptions.pageLimit == LiveLikeFacts.pageLimit)
    }

    @Test("The page's callback is the one that messages carry")
    func callback() {
        #expect(Platform.iOS.callback(for: .message).contains(LiveLikeFacts.messageCallback))
    }
}
