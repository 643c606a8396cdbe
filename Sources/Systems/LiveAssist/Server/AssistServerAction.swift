import JSON
import Machines

/// What the parts of the assist server want done; ``AssistServer`` does it in one place.
enum AssistServerAction: Hashable, Sendable {
    /// Do something outside.
    case perform(AssistServer.Effect)
    /// Answer the request at hand.
    case answer(Response)
    /// Send a frame to a participant.
    case send(TopicFrame, to: ConnectionID)
    /// Tell an agent of a call, with what is known of its session.
    case offer(JSONObject, cid: String, to: ConnectionID)
    /// A client takes part in a session.
    ///
    /// - Parameter token: The name of its session token.
    case join(ConnectionID, cid: String, token: String, metadata: JSONObject)
    /// A consumer calls, with what the query of the handshake says of the call.
    case placeCall(ConnectionID, [String: String])
    /// An agent waits for calls.
    case goOnDuty(ConnectionID, agent: String)
    /// A session is known under this name, with user-to-user information if it has some.
    case openSession(String, uui: String?)
    /// Tell all participants of a session that it is over.
    case endSession(String)
    /// Count something that the protocol forbids.
    case ignore
}
