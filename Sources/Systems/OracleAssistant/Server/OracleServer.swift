import HTTPTypes
import JSON
import Machines

/// A chat server of an Oracle channel with a scripted skill behind it, put together from its parts.
///
/// It passes what comes in to the part that it is for, and does what the parts want done; what happens then is said at
/// the parts. What belongs to one user is in ``ServerConversation``.
///
/// Where the vendor published nothing, this is defined here: unknown and disabled channels are refused at the handshake
/// (404, 403); a bad token closes with 1008 and the reason `AuthFailed`; pings are answered before the token too;
/// messages are numbered by UUIDs and stamped in ISO 8601; the last message of a turn says so, earlier ones do not;
/// frames that mean nothing are ignored, or answered with an error by a strict server; clients of one user all hear the
/// skill, but not each other; typing is not echoed; an expired session is followed by another one without a word; long
/// polls are held for 25 s and then answered with 204; errors of HTTP requests are `{"error":"…"}`; there is no limit
/// of messages a second unless a fault sets one. ``ServerFaults`` has the other choices.
struct OracleServer: ServerMachine {
    typealias Timer = ServerTimer

    /// What the server was made from.
    private let configuration: ServerConfiguration
    /// The channel that it offers.
    private(set) var channel: ServerChannel
    /// What answers the users.
    private let skill: Skill
    /// The users; as many connections are taken as users can be known.
    var users: UserBook
    /// How it misbehaves.
    private var faults = ServerFaults()
    private var sockets = ChatSocketPart()
    private var recognition: ServerRecognitionPart
    private(set) var files: FileStorePart
    /// The users of the long polls that are held.
    private var polls: [ExchangeID: String] = [:]
    /// The agents who are known.
    private var agents: [String]
    /// The words by which a user sends an agent away.
    private let exitKeywords: Set<String>
    /// The users for whom the skill's function has not come back.
    private var calls = Numbered<String>()

    /// Creates a server without clients.
    init(_ configuration: ServerConfiguration) throws(ConfigurationError) {
        self.configuration = configuration
        self.channel = try ServerChannel(configuration.options)
        self.skill = try Skill(configuration.options)
        self.users = UserBook(answeredBy: self.skill)
        let keywords = configuration.options["exit_keywords"]?.array?.compactMap { $0.string?.lowercased() }
        self.exitKeywords = Set(keywords ?? [])
        self.agents = configuration.options["agents"]?.array?.compactMap(\.string) ?? []
        self.recognition = try ServerRecognitionPart(configuration.options["speech"])
        self.files = FileStorePart(configuration)
        for (name, value) in configuration.options["faults"]?.object ?? [:] {
            if let problem = self.faults.set(name, value) { throw ConfigurationError(problem) }
        }
    }

    var properties: JSONObject {
        [
            "channel_id": .string(self.channel.id), "secret": .string(self.channel.secret),
            "client_auth_enabled": .bool(self.channel.demandsToken),
            "connections": .integer(Int64(self.sockets.count + self.recognition.count)),
            "users": .array(self.users.names.map { .string($0) }),
        ]
    }

    /// Returns the wall-clock time in milliseconds since 1970 UTC.
    private func epochMilliseconds(at now: Instant) -> Int64 {
        now.onWallClock(startingAt: self.configuration.epochMilliseconds)
    }

    private func gate(at now: Instant) -> ChannelGate {
        ChannelGate(channel: self.channel, faults: self.faults, epochMilliseconds: self.epochMilliseconds(at: now))
    }

    // MARK: Inputs

    mutating func handle(_ input: Input, in step: inout Step) {
        switch input {
        case .upgradeRequested(let connection, let request): self.upgrade(connection, request, in: &step)
        case .received(let connection, let message): self.received(connection, message, in: &step)
        case .closed(let connection, _):
            self.hear(.closed(connection), in: &step)
            self.socket(.closed(connection), of: self.sockets.user(of: connection), in: &step)
        case .requested(let exchange, let request): self.answer(exchange, request, in: &step)
        case .requestAbandoned(let exchange):
            guard let userID = self.polls.removeValue(forKey: exchange) else { return }
            self.poll(.abandoned(exchange), of: userID, in: &step)
        case .timerFired(.deliver(let userID)):
            self.inConversation(of: userID, in: &step) { $0.deliveries.handle(.due) }
        case .timerFired(.poll(let userID)): self.poll(.holdElapsed, of: userID, in: &step)
        case .timerFired(.hear(let connection)): self.hear(.thinkingOver(connection), in: &step)
        case .scriptReturned(let call, let result):
            guard let userID = self.calls.take(call.number) else { return }
            self.inConversation(of: userID, in: &step) { $0.tellSkill(.returned(result)) }
            self.runSkill(for: userID, in: &step)
        case .linkOpened: break
        }
    }

    private mutating func upgrade(_ connection: ConnectionID, _ request: Request, in step: inout Step) {
        let isFull = self.sockets.count + self.recognition.count >= self.users.limit
        if let status = self.faults.number(.refuseSocket) ?? (isFull ? 503 : nil) {
            step.ask(.refuse(connection, Response(text: "The server refuses.\n", status: .init(code: status))))
            return
        }
        let asked = ChannelRequest(request.head)
        let segments = asked.path.split(separator: "/")
        if segments.starts(with: ["voice", "stream", "recognize"]), segments.count == 5 {
            self.hear(.upgradeAsked(connection, asked, locale: String(segments[3])), in: &step)
            return
        }
        guard segments.count == 5, segments.starts(with: ["chat", "v1", "chats", "sockets"]) else {
            step.ask(.refuse(connection, Response(text: "Nothing is here.\n", status: .notFound)))
            return
        }
        guard self.users.hasRoom(for: asked.userID) else { return step.ask(.refuse(connection, ChannelGate.full)) }
        self.socket(.upgradeAsked(connection, asked), of: asked.userID, in: &step)
    }

    private mutating func received(_ connection: ConnectionID, _ message: WebSocketMessage, in step: inout Step) {
        if self.recognition.has(connection) { return self.hear(.received(connection, message), in: &step) }
        guard let userID = self.sockets.user(of: connection) else { return }
        guard case .text(let text) = message, let value = try? JSONReader.read(text) else {
            return self.socket(.unreadable(connection), of: userID, in: &step)
        }
        // What comes before the token may be anybody's; the token itself is the user's.
        let isKnown = self.sockets.isAuthenticated(connection)
        if isKnown { self.users.change(userID) { $0.record.note(value) } }
        self.socket(.received(connection, ClientFrame(value)), of: userID, in: &step)
        if !isKnown, self.sockets.isAuthenticated(connection) { self.users.change(userID) { $0.record.note(value) } }
    }

    // MARK: Parts

    private mutating func hear(_ input: ServerRecognitionPart.Input, in step: inout Step) {
        for effect in self.recognition.handle(input, self.gate(at: step.now)) { step.ask(effect) }
    }

    private mutating func socket(_ input: ChatSocketPart.Input, of userID: String?, in step: inout Step) {
        self.perform(self.sockets.handle(input, self.gate(at: step.now)), for: userID ?? "", in: &step)
    }

    private mutating func poll(_ input: LongPollPart.Input, of userID: String, in step: inout Step) {
        self.inConversation(of: userID, in: &step) { $0.longPolls.handle(input).map { .perform($0) } }
    }

    private mutating func handover(_ input: HandoverPart.Input, of userID: String, in step: inout Step) {
        self.inConversation(of: userID, in: &step) { $0.handover.handle(input) }
    }

    /// Lets a part of a conversation take something in; nothing happens if the user is not known.
    private mutating func inConversation(
        of userID: String, in step: inout Step, _ act: (inout ServerConversation) -> [ServerAction]
    ) {
        guard let actions = self.users.change(userID, act) else { return }
        self.perform(actions, for: userID, in: &step)
    }

    /// Gives the skill the messages that wait for it, until it is busy.
    private mutating func runSkill(for userID: String, in step: inout Step) {
        while self.users[userID]?.skill.hasNext == true {
            self.inConversation(of: userID, in: &step) { $0.tellSkill(.nextAsked) }
        }
    }

    // MARK: Actions

    /// Does what a part wants done for a user.
    private mutating func perform(_ actions: [ServerAction], for userID: String, in step: inout Step) {
        for action in actions { self.perform(action, for: userID, in: &step) }
    }

    private mutating func perform(_ action: ServerAction, for userID: String, in step: inout Step) {
        switch action {
        case .perform(let effect):
            // An answered poll is held no more.
            if case .respond(let exchange, _) = effect { self.polls[exchange] = nil }
            step.ask(effect)
        case .say(let parts): self.say(parts, to: userID, in: &step)
        case .deliver(let delivery): self.deliver(delivery, to: userID, in: &step)
        case .call(let function, let arguments):
            step.ask(.callScript(ScriptCallID(self.calls.add(userID)), function, arguments))
        case .reply(let envelope): self.users.change(userID) { $0.reply(to: envelope) }
        case .requestAgent(let request):
            let channelID = self.channel.id
            self.inConversation(of: userID, in: &step) { $0.requestAgent(request, channelID: channelID) }
        case .tellAgents(let event): for name in self.agents { step.ask(.emit(party: name, event)) }
        case .enter(let state, let message):
            self.inConversation(of: userID, in: &step) { $0.tellSkill(.entered(state, by: message)) }
        case .move(let state): self.inConversation(of: userID, in: &step) { $0.tellSkill(.moved(to: state)) }
        case .endSession: self.endSession(of: userID, in: &step)
        case .join(let connection):
            guard self.users.meet(userID, at: step.now) else { return step.ask(.abort(connection)) }
            self.inConversation(of: userID, in: &step) { $0.join(connection) }
        case .leave(let connection): self.users.change(userID) { $0.leave(connection) }
        case .take(let frame): self.take(frame, from: userID, in: &step)
        case .refuseFrame(let message): self.refuseFrame(userID, message, in: &step)
        }
    }

    /// Says something to a user, part after part.
    private mutating func say(_ parts: [SkillAnswer.Part], to userID: String, in step: inout Step) {
        guard let conversation = self.users[userID] else { return }
        for delivery in conversation.frames(parts, self.faults, random: &step.random) {
            self.inConversation(of: userID, in: &step) { $0.deliveries.handle(.queued(delivery)) }
        }
    }

    private mutating func deliver(_ delivery: DeliveryPart.Delivery, to userID: String, in step: inout Step) {
        var members = delivery.frame
        let now = self.epochMilliseconds(at: step.now)
        // What a skill takes its time for is created when it comes.
        members["createdOn"] = members["createdOn"] ?? .string(Timestamp.text(epochMilliseconds: now))
        if let payload = members["messagePayload"]?.object {
            let source = members["source"]?.string ?? "BOT"
            self.users.change(userID) { $0.record.remember(payload, source: source, epochMilliseconds: now) }
        }
        for _ in 0..<(self.faults[.duplicates] ? 2 : 1) { self.send(.object(members), to: userID, in: &step) }
        if delivery.endsSession { self.inConversation(of: userID, in: &step) { $0.beginSession() } }
    }

    private mutating func send(_ frame: JSONValue, to userID: String, in step: inout Step) {
        self.inConversation(of: userID, in: &step) { $0.send(frame) }
    }

    private mutating func endSession(of userID: String, in step: inout Step) {
        self.handover(.sessionEnds, of: userID, in: &step)
        guard !self.faults[.noSessionClosed] else {
            self.inConversation(of: userID, in: &step) { $0.beginSession() }
            return
        }
        self.users.change(userID) { $0.end() }
        self.say([SkillAnswer.Part(payload: ["type": "sessionClosed"])], to: userID, in: &step)
    }

    // MARK: Messages of users

    /// Says what is wrong with a frame, if the server is strict; else it is ignored.
    private mutating func refuseFrame(_ userID: String, _ message: String, in step: inout Step) {
        guard self.faults[.strict] else { return }
        self.sayError(message, to: userID, in: &step)
    }

    private mutating func sayError(_ message: String, to userID: String, in step: inout Step) {
        let error: JSONObject = ["type": "error", "errorMessage": .string(message)]
        self.say([SkillAnswer.Part(payload: error)], to: userID, in: &step)
    }

    /// Takes in a frame of a user, by whichever transport it came.
    private mutating func take(_ frame: ClientFrame, from userID: String, in step: inout Step) {
        switch frame {
        case .profile(let members):
            let news = members["profile"]?.object ?? [:]
            let isReset = self.configuration.options["language_change_resets"]?.bool ?? true
            let isChange = self.users[userID]?.changesLanguage(news) ?? false
            self.users.change(userID) { $0.learn(news) }
            if isReset, isChange { self.inConversation(of: userID, in: &step) { $0.beginAnew() } }
        case .message(let envelope):
            if let profile = envelope.object("profile") { self.users.change(userID) { $0.learn(profile) } }
            self.take(envelope, from: userID, in: &step)
        case .other: self.refuseFrame(userID, "The frame has no known member.", in: &step)
        case .deviceToken, .ping, .authentication: break
        }
    }

    private mutating func take(_ envelope: Envelope, from userID: String, in step: inout Step) {
        if self.faults[.strict], let problem = MessageValidation.problem(inSaid: envelope.payload) {
            return self.sayError(problem, to: userID, in: &step)
        }
        switch envelope.payload {
        case .closeSession: self.endSession(of: userID, in: &step)
        case .status(let status):
            self.inConversation(of: userID, in: &step) { $0.tellAgent(of: status, in: envelope) }
        case .suggest(let request):
            guard !self.faults[.silent] else { return }
            self.suggest(request.query ?? "", to: userID, in: &step)
        case .unknown: self.refuseFrame(userID, "The payload has no known type.", in: &step)
        default: self.takeSaid(envelope, from: userID, in: &step)
        }
    }

    private mutating func suggest(_ query: String, to userID: String, in step: inout Step) {
        let all = self.configuration.options["suggestions"]?.array?.compactMap(\.string) ?? []
        let fitting = all.filter { $0.lowercased().contains(query.lowercased()) }.prefix(5)
        self.send(ServerFrame.suggestions(Array(fitting)).json, to: userID, in: &step)
    }

    /// Takes in something that the user said or tapped: an agent hears it, or else the skill.
    private mutating func takeSaid(_ envelope: Envelope, from userID: String, in step: inout Step) {
        guard let lastActivity = self.users[userID]?.lastActivity else { return }
        let refusal = self.rateRefusal(of: userID, at: step.now)
        self.users.change(userID) { $0.rateLimit.handle(sentAt: step.now) }
        if step.now - lastActivity > self.channel.sessionLife {
            // The vendor says nothing about what the client learns of it, so the next session just begins.
            self.handover(.sessionEnds, of: userID, in: &step)
            self.inConversation(of: userID, in: &step) { $0.beginSession() }
            if self.faults[.sayExpired] { return self.endSession(of: userID, in: &step) }
        }
        let now = self.epochMilliseconds(at: step.now)
        self.users.change(userID) { $0.hear(envelope, at: step.now, epochMilliseconds: now) }
        guard let conversation = self.users[userID] else { return }
        if let refusal {
            self.sayError(refusal, to: userID, in: &step)
        } else if conversation.handover.agent != nil {
            self.tellAgent(envelope, from: userID, in: &step)
        } else {
            if !self.faults[.silent] {
                self.inConversation(of: userID, in: &step) { $0.tellSkill(.received(envelope)) }
            }
            self.runSkill(for: userID, in: &step)
        }
    }

    /// Why the next message of a user is refused, as one too many in a second; nil if it is not.
    private func rateRefusal(of userID: String, at now: Instant) -> String? {
        self.users[userID]?.rateLimit.refusal(above: self.faults.number(.rateLimit), at: now)
    }

    private mutating func tellAgent(_ envelope: Envelope, from userID: String, in step: inout Step) {
        if case .text(let said) = envelope.payload, let words = said.words?.lowercased(),
            self.exitKeywords.contains(words)
        {
            return self.handover(.sentAway, of: userID, in: &step)
        }
        self.inConversation(of: userID, in: &step) { $0.tellAgent(of: envelope) }
    }

    // MARK: HTTP

    private mutating func answer(_ exchange: ExchangeID, _ request: Request, in step: inout Step) {
        if self.faults[.dropRequests] { return step.ask(.drop(exchange)) }
        let asked = ChannelRequest(request.head)
        let gate = self.gate(at: step.now)
        switch (request.head.method, asked.path) {
        case (.post, "/chat/v1/chats/message"): self.takePolled(exchange, asked, request.body, in: &step)
        case (.get, "/chat/v1/chats/message"):
            if let obstacle = gate.obstacle(to: asked, .pollStatus) { return step.ask(.respond(exchange, obstacle)) }
            guard self.users.meet(asked.userID, at: step.now) else {
                return step.ask(.respond(exchange, ChannelGate.full))
            }
            self.polls[exchange] = asked.userID
            self.poll(.held(exchange), of: asked.userID, in: &step)
        case (.post, "/chat/v1/attachments"):
            let response = self.files.handle(.sent(asked, request), gate, random: &step.random)
            step.ask(.respond(exchange, response))
        case (.get, "/tts/voices"):
            let voices = SpeechSynthesis.voices(self.configuration.options["voices"]?.array)
            step.ask(.respond(exchange, gate.obstacle(to: asked, nil) ?? voices))
        case (.get, "/tts/speak"):
            let sound = SpeechSynthesis.sound(of: asked.query["text"] ?? "")
            step.ask(.respond(exchange, gate.obstacle(to: asked, nil) ?? sound))
        case (.get, let path) where path.hasPrefix("/attachment/v1/attachments/"):
            step.ask(.respond(exchange, self.files.handle(.asked(asked), gate, random: &step.random)))
        default: step.ask(.respond(exchange, Response(text: "Nothing is here.\n", status: .notFound)))
        }
    }

    private mutating func takePolled(
        _ exchange: ExchangeID, _ asked: ChannelRequest, _ body: [UInt8], in step: inout Step
    ) {
        if let obstacle = self.gate(at: step.now).obstacle(to: asked, .pollStatus) {
            return step.ask(.respond(exchange, obstacle))
        }
        guard let value = try? JSONReader.read(body) else {
            return step.ask(.respond(exchange, Response(error: "The body is not JSON.", .badRequest)))
        }
        guard self.users.meet(asked.userID, at: step.now) else { return step.ask(.respond(exchange, ChannelGate.full)) }
        let frame = ClientFrame(value)
        if case .message = frame, let refusal = self.rateRefusal(of: asked.userID, at: step.now) {
            return step.ask(.respond(exchange, Response(error: refusal, .tooManyRequests)))
        }
        // A client that polls begins with a ping; its polls may be those that fetch the end of the session.
        if case .ping = frame { self.users.change(asked.userID) { $0.comeBack() } }
        self.poll(.posted, of: asked.userID, in: &step)
        self.users.change(asked.userID) { $0.record.note(value) }
        step.ask(.respond(exchange, Response(json: .object([:]))))
        self.take(frame, from: asked.userID, in: &step)
    }

    // MARK: What scripts ask for

    static func commands(of party: String?) -> CommandSet<ServerCommand> {
        party == nil ? ServerVocabulary.commands : ServerVocabulary.agentCommands
    }

    mutating func perform(_ command: ServerCommand, by party: String?, in step: inout Step) -> CommandOutcome {
        do throws(CommandError) {
            switch command {
            case .channel(let command): return self.perform(command, in: &step)
            case .user(let command, let user, let name):
                guard let userID = self.users.find(user) else {
                    throw CommandError(
                        "\(name) needs a user that has connected; there are \(self.users.names)")
                }
                return try self.perform(command, with: userID, by: name, in: &step)
            case .agent(let command): return try self.perform(command, byAgent: party ?? "", in: &step)
            }
        } catch { return .refused(error.message) }
    }

    private mutating func perform(_ command: ChannelCommand, in step: inout Step) -> CommandOutcome {
        switch command {
        case .makeToken(let claims):
            let seconds = self.epochMilliseconds(at: step.now) / 1000
            return .done(.string(self.channel.makeToken(claims, epochSeconds: seconds)))
        case .fault(let name, let value):
            return self.faults.set(name.rawValue, value).map { .refused($0) } ?? .done(.null)
        case .hear(let speech): return self.recognition.expect(speech).map { .refused("hear: \($0)") } ?? .done(.null)
        case .enable(let isEnabled): self.channel.isEnabled = isEnabled
        case .files: return .done(self.files.fields)
        }
        return .done(.null)
    }

    /// Says what a script wants said, or refuses it whole if there is no room for it.
    private mutating func say(
        _ parts: [SkillAnswer.Part], to userID: String, by method: String, in step: inout Step
    ) throws(CommandError) {
        try self.users[userID]?.checkRoom(for: parts.count, by: method)
        self.say(parts, to: userID, in: &step)
    }

    private mutating func handover(
        _ input: HandoverPart.Input, of userID: String, by method: String, in step: inout Step
    ) throws(CommandError) {
        try self.users[userID]?.checkRoom(for: input, by: method)
        self.handover(input, of: userID, in: &step)
    }

    private mutating func endSession(of userID: String, by method: String, in step: inout Step) throws(CommandError) {
        try self.users[userID]?.checkRoom(for: self.faults[.noSessionClosed] ? 0 : 1, by: method)
        self.endSession(of: userID, in: &step)
    }

    private mutating func perform(
        _ command: UserCommand, with userID: String, by method: String, in step: inout Step
    ) throws(CommandError) -> CommandOutcome {
        if command.needsSession { try self.users[userID]?.checkSession(for: method) }
        switch command {
        case .say(let saying):
            try self.say(saying.parts(by: method), to: userID, by: method, in: &step)
            if case .unavailable = saying { self.handover(.unavailable, of: userID, in: &step) }
        case .sendFrame(let frame):
            try self.users[userID]?.checkRoom(for: 1, by: method)
            self.send(frame, to: userID, in: &step)
        case .endSession: try self.endSession(of: userID, by: method, in: &step)
        case .drop:
            for connection in self.users[userID]?.connections ?? [] { step.ask(.abort(connection)) }
        case .close(let code, let reason):
            if let obstacle = CloseCode.obstacle(to: code) { return .refused(obstacle) }
            if let obstacle = CloseReason.obstacle(to: reason) { return .refused(obstacle) }
            for connection in self.users[userID]?.connections ?? [] {
                step.ask(.close(connection, code: UInt16(code), reason: reason))
            }
        case .received: return .done(.array(self.users[userID]?.record.received ?? []))
        case .profile: return .done(.object(self.users[userID]?.profile ?? [:]))
        }
        return .done(.null)
    }

    // MARK: What scripts ask of agents

    private mutating func perform(
        _ command: AgentCommand, byAgent name: String, in step: inout Step
    ) throws(CommandError) -> CommandOutcome {
        if !self.agents.contains(name) { self.agents.append(name) }
        switch command {
        case .accept(let user, let greeting):
            return try self.accept(user, greeting: greeting, byAgent: name, in: &step)
        case .answerRequest(let answer, let text, let user):
            return try self.answerRequest(answer, text: text, of: user, in: &step)
        case .post(let message, let user):
            switch AgentMessage.command(for: message, user: user) {
            case .failure(let refusal): throw CommandError(refusal.text)
            case .success(let command): return try self.perform(command, byAgent: name, in: &step)
            }
        case .conversation(let act, let user, let method):
            guard let userID = self.users.findServed(by: name, user) else {
                throw CommandError("\(method) needs a conversation; call accept first")
            }
            try self.perform(act, byAgent: name, with: userID, method: method, in: &step)
            return .done(.null)
        }
    }

    private mutating func perform(
        _ act: AgentAct, byAgent name: String, with userID: String, method: String, in step: inout Step
    ) throws(CommandError) {
        switch act {
        case .say(let saying):
            try self.say(saying.parts(of: name, by: method), to: userID, by: method, in: &step)
        case .leave(let text, let state):
            if let problem = state.flatMap(self.skill.problem(withState:)) { throw CommandError("leave: \(problem)") }
            try self.handover(.left(text: text, state: state), of: userID, by: method, in: &step)
        case .choose(let outcome):
            let known = self.users[userID]?.handover.outcomes ?? []
            guard known.contains(outcome) else {
                throw CommandError(
                    "the skill offers the agent no action \"\(outcome)\"; its `agent = { on = { … } }` has "
                        + (known.isEmpty ? "none" : known.joined(separator: ", ")))
            }
            try self.handover(.chosen(outcome), of: userID, by: method, in: &step)
        case .finish: try self.endSession(of: userID, by: method, in: &step)
        }
    }

    private static let nobodyWaits = CommandError(
        "no user waits for an agent; let the skill answer { agent = { … } } first")

    private mutating func accept(
        _ user: JSONValue?, greeting: String?, byAgent name: String, in step: inout Step
    ) throws(CommandError) -> CommandOutcome {
        guard let userID = self.users.findWaiting(user) else { throw Self.nobodyWaits }
        if let other = self.users[userID]?.handover.agent, other != name {
            throw CommandError("\(userID) talks to \(other) already")
        }
        try self.handover(.accepted(by: name, greeting: greeting), of: userID, by: "accept", in: &step)
        return .done(.string(userID))
    }

    /// Lets the user wait on, or tells that nobody will come.
    private mutating func answerRequest(
        _ answer: RequestAnswer, text: String?, of user: JSONValue?, in step: inout Step
    ) throws(CommandError) -> CommandOutcome {
        guard let userID = self.users.findWaiting(user), self.users[userID]?.handover.isWaiting == true else {
            throw Self.nobodyWaits
        }
        switch answer {
        case .wait(let position):
            try self.handover(.delayed(position: position, text: text), of: userID, by: "delay", in: &step)
        case .reject: try self.handover(.rejected(text: text), of: userID, by: "reject", in: &step)
        }
        return .done(.null)
    }
}
