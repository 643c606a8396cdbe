/// The methods of an agent in scripts.
enum AgentMethod: String, CaseIterable, Sendable {
    case signIn = "sign_in"
    case accept, typing, say, finish, transfer
}

/// The methods of the desk in scripts.
enum DeskMethod: String, CaseIterable, Sendable {
    case setQueue = "set_queue"
    case open, close
    case setHours = "set_hours"
    case setOperators = "set_operators"
    case blockVisitor = "block_visitor"
    case setDepartment = "set_department"
    case setForm = "set_form"
    case pushSystemMessage = "push_system_message"
    case pushAutoMessage = "push_auto_message"
    case offerRecapture = "offer_recapture"
    case endChat = "end_chat"
    case mails, chats
}
