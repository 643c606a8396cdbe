import JSON
import Machines

/// What scripts can read of a client: the properties of the vendor's session object, and the states of the machines.
enum ClientProperties {
    /// One property: what is said of it, and what it is of a client.
    private struct Property: Sendable {
        let declaration: PropertyDeclaration
        let value: @Sendable (ClientView) -> JSONValue?

        init(
            _ name: String, _ type: ScriptType, _ summary: String,
            value: @escaping @Sendable (ClientView) -> JSONValue?
        ) {
            self.declaration = PropertyDeclaration(name, type, summary)
            self.value = value
        }

        /// A text that is null as long as it is not known.
        init(
            _ name: String, _ summary: String, text: @escaping @Sendable (SessionRecord) -> String?
        ) {
            self.init(name, .string, summary) { text($0.record).map { .string($0) } }
        }

        /// A form of the session, null as long as the server has not sent it.
        init(form kind: FormKind, _ summary: String) {
            self.init("\(kind.rawValue)_form", .json, summary) { client in
                client.record[kind]?.scriptValue(branding: client.record.branding)
            }
        }
    }

    /// What is said of each property.
    static let declarations = Self.all.map(\.declaration)

    /// Returns the properties of a client, null where there is nothing to tell.
    static func read(_ client: ClientView) -> JSONObject {
        JSONObject(Self.all.map { ($0.declaration.name, $0.value(client) ?? .null) })
    }

    private static let all = Self.states + Self.session + Self.forms + Self.window

    private static let states = [
        Property(
            "session_state", .choice(SessionStateMachine.State.allCases.map(\.rawValue)),
            "The state of the session, in the vendor's word."
        ) { .string($0.state.rawValue) },
        Property(
            "chat_state", .choice(ChatStateMachine.State.allCases.map(\.rawValue)),
            "The state of the chat; null before there is one."
        ) { $0.chat.map { .string($0.state.rawValue) } },
        Property(
            "link_state", .choice(LinkStateMachine.State.allCases.map(\.rawValue)),
            "The state of the event stream; null before there is one."
        ) { $0.link.map { .string($0.state.rawValue) } },
    ]

    private static let session = [
        Property("language", .string, "The language in use.") { .string($0.record.language) },
        Property("visitor_id", .string, "Who the visitor is; empty until the server has said so.") {
            .string($0.record.visitorID)
        },
        Property(
            "custom_url", "Where the application would go after the chat (the preset CustomUrl), or null.",
            text: \.customURL),
        Property("chat_key", "The chat's key; null before there is one.", text: \.chatKey),
        Property("chat_id", "The chat's number; null before there is one.", text: \.chatID),
        Property(
            "department_id", "The department that was chosen in the pre-chat form, or null.", text: \.departmentID),
        Property(
            "unavailable_reason", .choice(UnavailableReason.allCases.map(\.rawValue)),
            "Why no chat is possible; null if one is."
        ) { $0.record.unavailableReason.map { .string($0.rawValue) } },
        Property("unavailable_message", "What the server says about it, or null.", text: \.unavailableMessage),
        Property("recapture_available", .boolean, "Whether the desk would take the visitor back.") {
            .bool($0.isRecaptureAvailable)
        },
        Property(
            "end_reason", .choice(EndReason.allCases.map(\.rawValue)),
            "Why the chat ended, as the vendor's session object says it."
        ) { .string($0.record.endReason.rawValue) },
    ]

    private static let forms = [
        Property(form: .preChat, "The pre-chat form, or null."),
        Property(form: .postChat, "The post-chat form, or null."),
        Property(form: .unavailable, "The unavailable form, or null."),
    ]

    private static let window = [
        Property("chat_window_settings", .map(.json), "What the chat window may do, by the vendor's names.") {
            .object($0.record.windowSettings)
        },
        Property("branding", .map(.string), "The texts of the language by their keys.") { client in
            .object(JSONObject(client.record.branding.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
        },
        Property("upload_params", .map(.string), "What an application needs to upload a file itself, or null.") {
            Self.uploadParameters($0)
        },
        Property("window_state", .string, "The window's own name for its state; null in the profile `ios`.") { client in
            client.settings.profile.session.isPage ? .string(Self.windowState(client)) : nil
        },
        Property("screen", ScreenShape.type, "What a person would see; null before there is a session.") {
            ScreenModel($0).map { .object($0.value) }
        },
    ]

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
    private static func uploadParameters(_ client: ClientView) -> JSONValue? {
        client.chat.map { chat in
            [
                "chat_id": .string(client.record.chatID ?? ""), "person_id": .string(client.record.visitorID),
                "client_id": .string(chat.clientID), "account_id": .string(client.settings.key.accountID),
                "person_type": "VISITOR",
            ]
        }
    }
}
