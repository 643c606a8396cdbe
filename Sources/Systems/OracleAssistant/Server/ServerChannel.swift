import JSON
import Machines

/// The channel that a simulated server offers, as an administrator sets it up (chapter "Create the Oracle iOS
/// Channel").
struct ServerChannel: Sendable {
    /// The identifier, of UUID form unless a script says otherwise.
    let id: String

    /// The key with which tokens are signed.
    let secret: String

    /// *Client Authentication Enabled*.
    let demandsToken: Bool

    /// *Max. Token Expiration* in seconds.
    let longestTokenLife: Double

    /// *Session expiration*.
    let sessionLife: Duration

    /// *Channel Enabled*.
    var isEnabled: Bool

    /// Reads the options of a server.
    init(_ options: JSONObject) throws(ConfigurationError) {
        self.id = options["channel_id"]?.string ?? "4f0a52d3-8c1e-4b7a-9d65-2e7b1c3a9f10"
        self.secret = options["secret"]?.string ?? "the-secret-key-of-a-simulated-channel"
        self.demandsToken = options["authentication"]?.bool ?? false
        self.longestTokenLife = (options["max_token_expiration"]?.double ?? 3600)
        self.sessionLife = Duration(scriptSeconds: options["session_expiration"]?.double ?? 604_800) ?? .zero
        self.isEnabled = options["enabled"]?.bool ?? true
        guard !self.id.isEmpty, !self.secret.isEmpty else {
            throw ConfigurationError("channel_id and secret of the server must not be empty")
        }
    }

    /// Makes a token that is valid for half an hour, unless the claims say otherwise.
    func makeToken(_ claims: JSONObject, epochSeconds: Int64) -> String {
        let all: JSONObject = [
            "iat": .integer(epochSeconds), "exp": .integer(epochSeconds + 1800), "channelId": .string(self.id),
        ]
        return ChannelToken(claims: all.merging(claims), secret: self.secret).text
    }

    /// Checks a token and returns its user.
    func user(of token: String, asked channelID: String, epochSeconds: Double) throws(TokenRejection) -> String {
        try ChannelToken(reading: token).verified(
            secret: self.secret, channelID: channelID, epochSeconds: epochSeconds, longestLife: self.longestTokenLife)
    }
}
