import Compression
import Machines
import Testing

@Suite("Compressed bytes")
struct CompressionTests {
    private static let formats: [CompressionFormat] = [.gzip, .zlib, .raw]

    /// Bytes that compress a little.
    private func sample(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = RandomSource(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: 0..<12, using: &random) }
    }

    @Test("what is compressed is decompressed again, of any length", arguments: Self.formats)
    func roundTrip(format: CompressionFormat) throws {
        for count in [0, 1, 2, 100, 16_383, 16_384, 16_385, 100_000] {
            let bytes = self.sample(count)
            let small = format.compress(bytes)
            #expect(count < 1000 || small.count < count)
            #expect(try format.decompress(small, limit: count) == bytes)
        }
    }

    @Test("gzip is what its RFC says, without a name or a time")
    func header() {
        #expect(CompressionFormat.gzip.compress([])[..<9] == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0])
    }

    @Test("pieces of any length become the same", arguments: Self.formats)
    func pieces(format: CompressionFormat) throws {
        let bytes = self.sample(5_000)
        let small = format.compress(bytes)
        for length in [1, 2, 7, 100] {
            let inflater = Inflater(format)
            var result: [UInt8] = []
            for start in stride(from: 0, to: small.count, by: length) {
                #expect(!inflater.isAtEnd)
                inflater.take(small[start..<min(small.count, start + length)])
                while let piece = try inflater.next(atMost: 100) { result += piece }
            }
            #expect(result == bytes && inflater.isAtEnd && !inflater.hasTrailingBytes)
        }
    }

    @Test("a small stream that becomes much ends as a problem", arguments: Self.formats)
    func bomb(format: CompressionFormat) {
        let small = format.compress([UInt8](repeating: 0, count: 50_000_000))
        #expect(small.count < 100_000)
        #expect(throws: CompressionProblem.tooLong) { try format.decompress(small, limit: 1_000_000) }
    }

    @Test("a stream in pieces that can be expanded at once is one stream", arguments: Self.formats)
    func written(format: CompressionFormat) throws {
        let bytes = self.sample(5_000)
        let deflater = Deflater(format, windowBits: 12, memory: 5)
        let begun = deflater.compress(Array(bytes[..<3_000]))
        let inflater = Inflater(format)
        inflater.take(begun)
        var result: [UInt8] = []
        while let piece = try inflater.next(atMost: 1_000) { result += piece }
        #expect(result == Array(bytes[..<3_000]) && !inflater.isAtEnd)
        let whole = begun + deflater.finish(Array(bytes[3_000...]))
        #expect(try format.decompress(whole, limit: 5_000) == bytes)
    }

    @Test("one byte more than the limit is too much")
    func limit() throws {
        let small = CompressionFormat.gzip.compress(self.sample(100))
        #expect(throws: CompressionProblem.tooLong) { try CompressionFormat.gzip.decompress(small, limit: 99) }
        #expect(try CompressionFormat.gzip.decompress(small, limit: 100) == self.sample(100))
    }

    @Test("what ends early, goes on or is of another format is refused")
    func damage() {
        for format in Self.formats {
            let small = format.compress(self.sample(1000))
            #expect(throws: CompressionProblem.incomplete) { try format.decompress([], limit: 2000) }
            #expect(throws: CompressionProblem.incomplete) { try format.decompress(small.dropLast(), limit: 2000) }
        }
        let gzip = CompressionFormat.gzip.compress(self.sample(1000))
        #expect(throws: CompressionProblem.damaged) { try CompressionFormat.zlib.decompress(gzip, limit: 2000) }
        #expect(throws: CompressionProblem.damaged) {
            try CompressionFormat.gzip.decompress(gzip + [1, 2], limit: 2000)
        }
        let zlib = CompressionFormat.zlib.compress(self.sample(1000))
        #expect(throws: CompressionProblem.trailing) { try CompressionFormat.zlib.decompress(zlib + [1], limit: 2000) }
        var changed = gzip
        changed[gzip.count - 5] ^= 1
        #expect(throws: CompressionProblem.damaged) { try CompressionFormat.gzip.decompress(changed, limit: 2000) }
    }

    @Test("any number of streams of gzip are one, also empty ones, without a copy of what follows for each")
    func manyStreams() throws {
        let empty = CompressionFormat.gzip.compress([])
        let bytes = Array(repeatElement(empty, count: 200_000).joined()) + CompressionFormat.gzip.compress([1, 2, 3])
        #expect(try CompressionFormat.gzip.decompress(bytes, limit: 3) == [1, 2, 3])
    }

    @Test("several streams of gzip that follow each other are one")
    func members() throws {
        let (first, second) = (self.sample(100), self.sample(200, seed: 2))
        let both = CompressionFormat.gzip.compress(first) + CompressionFormat.gzip.compress(second)
        #expect(try CompressionFormat.gzip.decompress(both, limit: 300) == first + second)
    }

    @Test("random and damaged bytes never trap", arguments: 0..<50 as Range<UInt64>)
    func fuzz(seed: UInt64) {
        var random = RandomSource(seed: seed)
        for format in Self.formats {
            var bytes = format.compress(self.sample(300, seed: seed))
            for _ in 0..<4 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            if let result = try? format.decompress(bytes, limit: 4096) { #expect(result.count <= 4096) }
            _ = try? format.decompress(random.bytes(64), limit: 4096)
        }
    }
}

extension CompressionFormat {
    fileprivate func decompress(_ bytes: ArraySlice<UInt8>, limit: Int) throws(CompressionProblem) -> [UInt8] {
        try self.decompress(Array(bytes), limit: limit)
    }
}
