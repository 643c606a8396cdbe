import HTTPTypes
import JSON
import Machines

/// Support as a whole: its session on the server, the call, and the topic WebSocket.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | idle, ended | `started` with a destination or a correlation id | creatingSession | asks for a session |
/// | idle, ended | `started` with token and correlation id | connecting | opens the topic WebSocket |
/// | any active | `started` | unchanged | `error` 30103 |
/// | idle, ended | `started` with a destination, without the microphone or the camera for it | unchanged | `error` 20107, 20108 |
/// | creatingSession | `sessionAnswered`, destination given | calling | `session_created`; opens the call |
/// | creatingSession | `sessionAnswered`, co-browse only | connecting | `session_created`; opens the topic WebSocket |
/// | creatingSession | `sessionAnswered`, refused, unreadable, or another session | idle | `error` 30101 |
/// | creatingSession | `sessionFailed`, `sessionTimedOut` | idle | `error` 30102 |
/// | calling | `callSaid` in call | connecting | `call`; opens the topic WebSocket |
/// | calling | `callSaid` busy, not found, timed out, failed, ended; `callOpenFailed`, `callClosed` | idle | `error` 20101 to 20105 |
/// | connecting, inSession | `callSaid` failed | ended | `error` with the code that the call names; as `callSaid` ended |
/// | connecting, inSession | `callClosed` without a close frame | ended | `error` 10003; as `callSaid` ended |
/// | connecting | `linkReported` connected | inSession | `connected`; opens the topic of the screen |
/// | connecting | `linkReported` that the first try failed | idle | `error` 30102 |
/// | inSession | `linkReported` lost, retried, connected | inSession | `disconnected`, `reconnecting`, `connected` |
/// | inSession | `linkReported` unreadable | inSession | `error` 30102 |
/// | inSession | `linkReported` exhausted | ended | `terminated`, `cobrowse_active` |
/// | any active | `terminated` | ended | the same |
/// | any active | `endAsked`; `callSaid` ended, `callClosed` after a call | ended | says goodbye; `cobrowse_active`, `terminated`, `support_ended` |
/// | any | `linkClosed` after the goodbye | unchanged | ends the session on the server; `error` 30102 if it broke before |
/// | any | `farewellFailed` | unchanged | `error` 30102 |
/// | any | `tornDown` | ended | says goodbye |
struct SupportPart: Sendable {
    /// What happens to support.
    enum Input: Sendable {
        /// What differs from the options of the actor.
        case started(JSONObject?)
        case sessionAnswered(Response)
        case sessionFailed(String)
        case sessionTimedOut
        case callOpenFailed(UInt64, String)
        case callSaid(UInt64, WebSocketMessage)
        case callClosed(UInt64, UInt16)
        case linkReported(LinkOutput)
        /// The topic WebSocket of that number has said everything, or broke before.
        case linkClosed(UInt64, wasClean: Bool)
        /// The server was not told that the session is over.
        case farewellFailed(String)
        case endAsked
        case terminated(ErrorCode, String)
        case tornDown
    }

    /// The session to end on the server as soon as its WebSocket has said everything.
    private struct Farewell {
        let link: UInt64
        let token: String
    }

    private let base: JSONObject
    private let client: ClientConfiguration
    private var callCount: UInt64 = 0
    /// The WebSocket of the call.
    private var call: UInt64?
    private var farewell: Farewell?
    private(set) var configuration: SupportConfiguration
    private(set) var origin: Origin
    private(set) var state = SupportState.idle
    /// The correlation id of the session.
    private(set) var cid = ""
    private(set) var token = ""
    private(set) var hasCall = false
    var cookies = HandshakeCookies()

    /// Creates support that has not been started.
    ///
    /// - Parameter base: The target with the options of the actor.
    init(_ client: ClientConfiguration, base: JSONObject) throws(ConfigurationError) {
        self.client = client
        self.base = try SupportConfiguration.named(base)
        self.configuration = try SupportConfiguration(self.base)
        self.origin = try Origin(client, server: self.configuration.connection.server)
    }

    /// Takes in what happened.
    ///
    /// - Parameter link: The topic WebSocket as it is now.
    mutating func handle(_ input: Input, _ link: TopicLink) -> [ConsumerAction] {
        switch input {
        case .started(let options): return self.start(options)
        case .sessionAnswered(let response):
            return [.cancelTimer(.sessionLimit)] + self.sessionAnswered(response)
        case .sessionFailed(let reason):
            self.state = .idle
            return [.cancelTimer(.sessionLimit), .fail(.assistTransportFailure, reason)]
        case .sessionTimedOut:
            guard self.state == .creatingSession else { return [] }
            self.state = .idle
            return [
                .cancelSession,
                .fail(.assistTransportFailure, "the server did not answer within the timeout"),
            ]
        case .callOpenFailed(let number, let reason):
            guard number == self.call else { return [] }
            self.call = nil
            return self.callFailed(.callCreationFailed, reason)
        case .callSaid(let number, let message):
            return number == self.call ? self.callSaid(message, link) : []
        case .callClosed(let number, let code):
            guard number == self.call else { return [] }
            self.call = nil
            let reason = "the gateway closed the call with \(code)"
            // The vendor's SDK would try seven times to get the call back; here it is gone with its connection.
            let isLost = code == 1006 && self.hasCall && self.state.isActive
            return (isLost ? [.fail(.fcsdkLostConnection, reason)] : []) + self.callEnded(reason, link)
        case .linkReported(let news): return self.linkReported(news)
        case .linkClosed(let number, let wasClean):
            guard number == self.farewell?.link else { return [] }
            let reason = "the connection broke while support ended; what was said last may be lost"
            return (wasClean ? [] : [.fail(.assistTransportFailure, reason)]) + self.endSession()
        case .farewellFailed(let reason):
            return [.fail(.assistTransportFailure, "the server was not told that the session is over: \(reason)")]
        case .endAsked: return self.finish("the application ended support", link)
        case .terminated(let error, let reason): return self.terminate(error, reason)
        case .tornDown:
            defer { self.state = .ended }
            return self.state.isActive ? self.sayGoodbye(isSilent: true, link) : []
        }
    }

    // MARK: Session

    /// Starts support in one of the three ways that the configuration implies.
    private mutating func start(_ options: JSONObject?) -> [ConsumerAction] {
        guard !self.state.isActive else {
            return [.fail(.assistSessionInProgress, "support is started already; end it first")]
        }
        let configuration: SupportConfiguration
        let origin: Origin
        do throws(ConfigurationError) {
            configuration = try SupportConfiguration(self.base.merging(try SupportConfiguration.named(options ?? [:])))
            origin = try Origin(self.client, server: configuration.connection.server)
        } catch { return [.answer(.refused(error.message))] }
        let isEscalation = !configuration.session.sessionToken.isEmpty && !configuration.session.correlationID.isEmpty
        if isEscalation, !configuration.call.destination.isEmpty {
            let reason = "destination must be empty when an existing call is escalated; the call knows it"
            return [.answer(.refused(reason))]
        }
        guard isEscalation || !configuration.call.destination.isEmpty || !configuration.session.correlationID.isEmpty
        else {
            let reason =
                "start_support needs a destination, a correlationId, or both sessionToken and correlationId"
            return [.answer(.refused(reason))]
        }
        if let refusal = self.mediaRefusal(configuration.call) { return [refusal] }
        self.configuration = configuration
        self.origin = origin
        self.hasCall = false
        guard !isEscalation else {
            self.cid = configuration.session.correlationID
            self.token = configuration.session.sessionToken
            return [.beginSession] + self.connect()
        }
        self.state = .creatingSession
        let timeout = configuration.connection.timeout
        return [.beginSession, .ask(.session, self.sessionRequest)]
            + (timeout > .zero ? [.setTimer(.sessionLimit, timeout)] : [])
    }

    /// The error of a call for which the user does not let the application have the microphone or the camera; nil if
    /// nothing stands in its way.
    ///
    /// When the vendor's SDK looks, and what it needs for which `videoMode`, is not published; defined here: before it
    /// makes a session, the microphone for each call and the camera for video in both directions.
    private func mediaRefusal(_ call: SupportConfiguration.Call) -> ConsumerAction? {
        guard !call.destination.isEmpty else { return nil }
        if self.base["microphone"]?.bool == false {
            return .fail(.microphoneNotAuthorized, "the user does not let the application use the microphone")
        }
        guard call.videoMode == "full", self.base["camera"]?.bool == false else { return nil }
        return .fail(.cameraNotAuthorized, "the user does not let the application use the camera")
    }

    private var sessionRequest: Request {
        let configuration = self.configuration
        let server = self.origin.base64
        var pairs = [("type", "create"), ("targetServer", server), ("originServer", server)]
        if !configuration.session.correlationID.isEmpty {
            pairs.append(("username", configuration.session.correlationID))
        }
        if !configuration.session.uui.isEmpty, configuration.session.sessionToken.isEmpty {
            pairs.append(("uui", UserToUser.encode(configuration.session.uui)))
        }
        if !configuration.session.auditName.isEmpty { pairs.append(("auditName", configuration.session.auditName)) }
        return self.origin.form(.post, "/assistserver/consumer", pairs)
    }

    /// Goes on with the session that the server has made.
    private mutating func sessionAnswered(_ response: Response) -> [ConsumerAction] {
        guard self.state == .creatingSession else { return [] }
        do throws(WireComplaint) {
            let answer = try ServerAnswer(response, to: "POST /assistserver/consumer")
            (self.cid, self.token) = (try self.cid(of: answer), try answer.token("token"))
            let fields: JSONObject = ["correlation_id": .string(self.cid), "session_token": .string(self.token)]
            // With a correlation id of its own the application wants co-browsing only; there is no call then.
            let isCobrowseOnly = self.configuration.call.destination.isEmpty
            return [.emit(.sessionCreated, "", fields, raw: answer.value)]
                + (isCobrowseOnly ? self.connect() : self.placeCall())
        } catch {
            self.state = .idle
            return [.fail(.assistSessionCreationFailure, error.text)]
        }
    }

    /// Returns the correlation id of the session that the server has made.
    private func cid(of answer: ServerAnswer) throws(WireComplaint) -> String {
        let cid = try answer.text("address")
        let wanted = self.configuration.session.correlationID
        guard wanted.isEmpty || cid == wanted else {
            throw WireComplaint("the server made the session \"\(cid)\", and \"\(wanted)\" was asked for")
        }
        return cid
    }

    // MARK: Call

    /// Places the call; signalling is not published, so it is a WebSocket of our own with one JSON text per state.
    private mutating func placeCall() -> [ConsumerAction] {
        self.state = .calling
        self.callCount += 1
        self.call = self.callCount
        let query = [
            ("sessionId", self.token), ("cid", self.cid), ("destination", self.configuration.call.destination),
            ("video", self.configuration.call.videoMode),
        ]
        return [.openCall(self.callCount, self.origin.webSocket("/gateway/call", query, cookies: nil))]
    }

    /// Takes a state of the call.
    private mutating func callSaid(_ message: WebSocketMessage, _ link: TopicLink) -> [ConsumerAction] {
        guard let value = try? message.json(depth: 8),
            let word = value["status"]?.string,
            let status = CallStatus(rawValue: word)
        else { return [.fail(.callFailed, "the server sent the state of a call that cannot be read")] }
        let event = ConsumerAction.emit(.call, "", ["status": .string(status.rawValue)], raw: value)
        switch status {
        case .setup, .alerting, .ringing, .mediaPending, .queued: return [event]
        case .inCall:
            self.hasCall = true
            return [event] + (self.state == .calling ? self.connect() : [])
        case .ended: return [event] + self.callEnded("the agent ended the call", link)
        case .busy: return [event] + self.callFailed(.calleeBusy, "the destination is busy")
        case .notFound:
            return [event] + self.callFailed(.calleeNotFound, "there is no such destination")
        case .timedOut:
            return [event] + self.callFailed(.callTimeout, "nobody answered the call in time")
        case .error:
            let error = value["error"]?.string.flatMap(CallError.init)?.code ?? .callFailed
            let reason = "the call failed"
            guard self.state != .calling else { return [event] + self.callFailed(error, reason) }
            guard self.hasCall, self.state.isActive else { return [event] + self.endCall() }
            // An error that the SDK reports ends support (vendor's developer guide).
            return [event, .fail(error, reason)] + self.callEnded(reason, link)
        }
    }

    /// Ends a start whose call came to nothing.
    private mutating func callFailed(_ error: ErrorCode, _ reason: String) -> [ConsumerAction] {
        let ending = self.endCall()
        guard self.state == .calling else { return ending }
        self.state = .idle
        return ending + [.fail(error, reason)]
    }

    /// Closes the connection of the call.
    private mutating func endCall() -> [ConsumerAction] {
        guard let call else { return [] }
        self.call = nil
        return [.closeCall(call)]
    }

    /// Ends support with its call.
    private mutating func callEnded(_ reason: String, _ link: TopicLink) -> [ConsumerAction] {
        let ending = self.endCall()
        if self.state == .calling { return ending + self.callFailed(.callFailed, reason) }
        guard self.hasCall, self.state.isActive else { return ending }
        return ending + self.finish(reason, link)
    }

    // MARK: Topic WebSocket

    /// Opens the topic WebSocket of the session.
    private mutating func connect() -> [ConsumerAction] {
        self.state = .connecting
        let cookies = self.configuration.connection.usesCookies ? self.cookies.header : nil
        let limit = self.configuration.connection.initialTimeout
        let request = TopicHandshake.request(self.origin, cid: self.cid, token: self.token, cookies: cookies)
        return [.link(.connectWanted(request, limit: limit > .zero ? limit : nil))]
    }

    /// Takes what happened to the topic WebSocket.
    private mutating func linkReported(_ news: LinkOutput) -> [ConsumerAction] {
        let isSet = self.configuration.delegates.hasConnection
        switch news {
        case .connected(let isFirst):
            self.state = .inSession
            return [.emit(.connected, "onConnect()", ["first": .bool(isFirst)], isSet: isSet)]
                + (isFirst ? [.openScreenTopic] : []) + [.link(.pingWanted)]
        case .failedFirst(let reason):
            self.state = .idle
            return self.endCall() + [.fail(.assistTransportFailure, reason)]
        case .disconnected(let reason):
            let fields = Self.reason(.assistTransportFailure, reason)
            return [.emit(.disconnected, "onDisconnect(_:reason:)", fields, isSet: isSet)]
        case .willRetry(let delay, let attempt, let count):
            let fields: JSONObject = [
                "in": .double(delay.scriptSeconds), "attempt": .integer(Int64(attempt)),
                "of": .integer(Int64(count)),
            ]
            return [
                .emit(.reconnecting, "willRetry(inSeconds:attempt:of:connector:)", fields, isSet: isSet)
            ]
        case .exhausted(let reason): return self.terminate(.assistTransportFailure, reason)
        case .unreadable(let complaint): return [.fail(.assistTransportFailure, complaint)]
        case .frame: return []
        }
    }

    /// The fields that say why a connection ended.
    private static func reason(_ error: ErrorCode, _ text: String) -> JSONObject {
        ["code": .integer(Int64(error.rawValue)), "reason": .string(text)]
    }

    private func terminatedEvent(_ error: ErrorCode, _ reason: String) -> ConsumerAction {
        .emit(
            .terminated, "onTerminated(_:)", Self.reason(error, reason),
            isSet: self.configuration.delegates.hasConnection)
    }

    // MARK: Ending

    /// The connection is gone for good.
    private mutating func terminate(_ error: ErrorCode, _ reason: String) -> [ConsumerAction] {
        self.state = .ended
        return self.endCall()
            + [
                .leaveDocuments(.supportEnded, isSilent: false), .cancelTimer(.screen),
                self.terminatedEvent(error, reason), .setActive(false), .endSession,
            ]
    }

    /// Ends support for the reason that the application or the call gave.
    private mutating func finish(_ reason: String, _ link: TopicLink) -> [ConsumerAction] {
        let hadCall = self.hasCall
        let goodbye = self.sayGoodbye(isSilent: false, link)
        self.state = .ended
        let ending: [ConsumerAction] = [
            .cancelTimer(.screen), .cancelTimer(.sessionLimit), .setActive(false), .endSession,
            self.terminatedEvent(.assistSupportEnded, reason),
        ]
        // Only a call that was made can end; co-browsing alone never raises this.
        return goodbye + ending + (hadCall ? [.emit(.supportEnded, "supportCallDidEnd()")] : [])
    }

    /// Says goodbye on the wire.
    private mutating func sayGoodbye(isSilent: Bool, _ link: TopicLink) -> [ConsumerAction] {
        var actions: [ConsumerAction] = [
            .leaveDocuments(.supportEnded, isSilent: isSilent), .tell(["type": "consumerEndedSupport"]),
            .leave,
            .link(.closeWanted),
        ]
        actions += self.endCall() + [.cancelAll]
        self.hasCall = false
        guard !self.token.isEmpty else { return actions }
        // Over another connection the request could overtake what was said last, so it waits for the end of this one.
        self.farewell = Farewell(link: link.number, token: self.token)
        return actions + (link.isOpen ? [] : self.endSession())
    }

    /// Ends the session on the server.
    private mutating func endSession() -> [ConsumerAction] {
        guard let farewell else { return [] }
        self.farewell = nil
        var request = Request(self.origin.request(.delete, "/assistserver/consumer"))
        if let name = HTTPField.Name("X-Token") { request.head.headerFields[name] = farewell.token }
        return [.ask(.farewell, request)]
    }
}
