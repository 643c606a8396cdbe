import HTTPTypes
import JSON
import Machines

/// The requests of a member about one of its rooms: messages, uploads, custom messages and reactions.
struct RoomRequests: Sendable {
    private let room: RoomPart
    private let session: SessionPart

    /// Prepares for the requests of a room.
    init(_ room: RoomPart, _ session: SessionPart) {
        self.room = room
        self.session = session
    }

    // MARK: Messages

    /// The upload of a message's image; the boundary must not stand in it.
    ///
    /// - Throws: ``SDKError`` if the room takes no uploads.
    func upload(
        _ message: OutgoingMessage, _ options: ClientOptions, boundary: () -> String
    ) throws(SDKError) -> MemberAction {
        guard let url = self.room.resource.links.upload, let bytes = message.imageData else {
            throw SDKError("failedToSendImageDueToMissingData", "the room takes no uploads; send an image URL")
        }
        let boundary = "Boundary-\(boundary())"
        var request = self.session.request(.post, url)
        let file =
            options.platform == .iOS
            ? MultipartFile(name: "user-profile.jpg", type: "image/jpg", content: bytes)
            : MultipartFile(name: "image.png", type: "image/png", content: bytes)
        request.attach(file, as: "image", boundary: boundary)
        return .ask(.upload(message), request)
    }

    /// A message by the carriage of the options; nil if there is no way for it.
    ///
    /// - Throws: ``SDKError`` if the room names no URL or the application may not publish.
    func post(_ message: OutgoingMessage, _ options: ClientOptions) throws(SDKError) -> MemberAction? {
        guard let profile = self.session.profile else { return nil }
        guard !profile.nickname.isEmpty else { throw .noNickname }
        if let avatar = self.room.shownAvatar, WebAddress(avatar) == nil { throw .invalidAvatar(avatar) }
        var payload: JSONObject = [
            "chat_room_id": .string(self.room.id), "sender_nickname": .string(profile.nickname),
            "client_message_id": .string(message.clientID),
        ]
        switch message.kind {
        case .text, .custom: payload["message"] = .string(message.text)
        case .image:
            payload["image_url"] = .string(message.image.url ?? "")
            payload["image_width"] = ChatMessage.Image.json(message.image.width)
            payload["image_height"] = ChatMessage.Image.json(message.image.height)
        }
        payload["sender_image_url"] = self.room.shownAvatar.map { .string($0) }
        payload["program_date_time"] = message.programDateTime.map { .string($0) }
        payload["quote_message_id"] = message.quote?["id"]
        payload["quote_message"] = message.quote.map { .object($0) }
        payload["parent_message_id"] = message.parentID.map { .string($0) }
        payload["message_metadata"] = message.metadata.map { .object($0) }
        let event = message.kind == .image ? EnvelopeEvent.imageCreated : .messageCreated
        switch options.carriage {
        case .rest:
            guard let url = self.room.resource.links.messages else { throw .noURL(for: "sendMessage") }
            payload["message_event"] = .string(event.rawValue)
            return .ask(.message(message), self.session.request(.post, url, json: .object(payload)))
        case .pubnub: return try self.publish(message, Envelope(event, payload), profile)
        }
    }

    private func publish(
        _ message: OutgoingMessage, _ envelope: Envelope, _ profile: ProfileResource
    ) throws(SDKError) -> MemberAction? {
        guard let application = self.session.application, let key = application.publishKey else {
            throw .accessDenied
        }
        var payload = envelope.payload
        payload["id"] = .string(message.clientID)
        payload["sender_id"] = .string(profile.id)
        let text = Envelope(envelope.event, payload).json.description
        let parts = [key, application.subscribeKey, "0", self.room.resource.chatChannel, "0", text]
        let path = "/publish/" + parts.map(FormEncoding.percentEncode).joined(separator: "/")
        let meta: JSONValue = ["sender_id": .string(profile.id), "content_filter": ""]
        guard let url = self.session.carrierURL(path) else { return nil }
        let asked = url.with(self.session.carrierParameters + [("store", "1"), ("meta", meta.description)])
        return .ask(.message(message), self.session.request(.get, asked, isAuthorized: false))
    }

    /// A custom message; it is shown when its echo comes.
    func sendCustom(_ data: String, time: String?) -> MemberAction {
        guard let url = self.room.resource.links.customMessages else {
            return .emit(
                MemberEvent(
                    .noURL(for: "sendCustomMessage"), callback: "sendCustomMessage", ["room": .string(self.room.id)]))
        }
        var body: JSONObject = ["custom_data": .string(data)]
        body["program_date_time"] = time.map { .string($0) }
        return .ask(.custom(room: self.room.id), self.session.request(.post, url, json: .object(body)))
    }

    // MARK: Reactions

    /// Reacts to a message, in place of the member's own reaction before; nil takes that back.
    func react(_ wanted: String?, to message: ChatMessage, callback: String) -> [MemberAction] {
        guard let token = message.times.token else {
            let error = SDKError.unknown("failedToFindPubSubID", message.id)
            return [.emit(MemberEvent(error, callback: callback, ["room": .string(self.room.id)]))]
        }
        if let own = message.reactions.first(where: { $0.profileID == self.session.profile?.id }) {
            guard let url = self.actionsURL("/\(token.text)/action/\(own.actionTimeToken.text)") else { return [] }
            let purpose = Purpose.removeReaction(room: self.room.id, message: message.id, thenAdd: wanted)
            return [.ask(purpose, self.session.request(.delete, url, isAuthorized: false))]
        }
        if let wanted { return self.add(wanted, to: message) }
        let error = SDKError("foundNoAction", "the member has no reaction on this message; react first")
        return [.emit(MemberEvent(error, callback: callback, ["room": .string(self.room.id)]))]
    }

    /// Adds a reaction to a message.
    func add(_ reaction: String, to message: ChatMessage) -> [MemberAction] {
        guard let token = message.times.token, let url = self.actionsURL("/\(token.text)") else { return [] }
        let json: JSONValue = ["type": .string(MessageAction.reactionType), "value": .string(reaction)]
        let purpose = Purpose.addReaction(room: self.room.id, message: message.id, reaction: reaction)
        return [.ask(purpose, self.session.request(.post, url, json: json, isAuthorized: false))]
    }

    private func actionsURL(_ path: String) -> WebAddress? {
        guard let key = self.session.application?.subscribeKey else { return nil }
        let channel = FormEncoding.percentEncode(self.room.resource.chatChannel)
        let text = "/v1/message-actions/\(FormEncoding.percentEncode(key))/channel/\(channel)/message\(path)"
        return self.session.carrierURL(text)?.with(self.session.carrierParameters)
    }
}
