import JSON
import Machines

/// The way to the chat server: the connection, the tokens it needs, and whether the device has a network at all.
///
/// How a connection opens, drops and tries again is said at ``ConnectionStateMachine``. Around it:
///
/// | device | input | → device | actions |
/// |---|---|---|---|
/// | online | `connectAsked`, closed | online | opens the connection, with a made-up user where none is known |
/// | online | `connectAsked`, open, without tokens | online | `connected` once more |
/// | online | `connectAsked`, open, with tokens | online | opens it anew, for a token may have changed |
/// | online | `connectAsked`, closing | online, reconnects | |
/// | offline | `connectAsked` | offline | `error` |
/// | any | `channelGiven`, closed or the same channel | unchanged | connects |
/// | any | `channelGiven`, another one | unchanged | opens the connection anew |
/// | online | `wentOffline` | offline | closes the connection |
/// | offline | `wentOnline` | online | connects, if the client is ready |
/// | reconnects | the connection is closed, by whichever input | does not reconnect | connects |
/// | reconnects | `disconnectAsked`, `destroyed` | does not reconnect | closes the connection, unless destroyed |
struct ConnectionPart: Sendable {
    /// What happens to the connection.
    enum Input: Sendable {
        case connectAsked
        /// Connect with other options; everything else stays as it is.
        case channelGiven(JSONObject)
        case disconnectAsked
        /// The server has ended the session.
        case sessionClosed
        case wentOffline
        case wentOnline(isReady: Bool)
        case destroyed
        case tokenReturned(Result<JSONValue, ScriptCallFailure>)
        /// A request waits for a token; the last one is forgotten first if the server has refused it.
        case tokenNeeded(forgetting: Bool)
        /// The function that was asked for a token will not come back.
        case tokenCallDropped
        case written(JSONObject)
        case opened(UInt64)
        case openFailed(UInt64, TransportFailure)
        case received(UInt64, WebSocketMessage)
        case closed(UInt64, WebSocketClosure)
        case answered(UInt64, Result<Response, TransportFailure>)
        case timerFired(ConnectionTimer)
    }

    private let configuration: ClientConfiguration
    private let settings: ClientSettings
    private var machine: ConnectionStateMachine
    private var tokens: TokenCache
    /// The conversation; the user is empty until one is known.
    private(set) var address: ChannelAddress
    /// Whether the device has a network.
    private(set) var isOnline = true
    /// Whether the connection is to be opened again once it is closed.
    private(set) var reconnects = false
    /// Whether a function of the script has been asked for a token.
    private var isAskingForToken = false

    /// Creates a connection that is closed.
    init(_ configuration: ClientConfiguration, _ settings: ClientSettings) {
        self.configuration = configuration
        self.settings = settings
        self.address = settings.address
        self.machine = ConnectionStateMachine(ConnectionSettings(settings, address: settings.address))
        self.tokens = TokenCache(settings.tokenSource)
    }

    /// What the vendor's clients report.
    var status: ConnectionStatus { self.machine.status }

    /// Whether messages go by HTTP requests.
    var isPolling: Bool { self.machine.isPolling }

    /// The token that was used last.
    var token: String? { self.tokens.current }

    /// The token, if it is good at an instant.
    func token(at now: Instant) -> String? {
        self.tokens.usable(at: Double(self.epochMilliseconds(at: now)) / 1000)
    }

    /// Returns the wall-clock time in milliseconds since 1970 UTC.
    func epochMilliseconds(at now: Instant) -> Int64 {
        now.onWallClock(startingAt: self.configuration.epochMilliseconds)
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input, at now: Instant, random: inout RandomSource) -> [ClientAction] {
        switch input {
        case .connectAsked: return self.connect(at: now, &random)
        case .channelGiven(let options): return self.connect(with: options, at: now)
        case .disconnectAsked:
            self.reconnects = false
            return self.translate(self.machine.disconnect(), at: now)
        case .sessionClosed: return self.translate(self.machine.disconnect(), at: now)
        case .wentOffline:
            self.isOnline = false
            return self.translate(self.machine.disconnect(), at: now)
        case .wentOnline(let isReady):
            self.isOnline = true
            return isReady ? [.connect] : []
        case .destroyed:
            self.reconnects = false
            return []
        case .tokenReturned(.success(let value)):
            self.isAskingForToken = false
            return self.tokenArrived(value.string ?? "", at: now)
        case .tokenReturned(.failure):
            self.isAskingForToken = false
            return self.tokenRefused(.absent, at: now)
        case .tokenNeeded(let forgetting):
            if forgetting { self.tokens.forget() }
            return self.provideToken(at: now)
        case .tokenCallDropped:
            self.isAskingForToken = false
            return []
        case .written(let members): return self.translate(self.write(members) ?? [], at: now)
        case .opened(let number): return self.translate(self.machine.socketOpened(number), at: now)
        case .openFailed(let number, let failure):
            return self.translate(self.machine.socketFailed(number, failure), at: now)
        case .received(let number, let message):
            return self.translate(self.machine.messageReceived(number, message), at: now)
        case .closed(let number, let closure):
            return self.translate(self.machine.socketClosed(number, closure), at: now)
        case .answered(let number, .success(let response)):
            return self.translate(self.machine.responded(number, response), at: now)
        case .answered(let number, .failure(let failure)):
            return self.translate(self.machine.exchangeFailed(number, failure), at: now)
        case .timerFired(let timer): return self.translate(self.machine.timerFired(timer), at: now)
        }
    }

    /// Ends the connection without telling anybody but the server.
    ///
    /// - Parameter closesSession: Whether the server's session is closed too.
    mutating func tearDown(closesSession: Bool) -> [OracleEffect] {
        let farewell: JSONObject = [
            "messagePayload": ["type": "closeSession"], "userId": .string(self.address.userID),
        ]
        let actions = closesSession ? self.write(farewell) ?? [] : []
        return (actions + self.machine.disconnect()).compactMap { action in
            if case .perform(let effect) = action { effect } else { nil }
        }
    }

    private mutating func write(_ members: JSONObject) -> [ConnectionAction]? {
        self.machine.send(JSONValue.object(members).description)
    }

    // MARK: Opening

    private mutating func connect(at now: Instant, _ random: inout RandomSource) -> [ClientAction] {
        guard self.isOnline else { return [.fail("NetworkOffline", "The device is offline; call go_online first.")] }
        switch self.machine.status {
        case .closing:
            self.reconnects = true
            return []
        case .open where self.settings.flag("clientAuthEnabled"):
            // A token may have changed, so the vendor's client opens an authenticated connection anew.
            return self.translate(self.machine.restart(with: self.machine.settings), at: now)
        case .open:
            // As the vendor's promise of a connection does, a connection that is there is reported at once.
            return [.emit(.connected, ["user_id": .string(self.address.userID), "already": true])]
        case .connecting, .closed:
            if self.address.userID.isEmpty, !self.settings.flag("clientAuthEnabled") {
                let digits = (0..<5).map { _ in "\(Int.random(in: 0...9, using: &random))" }.joined()
                self.address.userID = "user-\(self.epochMilliseconds(at: now))-\(digits)"
                self.machine.adopt(self.address)
            }
            return self.translate(self.machine.connect(), at: now)
        }
    }

    /// Connects with another channel, user or server.
    private mutating func connect(with options: JSONObject, at now: Instant) -> [ClientAction] {
        var merged = self.configuration.options.merging(options)
        // A new channel without a token is one that demands none.
        if options["channel_id"] != nil, options["token"] == nil, options["auth_token"] == nil {
            for name in ["token", "auth_token", "token_provider", "token_fixture", "client_auth_enabled"] {
                merged[name] = options[name]
            }
        }
        let configuration = ClientConfiguration(
            origin: self.configuration.origin, target: self.configuration.target, options: merged,
            epochMilliseconds: self.configuration.epochMilliseconds)
        let settings: ClientSettings
        do throws(ConfigurationError) { settings = try ClientSettings(configuration) } catch {
            return [.answer(.refused(error.message))]
        }
        var address = settings.address
        if address.userID.isEmpty { address.userID = self.address.userID }
        self.address = address
        self.tokens = TokenCache(settings.tokenSource)
        let new = ConnectionSettings(settings, address: address)
        let isSame = new == self.machine.settings && !new.needsToken
        guard isSame || self.machine.status == .closed else {
            return self.translate(self.machine.restart(with: new), at: now)
        }
        if !isSame { self.machine = ConnectionStateMachine(new, after: self.machine) }
        return [.connect]
    }

    // MARK: What the connection asks for

    private mutating func translate(_ actions: [ConnectionAction], at now: Instant) -> [ClientAction] {
        actions.flatMap { self.translate($0, at: now) }
    }

    private mutating func translate(_ action: ConnectionAction, at now: Instant) -> [ClientAction] {
        switch action {
        case .perform(let effect): return [.perform(effect)]
        case .statusChanged(let status):
            let fields: JSONObject = [
                "status": .string(status.rawValue), "code": .integer(status.code),
                "label": .string(self.settings.words(status.stringKey)),
            ]
            return [.emit(.linkChanged, fields)]
        case .tokenWanted: return self.provideToken(at: now)
        case .opened(let again):
            let fields: JSONObject = ["user_id": .string(self.address.userID), "polling": .bool(self.isPolling)]
            return [.emit(again ? .reconnected : .connected, fields), .sendFirstMessages]
        case .dropped(let reason): return [.emit(.reconnecting, ["reason": .string(reason)])]
        case .ended(let code, let message):
            if code == TokenRejection.expired.code { self.tokens.forget() }
            defer { self.reconnects = false }
            let closed: [ClientAction] = [.stopRecording, .connectionClosed(code: code, message: message)]
            return closed + (self.reconnects ? [.connect] : [])
        case .received(let text, let value): return [.receive(text, value)]
        case .ignored(let reason, let raw): return [ReceivedMessage.ignored(reason, raw: raw)]
        case .pollLost(let reason): return [.emit(.pollLost, ["reason": .string(reason)])]
        case .sendFailed(let message): return [.fail("NetworkFailure", message)]
        }
    }

    // MARK: Tokens

    private mutating func provideToken(at now: Instant) -> [ClientAction] {
        let seconds = Double(self.epochMilliseconds(at: now)) / 1000
        if let token = self.tokens.usable(at: seconds) { return self.tokenArrived(token, at: now) }
        switch self.tokens.source {
        case .none: return self.tokenRefused(.absent, at: now)
        case .fixed(let token): return self.tokenArrived(token, at: now)
        case .provider(let function):
            guard !self.isAskingForToken else { return [] }
            self.isAskingForToken = true
            return [.call(.token, function, [])]
        case .fixture(let secret, let claims, let lifetime):
            var claims = claims
            let issued = seconds.rounded(.down)
            claims["iat"] = claims["iat"] ?? .integer(Int64(issued))
            claims["exp"] = claims["exp"] ?? .integer(Int64((issued + lifetime).rounded()))
            claims["channelId"] = claims["channelId"] ?? .string(self.settings.address.channelID)
            claims["userId"] = claims["userId"] ?? .string(self.settings.address.userID)
            return self.tokenArrived(ChannelToken(claims: claims, secret: secret).text, at: now)
        }
    }

    /// Checks a token as the vendor's clients do, and opens the connection with it.
    private mutating func tokenArrived(_ text: String, at now: Instant) -> [ClientAction] {
        do throws(TokenRejection) {
            guard !text.isEmpty else { throw .absent }
            let claims = try ChannelClaims(ChannelToken(reading: text).claims)
            try claims.requireLife(at: Double(self.epochMilliseconds(at: now)) / 1000)
            self.tokens.keep(text, expiresAt: claims.expiresAt)
            self.address.channelID = claims.channelID
            self.address.userID = claims.userID
            self.machine.adopt(self.address)
            return self.translate(self.machine.tokenArrived(text), at: now) + [.tokenCame(text)]
        } catch {
            return self.tokenRefused(error, at: now)
        }
    }

    /// Ends the try to connect for want of a token.
    private mutating func tokenRefused(_ refusal: TokenRejection, at now: Instant) -> [ClientAction] {
        self.tokens.forget()
        return self.translate(self.machine.tokenRefused(code: refusal.code, message: refusal.message), at: now)
            + [.tokenCame(nil)]
    }
}
