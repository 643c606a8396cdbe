import Compression
import HTTPTypes
import Machines
import Testing

@testable import Transport

@Suite("Compressed bodies")
struct ContentDecoderTests {
    private static let text = "data: Grüße\n\n" + "data: Grüße\n\n" + "data: Grüße\n\n"

    /// The text as Python's zlib compresses it.
    private static let gzip = "H4sIAAAAAAACA0tJLEm0UnAvOrzn8PxULq4UvFwAUMyY8i0AAAA="
    private static let zlib = "eJxLSSxJtFJwLzq85/D8VC6uFLxcAKGrEhY="
    private static let raw = "S0ksSbRScC86vOfw/FQurhS8XAA="

    private static func decode(
        _ bytes: [UInt8], _ coding: String, limit: Int = 1 << 20, pieces: Int = .max
    ) throws -> [UInt8] {
        let head = HTTPResponse(status: .ok, headerFields: [.contentEncoding: coding])
        let decoder = try #require(ContentDecoder(head, limit: limit))
        var result: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: min(pieces, bytes.count)) {
            try decoder.decode(Array(bytes[start...].prefix(pieces))) { piece in
                result += piece
                return true
            }
        }
        try decoder.finish()
        return result
    }

    @Test(
        "gzip and both forms of deflate are expanded, however they are divided",
        arguments: [
            ("gzip", Self.gzip), ("X-GZIP", Self.gzip), ("deflate", Self.zlib), ("deflate", Self.raw),
        ], [1, 2, 7, Int.max])
    func expanded(coded: (coding: String, base64: String), pieces: Int) throws {
        let bytes = try #require(Base64.decode(coded.base64))
        #expect(try Self.decode(bytes, coded.coding, pieces: pieces) == Array(Self.text.utf8))
    }

    @Test("a body of several gzip members is one body")
    func members() throws {
        let bytes = try #require(
            Base64.decode("H4sIAAAAAAACA8vPS1UAAElhrCMEAAAAH4sIAAAAAAACAyspzwcAZorKEQMAAAA="))
        for pieces in [1, 5, Int.max] {
            #expect(try Self.decode(bytes, "gzip", pieces: pieces) == Array("one two".utf8))
        }
    }

    @Test("what was not asked for is handed on as it is", arguments: ["br", "identity", "gzip, gzip", ""])
    func unknown(coding: String) {
        let head = HTTPResponse(status: .ok, headerFields: [.contentEncoding: coding])
        #expect(ContentDecoder(head, limit: 1) == nil)
    }

    @Test("a bomb ends at the limit, and what is handed on comes in small pieces")
    func bomb() throws {
        let bytes = CompressionFormat.gzip.compress(Array(repeating: 0, count: 16 << 20))
        #expect(bytes.count < 20_000)
        let decoder = try #require(
            ContentDecoder(HTTPResponse(status: .ok, headerFields: [.contentEncoding: "gzip"]), limit: 1 << 20))
        var most = 0
        var all = 0
        #expect(throws: ContentDecoder.Failure.self) {
            try decoder.decode(bytes) { piece in
                most = max(most, piece.count)
                all += piece.count
                return true
            }
        }
        #expect(most <= 64 << 10)
        #expect(all <= 1 << 20)
    }

    @Test("damaged and unfinished bodies are failures", arguments: ["gzip", "deflate"])
    func damage(coding: String) throws {
        let bytes = try #require(Base64.decode(coding == "gzip" ? Self.gzip : Self.zlib))
        var damaged = bytes
        damaged[damaged.count - 6] ^= 0xFF
        #expect(throws: ContentDecoder.Failure.self) { try Self.decode(damaged, coding) }
        #expect(throws: ContentDecoder.Failure.self) { try Self.decode(bytes.shortened(by: 3), coding) }
        #expect(throws: ContentDecoder.Failure.self) { try Self.decode(Array("no such thing".utf8), coding) }
    }

    @Test(
        "more behind the end of what was compressed is a failure",
        arguments: [("gzip", Self.gzip), ("deflate", Self.zlib), ("deflate", Self.raw)], [1, Int.max])
    func trailing(coded: (coding: String, base64: String), pieces: Int) throws {
        let bytes = try #require(Base64.decode(coded.base64)) + Array("more".utf8)
        #expect(throws: ContentDecoder.Failure.self) { try Self.decode(bytes, coded.coding, pieces: pieces) }
    }

    @Test("any bytes end in a body or a failure", arguments: 0..<50)
    func fuzzed(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        var bytes = try #require(Base64.decode(seed % 2 == 0 ? Self.gzip : Self.zlib))
        for _ in 0..<3 { bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next()) }
        let result = try? Self.decode(bytes, seed % 2 == 0 ? "gzip" : "deflate", limit: 1 << 16, pieces: 3)
        #expect((result?.count ?? 0) <= 1 << 16)
    }
}

extension [UInt8] {
    fileprivate func shortened(by count: Int) -> [UInt8] { Array(self.prefix(self.count - count)) }
}
