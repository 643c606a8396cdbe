import HTTPTypes
import JSON
import Machines

/// The REST calls of rooms: the resource itself, members, uploads, reports, custom messages.
extension LiveLikeServer {
    /// Answers a call below `/chat-rooms/`.
    mutating func answerRooms(_ call: ServiceCall, in step: inout Step) {
        let segments = call.segments
        guard segments.count > 1 else {
            return self.answer(call.exchange, self.roomList(call, in: &step), in: &step)
        }
        guard let room = self.rooms[segments[1]] else {
            return self.answer(call.exchange, Self.error(404, "No chat room found."), in: &step)
        }
        // These two are open to all: the resource, and the muted status, which the iOS SDK asks without a token.
        if segments.count == 2, call.target.method == .get {
            return self.answer(call.exchange, Response(json: self.resource(of: room)), in: &step)
        }
        if segments.count == 4, segments[2] == "muted-status" {
            let isMuted = self.isMuted(segments[3], in: room.id)
            return self.answer(call.exchange, Response(json: ["is_muted": .bool(isMuted)]), in: &step)
        }
        guard let profile = call.profile else {
            let text = "Authentication credentials were invalid or not provided."
            return self.answer(call.exchange, Self.error(403, text), in: &step)
        }
        let response = self.respond(to: call, room: room, by: profile, in: &step)
        self.answer(call.exchange, response, in: &step)
    }

    private mutating func respond(
        to call: ServiceCall, room: ServerRoom, by profile: ServerProfile, in step: inout Step
    ) -> Response {
        let mayModerate = profile.isProducer || room.creator == profile.id
        switch (call.segments.count == 2 ? "" : call.segments[2], call.target.method) {
        case ("", .patch):
            guard mayModerate else { return Self.error(403, "User cannot update chat room.") }
            self.updateRoom(room.id, call.body, in: &step)
            return Response(json: self.rooms[room.id].map { self.resource(of: $0) } ?? .null)
        case ("", .delete):
            guard mayModerate else { return Self.error(403, "User cannot delete chat room.") }
            self.rooms[room.id] = nil
            self.roomOrder.removeAll { $0 == room.id }
            return Response(HTTPResponse(status: .noContent))
        case ("memberships", _): return self.memberships(call, room: room, by: profile, in: &step)
        case ("upload", .post): return self.upload(call, in: &step)
        case ("delete-chat-message", .post):
            guard let id = call.body["message_id"]?.string else { return Self.missing("message_id") }
            guard mayModerate || self.sender(of: id, in: room) == profile.id else {
                return Self.error(403, "You do not have permission to delete this message.")
            }
            let named = call.body["pubnub_timetoken"]?.integer
            guard named == nil || named == room.tokens[id.lowercased()]?.ticks else {
                return Response(json: ["message_id": "pubnub_timetoken is invalid."], status: .badRequest)
            }
            guard self.delete(id, in: room, removing: named != nil, in: &step) else {
                return Self.error(404, "Not found.")
            }
            return Response(HTTPResponse(status: .noContent))
        case ("report-message", .post) where room.allowsReports:
            return self.report(call, room: room, by: profile, in: &step)
        case ("custom-messages", .post): return self.customMessage(call, room: room, by: profile, in: &step)
        case ("sticker-packs", .get):
            let stickers = self.options.stickers.map { name -> JSONValue in
                ["shortcode": .string(name), "file": .string("\(self.base)/stickers/\(name).png")]
            }
            return Self.list([["name": "Stickers", "file": .null, "stickers": .array(stickers)]])
        case ("reaction-packs", .get):
            let emojis = self.options.reactions.map { name -> JSONValue in
                ["id": .string(name), "name": .string(name), "file": .string("\(self.base)/reactions/\(name).png")]
            }
            return Self.list([["name": "Reactions", "file": .null, "emojis": .array(emojis)]])
        default: return Self.error(404, "Not found.")
        }
    }

    /// The answer to a body that lacks a field.
    static func missing(_ field: String) -> Response {
        Response(json: .object([field: ["This field is required."]]), status: .badRequest)
    }

    private func sender(of id: String, in room: ServerRoom) -> String? {
        room.tokens[id.lowercased()].flatMap { self.carrier.entry(on: room.chatChannel, at: $0)?.senderID }
    }

    private mutating func roomList(_ call: ServiceCall, in step: inout Step) -> Response {
        guard let profile = call.profile else {
            return Self.error(403, "Authentication credentials were invalid or not provided.")
        }
        guard call.target.method == .post else {
            return call.page(
                of: self.roomOrder.compactMap { self.rooms[$0] }.map { self.resource(of: $0) }, base: self.base)
        }
        guard self.rooms.count < Self.recordLimit else { return Self.error(429, "Request was throttled.") }
        // Over REST the default is members only; the vendor's iOS helper sends everyone.
        let fields = JSONObject([("visibility", JSONValue.string("members"))]).merging(call.body)
        let room = self.addRoom(id: step.random.uuid(), fields, creator: profile.id, at: step.now)
        return Response(json: self.resource(of: room), status: .created)
    }

    // MARK: Members

    private mutating func memberships(
        _ call: ServiceCall, room: ServerRoom, by profile: ServerProfile, in step: inout Step
    ) -> Response {
        switch call.target.method {
        case .get:
            let members = room.members.compactMap { self.profiles[$0] }
            return call.page(of: members.map { .object(self.membership(of: $0, in: room)) }, base: self.base)
        case .delete:
            self.rooms[room.id]?.remove(profile.id)
            return Response(HTTPResponse(status: .noContent))
        case .post:
            guard let named = call.body["profile_id"] else {
                return self.addMember(profile, to: room, by: profile, in: &step)
            }
            guard let id = named.string, let other = self.profiles[id] else {
                return Response(json: ["profile_id": ["Must be a valid UUID."]], status: .badRequest)
            }
            guard room.memberSet.contains(profile.id) || profile.isProducer else {
                return Self.error(403, "cannot add profile, since you are not a part of this chatroom.")
            }
            return self.addMember(other, to: room, by: profile, in: &step)
        default: return Self.error(405, "Method not allowed.")
        }
    }

    private func membership(of profile: ServerProfile, in room: ServerRoom) -> JSONObject {
        [
            "id": .string("\(room.id)-\(profile.id)"),
            "url": .string("\(self.base)/chat-rooms/\(FormEncoding.percentEncode(room.id))/memberships/"),
            "profile": .object(self.resource(of: profile, withToken: false)),
        ]
    }

    /// Makes a profile a member, and tells it so if somebody else did.
    mutating func addMember(
        _ profile: ServerProfile, to room: ServerRoom, by actor: ServerProfile, in step: inout Step
    ) -> Response {
        guard self.rooms[room.id]?.add(profile.id) == true else {
            return Self.error(409, "membership already exists.")
        }
        if profile.id != actor.id {
            let payload: JSONObject = [
                "id": .string(step.random.uuid()), "chat_room_id": .string(room.id),
                "chat_room_title": .string(room.title), "created_at": .string(self.timestamp(step.now)),
            ]
            self.publish(
                Envelope(.roomAdded, payload.merging(self.senderFields(actor))).json, on: "profile.\(profile.id)",
                in: &step)
        }
        return Response(json: .object(self.membership(of: profile, in: room)), status: .created)
    }

    // MARK: Uploads, reports, custom messages

    private mutating func upload(_ call: ServiceCall, in step: inout Step) -> Response {
        let type = call.request.head.headerFields[.contentType] ?? ""
        guard let image = MultipartFile(field: "image", in: call.request.body, contentType: type),
            !image.content.isEmpty
        else { return Self.missing("image") }
        guard image.content.count <= 10_000_000 else { return Self.error(413, "The image is too large.") }
        let id = step.random.uuid()
        return Response(
            json: ["id": .string(id), "image_url": .string("\(self.base)/images/\(id).jpg")], status: .created)
    }

    private mutating func report(
        _ call: ServiceCall, room: ServerRoom, by profile: ServerProfile, in step: inout Step
    ) -> Response {
        let body = call.body
        guard let id = body["message_id"]?.string else { return Self.missing("message_id") }
        guard self.reports.count < Self.recordLimit else { return Self.error(429, "Request was throttled.") }
        let report: JSONObject = [
            "id": .string(step.random.uuid()), "chat_room_id": .string(room.id), "message_id": .string(id),
            "message": body["message"] ?? .null, "profile_id": body["profile_id"] ?? .null,
            "nickname": body["nickname"] ?? .null, "reported_by_id": .string(profile.id), "status": "pending",
            "created_at": .string(self.timestamp(step.now)),
        ]
        self.reports.append(report)
        for watcher in self.watchers { step.ask(.emit(party: watcher, ChatEvent(.messageReported, report))) }
        return Response(json: .object(report), status: .created)
    }

    private mutating func customMessage(
        _ call: ServiceCall, room: ServerRoom, by profile: ServerProfile, in step: inout Step
    ) -> Response {
        guard call.body["custom_data"]?.string != nil else { return Self.missing("custom_data") }
        if let refusal = self.refusal(to: profile.id, sendingTo: room.id, now: step.now) { return refusal }
        let message = self.makeMessage(.customMessageCreated, call.body, room: room, profile: profile, in: &step)
        _ = self.deliver(.customMessageCreated, message, room: room, by: profile.id, in: &step)
        return Response(json: .object(message), status: .created)
    }

    /// Why a member may not send now, if so; the statuses are defined here.
    mutating func refusal(to profile: String, sendingTo room: String, now: Instant) -> Response? {
        if self.isMuted(profile, in: room) { return Self.error(403, "The profile is muted in this chat room.") }
        return self.takeTurn(profile, in: room, now: now) ? nil : Self.error(429, "Request was throttled.")
    }

    // MARK: Messages

    /// Takes a message; answer and echo go out in the order of the options.
    ///
    /// The service has no limit of its own for a text; what the carrier would not take is refused with 413, which is
    /// defined here.
    mutating func postMessage(_ call: ServiceCall, in step: inout Step) {
        guard let profile = call.profile else {
            let text = "Authentication credentials were invalid or not provided."
            return self.answer(call.exchange, Self.error(403, text), in: &step)
        }
        let body = call.body
        guard let room = body["chat_room_id"]?.string.flatMap({ self.rooms[$0] }) else {
            return self.answer(call.exchange, Self.error(404, "No chat room found."), in: &step)
        }
        let event = body["message_event"]?.string.flatMap(EnvelopeEvent.init)
        guard let event, event == .messageCreated || event == .imageCreated else {
            return self.answer(call.exchange, Self.missing("message_event"), in: &step)
        }
        let content = event == .messageCreated ? "message" : "image_url"
        for field in [content, "sender_nickname"] where (body[field]?.string ?? "").isEmpty {
            return self.answer(call.exchange, Self.missing(field), in: &step)
        }
        guard call.request.body.count <= Carrier.messageLimit else {
            return self.answer(call.exchange, Self.error(413, "Message Too Large"), in: &step)
        }
        if let refusal = self.refusal(to: profile.id, sendingTo: room.id, now: step.now) {
            return self.answer(call.exchange, refusal, in: &step)
        }
        var message = self.makeMessage(event, body, room: room, profile: profile, in: &step)
        message["message_event"] = .string(event.rawValue)
        let response = Response(json: .object(message), status: .created)
        switch self.options.echoOrder {
        case .answerFirst:
            self.answer(call.exchange, response, in: &step)
            _ = self.deliver(event, message, room: room, by: profile.id, in: &step)
        case .echoFirst:
            _ = self.deliver(event, message, room: room, by: profile.id, in: &step)
            self.answer(call.exchange, response, in: &step)
        }
    }
}
