/// The views of which exactly one is visible; the raw value is what scripts see.
enum ScreenView: String, CaseIterable, Sendable {
    case error, end
    case preChat = "pre_chat"
    case unavailable, chat
    case postChat = "post_chat"

    /// The view of a client, or nil before it has begun a session.
    init?(_ client: ClientView) {
        if client.screen.error != nil {
            self = .error
            return
        }
        switch client.state {
        case .idle: return nil
        // The vendor does not say what lies under the loading view while a chat is created; defined here.
        case .creatingChat, .chatting: self = .chat
        case .preChatForm, .sendingPreChatInfo: self = .preChat
        case .postChatForm, .sendingPostChatInfo: self = .postChat
        case .unavailableForm, .sendingUnavailableInfo: self = .unavailable
        case .finished: self = .end
        }
    }

    /// The form that the view shows.
    var form: FormKind? {
        switch self {
        case .preChat: .preChat
        case .postChat: .postChat
        case .unavailable: .unavailable
        case .error, .end, .chat: nil
        }
    }

    /// The outlets that what the view shows is put on.
    var containers: [ScreenControl.Place] {
        switch self {
        case .error: [(.errorview, .main)]
        case .end: [(.endview, .main)]
        case .preChat: [(.preChatHolderView, .main), (.view, .form)]
        case .postChat: [(.postChatHolderView, .main), (.view, .form)]
        case .unavailable: [(.unavailableChatHolderView, .main), (.view, .form)]
        case .chat: [(.chatHolderView, .main), (.view, .chat)]
        }
    }
}
