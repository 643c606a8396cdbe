import JSON
import Machines

/// What the simulated server knows about one user, put together from its parts.
struct ServerConversation: Sendable {
    /// What is being answered.
    struct ReplyTarget: Sendable {
        var request: String?
        let thread: String?
    }

    /// At most this many frames are kept of each list.
    static let limit = 1000

    /// The user.
    let userID: String
    /// When the user said something last.
    private(set) var lastActivity: Instant
    /// The connections of the user's clients; more than one hear the skill alike.
    private(set) var connections: [ConnectionID] = []
    /// Whether the session has ended, and the user has neither come back nor said anything since.
    private(set) var isOver = false
    /// What the user's clients told about the user.
    private(set) var profile: JSONObject = [:]
    private(set) var target = ReplyTarget(request: nil, thread: nil)
    var skill: SkillPart
    var handover: HandoverPart
    var deliveries: DeliveryPart
    var longPolls: LongPollPart
    var rateLimit = RateLimitPart()
    var record = ConversationRecord()

    /// Creates a conversation.
    init(userID: String, _ skill: Skill, at now: Instant) {
        self.userID = userID
        self.lastActivity = now
        self.skill = SkillPart(skill, userID: userID)
        self.handover = HandoverPart(userID: userID)
        self.deliveries = DeliveryPart(userID: userID)
        self.longPolls = LongPollPart(userID: userID)
    }

    /// Lets another client hear what is said.
    mutating func join(_ connection: ConnectionID) -> [ServerAction] {
        self.connections.append(connection)
        self.isOver = false
        return self.longPolls.handle(.joined).map { .perform($0) }
    }

    /// Notes that the session ends.
    mutating func end() { self.isOver = true }

    /// Notes that a client that polls is there.
    mutating func comeBack() { self.isOver = false }

    /// Forgets a client.
    mutating func leave(_ connection: ConnectionID) { self.connections.removeAll { $0 == connection } }

    /// Notes which message is being answered from now on.
    mutating func reply(to envelope: Envelope) {
        self.target = ReplyTarget(request: envelope.requestID, thread: envelope.threadID)
    }

    /// Notes something that the user says; it is answered at once unless the skill is at something else.
    mutating func hear(_ envelope: Envelope, at now: Instant, epochMilliseconds: Int64) {
        self.lastActivity = now
        self.isOver = false
        if self.skill.state == .idle { self.reply(to: envelope) }
        self.record.remember(
            envelope.object("messagePayload") ?? [:], source: "USER", epochMilliseconds: epochMilliseconds)
    }

    /// Begins anew in another language: what was under way is dropped.
    mutating func beginAnew() -> [ServerAction] { self.deliveries.handle(.dropped) + self.beginSession() }

    /// Whether news of the user bring another language into a conversation that has begun.
    func changesLanguage(_ news: JSONObject) -> Bool {
        guard let tag = news["languageTag"], !self.record.history.isEmpty else { return false }
        return tag.string != self.profile["languageTag"]?.string
    }

    /// Takes in news of the user.
    mutating func learn(_ news: JSONObject) { self.profile = self.profile.merging(news) }

    /// Lets the skill take something in.
    mutating func tellSkill(_ input: SkillPart.Input) -> [ServerAction] {
        self.skill.handle(input, profile: self.profile)
    }

    /// Begins the search for an agent.
    mutating func requestAgent(_ request: JSONObject, channelID: String) -> [ServerAction] {
        var fields: JSONObject = ["user_id": .string(self.userID)]
        fields["subject"] = request["subject"]
        fields["profile"] = .object(self.profile)
        fields["history"] = .array(self.record.history)
        let raw = AgentMessage.request(request, of: self, channelID: channelID)
        return self.handover.handle(.requested(request, ChatEvent(.chatWaiting, fields, raw: raw)))
    }

    /// Tells the agent what the user said or tapped.
    func tellAgent(of envelope: Envelope) -> [ServerAction] {
        let payload = envelope.payload
        var fields: JSONObject = ["user_id": .string(self.userID), "from": "user"]
        fields = fields.merging(MessageFields.fields(of: payload))
        if case .postback(let postback) = payload { fields["postback"] = postback.postback }
        if case .formSubmission(let form) = payload { fields["values"] = form.submittedFields.map { .object($0) } }
        return self.handover.tell(ChatEvent(.message, fields, raw: envelope.json))
    }

    /// Tells the agent whether the user types, and what.
    func tellAgent(of status: StatusPayload, in envelope: Envelope) -> [ServerAction] {
        var fields: JSONObject = [
            "user_id": .string(self.userID), "active": .bool(status.status == .responding),
        ]
        fields["text"] = status.words.map { .string($0) }
        return self.handover.tell(ChatEvent(.typing, fields, raw: envelope.json))
    }

    /// Begins another session.
    mutating func beginSession() -> [ServerAction] {
        self.target.request = nil
        return self.tellSkill(.sessionBegan) + self.handover.handle(.sessionBegan)
    }

    /// Writes a frame to all clients; without any it is lost, as the vendor documents.
    mutating func send(_ frame: JSONValue) -> [ServerAction] {
        let text = frame.description
        return self.connections.map { .perform(.transmit($0, .text(text))) }
            + self.longPolls.handle(.sent(text)).map { .perform($0) }
    }

    /// Makes sure that the session goes on: what is said after its end, nobody hears.
    func checkSession(for method: String) throws(CommandError) {
        guard !self.isOver else {
            throw CommandError(
                "\(method): the session of \(self.userID) has ended; another one begins when the user connects or says "
                    + "something")
        }
    }

    /// Makes sure that what a script says finds room behind what waits: for its time, or for the next poll.
    func checkRoom(for count: Int, by method: String) throws(CommandError) {
        let waiting = self.deliveries.count + self.longPolls.count
        guard waiting + count <= Self.limit else {
            throw CommandError(
                "\(method): \(waiting) messages to \(self.userID) wait for their time or for the user's next poll, and "
                    + "at most \(Self.limit) can; let them go out before more is said")
        }
    }

    /// Makes sure that what a change of the hand-over makes the server say finds room.
    func checkRoom(for input: HandoverPart.Input, by method: String) throws(CommandError) {
        var trial = self.handover
        let counts = trial.handle(input).map { action in
            if case .say(let parts) = action { parts.count } else { 0 }
        }
        try self.checkRoom(for: counts.reduce(0, +), by: method)
    }

    /// The frames that say something, part after part.
    func frames(
        _ parts: [SkillAnswer.Part], _ faults: ServerFaults, random: inout RandomSource
    ) -> [DeliveryPart.Delivery] {
        // A client ignores late pieces of a text that has ended, so no two texts have the same number.
        var streamIDs: [Int: String] = [:]
        return parts.enumerated().map { index, part in
            var part = part
            if let stream = part.stream {
                let id = streamIDs[stream] ?? "stream-" + random.uuid()
                streamIDs[stream] = id
                part.payload["streamId"] = .string(id)
            }
            if faults[.strict],
                let problem = SkillSchema.problem(in: part.payload, isFromAgent: part.source == .agent)
            {
                let error: JSONObject = ["type": "error", "errorMessage": .string("The skill broke: \(problem)")]
                return self.frame(error, part, isLast: true, faults, &random)
            }
            return self.frame(part.payload, part, isLast: index == parts.count - 1, faults, &random)
        }
    }

    private func frame(
        _ payload: JSONObject, _ part: SkillAnswer.Part, isLast: Bool, _ faults: ServerFaults,
        _ random: inout RandomSource
    ) -> DeliveryPart.Delivery {
        let isResponding = payload["status"]?.string == "RESPONDING"
        let endsTurn = part.endsTurn ?? (isLast || part.source == .agent) && !isResponding
        var frame: JSONObject = [
            "messagePayload": .object(payload), "userId": .string(self.userID),
            "msgId": .string(random.uuid()), "source": .string(part.source.rawValue),
        ]
        if !faults[.noEndOfTurn] { frame["endOfTurn"] = .bool(endsTurn) }
        frame["requestId"] = self.target.request.map { .string($0) }
        frame["threadId"] = self.target.thread.map { .string($0) }
        return DeliveryPart.Delivery(
            frame: frame.merging(part.envelope), delay: part.delay,
            endsSession: payload["type"]?.string == "sessionClosed")
    }
}
