import Machines
import Testing

@Suite("Bytes as digits")
struct DigitTextTests {
    @Test("hexadecimal digits come back as the bytes, in either case")
    func hexadecimal() {
        let bytes = (0...255).map { UInt8($0) }
        #expect(Hexadecimal.decode(Hexadecimal.encode(bytes)) == bytes)
        #expect(Hexadecimal.encode([0x0F, 0xA0]) == "0fa0")
        #expect(Hexadecimal.decode("0Fa0") == [0x0F, 0xA0])
    }

    @Test("what are no pairs of digits is refused", arguments: ["0", "0g", "0x00", " 00", "00 ", "é0"])
    func wrongHexadecimal(text: String) {
        #expect(Hexadecimal.decode(text) == nil)
    }

    @Test("base64 for URLs survives every length and refuses the other alphabet and padding")
    func base64URL() {
        var random = RandomSource(seed: 3)
        for length in 0..<70 {
            let bytes = random.bytes(length)
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
        #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
        for text in ["a+bc", "a/bc", "a", "-_8="] { #expect(Base64URL.decode(text) == nil) }
    }
}
