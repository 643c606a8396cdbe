import JSON
import Machines
import Patterns

/// The session tokens that the server has made, by which clients open sessions until their lives have passed.
struct SessionTokens: Sendable {
    private let life: Duration
    private let limit: Int
    private var tokens: [String: SessionToken] = [:]

    /// Creates a table without tokens.
    ///
    /// - Parameters:
    ///   - life: How long a token is valid.
    ///   - limit: How many are valid at most.
    init(life: Duration, limit: Int = AssistServer.recordLimit) {
        self.life = life
        self.limit = limit
    }

    /// What a token stands for; nil if it is not valid.
    func find(_ name: String?, at now: Instant) -> SessionToken? {
        name.flatMap { self.tokens[$0] }.flatMap { $0.expires > now ? $0 : nil }
    }

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - metadata: What is known of its holder.
    ///   - allowedTopic: The regular expression of the sessions that it opens.
    ///   - cid: The session that it was made for; nil if it is for none in particular.
    /// - Returns: Its name, which nobody can guess; nil if there is no room for another token.
    mutating func make(
        _ metadata: JSONObject, allowedTopic: String, cid: String?, at now: Instant, random: inout RandomSource
    ) -> String? {
        if self.tokens.count >= self.limit { self.tokens = self.tokens.filter { $0.value.expires > now } }
        guard self.tokens.count < self.limit else { return nil }
        let name = random.hexadecimalDigits(40)
        self.tokens[name] = SessionToken(
            metadata: metadata, allowedTopic: allowedTopic, cid: cid, expires: now + self.life)
        return name
    }

    /// Notes under which name the holder of a token is in the server's audit.
    mutating func setAuditName(_ audit: String, of name: String) {
        self.tokens[name]?.metadata["auditName"] = .string(audit)
    }

    /// Makes a token no longer valid.
    ///
    /// - Returns: What it stood for; nil if it is unknown.
    mutating func remove(_ name: String) -> SessionToken? { self.tokens.removeValue(forKey: name) }
}

/// What a token stands for.
struct SessionToken: Sendable {
    var metadata: JSONObject
    /// The regular expression that a session's name must match; clients choose it.
    let allowedTopic: String
    let cid: String?
    let expires: Instant

    /// Returns whether the token opens a session; an expression that cannot be read opens its own text only.
    func allows(_ cid: String) -> Bool {
        if self.allowedTopic == cid { return true }
        guard cid.utf8.count <= 256, let regex = try? TextRegex(self.allowedTopic, longest: TextRegex.longestOfServer)
        else { return false }
        return regex.matches(cid)
    }
}
