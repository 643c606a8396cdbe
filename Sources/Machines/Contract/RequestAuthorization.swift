public import JSON

/// How scripts say who asks.
public enum RequestAuthorization {
    /// The options of a request.
    public static let options = [
        ParameterDeclaration(
            "token", .string, optional: true, isSecret: true,
            "A bearer token, which becomes the Authorization header."),
        ParameterDeclaration(
            "basic",
            .record([
                ParameterDeclaration("user", .string, "The user, without a colon."),
                ParameterDeclaration("password", .string, isSecret: true, "The password."),
            ]), optional: true, "A user and a password, which become the Authorization header (RFC 7617)."),
    ]

    /// The option by which tokens are asked for.
    public static let grantOption = ParameterDeclaration(
        "oauth", .record(OAuthGrant.members), optional: true,
        "Where a token is asked for (OAuth 2.0): once, before the first request; again when it expires, and once when the server answers 401."
    )

    /// Returns the header that the options ask for, or nil if they say nothing.
    ///
    /// - Throws: ``ConfigurationError`` if more than one way is given, a user has a colon, or a token cannot stand in a
    ///   header.
    public static func header(_ options: JSONObject) throws(ConfigurationError) -> String? {
        let given = ["token", "basic", "oauth"].filter { options[$0] != nil }
        guard given.count < 2 else {
            throw ConfigurationError("\(given.joined(separator: " and ")) exclude each other; give one of them")
        }
        let headers = options["headers"]?.object ?? [:]
        if let way = given.first, let header = headers.names.first(where: { $0.lowercased() == "authorization" }) {
            throw ConfigurationError("\(way) and the header \(header) exclude each other; give one of them")
        }
        if let token = options["token"]?.string {
            guard token.isVisibleASCII else {
                throw ConfigurationError("token: a bearer token has visible ASCII characters alone, and no space")
            }
            return "Bearer \(token)"
        }
        guard let basic = options["basic"]?.object else { return nil }
        let user = basic["user"]?.string ?? ""
        guard !user.utf8.contains(UInt8(ascii: ":")) else {
            throw ConfigurationError("basic: a user has no colon, for it ends where the password begins")
        }
        return Self.basic(user: user, password: basic["password"]?.string ?? "")
    }

    /// Returns the header of basic authentication.
    static func basic(user: String, password: String) -> String {
        "Basic " + Base64.encode(Array("\(user):\(password)".utf8))
    }
}
