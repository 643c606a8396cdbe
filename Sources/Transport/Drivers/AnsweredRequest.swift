/// How long a request took, for who measures a server.
public struct AnsweredRequest: Hashable, Sendable {
    /// What it is called: by its own name, or by its method and path; see ``RequestName``.
    public let name: String

    /// From the request to its whole answer; redirects, and asking for a token, included.
    public let duration: Duration

    /// The status of the answer, such as 200; where redirects are followed, of the last one.
    public let status: Int
}
