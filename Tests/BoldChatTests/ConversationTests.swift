import JSON
import Machines
import Testing

@testable import BoldChat

@Suite("What a client knows of a running chat")
struct ConversationTests {
    private static func message(_ id: String, _ text: String, from type: String? = nil) -> OSSCall {
        var values: JSONObject = ["Text": .string(text)]
        values["PersonType"] = type.map { .string($0) }
        return OSSCall(method: "addMessage", params: ["MessageID": .string(id), "Values": .object(values)])
    }

    @Test("a change of a status text changes that one alone, and shows it only if it is the one that is shown")
    func statusTexts() {
        var conversation = Conversation()
        for call in [Self.message("1", "first", from: "system"), Self.message("2", "second", from: "system")] {
            #expect(conversation.receive(call, profile: .html).map(\.kind) == [.message])
        }
        let older = conversation.receive(Self.message("1", "changed"), profile: .html)
        #expect(older.map(\.kind) == [.messageUpdated])
        #expect(older.first?.fields["id"] == "1")
        #expect(older.first?.fields["text"] == "changed")
        #expect(conversation.systemMessage?.id == "2")
        #expect(conversation.systemMessage?.text == "second")
        _ = conversation.receive(Self.message("2", "new"), profile: .html)
        #expect(conversation.systemMessage?.text == "new")
    }

    @Test("a change of a status text that comes after an answer is the system's, and shows nothing")
    func lateStatusText() {
        var conversation = Conversation()
        _ = conversation.receive(Self.message("1", "wait", from: "system"), profile: .html)
        _ = conversation.receive(Self.message("2", "hello", from: "operator"), profile: .html)
        let events = conversation.receive(Self.message("1", "wait on"), profile: .html)
        #expect(events.map(\.kind) == [.messageUpdated])
        #expect(events.first?.fields["from"] == "system")
        #expect(conversation.systemMessage == nil)
        #expect(conversation.receive(Self.message("1", "wait on"), profile: .html).isEmpty)
    }
}
