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
        #expect(self.hex(HMAC(key).code(for: Array(message.utf8))) == expected)
    }

    @Test(
        "each digest has its bytes, those that others compute of abc",
        arguments: [
            (Digest.md5, "900150983cd24fb0d6963f7d28e17f72"),
            (
                .sha384,
                "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
            ),
            (
                .sha512,
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                    + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
            ),
        ])
    func others(digest: Digest, expected: String) {
        #expect(self.hex(digest(Array("abc".utf8))) == expected)
        #expect(digest.count == expected.count / 2)
    }

    @Test(
        "HMAC with each digest gives the codes that others compute",
        arguments: [
            (Digest.md5, "750c783e6ab0b503eaa86e310a5db738"), (.sha1, "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
            (
                .sha384,
                "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649"
            ),
            (
                .sha512,
                "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                    + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
            ),
        ])
    func otherCodes(digest: Digest, expected: String) {
        let key = HMAC(Array("Jefe".utf8), digest: digest)
        #expect(self.hex(key.code(for: Array("what do ya want for nothing?".utf8))) == expected)
    }

    @Test(
        "PBKDF2 gives the keys of RFC 6070 and those that others compute",
        arguments: [
            (Digest.sha1, "password", "salt", 1, "0c60c80f961f0e71f3a9b524af6012062fe037a6"),
            (.sha1, "password", "salt", 4096, "4b007901b765489abead49d926f721d065a429c1"),
            (
                .sha1, "passwordPASSWORDpassword", "saltSALTsaltSALTsaltSALTsaltSALTsalt", 4096,
                "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038"
            ),
            (.sha256, "password", "salt", 1, "120fb6cffcf8b32c43e7225256c4f837a86548c92ccc35480805987cb70be17b"),
            (.sha512, "pass\0word", "sa\0lt", 4096, "9d9e9c4cd21fe4be24d5b8244c759665"),
        ])
    func passwords(digest: Digest, password: String, salt: String, iterations: Int, expected: String) {
        let key = digest.key(
            password: Array(password.utf8), salt: Array(salt.utf8), iterations: iterations, count: expected.count / 2)
        #expect(self.hex(key) == expected)
    }

    @Test("an empty password and an empty salt make a key, too")
    func emptyPassword() {
        #expect(Digest.sha256.key(password: [], salt: [], iterations: 1, count: 4).count == 4)
    }

    @Test("An empty key authenticates as well as any other")
    func emptyKey() {
        #expect(
            self.hex(HMAC([]).code(for: []))
                == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }

    @Test("A code is valid for its own message and key, whole and unchanged")
    func validity() {
        let key = HMAC(Array("secret".utf8))
        let message = Array("a message".utf8)
        let code = key.code(for: message)
        #expect(key.isValid(code, for: message))
        #expect(!key.isValid(code, for: message + [0]))
        #expect(!key.isValid(Array(code.dropLast()), for: message))
        #expect(!key.isValid([], for: message))
        #expect(!HMAC(Array("Secret".utf8)).isValid(code, for: message))
        for place in code.indices {
            var changed = code
            changed[place] ^= 1
            #expect(!key.isValid(changed, for: message))
        }
    }
}
