import HTTPTypes
import JSON
import Machines

/// One connection to a chat server: opening, signs of life, drops and retries, over a WebSocket or by polling.
///
/// | state | input | → state | status |
/// |---|---|---|---|
/// | closed | connect | awaiting token or opening | connecting |
/// | awaiting token | token | opening, or greeting when polling | |
/// | awaiting token | token refused | closed | closed |
/// | opening | opened, with a token to be shown in a message | open, offered | open |
/// | opening | the same, and the token was only taken when the last connection ended | open, taken | open |
/// | opening | opened, otherwise | open, proven | open |
/// | opening | open refused with 401 or 403, the token was in the header | closed | closed |
/// | opening | open failed, tries left | waiting | |
/// | opening | open failed, none left, may poll | awaiting token or greeting | |
/// | opening | open failed, none left | closed | closed |
/// | waiting | retry time | awaiting token or opening | |
/// | greeting | 2xx | open, proven | open |
/// | greeting | anything else | closed | closed |
/// | open, offered | a message of the client, a ping | open, taken | |
/// | open, offered | a message of the server | open, answered | |
/// | open, answered | a message of the client, a ping | open, proven | |
/// | open, taken | a message of the server | open, proven | |
/// | open | the grace for a token is over | open, proven | |
/// | open, offered or answered | closed, not with 1006 | closed | closed |
/// | open | dropped otherwise | waiting | connecting |
/// | open | dropped otherwise, no tries left, may poll | awaiting token or greeting | connecting |
/// | open | dropped otherwise, no tries left, as the token was never proven | closed | closed |
/// | open | poll answered 401, or too many without an answer | closed | closed |
/// | open | no pong, refresh, upgrade, new settings | closing | closing |
/// | open | disconnect | closing | closing |
/// | any other but closed | disconnect, new settings | closed, or awaiting token or opening again | closing, as below |
/// | closing | closed, or not in time | closed, or awaiting token or opening again | closed (connecting) |
/// | closing | disconnect, new settings | closing, to stay closed or to open again | |
///
/// While it polls there is nothing to wait for: what is closing is closed at once.
struct ConnectionStateMachine: Sendable {
    enum State: Hashable, Sendable {
        case closed, awaitingToken, opening, waiting, greeting
        case open(TokenTrust)
        case closing(reopens: Bool)
    }

    /// What is known of the token of an open connection.
    ///
    /// The vendor's client thinks that a token is good after a while, or once it has sent anything else. What proves
    /// one is defined here: that the connection lasts a while, or a message of the server. Until then the tries are
    /// counted on, so that a server that takes every socket and refuses every token ends them, as the vendor's note on
    /// first messages says.
    enum TokenTrust: Hashable, Sendable {
        /// It was shown: a close says that the server refuses it.
        case offered
        /// The server has sent a message since, so the tries begin anew; a close still says that it refuses the token.
        case answered
        /// The client thinks that it is good: a close is the loss of a connection, and the tries are counted on.
        case taken
        /// There is none, or both.
        case proven

        /// Whether a close other than 1006 says that the server refuses the token.
        var endsWithClose: Bool { self == .offered || self == .answered }
        /// Whether the tries begin anew.
        var isShown: Bool { self == .answered || self == .proven }

        /// After the client has sent something else.
        var sent: Self { self.isShown ? .proven : .taken }
        /// After the server has sent something.
        var received: Self { self.endsWithClose ? .answered : .proven }
    }

    private enum Transport { case socket, polling }

    /// Where to, and how patient; may change while closed or through ``restart(with:)``.
    private(set) var settings: ConnectionSettings

    private(set) var state = State.closed
    private var transport = Transport.socket
    private var token: String?
    private var failures = 0
    private var isAgain = false
    /// After a refresh the tries do not end.
    private var triesForever = false
    /// What was known of the token when the last connection that was open ended.
    private var lastTrust = TokenTrust.proven
    /// Which WebSocket it is, counted from 1.
    private var number: UInt64 = 0
    private var lastExchange: UInt64 = 0
    private var poll: UInt64?
    private var pollFailures = 0
    private var sending: Set<UInt64> = []

    /// Creates a connection that is closed.
    init(_ settings: ConnectionSettings) {
        self.settings = settings
    }

    /// Creates a connection that is closed and uses no number of another one again.
    init(_ settings: ConnectionSettings, after other: ConnectionStateMachine) {
        self.settings = settings
        self.number = other.number
        self.lastExchange = other.lastExchange
    }

    /// What the vendor's clients report.
    var status: ConnectionStatus {
        switch self.state {
        case .closed: .closed
        case .awaitingToken, .opening, .waiting, .greeting: .connecting
        case .open: .open
        case .closing: .closing
        }
    }

    /// Of the WebSocket that is open.
    private var pongDeadline: PongDeadline { PongDeadline(socket: self.number) }

    /// Whether messages go by HTTP requests.
    var isPolling: Bool { self.transport == .polling }

    /// The user and channel of the tokens' claims take the place of the configured ones.
    mutating func adopt(_ address: ChannelAddress) { self.settings.address = address }

    // MARK: What the client asks for

    /// Opens the connection, if it is closed.
    mutating func connect() -> [ConnectionAction] {
        guard self.state == .closed else { return [] }
        self.failures = 0
        self.lastTrust = .proven
        self.isAgain = false
        self.triesForever = false
        self.transport = .socket
        return [.statusChanged(.connecting)] + self.attempt()
    }

    /// Closes the connection and opens it with new settings.
    mutating func restart(with settings: ConnectionSettings) -> [ConnectionAction] {
        self.settings = settings
        self.token = nil
        self.isAgain = false
        switch self.state {
        case .closed: return self.connect()
        case .closing: return self.becomeClosing(reopens: true)
        default: return self.close(reopens: true)
        }
    }

    /// Closes the connection.
    mutating func disconnect() -> [ConnectionAction] {
        switch self.state {
        case .closed: []
        case .closing:
            self.becomeClosing(reopens: false)
        default: self.close(reopens: false)
        }
    }

    /// Sends one message; refused with nil unless the connection is open.
    mutating func send(_ text: String) -> [ConnectionAction]? {
        guard case .open(let trust) = self.state else { return nil }
        // The vendor's client takes any frame after the token as proof that the token was good.
        self.state = .open(trust.sent)
        guard self.transport == .polling else {
            return [.perform(.transmit(.chat(self.number), .text(text)))]
        }
        let exchange = self.nextExchange()
        self.sending.insert(exchange)
        return [.perform(.send(.connection(exchange), self.post(text)))]
    }

    private mutating func becomeClosing(reopens: Bool) -> [ConnectionAction] {
        self.state = .closing(reopens: reopens)
        return []
    }

    private mutating func nextExchange() -> UInt64 {
        self.lastExchange += 1
        return self.lastExchange
    }

    private func post(_ text: String) -> Request {
        var head = self.settings.address.httpRequest(.post, path: "/chat/v1/chats/message", token: self.token)
        head.headerFields[.contentType] = "application/json"
        return Request(head, body: Array(text.utf8))
    }

    // MARK: Opening

    private mutating func attempt() -> [ConnectionAction] {
        if self.settings.needsToken {
            self.state = .awaitingToken
            return [.tokenWanted]
        }
        return self.open()
    }

    /// A token that was asked for is there.
    mutating func tokenArrived(_ token: String) -> [ConnectionAction] {
        guard self.state == .awaitingToken else { return [] }
        self.token = token
        return self.open()
    }

    /// A token that was asked for cannot be had; no socket is opened.
    mutating func tokenRefused(code: String, message: String) -> [ConnectionAction] {
        guard self.state == .awaitingToken else { return [] }
        return self.finish(code: code, message: message)
    }

    private mutating func open() -> [ConnectionAction] {
        guard self.transport == .socket else { return self.greet() }
        self.state = .opening
        self.number += 1
        let token = self.settings.sendsTokenInHeader ? self.token : nil
        return [
            .perform(
                .open(
                    .chat(self.number), self.settings.address.socketRequest(token: token), subprotocols: []))
        ]
    }

    /// A WebSocket is open.
    mutating func socketOpened(_ number: UInt64) -> [ConnectionAction] {
        guard number == self.number, self.state == .opening else { return [] }
        var actions: [ConnectionAction] = []
        var trust = TokenTrust.proven
        if self.settings.needsToken, !self.settings.sendsTokenInHeader, let token = self.token {
            let frame = ClientFrame.authentication(token: token).json.description
            actions.append(.perform(.transmit(.chat(number), .text(frame))))
            // A token that a first message made look good still does on the tries that follow.
            trust = self.lastTrust == .taken && self.failures > 0 ? .taken : .offered
            actions.append(.perform(.setTimer(.connection(.token), ConnectionSettings.tokenGrace)))
        }
        actions.append(self.pongDeadline.opened())
        actions.append(.perform(.setTimer(.connection(.refresh), ConnectionSettings.refreshInterval)))
        return actions + self.becomeOpen(trust)
    }

    private mutating func becomeOpen(_ trust: TokenTrust) -> [ConnectionAction] {
        self.trust(trust)
        self.triesForever = false
        defer { self.isAgain = true }
        return [.statusChanged(.open), .opened(again: self.isAgain)]
    }

    /// A WebSocket could not be opened.
    mutating func socketFailed(_ number: UInt64, _ failure: TransportFailure) -> [ConnectionAction] {
        guard number == self.number, self.state == .opening else { return [] }
        // A handshake refused for its token ends the tries, as a close after the first frame does; defined here.
        if self.settings.sendsTokenInHeader, failure.status == 401 || failure.status == 403 {
            return self.finish(code: TokenRejection.expired.code, message: failure.message)
        }
        return self.retry(after: failure.message)
    }

    private mutating func retry(after reason: String) -> [ConnectionAction] {
        self.failures += 1
        if self.triesForever || self.failures <= self.settings.maximumAttempts {
            self.state = .waiting
            return [.perform(.setTimer(.connection(.retry), self.settings.retryInterval))]
        }
        guard self.settings.canPoll, self.transport == .socket else {
            return self.finish(code: "NetworkFailure", message: reason)
        }
        self.transport = .polling
        return self.attempt()
    }

    private mutating func finish(code: String?, message: String) -> [ConnectionAction] {
        self.state = .closed
        return self.forget() + [.statusChanged(.closed), .ended(code: code, message: message)]
    }

    /// Cancels timers and requests.
    private mutating func forget() -> [ConnectionAction] {
        var actions = ConnectionTimer.allCases.map {
            ConnectionAction.perform(.cancelTimer(.connection($0)))
        }
        if let poll = self.poll { actions.append(.perform(.cancel(.connection(poll)))) }
        self.poll = nil
        self.sending = []
        return actions
    }

    // MARK: Closing

    private mutating func close(reopens: Bool) -> [ConnectionAction] {
        var wasOpen = false
        if case .open(let trust) = self.state { (wasOpen, self.lastTrust) = (true, trust) }
        let wasOpening = self.state == .opening
        self.state = .closing(reopens: reopens)
        var actions = self.forget() + [.statusChanged(.closing)]
        if wasOpen, self.transport == .socket {
            actions.append(.perform(.close(.chat(self.number), code: 1000, reason: "")))
            actions.append(.perform(.setTimer(.connection(.close), ConnectionSettings.closeTimeout)))
            return actions
        }
        if wasOpening { actions.append(.perform(.abort(.chat(self.number)))) }
        return actions + self.closingEnded()
    }

    private mutating func closingEnded() -> [ConnectionAction] {
        guard case .closing(let reopens) = self.state else { return [] }
        guard reopens else {
            return self.finish(code: nil, message: "The client closed the connection.")
        }
        self.state = .closed
        self.transport = .socket
        self.failures = 0
        let actions = self.forget() + [.statusChanged(.closed), .statusChanged(.connecting)]
        return actions + self.attempt()
    }

    /// A WebSocket ended.
    mutating func socketClosed(_ number: UInt64, _ closure: WebSocketClosure) -> [ConnectionAction] {
        guard number == self.number, self.transport == .socket else { return [] }
        switch self.state {
        case .closing: return self.closingEnded()
        case .open(let trust):
            if trust.endsWithClose, closure.code != 1006 {
                return self.finish(
                    code: TokenRejection.expired.code,
                    message: "The server closed the connection (\(closure.code) \(closure.reason)) on seeing the token."
                )
            }
            let reason = "The connection ended (\(closure.code) \(closure.reason))."
            guard self.failures < self.settings.maximumAttempts || self.settings.canPoll else {
                return self.finish(code: "NetworkFailure", message: reason)
            }
            self.lastTrust = trust
            return self.forget() + [.statusChanged(.connecting), .dropped(reason: reason)] + self.retry(after: reason)
        default: return []
        }
    }

    // MARK: Time

    /// A timer of the connection ran out.
    mutating func timerFired(_ timer: ConnectionTimer) -> [ConnectionAction] {
        switch (timer, self.state) {
        case (.retry, .waiting): return self.attempt()
        case (.token, .open):
            self.trust(.proven)
            return []
        case (.ping, .open(let trust)):
            self.state = .open(trust.sent)
            return self.pongDeadline.pingDue()
        case (.pong, .open):
            let reason = "The server answered no ping within \(PongDeadline.limit.components.seconds) seconds."
            return [.dropped(reason: reason)] + self.close(reopens: true)
        case (.refresh, .open), (.upgrade, .open):
            self.triesForever = timer == .refresh
            return self.close(reopens: true)
        case (.poll, .open): return self.pollAgain()
        case (.close, .closing): return [.perform(.abort(.chat(self.number)))] + self.closingEnded()
        default: return []
        }
    }

    /// Is open, with what is now known of the token.
    private mutating func trust(_ trust: TokenTrust) {
        self.state = .open(trust)
        if trust.isShown { self.failures = 0 }
    }

    // MARK: Messages

    /// A WebSocket message arrived.
    mutating func messageReceived(_ number: UInt64, _ message: WebSocketMessage) -> [ConnectionAction] {
        guard number == self.number, case .open(let trust) = self.state else { return [] }
        guard case .text(let text) = message else {
            return [.ignored(reason: "it is a binary frame, and messages are texts", raw: .null)]
        }
        self.trust(trust.received)
        let value = try? JSONReader.read(text)
        return self.pongDeadline.received(value) ?? [.received(text, value)]
    }
}

// MARK: - Polling

extension ConnectionStateMachine {
    private mutating func greet() -> [ConnectionAction] {
        self.state = .greeting
        let exchange = self.nextExchange()
        self.poll = exchange
        return [.perform(.send(.connection(exchange), self.post(ClientFrame.ping.json.description)))]
    }

    private mutating func pollAgain() -> [ConnectionAction] {
        let exchange = self.nextExchange()
        self.poll = exchange
        let head = self.settings.address.httpRequest(
            .get, path: "/chat/v1/chats/message", token: self.token)
        return [.perform(.send(.connection(exchange), Request(head)))]
    }

    /// A server that fails at once is left alone for a while.
    private static let pollLater = ConnectionAction.perform(.setTimer(.connection(.poll), .seconds(1)))

    /// What a poll brought is taken in before the next one goes out, for it may end the session.
    private static let pollThen = ConnectionAction.perform(.setTimer(.connection(.poll), .zero))

    /// A request was answered.
    mutating func responded(_ exchange: UInt64, _ response: Response) -> [ConnectionAction] {
        let isSuccess = response.head.status.kind == .successful
        let text = String(decoding: response.body, as: UTF8.self)
        if self.sending.remove(exchange) != nil {
            return isSuccess ? [] : [.sendFailed(message: text)]
        }
        guard exchange == self.poll else { return [] }
        self.poll = nil
        if self.state == .greeting {
            guard isSuccess else { return self.finish(code: "NetworkFailure", message: text) }
            self.pollFailures = 0
            let upgrade = ConnectionAction.perform(
                .setTimer(.connection(.upgrade), self.settings.upgradeInterval))
            return [upgrade] + self.becomeOpen(.proven) + self.pollAgain()
        }
        self.pollFailures = 0
        // A new token has been tried already, so this one will not be taken either.
        if response.head.status == .unauthorized {
            return self.finish(code: TokenRejection.expired.code, message: text)
        }
        guard isSuccess else {
            // The vendor's client asks again at once; a server that fails at once would then never be left alone.
            return [.pollLost(reason: "The server answered with \(response.head.status.code)."), Self.pollLater]
        }
        // A proxy may make 200 of a 204; nothing is said in either.
        guard response.head.status == .ok, !response.body.isEmpty else { return self.pollAgain() }
        // The body is a list of texts, each of which is JSON again.
        guard let list = (try? JSONReader.read(response.body))?.array else {
            return [.ignored(reason: "the answer to a poll is no list in JSON", raw: .string(text)), Self.pollLater]
        }
        let messages = list.map { element -> ConnectionAction in
            guard let text = element.string else {
                return .ignored(reason: "a poll brought it, and not as a text", raw: element)
            }
            return .received(text, try? JSONReader.read(text))
        }
        return [Self.pollThen] + messages
    }

    /// A request got no answer.
    mutating func exchangeFailed(_ exchange: UInt64, _ failure: TransportFailure)
        -> [ConnectionAction]
    {
        if self.sending.remove(exchange) != nil { return [.sendFailed(message: failure.message)] }
        guard exchange == self.poll else { return [] }
        self.poll = nil
        if self.state == .greeting { return self.finish(code: "NetworkFailure", message: failure.message) }
        self.pollFailures += 1
        guard self.pollFailures >= ConnectionSettings.pollFailureLimit else {
            return [.pollLost(reason: failure.message)] + self.pollAgain()
        }
        return self.finish(code: "NetworkFailure", message: failure.message)
    }
}
