import HTTPTypes
import JSON
import Machines

/// What stands behind the REST interface (vendor's API reference), put together from its parts: profiles, rooms,
/// invitations, access rules and reports.
///
/// It finds the part that a call is for and whom it concerns; what happens then is said at the parts.
struct ServicePart: Sendable {
    /// What happens besides the calls.
    enum Input: Sendable {
        /// A client gave a message to the message carrier itself.
        case sentDirectly(DirectMessage)
        case published(Publication.Message, TimeToken)
        case joined(room: String, profile: String)
        /// Everywhere unless a room is named.
        case muted(Muting, profile: String, room: String?)
        case partyActed(String)
        case reports(ReportPart.Input)
        case rooms(RoomListPart.Input)
        case pins(PinPart.Input, room: String)
        case messages(MessageIndexPart.Input, room: String)
        case posted(EnvelopeEvent, JSONObject, in: ServerRoom, by: ServerProfile)
        case invited(ServerProfile, to: ServerRoom, by: ServerProfile)
        case added(ServerProfile, to: ServerRoom, by: ServerProfile)
    }

    private let options: ServerOptions
    private let application: SimulatedApplication
    private(set) var profiles = ProfilePart()
    private(set) var rooms: RoomListPart
    private(set) var reports = ReportPart()
    private var invitations = InvitationPart()
    private var rules = AccessRulePart()
    /// Who is muted everywhere.
    private var mutes = MutePart()

    /// Creates a service with the rooms of its options.
    ///
    /// - Parameter authority: Where the message carrier is.
    /// - Throws: ``ConfigurationError`` if a room has no id.
    init(_ options: ServerOptions, authority: String, _ moment: ServiceMoment) throws(ConfigurationError) {
        self.options = options
        self.application = SimulatedApplication(options: options, base: moment.base, authority: authority)
        self.rooms = RoomListPart(clientID: options.clientID)
        for room in options.rooms {
            guard let id = room["id"]?.string, !id.isEmpty else {
                throw ConfigurationError("each room needs an id; write { id = \"lobby\", title = \"Lobby\" }")
            }
            if let problem = RoomSettings.problem(in: room) {
                throw ConfigurationError("the room \"\(id)\": \(problem)")
            }
            self.rooms.add(id, room, creator: nil, at: moment.timestamp)
        }
    }

    // MARK: What does not come over REST

    /// Takes in what happened.
    mutating func handle(
        _ input: Input, _ moment: ServiceMoment, random: inout RandomSource
    ) -> [ServiceAction] {
        switch input {
        case .sentDirectly(let message): return self.take(message, moment)
        case .published(let message, let token):
            return self.rooms.inRoom(message.room) { $0.messages.handle(.published(message, token)) }
        case .joined(let room, let profile):
            return self.rooms.inRoom(room) { $0.members.handle(.joined(profile), random: &random) }
        case .muted(let muting, let profile, let room?):
            return self.rooms.inRoom(room) { room in
                room.mutes.handle(muting, profile)
                return []
            }
        case .muted(let muting, let profile, nil):
            self.mutes.handle(muting, profile)
            return []
        case .partyActed(let party): return self.profiles.handle(.partyActed(party), moment, random: &random)
        case .reports(let input): return self.reports.handle(input, random: &random)
        case .rooms(let input): return self.rooms.handle(input, moment, random: &random)
        case .pins(let input, let room):
            return self.rooms.inRoom(room) { $0.pins.handle(input, moment, random: &random) }
        case .messages(let input, let room): return self.rooms.inRoom(room) { $0.messages.handle(input) }
        case .posted(let event, let fields, let room, let profile):
            return self.post(event, fields, in: room, by: profile, moment, &random)
        case .invited(let invited, let room, let profile):
            return self.invitations.handle(
                .inviteAsked(invited, room: room, by: profile), moment, random: &random)
        case .added(let profile, let room, let actor):
            return self.add(profile, to: room, by: actor, moment, &random)
        }
    }

    // MARK: The REST interface

    /// Takes a call of the REST interface below `/api/v1` (vendor's API reference).
    ///
    /// - Parameter log: The log of the message carrier.
    mutating func handle(
        _ request: Request, to target: RequestTarget, _ log: PubNubChannels, _ moment: ServiceMoment,
        random: inout RandomSource
    ) -> [ServiceAction] {
        let segments = Array(target.segments.dropFirst(2))
        guard target.segments.prefix(2) == ["api", "v1"], let resource = segments.first else {
            return [.answer(.notFound)]
        }
        let profile = target.token.flatMap { self.profiles.profile(withToken: $0) }
        if target.token != nil, profile == nil { return [.answer(.error(401, "Invalid token."))] }
        let call = ServiceCall(
            target: target, segments: segments, request: request, profile: profile, moment: moment)
        switch resource {
        case "applications": return [.answer(self.application.answer(call))]
        case "profile": return self.serveOwnProfile(call, &random)
        case "chat-rooms": return self.serveRooms(call, log, &random)
        default:
            guard let profile else { return [.answer(.unauthorized)] }
            return self.serve(call, by: profile, log, &random)
        }
    }

    private mutating func serve(
        _ call: ServiceCall, by profile: ServerProfile, _ log: PubNubChannels, _ random: inout RandomSource
    ) -> [ServiceAction] {
        switch call.segments[0] {
        case "profiles": return self.serveProfiles(call, by: profile, &random)
        case "chatroom-messages" where call.target.method == .post:
            return self.send(call, by: profile, &random)
        case "chatroom-messages": return [.answer(self.history(call, by: profile, log, \.page))]
        case "chatroom-messages-count": return [.answer(self.history(call, by: profile, log, \.count))]
        case "pinned-messages": return self.servePins(call, by: profile, &random)
        case "sticker-packs": return [.answer(self.application.stickerPacks)]
        case "reaction-packs": return [.answer(self.application.reactionPacks)]
        case "sponsors": return [.answer(.list([]))]
        case "chat-room-invitations": return self.serveInvitations(call, by: profile, &random)
        case "chat-room-access-rules": return self.serveRules(call, by: profile, &random)
        case "reported-chat-room-messages", "reported-chat-messages":
            return self.serveReports(call, by: profile, &random)
        case "chatroom-token-gate-access":
            guard let room = self.asked(call) else { return [.answer(.noRoom)] }
            let wallet = call.target.query["wallet_address"] ?? ""
            return [.answer(room.settings.tokenGate.access(of: wallet, to: room.id))]
        default: return [.answer(.notFound)]
        }
    }

    /// The room that a call names in its query.
    private func asked(_ call: ServiceCall) -> ServerRoom? {
        call.target.query["chat_room_id"].flatMap { self.rooms[$0] }
    }

    /// The room that the body of a call names.
    private func named(_ body: JSONObject) -> ServerRoom? { body["chat_room_id"]?.string.flatMap { self.rooms[$0] } }

    private func history(
        _ call: ServiceCall, by profile: ServerProfile, _ log: PubNubChannels, _ reading: (RoomHistory) -> ServiceAnswer
    ) -> ServiceAnswer {
        guard let room = self.asked(call) else { return .noRoom }
        guard room.mayRead(profile) else { return .noMember }
        let history = RoomHistory(room: room, pubNub: log, call: call, reader: profile)
        return history.refusal ?? reading(history)
    }

    // MARK: Profiles and invitations

    private mutating func serveOwnProfile(
        _ call: ServiceCall, _ random: inout RandomSource
    ) -> [ServiceAction] {
        if call.target.method == .post {
            return self.profiles.handle(.createAsked, call.moment, random: &random)
        }
        guard let profile = call.profile else { return [.answer(.unauthorized)] }
        guard call.target.method == .patch, let name = call.body["nickname"]?.string else {
            return [.answer(ServiceAnswer(.object(profile.resource(base: call.moment.base, withToken: true))))]
        }
        return self.profiles.handle(.renameAsked(name, by: profile.id), call.moment, random: &random)
    }

    private mutating func serveProfiles(
        _ call: ServiceCall, by profile: ServerProfile, _ random: inout RandomSource
    ) -> [ServiceAction] {
        guard let name = call.name else { return [.answer(self.search(call))] }
        guard let owner = self.profiles[name] else { return [.answer(.notFound)] }
        guard call.segments.count > 2 else {
            return [.answer(ServiceAnswer(.object(owner.resource(base: call.moment.base))))]
        }
        guard owner.id == profile.id else { return [.answer(.error(403, "You do not have permission to do this."))] }
        let status = call.target.query["status"]
        switch (call.segments[2], call.target.method) {
        case ("chat-room-memberships", .get):
            let rooms = self.rooms.all.filter { $0.members.contains(owner.id) }.map { room -> JSONValue in
                ["chat_room": self.rooms.resource(of: room, base: call.moment.base)]
            }
            return [.answer(call.page(of: rooms, base: call.moment.base))]
        case ("blocks", .post):
            let other = call.body["blocked_profile_id"]?.string
            return self.profiles.handle(.blockAsked(of: other, by: profile), call.moment, random: &random)
        case ("blocks", .delete):
            let name = call.segments.dropFirst(3).first
            return self.profiles.handle(.unblockAsked(of: name, by: profile), call.moment, random: &random)
        case ("blocks", .get): return [.answer(.list(owner.blocks.map { .object($0.resource) }))]
        case ("badges", .get): return [.answer(.list([]))]
        case ("blocked-profile-ids", .get): return [.answer(.list(owner.blocks.map { .string($0.profile) }))]
        case ("received-invitations", .get):
            return [.answer(self.invitations.list(of: owner.id, .invited, status: status))]
        case ("sent-invitations", .get):
            return [.answer(self.invitations.list(of: owner.id, .inviting, status: status))]
        default: return [.answer(.notFound)]
        }
    }

    /// The profiles whose nickname has a text in it; how the vendor's is asked is not published, so the name of the
    /// parameter is defined here.
    private func search(_ call: ServiceCall) -> ServiceAnswer {
        let wanted = (call.target.query["nickname"] ?? "").lowercased()
        let found = self.profiles.all.filter { wanted.isEmpty || $0.nickname.lowercased().contains(wanted) }
        return call.page(of: found.map { .object($0.resource(base: call.moment.base)) }, base: call.moment.base)
    }

    private mutating func serveInvitations(
        _ call: ServiceCall, by profile: ServerProfile, _ random: inout RandomSource
    ) -> [ServiceAction] {
        let body = call.body
        switch call.target.method {
        case .post:
            guard let room = self.named(body) else { return [.answer(.missing("chat_room_id"))] }
            guard let invited = body["invited_profile_id"]?.string.flatMap({ self.profiles[$0] }) else {
                return [.answer(.invalid("invited_profile_id", "Must be a valid UUID."))]
            }
            return self.invitations.handle(
                .inviteAsked(invited, room: room, by: profile), call.moment, random: &random)
        case .patch:
            return self.invitations.handle(
                .answered(call.name, status: body["status"]?.string, by: profile), call.moment, random: &random)
        default: return [.answer(.notFound)]
        }
    }

    private mutating func serveRules(
        _ call: ServiceCall, by profile: ServerProfile, _ random: inout RandomSource
    ) -> [ServiceAction] {
        guard profile.isProducer else { return [.answer(.error(403, "Only a producer sets access rules."))] }
        switch call.target.method {
        case .post: return self.rules.handle(.addAsked(call.body), random: &random)
        case .delete: return self.rules.handle(.removeAsked(call.name), random: &random)
        default: return [.answer(.list(self.rules.resources))]
        }
    }

    /// Serves the list of reports, or that of the messages which they are about.
    private mutating func serveReports(
        _ call: ServiceCall, by profile: ServerProfile, _ random: inout RandomSource
    ) -> [ServiceAction] {
        guard profile.isProducer else { return [.answer(.error(403, "Only a producer reads reports."))] }
        let isOfMessages = call.segments[0] == "reported-chat-messages"
        guard call.target.method != .delete else {
            return self.reports.handle(
                isOfMessages ? .messageDismissed(call.name) : .dismissed(call.name), random: &random)
        }
        let room = call.target.query["chat_room_id"]
        return [.answer(.list(isOfMessages ? self.reports.messages(in: room) : self.reports.resources(in: room)))]
    }

    private mutating func servePins(
        _ call: ServiceCall, by profile: ServerProfile, _ random: inout RandomSource
    ) -> [ServiceAction] {
        let body = call.body
        switch call.target.method {
        case .get:
            guard let room = self.asked(call) else { return [.answer(.noRoom)] }
            guard room.mayRead(profile) else { return [.answer(.noMember)] }
            let pins = room.pins.resources
            return [.answer(.list(call.target.query["ordering"] == "-pinned_at" ? pins.reversed() : pins))]
        case .post:
            guard let room = self.named(body) else { return [.answer(.missing("chat_room_id"))] }
            guard let id = body["message_id"]?.string else { return [.answer(.missing("message_id"))] }
            guard room.mayModerate(profile) else {
                return [.answer(.error(403, "Only the producer or the creator of the room may pin messages."))]
            }
            let pinning = PinPart.Input.pinAsked(
                message: id, payload: body["message_payload"] ?? .null, by: profile.id, isOnce: true)
            return self.rooms.inRoom(room.id) { $0.pins.handle(pinning, call.moment, random: &random) }
        case .delete:
            guard let pin = call.name, let room = self.rooms.all.first(where: { $0.pins.contains(pin) }) else {
                return [.answer(.notFound)]
            }
            guard room.mayModerate(profile) else {
                return [.answer(.error(403, "Only the producer or the creator of the room may unpin messages."))]
            }
            return self.rooms.inRoom(room.id) { $0.pins.handle(.unpinAsked(pin), call.moment, random: &random) }
        default: return [.answer(.methodNotAllowed)]
        }
    }

    // MARK: Rooms

    private mutating func serveRooms(
        _ call: ServiceCall, _ log: PubNubChannels, _ random: inout RandomSource
    ) -> [ServiceAction] {
        let segments = call.segments
        guard let id = call.name else { return self.serveRoomList(call, &random) }
        guard let room = self.rooms[id] else { return [.answer(.noRoom)] }
        // These two are open to all: the resource, and the muted status, which the iOS SDK asks without a token.
        if segments.count == 2, call.target.method == .get {
            return [.answer(ServiceAnswer(self.rooms.resource(of: room, base: call.moment.base)))]
        }
        if segments.count == 4, segments[2] == "muted-status" {
            return [.answer(ServiceAnswer(["is_muted": .bool(self.isMuted(segments[3], in: room))]))]
        }
        guard let profile = call.profile else { return [.answer(.unauthorized)] }
        return self.serve(call, room: room, by: profile, log, &random)
    }

    private mutating func serveRoomList(_ call: ServiceCall, _ random: inout RandomSource) -> [ServiceAction] {
        guard let profile = call.profile else { return [.answer(.unauthorized)] }
        guard call.target.method == .post else {
            let rooms = self.rooms.all.map { self.rooms.resource(of: $0, base: call.moment.base) }
            return [.answer(call.page(of: rooms, base: call.moment.base))]
        }
        return self.rooms.handle(
            .createAsked(call.body, by: profile.id), call.moment, random: &random)
    }

    private mutating func serve(
        _ call: ServiceCall, room: ServerRoom, by profile: ServerProfile, _ log: PubNubChannels,
        _ random: inout RandomSource
    ) -> [ServiceAction] {
        let moment = call.moment
        switch (call.segments.count == 2 ? "" : call.segments[2], call.target.method) {
        case ("", .patch):
            guard room.mayModerate(profile) else { return [.answer(.error(403, "User cannot update chat room."))] }
            let actions = self.rooms.handle(.changed(room.id, call.body), moment, random: &random)
            let changed = self.rooms[room.id].map { self.rooms.resource(of: $0, base: moment.base) } ?? .null
            return actions + [.answer(ServiceAnswer(changed))]
        case ("", .delete):
            guard room.mayModerate(profile) else { return [.answer(.error(403, "User cannot delete chat room."))] }
            return self.rooms.handle(.deleteAsked(room.id), moment, random: &random)
        case ("memberships", _): return self.serveMemberships(call, room: room, by: profile, &random)
        case ("upload", .post): return [.answer(self.upload(call, &random))]
        case ("delete-chat-message", .post): return self.delete(call.body, in: room, by: profile, log)
        case ("report-message", .post) where room.settings.allowsReports:
            return self.reports.handle(
                .reported(call.body, room: room.id, by: profile.id, moment), random: &random)
        case ("custom-messages", .post):
            guard call.body["custom_data"]?.string != nil else { return [.answer(.missing("custom_data"))] }
            if let refusal = self.refusal(to: profile.id, sendingTo: room, now: moment.now) {
                return [.answer(refusal)]
            }
            return self.post(.customMessageCreated, call.body, in: room, by: profile, moment, &random)
        case ("sticker-packs", .get): return [.answer(self.application.stickerPacks)]
        case ("reaction-packs", .get): return [.answer(self.application.reactionPacks)]
        case ("sponsors", .get): return [.answer(.list([]))]
        default: return [.answer(.notFound)]
        }
    }

    private mutating func serveMemberships(
        _ call: ServiceCall, room: ServerRoom, by profile: ServerProfile, _ random: inout RandomSource
    ) -> [ServiceAction] {
        switch call.target.method {
        case .get:
            let members = room.members.profiles.compactMap { self.profiles[$0] }.map { profile -> JSONValue in
                .object(room.members.resource(of: profile, base: call.moment.base))
            }
            return [.answer(call.page(of: members, base: call.moment.base))]
        case .delete: return self.rooms.inRoom(room.id) { $0.members.handle(.left(profile.id), random: &random) }
        case .post:
            guard let named = call.body["profile_id"] else {
                return self.add(profile, to: room, by: profile, call.moment, &random)
            }
            guard let other = named.string.flatMap({ self.profiles[$0] }) else {
                return [.answer(.invalid("profile_id", "Must be a valid UUID."))]
            }
            guard room.members.contains(profile.id) || profile.isProducer else {
                let text = "cannot add profile, since you are not a part of this chatroom."
                return [.answer(.error(403, text))]
            }
            return self.add(other, to: room, by: profile, call.moment, &random)
        default: return [.answer(.methodNotAllowed)]
        }
    }

    private mutating func add(
        _ profile: ServerProfile, to room: ServerRoom, by actor: ServerProfile, _ moment: ServiceMoment,
        _ random: inout RandomSource
    ) -> [ServiceAction] {
        let adding = MembershipPart.Input.addAsked(profile, by: actor, title: room.settings.title, moment)
        return self.rooms.inRoom(room.id) { $0.members.handle(adding, random: &random) }
    }

    private func upload(_ call: ServiceCall, _ random: inout RandomSource) -> ServiceAnswer {
        let type = call.request.head.headerFields[.contentType] ?? ""
        guard let image = MultipartFile(field: "image", in: call.request.body, contentType: type),
            !image.content.isEmpty
        else { return .missing("image") }
        guard image.content.count <= 10_000_000 else { return .error(413, "The image is too large.") }
        let id = random.uuid()
        return ServiceAnswer(
            ["id": .string(id), "image_url": .string("\(call.moment.base)/images/\(id).jpg")], status: .created)
    }

    // MARK: Messages

    private func isMuted(_ profile: String, in room: ServerRoom) -> Bool {
        self.mutes.isMuted(profile) || room.mutes.isMuted(profile)
    }

    private func isShadowMuted(_ profile: String, in room: ServerRoom) -> Bool {
        self.mutes.isShadowMuted(profile) || room.mutes.isShadowMuted(profile)
    }

    /// Why a member may not send now, if so; the statuses are defined here.
    private mutating func refusal(
        to profile: String, sendingTo room: ServerRoom, now: Instant
    ) -> ServiceAnswer? {
        if self.isMuted(profile, in: room) { return .error(403, "The profile is muted in this chat room.") }
        return self.rooms.takeTurn(of: profile, in: room.id, now: now)
            ? nil : .throttled
    }

    private func draft(
        _ event: EnvelopeEvent, _ fields: JSONObject, in room: ServerRoom, by profile: ServerProfile
    ) -> MessageDraft {
        MessageDraft(
            event: event, fields: fields, sender: profile, isShadowMuted: self.isShadowMuted(profile.id, in: room),
            filteredWords: self.options.filteredWords)
    }

    /// Sends a message of a member or a moderator, and answers it then.
    private func post(
        _ event: EnvelopeEvent, _ fields: JSONObject, in room: ServerRoom, by profile: ServerProfile,
        _ moment: ServiceMoment, _ random: inout RandomSource
    ) -> [ServiceAction] {
        let draft = self.draft(event, fields, in: room, by: profile)
        let message = draft.message(in: room, moment, random: &random)
        return [
            draft.publication(of: message, in: room),
            .answer(.created(message)),
        ]
    }

    /// Takes a message; answer and echo go out in the order of the options.
    ///
    /// The service has no limit of its own for a text; what the carrier would not take is refused with 413, which is
    /// defined here.
    private mutating func send(
        _ call: ServiceCall, by profile: ServerProfile, _ random: inout RandomSource
    ) -> [ServiceAction] {
        let body = call.body
        guard let room = self.named(body) else { return [.answer(.noRoom)] }
        let event = body["message_event"]?.string.flatMap(EnvelopeEvent.init)
        guard let event, event == .messageCreated || event == .imageCreated else {
            return [.answer(.missing("message_event"))]
        }
        let content = event == .messageCreated ? "message" : "image_url"
        for field in [content, "sender_nickname"] where (body[field]?.string ?? "").isEmpty {
            return [.answer(.missing(field))]
        }
        guard call.request.body.count <= PubNubChannels.messageLimit else {
            return [.answer(.error(413, "Message Too Large"))]
        }
        if let refusal = self.refusal(to: profile.id, sendingTo: room, now: call.moment.now) {
            return [.answer(refusal)]
        }
        let draft = self.draft(event, body, in: room, by: profile)
        var message = draft.message(in: room, call.moment, random: &random)
        message["message_event"] = .string(event.rawValue)
        let answer = ServiceAction.answer(.created(message))
        let echo = draft.publication(of: message, in: room)
        switch self.options.echoOrder {
        case .answerFirst: return [answer, echo]
        case .echoFirst: return [echo, answer]
        }
    }

    /// Takes a message that a client gave to the message carrier itself.
    private mutating func take(_ message: DirectMessage, _ moment: ServiceMoment) -> [ServiceAction] {
        let id = String(message.channel.dropFirst("chatroom.".count))
        guard let room = self.rooms[id], room.chatChannel == message.channel, let profile = message.profile,
            !self.isMuted(profile, in: room)
        else { return [PubNubRequest.forbidden(message.channel)] }
        guard self.rooms.takeTurn(of: profile, in: id, now: moment.now) else {
            return [PubNubRequest.unpublished(429, "Too Many Requests", moment)]
        }
        let isShadowMuted = self.isShadowMuted(profile, in: room)
        return [
            .publish(message.publication(in: id, by: profile, isShadowMuted: isShadowMuted)), .confirmPublication,
        ]
    }

    private mutating func delete(
        _ body: JSONObject, in room: ServerRoom, by profile: ServerProfile, _ log: PubNubChannels
    ) -> [ServiceAction] {
        guard let id = body["message_id"]?.string else { return [.answer(.missing("message_id"))] }
        let token = room.messages.token(of: id)
        let entry = token.flatMap { log.entry(on: room.chatChannel, at: $0) }
        guard room.mayModerate(profile) || entry?.senderID == profile.id else {
            return [.answer(.error(403, "You do not have permission to delete this message."))]
        }
        let named = body["pubnub_timetoken"]?.integer
        guard named == nil || named == token?.ticks else {
            return [.answer(ServiceAnswer(["message_id": "pubnub_timetoken is invalid."], status: .badRequest))]
        }
        return self.rooms.inRoom(room.id) {
            $0.messages.handle(.deleteAsked(id, isRemoved: named != nil, entry))
        }
    }
}
