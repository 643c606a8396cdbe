import HTTPTypes
import JSON
import Machines

/// A simulated BoldChat account: the visitor API, the event stream, and a desk whose agents scripts play.
///
/// What visitors see follows the vendor's documents; the desk has no published protocol and is defined here. The server
/// is put together from parts: it passes what comes in to the part that it is for, and does what the parts want done. A
/// conversation goes through ``ChatRecord`` and ``DeskPart``; what clients hear of it through ``EventStreamPart``.
struct BoldChatServer: ServerMachine {
    /// Its timers.
    enum Timer: MachineTimer {
        /// Heartbeats are due.
        case heartbeat
        /// The queue moves.
        case queue
        /// The visitor of a chat has been away too long.
        case gone(String)
        /// A poll has been held long enough.
        case poll(ExchangeID)
        /// A delayed answer is due.
        case delay(UInt64)

        var description: String {
            switch self {
            case .heartbeat: "heartbeat"
            case .queue: "queue"
            case .gone(let key): "gone.\(key)"
            case .poll(let exchange): "poll.\(exchange.number)"
            case .delay(let number): "delay.\(number)"
            }
        }
    }

    private var account: Account
    /// Where clients reach the server.
    private let origin: WebAddress
    private let epoch: Int64
    private(set) var chats = ChatRegistry()
    private var creations = RepeatedCreations()
    private(set) var desk: DeskPart
    private(set) var stream: EventStreamPart
    private var uploads: UploadPart
    private var faults = FaultPart()
    /// The mails that would have been sent, oldest first.
    private(set) var mails: [Mail] = []
    private var messageNumbers = Numbering.messages

    /// Mails kept; the oldest is dropped, defined here.
    private static let mailLimit = 20_000

    private static let shownChats = 100

    /// Creates a server.
    init(_ configuration: ServerConfiguration) throws(ConfigurationError) {
        let account = try Account(configuration.options)
        guard let origin = WebAddress(webSocket: configuration.origin) else {
            throw ConfigurationError("'\(configuration.origin)' is not an origin; write it as \"http://host:port\"")
        }
        self.account = account
        self.origin = origin
        self.epoch = configuration.epochMilliseconds
        let agents = (configuration.options["agents"]?.array ?? []).compactMap(\.string)
        self.desk = DeskPart(ahead: account.queue.ahead, agents: agents)
        self.stream = EventStreamPart(account.times)
        self.uploads = UploadPart(origin: origin, account: account.key)
    }

    var faultOrders: FaultOrders { self.faults.orders }

    // MARK: Inputs

    mutating func handle(_ input: Input, in step: inout Step) {
        switch input {
        case .requested(let exchange, let request): self.requested(exchange, request, in: &step)
        case .upgradeRequested(let connection, let request): self.upgradeRequested(connection, request, in: &step)
        case .requestAbandoned(let exchange):
            self.perform(self.faults.handle(.pollAbandoned(exchange)), in: &step)
            self.feedStream(.pollAbandoned(exchange), in: &step)
        case .received(let connection, let message): self.received(connection, message, in: &step)
        case .closed(let connection, _): self.feedStream(.socketClosed(connection), in: &step)
        case .timerFired(let timer): self.timerFired(timer, in: &step)
        case .linkOpened, .scriptReturned: break
        }
    }

    private mutating func timerFired(_ timer: Timer, in step: inout Step) {
        switch timer {
        case .heartbeat: self.feedStream(.heartbeatDue, in: &step)
        case .queue: self.feedDesk(.queueMoved, in: &step)
        case .gone(let key): self.feedDesk(.ended(key, .disconnect), in: &step)
        case .poll(let exchange): self.feedStream(.pollDue(exchange), in: &step)
        case .delay(let number): self.perform(self.faults.handle(.due(number)), in: &step)
        }
    }

    // MARK: Requests

    private mutating func requested(_ exchange: ExchangeID, _ request: Request, in step: inout Step) {
        guard !self.account.demandsTLS || request.head.scheme != "http" else {
            return step.ask(.respond(exchange, Response(text: "Forbidden", status: .forbidden)))
        }
        let visit = VisitorRequest(request, to: self.account.key)
        switch visit.target {
        case .method(let name): self.called(exchange, name, visit, in: &step)
        case .poll: self.pollRequested(exchange, visit.query, in: &step)
        case .files(let path):
            let input = UploadPart.Input.requested(exchange, path: path, request, self.faults.take(for: "files"))
            self.perform(
                self.uploads.handle(
                    input, self.chats, settings: self.account.windowSettings, random: &step.random),
                in: &step)
        case .socket, nil: step.ask(.respond(exchange, Response(text: "Not Found", status: .notFound)))
        }
    }

    private mutating func called(
        _ exchange: ExchangeID, _ name: String, _ visit: VisitorRequest, in step: inout Step
    ) {
        guard visit.isAuthorized(by: self.account.key) else {
            var response = Response(
                json: .object(ServerAction.refusalMembers("Not authorized")), status: .unauthorized)
            response.head.headerFields[.wwwAuthenticate] = "Basic realm=\"BoldChat\""
            return step.ask(.respond(exchange, response))
        }
        guard let method = RESTMethod(rawValue: name) else {
            let answer = JSONValue.object(ServerAction.refusalMembers("Unknown method"))
            return step.ask(.respond(exchange, Response(json: answer, status: .notFound)))
        }
        let fault = self.faults.take(for: name)
        let members: JSONObject
        if case .message(let message)? = fault {
            members = ServerAction.refusalMembers(message)
        } else if let field = visit.repeatedField {
            // Of two values one would be lost without a word.
            members = ServerAction.refusalMembers("\(field) is given twice; send each field once")
        } else {
            members = self.answer(method, visit.parameters, to: visit.idempotencyKey, in: &step)
        }
        self.perform([.respond(exchange, Response(json: .object(members)), spoiltBy: fault)], in: &step)
    }

    private mutating func pollRequested(
        _ exchange: ExchangeID, _ query: [String: String], in step: inout Step
    ) {
        switch self.faults.take(for: "poll") {
        case .delay(let delay)?:
            self.perform(self.faults.handle(.delayed(.poll(exchange, query: query), delay)), in: &step)
        case .message(let message)?:
            step.ask(.respond(exchange, Response(json: .object(ServerAction.refusalMembers(message)))))
        case let fault?:
            self.perform([.respond(exchange, Response(json: .array([])), spoiltBy: fault)], in: &step)
        case nil: self.hold(exchange, query, in: &step)
        }
    }

    private mutating func hold(_ exchange: ExchangeID, _ query: [String: String], in step: inout Step) {
        guard let key = query["ck"], self.chats.has(key) else {
            return step.ask(.respond(exchange, Response(text: "Not Found", status: .notFound)))
        }
        self.creations.forget(chatKey: key)
        let after = Int64(query["LastMessageID"] ?? "") ?? 0
        self.feedStream(.polled(exchange, of: key, after: after), in: &step)
    }

    // MARK: Sockets

    private mutating func upgradeRequested(_ connection: ConnectionID, _ request: Request, in step: inout Step) {
        let visit = VisitorRequest(request, to: self.account.key)
        guard visit.target == .socket, let key = visit.query["ck"], self.chats.has(key) else {
            return step.ask(.refuse(connection, Response(text: "Not Found", status: .notFound)))
        }
        guard !self.faults.blocksSockets else {
            return step.ask(.refuse(connection, Response(text: "Forbidden", status: .forbidden)))
        }
        self.creations.forget(chatKey: key)
        self.feedStream(.socketAsked(key), in: &step)
        let connect = OSSCall(method: "connect").wire
        switch self.faults.take(for: "socket") {
        case .status(let code)?:
            step.ask(.refuse(connection, Response(text: "broken", status: HTTPResponse.Status(code: code))))
        case .message(let message)?:
            let refusal = Response(json: .object(ServerAction.refusalMembers(message)), status: .forbidden)
            step.ask(.refuse(connection, refusal))
        case .drop?:
            step.ask(.accept(connection, subprotocol: nil))
            step.ask(.abort(connection))
        case .malformed?:
            self.feedStream(.socketOpened(connection, of: key), in: &step)
            step.ask(.transmit(connection, .text("{\"method\": \"conn")))
        case .delay(let delay)?:
            self.feedStream(.socketOpened(connection, of: key), in: &step)
            self.perform(self.faults.handle(.delayed(.frame(connection, connect), delay)), in: &step)
        case nil:
            self.feedStream(.socketOpened(connection, of: key), in: &step)
            step.ask(.transmit(connection, .text(connect.description)))
        }
    }

    private mutating func received(_ connection: ConnectionID, _ message: WebSocketMessage, in step: inout Step) {
        guard let key = self.stream.key(of: connection), let frame = OSSFrame(message) else { return }
        switch frame {
        case .answer(let answer):
            // The acknowledgement of a heartbeat: everything before it has arrived.
            if let number = answer.number { self.feedStream(.acknowledged(connection, number), in: &step) }
        case .call(let call):
            let fault = self.faults.take(for: call.method)
            let members: JSONObject
            if case .message(let text)? = fault {
                members = ServerAction.refusalMembers(text)
            } else if call.method == "connect" {
                switch fault {
                case .delay(let delay)?:
                    self.perform(self.faults.handle(.delayed(.greeting(connection, call), delay)), in: &step)
                    return
                case nil: return self.feedStream(.greeted(connection, call), in: &step)
                default: members = [:]
                }
            } else if let method = RESTMethod(rawValue: call.method) {
                // The socket belongs to one chat, whatever key the call names.
                members = self.answer(method, call.params.merging(["ChatKey": .string(key)]), in: &step)
            } else {
                members = ServerAction.refusalMembers("Unknown method")
            }
            self.perform(self.faults.handle(.answering(call, members, fault, connection)), in: &step)
        }
    }

    // MARK: The visitor API

    /// Answers a method, the same over REST and over the event stream.
    ///
    /// - Parameter request: By what a repetition is known; nil if the client did not say.
    /// - Returns: The members of the answer, `Status` among them.
    mutating func answer(
        _ method: RESTMethod, _ parameters: JSONObject, to request: IdempotencyKey? = nil, in step: inout Step
    ) -> JSONObject {
        let around = self.surroundings(step)
        switch method {
        case .getChatAvailability:
            return self.account.availability(parameters, queueLength: around.queueLength, at: around.moment)
        case .getDepartments: return self.account.departmentMembers
        case .createChat:
            return self.creations.reply(to: request) ?? self.createChat(parameters, around, to: request, in: &step)
        default: break
        }
        guard let key = parameters.text("ChatKey"), self.chats.has(key) else {
            return ServerAction.refusalMembers("Invalid ChatKey")
        }
        self.creations.forget(chatKey: key)
        let actions = self.chats[key]?.called(method, parameters, self.account, around) ?? []
        return self.perform(actions, in: &step).reply
    }

    private mutating func createChat(
        _ parameters: JSONObject, _ around: ChatRecord.Surroundings, to request: IdempotencyKey?,
        in step: inout Step
    ) -> JSONObject {
        do throws(ChatCreation.Rejection) {
            let creation = try ChatCreation(parameters, self.account, around, random: &step.random)
            let key = creation.chat.key
            let (isKept, forgotten) = self.chats.keep(creation.chat)
            guard isKept else { return ServerAction.refusalMembers("Too many chats") }
            if let forgotten { self.forget(forgotten, in: &step) }
            self.feedStream(.chatBegan(key), in: &step)
            if creation.waits { self.feedDesk(.chatWaiting(key), in: &step) }
            let reply = ServerAction.successMembers.merging(creation.reply)
            self.creations.keep(reply, to: request, chatKey: key)
            return reply
        } catch {
            return ServerAction.refusalMembers(error.message)
        }
    }

    private mutating func forget(_ key: String, in step: inout Step) {
        self.creations.forget(chatKey: key)
        self.feedStream(.chatForgotten(key), in: &step)
        let actions = self.uploads.handle(.chatForgotten(key), self.chats, settings: [:], random: &step.random)
        self.perform(actions, in: &step)
    }

    // MARK: Parts

    private func moment(at now: Instant) -> ServerMoment {
        ServerMoment(milliseconds: now.onWallClock(startingAt: self.epoch))
    }

    private func surroundings(_ step: Step) -> ChatRecord.Surroundings {
        ChatRecord.Surroundings(
            moment: self.moment(at: step.now), queueLength: self.desk.queueLength, origin: self.origin)
    }

    @discardableResult
    private mutating func feedDesk(_ input: DeskPart.Input, in step: inout Step) -> Outcome {
        let around = self.surroundings(step)
        return self.perform(self.desk.handle(input, &self.chats, self.account, around), in: &step)
    }

    private mutating func feedStream(_ input: EventStreamPart.Input, in step: inout Step) {
        self.perform(self.stream.handle(input, self.chats), in: &step)
    }

    @discardableResult
    private mutating func assist(_ key: String, _ input: AssistPart.Input, in step: inout Step) -> Outcome {
        guard let chat = self.chats[key]?.assistChat else { return Outcome() }
        let moment = self.moment(at: step.now)
        let actions = self.chats[key]?.assist.handle(input, in: chat, at: moment, random: &step.random) ?? []
        return self.perform(actions, in: &step)
    }

    // MARK: Actions

    /// What comes back of what was asked for: to a script, and to a client that has called a method.
    private struct Outcome {
        var command = CommandOutcome.done(.null)
        var reply: JSONObject = [:]
    }

    /// Does what a part wants done.
    @discardableResult
    private mutating func perform(_ actions: [ServerAction], in step: inout Step) -> Outcome {
        var outcome = Outcome()
        for action in actions {
            switch action {
            case .perform(let effect): step.ask(effect)
            case .answer(let answer): outcome.command = answer
            case .reply(let members): outcome.reply = members
            case .respond(let exchange, let response, let fault):
                self.perform(self.faults.handle(.responding(exchange, response, fault)), in: &step)
            case .send(let method, let params, let key):
                self.feedStream(.event(method, params, of: key), in: &step)
            case .stream(let input): self.feedStream(input, in: &step)
            case .hold(let exchange, let query): self.hold(exchange, query, in: &step)
            case .transmit(let connection, let frame):
                guard self.stream.key(of: connection) != nil else { continue }
                step.ask(.transmit(connection, .text(frame.description)))
            case .post(let posting, let key, let agents): self.post(posting, to: key, telling: agents, in: &step)
            case .chat(let input, let key):
                let moment = self.moment(at: step.now)
                self.chats[key]?.handle(input, at: moment)
            case .assist(let input, let key): outcome.reply = self.assist(key, input, in: &step).reply
            case .wait(let key): self.feedDesk(.chatWaiting(key), in: &step)
            case .end(let key, let reason): self.feedDesk(.ended(key, reason), in: &step)
            case .visitorArrived(let key): self.feedDesk(.visitorArrived(key), in: &step)
            case .mail(let mail):
                self.mails.append(mail)
                if self.mails.count > Self.mailLimit { self.mails.removeFirst() }
            }
        }
        return outcome
    }

    private mutating func post(
        _ posting: Posting, to key: String, telling agents: [String], in step: inout Step
    ) {
        let message = ChatTranscript.Message(
            id: self.messageNumbers.next(), posting: posting, time: self.moment(at: step.now).time)
        self.chats[key]?.transcript.keep(message)
        self.feedStream(.event("addMessage", message.params, of: key), in: &step)
        guard !agents.isEmpty, let fields = self.chats[key]?.agentFields else { return }
        for agent in agents {
            step.ask(.emit(party: agent, ChatEvent(.message, fields.merging(message.agentFields))))
        }
    }

    // MARK: What scripts read

    var properties: JSONObject {
        [
            "access_key": .string(self.accessKeyText),
            "agents": .array(self.desk.roster.map { .string($0) }),
            "waiting": .array(self.desk.waiting.compactMap { self.chats[$0] }.map(self.properties)),
        ]
    }

    private var chatProperties: JSONValue { .array(self.chats.newest(Self.shownChats).map(self.properties)) }

    private func properties(of chat: ChatRecord) -> JSONValue {
        chat.properties(isConnected: self.stream.isConnected(chat.key))
    }

    /// Clients need the key of the account and nothing else.
    var target: JSONObject? { ["access_key": .string(self.accessKeyText)] }

    private var accessKeyText: String {
        self.account.key.serverSet.map { "\(self.account.key.credential):\($0)" } ?? self.account.key.credential
    }
}

// MARK: - Commands

extension BoldChatServer {
    static func commands(of party: String?) -> CommandSet<DeskCommand> {
        party == nil ? ServerVocabulary.commands : ServerVocabulary.agentCommands
    }

    mutating func perform(_ command: DeskCommand, by party: String?, in step: inout Step) -> CommandOutcome {
        switch command {
        case .account(let command): return self.perform(command, in: &step)
        case .chat(let command, let visitor):
            guard let chat = visitor.map({ self.chats.chat(of: $0) }) ?? self.chats.newestLive else {
                return .refused("there is no such chat: expect \"chat_started\" on the visitor first")
            }
            return self.perform(command, on: chat, in: &step)
        case .agent(let command):
            let name = party ?? ""
            self.feedDesk(.agentArrived(name), in: &step)
            return self.perform(command, by: name, in: &step)
        }
    }

    private mutating func perform(_ command: AccountCommand, in step: inout Step) -> CommandOutcome {
        switch command {
        case .set(let setting): return self.perform(self.account.handle(setting), in: &step).command
        case .setQueue(let position): return self.feedDesk(.queueSet(ahead: position), in: &step).command
        case .dismissQueue(let reason): return self.feedDesk(.queueDismissed(reason), in: &step).command
        case .mails: return .done(.array(self.mails.map(\.properties)))
        case .chats: return .done(self.chatProperties)
        case .sign(let values, let unsecured): return self.account.sign(values, unsecured: unsecured)
        case .order(let fault, let method, let times):
            let input = FaultPart.Input.ordered(fault, method: method, times: times ?? 1)
            return self.perform(self.faults.handle(input), in: &step).command
        case .blockSockets(let areBlocked):
            return self.perform(self.faults.handle(.socketsBlocked(areBlocked)), in: &step).command
        }
    }

    private mutating func perform(
        _ command: ChatCommand, on chat: ChatRecord, in step: inout Step
    ) -> CommandOutcome {
        if let objection = self.account.objection(to: command) { return .refused(objection) }
        switch command {
        case .pushSystemMessage(let text): self.perform([.post(.system(text), to: chat.key)], in: &step)
        case .pushAutoMessage(let text):
            self.feedStream(.event("autoMessage", ["Text": .string(text)], of: chat.key), in: &step)
        case .offerRecapture(let isOffered):
            self.perform([.chat(.recaptureOffered(isOffered), of: chat.key)], in: &step)
        case .end(let reason): self.feedDesk(.ended(chat.key, reason), in: &step)
        case .inviteActiveAssist: self.assist(chat.key, .invited, in: &step)
        case .endActiveAssist: return self.assist(chat.key, .inviteEnded, in: &step).command
        case .sendRemoteControl(let command): self.assist(chat.key, .controlSent(command), in: &step)
        case .setVideo(let status): self.assist(chat.key, .videoSet(status), in: &step)
        case .misbehave(let fault): return self.misbehave(fault, chat, in: &step)
        }
        return .done(.null)
    }

    private mutating func perform(
        _ command: AgentCommand, by name: String, in step: inout Step
    ) -> CommandOutcome {
        switch command {
        case .signIn(let options):
            let capacity = options?.integer("capacity").map { Int(clamping: $0) }
            return self.feedDesk(.capacitySet(capacity, of: name), in: &step).command
        case .accept(let visitor): return self.feedDesk(.acceptAsked(visitor, by: name), in: &step).command
        case .join(let visitor): return self.feedDesk(.joined(visitor, by: name), in: &step).command
        case .chat(let act, let visitor):
            guard let key = self.desk.chatKey(of: visitor, agent: name, self.chats) else {
                return .refused(
                    "\(name) has no such chat; call accept(visitor) first, and not after the chat has ended")
            }
            return self.perform(act, in: key, by: name, in: &step)
        }
    }

    private mutating func perform(
        _ act: AgentAct, in key: String, by name: String, in step: inout Step
    ) -> CommandOutcome {
        switch act {
        case .typing(let isActive): self.feedDesk(.typed(isActive, in: key, by: name), in: &step)
        case .say(let text): self.feedDesk(.said(text, in: key, by: name), in: &step)
        case .finish: self.feedDesk(.ended(key, .operator), in: &step)
        case .transfer(let other):
            guard !other.isEmpty, other != name else {
                return .refused("transfer needs the name of another agent, such as sam:transfer(\"Kim\")")
            }
            return self.feedDesk(.transferred(key, from: name, to: other), in: &step).command
        }
        return .done(.null)
    }

    private mutating func misbehave(
        _ fault: StreamFault, _ chat: ChatRecord, in step: inout Step
    ) -> CommandOutcome {
        let key = chat.key
        switch fault {
        case .dropSocket: self.feedStream(.dropped(key), in: &step)
        case .closeSocket: self.feedStream(.left(key), in: &step)
        case .sendReconnect: self.feedStream(.signal("reconnect", [:], of: key), in: &step)
        case .sendRedirect:
            let urls = chat.connectionMembers(self.account, self.surroundings(step))
            let params: JSONObject = [
                "WebSocketURL": .string((urls.text("WebSocketURL") ?? "") + "&redirected=true"),
                "LongPollURL": urls["LongPollURL"] ?? .null,
            ]
            self.feedStream(.signal("redirect", params, of: key), in: &step)
        case .sendReset: self.feedStream(.standing("reset", of: key), in: &step)
        case .sendClosed: self.feedStream(.standing("closed", of: key), in: &step)
        case .setHeartbeats(let areSent): self.feedStream(.heartbeatsSet(areSent, of: key), in: &step)
        case .sendEvent(let method, let params): self.feedStream(.event(method, params, of: key), in: &step)
        case .sendText(let text): self.feedStream(.text(text, of: key), in: &step)
        case .updateMessage(let text):
            guard let last = chat.transcript.messages.last else {
                return .refused("there is no message yet that update_message could change")
            }
            let params: JSONObject = ["MessageID": .string(String(last.id)), "Values": ["Text": .string(text)]]
            self.feedStream(.event("addMessage", params, of: key), in: &step)
        case .deleteChat:
            let params: JSONObject = ["ChatID": .string(chat.id), "Values": .null]
            self.feedStream(.event("updateChat", params, of: key), in: &step)
        }
        return .done(.null)
    }
}
