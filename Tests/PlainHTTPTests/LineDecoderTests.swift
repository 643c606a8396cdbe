import ByteDivisions
import Machines
import Testing

@testable import PlainHTTP

@Suite("The decoder of JSON lines")
struct LineDecoderTests {
    private static func read(_ pieces: [[UInt8]], limit: Int = 1 << 20) throws -> [String] {
        var decoder = LineDecoder(limit: limit)
        var lines: [[UInt8]] = []
        for piece in pieces {
            var offset = 0
            while let line = try decoder.next(piece.span, at: &offset) { lines.append(line) }
            #expect(offset == piece.count)
        }
        if let last = decoder.finish() { lines.append(last) }
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "Lines are the same however they are divided",
        arguments: [
            ("", []), ("{}\n", ["{}"]), ("{}", ["{}"]), ("1\n2\n", ["1", "2"]), ("1\n\n \t\n\r\n2", ["1", "2"]),
            ("1\r\n2\r\n", ["1\r", "2\r"]), ("\n\n", []), ("\"grüß\n dich 👋\"\n", ["\"grüß", " dich 👋\""]),
        ] as [(String, [String])])
    func lines(text: String, lines: [String]) throws {
        for division in Divisions.all(of: Array(text.utf8)) { #expect(try Self.read(division) == lines) }
    }

    @Test("A line may be as long as the limit and no longer, in whatever pieces it comes")
    func limit() throws {
        let line = [UInt8](repeating: 0x61, count: 100)
        #expect(try Self.read([line, [0x0A], line], limit: 100).count == 2)
        for division in Divisions.all(of: line + [0x61]) {
            #expect(throws: LineOverflow.self) { _ = try Self.read(division, limit: 100) }
        }
    }

    @Test("Random bytes give the same lines in random pieces", arguments: 0..<20)
    func fuzz(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let alphabet: [UInt8] = [0x0A, 0x0D, 0x20, 0x7B, 0x7D, 0xFF, 0xC3, 0x00]
        let bytes = (0..<1000).map { _ in alphabet.randomElement(using: &random) ?? 0 }
        let whole = try Self.read([bytes])
        #expect(try Self.read(Divisions.random(of: bytes, longest: 5, using: &random)) == whole)
    }
}
