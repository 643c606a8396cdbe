import Machines
import Testing

@Suite("What a chat system has")
struct ChatSystemTests {
    /// A system with parties of these kinds.
    private static func system(_ kinds: String...) -> ChatSystem {
        ChatSystem(
            name: "desk", title: "Desk",
            client: ClientDeclaration(methods: [], options: []) { _ throws(ConfigurationError) in
                throw ConfigurationError("nobody connects here")
            },
            parties: kinds.map { PartyDeclaration(name: $0, summary: "", methods: [], events: [], noise: []) },
            events: [], noise: [])
    }

    @Test("a kind of party that there is not is told with what was meant, or with those that there are")
    func parties() {
        let desk = Self.system("agent", "supervisor")
        #expect(desk.refusal(ofParty: "agent") == nil && desk.refusal(ofParty: "supervisor") == nil)
        #expect(desk.refusal(ofParty: "agnet") == "Desk has no party \"agnet\"; did you mean \"agent\"?")
        #expect(desk.refusal(ofParty: "x") == "Desk has no party \"x\"; it has agent, supervisor")
        #expect(Self.system().refusal(ofParty: "agent") == "Desk has no party \"agent\"")
    }
}
