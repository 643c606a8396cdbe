import JSON

/// The claims of a channel's token, checked as clients check them before any network traffic.
struct ChannelClaims: Hashable, Sendable {
    /// When the token was issued, in seconds since 1970 UTC.
    let issuedAt: Double

    /// When it expires, in seconds since 1970 UTC.
    let expiresAt: Double

    /// The channel.
    let channelID: String

    /// The user.
    let userID: String

    /// Reads the claims in the order of the vendor's web client, so that the first wrong one decides.
    init(_ claims: JSONObject) throws(TokenRejection) {
        self.issuedAt = try Self.number("iat", in: claims)
        self.expiresAt = try Self.number("exp", in: claims)
        guard self.expiresAt > self.issuedAt else { throw .expiresBeforeIssue }
        self.channelID = try Self.text("channelId", in: claims)
        self.userID = try Self.text("userId", in: claims)
    }

    /// Throws if the token has expired at a time in seconds since 1970 UTC.
    func requireLife(at epochSeconds: Double) throws(TokenRejection) {
        guard self.expiresAt > epochSeconds else { throw .expired }
    }

    private static func number(_ name: String, in claims: JSONObject) throws(TokenRejection) -> Double {
        guard let value = claims[name], !value.isNull else { throw .missing(name) }
        guard let number = value.double, number.isFinite else { throw .invalid(name) }
        guard number > 0 else { throw .negative(name) }
        return number
    }

    private static func text(_ name: String, in claims: JSONObject) throws(TokenRejection) -> String {
        guard let value = claims[name], !value.isNull else { throw .missing(name) }
        guard let text = value.string, !text.isEmpty else { throw .invalid(name) }
        return text
    }
}
