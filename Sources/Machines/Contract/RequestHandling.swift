public import JSON

/// What a client does besides sending a request and reading its answer, as browsers do.
public struct RequestHandling: Hashable, Sendable {
    /// How many redirects are followed; with 0 the first one is the answer.
    public var redirectLimit: Int

    /// Whether the cookies of the client go with the request, and those of its answer are kept.
    public var usesCookies: Bool

    /// Whether compressed bodies are accepted, and expanded.
    public var takesCompressed: Bool

    /// By what a token is asked for that goes with the request; nil if none is needed.
    public var grant: OAuthGrant?

    /// Creates a description; the defaults are those of browsers, but for the number of redirects: they follow 20, and
    /// nothing that works needs more than a few.
    public init(
        redirectLimit: Int = 10, usesCookies: Bool = true, takesCompressed: Bool = true, grant: OAuthGrant? = nil
    ) {
        self.grant = grant
        self.redirectLimit = redirectLimit
        self.usesCookies = usesCookies
        self.takesCompressed = takesCompressed
    }

    /// How many redirects a script may have followed.
    private static let redirectLimits: ClosedRange<Int64> = 0...50

    /// The options by which scripts change it.
    public static let options = [
        ParameterDeclaration(
            "cookies", .boolean, optional: true,
            "Whether the client's cookies are sent, and those of answers kept; true unless given. A header `Cookie` of one's own is sent as it is."
        ),
        ParameterDeclaration(
            "redirects", .integer, optional: true, in: Self.redirectLimits,
            "How many redirects are followed; 10 unless given, and 0 takes the first as the answer."),
        ParameterDeclaration(
            "compression", .boolean, optional: true,
            "Whether gzip and deflate are offered, and such bodies expanded; true unless given."),
    ]

    /// Takes in the options that a script gave.
    ///
    /// - Throws: ``ConfigurationError`` if more redirects are to be followed than may be.
    public mutating func apply(_ options: JSONObject) throws(ConfigurationError) {
        self.usesCookies = options["cookies"]?.bool ?? self.usesCookies
        self.takesCompressed = options["compression"]?.bool ?? self.takesCompressed
        guard let redirects = options["redirects"]?.integer else { return }
        let limits = Self.redirectLimits
        guard limits.contains(redirects) else {
            throw ConfigurationError(
                "redirects takes a number from \(limits.lowerBound) to \(limits.upperBound), not \(redirects)")
        }
        self.redirectLimit = Int(redirects)
    }
}
