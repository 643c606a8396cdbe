import HTTPTypes
import JSON
import Machines

/// Short codes, session, call, and the way to the topic WebSocket.
extension ConsumerClient {
    // MARK: Short codes

    /// Asks for a short code.
    ///
    /// - Parameter session: The correlation id of a session to bind it to.
    mutating func createCode(for session: String?, in step: inout Step) {
        var path = "/assistserver/shortcode/create"
        var query: [(String, String)] = []
        if !self.configuration.auditName.isEmpty { query.append(("auditName", self.configuration.auditName)) }
        // How a known session is bound to a new code is not published; the parameter is defined here.
        if let session { query.append(("cid", session)) }
        if !query.isEmpty { path += "?" + FormEncoding.encode(query) }
        self.ask(.createCode, Request(self.origin.request(.put, path)), in: &step)
        step.ask(.setTimer(.codeLimit, Self.codeTimeout))
    }

    /// Asks for the token and the session of a short code.
    mutating func redeemCode(_ code: String, in step: inout Step) {
        var query = [("appkey", code)]
        if !self.configuration.auditName.isEmpty { query.append(("auditName", self.configuration.auditName)) }
        let path = "/assistserver/shortcode/consumer?" + FormEncoding.encode(query)
        self.ask(.redeemCode(code), Request(self.origin.request(.get, path)), in: &step)
        step.ask(.setTimer(.codeLimit, Self.codeTimeout))
    }

    /// Tells the script what a short code is or stands for.
    mutating func codeAnswered(_ errand: ConsumerErrand, _ response: Response, in step: inout Step) {
        step.ask(.cancelTimer(.codeLimit))
        let value = try? JSONReader.read(response.body, depth: 16)
        guard response.head.status.kind == .successful, let value else {
            let status = response.head.status.code
            return self.emit(
                .assistSessionCreationFailure, "the server refused the short code with \(status)", in: &step)
        }
        var fields: JSONObject = [:]
        if case .redeemCode(let code) = errand {
            fields = [
                "code": .string(code), "session_token": value["session-token"] ?? "",
                "correlation_id": value["cid"] ?? "",
            ]
        } else {
            fields["code"] = value["shortCode"] ?? ""
        }
        self.emit(.shortCode, "", fields, raw: value, in: &step)
    }

    /// Gives up a request for a short code.
    mutating func codeTimedOut(in step: inout Step) {
        self.cancelAll(
            where: { errand in
                switch errand {
                case .createCode, .redeemCode: true
                default: false
                }
            }, in: &step)
        self.emit(.assistTransportFailure, "the server did not answer for the short code within 4 s", in: &step)
    }

    // MARK: Session

    /// Starts support in one of the three ways that the configuration implies.
    ///
    /// - Parameter options: What differs from the options of the actor.
    mutating func startSupport(_ options: JSONObject?, in step: inout Step) -> CommandOutcome {
        guard !self.state.isActive else {
            self.emit(.assistSessionInProgress, "support is started already; end it first", in: &step)
            return .done(.null)
        }
        let configuration: SupportConfiguration
        let origin: Origin
        do {
            configuration = try SupportConfiguration(self.base.merging(options ?? [:]))
            origin = try Origin(self.clientConfiguration, server: configuration.server)
        } catch { return .refused(error.message) }
        let isEscalation = !configuration.sessionToken.isEmpty && !configuration.correlationID.isEmpty
        if isEscalation, !configuration.destination.isEmpty {
            return .refused("destination must be empty when an existing call is escalated; the call knows it")
        }
        guard isEscalation || !configuration.destination.isEmpty || !configuration.correlationID.isEmpty else {
            return .refused(
                "start_support needs a destination, a correlationId, or both sessionToken and correlationId")
        }
        self.reset(to: configuration, origin: origin)
        if isEscalation {
            self.cid = configuration.correlationID
            self.token = configuration.sessionToken
            self.connect(in: &step)
            return .done(.null)
        }
        self.state = .creatingSession
        var pairs = [("type", "create"), ("targetServer", origin.base64), ("originServer", origin.base64)]
        if !configuration.correlationID.isEmpty { pairs.append(("username", configuration.correlationID)) }
        if !configuration.uui.isEmpty, configuration.sessionToken.isEmpty {
            pairs.append(("uui", Hexadecimal.encode(configuration.uui)))
        }
        if !configuration.auditName.isEmpty { pairs.append(("auditName", configuration.auditName)) }
        self.ask(.session, origin.form(.post, "/assistserver/consumer", pairs), in: &step)
        if configuration.timeout > .zero { step.ask(.setTimer(.sessionLimit, configuration.timeout)) }
        return .done(.null)
    }

    private mutating func reset(to configuration: SupportConfiguration, origin: Origin) {
        self.configuration = configuration
        self.origin = origin
        self.link = TopicLink(
            rules: .iOS, intervals: configuration.retryIntervals, limits: configuration.reconnectTimeouts,
            after: self.link.number)
        self.directory = TopicDirectory()
        self.agents = [:]
        self.lastAsked = nil
        self.approvedNames = []
        self.hasAcceptedPrompt = false
        self.hasOpenedScreen = false
        self.isPaused = false
        self.hasSnapshot = false
        self.isZooming = false
        self.annotations = []
        self.documents = []
        self.formElements = []
        self.hasCall = false
    }

    /// Goes on with the session that the server has made.
    mutating func sessionAnswered(_ response: Response, in step: inout Step) {
        step.ask(.cancelTimer(.sessionLimit))
        guard self.state == .creatingSession else { return }
        let status = response.head.status.code
        guard status == 200, let value = try? JSONReader.read(response.body, depth: 16),
            let cid = value["address"]?.string, let token = value["token"]?.string, !cid.isEmpty,
            token.isVisibleASCII
        else {
            self.state = .idle
            return self.emit(
                .assistSessionCreationFailure, "the server refused to make a session with \(status)", in: &step)
        }
        self.cid = cid
        self.token = token
        self.emit(
            .sessionCreated, "", ["correlation_id": .string(cid), "session_token": .string(token)], raw: value,
            in: &step)
        // With a correlation id of its own the application wants co-browsing only; there is no call then.
        let isCobrowseOnly = self.configuration.destination.isEmpty
        if isCobrowseOnly { self.connect(in: &step) } else { self.placeCall(in: &step) }
    }

    /// Gives up the request for a session.
    mutating func sessionTimedOut(in step: inout Step) {
        guard self.state == .creatingSession else { return }
        self.cancelAll(where: { $0 == .session }, in: &step)
        self.state = .idle
        self.emit(.assistTransportFailure, "the server did not answer within the timeout", in: &step)
    }

    // MARK: Call

    /// Places the call; signalling is not published, so it is a WebSocket of our own with one JSON text per state.
    private mutating func placeCall(in step: inout Step) {
        self.state = .calling
        let connection = self.nextCallConnection()
        self.callConnection = connection
        let query = [
            ("sessionId", self.token), ("cid", self.cid), ("destination", self.configuration.destination),
            ("video", self.configuration.videoMode),
        ]
        step.ask(.open(connection, self.origin.webSocket("/gateway/call", query, cookies: nil), subprotocols: []))
    }

    /// Takes a state of the call.
    mutating func callSaid(_ message: WebSocketMessage, in step: inout Step) {
        guard let value = try? JSONReader.read(message.bytes, depth: 8), let word = value["status"]?.string,
            let status = CallStatus(rawValue: word)
        else { return }
        self.emit(.call, "", ["status": .string(status.rawValue)], raw: value, in: &step)
        switch status {
        case .setup, .alerting, .ringing, .mediaPending, .queued: break
        case .inCall:
            self.hasCall = true
            if self.state == .calling { self.connect(in: &step) }
        case .ended: self.callEnded("the agent ended the call", in: &step)
        case .busy: self.callFailed(.calleeBusy, "the destination is busy", in: &step)
        case .notFound: self.callFailed(.calleeNotFound, "there is no such destination", in: &step)
        case .timedOut: self.callFailed(.callTimeout, "nobody answered the call in time", in: &step)
        case .error: self.callFailed(.callFailed, "the call failed", in: &step)
        }
    }

    /// Ends a start whose call came to nothing.
    mutating func callFailed(_ error: ErrorCode, _ reason: String, in step: inout Step) {
        self.endCall(in: &step)
        guard self.state == .calling else { return }
        self.state = .idle
        self.emit(error, reason, in: &step)
    }

    /// Closes the connection of the call.
    mutating func endCall(in step: inout Step) {
        guard let connection = self.callConnection else { return }
        self.callConnection = nil
        step.ask(.close(connection, code: 1000, reason: ""))
    }

    /// Ends support with its call.
    mutating func callEnded(_ reason: String, in step: inout Step) {
        self.endCall(in: &step)
        if self.state == .calling { return self.callFailed(.callFailed, reason, in: &step) }
        guard self.hasCall, self.state.isActive else { return }
        self.finish(.assistSupportEnded, reason, closing: .supportEnded, in: &step)
    }

    // MARK: Topic WebSocket

    /// Opens the topic WebSocket of the session.
    mutating func connect(in step: inout Step) {
        self.state = .connecting
        let query = [("appkey", self.cid), ("topic", self.cid), ("sessionId", self.token)]
        var cookies: String?
        if self.configuration.usesCookies, !self.cookies.isEmpty {
            cookies = self.cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
        }
        let limit = self.configuration.initialTimeout
        let request = self.origin.webSocket("/assistserver/topic", query, cookies: cookies)
        let actions = self.link.handle(.connectWanted(request, limit: limit > .zero ? limit : nil))
        self.perform(actions, in: &step)
    }

    /// Takes what happened to the topic WebSocket.
    mutating func linkReported(_ news: LinkNews, in step: inout Step) {
        let isSet = self.configuration.hasConnectionDelegate
        switch news {
        case .connected(let isFirst):
            self.state = .inSession
            self.emit(.connected, "onConnect()", ["first": .bool(isFirst)], isSet: isSet, in: &step)
            if isFirst { self.openScreenTopic(in: &step) }
            self.perform(self.link.handle(.pingWanted), in: &step)
        case .failedFirst(let reason):
            self.endCall(in: &step)
            self.state = .idle
            self.emit(.assistTransportFailure, reason, in: &step)
        case .disconnected(let reason):
            self.emit(
                .disconnected, "onDisconnect(_:reason:)", Self.reason(.assistTransportFailure, reason), isSet: isSet,
                in: &step)
        case .willRetry(let delay, let attempt, let count):
            self.emit(
                .reconnecting, "willRetry(inSeconds:attempt:of:connector:)",
                [
                    "in": .double(Double(delay.clampedNanoseconds) / 1e9), "attempt": .integer(Int64(attempt)),
                    "of": .integer(Int64(count)),
                ], isSet: isSet, in: &step)
        case .exhausted(let reason): self.terminated(.assistTransportFailure, reason, in: &step)
        case .frame(let frame): self.take(frame, in: &step)
        }
    }

    /// The fields that say why a connection ended.
    static func reason(_ error: ErrorCode, _ text: String) -> JSONObject {
        ["code": .integer(Int64(error.rawValue)), "reason": .string(text)]
    }

    /// The connection is gone for good.
    mutating func terminated(_ error: ErrorCode, _ reason: String, in step: inout Step) {
        self.state = .ended
        self.endCall(in: &step)
        step.ask(.cancelTimer(.screen))
        self.emit(
            .terminated, "onTerminated(_:)", Self.reason(error, reason),
            isSet: self.configuration.hasConnectionDelegate,
            in: &step)
        self.setActive(false, in: &step)
        self.agents = [:]
    }

    // MARK: Ending

    /// Ends support for the reason that the application or the call gave.
    mutating func finish(
        _ error: ErrorCode, _ reason: String, closing initiator: WireInitiator, in step: inout Step
    ) {
        let hadCall = self.hasCall
        self.leaveSession(closing: initiator, in: &step)
        self.state = .ended
        step.ask(.cancelTimer(.screen))
        step.ask(.cancelTimer(.sessionLimit))
        self.setActive(false, in: &step)
        self.agents = [:]
        self.emit(
            .terminated, "onTerminated(_:)", Self.reason(error, reason),
            isSet: self.configuration.hasConnectionDelegate,
            in: &step)
        // Only a call that was made can end; co-browsing alone never raises this.
        if hadCall { self.emit(.supportEnded, "supportCallDidEnd()", in: &step) }
    }

    /// Says goodbye on the wire.
    mutating func leaveSession(
        closing initiator: WireInitiator, isSilent: Bool = false, in step: inout Step
    ) {
        for document in self.documents where document.state == .open {
            if let topic = document.topic { self.say(.windowClosed(initiator), on: topic, in: &step) }
            if !isSilent { self.emitClosed(document, by: initiator, in: &step) }
        }
        self.documents = []
        self.tell(["type": "consumerEndedSupport"], in: &step)
        self.send(TopicFrame(.leaveTopic, topic: 0, participant: self.directory.ownID), in: &step)
        let wasOpen = self.link.isOpen
        self.closeLink(in: &step)
        self.endCall(in: &step)
        self.hasCall = false
        self.cancelAll(where: { $0 != .farewell }, in: &step)
        guard !self.token.isEmpty else { return }
        // Over another connection the request could overtake what was said last, so it waits for the end of this one.
        self.farewell = (.topics(self.link.number), self.token)
        if !wasOpen { self.endSession(in: &step) }
    }

    /// Ends the session on the server.
    mutating func endSession(in step: inout Step) {
        guard let farewell else { return }
        self.farewell = nil
        var request = Request(self.origin.request(.delete, "/assistserver/consumer"))
        if let name = HTTPField.Name("X-Token") { request.head.headerFields[name] = farewell.token }
        self.ask(.farewell, request, in: &step)
    }
}
