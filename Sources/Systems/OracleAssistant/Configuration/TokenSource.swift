import JSON
import Machines

/// Where the tokens of an authenticated channel come from.
enum TokenSource: Hashable, Sendable {
    case none
    /// A token as it is.
    case fixed(String)
    /// A function of the script that asks a backend, called whenever a new token is needed.
    case provider(ScriptFunction)
    /// A secret from which the client itself makes tokens, for tests only: an application must never do so.
    case fixture(secret: String, claims: JSONObject, lifetime: Double)

    /// Reads the source from a script's options.
    init(_ options: JSONObject, token: String?, targetSecret: String?) {
        if let function = options["token_provider"]?.integer {
            self = .provider(ScriptFunction(function))
        } else if let fixture = options["token_fixture"]?.object, let secret = fixture["secret"]?.string ?? targetSecret
        {
            var claims = fixture["claims"]?.object ?? [:]
            if let user = fixture["user_id"], claims["userId"] == nil { claims["userId"] = user }
            if let channel = fixture["channel_id"], claims["channelId"] == nil { claims["channelId"] = channel }
            // Thirty minutes is the life that the vendor's document recommends.
            self = .fixture(secret: secret, claims: claims, lifetime: fixture["lifetime"]?.double ?? 1800)
        } else if let token {
            self = .fixed(token)
        } else {
            self = .none
        }
    }
}
