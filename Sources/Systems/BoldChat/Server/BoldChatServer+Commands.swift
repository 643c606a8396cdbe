import JSON
import Machines

/// The commands of scripts to the desk and to its agents.
extension BoldChatServer {
    mutating func perform(_ command: Command, by party: String?, in step: inout Step) -> CommandOutcome {
        guard let party else { return self.performDesk(command, in: &step) }
        guard let method = AgentMethod(rawValue: command.name) else {
            return .refused("a BoldChat agent has no method '\(command.name)'")
        }
        self.signIn(party)
        return self.performAgent(method, command.arguments, by: party, in: &step)
    }

    // MARK: Agents

    private mutating func performAgent(
        _ method: AgentMethod, _ arguments: JSONObject, by name: String, in step: inout Step
    ) -> CommandOutcome {
        switch method {
        case .signIn:
            let options = arguments["options"]?.object ?? [:]
            self.agents[name]?.capacity = options.integer("capacity").map { Int(clamping: $0) }
            return .done(.null)
        case .accept: return self.accept(arguments["visitor"]?.object, by: name, in: &step)
        default: break
        }
        guard let key = self.chatKey(of: arguments["to"]?.object, agent: name) else {
            return .refused("\(name) has no such chat; call accept(visitor) first, and not after the chat has ended")
        }
        switch method {
        case .signIn, .accept: break
        case .typing: self.setTyping(arguments["active"]?.bool ?? true, in: key, by: name, step: &step)
        case .say: self.say(arguments["text"]?.string ?? "", in: key, by: name, step: &step)
        case .finish: self.end(key, .operator, in: &step)
        case .transfer:
            guard let other = arguments["agent"]?.string, !other.isEmpty, other != name else {
                return .refused("transfer needs the name of another agent, such as sam:transfer(\"Kim\")")
            }
            self.transfer(key, from: name, to: other, in: &step)
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

    private mutating func performDesk(_ command: Command, in step: inout Step) -> CommandOutcome {
        guard let method = DeskMethod(rawValue: command.name) else {
            return .refused("a BoldChat desk has no method '\(command.name)'")
        }
        let arguments = command.arguments
        switch method {
        case .setQueue: self.setQueue(arguments["position"]?.integer ?? 0, in: &step)
        case .open: self.account.isOpen = true
        case .close: self.account.isOpen = false
        case .setHours:
            do {
                self.account.schedule = try OpeningHours(arguments["hours"]?.object ?? [:])
            } catch {
                return .refused(error.message)
            }
            self.account.isOpen = nil
        case .setOperators: self.account.hasOperators = arguments["available"]?.bool ?? true
        case .blockVisitor:
            guard let id = arguments.text("visitor_id") else {
                return .refused("block_visitor needs a visitor id, such as visitor.visitor_id")
            }
            if arguments["blocked"]?.bool ?? true {
                self.account.blockedVisitors.insert(id)
            } else {
                self.account.blockedVisitors.remove(id)
            }
        case .setDepartment:
            guard let id = arguments["id"]?.string else {
                return .refused("set_department needs the id of a department")
            }
            let online = arguments["online"]?.bool ?? true
            if let place = self.account.departments.firstIndex(where: { $0.id == id }) {
                self.account.departments[place].isOnline = online
            } else {
                self.account.departments.append(Account.Department(id: id, name: id, isOnline: online))
            }
        case .setForm:
            guard let kind = arguments["kind"]?.string.flatMap(FormKind.init(rawValue:)) else {
                return .refused("set_form needs \"pre_chat\", \"post_chat\" or \"unavailable\"")
            }
            do {
                try self.account.setForm(kind, (arguments["fields"]?.array).map { [$0] } ?? [])
            } catch {
                return .refused(error.message)
            }
        case .mails: return .done(.array(self.mails.map(\.properties)))
        case .chats: return .done(self.properties["chats"] ?? .array([]))
        case .sign:
            guard let secret = self.account.secret else {
                return .refused(
                    "the desk has no secret to sign with; give it one: t:server(boldchat, { secret = \"…\" })")
            }
            var values: [String: String] = [:]
            for (key, value) in arguments["values"]?.object ?? [:] { values[key] = CreationOptions.text(value) }
            let unsecured = (arguments["unsecured"]?.array ?? []).compactMap(\.string)
            return .done(.string(SecuredChat.sign(values, unsecured: unsecured, secret: secret)))
        case .failNext, .breakNext, .delayNext: return self.orderFault(method, arguments)
        case .blockSockets: self.blocksSockets = arguments["blocked"]?.bool ?? true
        default: return self.performOnChat(method, arguments, in: &step)
        }
        return .done(.null)
    }

    private mutating func setQueue(_ position: Int64, in step: inout Step) {
        self.account.queueAhead = min(max(position, 0), 1_000_000)
        self.sendPositions(in: &step)
        if let first = self.waiting.first { self.startQueue(for: first, in: &step) }
    }

    /// Commands about one chat: that of the actor named, else the newest that is live.
    private mutating func performOnChat(
        _ method: DeskMethod, _ arguments: JSONObject, in step: inout Step
    ) -> CommandOutcome {
        let identity = arguments["visitor"]?.object
        guard let chat = identity.map({ self.chat(of: $0) }) ?? self.newestLiveChat else {
            return .refused("there is no such chat: expect \"chat_started\" on the visitor first")
        }
        let key = chat.key
        switch method {
        case .pushSystemMessage:
            self.addMessage(
                key, personID: "system", type: .system, name: "System", text: arguments["text"]?.string ?? "", in: &step
            )
        case .pushAutoMessage:
            self.send("autoMessage", ["Text": .string(arguments["text"]?.string ?? "")], to: key, in: &step)
        case .offerRecapture: self.chats[key]?.offersRecapture = arguments["offered"]?.bool ?? true
        case .endChat:
            let reason = arguments["reason"]?.string.flatMap(EndedReason.init(rawValue:)) ?? .unknown
            self.end(key, reason, in: &step)
        case .inviteActiveAssist: self.inviteActiveAssist(key, in: &step)
        case .endActiveAssist: self.endActiveAssist(key, in: &step)
        case .sendRemoteControl: self.sendRemoteControl(arguments["command"]?.string ?? "started", key, in: &step)
        case .setVideo: self.setVideo(key, arguments["status"]?.integer ?? 2, in: &step)
        default: self.misbehave(method, arguments, key, in: &step)
        }
        return .done(.null)
    }
}
