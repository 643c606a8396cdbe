import JSON
import Machines

/// What happens at the desk: waiting, accepting, typing, ending.
extension BoldChatServer {
    // MARK: Waiting

    /// Puts a chat into the queue and tells the agents.
    mutating func beginWaiting(_ key: String, in step: inout Step) {
        guard var chat = self.chats[key] else { return }
        chat.state = .waiting
        self.chats[key] = chat
        self.waiting.append(key)
        self.send("updateChat", self.chatValues(chat), to: key, in: &step)
        if let text = self.account.waitingMessage {
            self.addMessage(key, personID: "system", type: .system, name: "System", text: text, in: &step)
        }
        if let text = self.account.autoMessage { self.send("autoMessage", ["Text": .string(text)], to: key, in: &step) }
        if let question = chat.values["initial_question"] {
            self.addMessage(
                key, personID: chat.visitorID, type: .visitor, name: chat.visitorName, text: question, in: &step)
        }
        self.sendPositions(in: &step)
        var fields = chat.agentFields
        if let question = chat.values["initial_question"] { fields["question"] = .string(question) }
        for name in self.roster { step.ask(.emit(party: name, ChatEvent(.chatWaiting, fields))) }
        // A visitor who never connects is as gone as one who is lost.
        step.ask(.setTimer(.gone(key), self.account.clientTimeout))
        self.acceptReserved(key, in: &step)
    }

    private mutating func acceptReserved(_ key: String, in step: inout Step) {
        guard let chat = self.chats[key] else { return }
        for name in self.roster {
            guard let place = self.agents[name]?.reservations.firstIndex(where: { $0.matches(chat) }) else { continue }
            self.agents[name]?.reservations.remove(at: place)
            return self.accept(key, by: name, in: &step)
        }
    }

    /// Tells waiting visitors their positions, where they have changed.
    mutating func sendPositions(in step: inout Step) {
        guard let ahead = self.account.queueAhead else { return }
        let canCancel = self.account.forms[.unavailable] != nil
        for (place, key) in self.waiting.enumerated() {
            let position = ahead + Int64(place)
            guard self.chats[key]?.position != position else { continue }
            self.chats[key]?.position = position
            let params: JSONObject = ["Position": .integer(position), "UnavailableFormEnabled": .bool(canCancel)]
            self.send("updateBusy", params.merging(self.account.waitMembers(at: position)), to: key, in: &step)
        }
    }

    /// The queue begins to move when a visitor in it is connected.
    mutating func startQueue(for key: String, in step: inout Step) {
        guard let ahead = self.account.queueAhead, ahead > 0, self.waiting.contains(key), !self.isQueueMoving else {
            return
        }
        self.isQueueMoving = true
        step.ask(.setTimer(.queue, self.account.queueInterval))
    }

    /// The queue has moved by one.
    mutating func queueMoved(in step: inout Step) {
        self.isQueueMoving = false
        guard let ahead = self.account.queueAhead, ahead > 0, let first = self.waiting.first else { return }
        self.account.queueAhead = ahead - 1
        self.sendPositions(in: &step)
        self.startQueue(for: first, in: &step)
    }

    private mutating func leaveQueue(_ key: String, in step: inout Step) {
        guard let place = self.waiting.firstIndex(of: key) else { return }
        self.waiting.remove(at: place)
        self.chats[key]?.position = nil
        self.sendPositions(in: &step)
    }

    // MARK: Agents

    /// Makes an agent known to the desk.
    mutating func signIn(_ name: String) {
        guard self.agents[name] == nil else { return }
        self.agents[name] = Agent(name: name, personID: String(9_000_001 + self.roster.count))
        self.roster.append(name)
    }

    /// Gives a waiting chat to an agent.
    mutating func accept(_ key: String, by name: String, in step: inout Step) {
        self.leaveQueue(key, in: &step)
        self.chats[key]?.state = .answered
        self.chats[key]?.agent = name
        self.agents[name]?.chats.append(key)
        let time = self.time(at: step.now)
        self.chats[key]?.answered = time
        if let chat = self.chats[key] {
            let params: JSONObject = ["ChatID": .string(chat.id), "Values": ["Answered": .string(time)]]
            self.send("updateChat", params, to: key, in: &step)
        }
        self.introduce(name, to: key, in: &step)
    }

    private mutating func introduce(_ name: String, to key: String, in step: inout Step) {
        guard let agent = self.agents[name], self.chats[key]?.introduced.insert(name).inserted == true else { return }
        self.send("updateTyper", self.typerValues(agent, isTyping: false), to: key, in: &step)
    }

    /// Shows or hides that the agent of a chat types.
    mutating func setTyping(_ isTyping: Bool, in key: String, by name: String, step: inout Step) {
        guard let agent = self.agents[name] else { return }
        self.chats[key]?.isAgentTyping = isTyping
        let params: JSONObject = ["PersonID": .string(agent.personID), "Values": ["IsTyping": .bool(isTyping)]]
        self.send("updateTyper", params, to: key, in: &step)
    }

    /// Lets an agent say something; whoever has written does not type any more.
    mutating func say(_ text: String, in key: String, by name: String, step: inout Step) {
        guard let agent = self.agents[name] else { return }
        self.addMessage(key, personID: agent.personID, type: .operator, name: name, text: text, in: &step)
        if self.chats[key]?.isAgentTyping == true { self.setTyping(false, in: key, by: name, step: &step) }
    }

    /// Gives a chat to another agent; the visitor sees one leave and the other come.
    mutating func transfer(_ key: String, from name: String, to other: String, in step: inout Step) {
        self.signIn(other)
        self.agents[name]?.chats.removeAll { $0 == key }
        if let agent = self.agents[name] {
            let params: JSONObject = ["PersonID": .string(agent.personID), "Values": .null]
            self.send("updateTyper", params, to: key, in: &step)
        }
        self.chats[key]?.introduced.remove(name)
        self.chats[key]?.isAgentTyping = false
        self.chats[key]?.agent = other
        self.agents[other]?.chats.append(key)
        self.introduce(other, to: key, in: &step)
        let fields = (self.chats[key]?.agentFields ?? [:]).merging(["from_agent": .string(name)])
        step.ask(.emit(party: other, ChatEvent(.chatWaiting, fields)))
    }

    // MARK: Ending

    /// Ends a live chat.
    mutating func end(_ key: String, _ reason: EndedReason, in step: inout Step) {
        guard let chat = self.chats[key], chat.isLive else { return }
        let time = self.time(at: step.now)
        self.leaveQueue(key, in: &step)
        self.chats[key]?.state = .ended
        self.chats[key]?.ended = (reason, time)
        step.ask(.cancelTimer(.gone(key)))
        let values: JSONValue = ["Ended": .string(time), "EndedReason": .string(reason.rawValue)]
        self.send("updateChat", ["ChatID": .string(chat.id), "Values": values], to: key, in: &step)
        self.mailTranscript(key, at: step.now)
        let event = ChatEvent(.chatEnded, chat.agentFields.merging(["reason": .string(reason.rawValue)]))
        if let agent = chat.agent {
            self.agents[agent]?.chats.removeAll { $0 == key }
            step.ask(.emit(party: agent, event))
        } else {
            for name in self.roster { step.ask(.emit(party: name, event)) }
        }
    }
}
