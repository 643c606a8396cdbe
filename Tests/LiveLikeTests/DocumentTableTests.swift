import MachineKit
import Testing

@Suite("Every name of the vendor's page Chat Session")
struct DocumentTableTests {
    private static let names =
        LiveLikeFacts.properties + LiveLikeFacts.calls + LiveLikeFacts.others + [LiveLikeFacts.messageCallback]

    private static let table = DocumentTable(
        "LiveLike, Chat Session",
        [
            DocumentTable.rows(
                .acts, .test("A member connects: application, profile, room, subscribe, history, in this order"),
                ["EngagementSDK", "connectChatRoom", "connectChatRoom success", "ChatSession"]),
            DocumentTable.rows(
                .acts, .scenario("a room that does not exist cannot be connected to"), ["connectChatRoom failure"]),
            DocumentTable.rows(
                .acts, .test("Both spellings of the room id connect to the room"),
                ["ChatSessionConfig", "roomID", "roomId"]),
            DocumentTable.rows(
                .acts, .scenario("do not connect the next one twice"), ["a session lives as long as its object"]),
            DocumentTable.rows(
                .acts, .scenario("several rooms share one subscribe loop"), ["several rooms at a time"]),
            DocumentTable.rows(
                .acts, .scenario("the chat view shows the session that it is given"),
                ["ChatViewController", "setChatSession"]),
            DocumentTable.rows(
                .acts, .test("The message list is ascending by publish time and read by id"),
                ["messages", "messages ascending", "messages read only", "a message by its id"]),
            DocumentTable.rows(
                .acts, .scenario("a message reaches everybody, its sender included, once"),
                [
                    "NewChatMessage text", "sendMessage", "sendMessage success", "ChatMessage", "ChatSessionDelegate",
                    LiveLikeFacts.messageCallback,
                ]),
            DocumentTable.rows(
                .acts, .test("Without the own echo the new-message callback is for others only"),
                ["raised for others only=false"]),
            DocumentTable.rows(
                .acts, .test("An image by URL and an image by its bytes arrive with their size"),
                ["NewChatMessage imageURL", "NewChatMessage imageData"]),
            DocumentTable.rows(.acts, .scenario("an image has sides with a fraction"), ["imageSize=100 × 100"]),
            DocumentTable.rows(
                .acts, .scenario("a muted member is heard by nobody and told so"), ["sendMessage failure"]),
            DocumentTable.rows(
                .acts, .scenario("older messages come page by page until there are none"),
                ["loadNextHistory", "loadNextHistory success"]),
            DocumentTable.rows(
                .acts, .scenario("a page that fails can be asked for again"), ["loadNextHistory failure"]),
            DocumentTable.rows(
                .acts, .test("The page's largest page of history is the client's"),
                ["page size=\(LiveLikeFacts.pageLimit)"]),
            DocumentTable.rows(
                .acts, .scenario("an application sends what it likes"),
                ["sendCustomMessage", "sendCustomMessage success"]),
            DocumentTable.rows(
                .acts, .test("A custom message carries any text and raises the same callback"), ["custom data"]),
            DocumentTable.rows(
                .acts, .scenario("links are on by default on iOS and off on Android"), ["enableChatMessageURLs=true"]),
            DocumentTable.rows(
                .acts, .scenario("a pattern of the application's own decides alone"), ["chatMessageUrlPatterns=none"]),
            DocumentTable.rows(
                .acts, .scenario("links are set for the content session, and the chat session says otherwise"),
                ["Content Session Configuration"]),
        ])

    @Test("acts, is held or is refused, and something proves it")
    func complete() throws {
        print(Self.table.text)
        let problems = try Self.table.problems(names: Self.names, scenarios: "livelike", tests: "LiveLikeTests")
        #expect(problems.isEmpty, "\(problems.joined(separator: "; "))")
    }

    @Test("a row without a proof, or a name without a row, does not pass")
    func incomplete() throws {
        let table = DocumentTable("x", [DocumentTable.rows(.acts, .scenario("nobody wrote this"), ["a", "a"])])
        let problems = try table.problems(names: ["a", "b"], scenarios: "livelike", tests: "LiveLikeTests")
        #expect(problems == ["b has no row", "a stands twice", "there is no scenario \"nobody wrote this\""])
    }
}
