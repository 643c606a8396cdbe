import Machines
import Testing

@testable import JSON

@Suite("Packed values")
struct PackedJSONTests {
    /// Packs a text into so much memory, and reads it again.
    private func again(_ text: String, room: Int = 1024) -> (value: JSONValue?, extent: PackedExtent, count: Int)? {
        var text = text
        return text.withUTF8 { text in
            withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { output in
                guard let (count, extent) = PackedJSON.pack(text, into: output) else { return nil }
                var builder = JSONValueBuilder(refusingRepetition: false)
                var reader = PackedJSONReader(UnsafeRawBufferPointer(rebasing: output[..<count]))
                return (reader.readValue(&builder), extent, count)
            }
        }
    }

    @Test(
        "an object is the same again, with how much it holds",
        arguments: [
            ("{}", 1, 1), (#"{"a":1}"#, 2, 1), (#"{"a":[1,[2,{}]],"b":null}"#, 7, 4),
            ("{\"a\" : 1} \n", 2, 1), (#"{"ä":"é\n\"","b":-1.5,"c":true,"d":false}"#, 5, 1),
        ])
    func objects(text: String, values: Int, depth: Int) throws {
        let packed = try #require(self.again(text))
        #expect(try packed.value == JSONReader.read(text))
        #expect(packed.extent == PackedExtent(values: values, depth: depth))
    }

    @Test(
        "what is no object, no JSON, or rare is left to others",
        arguments: [
            "", " {}", "[]", "1", "null", #""{}""#, "{", #"{"a""#, #"{"a":}"#, #"{"a":1"#, #"{"a":1}x"#, #"{"a":01}"#,
            #"{"a":1,"a":2}"#, #"{"b":{"a":1,"c":2,"a":3}}"#, #"{"a":1e999}"#, #"{"a":[-1e999]}"#, #"{"a":"\ud800"}"#,
            "{" + (0..<17).map { #""n\#($0)":1"# }.joined(separator: ",") + "}",
            String(repeating: #"{"a":"#, count: 400) + "1" + String(repeating: "}", count: 400),
        ])
    func others(text: String) { #expect(self.again(text, room: 1 << 16) == nil) }

    @Test("names that begin alike are not the same")
    func names() throws {
        let text = #"{"":0,"a":1,"ab":2,"abc":3,"b":4,"\u0061c":5}"#
        #expect(try self.again(text)?.value == JSONReader.read(text))
    }

    @Test("nothing is written behind the memory that is given, and with any less there is no result")
    func room() throws {
        let text = #"{"a":[1,2.5,"text"],"b":{"c":null,"d":true}}"#
        let count = try #require(self.again(text)).count
        for room in 0..<count { #expect(self.again(text, room: room) == nil, "\(room) of \(count) bytes") }
        #expect(self.again(text, room: count) != nil)
        var copy = text
        copy.withUTF8 { text in
            withUnsafeTemporaryAllocation(byteCount: count + 8, alignment: 1) { memory in
                memory.initializeMemory(as: UInt8.self, repeating: 0xAA)
                for room in 0...count {
                    _ = PackedJSON.pack(text, into: UnsafeMutableRawBufferPointer(rebasing: memory[..<room]))
                    #expect(memory[room...].allSatisfy { $0 == 0xAA })
                }
            }
        }
    }

    @Test("bytes that are no packed value end reading, whatever they are", arguments: 0..<200)
    func damaged(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let bytes = (0..<40).map { place in
            // Tags and short counts more often than chance has them.
            place % 5 == 0 ? UInt8(truncatingIfNeeded: random.next() % 8) : UInt8(truncatingIfNeeded: random.next() % 3)
        }
        bytes.withUnsafeBytes { bytes in
            var skipping = PackedJSONReader(bytes)
            var reading = PackedJSONReader(bytes)
            var builder = JSONValueBuilder(refusingRepetition: false)
            #expect((skipping.skipValue() == nil) == (reading.readValue(&builder) == nil))
            var objects = PackedJSONReader(bytes)
            _ = objects.skipObject()
            _ = objects.beginObject()
            _ = objects.readText()
        }
    }
}
