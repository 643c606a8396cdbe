import Testing

@testable import JSON

struct PlainBytesTests {
    /// What JSON (RFC 8259, 7) does not allow as it is, and DEL, which terminals do not show.
    private static func isPlain(_ byte: UInt8) -> Bool {
        !(0x00...0x1F).contains(byte) && ![0x22, 0x5C, 0x7F].contains(byte)
    }

    @Test func everyByteAtEveryPlaceEndsARunOrDoesNot() {
        let plain = PlainBytes(besides: nil)
        for byte in UInt8.min...UInt8.max {
            for count in 1...35 {
                for place in 0..<count {
                    var text = [UInt8](repeating: UInt8(ascii: "a"), count: count)
                    text[place] = byte
                    let end = text.withUnsafeBufferPointer { plain.end(of: $0, from: 0) }
                    #expect(end == (Self.isPlain(byte) ? count : place), "\(byte) at \(place) of \(count)")
                }
            }
        }
    }

    @Test func aRunBeginsWhereItIsAskedFor() {
        let text = Array("\"123456789\"abc".utf8)
        let plain = PlainBytes(besides: nil)
        #expect(text.withUnsafeBufferPointer { plain.end(of: $0, from: 1) } == 10)
        #expect(text.withUnsafeBufferPointer { plain.end(of: $0, from: 11) } == 14)
        #expect(text.withUnsafeBufferPointer { plain.end(of: $0, from: 14) } == 14)
    }

    @Test(arguments: 1...35)
    func anotherCharacterEndsARunWhereOneIsNamed(count: Int) {
        let plain = PlainBytes(besides: UInt8(ascii: "<"))
        let text = [UInt8](repeating: UInt8(ascii: ";"), count: count - 1) + [UInt8(ascii: "<")]
        #expect(text.withUnsafeBufferPointer { plain.end(of: $0, from: 0) } == count - 1)
    }

    @Test func aWriterGoesOnWithATextAndEscapesTheCharacterItIsGiven() {
        var writer = JSONWriter(continuing: Array("x = ".utf8), escaping: UInt8(ascii: "<"))
        writer.append(["a<b": "</script>"])
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"x = {"a\u003cb":"\u003c/script>"}"#)
    }

    @Test func membersAreWrittenOneAfterAnotherWhereAValueWouldHold() {
        var writer = JSONWriter(continuing: Array("x = ".utf8))
        writer.appendMembers { members in
            members.add("text", "a\"b")
            members.add("none", nil as String?)
            members.add("count", -1)
            members.add("truth", false)
            members.add("value", value: ["a", .null])
            members.add("nothing", value: nil)
            members.add("object", ["b": 1])
        }
        writer.appendMembers { _ in }
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #"x = {"text":"a\"b","count":-1,"truth":false,"value":["a",null],"object":{"b":1}}{}"#)
    }

    /// What RFC 8259, 7 asks for, byte by byte.
    private static func escaped(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x22]
        for byte in text {
            switch byte {
            case 0x22, 0x5C: result += [0x5C, byte]
            case 0x0A: result += Array("\\n".utf8)
            case 0x0D: result += Array("\\r".utf8)
            case 0x09: result += Array("\\t".utf8)
            case 0x00...0x1F, 0x7F: result += Array(("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)).utf8)
            default: result.append(byte)
            }
        }
        return result + [0x22]
    }

    /// Lengths around eight bytes, of which words are made, and around the parts in which long texts are written.
    @Test(arguments: [0, 1, 7, 8, 9, 15, 16, 17, 63, 511, 512, 513, 1024, 1031, 5000])
    func textsAreEscapedByteByByteWhateverStandsInThem(count: Int) {
        var generator = SeededGenerator(seed: UInt64(count))
        for share in [0, 1, 10, 50, 100] {
            let text = (0..<count).map { _ in
                UInt8.random(in: 1...100, using: &generator) <= share
                    ? ([0x22, 0x5C, 0x0A, 0x0D, 0x09, 0x00, 0x1F, 0x7F] as [UInt8]).randomElement(using: &generator)
                        ?? 0x22
                    : UInt8.random(in: 0x20...0x7E, using: &generator)
            }
            var writer = JSONWriter()
            text.withUnsafeBufferPointer { writer.append(text: $0) }
            #expect(writer.bytes == Self.escaped(text), "\(share) of a hundred")
        }
    }
}

/// Numbers that are the same each time (Knuth's MMIX generator).
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        self.state = seed
    }

    mutating func next() -> UInt64 {
        self.state = self.state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return self.state
    }
}
