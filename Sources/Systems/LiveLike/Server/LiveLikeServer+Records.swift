import HTTPTypes
import JSON
import Machines

/// The REST calls of history, pins, invitations, access rules and reports.
extension LiveLikeServer {
    // MARK: History

    private func mayRead(_ room: ServerRoom, _ profile: ServerProfile) -> Bool {
        room.visibility != "members" || room.memberSet.contains(profile.id) || profile.isProducer
    }

    /// The messages that a call asks for; that `since` and `until` are both exclusive is defined here.
    private func entries(
        _ call: ServiceCall, room: ServerRoom, by profile: ServerProfile, limit: Int
    ) -> [Carrier.Entry] {
        let query = call.target.query
        let before = query["until"].flatMap(ServiceTime.ticks).map(TimeToken.init(ticks:))
        let after = query["since"].flatMap(ServiceTime.ticks).map(TimeToken.init(ticks:)) ?? .zero
        let parent = query["parent_message_id"]?.lowercased()
        let quoted = query["quoted_sender_id"]
        return self.carrier.messages(
            on: room.chatChannel, before: before, after: after, limit: limit, for: profile.id,
            where: { entry in
                let payload = entry.data["payload"]
                if let parent, payload?["parent_message_id"]?.string?.lowercased() != parent { return false }
                if let quoted, payload?["quote_message"]?["sender_id"]?.string != quoted { return false }
                return true
            })
    }

    /// Answers a page of history, oldest message first.
    func history(_ call: ServiceCall, by profile: ServerProfile) -> Response {
        guard let room = call.target.query["chat_room_id"].flatMap({ self.rooms[$0] }) else {
            return Self.error(404, "No chat room found.")
        }
        // Whether a private room's history is open to others is not published; defined here: it is closed.
        guard self.mayRead(room, profile) else { return Self.error(403, "You are not a member of this chat room.") }
        let results = self.entries(call, room: room, by: profile, limit: call.pageSize).map { entry in
            var message = entry.data["payload"]?.object ?? [:]
            message["message_event"] = entry.data["event"]
            message["pubnub_timetoken"] = .integer(entry.token.ticks)
            message["created_at"] = .string(ServiceTime.text(ticks: entry.token.ticks))
            if !entry.reactions.isEmpty {
                message["reactions"] = Self.reactions(of: entry, tokenName: "actionTimeToken")
            }
            if let id = message["id"]?.string, let count = room.replies[id] {
                message["replies_count"] = .integer(count)
                message["replies_url"] = .string(
                    "\(self.base)/chatroom-messages/?chat_room_id=\(room.id)&parent_message_id=\(id)")
            }
            return JSONValue.object(message)
        }
        return Response(json: ["next": nil, "previous": nil, "results": .array(results)])
    }

    /// Answers how many messages stand between two times.
    func messageCount(_ call: ServiceCall, by profile: ServerProfile) -> Response {
        guard let room = call.target.query["chat_room_id"].flatMap({ self.rooms[$0] }) else {
            return Self.error(404, "No chat room found.")
        }
        guard self.mayRead(room, profile) else { return Self.error(403, "You are not a member of this chat room.") }
        let count = self.entries(call, room: room, by: profile, limit: Carrier.logLimit).count { entry in
            entry.data["event"]?.string.flatMap(EnvelopeEvent.init)?.isCreation == true
        }
        return Response(json: ["count": .integer(Int64(count))])
    }

    // MARK: Pins

    /// Answers a call about pins.
    mutating func pinCall(_ call: ServiceCall, by profile: ServerProfile, in step: inout Step) -> Response {
        let body = call.body
        switch call.target.method {
        case .get:
            guard let room = call.target.query["chat_room_id"].flatMap({ self.rooms[$0] }) else {
                return Self.error(404, "No chat room found.")
            }
            let isDescending = call.target.query["ordering"] == "-pinned_at"
            return Self.list((isDescending ? room.pins.reversed() : room.pins).map { .object($0) })
        case .post:
            guard let room = body["chat_room_id"]?.string.flatMap({ self.rooms[$0] }) else {
                return Self.missing("chat_room_id")
            }
            guard let id = body["message_id"]?.string else { return Self.missing("message_id") }
            guard profile.isProducer || room.creator == profile.id else {
                return Self.error(403, "Only the producer or the creator of the room may pin messages.")
            }
            guard !room.pins.contains(where: { $0["message_id"]?.string == id }) else {
                return Self.error(409, "Message is already Pinned")
            }
            let info = self.pin(
                id, payload: body["message_payload"] ?? .null, in: room, by: profile.id, in: &step)
            return Response(json: .object(info), status: .created)
        case .delete:
            guard let pin = call.segments.dropFirst().first, let room = self.pinRoom(pin),
                self.unpin(pin, in: room, in: &step)
            else { return Self.error(404, "Not found.") }
            return Response(HTTPResponse(status: .noContent))
        default: return Self.error(405, "Method not allowed.")
        }
    }

    // MARK: Invitations

    /// The invitations by or for a profile.
    func invitations(of profile: String, member: String, _ call: ServiceCall) -> [JSONValue] {
        let status = call.target.query["status"]
        return self.invitations.filter { invitation in
            invitation[member]?.string == profile && (status == nil || invitation["status"]?.string == status)
        }.map { .object($0) }
    }

    /// Answers a call that makes or answers an invitation.
    mutating func invitationCall(
        _ call: ServiceCall, by profile: ServerProfile, in step: inout Step
    ) -> Response {
        let body = call.body
        if call.target.method == .post {
            guard let room = body["chat_room_id"]?.string.flatMap({ self.rooms[$0] }) else {
                return Self.missing("chat_room_id")
            }
            guard let invited = body["invited_profile_id"]?.string.flatMap({ self.profiles[$0] }) else {
                return Response(json: ["invited_profile_id": ["Must be a valid UUID."]], status: .badRequest)
            }
            return Response(
                json: .object(self.invite(invited, to: room, by: profile, in: &step)), status: .created)
        }
        guard call.target.method == .patch, let id = call.segments.dropFirst().first,
            let index = self.invitations.firstIndex(where: { $0["id"]?.string == id })
        else { return Self.error(404, "Not found.") }
        guard self.invitations[index]["invited_profile_id"]?.string == profile.id else {
            return Self.error(403, "Only the invited profile may answer.")
        }
        guard let status = body["status"]?.string, ["accepted", "rejected"].contains(status) else {
            return Self.missing("status")
        }
        self.invitations[index]["status"] = .string(status)
        if status == "accepted", let room = self.invitations[index]["chat_room_id"]?.string {
            _ = self.rooms[room]?.add(profile.id)
        }
        return Response(json: .object(self.invitations[index]))
    }

    /// Makes an invitation and tells the invited profile.
    mutating func invite(
        _ invited: ServerProfile, to room: ServerRoom, by profile: ServerProfile, in step: inout Step
    ) -> JSONObject {
        let id = step.random.uuid()
        let invitation: JSONObject = [
            "id": .string(id), "url": .string("\(self.base)/chat-room-invitations/\(id)/"),
            "created_at": .string(self.timestamp(step.now)), "status": "pending",
            "chat_room": .object(self.info(of: room)), "chat_room_id": .string(room.id),
            "invited_by": .object(self.resource(of: profile, withToken: false)), "invited_by_id": .string(profile.id),
            "invited_profile": .object(self.resource(of: invited, withToken: false)),
            "invited_profile_id": .string(invited.id),
        ]
        if self.invitations.count >= Self.recordLimit { self.invitations.removeFirst() }
        self.invitations.append(invitation)
        self.publish(Envelope(.roomInvitation, invitation).json, on: "profile.\(invited.id)", in: &step)
        return invitation
    }

    // MARK: Access rules

    /// Answers a producer's call about access rules, which is how members are muted.
    mutating func ruleCall(_ call: ServiceCall, by profile: ServerProfile, in step: inout Step) -> Response {
        guard profile.isProducer else { return Self.error(403, "Only a producer sets access rules.") }
        switch call.target.method {
        case .post:
            guard let member = call.body["profile_id"]?.string else { return Self.missing("profile_id") }
            guard call.body["directive"]?.string == "allow-read" else { return Self.missing("directive") }
            let room = call.body["chat_room_id"]?.string
            self.setMuted(true, member, room: room)
            let rule: JSONObject = [
                "id": .string(step.random.uuid()), "profile_id": .string(member), "directive": "allow-read",
                "chat_room_id": room.map { .string($0) } ?? .null,
            ]
            self.rules.append(rule)
            return Response(json: .object(rule), status: .created)
        case .delete:
            guard let id = call.segments.dropFirst().first,
                let index = self.rules.firstIndex(where: { $0["id"]?.string == id })
            else { return Self.error(404, "Not found.") }
            let rule = self.rules.remove(at: index)
            self.setMuted(false, rule["profile_id"]?.string ?? "", room: rule["chat_room_id"]?.string)
            return Response(HTTPResponse(status: .noContent))
        default: return Self.list(self.rules.map { .object($0) })
        }
    }

    /// Mutes or unmutes a member in a room, or everywhere without a room.
    mutating func setMuted(_ isMuted: Bool, _ profile: String, room: String?) {
        guard let room else {
            if isMuted { self.globallyMuted.insert(profile) } else { self.globallyMuted.remove(profile) }
            return
        }
        if isMuted { self.rooms[room]?.muted.insert(profile) } else { self.rooms[room]?.muted.remove(profile) }
    }

    // MARK: Reports

    /// Answers a producer's call about reports.
    mutating func reportCall(_ call: ServiceCall, by profile: ServerProfile) -> Response {
        guard profile.isProducer else { return Self.error(403, "Only a producer reads reports.") }
        guard call.target.method == .delete else { return Self.list(self.reports.map { .object($0) }) }
        guard let id = call.segments.dropFirst().first,
            let index = self.reports.firstIndex(where: { $0["id"]?.string == id })
        else { return Self.error(404, "Not found.") }
        self.reports.remove(at: index)
        return Response(HTTPResponse(status: .noContent))
    }
}
