import HTTPTypes
import JSON
import Machines

/// The calls that ask the service something and hand the answer to the script as `completed`.
extension LiveLikeClient {
    private mutating func call(
        _ callback: String, _ reading: PendingCall.Reading, _ method: HTTPRequest.Method, _ url: WebAddress?,
        room: String? = nil, json: JSONValue? = nil, authorized: Bool = true, in step: inout ClientStep
    ) -> CommandOutcome {
        guard let url else {
            let error = SDKError("invalidResponse", "the service names no URL for \(callback)")
            var fields: JSONObject = [:]
            fields["room"] = room.map { .string($0) }
            self.emit(error, callback: callback, fields, in: &step)
            return .done(.null)
        }
        let call = PendingCall(callback: callback, room: room, reading: reading)
        self.request(.call(call), method, url, token: authorized ? self.token : nil, json: json, in: &step)
        return .done(.null)
    }

    /// Hands the answer of a call to the script, after what it changes here.
    mutating func callAnswered(_ call: PendingCall, _ body: [UInt8], in step: inout ClientStep) {
        var fields: JSONObject = [:]
        fields["room"] = call.room.map { .string($0) }
        let value = try? JSONReader.read(body)
        switch call.reading {
        case .status: break
        case .delete(let message):
            if let room = call.room { self.deleted(message, room: room, raw: nil, in: &step) }
        case .block(let profile): self.block(profile)
        case .unblock(let profile): self.blocked.remove(profile)
        case .value:
            guard let value else {
                let error = body.isEmpty ? SDKError.emptyAnswer : .unreadable
                return self.emit(error, callback: call.callback, fields, in: &step)
            }
            fields["value"] = value
        case .page:
            guard let value else { return self.emit(.unreadable, callback: call.callback, fields, in: &step) }
            self.pages[call.callback + (call.room ?? "")] = [
                "next": value["next"] ?? .null, "previous": value["previous"] ?? .null,
            ]
            fields["value"] = .array(value["results"]?.array ?? [])
        }
        self.emit(.completed, fields, callback: call.callback, raw: value, in: &step)
    }

    /// Asks for a page of a list; a neighbour that does not exist is an empty list, not an error.
    private mutating func page(
        _ callback: String, _ first: WebAddress?, _ which: String?, room: String? = nil, in step: inout ClientStep
    ) -> CommandOutcome {
        guard let which, which != "first" else {
            return self.call(callback, .page, .get, first, room: room, in: &step)
        }
        guard let url = self.pages[callback + (room ?? "")]?[which]?.string.flatMap({ WebAddress($0) }) else {
            var fields: JSONObject = ["value": []]
            fields["room"] = room.map { .string($0) }
            self.emit(.completed, fields, callback: callback, in: &step)
            return .done(.null)
        }
        return self.call(callback, .page, .get, url, room: room, in: &step)
    }

    // MARK: Calls of the profile

    /// Makes a call that needs no room, or returns nil for other commands.
    mutating func performProfileCall(
        _ command: Command, profile: ProfileResource, in step: inout ClientStep
    ) -> CommandOutcome? {
        let arguments = command.arguments
        switch command.name {
        case "set_display_name":
            self.rename(arguments["name"]?.string ?? "", in: &step)
            return .done(.null)
        case "create_room":
            var body: JSONObject = ["visibility": "everyone"]
            let names = [
                "title", "visibility", "content_filter", "custom_data", "chat_message_throttle_seconds", "token_gates",
            ]
            for name in names {
                if let value = arguments["options"]?[name] { body[name] = value }
            }
            return self.call(
                "createChatRoom", .value, .post, self.application?.createRoomURL, json: .object(body), in: &step)
        case "room_info":
            let room = arguments["room"]?.string ?? ""
            let url = WebAddress.filled(self.application?.roomTemplate, "chat_room_id", with: room)
            return self.call("getChatRoomInfo", .value, .get, url, room: room, in: &step)
        case "my_rooms":
            return self.page(
                "getUserChatRoomMemberships", profile.membershipsURL, arguments["page"]?.string, in: &step)
        case "block":
            let other = arguments["profile"]?.string ?? ""
            guard other != profile.id else { return .refused("a member cannot block itself; pass another profile") }
            return self.call(
                "blockProfile", .block(profile: other), .post, profile.blockURL,
                json: ["blocked_profile_id": .string(other)], in: &step)
        case "unblock":
            let other = arguments["profile"]?.string ?? ""
            let url = profile.blockURL.map { $0.at(path: $0.path + FormEncoding.percentEncode(other) + "/") }
            return self.call("unblockProfile", .unblock(profile: other), .delete, url, in: &step)
        case "blocked": return .done(.array(self.blocked.sorted().map { .string($0) }))
        case "answer_invitation":
            let url = WebAddress.filled(
                self.application?.invitationTemplate, "invitation_id", with: arguments["id"]?.string ?? "")
            let status = arguments["accept"]?.bool ?? true ? "accepted" : "rejected"
            return self.call(
                "updateChatRoomInvitationStatus", .value, .patch, url, json: ["status": .string(status)], in: &step)
        case "invitations":
            let isSent = arguments["direction"]?.string == "sent"
            let template =
                isSent ? self.application?.sentInvitationsTemplate : self.application?.receivedInvitationsTemplate
            let url = WebAddress.filled(template, "profile_id", with: profile.id)?
                .with([("status", arguments["status"]?.string)])
            return self.page(isSent ? "getInvitationsByUser" : "getInvitationsForUser", url, nil, in: &step)
        case "server_time":
            return self.call("time", .value, .get, self.carrierURL("/time/0"), authorized: false, in: &step)
        case "send_heartbeat":
            self.sendPresence("heartbeat", channels: self.loop.channels, in: &step)
            return .done(.null)
        default: return nil
        }
    }

    // MARK: Calls of a room

    /// Makes a call about a room, or returns nil for other commands.
    mutating func performRoomCall(
        _ command: Command, at index: Int, profile: ProfileResource, in step: inout ClientStep
    ) -> CommandOutcome? {
        let arguments = command.arguments
        let room = self.rooms[index].id
        let resource = self.rooms[index].resource
        switch command.name {
        case "members":
            return self.page(
                "getChatRoomMemberships", resource.membershipsURL, arguments["page"]?.string, room: room, in: &step)
        case "join":
            return self.call(
                "createUserChatRoomMembership", .value, .post, resource.membershipsURL, room: room, json: [:], in: &step
            )
        case "add_member":
            return self.call(
                "addNewMemberToChatRoom", .value, .post, resource.membershipsURL, room: room,
                json: ["profile_id": arguments["profile"] ?? ""], in: &step)
        case "leave":
            return self.call(
                "deleteUserChatRoomMembership", .status, .delete, resource.membershipsURL, room: room, in: &step)
        case "invite":
            return self.call(
                "sendChatRoomInviteToUser", .value, .post, self.application?.invitationsURL, room: room,
                json: ["chat_room_id": .string(room), "invited_profile_id": arguments["profile"] ?? ""], in: &step)
        case "muted_status":
            let url = WebAddress.filled(resource.mutedStatusTemplate, "profile_id", with: profile.id)
            // The vendor's iOS SDK asks this without a token.
            return self.call("getChatUserMutedStatus", .value, .get, url, room: room, authorized: false, in: &step)
        case "message_count":
            let url = resource.messageCountURL?.with([
                ("chat_room_id", room), ("since", arguments["since"]?.string), ("until", arguments["until"]?.string),
            ])
            return self.call("getMessageCount", .value, .get, url, room: room, in: &step)
        case "sticker_packs":
            return self.page("getStickerPacks", resource.stickerPacksURL, nil, room: room, in: &step)
        case "reaction_packs":
            return self.page("getReactionPacks", resource.reactionPacksURL, nil, room: room, in: &step)
        case "token_gate":
            let url = resource.tokenGateURL?.with([
                ("chat_room_id", room), ("wallet_address", arguments["wallet"]?.string),
            ])
            return self.call("getTokenGatedChatRoomAccessDetails", .value, .get, url, room: room, in: &step)
        case "pinned_messages":
            let url = self.application?.pinnedMessagesURL?.with([
                ("chat_room_id", room), ("ordering", arguments["ordering"]?.string),
            ])
            return self.page("getPinMessageInfoList", url, nil, room: room, in: &step)
        case "unpin":
            let url = self.application?.pinnedMessagesURL.map { url in
                url.at(path: url.path + FormEncoding.percentEncode(arguments["pin"]?.string ?? "") + "/")
            }
            return self.call("unpinMessage", .status, .delete, url, room: room, in: &step)
        default: return self.performMessageCall(command, at: index, profile: profile, in: &step)
        }
    }

    private mutating func performMessageCall(
        _ command: Command, at index: Int, profile: ProfileResource, in step: inout ClientStep
    ) -> CommandOutcome? {
        guard ["delete_message", "report_message", "pin", "react", "unreact"].contains(command.name) else { return nil }
        let room = self.rooms[index].id
        let resource = self.rooms[index].resource
        let id = command.arguments["id"]?.string?.lowercased() ?? ""
        guard let message = self.rooms[index].messages[id] else {
            let code = command.name == "report_message" ? "failedToFindReportedChatMessage" : "failedToFindPubSubID"
            self.emit(
                .unknown(code, id), callback: Self.callbacks[command.name] ?? "", ["room": .string(room)], in: &step)
            return .done(.null)
        }
        let token: JSONValue = message.timeToken.map { .integer($0.ticks) } ?? .null
        switch command.name {
        case "delete_message":
            return self.call(
                "deleteMessage", .delete(message: id), .post, resource.deleteURL, room: room,
                json: ["message_id": .string(id), "pubnub_timetoken": token], in: &step)
        case "report_message":
            guard resource.reportURL != nil else {
                self.emit(.noReporter, callback: "reportMessage", ["room": .string(room)], in: &step)
                return .done(.null)
            }
            let said = message.kind == .image ? message.imageURL ?? "" : message.text
            return self.call(
                "reportMessage", .status, .post, resource.reportURL, room: room,
                json: [
                    "channel": .string(resource.chatChannel), "profile_id": .string(message.senderID),
                    "nickname": .string(message.senderNickname), "message_id": .string(id), "message": .string(said),
                    "pubnub_timetoken": token,
                ], in: &step)
        case "pin":
            return self.call(
                "pinMessage", .value, .post, self.application?.pinnedMessagesURL, room: room,
                json: [
                    "message_id": .string(id), "chat_room_id": .string(room),
                    "message_payload": .object(self.fields(of: message, room: room)),
                ], in: &step)
        default: return self.performReaction(command, message, profile: profile, at: index, in: &step)
        }
    }

    private static let callbacks = [
        "delete_message": "deleteMessage", "report_message": "reportMessage", "pin": "pinMessage",
        "react": "sendMessageReaction", "unreact": "removeMessageReactions",
    ]

    // MARK: Reactions

    private mutating func performReaction(
        _ command: Command, _ message: ChatMessage, profile: ProfileResource, at index: Int, in step: inout ClientStep
    ) -> CommandOutcome {
        let room = self.rooms[index].id
        guard let token = message.timeToken else {
            let callback = Self.callbacks[command.name] ?? ""
            self.emit(
                .unknown("failedToFindPubSubID", message.id), callback: callback, ["room": .string(room)], in: &step)
            return .done(.null)
        }
        let own = message.reactions.first { $0.profileID == profile.id }
        let wanted = command.name == "react" ? command.arguments["reaction"]?.string ?? "" : nil
        if let own {
            let path = "/\(token.text)/action/\(own.actionTimeToken.text)"
            guard let url = self.actionsURL(at: index, path) else { return .done(.null) }
            self.request(
                .removeReaction(room: room, message: message.id, thenAdd: wanted), .delete, url, in: &step)
        } else if let wanted {
            self.addReaction(wanted, to: message, at: index, in: &step)
        } else {
            let error = SDKError("foundNoAction", "the member has no reaction on this message; react first")
            self.emit(error, callback: "removeMessageReactions", ["room": .string(room)], in: &step)
        }
        return .done(.null)
    }

    private func actionsURL(at index: Int, _ path: String) -> WebAddress? {
        guard let key = self.application?.subscribeKey else { return nil }
        let channel = FormEncoding.percentEncode(self.rooms[index].resource.chatChannel)
        let text = "/v1/message-actions/\(FormEncoding.percentEncode(key))/channel/\(channel)/message\(path)"
        return self.carrierURL(text)?.with(self.carrierParameters)
    }

    private mutating func addReaction(
        _ reaction: String, to message: ChatMessage, at index: Int, in step: inout ClientStep
    ) {
        guard let token = message.timeToken, let url = self.actionsURL(at: index, "/\(token.text)") else { return }
        self.request(
            .addReaction(room: self.rooms[index].id, message: message.id, reaction: reaction), .post, url,
            json: ["type": .string(MessageAction.reactionType), "value": .string(reaction)], in: &step)
    }

    /// Applies an own reaction from the answer; its echo is ignored later.
    mutating func reactionAdded(
        _ room: String, _ id: String, _ reaction: String, _ body: [UInt8], in step: inout ClientStep
    ) {
        guard let index = self.index(of: room), let profile else { return }
        let value = try? JSONReader.read(body)
        guard let token = value?["data"]?["actionTimetoken"].flatMap(SubscribeReply.token) else {
            return self.emit(.unreadable, callback: "sendMessageReaction", ["room": .string(room)], in: &step)
        }
        let added = ChatMessage.Reaction(reactionID: reaction, profileID: profile.id, actionTimeToken: token)
        self.apply(added, isAdded: true, to: id, at: index, raw: value, in: &step)
    }

    /// Takes an own reaction away and adds the one that replaces it.
    mutating func reactionRemoved(
        _ room: String, _ id: String, thenAdd next: String?, in step: inout ClientStep
    ) {
        guard let index = self.index(of: room), let message = self.rooms[index].messages[id],
            let own = message.reactions.first(where: { $0.profileID == self.profile?.id })
        else { return }
        self.apply(own, isAdded: false, to: id, at: index, raw: nil, in: &step)
        if let next { self.addReaction(next, to: message, at: index, in: &step) }
    }
}
