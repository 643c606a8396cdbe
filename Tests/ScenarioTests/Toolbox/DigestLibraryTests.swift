import JSON
import Machines
import Testing

@testable import Scenario

@Suite("hash, hmac and pbkdf2 in scripts")
struct DigestLibraryTests {
    @Test(
        "digests are those of the standards",
        arguments: [
            ("hash.md5(\"message digest\", \"hex\")", "f96b697d7cb7938d525a2f31aaf161d0"),
            ("hash.md5(\"\", \"hex\")", "d41d8cd98f00b204e9800998ecf8427e"),
            ("hash.sha1(\"abc\", \"hex\")", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            ("hash.sha256(\"abc\", \"hex\")", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "hash.sha384(\"abc\", \"hex\")",
                "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
            ),
            (
                "hash.sha512(\"abc\", \"hex\")",
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
            ), ("hash.sha256(\"abc\", \"base64\")", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="),
            ("hex.encode(hash.sha1(\"abc\"))", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            ("hash.sha1((\"a\"):rep(1000000), \"hex\")", "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
        ] as [(String, String)])
    func digests(call: String, expected: String) throws {
        #expect(try ScriptRun.value(of: call) == .string(expected))
    }

    @Test(
        "codes are those of RFC 4231 and RFC 2202",
        arguments: [
            (
                "hmac.sha256((\"\\x0b\"):rep(20), \"Hi There\", \"hex\")",
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                "hmac.sha512(\"Jefe\", \"what do ya want for nothing?\", \"hex\")",
                "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
            ),
            (
                "hmac.sha1(\"Jefe\", \"what do ya want for nothing?\", \"hex\")",
                "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"
            ),
            ("hmac.md5((\"\\xaa\"):rep(16), (\"\\xdd\"):rep(50), \"hex\")", "56be34521d144c88dbb8c733f0e8b3f6"),
            (
                "hmac.sha256((\"\\xaa\"):rep(131), \"Test Using Larger Than Block-Size Key - Hash Key First\", \"hex\")",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
            ("hmac.sha256(\"\", \"\", \"hex\")", "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
        ] as [(String, String)])
    func codes(call: String, expected: String) throws {
        #expect(try ScriptRun.value(of: call) == .string(expected))
    }

    @Test(
        "keys are those of RFC 6070 and RFC 7914 §11",
        arguments: [
            ("pbkdf2.sha1(\"password\", \"salt\", 1, 20, \"hex\")", "0c60c80f961f0e71f3a9b524af6012062fe037a6"),
            ("pbkdf2.sha1(\"password\", \"salt\", 2, nil, \"hex\")", "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957"),
            ("pbkdf2.sha1(\"password\", \"salt\", 4096, 20, \"hex\")", "4b007901b765489abead49d926f721d065a429c1"),
            (
                "pbkdf2.sha1(\"passwordPASSWORDpassword\", \"saltSALTsaltSALTsaltSALTsaltSALTsalt\", 4096, 25, \"hex\")",
                "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038"
            ), ("pbkdf2.sha1(\"pass\\0word\", \"sa\\0lt\", 4096, 16, \"hex\")", "56fa6aa75548099dcc37d7f03425e0c3"),
            (
                "pbkdf2.sha256(\"passwd\", \"salt\", 1, 64, \"hex\")",
                "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"
            ),
        ] as [(String, String)])
    func keys(call: String, expected: String) throws {
        #expect(try ScriptRun.value(of: call) == .string(expected))
    }

    @Test("each digest has its length, that of a key may be chosen")
    func lengths() throws {
        for (digest, count) in [("md5", 16), ("sha1", 20), ("sha256", 32), ("sha384", 48), ("sha512", 64)] {
            #expect(
                try ScriptRun.value(
                    of: "{ #hash.\(digest) \"\", #hmac.\(digest)(\"k\", \"\"), #pbkdf2.\(digest)(\"p\", \"s\", 1), "
                        + "#pbkdf2.\(digest)(\"p\", \"s\", 1, 1024), #pbkdf2.\(digest)(\"\", \"\", 1, 1) }")
                    == .array([count, count, count, 1024, 1].map { .integer(Int64($0)) }))
        }
    }

    @Test("a longer key begins with the shorter one, and another salt, password or count gives another one")
    func keyParts() throws {
        let run = try ScriptRun(
            body: """
                local long = pbkdf2.sha256("p", "s", 3, 100)
                for _, count in ipairs { 1, 31, 32, 33, 99 } do assert(pbkdf2.sha256("p", "s", 3, count) == long:sub(1, count)) end
                local seen = {}
                for _, key in ipairs {
                    long, pbkdf2.sha256("p", "s", 4, 100), pbkdf2.sha256("P", "s", 3, 100), pbkdf2.sha256("p", "S", 3, 100),
                    pbkdf2.sha512("p", "s", 3, 100),
                } do
                    assert(not seen[key])
                    seen[key] = true
                end
                """)
        #expect(run.messages == [])
    }

    @Test(
        "what cannot be computed is told with its place and its bounds",
        arguments: [
            ("hash.sha256()", "hash.sha256: argument 1 (bytes) must be a string, not nothing"),
            ("hash.md5(5)", "hash.md5: argument 1 (bytes) must be a string, not an integer"),
            ("hash.sha1(\"a\", \"HEX\")", "hash.sha1: argument 2 (form) must be one of \"bytes\", \"hex\", \"base64\""),
            (
                "hash.sha1(\"a\", \"base46\")",
                "hash.sha1: argument 2 (form) must be one of \"bytes\", \"hex\", \"base64\"; did you mean \"base64\"?"
            ), ("hash.sha1(\"a\", true)", "hash.sha1: argument 2 (form) must be a string, not a boolean"),
            ("hmac.sha1(nil, \"a\")", "hmac.sha1: argument 1 (key) must be a string, not nil"),
            ("hmac.sha1(\"k\", \"a\", 1)", "hmac.sha1: argument 3 (form) must be a string, not an integer"),
            (
                "pbkdf2.sha1(\"p\", \"s\", 0)",
                "pbkdf2.sha1: argument 3 (iterations) must lie between 1 and 1000000, and is 0"
            ),
            (
                "pbkdf2.sha1(\"p\", \"s\", 1000001)",
                "pbkdf2.sha1: argument 3 (iterations) must lie between 1 and 1000000, and is 1000001"
            ),
            (
                "pbkdf2.sha1(\"p\", \"s\", 1.5)",
                "pbkdf2.sha1: argument 3 (iterations) must be an integer, without a fraction"
            ),
            (
                "pbkdf2.sha1(\"p\", \"s\", 0/0)",
                "pbkdf2.sha1: argument 3 (iterations) must be an integer, without a fraction"
            ),
            (
                "pbkdf2.sha1(\"p\", \"s\", \"1\")",
                "pbkdf2.sha1: argument 3 (iterations) must be an integer, not a string"
            ),
            (
                "pbkdf2.sha1(\"p\", \"s\", 1, 0)",
                "pbkdf2.sha1: argument 4 (length) must lie between 1 and 1024, and is 0"
            ),
            (
                "pbkdf2.sha1(\"p\", \"s\", 1, 1025)",
                "pbkdf2.sha1: argument 4 (length) must lie between 1 and 1024, and is 1025"
            ),
            (
                "pbkdf2.sha1(\"p\", \"s\", 500001, 21)",
                "pbkdf2.sha1: argument 3 (iterations) is too high for 21 bytes: the key has 2 parts, and all together may take "
                    + "1000000 iterations"
            ),
        ] as [(String, String)])
    func mistakes(call: String, message: String) throws {
        #expect(try ScriptRun.mistake(in: call) == message)
    }
}
