import HTTPTypes
import JSON
import Machines

/// The calls of a member that ask the service something and hand the answer to the script as `completed`.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | any | a call, its URL known | unchanged | asks |
/// | any | a call without a URL | unchanged | `error` |
/// | no neighbours known | the next or previous page | unchanged | `completed` with an empty list |
/// | any | `answered` with a page | its neighbours known | `completed` |
/// | any | `answered` with something else | unchanged | `completed`, or `error` if it cannot be read |
struct CallPart: Sendable {
    /// The URLs of the neighbours of the last page, by list and room.
    private var neighbours: [String: [ListPage: WebAddress]] = [:]

    // MARK: Calls of the profile

    /// Makes a call that needs no room.
    mutating func begin(_ command: ProfileCall, _ profile: ProfileResource, _ session: SessionPart) -> [MemberAction] {
        let application = session.application
        switch command {
        case .createRoom(let options):
            return self.ask(
                PendingCall("createChatRoom", .value([.needs("id", .id)])), .post, application?.createRoomURL,
                json: Self.room(options ?? [:]), withoutURL: "failedCreatingChatRoomUrl", session)
        case .roomInfo(let room):
            let url = WebAddress.filled(application?.roomTemplate, "chat_room_id", with: room)
            return self.ask(PendingCall("getChatRoomInfo", .value([.needs("id", .id)]), room: room), .get, url, session)
        case .myRooms(let page):
            return self.page(PendingCall("getUserChatRoomMemberships", .page), profile.membershipsURL, page, session)
        case .block(let other):
            return self.ask(
                PendingCall("blockProfile", .block(profile: other)), .post, profile.blockURL,
                json: ["blocked_profile_id": .string(other)], session)
        case .unblock(let other):
            let url = profile.blockURL.map { $0.at(path: $0.path + FormEncoding.percentEncode(other) + "/") }
            return self.ask(PendingCall("unblockProfile", .unblock(profile: other)), .delete, url, session)
        case .answerInvitation(let id, let isAccepted):
            let url = WebAddress.filled(application?.invitationTemplate, "invitation_id", with: id)
            let status = isAccepted ? InvitationStatus.accepted : .rejected
            return self.ask(
                PendingCall("updateChatRoomInvitationStatus", .value([.needs("id", .id)])), .patch, url,
                json: ["status": .string(status.rawValue)], session)
        case .invitations(let direction, let status):
            let isSent = direction == .sent
            let template =
                isSent ? application?.sentInvitationsTemplate : application?.receivedInvitationsTemplate
            let url = WebAddress.filled(template, "profile_id", with: profile.id)?.with([("status", status?.rawValue)])
            return self.page(
                PendingCall(isSent ? "getInvitationsByUser" : "getInvitationsForUser", .page), url, nil, session)
        case .serverTime:
            return self.ask(
                PendingCall("time", .value([])), .get, session.carrierURL("/time/0"), isAuthorized: false, session)
        }
    }

    /// The body that creates a room.
    private static func room(_ options: JSONObject) -> JSONValue {
        var body: JSONObject = ["visibility": "everyone"]
        let names = [
            "title", "visibility", "content_filter", "custom_data", "chat_message_throttle_seconds", "token_gates",
            "attributes",
        ]
        for name in names {
            if let value = options[name] { body[name] = value }
        }
        return .object(body)
    }

    // MARK: Calls of a room

    /// Makes a call about a room.
    mutating func begin(
        _ call: RoomCall, _ room: RoomPart, _ profile: ProfileResource, _ session: SessionPart
    ) -> [MemberAction] {
        let id = room.id
        let (links, application) = (room.resource.links, session.application)
        func pending(_ callback: String, _ reading: PendingCall.Reading) -> PendingCall {
            PendingCall(callback, reading, room: id)
        }
        switch call {
        case .members(let page):
            return self.page(pending("getChatRoomMemberships", .page), links.memberships, page, session)
        case .join:
            let call = pending("createUserChatRoomMembership", .value([]))
            return self.ask(call, .post, links.memberships, json: [:], session)
        case .addMember(let other):
            let call = pending("addNewMemberToChatRoom", .value([]))
            return self.ask(call, .post, links.memberships, json: ["profile_id": .string(other)], session)
        case .leave:
            return self.ask(pending("deleteUserChatRoomMembership", .status), .delete, links.memberships, session)
        case .invite(let other):
            let call = pending("sendChatRoomInviteToUser", .value([.needs("id", .id)]))
            let body: JSONValue = ["chat_room_id": .string(id), "invited_profile_id": .string(other)]
            return self.ask(call, .post, application?.invitationsURL, json: body, session)
        case .mutedStatus: return self.askMutedStatus(of: profile, in: room, session)
        case .messageCount(let since, let until):
            let url = links.messageCount?.with([("chat_room_id", id), ("since", since), ("until", until)])
            return self.ask(pending("getMessageCount", .value([.needs("count", .integer)])), .get, url, session)
        case .stickerPacks: return self.page(pending("getStickerPacks", .page), links.stickerPacks, nil, session)
        case .reactionPacks: return self.page(pending("getReactionPacks", .page), links.reactionPacks, nil, session)
        case .tokenGate(let wallet):
            let url = links.tokenGate?.with([("chat_room_id", id), ("wallet_address", wallet)])
            let call = pending("getTokenGatedChatRoomAccessDetails", .value([.needs("access", .text)]))
            return self.ask(call, .get, url, session)
        case .pinnedMessages(let order):
            let url = application?.pinnedMessagesURL?.with([("chat_room_id", id), ("ordering", order?.rawValue)])
            return self.page(pending("getPinMessageInfoList", .page), url, nil, session)
        case .unpin(let pin):
            let list = application?.pinnedMessagesURL
            let url = list.map { $0.at(path: $0.path + FormEncoding.percentEncode(pin) + "/") }
            return self.ask(pending("unpinMessage", .status), .delete, url, session)
        }
    }

    /// Asks whether the member is muted; the vendor's iOS SDK does so without a token.
    private func askMutedStatus(
        of profile: ProfileResource, in room: RoomPart, _ session: SessionPart
    ) -> [MemberAction] {
        let template = room.resource.links.mutedStatusTemplate
        let url = WebAddress.filled(template, "profile_id", with: profile.id)
        let call = PendingCall("getChatUserMutedStatus", .value([.needs("is_muted", .truth)]), room: room.id)
        let code = template == nil ? "invalidUserMutedStatusURLTemplate" : "invalidUserMutedStatusURL"
        return self.ask(call, .get, url, isAuthorized: false, withoutURL: code, session)
    }

    /// Does something with a message of a room.
    func begin(
        _ command: MessageCommand, onMessage id: String, _ room: RoomPart, _ session: SessionPart
    ) -> [MemberAction] {
        func complain(_ error: SDKError) -> [MemberAction] {
            [.emit(MemberEvent(error, callback: command.callback, ["room": .string(room.id)]))]
        }
        guard let message = room.message(id) else {
            if case .report = command { return complain(.unknown("failedToFindReportedChatMessage", id)) }
            return complain(.unknown("failedToFindPubSubID", id))
        }
        let id = message.id
        let token: JSONValue = message.times.token.map { .integer($0.ticks) } ?? .null
        switch command {
        case .delete:
            return self.ask(
                PendingCall(command.callback, .delete(message: id), room: room.id), .post, room.resource.links.delete,
                json: ["message_id": .string(id), "pubnub_timetoken": token], session)
        case .report:
            guard room.resource.links.report != nil else { return complain(.noReporter) }
            let said = message.kind == .image ? message.image.url ?? "" : message.text
            return self.ask(
                PendingCall(command.callback, .status, room: room.id), .post, room.resource.links.report,
                json: [
                    "channel": .string(room.resource.chatChannel), "profile_id": .string(message.sender.id),
                    "nickname": .string(message.sender.nickname ?? ""), "message_id": .string(id),
                    "message": .string(said),
                    "pubnub_timetoken": token,
                ], session)
        case .pin:
            return self.ask(
                PendingCall(command.callback, .value([.needs("id", .id)]), room: room.id), .post,
                session.application?.pinnedMessagesURL,
                json: [
                    "message_id": .string(id), "chat_room_id": .string(room.id),
                    "message_payload": .object(room.fields(of: message, session)),
                ], session)
        case .react, .unreact: return []
        }
    }

    // MARK: Asking

    private func ask(
        _ call: PendingCall, _ method: HTTPRequest.Method, _ url: WebAddress?, json: JSONValue? = nil,
        isAuthorized: Bool = true, withoutURL code: String = "invalidResponse", _ session: SessionPart
    ) -> [MemberAction] {
        guard let url else {
            let error = SDKError.noURL(code, for: call.callback)
            return [.emit(MemberEvent(error, callback: call.callback, call.fields))]
        }
        return [.ask(.call(call), session.request(method, url, json: json, isAuthorized: isAuthorized))]
    }

    /// Asks for a page of a list; a neighbour that does not exist is an empty list, not an error.
    private func page(
        _ call: PendingCall, _ first: WebAddress?, _ which: ListPage?, _ session: SessionPart
    ) -> [MemberAction] {
        guard let which, which != .first else { return self.ask(call, .get, first, session) }
        guard let url = self.neighbours[call.list]?[which] else {
            let fields: JSONObject = ["value": []]
            return [.emit(MemberEvent(.completed, fields.merging(call.fields), callback: call.callback))]
        }
        return self.ask(call, .get, url, session)
    }

    // MARK: Answers

    /// Hands the answer of a call to the script.
    mutating func answered(_ call: PendingCall, _ body: [UInt8]) -> [MemberAction] {
        var fields = call.fields
        let value: JSONValue?
        do throws(SDKError) { value = try call.value(body) } catch {
            return [.emit(MemberEvent(error, callback: call.callback, fields))]
        }
        switch call.reading {
        case .status, .delete, .block, .unblock: break
        case .value:
            fields["value"] = value
        case .page:
            func url(_ page: ListPage) -> WebAddress? { value?[page.rawValue]?.string.flatMap { WebAddress($0) } }
            self.neighbours[call.list] = [.next: url(.next), .previous: url(.previous)].compactMapValues { $0 }
            fields["value"] = .array(value?["results"]?.array ?? [])
        }
        return [.emit(MemberEvent(.completed, fields, callback: call.callback, raw: value))]
    }
}
