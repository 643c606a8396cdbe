import HTTPTypes
import JSON
import Machines

/// One member of chat rooms, put together from its parts: the session, one subscribe loop for all rooms, the rooms, the
/// outbox and the calls of the SDK.
///
/// It passes what comes in to the part that it is for, and does what the parts want done; what happens then is said at
/// ``SessionPart``, ``SubscribePart``, ``RoomsPart``, ``RoomPart``, ``OutboxPart`` and ``CallPart``. Rooms connect side
/// by side.
struct LiveLikeClient: ClientMachine {
    typealias Keys = MemberKeys

    private typealias Request = PendingRequest<Purpose>

    private let options: ClientOptions
    private var session: SessionPart
    private var subscription: SubscribePart
    private var rooms: RoomsPart
    private var outbox = OutboxPart()
    private var calls = CallPart()
    private var requests = PendingRequests<Purpose>()
    /// Requests of session objects that have ended, whose answers nobody hears.
    private var abandoned: Set<Request> = []

    /// Creates a member that has not connected.
    init(_ configuration: ClientConfiguration) throws(ConfigurationError) {
        let options = try ClientOptions(configuration)
        let origin = try configuration.serverAddress()
        self.options = options
        self.session = SessionPart(options, origin: origin)
        self.subscription = SubscribePart(options)
        self.rooms = RoomsPart(options)
    }

    var identity: JSONObject { self.session.identity }

    var properties: JSONObject {
        var fields: JSONObject = ["profile_id": .null, "nickname": .null, "access_token": .null]
        for (name, value) in self.identity { fields[name] = value }
        fields["state"] = .string(self.session.state.rawValue)
        fields["chat_session"] = self.rooms.shown.map { .string($0) } ?? .null
        fields["rooms"] = .array(self.rooms.summaries(for: self.session))
        return fields
    }

    // MARK: Inputs

    mutating func handle(_ input: Input, in step: inout Step) {
        switch input {
        case .responded(let request, let response):
            self.requests.end(request)
            guard self.abandoned.remove(request) == nil else { return self.unheard(request.purpose, in: &step) }
            self.answered(request.purpose, response, in: &step)
        case .exchangeFailed(let request, let failure):
            self.requests.end(request)
            guard self.abandoned.remove(request) == nil else { return self.unheard(request.purpose, in: &step) }
            self.failed(request.purpose, SDKError(failure), in: &step)
        case .timerFired(.subscribeRetry): self.perform(self.subscription.handle(.retryDue, now: step.now), in: &step)
        case .timerFired(.subscribeLimit): self.perform(self.subscription.handle(.limitDue, now: step.now), in: &step)
        case .timerFired(.send): self.perform(self.outbox.handle(.pauseOver), in: &step)
        case .timerFired(.connecting(let room)): self.inRoom(room, in: &step) { $0.handle(.pauseOver, $1) }
        case .timerFired(.playHead): self.perform(self.rooms.release(at: step.now, self.session), in: &step)
        case .timerFired(.heartbeat):
            self.perform(self.session.handle(.heartbeatDue(channels: self.subscription.channels)), in: &step)
        case .responseBegan, .bodyReceived, .responseEnded, .scriptReturned: break
        }
    }

    mutating func tearDown(in step: inout Step) {
        for room in self.rooms.ids { step.ask(.cancelTimer(.connecting(room))) }
        self.rooms.dropAll()
        self.perform(self.subscription.handle(.ended, now: step.now), in: &step)
        for request in self.requests.endAll(where: { $0 != .presence }) { step.ask(.cancel(request)) }
        for request in self.abandoned.sorted(by: { $0.number < $1.number }) { step.ask(.cancel(request)) }
        self.abandoned = []
        self.perform(self.outbox.handle(.ended), in: &step)
        for timer: Timer in [.send, .playHead, .heartbeat] { step.ask(.cancelTimer(timer)) }
        self.perform(self.session.handle(.ended), in: &step)
    }

    /// The answer to a session object that has ended: only the outbox must know that its turn is over.
    private mutating func unheard(_ purpose: Purpose, in step: inout Step) {
        switch purpose {
        case .upload, .message: self.perform(self.outbox.handle(.answered), in: &step)
        default: break
        }
    }

    private mutating func answered(_ purpose: Purpose, _ response: Response, in step: inout Step) {
        if case .subscribe = purpose {
            return self.perform(self.subscription.handle(.answered(response), now: step.now), in: &step)
        }
        guard response.head.status.kind == .successful else {
            return self.failed(purpose, SDKError(response, on: self.options.platform), in: &step)
        }
        self.succeeded(purpose, response.body, in: &step)
    }

    private mutating func succeeded(_ purpose: Purpose, _ body: [UInt8], in step: inout Step) {
        switch purpose {
        case .application: self.perform(self.session.handle(.applicationArrived(body)), in: &step)
        case .profile: self.perform(self.session.handle(.profileArrived(body)), in: &step)
        case .displayName: self.perform(self.session.handle(.renamed(body)), in: &step)
        case .blockedIDs: self.perform(self.session.handle(.blockedArrived(body)), in: &step)
        case .room(let id):
            self.inRoom(id, in: &step) { $0.handle(.resourceArrived(body), $1) }
        case .history(let room, let page):
            self.inRoom(room, in: &step) { [playHead = self.rooms.playHead, now = step.now] in
                $0.handle(.historyArrived(page, body, behind: playHead, at: now), $1)
            }
        case .upload(let message): self.uploaded(message, body, in: &step)
        case .message(let message):
            self.perform(self.outbox.handle(.answered), in: &step)
            self.inRoom(message.room, in: &step) { $0.messageAccepted(message, body, $1) }
        case .custom(let room):
            self.inRoom(room, in: &step) { room, _ in [.emit(AcceptedMessage.custom(body, in: room.id))] }
        case .removeReaction(let room, let message, let next):
            self.inRoom(room, in: &step) { $0.reactionRemoved(from: message, thenAdd: next, $1) }
        case .addReaction(let room, let message, let reaction):
            self.inRoom(room, in: &step) { $0.reactionAdded(reaction, to: message, body, $1) }
        case .call(let call):
            switch call.reading {
            case .delete(let message):
                self.inRoom(call.room, in: &step) { room, _ in room.deletionArrived(of: message, raw: nil) }
            case .block(let profile): self.session.block(profile)
            case .unblock(let profile): self.session.unblock(profile)
            case .status, .value, .page: break
            }
            self.perform(self.calls.answered(call, body), in: &step)
        case .subscribe, .presence: break
        }
    }

    private mutating func failed(_ purpose: Purpose, _ error: SDKError, in step: inout Step) {
        switch purpose {
        case .application, .profile: self.perform(self.session.handle(.failed(error)), in: &step)
        case .displayName: self.perform(self.session.handle(.renameRefused(error)), in: &step)
        case .blockedIDs, .presence: break
        case .room(let id): self.perform(.failRoom(id, error), in: &step)
        case .subscribe: self.perform(self.subscription.handle(.failed(error), now: step.now), in: &step)
        case .history(let room, let page): self.inRoom(room, in: &step) { $0.handle(.historyFailed(page, error), $1) }
        case .upload(let message), .message(let message): self.refused(message, error, in: &step)
        case .custom(let room):
            self.perform(
                .emit(MemberEvent(error, callback: "sendCustomMessage", ["room": .string(room)])), in: &step)
        case .removeReaction(let room, let message, _):
            let code = error.status == 400 ? "messageActionDoesntExist" : "failedToRemoveMessageAction"
            self.reactionFailed(code, "removeMessageReactions", error, room, message, in: &step)
        case .addReaction(let room, let message, _):
            let code = error.status == 409 ? "messageActionAlreadyAdded" : "failedToSendMessageAction"
            self.reactionFailed(code, "sendMessageReaction", error, room, message, in: &step)
        case .call(let call):
            self.perform(.emit(MemberEvent(error, callback: call.callback, call.fields)), in: &step)
        }
    }

    private mutating func reactionFailed(
        _ code: String, _ callback: String, _ error: SDKError, _ room: String, _ message: String, in step: inout Step
    ) {
        let error = SDKError(code, error.message, status: error.status)
        let fields: JSONObject = ["room": .string(room), "id": .string(message)]
        self.perform(.emit(MemberEvent(error, callback: callback, fields)), in: &step)
        self.inRoom(room, in: &step) { $0.reactionEnded(of: message, $1) }
    }

    // MARK: Actions

    /// Does what a part wants done.
    private mutating func perform(_ actions: [MemberAction], in step: inout Step) {
        for action in actions { self.perform(action, in: &step) }
    }

    private mutating func perform(_ action: MemberAction, in step: inout Step) {
        switch action {
        case .ask(let purpose, let request): step.ask(.send(self.requests.begin(purpose), request))
        case .emit(let event):
            var fields = event.fields
            fields["callback"] = .string(event.callback ?? self.options.platform.callback(for: event.kind))
            step.ask(.emit(ChatEvent(event.kind, fields, raw: self.options.keepsRaw ? event.raw : nil)))
        case .setTimer(let timer, let delay): step.ask(.setTimer(timer, delay))
        case .cancelTimer(let timer): step.ask(.cancelTimer(timer))
        case .askForRooms:
            for room in self.rooms.asking { self.perform(.askForRoom(room), in: &step) }
        case .askForRoom(let id):
            // A room that joins while a new name is on its way is asked for already when its answer comes.
            guard !self.requests.contains(.room(id)) else { return }
            let template = self.session.application?.roomTemplate
            guard let url = WebAddress.filled(template, "chat_room_id", with: id) else {
                return self.perform(.failRoom(id, .noURL(for: "connectChatRoom")), in: &step)
            }
            self.perform(.ask(.room(id), self.session.request(.get, url)), in: &step)
        case .failRooms(let error):
            for room in self.rooms.ids { self.perform(.failRoom(room, error), in: &step) }
        case .failRoom(let id, let error):
            guard self.rooms.holds(id) else { return }
            self.drop(id, in: &step)
            self.perform(
                .emit(MemberEvent(error, callback: "connectChatRoom", ["room": .string(id)])), in: &step)
        case .resubscribe: self.resubscribe(in: &step)
        case .subscribe(let path):
            guard let url = self.session.carrierURL(path) else { return }
            // The machine has a limit of its own, which the driver's must not cut short.
            let request = Machines.Request(url.request(.get, token: nil), timeLimit: SubscribePart.limit * 2)
            self.perform(.ask(.subscribe, request), in: &step)
        case .cancelSubscription:
            for request in self.requests.endAll(where: { $0 == .subscribe }) { step.ask(.cancel(request)) }
        case .deliver(let items):
            for item in items {
                let channels = self.subscription.channels
                self.perform(self.rooms.take(item, channels: channels, at: step.now, self.session), in: &step)
            }
        case .confirm(let channels):
            for room in self.rooms.ids {
                self.inRoom(room, in: &step) { $0.handle(.confirmed(channels), $1) }
            }
        case .deny(let error):
            for room in self.rooms.unconnected { self.perform(.failRoom(room, error), in: &step) }
            self.perform(
                .emit(MemberEvent(error, callback: self.options.platform.callback(for: .error))), in: &step)
        case .leave(let channels): self.perform(self.session.presence(.leave, channels: channels), in: &step)
        case .send(let message): self.send(message, in: &step)
        case .block(let profile): self.session.block(profile)
        case .unblock(let profile): self.session.unblock(profile)
        }
    }

    /// Lets a room do something, if it is there.
    private mutating func inRoom(
        _ id: String?, in step: inout Step, _ act: (inout RoomPart, SessionPart) -> [MemberAction]
    ) {
        self.perform(self.rooms.act(in: id, self.session, act), in: &step)
    }

    // MARK: Rooms

    /// Begins to connect a room; the first one starts the whole bootstrap.
    private mutating func connect(_ room: String?, in step: inout Step) -> CommandOutcome {
        do throws(RoomsPart.Refusal) {
            let room = try self.rooms.begin(room)
            self.perform(self.session.handle(.connectAsked(room: room)), in: &step)
            return .done(.null)
        } catch { return self.refuse(error, of: "connectToChatRoom", &step) }
    }

    private mutating func refuse(
        _ refusal: RoomsPart.Refusal, of callback: String, _ step: inout Step
    ) -> CommandOutcome {
        switch refusal {
        case .told(let error, let room): return self.complain(error, room, of: callback, &step)
        case .refused(let text): return .refused(text)
        }
    }

    /// Tells the script of a call that the SDK itself answers with an error.
    private mutating func complain(
        _ error: SDKError, _ room: String, of callback: String, _ step: inout Step
    ) -> CommandOutcome {
        self.perform(.emit(MemberEvent(error, callback: callback, ["room": .string(room)])), in: &step)
        return .done(.null)
    }

    /// Ends the session object of a room, as its release does in the vendor's SDK.
    private mutating func disconnect(_ room: String, in step: inout Step) {
        self.rooms.close(room)
        self.drop(room, in: &step)
        if self.rooms.isEmpty {
            self.perform(self.subscription.handle(.ended, now: step.now), in: &step)
        } else {
            self.resubscribe(in: &step)
        }
        let fields: JSONObject = ["room": .string(room), "reason": "unsubscribed"]
        self.perform(.emit(MemberEvent(.disconnected, fields, callback: "deinit")), in: &step)
    }

    /// Forgets a room and everything under way for it.
    private mutating func drop(_ room: String, in step: inout Step) {
        self.rooms.drop(room)
        step.ask(.cancelTimer(.connecting(room)))
        for request in self.requests.endAll(where: { $0.session == room }) {
            if request.purpose.mustArrive { self.abandoned.insert(request) } else { step.ask(.cancel(request)) }
        }
        self.perform(self.outbox.handle(.roomLeft(room)), in: &step)
    }

    /// Starts the loop again with the channels of the rooms as they are now.
    private mutating func resubscribe(in step: inout Step) {
        guard let input = self.session.listening(to: self.rooms.channels) else { return }
        self.perform(self.subscription.handle(input, now: step.now), in: &step)
    }
}

// MARK: - Sending

extension LiveLikeClient {
    /// Puts a message into the list and the outbox.
    ///
    /// - Returns: The local id, which is also the client message id.
    private mutating func queue(_ message: OutgoingMessage, in step: inout Step) -> CommandOutcome {
        guard !self.outbox.isFull else {
            return .refused(
                "\(OutboxPart.limit) messages wait to be sent; expect \"message_sent\" before sending more")
        }
        self.inRoom(message.room, in: &step) { $0.queued(message, $1) }
        self.perform(self.outbox.handle(.queued(message)), in: &step)
        return .done(.string(message.clientID))
    }

    /// Sends the message whose turn it is, its image first if that must be uploaded.
    private mutating func send(_ message: OutgoingMessage, in step: inout Step) {
        guard let room = self.rooms[message.room] else {
            return self.perform(self.outbox.handle(.answered), in: &step)
        }
        let requests = RoomRequests(room, self.session)
        do throws(SDKError) {
            let action =
                message.kind == .image && message.imageData != nil
                ? try requests.upload(message, self.options) { step.random.hexadecimalDigits(16) }
                : try requests.post(message, self.options)
            if let action { self.perform(action, in: &step) }
        } catch {
            self.refused(message, error, in: &step)
        }
    }

    /// Goes on with the message of an uploaded image.
    private mutating func uploaded(_ message: OutgoingMessage, _ body: [UInt8], in step: inout Step) {
        var message = message
        let url: String
        do throws(SDKError) { url = try message.takeUpload(body) } catch {
            return self.refused(message, error, in: &step)
        }
        let fields: JSONObject = ["room": .string(message.room), "url": .string(url)]
        self.perform(.emit(MemberEvent(.attachmentUploaded, fields, callback: "uploadImage")), in: &step)
        self.send(message, in: &step)
    }

    private mutating func refused(_ message: OutgoingMessage, _ error: SDKError, in step: inout Step) {
        self.perform(self.outbox.handle(.answered), in: &step)
        self.inRoom(message.room, in: &step) { $0.refused(message, error, $1) }
    }
}

// MARK: - Commands

extension LiveLikeClient {
    static var commands: CommandSet<MemberCommand> { MemberVocabulary.commands }

    mutating func perform(_ command: MemberCommand, in step: inout Step) -> CommandOutcome {
        switch command {
        case .absent(let feature):
            return .refused("LiveLike has no \(feature); send a custom message if the scenario needs a signal")
        case .connect(let room): return self.connect(room, in: &step)
        case .setPlayHead(let time): return self.setPlayHead(time, in: &step)
        case .profile(let command, let name):
            guard let profile = self.readyProfile else { return .refused(RoomsPart.unconnected(name)) }
            return self.perform(command, profile, in: &step)
        case .room(let command, let room, let name):
            guard self.readyProfile != nil else { return .refused(RoomsPart.unconnected(name)) }
            do throws(RoomsPart.Refusal) {
                return self.perform(command, try self.rooms.meant(room, by: name), in: &step)
            } catch { return self.refuse(error, of: name, &step) }
        }
    }

    private var readyProfile: ProfileResource? { self.session.state == .ready ? self.session.profile : nil }

    private static func noTime(_ text: String, of method: String) -> CommandOutcome {
        .refused("\(method) takes an ISO 8601 time such as 2026-01-31T12:00:00Z, not \"\(text)\"")
    }

    private mutating func setPlayHead(_ time: String?, in step: inout Step) -> CommandOutcome {
        var playHead: PlayHead?
        if let time {
            guard let ticks = ServiceTime.ticks(time) else { return Self.noTime(time, of: "set_play_head") }
            playHead = PlayHead(ticks: ticks, instant: step.now)
        }
        self.perform(self.rooms.follow(playHead, at: step.now, self.session), in: &step)
        return .done(.null)
    }

    private mutating func perform(
        _ command: ProfileCommand, _ profile: ProfileResource, in step: inout Step
    ) -> CommandOutcome {
        switch command {
        case .setDisplayName(let name): self.perform(self.session.handle(.renameAsked(name)), in: &step)
        case .blocked: return .done(.array(self.session.blocked.sorted().map { .string($0) }))
        case .sendHeartbeat:
            self.perform(self.session.presence(.heartbeat, channels: self.subscription.channels), in: &step)
        case .pause, .resume:
            let isPause = if case .pause = command { true } else { false }
            let actions = self.subscription.handle(isPause ? .paused : .resumed, now: step.now)
            guard !actions.isEmpty else {
                return .refused(isPause ? "pause needs a loop that runs; connect first" : "resume needs pause first")
            }
            self.perform(actions, in: &step)
        case .call(.block(profile.id)): return .refused("a member cannot block itself; pass another profile")
        case .call(let call):
            if case .createRoom(let options?) = call, let problem = RoomSettings.problem(in: options) {
                return .refused("create_room: \(problem)")
            }
            self.perform(self.calls.begin(call, profile, self.session), in: &step)
        }
        return .done(.null)
    }

    private mutating func perform(
        _ command: RoomCommand, _ room: RoomPart, in step: inout Step
    ) -> CommandOutcome {
        switch command {
        case .disconnect: self.disconnect(room.id, in: &step)
        case .messages:
            let messages = room.messages(shownTo: self.session)
            return .done(.array(messages.map { .object(room.fields(of: $0, self.session)) }))
        case .message(let id):
            let message = room.message(id.lowercased()).flatMap {
                self.session.blocked.contains($0.sender.id) ? nil : $0
            }
            return .done(message.map { .object(room.fields(of: $0, self.session)) } ?? .null)
        case .setAvatar(let url):
            self.inRoom(room.id, in: &step) { room, _ in
                room.setAvatar(url)
                return []
            }
        case .show: self.rooms.show(room.id)
        case .connected(let command):
            guard room.state == .connected else {
                return .refused("the room \"\(room.id)\" is still connecting; expect \"connected\" first")
            }
            return self.perform(command, room, in: &step)
        }
        return .done(.null)
    }

    private mutating func perform(
        _ command: ConnectedCommand, _ room: RoomPart, in step: inout Step
    ) -> CommandOutcome {
        switch command {
        case .say(let text, let extras): return self.say(text, extras, room, in: &step)
        case .sendImage(let content, let extras): return self.sendImage(content, extras, room, in: &step)
        case .sendCustom(let data, let time):
            if let time, ServiceTime.ticks(time) == nil { return Self.noTime(time, of: "send_custom") }
            self.inRoom(room.id, in: &step) { $0.sendCustom(data, time: time, $1) }
        case .loadNextHistory: self.inRoom(room.id, in: &step) { $0.handle(.historyAsked(.next), $1) }
        case .messagesSince(let text, let isCounting):
            guard let token = TimeToken(text) else {
                return .refused("since is a time token of decimal digits, such as a message's field timetoken")
            }
            self.inRoom(room.id, in: &step) { $0.handle(.historyAsked(.since(token, counting: isCounting)), $1) }
        case .replies(let id):
            guard self.options.carriage == .rest else {
                return .refused("replies are read from the service; give the actor carriage = \"rest\"")
            }
            self.inRoom(room.id, in: &step) { $0.handle(.historyAsked(.replies(to: id.lowercased())), $1) }
        case .call(let call):
            guard let profile = self.session.profile else { return .done(.null) }
            self.perform(self.calls.begin(call, room, profile, self.session), in: &step)
        case .about(.react(let reaction), let id):
            let wish = ReactionQueue.Wish(reaction: reaction, callback: MessageCommand.react(reaction).callback)
            self.inRoom(room.id, in: &step) { $0.react(wish, to: id.lowercased(), $1) }
        case .about(.unreact, let id):
            let wish = ReactionQueue.Wish(reaction: nil, callback: MessageCommand.unreact.callback)
            self.inRoom(room.id, in: &step) { $0.react(wish, to: id.lowercased(), $1) }
        case .about(let command, let id):
            self.perform(self.calls.begin(command, onMessage: id.lowercased(), room, self.session), in: &step)
        }
        return .done(.null)
    }

    private mutating func say(
        _ text: String, _ extras: MessageExtras, _ room: RoomPart, in step: inout Step
    ) -> CommandOutcome {
        guard !text.isEmpty else { return self.complain(.emptyMessage, room.id, of: "sendMessage", &step) }
        if let time = extras.time, ServiceTime.ticks(time) == nil { return Self.noTime(time, of: "say") }
        // A new lower-case UUID of version 4 (RFC 9562 section 5.4).
        var message = OutgoingMessage(clientID: step.random.uuid(), room: room.id, kind: .text, text: text)
        do throws(CommandError) { try message.add(extras, in: room) } catch { return .refused(error.message) }
        return self.queue(message, in: &step)
    }

    private mutating func sendImage(
        _ content: ImageContent, _ extras: MessageExtras, _ room: RoomPart, in step: inout Step
    ) -> CommandOutcome {
        var message = OutgoingMessage(clientID: step.random.uuid(), room: room.id, kind: .image)
        do throws(CommandError) {
            try message.add(content, at: step.now)
            try message.add(extras, in: room)
        } catch {
            return .refused(error.message)
        }
        return self.queue(message, in: &step)
    }
}
