import Digests
import Testing

@Suite("Digests")
struct DigestTests {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test(
        "SHA-256 gives the digests that FIPS 180-4 and openssl give",
        arguments: [
            (0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
            (56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
            (64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
            (1_000, "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"),
        ])
    func sha256(count: Int, expected: String) {
        #expect(self.hex(Digest.sha256(Array(repeating: UInt8(ascii: "a"), count: count))) == expected)
    }

    @Test(
        "SHA-1 gives the digests of RFC 3174",
        arguments: [
            ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
            ),
        ])
    func sha1(message: String, expected: String) {
        #expect(self.hex(Digest.sha1(Array(message.utf8))) == expected)
    }

    @Test(
        "HMAC-SHA256 gives the codes of RFC 4231",
        arguments: [
            (
                [UInt8](repeating: 0x0B, count: 20), "Hi There",
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ])
    func authentication(key: [UInt8], message: String, expected: String) {
        #expect(self.hex(AuthenticationKey(key).code(for: Array(message.utf8))) == expected)
    }

    @Test("An empty key authenticates as well as any other")
    func emptyKey() {
        #expect(
            self.hex(AuthenticationKey([]).code(for: []))
                == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }

    @Test("A code is valid for its own message and key, whole and unchanged")
    func validity() {
        let key = AuthenticationKey(Array("secret".utf8))
        let message = Array("a message".utf8)
        let code = key.code(for: message)
        #expect(key.isValid(code, for: message))
        #expect(!key.isValid(code, for: message + [0]))
        #expect(!key.isValid(Array(code.dropLast()), for: message))
        #expect(!key.isValid([], for: message))
        #expect(!AuthenticationKey(Array("Secret".utf8)).isValid(code, for: message))
        for place in code.indices {
            var changed = code
            changed[place] ^= 1
            #expect(!key.isValid(changed, for: message))
        }
    }
}
