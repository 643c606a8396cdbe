import JSON
import Machines

/// The commands of scripts to the desk and to its agents.
extension BoldChatServer {
    static func commands(of party: String?) -> CommandSet<DeskCommand> {
        party == nil ? ServerVocabulary.commands : ServerVocabulary.agentCommands
    }

    mutating func perform(_ command: DeskCommand, by party: String?, in step: inout Step) -> CommandOutcome {
        switch command {
        case .account(let command): return self.perform(command, in: &step)
        case .chat(let command, let visitor):
            guard let chat = visitor.map({ self.chat(of: $0) }) ?? self.newestLiveChat else {
                return .refused("there is no such chat: expect \"chat_started\" on the visitor first")
            }
            self.perform(command, on: chat.key, in: &step)
            return .done(.null)
        case .agent(let command):
            let name = party ?? ""
            self.signIn(name)
            return self.perform(command, by: name, in: &step)
        }
    }

    // MARK: Agents

    private mutating func perform(
        _ command: AgentCommand, by name: String, in step: inout Step
    ) -> CommandOutcome {
        switch command {
        case .signIn(let options):
            self.agents[name]?.capacity = options?.integer("capacity").map { Int(clamping: $0) }
        case .accept(let visitor): return self.accept(visitor, by: name, in: &step)
        case .chat(let act, let visitor):
            guard let key = self.chatKey(of: visitor, agent: name) else {
                return .refused(
                    "\(name) has no such chat; call accept(visitor) first, and not after the chat has ended")
            }
            switch act {
            case .typing(let isActive): self.setTyping(isActive, in: key, by: name, step: &step)
            case .say(let text): self.say(text, in: key, by: name, step: &step)
            case .finish: self.end(key, .operator, in: &step)
            case .transfer(let other):
                guard !other.isEmpty, other != name else {
                    return .refused("transfer needs the name of another agent, such as sam:transfer(\"Kim\")")
                }
                self.transfer(key, from: name, to: other, in: &step)
            }
        }
        return .done(.null)
    }

    private mutating func accept(
        _ identity: JSONObject?, by name: String, in step: inout Step
    ) -> CommandOutcome {
        if let limit = self.agents[name]?.capacity, self.agents[name]?.chats.count ?? 0 >= limit {
            return .refused("\(name) has \(limit) chats already, the capacity of the agent; finish one first")
        }
        guard let identity else {
            guard let key = self.waiting.first else {
                self.agents[name]?.reservations.append(Agent.Reservation())
                return .done(.null)
            }
            self.accept(key, by: name, in: &step)
            return .done(.null)
        }
        let reservation = Agent.Reservation(
            visitorID: identity.text("visitor_id"), chatKey: identity.text("chat_key"))
        if let key = self.waiting.first(where: { self.chats[$0].map(reservation.matches) ?? false }) {
            self.accept(key, by: name, in: &step)
            return .done(.null)
        }
        if let chat = self.chat(of: identity), chat.state == .answered {
            return .refused("the chat of this visitor is with \(chat.agent ?? "another agent") already")
        }
        // The visitor is not there yet, or still fills in a form: accepted as soon as the chat waits.
        if (self.agents[name]?.reservations.count ?? 0) < Self.chatLimit {
            self.agents[name]?.reservations.append(reservation)
        }
        return .done(.null)
    }

    /// The chat that a command of an agent is about: the one named, else the one accepted last.
    private func chatKey(of identity: JSONObject?, agent name: String) -> String? {
        guard let identity else { return self.agents[name]?.chats.last }
        guard let chat = self.chat(of: identity), chat.agent == name, chat.isLive else { return nil }
        return chat.key
    }

    /// The chat of an actor.
    func chat(of identity: JSONObject) -> ChatRecord? {
        if let key = identity.text("chat_key") { return self.chats[key] }
        return identity.text("visitor_id").flatMap { self.newestChat(of: $0) }
    }

    // MARK: Desk

    private mutating func perform(_ command: AccountCommand, in step: inout Step) -> CommandOutcome {
        switch command {
        case .setQueue(let position): self.setQueue(position, in: &step)
        case .setOpen(let isOpen): self.account.isOpen = isOpen
        case .setHours(let hours):
            do {
                self.account.schedule = try OpeningHours(hours.object ?? [:])
            } catch {
                return .refused(error.message)
            }
            self.account.isOpen = nil
        case .setOperators(let areThere): self.account.hasOperators = areThere
        case .blockVisitor(let id, let isBlocked):
            guard !id.isEmpty else {
                return .refused("block_visitor needs a visitor id, such as visitor.visitor_id")
            }
            if isBlocked {
                self.account.blockedVisitors.insert(id)
            } else {
                self.account.blockedVisitors.remove(id)
            }
        case .setDepartment(let id, let isOnline):
            if let place = self.account.departments.firstIndex(where: { $0.id == id }) {
                self.account.departments[place].isOnline = isOnline
            } else {
                self.account.departments.append(Account.Department(id: id, name: id, isOnline: isOnline))
            }
        case .setForm(let kind, let fields):
            do {
                try self.account.setForm(kind, fields.map { [$0] } ?? [])
            } catch {
                return .refused(error.message)
            }
        case .mails: return .done(.array(self.mails.map(\.properties)))
        case .chats: return .done(self.properties["chats"] ?? .array([]))
        case .sign(let values, let unsecured):
            guard let secret = self.account.secret else {
                return .refused(
                    "the desk has no secret to sign with; give it one: t:server(boldchat, { secret = \"…\" })")
            }
            var texts: [String: String] = [:]
            for (key, value) in values { texts[key] = CreationOptions.text(value) }
            return .done(.string(SecuredChat.sign(texts, unsecured: unsecured, secret: secret)))
        case .order(let fault, let method, let times): return self.orderFault(fault, of: method, times: times ?? 1)
        case .blockSockets(let isBlocked): self.blocksSockets = isBlocked
        }
        return .done(.null)
    }

    private mutating func setQueue(_ position: Int64, in step: inout Step) {
        self.account.queueAhead = min(max(position, 0), 1_000_000)
        self.sendPositions(in: &step)
        if let first = self.waiting.first { self.startQueue(for: first, in: &step) }
    }

    private mutating func perform(_ command: ChatCommand, on key: String, in step: inout Step) {
        switch command {
        case .pushSystemMessage(let text):
            self.addMessage(key, personID: "system", type: .system, name: "System", text: text, in: &step)
        case .pushAutoMessage(let text): self.send("autoMessage", ["Text": .string(text)], to: key, in: &step)
        case .offerRecapture(let isOffered): self.chats[key]?.offersRecapture = isOffered
        case .end(let reason): self.end(key, reason, in: &step)
        case .inviteActiveAssist: self.inviteActiveAssist(key, in: &step)
        case .endActiveAssist: self.endActiveAssist(key, in: &step)
        case .sendRemoteControl(let command): self.sendRemoteControl(command.rawValue, key, in: &step)
        case .setVideo(let status): self.setVideo(key, status, in: &step)
        case .misbehave(let fault): self.misbehave(fault, key, in: &step)
        }
    }
}
