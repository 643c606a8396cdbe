import HTTPTypes
import JSON
import Machines

/// One member of chat rooms: bootstrap, one subscribe loop for all rooms, the message lists, and the calls of the SDK.
///
/// | state | input | → state | events |
/// |---|---|---|---|
/// | new | `connect` | starting | |
/// | starting | application and profile | ready | `session_created` |
/// | starting | failure | new | `error` |
/// | ready | any room | ready | as ``RoomSession`` says, and the events of its messages |
///
/// Rooms connect side by side, each by its own ``RoomSession``.
struct LiveLikeClient: ClientMachine {
    /// How far the bootstrap has come.
    enum State: String, Sendable {
        case new, starting, ready
    }

    /// A client holds at most this many rooms; defined here.
    static let roomLimit = 100
    /// At most this many messages wait to be sent; defined here.
    static let outboxLimit = 1_000
    /// The pause after each answered message (vendor's Android SDK).
    static let sendPause = Duration.milliseconds(100)

    let options: ClientOptions
    let origin: WebAddress
    var state = State.new
    var application: ApplicationResource?
    var profile: ProfileResource?
    var token: String?
    var rooms: [RoomSession] = []
    var roomsByChannel: [String: String] = [:]
    var loop = SubscribeLoop()
    var loopAskedAt = Instant.start
    var errands = ErrandBook<Errand>()
    var outbox: [OutgoingMessage] = []
    var isSending = false
    var blocked: Set<String> = []
    var pages: [String: JSONObject] = [:]
    /// The play head for spoiler-free rooms: where it was when, in ticks since 1970.
    var playHead: (ticks: Int64, at: Instant)?

    /// Creates a member that has not connected.
    init(_ configuration: ClientConfiguration) throws(ConfigurationError) {
        self.options = try ClientOptions(configuration)
        guard let origin = WebAddress(configuration.origin) else {
            throw ConfigurationError("\"\(configuration.origin)\" is no URL of a service; write https://host")
        }
        self.origin = origin
        self.token = self.options.accessToken
    }

    var identity: JSONObject {
        var fields: JSONObject = [:]
        fields["profile_id"] = self.profile.map { .string($0.id) }
        fields["nickname"] = self.profile.map { .string($0.nickname) }
        fields["access_token"] = self.token.map { .string($0) }
        return fields
    }

    var properties: JSONObject {
        var fields = self.identity
        fields["state"] = .string(self.state.rawValue)
        fields["rooms"] = .array(
            self.rooms.map { room in
                [
                    "room": .string(room.id), "state": .string(room.state.rawValue),
                    "title": .string(room.resource.title), "messages": .integer(Int64(room.messages.count)),
                ]
            })
        return fields
    }

    mutating func handle(_ input: ClientInput, in step: inout ClientStep) {
        switch input {
        case .responded(let exchange, let response):
            guard let errand = self.errands.finish(exchange) else { return }
            self.answered(errand, response, in: &step)
        case .exchangeFailed(let exchange, let failure):
            guard let errand = self.errands.finish(exchange) else { return }
            self.failed(errand, SDKError(failure), in: &step)
        case .timerFired("subscribe-retry"): self.ask(in: &step)
        case .timerFired("subscribe-limit"): self.checkSubscribeLimit(in: &step)
        case .timerFired("send"):
            self.isSending = false
            self.sendNext(in: &step)
        case .timerFired("play-head"): self.releaseSpoilers(in: &step)
        case .timerFired("heartbeat"): self.heartbeat(in: &step)
        case .responseBegan, .bodyReceived, .responseEnded, .opened, .openFailed, .received, .closed, .timerFired,
            .scriptReturned:
            break
        }
    }

    mutating func tearDown(in step: inout ClientStep) {
        for room in self.rooms { self.drop(room.id) }
        self.endLoop(in: &step)
        self.errands.cancelAll(where: { if case .farewell = $0 { false } else { true } }, in: &step)
        self.outbox = []
        for timer: TimerName in ["send", "play-head", "heartbeat"] { step.ask(.cancelTimer(timer)) }
        self.state = .new
    }
}

// MARK: - What all parts use

extension LiveLikeClient {
    /// Starts an exchange.
    mutating func request(
        _ errand: Errand, _ method: HTTPRequest.Method, _ url: WebAddress, token: String? = nil,
        json: JSONValue? = nil,
        in step: inout ClientStep
    ) {
        var request = Request(url.request(method, token: token))
        if let json {
            request.head.headerFields[.contentType] = "application/json"
            request.body = JSONWriter.write(json)
        }
        self.send(errand, request, in: &step)
    }

    /// Starts an exchange with a request that is made already.
    mutating func send(_ errand: Errand, _ request: Request, in step: inout ClientStep) {
        let exchange = self.errands.send(errand, request, in: &step)
        if case .subscribe = errand { self.loop.asked(exchange) }
    }

    /// Tells the script of an event, with the name of the platform's callback for its kind unless another is given.
    func emit(
        _ kind: EventKind, _ fields: JSONObject, callback: String? = nil, raw: JSONValue? = nil,
        in step: inout ClientStep
    ) {
        var fields = fields
        fields["callback"] = .string(callback ?? self.options.platform.callback(for: kind))
        step.ask(.emit(ChatEvent(kind, fields, raw: self.options.keepsRaw ? raw : nil)))
    }

    /// Tells the script of an error, as the completion of a call would.
    func emit(_ error: SDKError, callback: String, _ fields: JSONObject = [:], in step: inout ClientStep) {
        var fields = fields
        fields["code"] = .string(error.code)
        fields["message"] = .string(error.message)
        fields["status"] = error.status.map { .integer(Int64($0)) }
        self.emit(.error, fields, callback: callback, in: &step)
    }

    /// The place of a connected room.
    func index(of room: String) -> Int? { self.rooms.firstIndex { $0.id == room } }

    /// A message as scripts see it.
    func fields(of message: ChatMessage, room: String) -> JSONObject {
        MessageFields.fields(of: message, room: room, ownID: self.profile?.id ?? "", links: self.options.links)
    }

    /// A path on the message carrier.
    func carrierURL(_ path: String) -> WebAddress? { self.application?.carrier.at(path: path) }

    /// Who asks, as the message carrier wants to know with every call.
    var carrierParameters: [(String, String?)] {
        guard let application, application.publishKey != nil else { return [] }
        return [("uuid", self.profile?.id), ("auth", self.token)]
    }

    private mutating func answered(_ errand: Errand, _ response: Response, in step: inout ClientStep) {
        guard case .subscribe = errand else {
            guard response.head.status.kind == .successful else {
                return self.failed(errand, SDKError(response), in: &step)
            }
            return self.succeeded(errand, response.body, in: &step)
        }
        self.subscribeAnswered(response, in: &step)
    }

    private mutating func succeeded(_ errand: Errand, _ body: [UInt8], in step: inout ClientStep) {
        switch errand {
        case .application: self.applicationArrived(body, in: &step)
        case .profile: self.profileArrived(body, in: &step)
        case .displayName(let name): self.displayNameAccepted(name, body, in: &step)
        case .blockedIDs: self.blockedIDsArrived(body)
        case .room(let id): self.roomArrived(id, body, in: &step)
        case .history(let room, let page): self.historyArrived(room, page, body, in: &step)
        case .upload(let message): self.uploaded(message, body, in: &step)
        case .message(let message): self.messageAccepted(message, body, in: &step)
        case .custom(let room): self.customAccepted(room, body, in: &step)
        case .removeReaction(let room, let message, let next):
            self.reactionRemoved(room, message, thenAdd: next, in: &step)
        case .addReaction(let room, let message, let reaction):
            self.reactionAdded(room, message, reaction, body, in: &step)
        case .call(let call): self.callAnswered(call, body, in: &step)
        case .subscribe, .farewell: break
        }
    }

    private mutating func failed(_ errand: Errand, _ error: SDKError, in step: inout ClientStep) {
        switch errand {
        case .application, .profile: self.bootstrapFailed(error, in: &step)
        case .displayName: self.displayNameRefused(error, in: &step)
        case .blockedIDs, .farewell: break
        case .room(let id): self.connectFailed(id, error, in: &step)
        case .subscribe: self.subscribeFailed(error, in: &step)
        case .history(let room, let page): self.historyFailed(room, page, error, in: &step)
        case .upload(let message), .message(let message): self.messageRefused(message, error, in: &step)
        case .custom(let room):
            self.emit(error, callback: "sendCustomMessage", ["room": .string(room)], in: &step)
        case .removeReaction(let room, let message, _):
            let code = error.status == 400 ? "messageActionDoesntExist" : "failedToRemoveMessageAction"
            self.emit(
                SDKError(code, error.message, status: error.status), callback: "removeMessageReactions",
                ["room": .string(room), "id": .string(message)], in: &step)
        case .addReaction(let room, let message, _):
            let code = error.status == 409 ? "messageActionAlreadyAdded" : "failedToSendMessageAction"
            self.emit(
                SDKError(code, error.message, status: error.status), callback: "sendMessageReaction",
                ["room": .string(room), "id": .string(message)], in: &step)
        case .call(let call):
            var fields: JSONObject = [:]
            fields["room"] = call.room.map { .string($0) }
            self.emit(error, callback: call.callback, fields, in: &step)
        }
    }
}
