import JSON
import Machines
import Secrets
import Testing

@testable import Scenario

@Suite("The fields of an event in one line")
struct EventSummaryTests {
    private static func text(_ kind: EventKind, _ fields: JSONObject) -> String {
        EventSummary(of: ChatEvent(kind, fields), without: SecretMasker()).text
    }

    @Test("a summary begins with what says most, leaves out what says nothing, and rounds")
    func fields() {
        #expect(Self.text(.message, ["id": 7, "text": "a", "from": "b"]) == "from=\"b\" text=\"a\" id=7")
        #expect(Self.text(.message, ["seconds": 0.123456]) == "seconds=0.123")
        #expect(Self.text(.response, ["headers": ["a": "b"], "status": 200]) == "status=200")
        #expect(Self.text(.response, ["json": [:], "body": "{}", "size": 2]) == "json={}")
        #expect(Self.text(.frame, ["json": 1, "text": "1", "type": "text", "size": 1]) == "json=1")
        #expect(Self.text(.message, ["json": 1, "text": "1", "data": "1"]) == "text=\"1\"")
        #expect(Self.text(.message, ["json": 1, "data": "1"]) == "json=1")
        #expect(Self.text(.message, ["form": ["kind": "card"]]) == "form=card")
        #expect(Self.text(.message, [:]) == "")
    }

    @Test("lists and objects stand last, so that a line that is cut says which event it is")
    func collections() {
        let fields: JSONObject = ["ack": 1, "args": [["text": "a"]], "name": "ask", "state": [:], "user": "ada"]
        #expect(
            Self.text(.message, fields) == #"ack=1 name="ask" user="ada" args=[{"text":"a"}] state={}"#)
        #expect(Self.text(.message, ["args": [], "text": ["a"]]) == #"text=["a"] args=[]"#)
    }

    @Test("so much is shown as there is room for, and more of an error")
    func lengths() {
        func shown(_ kind: EventKind, _ length: Int) -> String {
            let event = ChatEvent(kind, ["text": .string(String(repeating: "x", count: 400))])
            return EventSummary(of: event, without: SecretMasker()).shortened(to: length)
        }
        #expect(shown(.message, 60).count == 60 && shown(.message, 60).hasSuffix("x…"))
        #expect(shown(.error, 60).count == 300 && shown(.error, 60).hasSuffix("x…"))
        #expect(shown(.message, 500).count == 407)
    }

    @Test("secrets are hidden, also where a value is cut")
    func secrets() {
        let vault = SecretVault()
        vault.add("swordfish")
        for text in [String(repeating: "x", count: 84) + "swordfish", "it is swordfish"] {
            let shown = EventSummary(of: .message(text), without: vault.current).shortened(to: 90)
            #expect(!shown.contains("sword"))
            #expect(EventSummary(of: .message(text), without: vault.current).text.contains("***"))
        }
    }

    @Test("a huge text is not shown as a whole", .timeLimit(.minutes(1)))
    func huge() {
        let event = ChatEvent.message(String(repeating: "x", count: 8 << 20))
        #expect(EventSummary(of: event, without: SecretMasker()).text.utf8.count < 5_000)
    }
}
