import JSON
import Machines
import Testing

@testable import Scenario

/// The tokens and keys of RFC 7515 appendix A, the keys in PEM.
enum TokenVectors {
    /// The claims of all of them.
    static let claims: JSONObject = ["iss": "joe", "exp": 1_300_819_380, "http://example.com/is_root": true]

    private static let payload =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    /// Appendix A.1: HMAC with SHA-256.
    static let shared =
        "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\(Self.payload).dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let sharedKey =
        Base64URL.decode("AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow") ?? []

    /// Appendix A.2: RSA with SHA-256.
    static let rsa =
        "eyJhbGciOiJSUzI1NiJ9.\(Self.payload)."
        + "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t"
        + "1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12j"
        + "zDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQ"
        + "Ge77Rw"
    static let rsaKey = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAofgWCuLjybRlzo0tZWJj
        NiuSfb4p4fAkd/wWJcyQoTbji9k0l8W26mPddxHmfHQp+Vaw+4qPCJrcS2mJPMEz
        P1Pt0Bm4d4QlL+yRT+SFd2lZS+pCgNMsD1W/YpRPEwOWvG6b32690r2jZ47soMZo
        9wGzjb/7OMg0LOL+bSf63kpaSHSXndS5z5rexMdbBYUsLA9e+KXBdQOS+UTo7WTB
        EMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6/I5IhlJH7aGhyxX
        FvUK+DWNmoudF8NAco9/h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXp
        oQIDAQAB
        -----END PUBLIC KEY-----

        """

    /// Appendix A.3: ECDSA on P-256 with SHA-256.
    static let curve =
        "eyJhbGciOiJFUzI1NiJ9.\(Self.payload)."
        + "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
    static let curveKey = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7
        6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
        -----END PUBLIC KEY-----

        """
    static let curvePrivateKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjpsQnnGQmL+YBIff
        H1136cspYG6+0iY7X1fCE9+E9LKhRANCAAR/zc4ncPbEXUGDy+5v20t7WAczNXvp
        7xO6z248e9FURcfxRM0bvZt+hyzf7bnuufSzaV1uqQskrYpGIyiFiOWt
        -----END PRIVATE KEY-----

        """

    /// Appendix A.5: no signature at all.
    static let unsigned = "eyJhbGciOiJub25lIn0.\(Self.payload)."
}

@Suite("JSON Web Tokens")
struct WebTokenTests {
    private static func problem(_ body: () throws(WebToken.Problem) -> Void) -> String? {
        do throws(WebToken.Problem) {
            try body()
            return nil
        } catch { return "\(error)" }
    }

    private static let keys: [(token: String, key: [UInt8])] = [
        (TokenVectors.shared, TokenVectors.sharedKey), (TokenVectors.rsa, Array(TokenVectors.rsaKey.utf8)),
        (TokenVectors.curve, Array(TokenVectors.curveKey.utf8)),
    ]

    @Test("the tokens of RFC 7515 appendix A are read and their signatures taken", arguments: 0..<3)
    func vectors(number: Int) throws {
        let (text, key) = Self.keys[number]
        let token = try WebToken(reading: text)
        #expect(token.claims == TokenVectors.claims)
        #expect(token.header["alg"] == .string(["HS256", "RS256", "ES256"][number]))
        try token.check(key: key)
    }

    @Test("a signature that is changed in any bit is not taken", arguments: 0..<3)
    func changedSignatures(number: Int) throws {
        let (text, key) = Self.keys[number]
        let parts = text.split(separator: ".")
        let signature = try #require(Base64URL.decode(parts[2]))
        for place in stride(from: 0, to: signature.count, by: 5) {
            var changed = signature
            changed[place] ^= 1 << UInt8(place % 8)
            let token = try WebToken(reading: "\(parts[0]).\(parts[1]).\(Base64URL.encode(changed))")
            let found1 = Self.problem { () throws(WebToken.Problem) in try token.check(key: key) }
            #expect(
                found1
                    == "the signature is not the one of the key")
        }
        for signature in [[], Array(signature.dropLast()), signature + [0]] {
            let token = try WebToken(reading: "\(parts[0]).\(parts[1]).\(Base64URL.encode(signature))")
            let found2 = Self.problem { () throws(WebToken.Problem) in try token.check(key: key) }
            #expect(found2 != nil)
        }
    }

    @Test("a token without a signature is not taken, whatever the key", arguments: ["", "key", TokenVectors.rsaKey])
    func unsigned(key: String) throws {
        let token = try WebToken(reading: TokenVectors.unsigned)
        #expect(token.claims == TokenVectors.claims && token.signature.isEmpty)
        let found3 = Self.problem { () throws(WebToken.Problem) in try token.check(key: Array(key.utf8)) }
        #expect(
            found3
                == "its algorithm is \"none\"; known are HS256, HS384, HS512, RS256, RS384, RS512, ES256, ES384")
    }

    @Test("the text of a public key is no key of an HMAC, for everybody knows it")
    func confusedKeys() throws {
        let forged = try WebToken(
            claims: ["admin": true], key: Array(TokenVectors.rsaKey.utf8), algorithm: .hs256, header: [:])
        let problem = Self.problem { () throws(WebToken.Problem) in
            try WebToken(reading: forged.text).check(key: Array(TokenVectors.rsaKey.utf8))
        }
        #expect(problem == "the key is not one for HS256")
    }

    @Test("a key of another kind is not one for the algorithm")
    func otherKeys() throws {
        for (text, key, problem) in [
            (TokenVectors.rsa, TokenVectors.curveKey, "the key is not one for RS256"),
            (TokenVectors.curve, TokenVectors.rsaKey, "the key is not one for ES256"),
            (TokenVectors.rsa, "secret", "the key is no public key in PEM (-----BEGIN PUBLIC KEY-----)"),
            (
                TokenVectors.rsa, TokenVectors.curvePrivateKey,
                "the key is no public key in PEM (-----BEGIN PUBLIC KEY-----)"
            ),
        ] {
            let token = try WebToken(reading: text)
            let found4 = Self.problem { () throws(WebToken.Problem) in try token.check(key: Array(key.utf8)) }
            #expect(found4 == problem)
        }
        let unreadable = Self.problem { () throws(WebToken.Problem) in
            _ = try WebToken(claims: [:], key: Array("secret".utf8), algorithm: .es256, header: [:])
        }
        #expect(unreadable == "the key is no private key in PEM without a password (-----BEGIN PRIVATE KEY-----)")
        let unsuited = Self.problem { () throws(WebToken.Problem) in
            _ = try WebToken(
                claims: [:], key: Array(TokenVectors.curvePrivateKey.utf8), algorithm: .es384, header: [:])
        }
        #expect(unsuited == "the key is not one for ES384")
    }

    @Test("what is made is read and taken with the key it was made with, and with no other", arguments: 0..<20)
    func roundTrip(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let claims: JSONObject = [
            "value": random.json(), "text": .string(random.text(of: "a.é\"\u{0}", count: 0...10)),
        ]
        for algorithm in [WebToken.Algorithm.hs256, .hs384, .hs512] {
            let key = random.bytes(Int.random(in: 0...200, using: &random))
            let made = try WebToken(claims: claims, key: key, algorithm: algorithm, header: ["kid": "1"])
            let read = try WebToken(reading: made.text)
            #expect(read.claims == claims)
            #expect(read.header == ["typ": "JWT", "kid": "1", "alg": .string(algorithm.rawValue)])
            try read.check(key: key)
            let found5 = Self.problem { () throws(WebToken.Problem) in try read.check(key: key + [1]) }
            #expect(found5 != nil)
        }
        let made = try WebToken(
            claims: claims, key: Array(TokenVectors.curvePrivateKey.utf8), algorithm: .es256, header: [:])
        try WebToken(reading: made.text).check(key: Array(TokenVectors.curveKey.utf8))
        #expect(made.signature.count == 64)
    }

    @Test("the header may say another type, but not another algorithm than the one that signs")
    func header() throws {
        let token = try WebToken(claims: [:], key: [1], algorithm: .hs512, header: ["typ": "at+jwt", "alg": "none"])
        #expect(token.header == ["typ": "at+jwt", "alg": "HS512"])
    }

    @Test(
        "what is no token is told as that",
        arguments: [
            "", "a.b", "a.b.c.d", "e30.e30", "e30.e30.!", "e30=.e30.", "W10.e30.", "e30.W10.", "e30.MQ.", " e30.e30.",
            "e30.e30.e",
            ".e30.", "e30..",
        ])
    func malformed(text: String) {
        let found6 = Self.problem { () throws(WebToken.Problem) in _ = try WebToken(reading: text) }
        #expect(
            found6
                == "it is no token: three parts of base64 for URLs with dots between, the first two JSON objects")
    }

    @Test("claims that nest without end, and tokens that are too long, are no tokens")
    func bounds() {
        let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        let claims = Base64URL.encode(Array("{\"a\":\(deep)}".utf8))
        let found7 = Self.problem { () throws(WebToken.Problem) in _ = try WebToken(reading: "e30.\(claims).") }
        #expect(found7 != nil)
        let long = Base64URL.encode(Array("{\"a\":\"\(String(repeating: "x", count: 800_000))\"}".utf8))
        let found8 = Self.problem { () throws(WebToken.Problem) in _ = try WebToken(reading: "e30.\(long).") }
        #expect(found8 != nil)
    }

    @Test("scripts make and read tokens, and get claims and header")
    func scripts() throws {
        let run = try ScriptRun(
            body: """
                local token = jwt.make({ sub = "ada", exp = 1300819380 }, "key", { algorithm = "HS384", header = { kid = "k1" } })
                local claims, header = jwt.read(token, "key")
                expect(claims, match.equals { sub = "ada", exp = 1300819380 })
                expect(header, match.equals { alg = "HS384", kid = "k1", typ = "JWT" })
                expect(jwt.read "\(TokenVectors.rsa)", { iss = "joe" })
                jwt.read("\(TokenVectors.curve)", [[\(TokenVectors.curveKey)]])
                """)
        #expect(run.messages == [])
    }

    @Test(
        "what scripts cannot make or take is told with what to do",
        arguments: [
            ("jwt.make()", "jwt.make: argument 1 (claims) must be a table of named claims, not nothing"),
            (
                "jwt.make({ 1, 2 }, \"key\")",
                "jwt.make: argument 1 (claims) must be a table of named claims, not a table"
            ),
            ("jwt.make({})", "jwt.make: argument 2 (key) must be a string, not nothing"),
            (
                "jwt.make({ f = print }, \"key\")",
                "jwt.make: argument 1 (claims) is not JSON: a function cannot stand in JSON (at f)"
            ),
            (
                "jwt.make({}, \"key\", { algoritm = \"HS256\" })",
                "jwt.make has no option \"algoritm\"; did you mean \"algorithm\"?"
            ),
            (
                "jwt.make({}, \"key\", { algorithm = \"hs256\" })",
                "jwt.make: algorithm is one of \"HS256\", \"HS384\", \"HS512\", \"RS256\", \"RS384\", \"RS512\", \"ES256\", \"ES384\", "
                    + "not \"hs256\""
            ),
            (
                "jwt.make({}, \"key\", { algorithm = \"ES256\" })",
                "jwt.make cannot sign the token: the key is no private key in PEM without a password (-----BEGIN PRIVATE KEY-----)"
            ), ("jwt.read(5)", "jwt.read: argument 1 (token) must be a string, not an integer"),
            (
                "jwt.read(\"\(TokenVectors.shared)\", \"wrong\")",
                "jwt.read cannot take the token: the signature is not the one of the key"
            ),
        ] as [(String, String)])
    func mistakes(call: String, message: String) throws {
        #expect(try ScriptRun.mistake(in: call) == message)
    }
}
