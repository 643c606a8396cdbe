import JSON
import Machines

/// What scripts ask of a member.
extension LiveLikeClient {
    /// What the product has not (vendor's *Chat* page), with the words for it.
    static let absentFeatures = [
        "typing": "typing indicators", "presence": "presence indicators", "read_receipt": "read receipts",
        "fill_form": "forms", "queue_position": "queues", "rate_agent": "surveys",
        "end_chat": "end of conversations",
        "register_push": "push notifications", "transcript": "transcripts by mail",
    ]

    mutating func perform(_ command: Command, in step: inout ClientStep) -> CommandOutcome {
        if let feature = Self.absentFeatures[command.name] {
            return .refused("LiveLike has no \(feature); send a custom message if the scenario needs a signal")
        }
        let arguments = command.arguments
        switch command.name {
        case "connect": return self.connect(arguments, in: &step)
        case "set_play_head": return self.setPlayHead(arguments, in: &step)
        default: break
        }
        guard self.state == .ready, let profile else {
            return .refused("\(command.name) needs a connected room; call connect and expect \"connected\" first")
        }
        if let outcome = self.performProfileCall(command, profile: profile, in: &step) { return outcome }
        guard let room = arguments["room"]?.string ?? self.currentRoom, let index = self.index(of: room) else {
            return .refused("\(command.name) needs a connected room; call connect and expect \"connected\" first")
        }
        switch command.name {
        case "disconnect":
            self.disconnect(room, in: &step)
            return .done(.null)
        case "messages":
            return .done(
                .array(self.rooms[index].messages.messages.map { .object(self.fields(of: $0, room: room)) }))
        case "message":
            let id = arguments["id"]?.string?.lowercased() ?? ""
            return .done(self.rooms[index].messages[id].map { .object(self.fields(of: $0, room: room)) } ?? .null)
        case "set_avatar":
            self.rooms[index].avatarURL = arguments["url"]?.string
            return .done(.null)
        default: break
        }
        guard self.rooms[index].state == .connected else {
            return .refused("the room \"\(room)\" is still connecting; expect \"connected\" first")
        }
        return self.performSending(command, room: room, in: &step)
            ?? self.performReading(command, room: room, in: &step)
            ?? self.performRoomCall(command, at: index, profile: profile, in: &step)
            ?? .refused("\(command.name) is not a method of a LiveLike member")
    }

    /// The option's room, or the only one.
    private var currentRoom: String? {
        if let room = self.options.roomID, self.index(of: room) != nil { return room }
        return self.rooms.count == 1 ? self.rooms[0].id : nil
    }

    private mutating func setPlayHead(_ arguments: JSONObject, in step: inout ClientStep) -> CommandOutcome {
        guard let text = arguments["time"]?.string else {
            self.playHead = nil
            self.releaseSpoilers(in: &step)
            return .done(.null)
        }
        guard let ticks = ServiceTime.ticks(text) else {
            return .refused("set_play_head takes an ISO 8601 time such as 2026-01-31T12:00:00Z, not \"\(text)\"")
        }
        self.playHead = (ticks, step.now)
        self.releaseSpoilers(in: &step)
        return .done(.null)
    }

    // MARK: Sending

    private mutating func performSending(
        _ command: Command, room: String, in step: inout ClientStep
    ) -> CommandOutcome? {
        let arguments = command.arguments
        switch command.name {
        case "say", "quote", "reply":
            let text = arguments["text"]?.string ?? ""
            guard !text.isEmpty else {
                self.emit(.emptyMessage, callback: "sendMessage", ["room": .string(room)], in: &step)
                return .done(.null)
            }
            var message = OutgoingMessage(clientID: Self.uuid(in: &step), room: room, kind: .text, text: text)
            message.programDateTime = arguments["program_date_time"]?.string
            if let problem = self.addContext(of: command, to: &message) { return problem }
            return self.enqueue(message, in: &step)
        case "send_image":
            var message = OutgoingMessage(clientID: Self.uuid(in: &step), room: room, kind: .image)
            message.imageWidth = max(0, arguments["width"]?.integer ?? ChatMessage.defaultImageSide)
            message.imageHeight = max(0, arguments["height"]?.integer ?? ChatMessage.defaultImageSide)
            message.imageURL = arguments["url"]?.string
            if let text = arguments["data"]?.string {
                guard let bytes = Base64.decode(text), !bytes.isEmpty else {
                    return .refused("send_image takes the bytes of the image as base64 text with padding")
                }
                message.imageData = bytes
                message.imageURL = "mock:\(step.now.nanoseconds / 1_000_000).gif"
            }
            guard message.imageURL != nil else { return .refused("send_image needs url or data; pass one of them") }
            return self.enqueue(message, in: &step)
        case "send_custom": return self.sendCustom(arguments, room: room, in: &step)
        default: return nil
        }
    }

    /// Adds what a message quotes or answers.
    private func addContext(of command: Command, to message: inout OutgoingMessage) -> CommandOutcome? {
        guard command.name != "say" else { return nil }
        let id = command.arguments["id"]?.string?.lowercased() ?? ""
        guard let index = self.index(of: message.room), let target = self.rooms[index].messages[id] else {
            return .refused("no message \"\(id)\" is loaded in the room \"\(message.room)\"; load history first")
        }
        guard command.name == "quote" else {
            guard target.parentID == nil else {
                return .refused("the message \"\(id)\" is a reply itself; threads do not nest, reply to its parent")
            }
            message.parentID = id
            return nil
        }
        // One level only: the quoted message goes without its own quote.
        message.quote = [
            "id": .string(target.id), "message": .string(target.text), "sender_id": .string(target.senderID),
            "sender_nickname": .string(target.senderNickname),
        ]
        return nil
    }

    /// A new lower-case UUID of version 4 (RFC 9562 §5.4).
    static func uuid(in step: inout ClientStep) -> String {
        step.random.uuid()
    }

    // MARK: Reading

    private mutating func performReading(
        _ command: Command, room: String, in step: inout ClientStep
    ) -> CommandOutcome? {
        switch command.name {
        case "load_next_history": return self.loadNextHistory(room, in: &step)
        case "get_messages", "get_message_count":
            guard let token = TimeToken(command.arguments["since"]?.string ?? "") else {
                return .refused("since is a time token of decimal digits, such as a message's field timetoken")
            }
            let page = HistoryPage.since(token, counting: command.name == "get_message_count")
            self.load(page, room: room, in: &step)
            return .done(.null)
        case "get_replies":
            guard self.options.carriage == .rest else {
                return .refused("replies are read from the service; give the actor carriage = \"rest\"")
            }
            self.load(.replies(to: command.arguments["id"]?.string?.lowercased() ?? ""), room: room, in: &step)
            return .done(.null)
        default: return nil
        }
    }
}
