import HTTPTypes
import JSON
import Machines

/// Sending: the local message at once, then one request at a time, then the echo.
extension LiveLikeClient {
    /// Puts a message into the list and the outbox.
    ///
    /// - Returns: The local id, which is also the client message id.
    mutating func enqueue(_ message: OutgoingMessage, in step: inout ClientStep) -> CommandOutcome {
        guard let index = self.index(of: message.room), let profile else {
            return .refused("the room \"\(message.room)\" is not connected; expect \"connected\" first")
        }
        guard self.outbox.count < Self.outboxLimit else {
            return .refused("\(Self.outboxLimit) messages wait to be sent; expect \"message_sent\" before sending more")
        }
        var local = ChatMessage(
            localID: message.clientID, kind: message.kind, text: message.text, senderID: profile.id,
            nickname: profile.nickname)
        local.imageURL = message.imageURL
        local.imageWidth = message.imageWidth
        local.imageHeight = message.imageHeight
        local.quote = message.quote
        local.parentID = message.parentID
        local.senderImageURL = self.options.displaysAvatar ? self.rooms[index].avatarURL : nil
        self.rooms[index].messages.insert(local)
        self.rooms[index].pending[message.clientID] = message.clientID
        if self.options.echoesOwn {
            self.emit(.message, self.fields(of: local, room: message.room), in: &step)
        }
        self.outbox.append(message)
        if !self.isSending { self.sendNext(in: &step) }
        return .done(.string(message.clientID))
    }

    /// Sends the message that has waited longest.
    mutating func sendNext(in step: inout ClientStep) {
        guard !self.outbox.isEmpty else { return }
        self.isSending = true
        let message = self.outbox.removeFirst()
        if message.imageData != nil, message.kind == .image {
            self.upload(message, in: &step)
        } else {
            self.post(message, in: &step)
        }
    }

    /// After an answer the queue rests a moment before the next message.
    private func rest(in step: inout ClientStep) {
        step.ask(.setTimer("send", Self.sendPause))
    }

    // MARK: Images

    private mutating func upload(_ message: OutgoingMessage, in step: inout ClientStep) {
        guard let index = self.index(of: message.room), let url = self.rooms[index].resource.uploadURL,
            let bytes = message.imageData
        else {
            let error = SDKError("failedToSendImageDueToMissingData", "the room takes no uploads; send an image URL")
            return self.messageRefused(message, error, in: &step)
        }
        let isIOS = self.options.platform == .iOS
        let boundary = "Boundary-\(step.random.hexadecimalDigits(16))"
        var request = Request(url.request(.post, token: self.token))
        let file =
            isIOS
            ? MultipartFile(name: "user-profile.jpg", type: "image/jpg", content: bytes)
            : MultipartFile(name: "image.png", type: "image/png", content: bytes)
        request.attach(file, as: "image", boundary: boundary)
        self.send(.upload(message), request, in: &step)
    }

    /// Goes on with the message of an uploaded image.
    mutating func uploaded(_ message: OutgoingMessage, _ body: [UInt8], in step: inout ClientStep) {
        guard !body.isEmpty else {
            let error = SDKError("noDataInResponse", "the answer to the upload has no body")
            return self.messageRefused(message, error, in: &step)
        }
        guard let url = (try? JSONReader.read(body))?["image_url"]?.string else {
            let error = SDKError(
                "failedToDecodeDataAsImageResource", "the answer to the upload names no image_url")
            return self.messageRefused(message, error, in: &step)
        }
        self.emit(
            .attachmentUploaded, ["room": .string(message.room), "url": .string(url)], callback: "uploadImage",
            in: &step)
        var message = message
        message.imageData = nil
        message.imageURL = url
        self.post(message, in: &step)
    }

    // MARK: Messages

    private mutating func post(_ message: OutgoingMessage, in step: inout ClientStep) {
        guard let index = self.index(of: message.room), let profile else { return self.rest(in: &step) }
        let room = self.rooms[index]
        var payload: JSONObject = [
            "chat_room_id": .string(room.id), "sender_nickname": .string(profile.nickname),
            "client_message_id": .string(message.clientID),
        ]
        switch message.kind {
        case .text, .custom: payload["message"] = .string(message.text)
        case .image:
            payload["image_url"] = .string(message.imageURL ?? "")
            payload["image_width"] = .integer(message.imageWidth)
            payload["image_height"] = .integer(message.imageHeight)
        }
        if self.options.displaysAvatar { payload["sender_image_url"] = room.avatarURL.map { .string($0) } }
        payload["program_date_time"] = message.programDateTime.map { .string($0) }
        payload["quote_message_id"] = message.quote?["id"]
        payload["quote_message"] = message.quote.map { .object($0) }
        payload["parent_message_id"] = message.parentID.map { .string($0) }
        let event = message.kind == .image ? EnvelopeEvent.imageCreated : .messageCreated
        switch self.options.carriage {
        case .rest:
            guard let url = room.resource.messagesURL else {
                return self.messageRefused(message, .unreadable, in: &step)
            }
            payload["message_event"] = .string(event.rawValue)
            self.request(.message(message), .post, url, token: self.token, json: .object(payload), in: &step)
        case .pubnub: self.publish(message, Envelope(event, payload), room, in: &step)
        }
    }

    private mutating func publish(
        _ message: OutgoingMessage, _ envelope: Envelope, _ room: RoomSession, in step: inout ClientStep
    ) {
        guard let application, let key = application.publishKey, let profile else {
            return self.messageRefused(message, .accessDenied, in: &step)
        }
        var payload = envelope.payload
        payload["id"] = .string(message.clientID)
        payload["sender_id"] = .string(profile.id)
        let text = Envelope(envelope.event, payload).json.description
        let parts = [key, application.subscribeKey, "0", room.resource.chatChannel, "0", text]
        let path = "/publish/" + parts.map(FormEncoding.percentEncode).joined(separator: "/")
        let meta: JSONValue = ["sender_id": .string(profile.id), "content_filter": ""]
        guard let url = self.carrierURL(path) else { return }
        self.request(
            .message(message), .get, url.with(self.carrierParameters + [("store", "1"), ("meta", meta.description)]),
            in: &step)
    }

    /// Merges the server's answer with the local message, unless the echo has done so.
    mutating func messageAccepted(_ message: OutgoingMessage, _ body: [UInt8], in step: inout ClientStep) {
        self.rest(in: &step)
        guard let index = self.index(of: message.room) else { return }
        guard let value = try? JSONReader.read(body) else {
            return self.messageRefused(message, .unreadable, isResting: true, in: &step)
        }
        let id: String
        switch self.options.carriage {
        case .rest:
            let event = message.kind == .image ? EnvelopeEvent.imageCreated : .messageCreated
            guard let answered = ChatMessage(event, value.object ?? [:], timeToken: nil) else {
                return self.messageRefused(message, .unreadable, isResting: true, in: &step)
            }
            id = answered.id
            // The echo may have come first; it has then taken the local message's place.
            if let local = self.rooms[index].pending.removeValue(forKey: message.clientID) {
                self.rooms[index].messages.replace(local, by: answered)
                if self.options.discardsOwnEcho { _ = self.rooms[index].seen.insert(id) }
            }
        case .pubnub:
            id = message.clientID
            guard let token = value[2].flatMap(SubscribeReply.token) else {
                return self.messageRefused(message, .unreadable, isResting: true, in: &step)
            }
            if let local = self.rooms[index].pending.removeValue(forKey: message.clientID),
                var published = self.rooms[index].messages[local]
            {
                published.timeToken = token
                published.publishedTicks = token.ticks
                self.rooms[index].messages.replace(local, by: published)
            }
        }
        var fields: JSONObject = [
            "room": .string(message.room), "id": .string(id), "client_message_id": .string(message.clientID),
            "type": .string(message.kind.rawValue), "text": .string(message.text),
        ]
        fields["image_url"] = message.imageURL.map { .string($0) }
        self.emit(.messageSent, fields, callback: "sendMessage", raw: value, in: &step)
    }

    /// The message stays in the list, as the vendor's client leaves it there; nothing is sent again.
    mutating func messageRefused(
        _ message: OutgoingMessage, _ error: SDKError, isResting: Bool = false, in step: inout ClientStep
    ) {
        if !isResting { self.rest(in: &step) }
        guard let index = self.index(of: message.room) else { return }
        if let local = self.rooms[index].pending.removeValue(forKey: message.clientID) {
            self.rooms[index].messages.update(local) { $0.isFailed = true }
            self.rooms[index].messages.settle(local)
        }
        let fields: JSONObject = [
            "room": .string(message.room), "client_message_id": .string(message.clientID),
        ]
        switch self.options.platform {
        case .iOS:
            let said = error.status == 403 ? SDKError.accessDenied : error
            self.emit(said, callback: "sendMessage", fields, in: &step)
        case .android:
            let said = SDKError("DENIED_MESSAGE_PUBLISH", error.message, status: error.status)
            self.emit(said, callback: "onErrorMessage", fields, in: &step)
        }
    }

    // MARK: Custom messages

    /// Sends a custom message; it is shown when its echo comes.
    mutating func sendCustom(_ arguments: JSONObject, room: String, in step: inout ClientStep) -> CommandOutcome {
        guard let index = self.index(of: room) else { return .refused("the room \"\(room)\" is not connected") }
        guard let url = self.rooms[index].resource.customMessagesURL else {
            self.emit(.unreadable, callback: "sendCustomMessage", ["room": .string(room)], in: &step)
            return .done(.null)
        }
        var body: JSONObject = ["custom_data": arguments["data"] ?? ""]
        body["program_date_time"] = arguments["program_date_time"]
        self.request(.custom(room: room), .post, url, token: self.token, json: .object(body), in: &step)
        return .done(.null)
    }

    /// Tells the script that a custom message was taken.
    mutating func customAccepted(_ room: String, _ body: [UInt8], in step: inout ClientStep) {
        let value = try? JSONReader.read(body)
        self.emit(
            .messageSent,
            [
                "room": .string(room), "id": value?["id"] ?? .null, "type": "custom",
                "custom_data": value?["custom_data"] ?? .null,
            ], callback: "sendCustomMessage", raw: value, in: &step)
    }
}
