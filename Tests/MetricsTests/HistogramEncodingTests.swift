import Compression
import Machines
import Testing

@testable import Metrics

@Suite("The V2 encoding of HdrHistogram")
struct HistogramEncodingTests {
    private static let vector = "HISTFAAAADR4nJNpmSzMwMAgwgABzFCaEURcm7yEwf4DVISFiek4P9NqASamg8JMp72YbnswAQDX8AlM"
    private static let values: [Int64] = [1, 1, 2, 3, 1_000, 2_047, 2_048, 5_000, 123_456, 3_000_000]

    private func histogram(_ values: [Int64], _ precision: Precision = .threeDigits) -> Histogram {
        var result = Histogram(precision)
        for value in values { result.record(value) }
        return result
    }

    /// A histogram's bytes with that payload.
    private func bytes(_ payload: [UInt8], digits: UInt32 = 3) -> [UInt8] {
        var bytes: [UInt8] = [0x1C, 0x84, 0x93, 0x13]
        bytes.append(bigEndian: UInt32(payload.count))
        bytes.append(bigEndian: UInt32(0))
        bytes.append(bigEndian: digits)
        bytes.append(bigEndian: UInt64(1))
        bytes.append(bigEndian: UInt64(3_600_000_000))
        bytes.append(bigEndian: Double(1).bitPattern)
        return bytes + payload
    }

    @Test("A histogram encoded by another library is read")
    func known() throws {
        let read = try Histogram(base64: Self.vector)
        let recorded = self.histogram(Self.values)
        #expect(read.slots.map(\.slot) == recorded.slots.map(\.slot))
        #expect(read.slots.map(\.count) == recorded.slots.map(\.count))
        #expect(read.count == 10)
        #expect(read.value(atPercentile: 50) == 1_000)
    }

    @Test("The counts are encoded in the same bytes as by another library")
    func sameBytes() throws {
        let outer = try #require(Base64.decode(Self.vector))
        let inner = try CompressionFormat.zlib.decompress(Array(outer.dropFirst(8)), limit: 1_000)
        let mine = self.histogram(Self.values).encoded
        #expect(mine[..<24] == inner[..<24])
        #expect(mine[32...] == inner[32...])
    }

    @Test("What is encoded is read again, plain and compressed", arguments: Precision.allCases)
    func roundTrip(precision: Precision) throws {
        let recorded = self.histogram(spreadValues(3_000, seed: 9), precision)
        for bytes in [recorded.encoded, recorded.encodedCompressed] {
            var read = try Histogram(encoded: bytes)
            #expect(
                read.refine(
                    sum: recorded.sum, minimum: try #require(recorded.minimum), maximum: try #require(recorded.maximum),
                    negatives: 0))
            #expect(read == recorded)
        }
        #expect(recorded.base64.hasPrefix("HISTFAAA"))
        #expect(try Histogram(encoded: Histogram(precision).encoded).isEmpty)
    }

    @Test("A single empty slot may be written as 0 or as -1", arguments: [0 as UInt8, 1])
    func zero(byte: UInt8) throws {
        let read = try Histogram(encoded: self.bytes([byte, 4]))
        #expect(read.minimum == 1)
        #expect(read.count == 2)
    }

    @Test(
        "Numbers take one to nine bytes and come back",
        arguments: [0, 1, -1, 63, -64, 64, 8_191, -8_192, 1 << 40, .max, .min] as [Int64])
    func zigZag(value: Int64) throws {
        var bytes: [UInt8] = []
        ZigZag.append(value, to: &bytes)
        #expect(bytes.count <= 9)
        var rest = bytes[...]
        #expect(ZigZag.read(&rest) == value)
        #expect(rest.isEmpty)
        for length in 0..<bytes.count {
            var cut = bytes[..<length]
            #expect(ZigZag.read(&cut) == nil)
        }
    }

    @Test("A histogram that is cut anywhere is refused")
    func cut() {
        for bytes in [self.histogram(Self.values).encoded, self.histogram(Self.values).encodedCompressed] {
            for length in 0..<bytes.count {
                #expect(throws: HistogramFormatError.self) { try Histogram(encoded: bytes[..<length]) }
            }
        }
    }

    @Test("What no honest writer makes is refused and does not trap")
    func hostile() {
        let farSlot: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2]
        var twice: [UInt8] = []
        ZigZag.append(.max, to: &twice)
        ZigZag.append(.max, to: &twice)
        let manySlots = [UInt8](repeating: 2, count: 46_000)
        for bytes in [self.bytes(farSlot), self.bytes(twice), self.bytes(manySlots), self.bytes([2], digits: 5)] {
            #expect(throws: HistogramFormatError.self) { try Histogram(encoded: bytes) }
        }
        // Megabytes of zeros in a few kilobytes.
        let stream = CompressionFormat.zlib.compress([UInt8](repeating: 0, count: 5_000_000))
        var bomb: [UInt8] = [0x1C, 0x84, 0x93, 0x14]
        bomb.append(bigEndian: UInt32(stream.count))
        #expect(throws: HistogramFormatError.self) { try Histogram(encoded: bomb + stream) }
    }

    @Test("Random and damaged bytes never trap", arguments: 0..<20 as Range<UInt64>)
    func fuzz(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let honest = self.histogram(Self.values).encoded
        for _ in 0..<500 {
            var bytes = honest
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if let read = try? Histogram(encoded: bytes) { _ = read.value(atPercentile: 99) }
            _ = try? Histogram(encoded: self.bytes(random.bytes(Int.random(in: 0...40, using: &random))))
            _ = try? Histogram(encoded: random.bytes(Int.random(in: 0...80, using: &random)))
        }
    }

    @Test("A log is written and read again, and its text is stable")
    func log() throws {
        let first = HistogramLog.Interval(
            tag: "send, ack", startMicroseconds: 0, lengthMicroseconds: 1_000_000,
            histogram: self.histogram([1, 2_500]))
        let second = HistogramLog.Interval(
            tag: nil, startMicroseconds: 1_000_000, lengthMicroseconds: 500_000, histogram: self.histogram([7]))
        let log = HistogramLog(startMicroseconds: 1_700_000_000_123_000, intervals: [first, second])
        let lines = log.text.split(separator: "\n")
        #expect(lines[1] == "#[Histogram log format version 1.3]")
        #expect(lines[2] == "#[StartTime: 1700000000.123 (seconds since epoch)]")
        #expect(lines[4].hasPrefix("Tag=send__ack,0.000,1.000,2.500,HISTFAAA"))
        #expect(lines[5].hasPrefix("1.000,0.500,0.007,HISTFAAA"))
        let read = try HistogramLog(log.text)
        #expect(read.startMicroseconds == 1_700_000_000_123_000)
        #expect(read.intervals.map(\.tag) == ["send__ack", nil])
        #expect(read.intervals.map(\.startMicroseconds) == [0, 1_000_000])
        #expect(read.intervals[0].histogram.value(atPercentile: 100) == 2_501)
    }

    @Test("Times since 1970 and a base time become times since the start")
    func logTimes() throws {
        let line = self.histogram([7]).base64
        let absolute = "#[StartTime: 1700000000.000 (seconds since epoch)]\n1700000002.500,1.0,0.0,\(line)\n"
        #expect(try HistogramLog(absolute).intervals.first?.startMicroseconds == 2_500_000)
        let based = "#[StartTime: 1700000000.0 x]\n#[BaseTime: 1700000001.0 x]\n0.5,1.0,0.0,\(line)\n"
        #expect(try HistogramLog(based).intervals.first?.startMicroseconds == 1_500_000)
    }

    @Test(
        "A line that is none is refused with its number",
        arguments: ["1.0,1.0,5.0", "x,1.0,5.0,HISTFAAA", "1.0,1.0,5.0,????", "1,1,1,1,1", "99999999999999999999,1,1,x"])
    func badLog(line: String) {
        #expect {
            try HistogramLog("#[Histogram log format version 1.3]\n\(line)\n")
        } throws: {
            "\($0)".hasPrefix("line 2: ")
        }
    }
}
