import Machines
import RunRecord
import Testing

@Suite("Reading a saved run record")
struct RecordReaderTests {
    private let entries = SampleEntries.lines.map(\.entry)

    @Test("A whole record gives its entries")
    func whole() throws {
        #expect(try RecordReader.read(SampleEntries.record) == self.entries)
    }

    @Test("A record cut at any byte gives the entries of its whole lines and says that it is cut")
    func cut() throws {
        let record = SampleEntries.record
        for length in record.indices {
            var reader = RecordReader()
            var read = try reader.read(record[..<length])
            read += try reader.finish()
            let newlines = record[..<length].count { $0 == 0x0A }
            let isWithinLine = length > 0 && record[length - 1] != 0x0A
            // Only the line feed is missing: the line is whole.
            let isWholeLine = isWithinLine && record[length] == 0x0A
            #expect(read == Array(self.entries.prefix(newlines + (isWholeLine ? 1 : 0))))
            #expect(reader.isCut == (isWithinLine && !isWholeLine))
        }
    }

    @Test("A byte order mark at the beginning and lines that end with CRLF are read over, in pieces of any size too")
    func markedAndCarriageReturns() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let record = mark + SampleEntries.record.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
        #expect(try RecordReader.read(record) == self.entries)
        var reader = RecordReader()
        var read: [RunEntry] = []
        for byte in record { read += try reader.read([byte]) }
        #expect(try read + reader.finish() == self.entries)
        // The mark may stand before a single line that has no line feed.
        let first = SampleEntries.record.prefix { $0 != 0x0A }
        #expect(try RecordReader.read(mark + first) == Array(self.entries.prefix(1)))
        #expect(throws: RecordFormatError.self) { try RecordReader.read(first + [0x0A] + mark + first + [0x0A]) }
    }

    @Test("Empty lines are passed over, and the lines after them keep their numbers", arguments: ["\n", "\r\n"])
    func emptyLines(lineEnd: String) throws {
        let blank = Array(lineEnd.utf8)
        for record in [
            SampleEntries.record + blank, SampleEntries.record + blank + blank, SampleEntries.record + [0x0D],
        ] {
            var reader = RecordReader()
            #expect(try reader.read(record) + reader.finish() == self.entries)
            #expect(!reader.isCut)
        }
        let damaged = Array(SampleEntries.lines[0].line.utf8) + [0x0A] + blank + Array("no\n".utf8)
        let error = #expect(throws: RecordFormatError.self) { try RecordReader.read(damaged) }
        #expect(error?.description.hasPrefix("line 3 of the run record") == true)
    }

    @Test("A record that comes in pieces of any size is read the same", arguments: [1, 2, 3, 7, 64, 1000])
    func pieces(size: Int) throws {
        let record = SampleEntries.record
        var reader = RecordReader()
        var read: [RunEntry] = []
        for start in stride(from: 0, to: record.count, by: size) {
            read += try reader.read(record[start..<min(start + size, record.count)])
        }
        read += try reader.finish()
        #expect(read == self.entries)
        #expect(!reader.isCut)
    }

    @Test("Entries of unknown types are counted and passed over")
    func unknownTypes() throws {
        var reader = RecordReader()
        let text = "{\"type\":\"weather\",\"rain\":true}\n{\"type\":\"moon\"}"
        #expect(try reader.read(Array(text.utf8)).isEmpty)
        #expect(try reader.finish().isEmpty)
        #expect(reader.unknownEntries == 2)
        #expect(!reader.isCut)
    }

    @Test("A line that is no entry is an error with the number of the line")
    func damagedLine() {
        let lines = SampleEntries.lines[0].line + "\nnot a record\n"
        #expect {
            try RecordReader.read(Array(lines.utf8))
        } throws: {
            "\($0)" == "line 2 of the run record: a value is expected at byte 0; is this a run record?"
        }
        #expect {
            try RecordReader.read(Array("[]\n".utf8))
        } throws: {
            "\($0)" == "line 1 of the run record: an entry is not a JSON object"
        }
    }

    @Test("A record of a later format is refused with what to do")
    func laterFormat() {
        let line = #"{"type":"run_started","format":2}"#
        #expect {
            try RecordReader.read(Array(line.utf8))
        } throws: {
            "\($0)".contains("read it with the version that wrote it or a later one")
        }
    }

    @Test("Random bytes never trap the reader")
    func fuzz() {
        var random = RandomSource(seed: 3)
        let record = SampleEntries.record
        for _ in 0..<2000 {
            var bytes = record
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
            }
            _ = try? RecordReader.read(bytes)
        }
    }

    @Test("The events of a peer may nest as deep as a peer may send them")
    func deepEvents() throws {
        let raw = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
        let line =
            #"{"type":"observed","scenario":1,"at":0,"actor":"a","number":1,"kind":"k","fields":{},"raw":"# + raw + "}"
        #expect(try RecordReader.read(Array(line.utf8)).count == 1)
    }
}
