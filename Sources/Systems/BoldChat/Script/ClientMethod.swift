/// The methods of a visitor in scripts.
enum ClientMethod: String, CaseIterable, Sendable {
    case createChat = "create_chat"
    case submitPreChat = "submit_pre_chat"
    case submitPostChat = "submit_post_chat"
    case submitUnavailable = "submit_unavailable"
    case say, typing, finish
    case cancelChat = "cancel_chat"
    case emailHistory = "email_history"
    case changeLanguage = "change_language"
    case checkAvailability = "check_availability"
    case cancelRequest = "cancel_request"
    case suspend, resume
    case endSession = "end_session"
}
