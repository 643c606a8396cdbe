/// What a driver tells of the connections of its client, besides what its machine hears.
public enum ClientReport {
    /// A connection or a request took its time.
    case measured(ClientMeasurement)

    /// A server gave the client a token, which must not be seen.
    case learnt(String)

    /// A server did something against the protocol that the machine cannot be told of as it is.
    case violated(ServerViolation)

    /// A request is sent again on another connection, since the server ended its own without an answer; why, in words.
    case repeated(String)
}
