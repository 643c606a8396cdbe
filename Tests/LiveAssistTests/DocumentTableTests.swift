import JSON
import MachineKit
import Testing

@testable import LiveAssist

@Suite("Every name of the vendor's page Session Configuration")
struct DocumentTableTests {
    private static let effect = DocumentTable.Proof.test("Every property has its effect")

    private static func properties(_ verdict: DocumentTable.Verdict, _ wanted: (String) -> Bool) -> [DocumentTable.Row]
    {
        let names = LiveAssistFacts.rows.filter { wanted($0.property) }.map { row in
            "\(row.property)=\(row.defaultValue.isNull ? "none" : row.defaultValue.description)"
        }
        return DocumentTable.rows(verdict, Self.effect, names)
    }

    private static let held = ["isProgrammaticUI"]

    private static let table = DocumentTable(
        "Live Assist, Session Configuration",
        [
            Self.properties(.acts) { !Self.held.contains($0) }, Self.properties(.held, Self.held.contains),
            DocumentTable.rows(
                .acts, .test("The other spellings of two properties are read"),
                ["addSharedDocCloseLink", "initialConnectionTimeout"]),
            DocumentTable.rows(
                .acts, .scenario("the limit of a reconnection is spelt as the page spells it, too"),
                ["maxReconnectionTimeouts"]),
            DocumentTable.rows(.acts, Self.effect, ["server", "agentName", "permissionsColors"]),
            DocumentTable.rows(.held, Self.effect, ["autoStart=false", "connection=false"]),
            DocumentTable.rows(.acts, Self.effect, ["VideoMode.full", "VideoMode.agentOnly", "VideoMode.none"]),
            DocumentTable.rows(
                .acts, .test("Every argument of the page's initializers is read"), ["Configuration", "initWithServer"]),
            DocumentTable.rows(
                .acts, .test("Co-browsing only, accepted: callbacks in the documented order"), ["startSupport"]),
            DocumentTable.rows(
                .acts, .test("A refused session is 30101, a second start 30103, a silent server 30102"),
                ["startSupport error"]),
            DocumentTable.rows(.acts, .test("A server name is read in every listed form"), ["parseURL"]),
            DocumentTable.rows(
                .acts, .scenario("without an agent delegate the screen-share delegate is asked"),
                ["assistSDKScreenShareRequested"]),
            DocumentTable.rows(
                .acts, .scenario("the agent delegate is asked before the screen-share delegate"),
                ["AgentCobrowseDelegate", "agentCobrowse before screenShare"]),
            DocumentTable.rows(
                .acts, .scenario("without delegates the user is prompted, once for all agents"),
                ["the prompt without delegates"]),
            DocumentTable.rows(
                .acts, .scenario("a lost connection comes back at the second attempt"), ["ASDKConnectionStatusDelegate"]
            ),
            DocumentTable.rows(
                .acts, .scenario("a document is offered, accepted, shown and closed"), ["PushAuthorizationDelegate"]),
            DocumentTable.rows(
                .acts, .test("The constraints are the margins of a document's window"), ["DocumentViewConstraints"]),
            DocumentTable.rows(
                .acts, .scenario("a code that the consumer tells leads the agent into the session"),
                [
                    "ShortCode", "shortCode", "session-token", "cid", "shortcode/create", "shortcode/create auditName",
                    "shortcode/consumer", "shortcode/consumer auditName", "shortcode/agent",
                ]),
            DocumentTable.rows(
                .acts, .test("A short code leads both sides into one session and is used up by both"),
                ["a code used by both is over"]),
            DocumentTable.rows(
                .acts, .scenario("a named agent joins with the token of the short code"),
                ["the agent's token of a code"]),
            DocumentTable.rows(.acts, .scenario("a code is good for five minutes"), ["life of a code=5 minutes"]),
            DocumentTable.rows(
                .acts, .scenario("an existing call is escalated with its token and its session"),
                ["escalation of a call"]),
            DocumentTable.rows(
                .acts, .test("Escalating with a destination is refused: the existing call knows it"),
                ["no destination with a token"]),
            DocumentTable.rows(
                .acts, .test("UUI is ignored with a session token and outside trusted mode"),
                ["uui only in trusted mode"]),
            DocumentTable.rows(
                .acts, .test("Hexadecimal text reads back, whatever it says"), ["uui in hexadecimal"]),
            DocumentTable.rows(
                .acts, .scenario("without intervals and without the application the connection stays lost"),
                ["an empty list is no attempt"]),
            DocumentTable.rows(
                .acts, .scenario("the last limit counts for all further attempts"), ["the last limit repeats"]),
            DocumentTable.rows(
                .acts, .scenario("a call to an agent on duty becomes a session and ends with the call"),
                ["a destination makes the call"]),
        ])

    @Test("acts, is held or is refused, and something proves it")
    func complete() throws {
        print(Self.table.text)
        let names = Set(LiveAssistFacts.rows.map(\.property) + LiveAssistFacts.labels + LiveAssistFacts.others)
        let problems = try Self.table.problems(
            names: names.sorted(), scenarios: "liveassist", tests: "LiveAssistTests")
        #expect(problems.isEmpty, "\(problems.joined(separator: "; "))")
    }
}
