/// A link over TCP or TLS that a machine wants: where it leads, and how its messages are told apart.
public struct LinkRequest: Hashable, Sendable {
    /// Host and port, as in a URL.
    public let authority: String

    /// Whether it is encrypted.
    public let isSecure: Bool

    /// How its messages are told apart.
    public let framing: LinkFraming

    /// How long it may take to open.
    public let timeLimit: OpeningLimit

    /// Creates a request for a link.
    public init(
        authority: String, isSecure: Bool, framing: LinkFraming, timeLimit: OpeningLimit = .standard
    ) {
        self.timeLimit = timeLimit
        self.authority = authority
        self.isSecure = isSecure
        self.framing = framing
    }
}
