import ChatCore
import JSON

extension OracleServer {
    /// Tells the agent of a conversation, or all agents where it has none, what happened.
    func tellAgents(
        of conversation: ServerConversation, _ kind: EventKind, _ fields: JSONObject, raw: JSONValue?,
        in step: inout ServerStep
    ) {
        let names = conversation.agent.map { [$0] } ?? (kind == .chatWaiting ? self.agents : [])
        for name in names { step.ask(.emit(party: name, ChatEvent(kind, fields, raw: raw))) }
    }

    /// Begins the search for an agent.
    mutating func requestAgent(_ request: JSONObject, for userID: String, in step: inout ServerStep) {
        guard let conversation = self.conversations[userID] else { return }
        self.conversations[userID]?.waitsForAgent = request
        self.tellAgents(
            of: conversation, .chatWaiting,
            [
                "user_id": .string(userID), "subject": request["subject"] ?? .null,
                "profile": .object(conversation.profile), "history": .array(conversation.history),
            ], raw: nil, in: &step)
    }

    // MARK: What scripts ask for

    mutating func perform(_ command: Command, by party: String?, in step: inout ServerStep) -> CommandOutcome {
        if let party { return self.perform(command, byAgent: party, in: &step) }
        let arguments = command.arguments
        switch command.name {
        case "make_token": return .done(.string(self.makeToken(arguments["claims"]?.object ?? [:], at: step.now)))
        case "fault":
            return self.faults.set(arguments["name"]?.string ?? "", arguments["value"] ?? .bool(true))
                .map { .refused($0) } ?? .done(.null)
        case "hear":
            self.hearing.expect(arguments["speech"] ?? .null)
            return .done(.null)
        case "enable":
            self.channel.isEnabled = arguments["enabled"]?.bool ?? true
            return .done(.null)
        default: break
        }
        guard let userID = self.user(arguments["user"]) else {
            return .refused(
                "\(command.name) needs a user that has connected; there are \(self.conversations.keys.sorted())")
        }
        switch command.name {
        case "say", "send":
            let answer = SkillAnswer(arguments["message"] ?? .null)
            self.say(answer.parts, to: userID, in: &step)
        case "send_frame": self.send(arguments["frame"] ?? .null, to: userID, in: &step)
        case "queue":
            let position = arguments["position"]?.integer ?? 1
            let text = arguments["text"]?.string ?? "You are number \(position) in the queue."
            self.sayStep(.queue, .string(text), ["position": .integer(position)], to: userID, in: &step)
        case "pre_chat": self.sayStep(.preChat, arguments["form"] ?? .null, [:], to: userID, in: &step)
        case "unavailable":
            self.conversations[userID]?.waitsForAgent = nil
            self.sayStep(.unavailable, arguments["message"] ?? .null, [:], to: userID, in: &step)
        case "survey": self.sayStep(.postChat, arguments["message"] ?? .null, [:], to: userID, in: &step)
        case "end_session": self.endSession(of: userID, in: &step)
        case "drop":
            for connection in self.conversations[userID]?.connections ?? [] { step.ask(.abort(connection)) }
        case "close":
            let code = arguments["code"]?.integer ?? 1001
            guard 1000...4999 ~= code, code != 1005, code != 1006 else {
                return .refused("close takes a code from 1000 to 4999 that can be sent (RFC 6455 §7.4), not \(code)")
            }
            for connection in self.conversations[userID]?.connections ?? [] {
                step.ask(.close(connection, code: UInt16(code), reason: arguments["reason"]?.string ?? ""))
            }
        case "received": return .done(.array(self.conversations[userID]?.received ?? []))
        case "profile": return .done(.object(self.conversations[userID]?.profile ?? [:]))
        default: return .refused("\(command.name) is not a method of an Oracle server")
        }
        return .done(.null)
    }

    /// Returns the user that is meant: by an actor's identity, a name, or the only one there is.
    private func user(_ value: JSONValue?) -> String? {
        let name = value?["user_id"]?.string ?? value?.string
        if let name { return self.conversations[name] == nil ? nil : name }
        return self.conversations.count == 1 ? self.conversations.keys.first : nil
    }

    private func makeToken(_ claims: JSONObject, at now: Instant) -> String {
        let issued = self.epochMilliseconds(at: now) / 1000
        var all: JSONObject = [
            "iat": .integer(issued), "exp": .integer(issued + 1800), "channelId": .string(self.channel.id),
        ]
        all = all.merging(claims)
        return ChannelToken(claims: all, secret: self.channel.secret).text
    }

    /// Says something with the mark of a step; see ``ConversationStep``.
    private mutating func sayStep(
        _ name: ConversationStep.Name, _ value: JSONValue, _ details: JSONObject, to userID: String,
        in step: inout ServerStep
    ) {
        var parts = SkillAnswer(value).parts
        for index in parts.indices {
            var extensions = parts[index].payload["channelExtensions"]?.object ?? [:]
            var members = details
            members["name"] = .string(name.rawValue)
            extensions[ConversationStep.member] = .object(members)
            parts[index].payload["channelExtensions"] = .object(extensions)
        }
        self.say(parts, to: userID, in: &step)
    }

    // MARK: Agents

    private mutating func perform(
        _ command: Command, byAgent name: String, in step: inout ServerStep
    ) -> CommandOutcome {
        if !self.agents.contains(name) { self.agents.append(name) }
        let arguments = command.arguments
        if command.name == "accept" {
            let waiting = self.conversations.values.filter { $0.waitsForAgent != nil }.map(\.userID).sorted()
            // A named user can be taken over at any time, as a supervisor would.
            let named = arguments["user"].flatMap { self.user($0) }
            guard let userID = named ?? waiting.first else {
                return .refused("no user waits for an agent; let the skill answer { agent = { … } } first")
            }
            if let other = self.conversations[userID]?.agent, other != name {
                return .refused("\(userID) talks to \(other) already")
            }
            self.conversations[userID]?.agent = name
            self.conversations[userID]?.waitsForAgent = nil
            if let greeting = arguments["greeting"]?.string {
                self.sayAsAgent(name, ["type": "text", "text": .string(greeting)], to: userID, in: &step)
            }
            return .done(.string(userID))
        }
        if command.name == "delay" || command.name == "reject" { return self.answerRequest(command, in: &step) }
        let own = self.conversations.values.filter { $0.agent == name }.map(\.userID).sorted()
        guard let userID = self.user(arguments["user"]).flatMap({ own.contains($0) ? $0 : nil }) ?? own.first else {
            return .refused("\(command.name) needs a conversation; call accept first")
        }
        switch command.name {
        case "say":
            self.sayAsAgent(name, ["type": "text", "text": arguments["text"] ?? ""], to: userID, in: &step)
        case "send":
            for part in SkillAnswer(arguments["message"] ?? .null).parts {
                self.sayAsAgent(name, part.payload, to: userID, in: &step)
            }
        case "typing":
            let isActive = arguments["active"]?.bool ?? true
            let payload: JSONObject = ["type": "status", "status": isActive ? "RESPONDING" : "LISTENING"]
            self.sayAsAgent(name, payload, to: userID, in: &step)
        case "leave":
            self.conversations[userID]?.agent = nil
            if let state = arguments["state"]?.string { self.conversations[userID]?.state = state }
            let text = arguments["text"]?.string ?? Self.conclusion
            self.say([SkillAnswer.Part(payload: ["type": "text", "text": .string(text)])], to: userID, in: &step)
        case "end": self.endSession(of: userID, in: &step)
        default: return .refused("\(command.name) is not a method of an agent")
        }
        return .done(.null)
    }

    /// Lets the user wait on, or tells that nobody will come.
    private mutating func answerRequest(_ command: Command, in step: inout ServerStep) -> CommandOutcome {
        let arguments = command.arguments
        let waiting = self.conversations.values.filter { $0.waitsForAgent != nil }.map(\.userID).sorted()
        guard let userID = arguments["user"].flatMap({ self.user($0) }) ?? waiting.first, waiting.contains(userID)
        else {
            return .refused("no user waits for an agent; let the skill answer { agent = { … } } first")
        }
        if command.name == "delay" {
            var details = JSONObject()
            details["position"] = arguments["position"]
            self.sayStep(.queue, arguments["text"] ?? "All agents are busy.", details, to: userID, in: &step)
        } else {
            self.conversations[userID]?.waitsForAgent = nil
            self.sayStep(.unavailable, arguments["text"] ?? "No agent is available.", [:], to: userID, in: &step)
        }
        return .done(.null)
    }

    /// What the bot says when an agent has gone.
    static let conclusion = "The agent has left the conversation."

    private mutating func sayAsAgent(
        _ name: String, _ payload: JSONObject, to userID: String, in step: inout ServerStep
    ) {
        var payload = payload
        if payload["type"]?.string != "status" {
            let extensions = payload["channelExtensions"]?.object ?? [:]
            let agent: JSONObject = ["agentName": .string(name), "agentSession": ["name": .string(name)]]
            payload["channelExtensions"] = .object(agent.merging(extensions))
        }
        self.say([SkillAnswer.Part(payload: payload, source: .agent)], to: userID, in: &step)
    }
}
