import HTTPTypes
import JSON
import Machines

/// The WebSockets of the server: which of them is asked for, and whether the token opens it.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | open | `asked` for the topics of a session that the token opens | open | joins it |
/// | refusing | `asked` for the topics | refusing, open after the last one | refuses, or leaves it without an answer |
/// | any | `asked` for calls with a token that opens the session | unchanged | places the call |
/// | any | `asked` for the desk with a token of an agent | unchanged | the agent goes on duty |
/// | any | `asked` for either with another token, open with one for topics | unchanged | refuses with 403 |
/// | any | `asked` for anything else | unchanged | refuses with 404 |
/// | any | `refusalsSet` to some, to none | refusing, open | |
struct HandshakePart: Sendable {
    enum State: String, Sendable {
        case open
        /// The script refuses the next handshakes for topics.
        case refusing
    }

    /// What happens to handshakes.
    enum Input: Sendable {
        case asked(ConnectionID, HTTPRequest)
        /// How many handshakes for topics the script refuses, and with which status; 0 leaves them without an answer.
        case refusalsSet(count: Int64, status: Int)
    }

    private var refusals: (count: Int64, status: Int) = (0, 503)
    private(set) var orders = FaultOrders()

    /// What is known of the last client that joined a session.
    private(set) var last: JSONObject = [:]

    var state: State { self.refusals.count > 0 ? .refusing : .open }

    /// Takes in what happened.
    ///
    /// - Parameter tokens: The tokens that are valid.
    mutating func handle(_ input: Input, _ tokens: SessionTokens, at now: Instant) -> [AssistServerAction] {
        switch input {
        case .refusalsSet(let count, let status):
            self.refusals = (count, status)
            self.orders.takenBack()
            if count > 0 { _ = self.orders.add() }
        case .asked(let connection, let request):
            let named = PathAndQuery(request)
            let query = named.parameters()
            let token = tokens.find(query["sessionId"], at: now)
            switch named.path {
            case "/gateway/call":
                guard let cid = query["cid"], let token, token.allows(cid) else { return Self.notOpened(connection) }
                return [.placeCall(connection, query)]
            case "/gateway/agent":
                guard let agent = token?.metadata["username"]?.string else {
                    return Self.refuse(connection, 403, "the token is no agent's")
                }
                return [.goOnDuty(connection, agent: agent)]
            case "/assistserver/topic": return self.topicsAsked(connection, request, query, token)
            default: return Self.refuse(connection, 404, "there is no WebSocket at \(named.path)")
            }
        }
        return []
    }

    private mutating func topicsAsked(
        _ connection: ConnectionID, _ request: HTTPRequest, _ query: [String: String], _ token: SessionToken?
    ) -> [AssistServerAction] {
        guard self.state == .open else {
            self.refusals.count -= 1
            self.orders.struck(self.orders.count)
            // Without an answer the client waits until its own limit passes.
            guard self.refusals.status != 0 else { return [] }
            return Self.refuse(connection, self.refusals.status, "the script refuses this handshake")
        }
        guard let name = query["sessionId"], let token, let cid = query["topic"], !cid.isEmpty, query["appkey"] == cid,
            token.allows(cid)
        else { return Self.notOpened(connection) }
        self.last = ["path": "/assistserver/topic"]
        if let cookie = request.headerFields[.cookie] { self.last["cookie"] = .string(cookie) }
        self.last["metadata"] = .object(token.metadata)
        return [.join(connection, cid: cid, token: name, metadata: token.metadata)]
    }

    private static func notOpened(_ connection: ConnectionID) -> [AssistServerAction] {
        Self.refuse(connection, 403, "the token does not open this session")
    }

    private static func refuse(_ connection: ConnectionID, _ status: Int, _ text: String) -> [AssistServerAction] {
        [.perform(.refuse(connection, AssistServer.error(status, text)))]
    }
}
