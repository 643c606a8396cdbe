import JSON
import Machines

extension OracleServer {
    /// Tells the agent of a conversation, or all agents where it has none, what happened.
    func tellAgents(
        of conversation: ServerConversation, _ kind: EventKind, _ fields: JSONObject, raw: JSONValue?,
        in step: inout Step
    ) {
        let names = conversation.agent.map { [$0] } ?? (kind == .chatWaiting ? self.agents : [])
        for name in names { step.ask(.emit(party: name, ChatEvent(kind, fields, raw: raw))) }
    }

    // MARK: What scripts ask for

    static func commands(of party: String?) -> CommandSet<ServerCommand> {
        party == nil ? ServerVocabulary.commands : ServerVocabulary.agentCommands
    }

    mutating func perform(_ command: ServerCommand, by party: String?, in step: inout Step)
        -> CommandOutcome
    {
        switch command {
        case .channel(let command): return self.perform(command, at: step.now)
        case .user(let command, let user, let name):
            guard let userID = self.user(user) else {
                return .refused(
                    "\(name) needs a user that has connected; there are \(self.conversations.keys.sorted())")
            }
            return self.perform(command, with: userID, in: &step)
        case .agent(let command): return self.perform(command, byAgent: party ?? "", in: &step)
        }
    }

    private mutating func perform(_ command: ChannelCommand, at now: Instant) -> CommandOutcome {
        switch command {
        case .makeToken(let claims): return .done(.string(self.makeToken(claims, at: now)))
        case .fault(let name, let value):
            return self.faults.set(name.rawValue, value).map { .refused($0) } ?? .done(.null)
        case .hear(let speech): self.hearing.expect(speech)
        case .enable(let isEnabled): self.channel.isEnabled = isEnabled
        }
        return .done(.null)
    }

    private mutating func perform(
        _ command: UserCommand, with userID: String, in step: inout Step
    ) -> CommandOutcome {
        switch command {
        case .say(let message): self.say(SkillAnswer(message).parts, to: userID, in: &step)
        case .sendFrame(let frame): self.send(frame, to: userID, in: &step)
        case .queue(let position, let text):
            let text = text ?? "You are number \(position) in the queue."
            self.sayStep(.queue, .string(text), ["position": .integer(position)], to: userID, in: &step)
        case .preChat(let form): self.sayStep(.preChat, form, [:], to: userID, in: &step)
        case .unavailable(let message):
            self.conversations[userID]?.waitsForAgent = nil
            self.sayStep(.unavailable, message, [:], to: userID, in: &step)
        case .survey(let message): self.sayStep(.postChat, message, [:], to: userID, in: &step)
        case .endSession: self.endSession(of: userID, in: &step)
        case .drop:
            for connection in self.conversations[userID]?.connections ?? [] {
                step.ask(.abort(connection))
            }
        case .close(let code, let reason):
            guard 1000...4999 ~= code, code != 1005, code != 1006 else {
                return .refused("close takes a code from 1000 to 4999 that can be sent (RFC 6455 §7.4), not \(code)")
            }
            for connection in self.conversations[userID]?.connections ?? [] {
                step.ask(.close(connection, code: UInt16(code), reason: reason))
            }
        case .received: return .done(.array(self.conversations[userID]?.received ?? []))
        case .profile: return .done(.object(self.conversations[userID]?.profile ?? [:]))
        }
        return .done(.null)
    }

    /// Returns the user that is meant: by an actor's identity, a name, or the only one there is.
    func user(_ value: JSONValue?) -> String? {
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
    mutating func sayStep(
        _ name: ConversationStep.Name, _ value: JSONValue, _ details: JSONObject, to userID: String,
        in step: inout Step
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
}
