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

    /// Packs an object of texts and integers, and perhaps a text behind it.
    private static func packed(_ members: KeyValuePairs<String, Int64?>, and raw: String?) -> (PackedJSON, UInt32) {
        var writer = PackedJSONWriter(reservingCapacity: 16)
        func withBytes(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
            Array(text.utf8).withUnsafeBufferPointer(body)
        }
        writer.beginObject(of: members.count)
        for (name, number) in members {
            withBytes(name) { writer.append(name: $0) }
            if let number { writer.append(integer: number) } else { withBytes("é") { writer.append(text: $0) } }
        }
        let start = UInt32(writer.position)
        if let raw { withBytes(raw) { writer.append(text: $0) } }
        return (writer.finish(), start)
    }

    @Test("packed fields are the same event as the members that they stand for", arguments: [nil, "json", "wire"])
    func packed(raw: String?) {
        let (values, start) = Self.packed(["json": 7, "size": 2, "text": nil], and: raw == "wire" ? "wire" : nil)
        let form: PackedFields.Raw = raw == nil ? .none : raw == "json" ? .field("json") : .value(at: start)
        let event = ChatEvent(.frame, packed: PackedFields(values, raw: form, count: 3))
        let fields: JSONObject = ["json": 7, "size": 2, "text": "é"]
        let made =
            raw == "json"
            ? ChatEvent(.frame, fields, rawField: "json") : ChatEvent(.frame, fields, raw: raw.map { .string($0) })
        #expect(event == made && event.fields.names == made.fields.names)
        #expect(event.raw == made.raw && event.rawField == made.rawField && event.text == "é")
        #expect(!event.hasMembers && event.packed != nil && event.weight >= values.count)
        let decoded = event.decoded
        #expect(decoded == made && decoded.hasMembers && decoded.packed == nil && decoded.rawField == made.rawField)
        var changed = event
        changed.fields["text"] = "cut"
        #expect(changed.text == "cut" && changed.raw == made.raw)
    }

    @Test("an event of packed fields takes no more memory than any other")
    func size() {
        #expect(MemoryLayout<PackedFields>.size <= MemoryLayout<(JSONObject, raw: JSONValue?)>.size)
    }
}
