import JSON
import Machines
import Testing

@testable import OracleAssistant

@Suite("Tokens of a channel")
struct ChannelTokenTests {
    static let claims: JSONObject = ["iat": 1000, "exp": 4600, "channelId": "C1", "userId": "John"]

    @Test("a token made here is taken and names the user")
    func accepted() throws {
        let token = ChannelToken(claims: Self.claims, secret: "s3cret")
        let read = try ChannelToken(reading: token.text)
        #expect(
            try read.verified(secret: "s3cret", channelID: "C1", epochSeconds: 1001, longestLife: 3600) == "John")
    }

    @Test("a token is the one that PyJWT makes, byte for byte, and PyJWT's is taken here")
    func knownToken() throws {
        // PyJWT 2.15.1: jwt.encode(claims, key, algorithm="HS256").
        let known =
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."
            + "eyJpYXQiOjEwMDAsImV4cCI6NDYwMCwiY2hhbm5lbElkIjoiQzEiLCJ1c2VySWQiOiJKb2huIn0."
            + "QTxJDs0tJ5gOz8QN-qLSSEz9reIxMzWqbju1yUM_jVM"
        let key = "secret-of-the-channel-0123456789abcdef"
        #expect(ChannelToken(claims: Self.claims, secret: key).text == known)
        let read = try ChannelToken(reading: known)
        #expect(try read.verified(secret: key, channelID: "C1", epochSeconds: 1001, longestLife: nil) == "John")
    }

    static let secret = "s3cret"

    @Test(
        "each way of tampering is refused with an error of its own",
        arguments: [
            (["iat": 1000, "exp": 4600, "channelId": "C2", "userId": "J"], "AuthWrongChannel"),
            (["iat": 1000, "exp": 1500, "channelId": "C1", "userId": "J"], "AuthExpiredToken"),
            (["iat": 9000, "exp": 9100, "channelId": "C1", "userId": "J"], "AuthNotYetIssued"),
            (["iat": 1000, "exp": 9999, "channelId": "C1", "userId": "J"], "AuthLivesTooLong"),
            (["iat": 1000, "exp": 1000, "channelId": "C1", "userId": "J"], "AuthExpLessThanIat"),
            (["exp": 4600, "channelId": "C1", "userId": "J"], "AuthNoiat"),
            (["iat": 1000, "channelId": "C1", "userId": "J"], "AuthNoexp"),
            (["iat": 1000, "exp": 4600, "userId": "J"], "AuthNochannelId"),
            (["iat": 1000, "exp": 4600, "channelId": "C1"], "AuthNouserId"),
            (["iat": "1000", "exp": 4600, "channelId": "C1", "userId": "J"], "AuthInvalidiat"),
            (["iat": 1000, "exp": true, "channelId": "C1", "userId": "J"], "AuthInvalidexp"),
            (["iat": 1000, "exp": 4600, "channelId": 1, "userId": "J"], "AuthInvalidchannelId"),
            (["iat": 1000, "exp": 4600, "channelId": "C1", "userId": ""], "AuthInvaliduserId"),
            (["iat": -1, "exp": 4600, "channelId": "C1", "userId": "J"], "AuthNegativeiat"),
            (["iat": 1000, "exp": 0, "channelId": "C1", "userId": "J"], "AuthNegativeexp"),
        ] as [(JSONObject, String)])
    func refusals(_ claims: JSONObject, _ code: String) throws {
        let token = try ChannelToken(reading: ChannelToken(claims: claims, secret: Self.secret).text)
        #expect(Self.refusal(of: token)?.code == code)
    }

    @Test("a changed byte, another key, no signature and the algorithm none are refused")
    func forgeries() throws {
        let text = ChannelToken(claims: Self.claims, secret: Self.secret).text
        let other = ChannelToken(claims: Self.claims.merging(["userId": "Eve"]), secret: Self.secret).text
        let parts = text.split(separator: "."), forged = other.split(separator: ".")
        let changed = "\(parts[0]).\(forged[1]).\(parts[2])"
        #expect(Self.refusal(of: try ChannelToken(reading: changed)) == .wrongSignature)
        #expect(Self.refusal(of: try ChannelToken(reading: "\(parts[0]).\(parts[1]).")) == .wrongSignature)
        #expect(Self.refusal(of: ChannelToken(claims: Self.claims, secret: "other")) == .wrongSignature)
        let none = ChannelToken(header: ["alg": "none"], claims: Self.claims, secret: Self.secret)
        #expect(Self.refusal(of: none) == .wrongAlgorithm)
    }

    private static func refusal(of token: ChannelToken) -> TokenRejection? {
        do throws(TokenRejection) {
            _ = try token.verified(secret: Self.secret, channelID: "C1", epochSeconds: 2000, longestLife: 3600)
            return nil
        } catch { return error }
    }

    @Test(
        "text that is no token is refused and never traps", arguments: ["", ".", "a.b", "a.b.c.d", "e30.e30.=", "..."])
    func malformed(_ text: String) {
        #expect(throws: TokenRejection.malformed) { try ChannelToken(reading: text) }
    }
}
