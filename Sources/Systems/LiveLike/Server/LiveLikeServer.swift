import HTTPTypes
import JSON
import Machines

/// The simulated service: REST interface and message carrier under one origin, moderators played by scripts.
///
/// It passes what comes in to the part that it is for, and does what the parts want done; what happens then is said at
/// the parts. An answer goes out through ``ResponsePart``, what is published through ``PubNubPart``; of a room
/// ``ServerRoom`` tells.
struct LiveLikeServer: ServerMachine {
    /// Its timers.
    enum Timer: MachineTimer {
        /// The request that has waited longest on the message carrier is due.
        case hold
        /// A late answer is due.
        case answer(UInt64)

        var description: String {
            switch self {
            case .hold: "hold"
            case .answer(let number): "answer-\(number)"
            }
        }
    }

    /// At most this many profiles, rooms, invitations, access rules, reports, and pins of a room; defined here.
    static let recordLimit = 100_000

    /// The URL below which the REST interface stands.
    private let base: String
    private var responses: ResponsePart
    private var faults = FaultPart()
    private var pubNub: PubNubPart
    private var service: ServicePart
    private var messageCount: Int64 = 0
    /// What the answers of the REST interface lack.
    private let missingMembers: Set<String>

    /// Creates a service with the rooms of its options.
    init(_ configuration: ServerConfiguration) throws(ConfigurationError) {
        let options = try ServerOptions(configuration.options)
        guard let origin = WebAddress(configuration.origin) else {
            throw ConfigurationError("\"\(configuration.origin)\" is no URL; write http://host:port")
        }
        let pubNub = PubNubPart(options, epochMilliseconds: configuration.epochMilliseconds)
        self.base = "\(origin.scheme)://\(origin.authority)/api/v1"
        self.responses = ResponsePart(options)
        self.missingMembers = options.missingMembers
        self.pubNub = pubNub
        let start = ServiceMoment(now: .start, token: pubNub.log.token(at: .start), base: self.base)
        self.service = try ServicePart(options, authority: origin.authority, start)
    }

    var properties: JSONObject {
        [
            "rooms": .array(self.service.rooms.order.map { .string($0) }),
            "profiles": .integer(Int64(self.service.profiles.count)),
            "subscribers": .integer(Int64(self.pubNub.log.waitingCount)), "messages": .integer(self.messageCount),
        ]
    }

    /// What the parts must know of a moment.
    private func moment(_ now: Instant) -> ServiceMoment {
        ServiceMoment(now: now, token: self.pubNub.log.token(at: now), base: self.base)
    }

    var faultOrders: FaultOrders { self.faults.orders }

    // MARK: Inputs

    mutating func handle(_ input: Input, in step: inout Step) {
        switch input {
        case .requested(let exchange, let request): self.requested(exchange, request, in: &step)
        case .upgradeRequested(let connection, _):
            step.ask(.refuse(connection, Response(text: "This service has no WebSocket.\n", status: .notFound)))
        case .requestAbandoned(let exchange):
            self.perform(self.pubNub.handle(.abandoned(exchange, now: step.now)), in: &step)
        case .timerFired(.hold): self.perform(self.pubNub.handle(.holdElapsed(now: step.now)), in: &step)
        case .timerFired(.answer(let number)): self.respond(.due(number), in: &step)
        case .linkOpened, .received, .closed, .scriptReturned: break
        }
    }

    private mutating func requested(_ exchange: ExchangeID, _ request: Request, in step: inout Step) {
        let target = RequestTarget(request)
        let fault = self.faults.handle(.requested(exchange, path: target.path))
        guard fault.isEmpty else {
            self.perform(fault, for: exchange, in: &step)
            return
        }
        let actions: [ServiceAction]
        switch target.segments.first {
        case "api":
            let answered = self.service.handle(
                request, to: target, self.pubNub.log, self.moment(step.now), random: &step.random)
            actions = answered.map { action in
                if case .answer(let answer) = action { .answer(answer.lacking(self.missingMembers)) } else { action }
            }
        case "v1", "v2", "v3", "publish", "time":
            let profile = target.query["auth"].flatMap { self.service.profiles.profile(withToken: $0)?.id }
            let call = PubNubRequest(
                exchange: exchange, target: target, request: request, profile: profile, moment: self.moment(step.now))
            actions = self.pubNub.handle(.called(call))
        default: actions = [.answer(.notFound)]
        }
        self.perform(actions, for: exchange, in: &step)
    }

    // MARK: Actions

    /// Does what a part wants done.
    ///
    /// - Parameter exchange: The call at hand; nil if a script asked.
    /// - Returns: What the part answers, if it does.
    @discardableResult
    private mutating func perform(
        _ actions: [ServiceAction], for exchange: ExchangeID? = nil, in step: inout Step
    ) -> ServiceAnswer? {
        var answer: ServiceAnswer?
        for action in actions {
            switch action {
            case .answer(let given): answer = given
            case .confirmPublication: answer = ServiceAnswer([1, "Sent", .string(self.pubNub.log.lastToken.text)])
            case .takeDirectly(let message):
                self.serve(.sentDirectly(message), for: exchange, in: &step)
                continue
            default:
                self.perform(action, in: &step)
                continue
            }
            if let exchange, let answer { self.respond(.given(exchange, answer.response), in: &step) }
        }
        return answer
    }

    private mutating func perform(_ action: ServiceAction, in step: inout Step) {
        switch action {
        case .answer, .confirmPublication, .takeDirectly: break
        case .respond(let exchange, let response): self.respond(.given(exchange, response), in: &step)
        case .perform(let effect): step.ask(effect)
        case .publish(let publication): self.publish(publication, in: &step)
        case .removeMessage(let channel, let token):
            self.perform(self.pubNub.handle(.removed(channel: channel, token)), in: &step)
        case .join(let room, let profile): self.serve(.joined(room: room, profile: profile), in: &step)
        case .mute(let muting, let profile, let room):
            self.serve(.muted(muting, profile: profile, room: room), in: &step)
        }
    }

    @discardableResult
    private mutating func serve(
        _ input: ServicePart.Input, for exchange: ExchangeID? = nil, in step: inout Step
    ) -> ServiceAnswer? {
        let actions = self.service.handle(input, self.moment(step.now), random: &step.random)
        return self.perform(actions, for: exchange, in: &step)
    }

    private mutating func respond(_ input: ResponsePart.Input, in step: inout Step) {
        for effect in self.responses.handle(input, random: &step.random) { step.ask(effect) }
    }

    private mutating func publish(_ publication: Publication, in step: inout Step) {
        self.perform(self.pubNub.handle(.published(publication, now: step.now)), in: &step)
        guard let message = publication.message else { return }
        self.messageCount += 1
        self.serve(.published(message, self.pubNub.log.lastToken), in: &step)
    }

    // MARK: What scripts ask of the service

    static func commands(of party: String?) -> CommandSet<ServiceCommand> {
        party == nil ? ServiceVocabulary.commands : ServiceVocabulary.moderatorCommands
    }

    mutating func perform(_ command: ServiceCommand, by party: String?, in step: inout Step) -> CommandOutcome {
        switch command {
        case .service(let command): self.perform(command, in: &step)
        case .moderator(let command): self.perform(command, by: party ?? "", in: &step)
        }
    }

    private mutating func perform(_ command: OwnCommand, in step: inout Step) -> CommandOutcome {
        switch command {
        case .createRoom(let id, let options):
            if let problem = RoomSettings.problem(in: options ?? [:]) { return .refused("create_room: \(problem)") }
            let id = id ?? step.random.uuid()
            guard !id.isEmpty else {
                return .refused("create_room needs an id that is not empty; one is made if none is given")
            }
            guard self.service.rooms[id] == nil else {
                return .refused("the room \"\(id)\" exists already; choose another id")
            }
            self.serve(.rooms(.created(id, options ?? [:])), in: &step)
            return .done(.string(id))
        case .setLatency(let latency, let jitter):
            self.respond(.latencySet(latency, jitter: jitter ?? .zero), in: &step)
        case .setLoss(let loss):
            guard 0..<1 ~= loss else { return .refused("set_loss takes a number from 0 to below 1, not \(loss)") }
            self.respond(.lossSet(loss), in: &step)
        case .failNext(let path, let status, let detail, let count):
            let status = status ?? 500
            guard status == 0 || 400...599 ~= status else {
                return .refused("fail_next takes a status from 400 to 599, or 0 to drop the connection, not \(status)")
            }
            let outcome =
                status == 0
                ? FaultPart.Outcome.drop
                : .refusal(status: Int(status), detail: detail ?? "The script failed this request.")
            return self.prepare(outcome, path: path, count: count, of: "fail_next", in: &step)
        case .answerNext(let path, let body, let status, let count):
            let status = status ?? 200
            guard 200...599 ~= status, let code = HTTPResponse.Status(final: status) else {
                return .refused("answer_next takes a status from 200 to 599, not \(status)")
            }
            return self.prepare(.answer(body, status: code), path: path, count: count, of: "answer_next", in: &step)
        case .dropSubscribers:
            let dropped = self.pubNub.handle(.dropAsked)
            self.perform(dropped, in: &step)
            return .done(.integer(Int64(dropped.count)))
        case .publishRaw(let channel, let envelope):
            if let mistake = self.mistake(inChannel: channel) { return .refused(mistake) }
            self.publish(Publication(envelope, on: channel), in: &step)
        case .room(let id): return .done(self.service.rooms[id].map(self.summary) ?? .null)
        }
        return .done(.null)
    }

    /// Says that nobody could hear what is published on a channel; nil if somebody could.
    private func mistake(inChannel channel: String) -> String? {
        let prefix = ServerProfile.channel(of: "")
        if channel.hasPrefix(prefix), self.service.profiles[String(channel.dropFirst(prefix.count))] != nil {
            return nil
        }
        let rooms = self.service.rooms.all.flatMap { [$0.chatChannel, $0.controlChannel] }
        guard !rooms.contains(channel) else { return nil }
        return "there is no channel \"\(channel)\""
            + TextDistance.hint(
                channel, among: rooms,
                otherwise: "a room has chatroom.ID and chatroom.control.ID, and a member profile.ID")
    }

    /// Takes the order of a script for the next requests to a path.
    private mutating func prepare(
        _ outcome: FaultPart.Outcome, path: String, count: Int64?, of method: String, in step: inout Step
    ) -> CommandOutcome {
        let isName = { self.service.rooms[$0] != nil || self.service.profiles[$0] != nil }
        if let mistake = FaultPart.mistake(in: path, of: method, isName: isName) { return .refused(mistake) }
        let fault = FaultPart.Fault(path: path, outcome: outcome, count: count ?? 1)
        self.perform(self.faults.handle(.prepared(fault)), in: &step)
        return .done(.null)
    }

    private func summary(of room: ServerRoom) -> JSONValue {
        let messages = self.pubNub.log.messages(
            on: room.chatChannel, before: nil, after: .zero, limit: 1_000, for: nil)
        return .object(
            room.info.merging([
                "members": .array(room.members.profiles.map { .string($0) }),
                "messages": .array(messages.map { $0.data["payload"] ?? .null }),
                "pins": .array(room.pins.resources),
            ]))
    }

    // MARK: What they ask of moderators

    /// Reads who is meant: an actor of the scenario, or a profile id.
    private func member(_ value: JSONValue) -> ServerProfile? {
        (value["profile_id"]?.string ?? value.string).flatMap { self.service.profiles[$0] }
    }

    private static func unknownMember(_ method: String) -> CommandOutcome {
        .refused("\(method) needs a member who has connected; expect \"connected\" of it first")
    }

    private mutating func perform(
        _ command: ModeratorCommand, by party: String, in step: inout Step
    ) -> CommandOutcome {
        self.serve(.partyActed(party), in: &step)
        switch command {
        case .watch: self.serve(.reports(.watched(by: party)), in: &step)
        case .reports: return .done(.array(self.service.reports.resources()))
        case .accessToken:
            return .done(.string(self.service.profiles.profile(of: party)?.token ?? ""))
        case .dismissReport(let id):
            guard self.serve(.reports(.dismissed(id)), in: &step) == .noContent else {
                return .refused("there is no report \"\(id)\"; take the id of a report")
            }
        case .mute(let muting, let member, let room, let name):
            guard let member = self.member(member) else { return Self.unknownMember(name) }
            if let room, self.service.rooms[room] == nil { return .refused("there is no room \"\(room)\"") }
            self.serve(.muted(muting, profile: member.id, room: room), in: &step)
        case .room(let act, let room, let name):
            let order = self.service.rooms.order
            let id = room ?? (order.count == 1 ? order[0] : "")
            guard let room = self.service.rooms[id], let profile = self.service.profiles.profile(of: party) else {
                return .refused("\(name) needs a room; there is no room \"\(id)\", pass one that exists")
            }
            return self.perform(act, named: name, in: room, by: profile, in: &step)
        }
        return .done(.null)
    }

    private mutating func perform(
        _ act: RoomModeration, named name: String, in room: ServerRoom, by profile: ServerProfile,
        in step: inout Step
    ) -> CommandOutcome {
        func missing(_ id: String) -> CommandOutcome {
            .refused("the room \"\(room.id)\" has no message \"\(id)\"; take the id of a message event")
        }
        switch act {
        case .say(let text): return self.post(.messageCreated, ["message": .string(text)], room, profile, in: &step)
        case .sendImage(let url, let width, let height):
            let image: JSONObject = [
                "image_url": .string(url), "image_width": .integer(width ?? 100),
                "image_height": .integer(height ?? 100),
            ]
            return self.post(.imageCreated, image, room, profile, in: &step)
        case .sendCustom(let data):
            return self.post(.customMessageCreated, ["custom_data": .string(data)], room, profile, in: &step)
        case .delete(let id, let isRemoved):
            let deletion = MessageIndexPart.Input.deleteAsked(
                id, isRemoved: isRemoved, self.pubNub.entry(of: id, in: room))
            guard self.serve(.messages(deletion, room: room.id), in: &step) == .noContent else { return missing(id) }
        case .pin(let id):
            guard let entry = self.pubNub.entry(of: id, in: room) else { return missing(id) }
            let pinning = PinPart.Input.pinAsked(
                message: id, payload: entry.data["payload"] ?? .null, by: profile.id, isOnce: false)
            return .done(self.serve(.pins(pinning, room: room.id), in: &step)?.id ?? .null)
        case .unpin(let id):
            guard self.serve(.pins(.unpinAsked(id), room: room.id), in: &step) == .noContent else {
                return .refused("nothing is pinned with the id \"\(id)\"; take the id that pin returned")
            }
        case .update(let fields):
            if let problem = RoomSettings.problem(in: fields) { return .refused("\(name): \(problem)") }
            self.serve(.rooms(.changed(room.id, fields)), in: &step)
        case .invite(let member):
            guard let member = self.member(member) else { return Self.unknownMember(name) }
            return .done(self.serve(.invited(member, to: room, by: profile), in: &step)?.id ?? .null)
        case .addMember(let member):
            guard let member = self.member(member) else { return Self.unknownMember(name) }
            guard self.serve(.added(member, to: room, by: profile), in: &step)?.status == .created else {
                return .refused("the member is in the room \"\(room.id)\" already")
            }
        }
        return .done(.null)
    }

    private mutating func post(
        _ event: EnvelopeEvent, _ fields: JSONObject, _ room: ServerRoom, _ profile: ServerProfile,
        in step: inout Step
    ) -> CommandOutcome {
        .done(self.serve(.posted(event, fields, in: room, by: profile), in: &step)?.id ?? .null)
    }
}
