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

    mutating func perform(_ command: Command, by party: String?, in step: inout Step) -> CommandOutcome {
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
