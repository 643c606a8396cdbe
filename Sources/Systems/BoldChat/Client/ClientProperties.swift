import JSON

/// What scripts can read of a client.
enum ClientProperties {
    /// Returns the properties of the vendor's session object, and the states of the machines.
    static func read(_ client: BoldChatClient) -> JSONObject {
        let record = client.record
        var properties: JSONObject = [
            "session_state": .string(client.session.state.rawValue),
            "chat_state": client.chat.map { .string($0.state.rawValue) } ?? .null,
            "link_state": client.link.map { .string($0.state.rawValue) } ?? .null,
            "language": .string(record.language),
            "visitor_id": .string(record.visitorID),
            "recapture_available": .bool(record.isRecaptureAvailable),
            "end_reason": .string(record.endReason.rawValue),
            "chat_window_settings": .object(record.windowSettings),
            "branding": .object(
                JSONObject(record.branding.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
        ]
        if let screen = ScreenModel(client) { properties["screen"] = .object(screen.value) }
        let texts = [
            ("chat_key", record.chatKey), ("chat_id", record.chatID), ("department_id", record.departmentID),
            ("unavailable_reason", record.unavailableReason?.rawValue),
            ("unavailable_message", record.unavailableMessage),
        ]
        for (name, text) in texts {
            if let text { properties[name] = .string(text) }
        }
        return properties
    }
}
