import HTTPTypes
import JSON
import Machines

/// The service's REST interface below `/api/v1` (vendor's API reference).
extension LiveLikeServer {
    /// Answers a request to the REST interface.
    mutating func answerService(
        _ exchange: ExchangeID, _ target: RequestTarget, _ request: Request, in step: inout Step
    ) {
        let segments = Array(target.segments.dropFirst(2))
        guard target.segments.prefix(2) == ["api", "v1"], let resource = segments.first else {
            return self.answer(exchange, Self.error(404, "Not found."), in: &step)
        }
        let profile = target.token.flatMap { self.profileIDsByToken[$0] }.flatMap { self.profiles[$0] }
        if target.token != nil, profile == nil {
            return self.answer(exchange, Self.error(401, "Invalid token."), in: &step)
        }
        let call = ServiceCall(
            exchange: exchange, target: target, segments: segments, request: request, profile: profile)
        switch resource {
        case "applications": self.answer(exchange, self.application(call), in: &step)
        case "profile": self.answer(exchange, self.ownProfile(call, in: &step), in: &step)
        case "chat-rooms": self.answerRooms(call, in: &step)
        case "chatroom-messages" where target.method == .post: self.postMessage(call, in: &step)
        default:
            guard let profile else {
                let text = "Authentication credentials were invalid or not provided."
                return self.answer(exchange, Self.error(403, text), in: &step)
            }
            self.answer(exchange, self.respond(to: call, by: profile, in: &step), in: &step)
        }
    }

    private mutating func respond(
        to call: ServiceCall, by profile: ServerProfile, in step: inout Step
    ) -> Response {
        switch call.segments[0] {
        case "profiles": self.profileCall(call, by: profile, in: &step)
        case "chatroom-messages": self.history(call, by: profile)
        case "chatroom-messages-count": self.messageCount(call, by: profile)
        case "pinned-messages": self.pinCall(call, by: profile, in: &step)
        case "chat-room-invitations": self.invitationCall(call, by: profile, in: &step)
        case "chat-room-access-rules": self.ruleCall(call, by: profile, in: &step)
        case "reported-chat-room-messages": self.reportCall(call, by: profile)
        case "chatroom-token-gate-access": self.tokenGateAccess(call)
        default: Self.error(404, "Not found.")
        }
    }

    /// Answers whether a wallet opens a room.
    ///
    /// That the answer does not keep anybody out, since only the application asks for it, is defined here.
    private func tokenGateAccess(_ call: ServiceCall) -> Response {
        guard let room = call.target.query["chat_room_id"].flatMap({ self.rooms[$0] }) else {
            return Self.error(404, "No chat room found.")
        }
        let wallet = call.target.query["wallet_address"] ?? ""
        let isOpen = room.tokenGates.isEmpty || room.wallets.contains(wallet)
        return Response(json: [
            "chat_room_id": .string(room.id), "access": isOpen ? "allowed" : "disallowed",
            "wallet_details": ["wallet_address": .string(wallet)],
        ])
    }

    // MARK: Application and profiles

    private func application(_ call: ServiceCall) -> Response {
        guard call.segments.count == 2, self.options.clientID == nil || self.options.clientID == call.segments[1] else {
            return Self.error(404, "Not found.")
        }
        var fields: JSONObject = [
            "client_id": .string(call.segments[1]), "name": "Simulated application",
            "pubnub_subscribe_key": .string(Self.subscribeKey), "pubnub_origin": .string(self.authority),
            "pubnub_heartbeat_interval": self.options.heartbeat.map { .integer($0) } ?? .null,
            "pubnub_presence_timeout": 279, "profile_url": .string(self.base + "/profile/"),
            "profile_detail_url_template": .string(self.base + "/profiles/{profile_id}/"),
            "chat_room_detail_url_template": .string(self.base + "/chat-rooms/{chat_room_id}/"),
            "create_chat_room_url": .string(self.base + "/chat-rooms/"),
            "create_chat_room_invitation_url": .string(self.base + "/chat-room-invitations/"),
            "chat_rooms_invitations_url": .string(self.base + "/chat-room-invitations/"),
            "chat_room_invitation_detail_url_template":
                .string(self.base + "/chat-room-invitations/{invitation_id}/"),
            "profile_chat_room_received_invitations_url_template":
                .string(self.base + "/profiles/{profile_id}/received-invitations/"),
            "profile_chat_room_sent_invitations_url_template":
                .string(self.base + "/profiles/{profile_id}/sent-invitations/"),
            "pinned_messages_url": .string(self.base + "/pinned-messages/"), "analytics_properties": [:],
        ]
        if self.options.canPublish { fields["pubnub_publish_key"] = .string(Self.publishKey) }
        return Response(json: .object(fields))
    }

    private mutating func ownProfile(_ call: ServiceCall, in step: inout Step) -> Response {
        if call.target.method == .post {
            guard self.profiles.count < Self.recordLimit else { return Self.error(429, "Request was throttled.") }
            let profile = self.addProfile(nickname: nil, isProducer: false, in: &step)
            return Response(json: .object(self.resource(of: profile, withToken: true)), status: .created)
        }
        guard var profile = call.profile else {
            return Self.error(403, "Authentication credentials were invalid or not provided.")
        }
        if call.target.method == .patch, let name = call.body["nickname"]?.string {
            guard 1...20 ~= name.count else {
                return Response(
                    json: ["nickname": ["Ensure this field has between 1 and 20 characters."]], status: .badRequest)
            }
            profile.nickname = name
            self.profiles[profile.id] = profile
        }
        return Response(json: .object(self.resource(of: profile, withToken: true)))
    }

    /// Makes a profile with a token of its own.
    mutating func addProfile(nickname: String?, isProducer: Bool, in step: inout Step) -> ServerProfile {
        let adjectives = ["Wise", "Brave", "Calm", "Swift", "Merry", "Quiet"]
        let animals = ["Bee", "Otter", "Heron", "Fox", "Lynx", "Wren"]
        let made = "\(adjectives.randomElement(using: &step.random)!) \(animals.randomElement(using: &step.random)!)"
        let profile = ServerProfile(
            id: step.random.uuid(), token: "tok-" + step.random.hexadecimalDigits(32),
            nickname: nickname ?? made, createdAt: self.timestamp(step.now), isProducer: isProducer)
        self.profiles[profile.id] = profile
        self.profileIDsByToken[profile.token] = profile.id
        return profile
    }

    /// The profile resource; its token only for its owner.
    func resource(of profile: ServerProfile, withToken: Bool) -> JSONObject {
        let url = "\(self.base)/profiles/\(profile.id)/"
        var fields: JSONObject = [
            "id": .string(profile.id), "url": .string(withToken ? self.base + "/profile/" : url),
            "nickname": .string(profile.nickname), "custom_data": .null, "created_at": .string(profile.createdAt),
            "subscribe_channel": .string("profile.\(profile.id)"), "reported_count": 0,
            "chat_room_memberships_url": .string(url + "chat-room-memberships/"),
            "block_profile_url": .string(url + "blocks/"),
            "blocked_profiles_template_url": .string(url + "blocks/"),
            "blocked_profile_ids_url": .string(url + "blocked-profile-ids/"),
        ]
        if withToken { fields["access_token"] = .string(profile.token) }
        return fields
    }

    private mutating func profileCall(
        _ call: ServiceCall, by profile: ServerProfile, in step: inout Step
    ) -> Response {
        guard call.segments.count >= 2, let owner = self.profiles[call.segments[1]] else {
            return Self.error(404, "Not found.")
        }
        guard call.segments.count > 2 else {
            return Response(json: .object(self.resource(of: owner, withToken: false)))
        }
        guard owner.id == profile.id else { return Self.error(403, "You do not have permission to do this.") }
        switch (call.segments[2], call.target.method) {
        case ("chat-room-memberships", .get):
            let rooms = self.roomOrder.compactMap { self.rooms[$0] }.filter { $0.memberSet.contains(owner.id) }
            return call.page(of: rooms.map { ["chat_room": self.resource(of: $0)] }, base: self.base)
        case ("blocks", .post): return self.block(call, by: profile, in: &step)
        case ("blocks", .delete): return self.unblock(call, by: profile, in: &step)
        case ("blocks", .get): return Self.list(owner.blocks.map { .object($0.block) })
        case ("blocked-profile-ids", .get): return Self.list(owner.blocks.map { .string($0.profile) })
        case ("received-invitations", .get):
            return Self.list(self.invitations(of: owner.id, member: "invited_profile_id", call))
        case ("sent-invitations", .get):
            return Self.list(self.invitations(of: owner.id, member: "invited_by_id", call))
        default: return Self.error(404, "Not found.")
        }
    }

    private mutating func block(_ call: ServiceCall, by profile: ServerProfile, in step: inout Step) -> Response {
        guard let other = call.body["blocked_profile_id"]?.string, let blocked = self.profiles[other] else {
            return Response(json: ["blocked_profile_id": ["Must be a valid UUID."]], status: .badRequest)
        }
        guard other != profile.id, !profile.blocks.contains(where: { $0.profile == other }) else {
            return Self.error(409, "The profile is blocked already.")
        }
        let id = step.random.uuid()
        let block: JSONObject = [
            "id": .string(id), "url": .string("\(self.base)/profiles/\(profile.id)/blocks/\(id)/"),
            "block_type": "block-everywhere", "created_at": .string(self.timestamp(step.now)),
            "blocked_profile": .object(self.resource(of: blocked, withToken: false)),
            "blocked_profile_id": .string(other),
            "blocked_by_profile": .object(self.resource(of: profile, withToken: false)),
            "blocked_by_profile_id": .string(profile.id),
        ]
        self.profiles[profile.id]?.blocks.append((other, block))
        self.publish(Envelope(.profileBlocked, block).json, on: "profile.\(profile.id)", in: &step)
        return Response(json: .object(block), status: .created)
    }

    private mutating func unblock(
        _ call: ServiceCall, by profile: ServerProfile, in step: inout Step
    ) -> Response {
        // By the id of the block, or of the blocked profile, which is what a client always knows.
        guard let name = call.segments.dropFirst(3).first,
            let index = profile.blocks.firstIndex(where: { $0.profile == name || $0.block["id"]?.string == name })
        else { return Self.error(404, "Not found.") }
        let block = profile.blocks[index].block
        self.profiles[profile.id]?.blocks.remove(at: index)
        self.publish(Envelope(.profileUnblocked, block).json, on: "profile.\(profile.id)", in: &step)
        return Response(HTTPResponse(status: .noContent))
    }
}
