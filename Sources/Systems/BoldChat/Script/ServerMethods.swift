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
    case mails, chats, sign
    case inviteActiveAssist = "invite_active_assist"
    case endActiveAssist = "end_active_assist"
    case sendRemoteControl = "send_remote_control"
    case setVideo = "set_video"
    case failNext = "fail_next"
    case breakNext = "break_next"
    case delayNext = "delay_next"
    case blockSockets = "block_sockets"
    case dropSocket = "drop_socket"
    case closeSocket = "close_socket"
    case sendReconnect = "send_reconnect"
    case sendRedirect = "send_redirect"
    case sendReset = "send_reset"
    case sendClosed = "send_closed"
    case setHeartbeats = "set_heartbeats"
    case sendEvent = "send_event"
    case sendText = "send_text"
    case updateMessage = "update_message"
    case deleteChat = "delete_chat"
}
