import JSON

/// What a client knows about its session; the values that the vendor's session object lets applications read.
struct SessionRecord: Sendable {
    var chatID: String?
    var chatKey: String?
    var visitorID = ""
    var language = "en-US"
    var departmentID: String?
    var branding: [String: String] = [:]
    var windowSettings: JSONObject = [:]
    var preChatForm: Form?
    var postChatForm: Form?
    var unavailableForm: Form?
    var unavailableReason: UnavailableReason?
    var unavailableMessage: String?
    var isRecaptureAvailable = false
    var endReason: EndReason = .undefined
    /// How the chat ended, kept until the session is finished.
    var chatEnd: (reason: EndReason, time: String?)?
    /// The values that were sent with each form.
    var sent: [FormKind: [(key: String, value: String)]] = [:]

    /// The form of a kind.
    subscript(kind: FormKind) -> Form? {
        get {
            switch kind {
            case .preChat: self.preChatForm
            case .postChat: self.postChatForm
            case .unavailable: self.unavailableForm
            }
        }
        set {
            switch kind {
            case .preChat: self.preChatForm = newValue
            case .postChat: self.postChatForm = newValue
            case .unavailable: self.unavailableForm = newValue
            }
        }
    }
}
