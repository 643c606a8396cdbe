import HTTPTypes
import JSON
import Machines

/// A chat server of an Oracle channel with a scripted skill behind it.
///
/// Where the vendor published nothing, this is defined here: unknown and disabled channels are refused at the handshake
/// (404, 403); a bad token closes with 1008 and the reason `AuthFailed`; pings are answered before the token too;
/// messages are numbered by UUIDs and stamped in ISO 8601; the last message of a turn says so, earlier ones do not;
/// frames that mean nothing are ignored, or answered with an error by a strict server; clients of one user all hear the
/// skill, but not each other; typing is not echoed; an expired session is followed by another one without a word; long
/// polls are held for 25 s and then answered with 204; errors of HTTP requests are `{"error":"…"}`; there is no limit of
/// messages a second unless a fault sets one. ``ServerFaults`` has the other choices.
struct OracleServer: ServerMachine {
    /// Its timers.
    enum Timer: MachineTimer {
        /// The next message to a user is due.
        case deliver(String)
        /// A user's long poll has been held long enough.
        case poll(String)
        /// The recognition of speech on a connection has had its time to think.
        case hear(ConnectionID)

        var description: String {
            switch self {
            case .deliver(let userID): "deliver." + userID
            case .poll(let userID): "poll." + userID
            case .hear(let connection): "hear.\(connection.number)"
            }
        }
    }

    /// What is known about a connection.
    struct Connection: Sendable {
        let userID: String
        var isAuthenticated: Bool
        /// Whether it belongs to the speech recognition.
        let isSpeech: Bool
        var locale = ""
        /// The bytes of sound that came.
        var sound = 0
    }

    /// What the server was made from.
    let configuration: ServerConfiguration
    /// The channel that it offers.
    var channel: ServerChannel
    /// What answers the users.
    var skill: Skill
    /// How it misbehaves.
    var faults = ServerFaults()
    /// The open WebSockets.
    var connections: [ConnectionID: Connection] = [:]
    /// The users.
    var conversations: [String: ServerConversation] = [:]
    /// The users of the long polls that are held.
    var polls: [ExchangeID: String] = [:]
    /// The files that users have sent.
    var files = ServerFiles()
    /// What recordings say.
    var hearing = ServerHearing()
    /// The agents who are known.
    var agents: [String] = []
    /// The users for whom the skill's function has not come back.
    var calls: [ScriptCallID: String] = [:]
    /// The words by which a user sends an agent away.
    let exitKeywords: Set<String>
    private var lastCall: UInt64 = 0

    /// At most this many users are known, and as many connections taken.
    static let userLimit = 100_000

    /// How long a long poll is held; defined here.
    static let pollHold = Duration.seconds(25)

    /// Creates a server without clients.
    init(_ configuration: ServerConfiguration) throws(ConfigurationError) {
        self.configuration = configuration
        self.channel = try ServerChannel(configuration.options)
        self.skill = try Skill(configuration.options)
        let keywords = configuration.options["exit_keywords"]?.array?.compactMap { $0.string?.lowercased() }
        self.exitKeywords = Set(keywords ?? [])
        self.agents = configuration.options["agents"]?.array?.compactMap(\.string) ?? []
        for (name, value) in configuration.options["faults"]?.object ?? [:] {
            if let problem = self.faults.set(name, value) { throw ConfigurationError(problem) }
        }
        self.hearing = ServerHearing(configuration.options["speech"])
    }

    var properties: JSONObject {
        [
            "channel_id": .string(self.channel.id), "secret": .string(self.channel.secret),
            "client_auth_enabled": .bool(self.channel.demandsToken),
            "connections": .integer(Int64(self.connections.count)),
            "users": .array(self.conversations.keys.sorted().map { .string($0) }),
        ]
    }

    /// Returns the wall-clock time in milliseconds since 1970 UTC.
    func epochMilliseconds(at now: Instant) -> Int64 {
        self.configuration.epochMilliseconds.addingReportingOverflow(now.nanoseconds / 1_000_000).partialValue
    }

    /// Returns the number of the next call of a function of the script, made for a user.
    mutating func nextCall(for userID: String) -> ScriptCallID {
        self.lastCall += 1
        let call = ScriptCallID(self.lastCall)
        self.calls[call] = userID
        return call
    }

    mutating func handle(_ input: Input, in step: inout Step) {
        switch input {
        case .upgradeRequested(let connection, let request): self.upgrade(connection, request, in: &step)
        case .received(let connection, let message): self.received(connection, message, in: &step)
        case .closed(let connection, _): self.forget(connection)
        case .requested(let exchange, let request): self.answer(exchange, request, in: &step)
        case .requestAbandoned(let exchange):
            if let userID = self.polls.removeValue(forKey: exchange) { self.conversations[userID]?.poll = nil }
        case .timerFired(let timer): self.timerFired(timer, in: &step)
        case .scriptReturned(let call, let result): self.skillReturned(call, result, in: &step)
        case .linkOpened: break
        }
    }

    private mutating func timerFired(_ timer: Timer, in step: inout Step) {
        switch timer {
        case .deliver(let userID): self.deliverNext(to: userID, in: &step)
        case .poll(let userID):
            guard let exchange = self.conversations[userID]?.poll else { return }
            self.conversations[userID]?.poll = nil
            self.polls[exchange] = nil
            step.ask(.respond(exchange, Response(HTTPResponse(status: .noContent))))
        case .hear(let connection): self.hearNext(connection, in: &step)
        }
    }

    // MARK: Connections

    private mutating func upgrade(_ connection: ConnectionID, _ request: Request, in step: inout Step) {
        let status = self.faults.number(.refuseSocket) ?? (self.connections.count < Self.userLimit ? nil : 503)
        if let status {
            step.ask(.refuse(connection, Response(text: "The server refuses.\n", status: .init(code: status))))
            return
        }
        let asked = ChannelRequest(request.head)
        let segments = asked.path.split(separator: "/")
        if segments.starts(with: ["voice", "stream", "recognize"]), segments.count == 5 {
            self.acceptSpeech(connection, asked, locale: String(segments[3]), in: &step)
            return
        }
        guard segments.count == 5, segments.starts(with: ["chat", "v1", "chats", "sockets"]),
            ChannelAddress.segments.contains(String(segments[4]))
        else {
            step.ask(.refuse(connection, Response(text: "Nothing is here.\n", status: .notFound)))
            return
        }
        guard asked.channelID == self.channel.id, self.channel.isEnabled, !asked.userID.isEmpty else {
            if self.faults[.lateRefusal] {
                step.ask(.accept(connection, subprotocol: nil))
                step.ask(.close(connection, code: 1008, reason: "UnknownChannel"))
                return
            }
            let isDisabled = asked.channelID == self.channel.id && !asked.userID.isEmpty
            let text = isDisabled ? "The channel is disabled.\n" : "The channel or the user is unknown.\n"
            step.ask(.refuse(connection, Response(text: text, status: isDisabled ? .forbidden : .notFound)))
            return
        }
        var isAuthenticated = !self.channel.demandsToken
        if self.channel.demandsToken, let token = asked.bearer {
            guard self.refusal(of: token, asked, at: step.now) == nil else {
                step.ask(.refuse(connection, Response(text: "AuthFailed\n", status: .unauthorized)))
                return
            }
            isAuthenticated = true
        }
        step.ask(.accept(connection, subprotocol: nil))
        self.connections[connection] = Connection(
            userID: asked.userID, isAuthenticated: isAuthenticated, isSpeech: false)
        if isAuthenticated { self.join(connection, asked.userID, at: step.now) }
    }

    /// Returns why a token is not taken, or nil if it is.
    func refusal(of token: String, _ asked: ChannelRequest, at now: Instant) -> TokenRefusal? {
        do throws(TokenRefusal) {
            let user = try self.channel.user(
                of: token, asked: asked.channelID, epochSeconds: Double(self.epochMilliseconds(at: now)) / 1000)
            return user == asked.userID ? nil : .invalid("userId")
        } catch { return error }
    }

    private mutating func join(_ connection: ConnectionID, _ userID: String, at now: Instant) {
        self.meet(userID, at: now)
        self.conversations[userID]?.connections.append(connection)
        self.conversations[userID]?.polls = false
    }

    /// Makes sure that a user is known.
    mutating func meet(_ userID: String, at now: Instant) {
        guard self.conversations[userID] == nil, self.conversations.count < Self.userLimit else { return }
        var conversation = ServerConversation(userID: userID)
        conversation.lastActivity = now
        self.conversations[userID] = conversation
    }

    private mutating func forget(_ connection: ConnectionID) {
        guard let known = self.connections.removeValue(forKey: connection) else { return }
        self.conversations[known.userID]?.connections.removeAll { $0 == connection }
    }

    // MARK: Frames

    private mutating func received(_ connection: ConnectionID, _ message: WebSocketMessage, in step: inout Step) {
        guard let known = self.connections[connection] else { return }
        if known.isSpeech {
            self.heard(connection, message, in: &step)
            return
        }
        guard case .text(let text) = message, let value = try? JSONReader.read(text) else {
            self.refuseFrame(known.userID, "The frame is not JSON.", in: &step)
            return
        }
        self.conversations[known.userID]?.note(value)
        let frame = ClientFrame(value)
        if case .authentication(let token) = frame {
            let isNew = self.conversations[known.userID] == nil
            self.authenticate(connection, token, known, in: &step)
            // A user whom nobody knew when the frame came has its frames noted from the first one on.
            if isNew { self.conversations[known.userID]?.note(value) }
            return
        }
        if frame == .ping {
            if !self.faults[.noPong] { step.ask(.transmit(connection, .text(ServerFrame.pong.json.description))) }
            return
        }
        guard known.isAuthenticated else {
            self.closeForAuthentication(connection, in: &step)
            return
        }
        self.take(frame, from: known.userID, in: &step)
    }

    private mutating func authenticate(
        _ connection: ConnectionID, _ token: String, _ known: Connection, in step: inout Step
    ) {
        guard !known.isAuthenticated else { return }
        let seconds = Double(self.epochMilliseconds(at: step.now)) / 1000
        let user = try? self.channel.user(of: token, asked: self.channel.id, epochSeconds: seconds)
        guard user == known.userID else {
            self.closeForAuthentication(connection, in: &step)
            return
        }
        self.connections[connection]?.isAuthenticated = true
        self.join(connection, known.userID, at: step.now)
    }

    private mutating func closeForAuthentication(_ connection: ConnectionID, in step: inout Step) {
        self.forget(connection)
        let code = self.faults.number(.authenticationCode) ?? 1008
        if code == 1006 {
            step.ask(.abort(connection))
        } else {
            step.ask(.close(connection, code: UInt16(clamping: code), reason: "AuthFailed"))
        }
    }

    /// Says what is wrong with a frame, if the server is strict; else it is ignored.
    mutating func refuseFrame(_ userID: String, _ message: String, in step: inout Step) {
        guard self.faults[.strict] else { return }
        self.say(
            [SkillAnswer.Part(payload: ["type": "error", "errorMessage": .string(message)])], to: userID, in: &step)
    }

    /// Takes in a frame of a user, by whichever transport it came.
    mutating func take(_ frame: ClientFrame, from userID: String, in step: inout Step) {
        switch frame {
        case .profile(let members):
            self.conversations[userID]?.learn(members["profile"]?.object ?? [:])
        case .message(let envelope):
            if let profile = envelope.object("profile") { self.conversations[userID]?.learn(profile) }
            self.take(envelope, from: userID, in: &step)
        case .other: self.refuseFrame(userID, "The frame has no known member.", in: &step)
        case .deviceToken, .ping, .authentication: break
        }
    }
}
