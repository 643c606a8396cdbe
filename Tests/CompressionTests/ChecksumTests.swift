import Compression
import Testing

@Suite("Checks of bytes")
struct ChecksumTests {
    @Test("CRC-32 is that of RFC 1952, also of nothing")
    func crc32() {
        #expect(Checksum.crc32(Array("123456789".utf8)) == 0xCBF4_3926)
        #expect(Checksum.crc32(Array("IEND".utf8)) == 0xAE42_6082)
        #expect(Checksum.crc32([]) == 0)
    }
}
