/// Which of the forms of a session a form is (`BCFormType`); the raw value is what scripts see.
enum FormKind: String, CaseIterable, Sendable {
    case preChat = "pre_chat"
    case postChat = "post_chat"
    case unavailable

    /// The command that submits the form.
    var submitCommand: String {
        switch self {
        case .preChat: "submit_pre_chat"
        case .postChat: "submit_post_chat"
        case .unavailable: "submit_unavailable"
        }
    }
}
