import HTTPTypes
public import JSON

/// What a client shows to be given tokens (RFC 6749): itself alone, or a user's password as well.
public struct OAuthGrant: Hashable, Sendable {
    private struct User: Hashable, Sendable {
        let name: String
        let password: String
    }

    private let endpoint: WebAddress
    private let clientID: String
    private let clientSecret: String?
    private let scope: String?
    private let audience: String?
    private let user: User?

    /// Whether the secret goes into the form instead of the header (section 2.3.1).
    private let writesSecretIntoForm: Bool

    /// The members of the option `oauth`.
    static let members = [
        ParameterDeclaration(
            "token_url", .string,
            "Where tokens are given; a URL, or a path at the target. Other hosts must stand in the target's `hosts`."),
        ParameterDeclaration("client_id", .string, "Who the client is."),
        ParameterDeclaration("client_secret", .string, optional: true, isSecret: true, "The secret of the client."),
        ParameterDeclaration("scope", .string, optional: true, "What is asked for, divided by spaces."),
        ParameterDeclaration("audience", .string, optional: true, "For whom the token is, where the server asks it."),
        ParameterDeclaration(
            "username", .string, optional: true,
            "The user, for the password flow; without one the client asks for itself (client credentials)."),
        ParameterDeclaration("password", .string, optional: true, isSecret: true, "The user's password."),
        ParameterDeclaration(
            "client_auth", .choice(["header", "body"]), optional: true,
            "Where the secret stands: in the Authorization header, or in the form; the header unless given."),
    ]

    /// Reads the option, checked already.
    ///
    /// - Parameter home: What the URL is resolved from.
    /// - Throws: ``ConfigurationError`` if the URL leads where the target does not allow, or a user has no password.
    public init(_ option: JSONObject, from home: TargetAddress) throws(ConfigurationError) {
        var place = home
        try place.go(to: option["token_url"]?.string ?? "")
        let head = HTTPRequest(method: .post, scheme: place.scheme, authority: place.authority, path: place.path)
        guard let endpoint = WebAddress(of: head) else {
            throw ConfigurationError("oauth: token_url is no URL of HTTP")
        }
        self.endpoint = endpoint
        self.clientID = option["client_id"]?.string ?? ""
        self.clientSecret = option["client_secret"]?.string
        self.scope = option["scope"]?.string
        self.audience = option["audience"]?.string
        self.writesSecretIntoForm = option["client_auth"]?.string == "body"
        if let name = option["username"]?.string {
            guard let password = option["password"]?.string else {
                throw ConfigurationError("oauth: the password flow needs a password beside the username")
            }
            self.user = User(name: name, password: password)
        } else {
            self.user = nil
        }
    }

    /// Returns the request for a token.
    ///
    /// - Parameter refresh: What a token came with that is to be replaced; nil to begin anew.
    public func request(refresh: String?) -> Request {
        var form: [(String, String)]
        if let refresh {
            form = [("grant_type", "refresh_token"), ("refresh_token", refresh)]
        } else if let user = self.user {
            form = [("grant_type", "password"), ("username", user.name), ("password", user.password)]
        } else {
            form = [("grant_type", "client_credentials")]
        }
        if let scope = self.scope { form.append(("scope", scope)) }
        if let audience = self.audience { form.append(("audience", audience)) }
        var fields: HTTPFields = [.accept: "application/json", .contentType: "application/x-www-form-urlencoded"]
        if let secret = self.clientSecret, !self.writesSecretIntoForm {
            // Both are encoded as in a form before they are put together (section 2.3.1).
            fields[.authorization] = RequestAuthorization.basic(
                user: Self.encoded(self.clientID), password: Self.encoded(secret))
        } else {
            form.append(("client_id", self.clientID))
            if let secret = self.clientSecret { form.append(("client_secret", secret)) }
        }
        return Request(
            self.endpoint.request(.post, headerFields: fields), body: Array(FormEncoding.encode(form).utf8))
    }

    private static func encoded(_ text: String) -> String { String(FormEncoding.encode([("", text)]).dropFirst()) }
}
