import JSON
import Machines

/// The desk: its agents, the queue in front of it, and who has which chat.
///
/// | chat | input | → chat | actions |
/// |---|---|---|---|
/// | elsewhere | `chatWaiting` | in the queue | tells the visitor, the others in the queue and the agents |
/// | elsewhere | `chatWaiting`, an agent with room waits for it | with that agent | the same, and accepts it |
/// | in the queue | `capacitySet`, `ended` of another: who waits for it has room | with that agent | accepts it |
/// | in the queue | `acceptAsked` | with the agent | tells the visitor, the others in the queue, and the agent what was said |
/// | elsewhere | `acceptAsked`, not with another agent | elsewhere | a reservation |
/// | with an agent | `transferred` | with the other | tells the other and the visitor; who waits for the first comes |
/// | with an agent | `joined` by another | with both | tells the visitor |
/// | with an agent | `typed`, `said` | unchanged | tells the visitor |
/// | in the queue | `queueDismissed` | elsewhere | as `ended` |
/// | in the queue, with an agent | `ended` | elsewhere | tells the visitor and the agent or agents; mails the transcript |
///
/// | queue | input | → queue | actions |
/// |---|---|---|---|
/// | resting | `visitorArrived` who waits, `queueSet`, visitors ahead | moving | sets the timer |
/// | moving | `queueMoved` | moving, or resting at the front | tells positions |
struct DeskPart: Sendable {
    /// What happens at the desk; a text is the key of a chat or the name of an agent.
    enum Input: Sendable {
        case agentArrived(String)
        case capacitySet(Int?, of: String)
        /// An agent wants a visitor, or the one who has waited longest.
        case acceptAsked(JSONObject?, by: String)
        case chatWaiting(String)
        case visitorArrived(String)
        case queueSet(ahead: Int64)
        case queueMoved
        case typed(Bool, in: String, by: String)
        case said(String, in: String, by: String)
        case transferred(String, from: String, to: String)
        /// An agent comes into the chat of another one.
        case joined(JSONObject, by: String)
        /// Everybody who waits is sent away.
        case queueDismissed(EndedReason)
        case ended(String, EndedReason)
    }

    private(set) var agents: [String: Agent] = [:]
    /// The names of the agents in the order in which they signed in.
    private(set) var roster: [String] = []
    /// Chat keys in the order in which the chats began to wait.
    private(set) var waiting: [String] = []
    /// Whether the timer of the queue runs.
    private(set) var isQueueMoving = false
    /// Visitors ahead of all who wait; nil if positions are not shown.
    private var ahead: Int64?

    /// Reservations that one agent may have; defined here.
    static let reservationLimit = 20_000

    /// Creates a desk with its agents.
    init(ahead: Int64?, agents: [String]) {
        self.ahead = ahead
        for name in agents { self.signIn(name) }
    }

    /// How many wait, those ahead of all chats included.
    var queueLength: Int { Int(clamping: self.ahead ?? 0) + self.waiting.count }

    /// The chat that a command of an agent is about: the one named, else the one accepted last.
    func chatKey(of identity: JSONObject?, agent name: String, _ chats: ChatRegistry) -> String? {
        guard let identity else { return self.agents[name]?.chats.last }
        guard let chat = chats.chat(of: identity), chat.isLive,
            chat.service.agent == name || chat.service.helpers.contains(name)
        else { return nil }
        return chat.key
    }

    /// Takes in what happened.
    mutating func handle(
        _ input: Input, _ chats: inout ChatRegistry, _ account: Account, _ around: ChatRecord.Surroundings
    ) -> [ServerAction] {
        var context = Context(chats: chats, account: account, around: around)
        chats = ChatRegistry()
        defer { chats = context.chats }
        switch input {
        case .agentArrived(let name): self.signIn(name)
        case .capacitySet(let capacity, let name):
            self.agents[name]?.capacity = capacity
            return self.acceptWaiting(for: [name], &context)
        case .acceptAsked(let identity, let name): return self.acceptAsked(identity, by: name, &context)
        case .chatWaiting(let key): return self.beginWaiting(key, &context)
        case .visitorArrived(let key): return self.startQueue(for: key, account)
        case .queueSet(let ahead):
            self.ahead = ahead
            let positions = self.positions(&context)
            return positions + (self.waiting.first.map { self.startQueue(for: $0, account) } ?? [])
        case .queueMoved: return self.queueMoved(&context)
        case .typed(let isTyping, let key, let name): return self.setTyping(isTyping, in: key, by: name, &context)
        case .said(let text, let key, let name): return self.say(text, in: key, by: name, &context)
        case .transferred(let key, let name, let other):
            return self.transfer(key, from: name, to: other, &context)
        case .joined(let identity, let name): return self.join(identity, by: name, &context)
        case .queueDismissed(let reason):
            guard !self.waiting.isEmpty else {
                return [.answer(.refused("nobody waits whom dismiss_queue could send away"))]
            }
            // All are gone at once: nobody moves up before he is sent away himself.
            let dismissed = self.waiting
            self.waiting = []
            return dismissed.flatMap { self.end($0, reason, &context) }
        case .ended(let key, let reason): return self.end(key, reason, &context)
        }
        return []
    }

    /// What the desk works on: the chats, and the account as it is set up.
    private struct Context {
        var chats: ChatRegistry
        let account: Account
        let around: ChatRecord.Surroundings

        /// Tells a chat what has become of it.
        mutating func tell(_ key: String, _ input: ChatRecord.Input) {
            self.chats[key]?.handle(input, at: self.around.moment)
        }
    }

    private mutating func signIn(_ name: String) {
        guard self.agents[name] == nil else { return }
        self.agents[name] = Agent(name: name, personID: String(9_000_001 + self.roster.count))
        self.roster.append(name)
    }

    // MARK: Waiting

    private mutating func beginWaiting(_ key: String, _ context: inout Context) -> [ServerAction] {
        context.tell(key, .queued)
        guard let chat = context.chats[key] else { return [] }
        self.waiting.append(key)
        let queue = context.account.queue
        let question = chat.answers.values["initial_question"]
        var actions: [ServerAction] = [.send("updateChat", chat.chatParams, to: key)]
        if let text = queue.systemMessage { actions.append(.post(.system(text), to: key)) }
        if let text = queue.autoMessage { actions.append(.send("autoMessage", ["Text": .string(text)], to: key)) }
        if let question {
            let posting = Posting(personID: chat.visitorID, type: .visitor, name: chat.visitorName, text: question)
            actions.append(.post(posting, to: key))
        }
        actions += self.positions(&context)
        var fields = chat.agentFields
        if let question { fields["question"] = .string(question) }
        actions += self.roster.map { .tell($0, .chatWaiting, fields) }
        // A visitor who never connects is as gone as one who is lost.
        if let timeout = context.account.times.client { actions.append(.perform(.setTimer(.gone(key), timeout))) }
        return actions + self.acceptReserved(chat, &context)
    }

    private mutating func acceptReserved(_ chat: ChatRecord, _ context: inout Context) -> [ServerAction] {
        for name in self.roster where self.agents[name]?.hasRoom == true {
            guard let place = self.agents[name]?.reservations.firstIndex(where: { $0.matches(chat) }) else { continue }
            self.agents[name]?.reservations.remove(at: place)
            return self.accept(chat.key, by: name, &context)
        }
        return []
    }

    /// Lets agents who may have more chats than before have those that wait for them.
    private mutating func acceptWaiting(for names: [String], _ context: inout Context) -> [ServerAction] {
        guard names.contains(where: { self.agents[$0]?.reservations.isEmpty == false }) else { return [] }
        var actions: [ServerAction] = []
        for key in self.waiting {
            guard let chat = context.chats[key] else { continue }
            actions += self.acceptReserved(chat, &context)
        }
        return actions
    }

    /// Tells waiting visitors their positions, where they have changed.
    private func positions(_ context: inout Context) -> [ServerAction] {
        guard let ahead = self.ahead else { return [] }
        let canCancel = context.account.hasForm(.unavailable)
        var actions: [ServerAction] = []
        for (place, key) in self.waiting.enumerated() {
            let position = ahead + Int64(place)
            guard context.chats[key]?.service.position != position else { continue }
            context.chats[key]?.service.position = position
            let params: JSONObject = ["Position": .integer(position), "UnavailableFormEnabled": .bool(canCancel)]
            let wait = context.account.queue.estimatedWait?.members(at: position) ?? [:]
            actions.append(.send("updateBusy", params.merging(wait), to: key))
        }
        return actions
    }

    /// The queue begins to move when a visitor in it is connected.
    private mutating func startQueue(for key: String, _ account: Account) -> [ServerAction] {
        guard let ahead = self.ahead, ahead > 0, self.waiting.contains(key), !self.isQueueMoving else { return [] }
        self.isQueueMoving = true
        return [.perform(.setTimer(.queue, account.queue.interval))]
    }

    private mutating func queueMoved(_ context: inout Context) -> [ServerAction] {
        self.isQueueMoving = false
        guard let ahead = self.ahead, ahead > 0, let first = self.waiting.first else { return [] }
        self.ahead = ahead - 1
        return self.positions(&context) + self.startQueue(for: first, context.account)
    }

    private mutating func leaveQueue(_ key: String, _ context: inout Context) -> [ServerAction] {
        context.chats[key]?.service.position = nil
        guard let place = self.waiting.firstIndex(of: key) else { return [] }
        self.waiting.remove(at: place)
        return self.positions(&context)
    }

    // MARK: Agents

    private mutating func acceptAsked(
        _ identity: JSONObject?, by name: String, _ context: inout Context
    ) -> [ServerAction] {
        if let obstacle = self.agents[name]?.obstacleToAnotherChat { return [.answer(.refused(obstacle))] }
        guard let identity else {
            guard let key = self.waiting.first else { return self.reserve(Agent.Reservation(), by: name) }
            return self.accept(key, by: name, &context)
        }
        let reservation = Agent.Reservation(
            visitorID: identity.text("visitor_id"), chatKey: identity.text("chat_key"))
        if let key = self.waiting.first(where: { context.chats[$0].map(reservation.matches) ?? false }) {
            return self.accept(key, by: name, &context)
        }
        if let chat = context.chats.chat(of: identity), chat.state == .answered {
            let owner = chat.service.agent ?? "another agent"
            return [.answer(.refused("the chat of this visitor is with \(owner) already"))]
        }
        // The visitor is not there yet, or still fills in a form: accepted as soon as the chat waits.
        return self.reserve(reservation, by: name)
    }

    private mutating func reserve(_ reservation: Agent.Reservation, by name: String) -> [ServerAction] {
        guard (self.agents[name]?.reservations.count ?? 0) < Self.reservationLimit else {
            let refusal = "\(name) waits for \(Self.reservationLimit) visitors already; let them come first"
            return [.answer(.refused(refusal))]
        }
        self.agents[name]?.reservations.append(reservation)
        return []
    }

    /// Gives a waiting chat to an agent.
    private mutating func accept(_ key: String, by name: String, _ context: inout Context) -> [ServerAction] {
        var actions = self.leaveQueue(key, &context)
        let time = context.around.moment.time
        context.tell(key, .accepted)
        context.chats[key]?.service.agent = name
        context.chats[key]?.service.answered = time
        self.agents[name]?.chats.append(key)
        if let chat = context.chats[key] {
            let params: JSONObject = ["ChatID": .string(chat.id), "Values": ["Answered": .string(time)]]
            actions.append(.send("updateChat", params, to: key))
        }
        actions += self.introduce(name, to: key, &context)
        // Whoever accepts reads what was said before.
        let fields = context.chats[key]?.agentFields ?? [:]
        return actions
            + (context.chats[key]?.unheard ?? []).map { .tell(name, .message, fields.merging($0.agentFields)) }
    }

    private func introduce(_ name: String, to key: String, _ context: inout Context) -> [ServerAction] {
        guard let agent = self.agents[name], let chat = context.chats[key], chat.service.introduced[name] == nil else {
            return []
        }
        context.chats[key]?.service.introduced[name] = agent.personID
        return [.send("updateTyper", Agent.typerParams(name: name, personID: agent.personID), to: key)]
    }

    private func setTyping(
        _ isTyping: Bool, in key: String, by name: String, _ context: inout Context
    ) -> [ServerAction] {
        guard let agent = self.agents[name] else { return [] }
        if isTyping {
            context.chats[key]?.service.typing.insert(name)
        } else {
            context.chats[key]?.service.typing.remove(name)
        }
        let params: JSONObject = ["PersonID": .string(agent.personID), "Values": ["IsTyping": .bool(isTyping)]]
        return [.send("updateTyper", params, to: key)]
    }

    /// Lets an agent say something; whoever has written does not type any more.
    private func say(_ text: String, in key: String, by name: String, _ context: inout Context) -> [ServerAction] {
        guard let agent = self.agents[name] else { return [] }
        let posting = Posting(personID: agent.personID, type: .operator, name: name, text: text)
        let wasTyping = context.chats[key]?.service.typing.contains(name) == true
        return [.post(posting, to: key)] + (wasTyping ? self.setTyping(false, in: key, by: name, &context) : [])
    }

    /// Gives a chat to another agent; the visitor sees one leave and the other come.
    private mutating func transfer(
        _ key: String, from name: String, to other: String, _ context: inout Context
    ) -> [ServerAction] {
        guard self.agents[other] != nil else {
            let others = self.roster.filter { $0 != name }
            let hint = TextDistance.hint(other, among: others)
            return [.answer(.refused("transfer: the desk has no other agent \"\(other)\"\(hint)"))]
        }
        if let obstacle = self.agents[other]?.obstacleToAnotherChat {
            return [.answer(.refused("transfer: \(obstacle)"))]
        }
        self.agents[name]?.chats.removeAll { $0 == key }
        var actions: [ServerAction] = []
        if let agent = self.agents[name] {
            let params: JSONObject = ["PersonID": .string(agent.personID), "Values": .null]
            actions.append(.send("updateTyper", params, to: key))
        }
        context.chats[key]?.service.introduced[name] = nil
        context.chats[key]?.service.typing.remove(name)
        context.chats[key]?.service.helpers.removeAll { $0 == other }
        context.chats[key]?.service.agent = other
        self.agents[other]?.chats.append(key)
        actions += self.introduce(other, to: key, &context)
        let fields = (context.chats[key]?.agentFields ?? [:]).merging(["from_agent": .string(name)])
        // Whoever gives a chat away has room again.
        return actions + [.tell(other, .chatWaiting, fields)] + self.acceptWaiting(for: [name], &context)
    }

    /// Lets an agent into the chat of another one; both can write and are seen to type.
    private mutating func join(
        _ identity: JSONObject, by name: String, _ context: inout Context
    ) -> [ServerAction] {
        guard let chat = context.chats.chat(of: identity), chat.state == .answered else {
            return [.answer(.refused("\(name) can join a chat that another agent has accepted; call accept first"))]
        }
        guard chat.service.agent != name, !chat.service.helpers.contains(name) else {
            return [.answer(.refused("\(name) is in this chat already"))]
        }
        if let obstacle = self.agents[name]?.obstacleToAnotherChat { return [.answer(.refused(obstacle))] }
        context.chats[chat.key]?.service.helpers.append(name)
        self.agents[name]?.chats.append(chat.key)
        return self.introduce(name, to: chat.key, &context)
    }

    // MARK: Ending

    private mutating func end(_ key: String, _ reason: EndedReason, _ context: inout Context) -> [ServerAction] {
        guard let chat = context.chats[key], chat.isLive else { return [] }
        let moment = context.around.moment
        var actions = self.leaveQueue(key, &context)
        context.tell(key, .ended(reason))
        let values: JSONValue = ["Ended": .string(moment.time), "EndedReason": .string(reason.rawValue)]
        actions += [
            .perform(.cancelTimer(.gone(key))),
            .send("updateChat", ["ChatID": .string(chat.id), "Values": values], to: key),
        ]
        actions += context.chats[key]?.transcriptMail(moment) ?? []
        let fields = chat.agentFields.merging(["reason": .string(reason.rawValue)])
        let present = chat.service.present
        if !present.isEmpty {
            for name in present { self.agents[name]?.chats.removeAll { $0 == key } }
            return actions + present.map { .tell($0, .chatEnded, fields) } + self.acceptWaiting(for: present, &context)
        }
        return actions + self.roster.map { .tell($0, .chatEnded, fields) }
    }
}
