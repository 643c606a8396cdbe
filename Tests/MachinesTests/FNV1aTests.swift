import Machines
import Testing

/// The hashes are those of its authors' test vectors.
struct FNV1aTests {
    @Test(
        arguments: [
            ("", 0x811C_9DC5, 0xCBF2_9CE4_8422_2325), ("a", 0xE40C_292C, 0xAF63_DC4C_8601_EC8C),
            ("foobar", 0xBF9C_F968, 0x8594_4171_F739_67E8),
        ] as [(String, UInt32, UInt64)])
    func vectors(text: String, short: UInt32, long: UInt64) {
        #expect(FNV1a.hash32(text.utf8) == short)
        #expect(FNV1a.hash64(text.utf8) == long)
    }

    @Test func aHashGoesOnFromAnother() {
        #expect(FNV1a.hash64("bar".utf8, from: FNV1a.hash64("foo".utf8)) == FNV1a.hash64("foobar".utf8))
        #expect(FNV1a.hash32("bar".utf8, from: FNV1a.hash32("foo".utf8)) == FNV1a.hash32("foobar".utf8))
    }
}
