internal import Digests
import JSON
import Machines

/// The JSON Web Token of an authenticated channel (chapter "Create the Oracle iOS Channel"; RFC 7515, RFC 7519).
///
/// The signature is made and checked by the HMAC of libcrypto, which compares in constant time. A whole library for
/// tokens was weighed against it: the kept one for Swift signs and checks only through an asynchronous actor, and a
/// machine that takes its time from outside cannot wait; what is left beside the HMAC is the compact serialization of
/// RFC 7515 section 7.1, three parts in base64 with dots between.
struct ChannelToken: Hashable, Sendable {
    /// The three parts as they are written.
    let text: String

    /// The object of the first part.
    let header: JSONObject

    /// The object of the second part.
    let claims: JSONObject

    private let signature: [UInt8]

    /// At most this many bytes are read; tokens of the channel have a few hundred.
    static let sizeLimit = 16_384

    /// Reads a token without checking its signature, as clients do.
    ///
    /// - Throws: ``TokenRejection/malformed`` if the text has no such form.
    init(reading text: String) throws(TokenRejection) {
        guard text.utf8.count <= Self.sizeLimit else { throw .malformed }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { throw .malformed }
        self.text = text
        self.header = header
        self.claims = claims
        self.signature = signature
    }

    /// Makes a signed token.
    ///
    /// - Parameters:
    ///   - claims: The object of the second part.
    ///   - secret: The channel's secret key.
    init(claims: JSONObject, secret: String) {
        self.init(header: ["alg": "HS256", "typ": "JWT"], claims: claims, secret: secret)
    }

    /// Makes a token with another header, for tests of what servers must refuse.
    init(header: JSONObject, claims: JSONObject, secret: String) {
        let signed = [header, claims].map { Base64URL.encode(JSONWriter.write(.object($0))) }.joined(separator: ".")
        let signature = Self.signature(of: signed, secret: secret)
        self.text = signed + "." + Base64URL.encode(signature)
        self.header = header
        self.claims = claims
        self.signature = signature
    }

    private static func object(_ part: Substring) -> JSONObject? {
        Base64URL.decode(part).flatMap { try? JSONReader.read($0, depth: 16) }?.object
    }

    private static func signature(of text: String, secret: String) -> [UInt8] {
        HMAC(Array(secret.utf8)).code(for: Array(text.utf8))
    }

    /// Checks a token as a chat server does.
    ///
    /// - Parameters:
    ///   - secret: The channel's secret key.
    ///   - channelID: The channel that the client asked for.
    ///   - epochSeconds: The wall-clock time in seconds since 1970 UTC.
    ///   - longestLife: The channel's *Max. Token Expiration* in seconds, or nil for none.
    /// - Returns: The user.
    /// - Throws: ``TokenRejection``, one for each way in which a token can be wrong.
    func verified(
        secret: String, channelID: String, epochSeconds: Double, longestLife: Double?
    ) throws(TokenRejection) -> String {
        guard self.header["alg"]?.string == "HS256" else { throw .wrongAlgorithm }
        let end = self.text.utf8.lastIndex(of: UInt8(ascii: ".")) ?? self.text.endIndex
        let key = HMAC(Array(secret.utf8))
        guard key.isValid(self.signature, for: Array(self.text[..<end].utf8)) else { throw .wrongSignature }
        let claims = try ChannelClaims(self.claims)
        guard claims.channelID == channelID else { throw .wrongChannel }
        guard claims.expiresAt > epochSeconds else { throw .expired }
        // Clocks differ by some seconds; a token from further ahead was not issued yet.
        guard claims.issuedAt <= epochSeconds + 60 else { throw .notYetIssued }
        if let longestLife, claims.expiresAt - claims.issuedAt > longestLife { throw .livesTooLong }
        return claims.userID
    }
}
