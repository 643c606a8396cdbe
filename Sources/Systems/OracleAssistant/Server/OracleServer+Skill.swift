import JSON
import Machines

extension OracleServer {
    /// Takes in a message of a user.
    mutating func take(_ envelope: Envelope, from userID: String, in step: inout Step) {
        guard var conversation = self.conversations[userID] else { return }
        let payload = envelope.payload
        switch payload {
        case .closeSession:
            self.endSession(of: userID, in: &step)
            return
        case .status(let status):
            let fields: JSONObject = [
                "user_id": .string(userID), "active": .bool(status.status == .responding),
                "text": status.words.map { .string($0) } ?? .null,
            ]
            self.tellAgents(of: conversation, .typing, fields, raw: envelope.json, in: &step)
            return
        case .suggest(let request):
            guard !self.faults[.silent] else { return }
            self.suggest(request.query ?? "", to: userID, in: &step)
            return
        case .unknown:
            self.refuseFrame(userID, "The payload has no known type.", in: &step)
            return
        default: break
        }
        let second = step.now.nanoseconds / 1_000_000_000
        conversation.rate = conversation.rate.second == second ? (second, conversation.rate.count + 1) : (second, 1)
        if step.now - conversation.lastActivity > self.channel.sessionLife {
            // The vendor says nothing about what the client learns of it, so the next session just begins.
            conversation.beginSession()
            if self.faults[.sayExpired] {
                self.conversations[userID] = conversation
                self.endSession(of: userID, in: &step)
                return
            }
        }
        conversation.lastActivity = step.now
        if !conversation.isSkillBusy { conversation.answers(envelope) }
        let now = self.epochMilliseconds(at: step.now)
        conversation.remember(envelope.object("messagePayload") ?? [:], source: "USER", epochMilliseconds: now)
        if let limit = self.faults.number(.rateLimit), conversation.rate.count > limit {
            self.conversations[userID] = conversation
            let error: JSONObject = ["type": "error", "errorMessage": "Too many messages; wait a second."]
            self.say([SkillAnswer.Part(payload: error)], to: userID, in: &step)
            return
        }
        if conversation.agent != nil {
            let words = if case .text(let said) = payload { said.words?.lowercased() } else { nil as String? }
            if let words, self.exitKeywords.contains(words) {
                self.userSentAgentAway(conversation, in: &step)
                return
            }
            self.conversations[userID] = conversation
            var fields: JSONObject = ["user_id": .string(userID), "from": "user"]
            fields = fields.merging(MessageFields.fields(of: payload))
            if case .postback(let postback) = payload { fields["postback"] = postback.postback }
            if case .formSubmission(let form) = payload { fields["values"] = form.submittedFields.map { .object($0) } }
            self.tellAgents(of: conversation, .message, fields, raw: envelope.json, in: &step)
            return
        }
        if !self.faults[.silent], conversation.inputs.count < ServerConversation.limit {
            conversation.inputs.append(envelope)
        }
        self.conversations[userID] = conversation
        self.runSkill(for: userID, in: &step)
    }

    /// Gives the skill the next message that waits for it.
    private mutating func runSkill(for userID: String, in step: inout Step) {
        while var conversation = self.conversations[userID], !conversation.isSkillBusy, !conversation.inputs.isEmpty {
            let envelope = conversation.inputs.removeFirst()
            conversation.turn += 1
            conversation.answers(envelope)
            self.conversations[userID] = conversation
            let message = envelope.object("messagePayload") ?? [:]
            switch self.skill {
            case .silent: break
            case .echo:
                self.finishTurn(SkillAnswer(.string(Skill.echo(of: envelope.payload))), of: userID, in: &step)
            case .function(let function):
                self.call(function, [.object(message), conversation.sessionFields], for: userID, in: &step)
            case .states(let states): self.walk(states, envelope, of: userID, in: &step)
            }
        }
    }

    private mutating func call(
        _ function: ScriptFunction, _ arguments: [JSONValue], for userID: String, in step: inout Step
    ) {
        self.conversations[userID]?.isSkillBusy = true
        step.ask(.callScript(self.nextCall(for: userID), function, arguments))
    }

    private mutating func walk(
        _ states: [String: Skill.State], _ envelope: Envelope, of userID: String, in step: inout Step
    ) {
        guard let conversation = self.conversations[userID] else { return }
        var target = Skill.firstState
        if let name = conversation.state, let state = states[name] {
            let keys = Skill.keys(of: envelope.payload)
            guard let next = keys.lazy.compactMap({ state.transitions[$0] }).first else {
                self.finishTurn(SkillAnswer(state.otherwise), of: userID, in: &step)
                return
            }
            target = next
        }
        self.enter(target, by: envelope.object("messagePayload") ?? [:], of: userID, in: &step)
    }

    /// Lets the skill go on in a state: one of its table, or one that its function knows.
    ///
    /// - Parameter message: What led there, for functions.
    mutating func enter(_ name: String, by message: JSONObject, of userID: String, in step: inout Step) {
        self.conversations[userID]?.state = name
        guard let session = self.conversations[userID]?.sessionFields else { return }
        switch self.skill {
        case .function(let function): self.call(function, [.object(message), session], for: userID, in: &step)
        case .states(let states):
            guard let state = states[name] else { return }
            if let function = state.run {
                self.call(function, [.object(message), session], for: userID, in: &step)
            } else {
                self.finishTurn(SkillAnswer(state.say), of: userID, in: &step)
            }
        case .echo, .silent: break
        }
    }

    /// The skill's function has come back.
    mutating func skillReturned(
        _ call: ScriptCallID, _ result: Result<JSONValue, ScriptCallFailure>, in step: inout Step
    ) {
        guard let userID = self.calls.removeValue(forKey: call) else { return }
        self.conversations[userID]?.isSkillBusy = false
        if case .success(let value) = result { self.finishTurn(SkillAnswer(value), of: userID, in: &step) }
        self.runSkill(for: userID, in: &step)
    }

    private mutating func finishTurn(_ answer: SkillAnswer, of userID: String, in step: inout Step) {
        if let state = answer.state { self.conversations[userID]?.state = state }
        if let variables = self.conversations[userID]?.variables {
            self.conversations[userID]?.variables = variables.merging(answer.variables)
        }
        self.say(answer.parts, to: userID, in: &step)
        if let request = answer.agent { self.requestAgent(request, for: userID, in: &step) }
        if answer.ends { self.endSession(of: userID, in: &step) }
    }

    private mutating func suggest(_ query: String, to userID: String, in step: inout Step) {
        let all = self.configuration.options["suggestions"]?.array?.compactMap(\.string) ?? []
        let fitting = all.filter { $0.lowercased().contains(query.lowercased()) }.prefix(5)
        self.send(ServerFrame.suggestions(Array(fitting)).json, to: userID, in: &step)
    }

    // MARK: Sending

    /// Says something to a user, part after part.
    mutating func say(_ parts: [SkillAnswer.Part], to userID: String, in step: inout Step) {
        guard let conversation = self.conversations[userID] else { return }
        for (index, part) in parts.enumerated() {
            if self.faults[.strict],
                let problem = SkillSchema.problem(in: part.payload, isFromAgent: part.source == .agent)
            {
                let error: JSONObject = ["type": "error", "errorMessage": .string("The skill broke: \(problem)")]
                self.enqueue(error, part, isLast: true, conversation, in: &step)
                continue
            }
            self.enqueue(part.payload, part, isLast: index == parts.count - 1, conversation, in: &step)
        }
    }

    private mutating func enqueue(
        _ payload: JSONObject, _ part: SkillAnswer.Part, isLast: Bool, _ conversation: ServerConversation,
        in step: inout Step
    ) {
        let isResponding = payload["status"]?.string == "RESPONDING"
        let endsTurn = part.endsTurn ?? (isLast || part.source == .agent) && !isResponding
        var frame: JSONObject = [
            "messagePayload": .object(payload), "userId": .string(conversation.userID),
            "msgId": .string(step.random.uuid()), "source": .string(part.source.rawValue),
        ]
        if !self.faults[.noEndOfTurn] { frame["endOfTurn"] = .bool(endsTurn) }
        frame["requestId"] = conversation.requestID.map { .string($0) }
        frame["threadId"] = conversation.threadID.map { .string($0) }
        self.deliver(
            .object(frame.merging(part.envelope)), after: part.delay, to: conversation.userID,
            endsSession: payload["type"]?.string == "sessionClosed", in: &step)
    }

    private mutating func deliver(
        _ frame: JSONValue, after delay: Duration, to userID: String, endsSession: Bool, in step: inout Step
    ) {
        guard let conversation = self.conversations[userID],
            conversation.deliveries.count < ServerConversation.limit
        else { return }
        let delivery = ServerConversation.Delivery(frame: frame, delay: delay, endsSession: endsSession)
        if conversation.deliveries.isEmpty, delay == .zero {
            self.deliver(delivery, to: userID, in: &step)
            return
        }
        self.conversations[userID]?.deliveries.append(delivery)
        if conversation.deliveries.isEmpty { step.ask(.setTimer(conversation.timer, delay)) }
    }

    /// The time of the next frame has come.
    mutating func deliverNext(to userID: String, in step: inout Step) {
        guard let first = self.conversations[userID]?.deliveries.first else { return }
        self.conversations[userID]?.deliveries.removeFirst()
        self.deliver(first, to: userID, in: &step)
        while let next = self.conversations[userID]?.deliveries.first {
            guard next.delay == .zero else {
                step.ask(.setTimer(.deliver(userID), next.delay))
                return
            }
            self.conversations[userID]?.deliveries.removeFirst()
            self.deliver(next, to: userID, in: &step)
        }
    }

    private mutating func deliver(
        _ delivery: ServerConversation.Delivery, to userID: String, in step: inout Step
    ) {
        var members = delivery.frame.object ?? [:]
        let now = self.epochMilliseconds(at: step.now)
        // What a skill takes its time for is created when it comes.
        members["createdOn"] = members["createdOn"] ?? .string(Timestamp.text(epochMilliseconds: now))
        if let payload = members["messagePayload"]?.object {
            let source = members["source"]?.string ?? "BOT"
            self.conversations[userID]?.remember(payload, source: source, epochMilliseconds: now)
        }
        self.send(.object(members), to: userID, in: &step)
        if self.faults[.duplicates] { self.send(.object(members), to: userID, in: &step) }
        if delivery.endsSession { self.conversations[userID]?.beginSession() }
    }

    /// Writes a frame to all clients of a user; without any it is lost, as the vendor documents.
    mutating func send(_ frame: JSONValue, to userID: String, in step: inout Step) {
        guard let conversation = self.conversations[userID] else { return }
        for connection in conversation.connections { step.ask(.transmit(connection, .text(frame.description))) }
        if conversation.polls, conversation.mailbox.count < ServerConversation.limit {
            self.conversations[userID]?.mailbox.append(.string(frame.description))
            self.answerPoll(of: userID, in: &step)
        }
    }

    /// Ends the session of a user.
    mutating func endSession(of userID: String, in step: inout Step) {
        guard let conversation = self.conversations[userID] else { return }
        self.tellAgents(of: conversation, .chatEnded, ["user_id": .string(userID)], raw: nil, in: &step)
        self.conversations[userID]?.agent = nil
        guard !self.faults[.noSessionClosed] else {
            self.conversations[userID]?.beginSession()
            return
        }
        self.say([SkillAnswer.Part(payload: ["type": "sessionClosed"])], to: userID, in: &step)
    }
}
