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
            for count in 1...19 {
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

    @Test(arguments: 1...17)
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
}
