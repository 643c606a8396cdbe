import ByteDivisions
import Machines
import Testing

@testable import Transport

@Suite("How messages on a link over TCP are told apart")
struct LinkCodecTests {
    private static func read(
        _ bytes: [UInt8], _ framing: LinkFraming, limit: Int = 100, pieces: [Int]
    ) -> (events: [LinkCodec.Event], isInMessage: Bool) {
        var codec = LinkCodec(framing, messageLimit: limit)
        var events: [LinkCodec.Event] = []
        var rest = bytes[...]
        for piece in pieces + [bytes.count] {
            let part = Array(rest.prefix(piece))
            rest = rest.dropFirst(piece)
            var offset = 0
            while let event = codec.next(part.span, at: &offset) { events.append(event) }
            #expect(offset == part.count)
        }
        return (events, codec.isInMessage)
    }

    private static let drips = [[], Array(repeating: 1, count: 64), [3, 5, 7, 11], [2, 2, 2, 2, 2]]

    @Test("lines end with either line end, and may be empty", arguments: Self.drips)
    func lines(pieces: [Int]) {
        let (events, isInMessage) = Self.read(
            Array("NICK ada\r\nJOIN #a\n\nünïcode\r\nhalf".utf8), .lines(.lineFeed), pieces: pieces)
        #expect(
            events == ["NICK ada", "JOIN #a", "", "ünïcode"].map { .message(.text($0)) })
        #expect(isInMessage)
    }

    @Test(
        "records end in the bytes that were said and in no others, wherever those are divided",
        arguments: [
            ("\u{1E}", "{}\u{1E}a\r\n\u{1E}\u{1E}half", ["{}", "a\r\n", ""]), ("\0", "one\0two\0", ["one", "two"]),
            ("\r", "a\n\rb\r", ["a\n", "b"]), ("||", "a|b|||c||||d|", ["a|b", "|c", ""]),
            ("\n\n", "a\nb\n\nc", ["a\nb"]), ("ab", "aab|ab|bab|b", ["a", "|", "|b"]),
        ])
    func records(end: String, text: String, records: [String]) throws {
        let framing = LinkFraming.lines(try #require(LinkFraming.LineEnd(end)))
        for pieces in Self.drips {
            let (events, isInMessage) = Self.read(Array(text.utf8), framing, pieces: pieces)
            #expect(events == records.map { .message(.text($0)) })
            #expect(isInMessage == !text.hasSuffix(end))
        }
    }

    @Test("a record may be as long as the limit, without its end")
    func longRecord() throws {
        let framing = LinkFraming.lines(try #require(LinkFraming.LineEnd("\u{1E}")))
        let record = String(repeating: "a", count: 100)
        let (events, _) = Self.read(Array("\(record)\u{1E}\(record)a\u{1E}".utf8), framing, pieces: [60, 60])
        #expect(events == [.message(.text(record)), .violated("a line of more than 100 bytes")])
    }

    @Test("a line that is not UTF-8 is a line all the same, of its bytes")
    func invalidLine() {
        let (events, _) = Self.read([0x61, 0xFF, 0x0D, 0x0A, 0x62, 0x0A], .lines(.lineFeed), pieces: [])
        #expect(events == [.message(.binary([0x61, 0xFF])), .message(.text("b"))])
    }

    @Test("a line longer than the limit is a violation, and nothing after it is read", arguments: [true, false])
    func longLine(hasEnd: Bool) {
        let bytes = Array(repeating: UInt8(ascii: "a"), count: 101) + (hasEnd ? [0x0A] : []) + Array("next\n".utf8)
        let (events, _) = Self.read(bytes, .lines(.lineFeed), pieces: [60, 60])
        #expect(events == [.violated("a line of more than 100 bytes")])
    }

    @Test(
        "a length has its bytes in the order that was said, and may count itself",
        arguments: [
            (LinkFraming.LengthPrefix(size: 1), [3, 1, 2, 3, 0, 1, 9] as [UInt8], [[1, 2, 3], [], [9]] as [[UInt8]]),
            (LinkFraming.LengthPrefix(size: 2), [0, 2, 7, 8, 0, 0], [[7, 8], []]),
            (LinkFraming.LengthPrefix(size: 4, isLittleEndian: true), [2, 0, 0, 0, 7, 8], [[7, 8]]),
            (LinkFraming.LengthPrefix(size: 4, countsItself: true), [0, 0, 0, 5, 7, 0, 0, 0, 4], [[7], []]),
            (LinkFraming.LengthPrefix(size: 8), [0, 0, 0, 0, 0, 0, 0, 1, 7], [[7]]),
        ])
    func prefixes(prefix: LinkFraming.LengthPrefix, bytes: [UInt8], messages: [[UInt8]]) {
        for pieces in Self.drips {
            let (events, isInMessage) = Self.read(bytes, .prefixed(prefix), pieces: pieces)
            #expect(events == messages.map { .message(.binary($0)) })
            #expect(!isInMessage)
        }
        var written: [UInt8] = []
        let codec = LinkCodec(.prefixed(prefix), messageLimit: 100)
        for message in messages { codec.write(.binary(message), into: &written) }
        #expect(written == bytes)
    }

    @Test(
        "a length that cannot be is a violation before anything is kept for it",
        arguments: [
            (LinkFraming.LengthPrefix(size: 8), Array(repeating: 0xFF, count: 8) as [UInt8]),
            (LinkFraming.LengthPrefix(size: 1), [101]),
            (LinkFraming.LengthPrefix(size: 4, countsItself: true), [0, 0, 0, 3]),
        ])
    func impossibleLengths(prefix: LinkFraming.LengthPrefix, bytes: [UInt8]) {
        let (events, _) = Self.read(bytes, .prefixed(prefix), pieces: [])
        guard case .violated? = events.first, events.count == 1 else {
            Issue.record("it was read as \(events)")
            return
        }
    }

    @Test("a text is written with the line end that was said, and bytes as they are")
    func writtenLines() throws {
        var written: [UInt8] = []
        let codec = LinkCodec(.lines(.carriageReturnLineFeed), messageLimit: 100)
        codec.write(.text("a"), into: &written)
        codec.write(.binary([1, 2]), into: &written)
        #expect(written == [0x61, 0x0D, 0x0A, 1, 2])
        let records = LinkCodec(.lines(try #require(LinkFraming.LineEnd("\u{1E}"))), messageLimit: 100)
        records.write(.text("b"), into: &written)
        #expect(written == [0x61, 0x0D, 0x0A, 1, 2, 0x62, 0x1E])
    }

    @Test("what a framing cannot carry is told before it is sent")
    func obstacles() throws {
        #expect(LinkFraming.lines(.lineFeed).obstacle(to: .text("a\r\nb"))?.contains("line end") == true)
        #expect(LinkFraming.lines(.lineFeed).obstacle(to: .binary([10])) == nil)
        let bars = LinkFraming.lines(try #require(LinkFraming.LineEnd("||")))
        for text in ["a||b", "a|"] { #expect(bars.obstacle(to: .text(text)) != nil, "\(text)") }
        for text in ["", "|a", "a|b\n"] { #expect(bars.obstacle(to: .text(text)) == nil, "\(text)") }
        let short = LinkFraming.prefixed(.init(size: 1, countsItself: true))
        #expect(short.obstacle(to: .binary(Array(repeating: 0, count: 254))) == nil)
        #expect(short.obstacle(to: .binary(Array(repeating: 0, count: 255)))?.contains("longer than 254") == true)
    }
}
