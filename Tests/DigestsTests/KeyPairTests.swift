import Digests
import Testing

/// Keys that were made for these tests and protect nothing.
enum SampleKeys {
    static let rsa = Array(
        """
        -----BEGIN PRIVATE KEY-----
        MIICdwIBADANBgkqhkiG9w0BAQEFAASCAmEwggJdAgEAAoGBANe1Ms2FQtSpAkTG
        JJfzvrTf8nBc6HmeLT3iEBdJpZZafpENltwZiG8KbHgUkkxL5336QO6Eu/ONCRwW
        Hi5ysnbwQlYIpkBs/50mAGyMhkBx+MLDmuyR8d/X4TFodm9juBGPpavk6W+NioB0
        NkCxRYZRVxPeFFzxbpWp2U3un9X9AgMBAAECgYAyddXrlAf9PYglVIDM9x0erODG
        /kT35lPJDTAccoME+ChxgE9RL7vl1fdn49ARfxQpOTilU3GwWMbPxjDLRtOOZ1JT
        tFzUvlRI3EjyGW6Cz/zZWdjAU3KJgNoh6RcgzIL9+YxrWaPW/mslzbXbdNoNUFMK
        ATGacU4LG0dgtqtEwQJBAO7kFa0c1lX8QE2avpyxbsJ8XpQ8DJTcer4tI5bQMX0W
        BB3xVPwZz3pSj9y/nZxurbyI+5lRt9OSDL1Z3mxA1bECQQDnKBC5CaeevE8GwS3a
        +1Z2EQQs7lOFJIp/c5YSjfsuUmTd6zpnlJ633D8PD8G1850/Dc9CnOE3CMLx1Uf3
        l7wNAkEAy21vB/uGibJFD9C2gLiXmQZPg+ueyyT1YP0PUV34xov49YaM2CEijQfB
        ejmx/YRCbko39legMoosTxI4VfbgAQJAZawvvtPKUH2PXO83Vixa2U+ewIyLW/K4
        oFqc1chxhOxkxV+jrs+mCETtz5gkof1nWsaeNTR/sw89f9VJ9FNfOQJBAMBx241k
        IJuc8YU5EVidAV63y5NoMWiBDgX5a649MvaNZmYwUP3mgNTy8x21N6Y0U/64kG+Y
        w04f3yWeGeqBgKA=
        -----END PRIVATE KEY-----
        """.utf8)

    static let publicRSA = Array(
        """
        -----BEGIN PUBLIC KEY-----
        MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDXtTLNhULUqQJExiSX87603/Jw
        XOh5ni094hAXSaWWWn6RDZbcGYhvCmx4FJJMS+d9+kDuhLvzjQkcFh4ucrJ28EJW
        CKZAbP+dJgBsjIZAcfjCw5rskfHf1+ExaHZvY7gRj6Wr5OlvjYqAdDZAsUWGUVcT
        3hRc8W6VqdlN7p/V/QIDAQAB
        -----END PUBLIC KEY-----
        """.utf8)

    static let p256 = Array(
        """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgByqpP0865acccvol
        vGB8z2F+50aM7upMZsMANvGTFc6hRANCAARMccYd/5LlhFA/rErQ33sOB5e6iKV+
        HQbepdNxgRP7o2wVKSUaYy2dIgz59wYzcQ6vqu00xhwSDL4MuDfvm4k7
        -----END PRIVATE KEY-----
        """.utf8)

    static let publicP256 = Array(
        """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAETHHGHf+S5YRQP6xK0N97DgeXuoil
        fh0G3qXTcYET+6NsFSklGmMtnSIM+fcGM3EOr6rtNMYcEgy+DLg375uJOw==
        -----END PUBLIC KEY-----
        """.utf8)

    static let p384 = Array(
        """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDAI0n7tzoqyo/K0kOJQ
        CWcj2Out+RODwKTy0FXeS1ApMLh4V4X/iV7SyRf1CXy4KXKhZANiAASR8WwSvgg4
        zPJxAA4rZgOATD7pkRrEKsmy13T0Ot6apTbGaFYN+5a5WLI7byCtYrd5y3TAs5wq
        04oyhjFWvLzRuDgyMFyJfQ2SZ4lBQt1SrwTFqT4iTtnjq+RhtMIqqQw=
        -----END PRIVATE KEY-----
        """.utf8)

    /// The key of ``p256``, protected by a password.
    static let locked = Array(
        """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgj9AcNfnZt7QICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEBGl0nG8UZbdVzfk8XX9ao0EgZAt
        64KgDrXG8krxss26YJGVNn5hlS9kVQTTQqynmdFGK0kj76pmviNyzwdASDXmcjPZ
        9YZhuMRke1BDa0+HaM88Xpv0Cp+BKVjxnR06WHrCHRJLD17tsrMHH/1NuQMXfMO5
        Qxid2lcIhu6qfLkDO/w8a2UgiUzir45/b2N4YykYnXA5ocrAfmy+RjjChSSV6Ss=
        -----END ENCRYPTED PRIVATE KEY-----
        """.utf8)
}

@Suite("Signatures by pairs of keys")
struct KeyPairTests {
    private let message = Array("a message".utf8)

    @Test("an RSA signature is the one that openssl makes")
    func sameAsOthers() throws {
        let signature = try KeyPair(privateKey: SampleKeys.rsa).signature(of: self.message, .rsa(.sha256))
        let text = signature.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(
            text == """
                0b00efdab728d8534845ad1e3a1f69c5b37b4966ddc560cdc8e86b266bd03af9cc109a9e9105ab7158386b435a9b3544\
                979e7e7a7b0edf7ca6973c5426586dcfc9d08ba63878cd78a66aaa2a56e4f3229fba039b167724366caac4e34645b4de\
                5d6fbf8f9c09a7d6813bfa701efd23ba5bff00dce3bf9d55ec562db10d300373
                """)
    }

    @Test(
        "what a private key signs its public key takes, and nothing else",
        arguments: [
            (SampleKeys.rsa, SampleKeys.publicRSA, SignatureScheme.rsa(.sha512), 128),
            (SampleKeys.p256, SampleKeys.publicP256, .p256, 64),
        ])
    func roundTrip(privateKey: [UInt8], publicKey: [UInt8], scheme: SignatureScheme, count: Int) throws {
        let signature = try KeyPair(privateKey: privateKey).signature(of: self.message, scheme)
        #expect(signature.count == count)
        let key = try KeyPair(publicKey: publicKey)
        #expect(try key.isValid(signature, for: self.message, scheme))
        #expect(try !key.isValid(signature, for: self.message + [0], scheme))
        #expect(try !key.isValid([], for: self.message, scheme))
        for place in signature.indices {
            var changed = signature
            changed[place] ^= 1
            #expect(try !key.isValid(changed, for: self.message, scheme))
        }
    }

    @Test("a key of another kind, or on another curve, is refused")
    func unsuited() throws {
        for (text, scheme) in [
            (SampleKeys.rsa, SignatureScheme.p256), (SampleKeys.p256, .rsa(.sha256)), (SampleKeys.p384, .p256),
            (SampleKeys.p256, .p384),
        ] {
            let key = try KeyPair(privateKey: text)
            #expect(throws: KeyPair.Problem.unsuited) { try key.signature(of: self.message, scheme) }
        }
        #expect(try KeyPair(privateKey: SampleKeys.p384).signature(of: self.message, .p384).count == 96)
    }

    @Test("what is no key, a locked one and one of the other half are refused, without asking anybody")
    func unreadable() {
        for text in [[], Array("-----BEGIN".utf8), SampleKeys.locked, SampleKeys.publicP256] {
            #expect(throws: KeyPair.Problem.unreadable) { try KeyPair(privateKey: text) }
        }
        #expect(throws: KeyPair.Problem.unreadable) { try KeyPair(publicKey: SampleKeys.p256) }
        let long = SampleKeys.publicP256 + [UInt8](repeating: 10, count: 1 << 14)
        #expect(throws: KeyPair.Problem.unreadable) { try KeyPair(publicKey: long) }
    }
}
