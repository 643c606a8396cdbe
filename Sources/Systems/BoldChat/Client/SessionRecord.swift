import JSON

/// What a client knows about its session; the values that the vendor's session object lets applications read.
struct SessionRecord: Sendable {
    /// The chat's number.
    var chatID: String?
    /// What the chat is named by in calls.
    var chatKey: String?
    /// Who the visitor is.
    var visitorID = ""
    /// The language in use.
    var language = "en-US"
    /// The department that was chosen in the pre-chat form.
    var departmentID: String?
    /// The texts of the language by their keys.
    var branding: [String: String] = [:]
    /// What the chat window may do.
    var windowSettings: JSONObject = [:]
    /// The forms of the session, as far as the server has sent them.
    private var forms: [FormKind: Form] = [:]
    /// Why no chat is possible.
    var unavailableReason: UnavailableReason?
    /// What the server says about it.
    var unavailableMessage: String?
    /// Whether the desk would take the visitor back.
    var isRecaptureAvailable = false
    /// The session's own end reason, which the vendor never sets.
    var endReason: EndReason = .undefined
    /// How the chat ended, kept until the session is finished.
    var chatEnd: (reason: EndReason, time: String?)?
    /// The values that were sent with each form.
    var sent: [FormKind: [(key: String, value: String)]] = [:]

    /// The form of a kind.
    subscript(kind: FormKind) -> Form? {
        get { self.forms[kind] }
        set { self.forms[kind] = newValue }
    }
}
