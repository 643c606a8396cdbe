import JSON

/// What scripts can read of a client.
enum ClientProperties {
    /// The browser window's own name for the state of its session (`bc.SessionState`).
    private static func windowState(_ client: ClientView) -> String {
        if client.screen.error != nil { return "Error" }
        switch client.state {
        case .idle: return "Idle"
        case .creatingChat: return "InitialLoading"
        case .preChatForm: return "PreChat"
        case .sendingPreChatInfo: return "PreChatSending"
        case .postChatForm: return "PostChat"
        case .sendingPostChatInfo: return "PostChatSending"
        case .unavailableForm: return "UnavailableChat"
        case .sendingUnavailableInfo: return "UnavailableChatSending"
        case .finished: return "Finished"
        case .chatting: break
        }
        switch client.chat?.state {
        case .finishing?, .finishingUpdateArrived?, .gettingUnavailableForm?, .sendingVisitorMessagesBeforeFinishing?:
            return "ChatEnding"
        case .ossStarted? where client.link?.isDisturbed == false: return "ChatActive"
        default: return "ChatInactive"
        }
    }

    /// What an application needs to upload a file itself (`uploadParams`).
    private static func uploadParameters(_ client: ClientView, _ chat: ChatStateMachine) -> JSONValue {
        [
            "chat_id": .string(client.record.chatID ?? ""), "person_id": .string(client.record.visitorID),
            "client_id": .string(chat.clientID), "account_id": .string(client.settings.key.accountID),
            "person_type": "VISITOR",
        ]
    }

    /// Returns the properties of the vendor's session object, and the states of the machines.
    static func read(_ client: ClientView) -> JSONObject {
        let record = client.record
        var properties: JSONObject = [
            "session_state": .string(client.state.rawValue),
            "chat_state": client.chat.map { .string($0.state.rawValue) } ?? .null,
            "link_state": client.link.map { .string($0.state.rawValue) } ?? .null,
            "language": .string(record.language),
            "visitor_id": .string(record.visitorID),
            "recapture_available": .bool(client.isRecaptureAvailable),
            "end_reason": .string(record.endReason.rawValue),
            "chat_window_settings": .object(record.windowSettings),
            "branding": .object(
                JSONObject(record.branding.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
        ]
        for (name, form) in [
            ("pre_chat_form", record[.preChat]), ("post_chat_form", record[.postChat]),
            ("unavailable_form", record[.unavailable]),
        ] {
            if let form { properties[name] = form.scriptValue(branding: record.branding) }
        }
        if let chat = client.chat { properties["upload_params"] = Self.uploadParameters(client, chat) }
        if client.settings.profile == .html { properties["window_state"] = .string(Self.windowState(client)) }
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
