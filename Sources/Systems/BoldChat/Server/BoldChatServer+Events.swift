import HTTPTypes
import JSON
import Machines

/// The event stream: sockets, polls, heartbeats and what is sent over them.
extension BoldChatServer {
    // MARK: Sockets

    /// Lets a client's socket in.
    mutating func upgradeRequested(_ connection: ConnectionID, _ request: Request, in step: inout Step) {
        let (path, query) = Self.split(request.head.path ?? "/")
        let account = FormEncoding.percentEncode(self.account.key.accountID)
        guard path == "/aid/\(account)/oss/ws", let key = query["ck"], let chat = self.chats[key] else {
            return step.ask(.refuse(connection, Response(text: "Not Found", status: .notFound)))
        }
        guard !self.blocksSockets else {
            return step.ask(.refuse(connection, Response(text: "Forbidden", status: .forbidden)))
        }
        if let old = chat.socket {
            self.sockets[old] = nil
            step.ask(.close(old, code: 1000, reason: "replaced"))
        }
        let connect = OSSCall(method: "connect").wire
        let fault = self.faults.take(for: "socket")
        switch fault {
        case .status(let code)?:
            return step.ask(.refuse(connection, Response(text: "broken", status: HTTPResponse.Status(code: code))))
        case .message(let message)?:
            return step.ask(.refuse(connection, Response(json: .object(Self.error(message)), status: .forbidden)))
        case .drop?:
            step.ask(.accept(connection, subprotocol: nil))
            return step.ask(.abort(connection))
        case .malformed?, .delay?, nil: break
        }
        if self.sockets.isEmpty { step.ask(.setTimer(.heartbeat, self.account.heartbeatInterval)) }
        self.sockets[connection] = key
        self.chats[key]?.socket = connection
        self.chats[key]?.isGreeted = false
        step.ask(.cancelTimer(.gone(key)))
        step.ask(.accept(connection, subprotocol: nil))
        switch fault {
        case .malformed?: step.ask(.transmit(connection, .text("{\"method\": \"conn")))
        case .delay(let delay)?: self.delay(.frame(connection, connect), by: delay, in: &step)
        default: step.ask(.transmit(connection, .text(connect.description)))
        }
    }

    /// Takes in a frame of a client.
    mutating func received(_ connection: ConnectionID, _ message: WebSocketMessage, in step: inout Step) {
        guard let key = self.sockets[connection], let frame = OSSFrame(message.bytes) else { return }
        switch frame {
        case .answer(let answer):
            // The acknowledgement of a heartbeat: everything before it has arrived.
            if let number = answer.number { self.chats[key]?.log.acknowledge(number) }
        case .call(let call):
            let members: JSONObject
            let fault = self.faults.take(for: call.method)
            if case .message(let text)? = fault {
                members = ["Status": "error", "Message": .string(text)]
            } else if call.method == "connect" {
                switch fault {
                case .delay(let delay)?: return self.delay(.greeting(connection, call), by: delay, in: &step)
                case nil: return self.greeted(key, connection, call, in: &step)
                default: members = [:]
                }
            } else if let method = RESTMethod(rawValue: call.method) {
                // The socket belongs to one chat, whatever key the call names.
                members = self.answer(method, call.params.merging(["ChatKey": .string(key)]), in: &step)
            } else {
                members = ["Status": "error", "Message": "Unknown method"]
            }
            self.answer(call, with: members, spoiltBy: fault, over: connection, in: &step)
        }
    }

    /// The client has said which events it has; it gets the others.
    mutating func greeted(
        _ key: String, _ connection: ConnectionID, _ call: OSSCall, in step: inout Step
    ) {
        let after = call.params.integer("LastMessageID") ?? 0
        self.chats[key]?.log.acknowledge(after)
        let answer = OSSAnswer(id: call.id, result: ["Status": "success"]).raw
        step.ask(.transmit(connection, .text(answer.description)))
        for entry in self.chats[key]?.log.entries(after: after) ?? [] {
            step.ask(.transmit(connection, .text(entry.frame.description)))
        }
        self.chats[key]?.isGreeted = true
        self.repeatSignal(to: key, in: &step)
        self.visitorArrived(key, in: &step)
    }

    /// Says again of the stream what a client has not heard that comes back.
    private mutating func repeatSignal(to key: String, in step: inout Step) {
        if let name = self.chats[key]?.standingSignal { self.signal(name, [:], to: key, in: &step) }
    }

    private mutating func visitorArrived(_ key: String, in step: inout Step) {
        step.ask(.cancelTimer(.gone(key)))
        self.startQueue(for: key, in: &step)
    }

    /// Sends a heartbeat to every client that listens.
    mutating func sendHeartbeats(in step: inout Step) {
        guard !self.sockets.isEmpty else { return }
        step.ask(.setTimer(.heartbeat, self.account.heartbeatInterval))
        for (connection, key) in self.sockets.sorted(by: { $0.key.number < $1.key.number }) {
            guard self.chats[key]?.isGreeted == true, self.chats[key]?.sendsHeartbeats == true else { continue }
            let id = self.nextEventID()
            self.chats[key]?.log.issued(id)
            let frame = OSSCall(method: "heartbeat", id: .integer(id)).wire
            step.ask(.transmit(connection, .text(frame.description)))
        }
    }

    // MARK: Polls

    /// Takes in a poll, which may be spoilt.
    mutating func pollRequested(_ exchange: ExchangeID, _ query: [String: String], in step: inout Step) {
        switch self.faults.take(for: "poll") {
        case .delay(let delay)?: self.delay(.poll(exchange, query: query), by: delay, in: &step)
        case .message(let message)?: step.ask(.respond(exchange, Response(json: .object(Self.error(message)))))
        case let fault?: self.respond(exchange, Response(json: .array([])), spoiltBy: fault, in: &step)
        case nil: self.pollHeld(exchange, query, in: &step)
        }
    }

    /// Holds a poll until there are events, or answers it at once.
    mutating func pollHeld(_ exchange: ExchangeID, _ query: [String: String], in step: inout Step) {
        guard let key = query["ck"], let chat = self.chats[key] else {
            return step.ask(.respond(exchange, Response(text: "Not Found", status: .notFound)))
        }
        let after = Int64(query["LastMessageID"] ?? "") ?? 0
        self.chats[key]?.log.acknowledge(after)
        if let old = chat.poll { self.answerPoll(old.exchange, in: &step) }
        self.polls[exchange] = key
        self.chats[key]?.poll = (exchange, after)
        step.ask(.setTimer(.poll(exchange), Self.pollLimit))
        // Being answered is being connected: the first poll of a chat is never held.
        if !chat.isGreeted || !chat.log.entries(after: after).isEmpty {
            self.chats[key]?.isGreeted = true
            self.answerPoll(exchange, in: &step)
        }
        self.repeatSignal(to: key, in: &step)
        self.visitorArrived(key, in: &step)
    }

    /// Answers a poll with what has happened since the id it named.
    mutating func answerPoll(_ exchange: ExchangeID, in step: inout Step) {
        guard let key = self.polls.removeValue(forKey: exchange), let chat = self.chats[key], let poll = chat.poll
        else {
            return
        }
        self.chats[key]?.poll = nil
        step.ask(.cancelTimer(.poll(exchange)))
        var events = chat.log.entries(after: poll.after).map(\.frame)
        if chat.ended == nil { events.append(OSSCall(method: "reconnect").wire) }
        step.ask(.respond(exchange, Response(json: .array(events))))
        self.visitorPolls(key, in: &step)
    }

    /// Between two polls a visitor counts as away.
    private func visitorPolls(_ key: String, in step: inout Step) {
        guard self.chats[key]?.isLive == true else { return }
        step.ask(.setTimer(.gone(key), self.account.clientTimeout))
    }

    // MARK: Sending

    /// Tells a chat's client that something has happened, now or when it comes back.
    mutating func send(_ method: String, _ params: JSONObject, to key: String, in step: inout Step) {
        let id = self.nextEventID()
        let frame = OSSCall(method: method, params: params, id: .integer(id)).wire
        // No copy of the record is held here, so that the log grows in place.
        self.chats[key]?.log.append(ChatEventLog.Entry(id: id, frame: frame))
        if let socket = self.chats[key]?.socket, self.chats[key]?.isGreeted == true {
            step.ask(.transmit(socket, .text(frame.description)))
        } else if let poll = self.chats[key]?.poll {
            self.answerPoll(poll.exchange, in: &step)
        }
    }

    /// Adds a message to the transcript and tells the client, and the agent if the visitor wrote it.
    mutating func addMessage(
        _ key: String, personID: String, type: PersonType, name: String, text: String, in step: inout Step
    ) {
        let message = ChatRecord.Message(
            id: self.nextMessageID(), personID: personID, personType: type, name: name, text: text,
            time: self.time(at: step.now))
        self.chats[key]?.keep(message)
        let params: JSONObject = ["MessageID": .string(String(message.id)), "Values": .object(message.values)]
        self.send("addMessage", params, to: key, in: &step)
        guard type == .visitor, let chat = self.chats[key], let agent = chat.agent else { return }
        let fields = chat.agentFields.merging([
            "id": .string(String(message.id)), "from": "visitor", "text": .string(text),
        ])
        step.ask(.emit(party: agent, ChatEvent(.message, fields)))
    }

    /// Begins the log of a chat anew, with what its client does not have: the state, the people, later messages.
    mutating func restartLog(_ key: String, after lastMessageID: Int64) {
        guard let chat = self.chats[key] else { return }
        self.chats[key]?.log.clear()
        var frames: [(String, JSONObject)] = [("updateChat", self.chatValues(chat))]
        for name in chat.introduced.sorted() {
            guard let agent = self.agents[name] else { continue }
            frames.append(("updateTyper", self.typerValues(agent, isTyping: false)))
        }
        for message in chat.messages where message.id > lastMessageID {
            frames.append(
                ("addMessage", ["MessageID": .string(String(message.id)), "Values": .object(message.values)]))
        }
        for (method, params) in frames {
            let id = self.nextEventID()
            let frame = OSSCall(method: method, params: params, id: .integer(id)).wire
            self.chats[key]?.log.append(ChatEventLog.Entry(id: id, frame: frame))
        }
    }

    /// The members of a full `updateChat`.
    func chatValues(_ chat: ChatRecord) -> JSONObject {
        var values: JSONObject = ["Created": .string(chat.created)]
        if let answered = chat.answered { values["Answered"] = .string(answered) }
        if let ended = chat.ended {
            values["Ended"] = .string(ended.time)
            values["EndedReason"] = .string(ended.reason.rawValue)
        }
        return ["ChatID": .string(chat.id), "Values": .object(values)]
    }

    /// The members of a full `updateTyper`.
    func typerValues(_ agent: Agent, isTyping: Bool) -> JSONObject {
        [
            "PersonID": .string(agent.personID),
            "Values": ["Name": .string(agent.name), "PersonType": "operator", "IsTyping": .bool(isTyping)],
        ]
    }
}
