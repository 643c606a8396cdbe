/// What a client took for its connections and requests, for who measures a server.
public enum ClientMeasurement: Hashable, Sendable {
    /// A connection is open: with its encryption, and before anything is sent on it.
    case opened(OpeningTimes)

    /// A WebSocket is open: this long after its connection was.
    case upgraded(Duration)

    /// A WebSocket has ended whose sides had agreed on compression.
    case compressed(CompressionVolume)

    /// A request is sent on a connection that has carried another one, or that carries several at once.
    case reused

    /// A request is sent again on another connection, for the server has ended its own without an answer.
    case repeated

    /// A request was answered.
    case answered(AnsweredRequest)

    /// A request came to no whole answer: its connection failed, its time was over, or what came cannot be read; see
    /// ``ExchangeOutcome`` for what its machine says of it.
    case unanswered
}

/// How long a request took, for who measures a server.
public struct AnsweredRequest: Hashable, Sendable {
    /// What it is called: by its own name, or by its method and path; see ``RequestName``.
    public let name: String

    /// From the request to its whole answer; redirects, and asking for a token, included.
    public let duration: Duration

    /// The status of the answer, such as 200; where redirects are followed, of the last one.
    public let status: Int
}
