import JSON

/// What a connection asks of the client around it.
enum ConnectionAction: Hashable, Sendable {
    case perform(OracleEffect)
    case statusChanged(ConnectionStatus)
    /// A token is needed before a socket can open; answer with `tokenArrived` or `tokenRefused`.
    case tokenWanted
    /// The conversation can go on.
    case opened(again: Bool)
    /// The connection dropped; it is being opened anew.
    case dropped(reason: String)
    /// It is over; a code of the vendor's, or nil where the client asked for it.
    case ended(code: String?, message: String)
    /// One message arrived; no value if it is not JSON.
    case received(String, JSONValue?)
    /// Something arrived that is no message.
    case ignored(reason: String, raw: JSONValue)
    /// A poll was not answered as it should be; what it would have brought is lost.
    case pollLost(reason: String)
    /// A message could not be sent by polling.
    case sendFailed(message: String)
}
