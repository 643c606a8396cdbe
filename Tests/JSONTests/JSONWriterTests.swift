import JSON
import Testing

@Suite("JSON that is written piece by piece")
struct JSONWriterTests {
    @Test("Pieces make the text that the whole value has", arguments: 0...3)
    func pieces(count: Int) {
        let numbers = (0..<count).map { JSONValue.integer(Int64($0)) }
        var writer = JSONWriter()
        writer.appendObject(
            ["a": "1\n"],
            [
                "numbers": { $0.appendArray(numbers) { number, writer in writer.append(number) } },
                "nested": { writer in
                    writer.appendArray(numbers) { number, writer in
                        writer.appendObject([:], ["n": { $0.append(number) }])
                    }
                },
            ])
        let whole: JSONValue = [
            "a": "1\n", "numbers": .array(numbers), "nested": .array(numbers.map { ["n": $0] }),
        ]
        #expect(writer.bytes == JSONWriter.write(whole))
    }

    @Test("An object of nothing is empty, and one of values alone has no comma too many")
    func bounds() {
        var writer = JSONWriter()
        writer.appendObject([:], [:])
        writer.appendObject(["a": 1], [:])
        writer.appendObject([:], ["b": { $0.append(2) }])
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{}{"a":1}{"b":2}"#)
    }

    @Test("Members are texts, lists of them, and what a closure writes")
    func members() {
        var writer = JSONWriter()
        writer.appendMembers { members in
            members.add("a", ["x\"", ""])
            members.add("b", [] as [String])
            members.add("c") { $0.append(integer: .min) }
        }
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"a":["x\"",""],"b":[],"c":-9223372036854775808}"#)
    }

    @Test("Objects that are added to a long text do not copy it")
    func room() {
        var writer = JSONWriter(reservingCapacity: 1 << 16)
        func place() -> UnsafePointer<UInt8>? { writer.bytes.withUnsafeBufferPointer(\.baseAddress) }
        let before = place()
        for number in 0..<100 {
            writer.appendMembers { members in
                members.add("number", number)
                members.add("text", "a \"word\"")
                members.add("object", ["a": 1])
            }
            #expect(place() == before)
        }
        #expect(writer.bytes.count == 100 * 50 - 10)
    }
}
