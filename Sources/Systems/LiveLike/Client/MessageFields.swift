import JSON

/// How scripts see a message.
enum MessageFields {
    /// Returns the fields of a message.
    static func fields(of message: ChatMessage, room: String, ownID: String, links: URLDetector) -> JSONObject {
        var fields: JSONObject = [
            "room": .string(room), "id": .string(message.id), "type": .string(message.kind.rawValue),
            "text": .string(message.text), "sender_id": .string(message.sender.id),
            "mine": .bool(message.sender.id == ownID),
        ]
        fields["from"] = message.sender.nickname.map { .string($0) }
        fields["client_message_id"] = message.clientID.map { .string($0) }
        fields["published_at"] = message.times.publishedTicks.map { .string(ServiceTime.text(ticks: $0)) }
        fields["timetoken"] = .string((message.times.token ?? .zero).text)
        fields["avatar"] = message.sender.imageURL.map { .string($0) }
        if message.kind == .image {
            fields["image_url"] = message.image.url.map { .string($0) }
            fields["width"] = ChatMessage.Image.json(message.image.width)
            fields["height"] = ChatMessage.Image.json(message.image.height)
        }
        fields["custom_data"] = message.customData.map { .string($0) }
        fields["parent_id"] = message.thread.parentID.map { .string($0) }
        if message.thread.repliesCount > 0 { fields["replies"] = .integer(message.thread.repliesCount) }
        if let quote = message.quote {
            var quoted = JSONObject()
            // Which of them there are depends on what is quoted; the service writes null for the others.
            for (name, member) in [
                ("id", "id"), ("text", "message"), ("from", "sender_nickname"), ("image_url", "image_url"),
                ("width", "image_width"), ("height", "image_height"), ("custom_data", "custom_data"),
            ] {
                if let value = quote.fields[member], value != .null { quoted[name] = value }
            }
            quoted["blocked"] = .bool(quote.isByBlocked)
            fields["quote"] = .object(quoted)
        }
        if !message.metadata.isEmpty { fields["metadata"] = .object(message.metadata) }
        if !message.filtering.reasons.isEmpty {
            fields["filters"] = .array(message.filtering.reasons.map { .string($0) })
        }
        Self.addMarks(of: message, links: links, to: &fields)
        if message.isDeleted { fields["deleted"] = true }
        if message.isFailed { fields["failed"] = true }
        return fields
    }

    private static func addMarks(of message: ChatMessage, links: URLDetector, to fields: inout JSONObject) {
        if message.kind == .text {
            let found = links.links(in: message.text)
            if !found.isEmpty {
                fields["links"] = .array(
                    found.map { link in
                        [
                            "start": .integer(Int64(link.start)), "stop": .integer(Int64(link.stop)),
                            "text": .string(link.text),
                        ]
                    })
            }
            let stickers = Self.shortcodes(in: message.text)
            if !stickers.isEmpty {
                fields["stickers"] = .array(stickers.map { .string($0) })
                if message.text == ":\(stickers[0]):" { fields["big_sticker"] = true }
            }
        }
        guard !message.reactions.isEmpty else { return }
        fields["reactions"] = .array(
            message.reactions.map { ["id": .string($0.reactionID), "by": .string($0.profileID)] })
    }

    /// The shortcodes `:name:` of a text, at most 100; a name is letters, digits, `_`, `-` and `+`.
    static func shortcodes(in text: String) -> [String] {
        guard text.utf8.contains(UInt8(ascii: ":")) else { return [] }
        var codes: [String] = []
        var rest = text[...]
        while codes.count < 100, let begin = rest.firstIndex(of: ":") {
            let name = rest[rest.index(after: begin)...].prefix { character in
                character.isASCII && (character.isLetter || character.isNumber || "_-+".contains(character))
            }
            if !name.isEmpty, rest[name.endIndex...].first == ":" {
                codes.append(String(name))
                rest = rest[name.endIndex...].dropFirst()
            } else {
                rest = rest[rest.index(after: begin)...]
            }
        }
        return codes
    }
}
