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
