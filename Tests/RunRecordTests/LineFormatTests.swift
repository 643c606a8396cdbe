import JSON
import Machines
import RunRecord
import Testing

@Suite("The line format of run records")
struct LineFormatTests {
    @Test("An entry is written as its line, members in order", arguments: SampleEntries.lines.indices)
    func writing(index: Int) {
        let sample = SampleEntries.lines[index]
        #expect(String(decoding: sample.entry.line, as: UTF8.self) == sample.line + "\n")
    }

    @Test("A line is read as its entry", arguments: SampleEntries.lines.indices)
    func reading(index: Int) throws {
        let sample = SampleEntries.lines[index]
        #expect(try RunEntry(json: try JSONReader.read(sample.line)) == sample.entry)
    }

    @Test("Members that are not known are ignored", arguments: SampleEntries.lines.indices)
    func unknownMembers(index: Int) throws {
        let sample = SampleEntries.lines[index]
        let line = String(sample.line.dropLast()) + #","novelty":{"a":[1]}}"#
        #expect(try RunEntry(json: try JSONReader.read(line)) == sample.entry)
    }

    @Test("A member that is missing or of the wrong type is an error that names it, or the member is optional")
    func damagedMembers() throws {
        for (_, line) in SampleEntries.lines {
            let members = try #require(try JSONReader.read(line).object)
            for name in members.names {
                var without = members
                without[name] = nil
                do throws(RecordFormatError) {
                    _ = try RunEntry(json: .object(without))
                } catch {
                    #expect(error.message.contains("\"\(name)\""), "\(error) for \(line)")
                }
                var wrong = members
                wrong[name] = .array([["?": 1]])
                do throws(RecordFormatError) {
                    let read = try RunEntry(json: .object(wrong))
                    // The id is computed, raw is any value, and lists of numbers drop what is not a number.
                    #expect(["id", "raw", "events"].contains(name), "\(name) accepted in \(line) as \(read as Any)")
                } catch {
                    #expect(["type", "outcome"].contains(name) || error.message.contains("\""), "\(error)")
                }
            }
        }
    }

    @Test(
        "What shards have in common is read whole or refused",
        arguments: [
            #""plan":7"#, #""plan":{"scenarios":"a","dealing":"c"}"#,
            #""plan":{"scenarios":"a","files":{"a.lua":"b","m.lua":7},"dealing":"c"}"#, #""planned":"4""#,
        ])
    func damagedPlan(member: String) throws {
        let start = #"{"type":"run_started","format":1,"tool":"1","seed":"1","clock":"virtual","target":"embedded","#
        let line = start + #""shard":{"index":1,"count":2,\#(member)},"planned":1}"#
        let json = try JSONReader.read(line)
        #expect(throws: RecordFormatError.self) { try RunEntry(json: json) }
    }

    @Test("Random members of JSON never trap the reader")
    func fuzzedMembers() throws {
        var random = RandomSource(seed: 11)
        let values: [JSONValue] = [
            .null, true, -1, .integer(.max), .integer(.min), .double(1e300), .numeral("1e999"), "", "x", [], [:],
            ["index": 1e30, "count": -1], [["category": "failure"]], [1, "a", .null],
        ]
        for _ in 0..<20_000 {
            let sample = SampleEntries.lines[Int.random(in: SampleEntries.lines.indices, using: &random)]
            var members = try #require(try JSONReader.read(sample.line).object)
            for name in members.names where name != "type" && Bool.random(using: &random) {
                members[name] = values.randomElement(using: &random)
            }
            if let entry = try? RunEntry(json: .object(members)) {
                let again = try RunEntry(json: try JSONReader.read(entry.line.dropLast()))
                #expect(again == entry)
            }
        }
    }
}
