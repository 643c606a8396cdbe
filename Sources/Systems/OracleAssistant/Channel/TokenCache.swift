/// Keeps the token of a client while it is good, as the vendor's clients do.
struct TokenCache: Sendable {
    /// Where new tokens come from.
    let source: TokenSource

    /// The token that was used last.
    private(set) var current: String?

    private var expiresAt = 0.0

    /// A token is used again while it lives for more than this many seconds.
    static let margin = 20.0

    /// Creates a cache without a token.
    init(_ source: TokenSource) { self.source = source }

    /// Returns the token, if it lives long enough after a time in seconds since 1970 UTC.
    func usable(at epochSeconds: Double) -> String? {
        self.expiresAt - epochSeconds > Self.margin ? self.current : nil
    }

    /// Keeps a token that was checked.
    mutating func keep(_ token: String, expiresAt: Double) {
        self.current = token
        self.expiresAt = expiresAt
    }

    /// Forgets the token.
    mutating func forget() {
        self.current = nil
        self.expiresAt = 0
    }
}
