import JSON
import Machines
import Testing

@Suite("Chat events")
struct ChatEventTests {
    @Test(
        "a message of text has the members that it stands for",
        arguments: [
            (#"{"a":1}"#, ["a": 1] as JSONValue?), ("7", 7), ("null", .null), ("hé", nil), ("", nil), ("{", nil),
            (#"{"a":1,"a":2}"#, nil),
        ])
    func document(text: String, json: JSONValue?) {
        let event = ChatEvent(.frame, document: text)
        var fields: JSONObject = ["type": "text", "text": .string(text), "size": .integer(Int64(text.utf8.count))]
        fields["json"] = json
        let made = ChatEvent(.frame, fields, raw: json ?? .string(text))
        #expect(event.fields == fields && event.fields.names == fields.names)
        #expect(event.raw == made.raw && event.text == text && made.text == text)
        #expect(event.document == text && made.document == nil)
        #expect(event == made && event.hashValue == made.hashValue)
        #expect(event != ChatEvent(.message, fields, raw: made.raw) && event != ChatEvent(.frame, document: text + " "))
        #expect(event.weight >= text.utf8.count)
    }

    @Test("a member that is set takes the place of the document's, and the others stay")
    func changed() {
        var event = ChatEvent(.frame, document: #"{"a":1}"#)
        event.fields["text"] = "cut"
        #expect(event.document == nil && event.text == "cut" && event.fields["json"] == ["a": 1])
        #expect(event.raw == ["a": 1])
        event.raw = nil
        #expect(event.raw == nil && event.fields["json"] == ["a": 1])
    }
}
