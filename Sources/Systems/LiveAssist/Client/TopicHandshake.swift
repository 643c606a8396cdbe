import HTTPTypes
import JSON
import Machines

/// The handshake of the topic WebSocket, by which the clients of consumers and agents join a session.
///
/// Opening it joins the root topic; no frame of the client comes first. Source: the vendor's web SDK
/// (`shared/js/assist-aed.js`).
enum TopicHandshake {
    /// Returns the head of the request.
    ///
    /// - Parameters:
    ///   - origin: Where the server is.
    ///   - cid: The correlation id of the session, which is its topic as well.
    ///   - token: The session token.
    ///   - cookies: What goes into the header field `Cookie`; agents send none.
    static func request(_ origin: Origin, cid: String, token: String, cookies: String? = nil) -> HTTPRequest {
        origin.webSocket(
            "/assistserver/topic", [("appkey", cid), ("topic", cid), ("sessionId", token)], cookies: cookies)
    }
}
