/// What a client that forgets an exchange says of it, for who measures the server.
public enum ExchangeOutcome: Hashable, Sendable {
    /// The answer is not wanted any more, which says nothing about the server.
    case unwanted

    /// The answer did not become whole in the time that the client gave it, or cannot be read.
    case unanswered

    /// The answer was whole for the client at this instant, though its body goes on.
    case answered(Instant)
}
