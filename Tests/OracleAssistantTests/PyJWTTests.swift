import Foundation
import JSON
import Testing

@testable import OracleAssistant

/// Tokens made here and tokens made by the library that backends use must be the same to each other.
@Suite("Tokens and PyJWT", .enabled(if: PyJWT.problem == nil, "\(PyJWT.problem ?? "")"))
struct PyJWTTests {
    private let key = "the-key-of-a-channel-0123456789-abcdefgh"

    private func claims(_ more: JSONObject = [:]) -> JSONObject {
        // PyJWT reads the clock of the machine, so these times are real.
        let now = Int64(Date().timeIntervalSince1970)
        let own: JSONObject = [
            "iat": .integer(now - 10), "exp": .integer(now + 1800), "channelId": "C1", "userId": "Jörg \"J\" 🍕",
        ]
        return own.merging(more)
    }

    private func refusal(of text: String, at seconds: Double) -> TokenRejection? {
        do throws(TokenRejection) {
            _ = try ChannelToken(reading: text).verified(
                secret: self.key, channelID: "C1", epochSeconds: seconds, longestLife: 3600)
            return nil
        } catch { return error }
    }

    @Test("PyJWT takes a token made here and reads the claims that went in")
    func ours() throws {
        let all = [self.claims(), self.claims(["extra": ["nested": [1, 2.5, .null, true]]])]
        let tokens = all.map { ChannelToken(claims: $0, secret: self.key).text }
        for (answer, claims) in zip(try PyJWT.decode(tokens, key: self.key), all) {
            #expect(answer.error == nil)
            #expect(answer.claims == claims)
        }
    }

    @Test("a token made by PyJWT is taken here, and by the simulated server")
    func theirs() throws {
        let text = try #require(PyJWT.encode([self.claims()], key: self.key).first)
        let user = try ChannelToken(reading: text).verified(
            secret: self.key, channelID: "C1", epochSeconds: Date().timeIntervalSince1970, longestLife: 3600)
        #expect(user == "Jörg \"J\" 🍕")
        let epoch = Rehearsal.epoch / 1000
        let timed: JSONObject = ["iat": .integer(epoch), "exp": .integer(epoch + 600), "userId": "ada"]
        let token = try #require(PyJWT.encode([self.claims(timed)], key: self.key).first)
        let rehearsal = try Rehearsal(
            server: ["authentication": true, "echo": true, "secret": .string(self.key), "channel_id": "C1"],
            client: ["token": .string(token)])
        rehearsal.connect()
        rehearsal.do("say", ["text": "hi"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.texts == ["hi"])
    }

    @Test("both make the same token from the same claims, byte for byte")
    func sameBytes() throws {
        let claims = JSONObject([("iat", 1000), ("exp", 4600), ("channelId", "C1"), ("userId", "John")])
        #expect(try PyJWT.encode([claims], key: self.key) == [ChannelToken(claims: claims, secret: self.key).text])
    }

    @Test("each way of tampering with a token made here is refused by PyJWT with an error of its own")
    func refusedThere() throws {
        let now = Int64(Date().timeIntervalSince1970)
        func token(_ claims: JSONObject, _ secret: String? = nil) -> String {
            ChannelToken(claims: claims, secret: secret ?? self.key).text
        }
        func without(_ name: String) -> JSONObject {
            var claims = self.claims()
            claims[name] = nil
            return claims
        }
        let good = token(self.claims()).split(separator: "."), other = token(self.claims(["userId": "Eve"]))
        let cases: [(String, String)] = [
            (token(self.claims(), "another-key-of-a-channel-0123456789-abcd"), "InvalidSignatureError"),
            ("\(good[0]).\(other.split(separator: ".")[1]).\(good[2])", "InvalidSignatureError"),
            ("\(good[0]).\(good[1]).", "InvalidSignatureError"), ("\(good[0]).\(good[1])", "DecodeError"),
            (token(self.claims(["exp": .integer(now - 60)])), "ExpiredSignatureError"),
            (token(self.claims(["iat": .integer(now + 600)])), "ImmatureSignatureError"),
            (token(without("exp")), "MissingRequiredClaimError"),
            (
                ChannelToken(header: ["alg": "HS512"], claims: self.claims(), secret: self.key).text,
                "InvalidAlgorithmError"
            ),
        ]
        let answers = try PyJWT.decode(cases.map(\.0), key: self.key)
        #expect(answers.count == cases.count)
        for (answer, expected) in zip(answers, cases) { #expect(answer.error == expected.1) }
    }

    @Test("each way of tampering with a token made by PyJWT is refused here with an error of its own")
    func refusedHere() throws {
        let now = Date().timeIntervalSince1970
        func made(_ more: JSONObject, key: String? = nil, algorithm: String = "HS256") throws -> String {
            try #require(PyJWT.encode([self.claims(more)], key: key ?? self.key, algorithm: algorithm).first)
        }
        let good = try made([:]).split(separator: "."), other = try made(["userId": "Eve"]).split(separator: ".")
        let cases: [(String, String)] = [
            (try made([:], key: "another-key-of-a-channel-0123456789-abcd"), "AuthWrongSignature"),
            ("\(good[0]).\(other[1]).\(good[2])", "AuthWrongSignature"),
            ("\(good[0]).\(good[1]).", "AuthWrongSignature"), ("\(good[0]).\(good[1])", "AuthInvalidToken"),
            (try made([:], algorithm: "none"), "AuthWrongAlgorithm"),
            (try made([:], algorithm: "HS512"), "AuthWrongAlgorithm"),
            (try made(["exp": .integer(Int64(now) - 1)]), "AuthExpiredToken"),
            (try made(["iat": .integer(Int64(now) + 600)]), "AuthNotYetIssued"),
            (try made(["exp": .integer(Int64(now) + 9000)]), "AuthLivesTooLong"),
            (try made(["channelId": "C2"]), "AuthWrongChannel"), (try made(["userId": ""]), "AuthInvaliduserId"),
            (try made(["channelId": .null]), "AuthNochannelId"),
        ]
        for (token, code) in cases { #expect(self.refusal(of: token, at: now)?.code == code) }
        #expect(self.refusal(of: try made([:]), at: now) == nil)
    }
}
